package items

import (
	"cmp"
	"regexp"
	"slices"
	"strings"

	"tradepost/core"
)

// MaxCompletions is how many items a completion lists at most. A list of choices in Discord has room for as
// many.
const MaxCompletions = 25

// Index finds items by text that users type, in memory. It is immutable.
type Index struct {
	forms core.TextForms
	Items []indexedItem `json:"-"`
	byKey map[string]int
	byID  map[core.ItemID]int
	words [][]rune // of all names, each once

	professions professionWords // of those who make the items
	// places of the items that can be completed, those first that come first where they fit equally well
	order []int
}

// indexedItem is an item as it is searched.
type indexedItem struct {
	Item
	forms []itemForm // its names
	Demand
}

// itemForm is a folded name.
type itemForm struct {
	key     string
	letters []rune // of the key
	text    string // with spaces between the words, and one before the first
	words   []int  // places in Index.words
}

// Demand counts the recent requests with a name, and the established traders who posted them.
type Demand struct{ Requests, Trusted int }

// A name becomes a provisional item, which moderators see, after provisionalRequests requests by
// provisionalPeople people. It is suggested to others once as many established traders ask for it.
const (
	provisionalRequests = 3
	provisionalPeople   = 2
)

// completed reports whether the item is suggested to everybody. A provisional item is once enough established
// traders ask for it or the operator names it; until then only its authors are suggested the name.
func (i *indexedItem) completed() bool {
	return i.Known() && !i.Gone() && (i.State != Provisional || i.Suggested || i.Trusted >= provisionalPeople)
}

// NewIndex returns the index of a catalogue, given the demand for each name as it was typed.
func NewIndex(items []Item, demand map[string]Demand, forms core.TextForms) *Index {
	x := &Index{forms: forms, byKey: map[string]int{}, byID: map[core.ItemID]int{},
		professions: professionWords{}}
	places := map[string]int{}
	for at, item := range items {
		indexed := indexedItem{Item: item}
		x.professions.add(forms, item.MadeBy)
		for _, name := range item.Names {
			form := itemForm{key: name.Key, letters: []rune(name.Key),
				text: " " + itemWords(forms, name.Name)}
			for word := range strings.FieldsSeq(form.text) {
				place, known := places[word]
				if !known {
					place = len(x.words)
					places[word] = place
					x.words = append(x.words, []rune(word))
				}
				form.words = append(form.words, place)
			}
			indexed.forms = append(indexed.forms, form)
			x.byKey[name.Key] = at
		}
		x.Items = append(x.Items, indexed)
		x.byID[item.ID] = at
	}
	for name, asked := range demand {
		if at, known := x.byKey[forms.FoldItem(name)]; known {
			if at, known = x.Target(at); known {
				// The same traders may have used several spellings, so their numbers do not add up.
				of := &x.Items[at].Demand
				of.Requests, of.Trusted = of.Requests+asked.Requests, max(of.Trusted, asked.Trusted)
			}
		}
	}
	for at := range x.Items {
		if x.Items[at].completed() {
			x.order = append(x.order, at)
		}
	}
	slices.SortFunc(x.order, func(a, b int) int {
		first, second := &x.Items[a], &x.Items[b]
		return cmp.Or(cmp.Compare(second.Requests, first.Requests),
			cmp.Compare(len(first.Name), len(second.Name)),
			strings.Compare(first.Name, second.Name), cmp.Compare(first.ID, second.ID))
	})
	return x
}

// itemWords returns a folded name with one space between its words. Characters other than letters and digits
// count as spaces.
func itemWords(forms core.TextForms, name string) string {
	return strings.Join(strings.FieldsFunc(forms.FoldWords(name), isBetweenItemWords), " ")
}

func isBetweenItemWords(r rune) bool {
	return core.IsBetweenWords(r) || r == '(' || r == ')' || r == '\''
}

// Len returns how many items there are, in whatever state.
func (x *Index) Len() int { return len(x.Items) }

// Target follows a merge. Merges are a step long: see Catalogue decisions.
func (x *Index) Target(at int) (int, bool) {
	for range 8 {
		if x.Items[at].State != Merged {
			return at, true
		}
		next, known := x.byID[x.Items[at].MergedInto]
		if !known {
			return 0, false
		}
		at = next
	}
	return 0, false
}

// Item returns the item with an ID, or the item that it was merged into.
func (x *Index) Item(id core.ItemID) (Item, bool) {
	at, known := x.byID[id]
	if known {
		at, known = x.Target(at)
	}
	if !known {
		return Item{}, false
	}
	return x.Items[at].Item, true
}

// KindOf returns the kind of items that a text names, as the catalogue writes it; empty for none.
func (x *Index) KindOf(text string) string {
	key := x.forms.FoldItem(text)
	for at := range x.Items {
		if item := &x.Items[at]; item.Kind != "" && item.Known() && x.forms.FoldItem(item.Kind) == key {
			return item.Kind
		}
	}
	return ""
}

// OfKind returns up to limit items of a kind, those most asked for first.
func (x *Index) OfKind(kind string, limit int) []Item {
	var items []Item
	for _, at := range x.order {
		if item := &x.Items[at]; len(items) < limit && item.Kind == kind && item.Known() && !item.Gone() {
			items = append(items, item.Item)
		}
	}
	return items
}

// Raw returns the item of a number as it is, merged or not.
func (x *Index) Raw(id core.ItemID) (Item, bool) {
	at, known := x.byID[id]
	if !known {
		return Item{}, false
	}
	return x.Items[at].Item, true
}

// Named returns the item with a name or alias that equals the text, both folded. It guesses nothing.
func (x *Index) Named(text string) (Item, bool) {
	at, known := x.byKey[x.forms.FoldItem(text)]
	if known {
		at, known = x.Target(at)
	}
	if !known || !x.Items[at].Known() {
		return Item{}, false
	}
	return x.Items[at].Item, true
}

// HasName reports whether a name is an item's in any state.
func (x *Index) HasName(text string) bool {
	_, known := x.byKey[x.forms.FoldItem(text)]
	return known
}

// Meant returns the item's name for a text that is its label, and any other text as it is.
func (x *Index) Meant(text string) string {
	name, _, labeled := strings.Cut(text, labelMark)
	if !labeled {
		return text
	}
	if item, known := x.Named(name); known && x.forms.FoldItem(item.Label()) == x.forms.FoldItem(text) {
		return item.Name
	}
	return text
}

// NamesOf returns every name that leads to an item, including the names of items that were merged into it.
func (x *Index) NamesOf(id core.ItemID) []string {
	var names []string
	for at := range x.Items {
		if to, known := x.Target(at); known && x.Items[to].ID == id {
			for _, name := range x.Items[at].Names {
				names = append(names, name.Name)
			}
		}
	}
	return names
}

// How well an item fits the typed text, the best first.
const (
	fitsExactly = iota
	fitsStart
	fitsWordStart
	fitsAllWords
	fitsProfession // some of its words name who makes it
	fitsNot
)

// Complete returns the items that fit the text typed so far: by name, then by its beginning, the beginning
// of any of its words, all of its words, these with the profession that makes it, and all of them with a typo
// in one or two. Among equal fits, the most requested items come first. Variants of one kind come together,
// at the place of the best variant.
func (x *Index) Complete(text string, limit int) []Item {
	hits := x.find(text)
	items := make([]Item, 0, min(limit, len(hits)))
	for _, at := range x.together(hits, limit) {
		items = append(items, x.Items[at].Item)
	}
	return items
}

var countInFront = regexp.MustCompile(`^(?:[xX×]\s*)?\d[\d.,']*[kK]?\s*[xX×]?\s+(\S.*)$`)

// find returns the places of the items that fit a text, the best first: as it is, else without a quantity
// in front of it.
func (x *Index) find(text string) []int {
	typed := itemWords(x.forms, text)
	if typed == "" {
		return nil
	}
	hits := x.search(typed, strings.HasSuffix(text, " "))
	if m := countInFront.FindStringSubmatch(text); len(hits) == 0 && m != nil {
		hits = x.search(itemWords(x.forms, m[1]), strings.HasSuffix(text, " "))
	}
	return hits
}

// search returns the places of the items that fit, the best first.
func (x *Index) search(typed string, wordEnds bool) []int {
	q := itemQuery{typed: typed, start: " " + typed, key: strings.ReplaceAll(typed, " ", ""),
		words: strings.Fields(typed)}
	q.named = x.professions.namedBy(q.words)
	if wordEnds {
		q.start += " "
	}
	var byFit [fitsNot][]int
	fits := make([]bool, len(x.Items))
	for _, at := range x.order {
		if fit := q.fit(&x.Items[at]); fit != fitsNot {
			byFit[fit] = append(byFit[fit], at)
			fits[at] = true
		}
	}
	hits := slices.Concat(byFit[:]...)
	if len(hits) < MaxCompletions {
		hits = append(hits, x.typos(q, fits)...)
	}
	return hits
}

// itemQuery is the typed text in the forms that matching needs.
type itemQuery struct {
	typed, start, key string
	words             []string
	named             named
}

func (q itemQuery) fit(item *indexedItem) int {
	best := fitsNot
	for i := range item.forms {
		best = min(best, q.fitForm(&item.forms[i]))
	}
	if best == fitsNot && q.named.fits(item, q.words, (*itemForm).has) {
		return fitsProfession
	}
	return best
}

func (q itemQuery) fitForm(form *itemForm) int {
	switch at := strings.Index(form.text, q.start); {
	case form.key == q.key:
		return fitsExactly
	case at == 0:
		return fitsStart
	case strings.HasPrefix(form.key, q.key): // typed without a space
		return fitsStart
	case at > 0:
		return fitsWordStart
	}
	for _, word := range q.words {
		if !form.has(word) {
			return fitsNot
		}
	}
	return fitsAllWords
}

// has reports whether a name has a word, as the beginning of one, or anywhere when it is long enough to say
// something.
func (f *itemForm) has(word string) bool {
	at := strings.Index(f.text, word)
	return at > 0 && (len(word) >= core.ShortestTypo || f.text[at-1] == ' ' ||
		strings.Contains(f.text, " "+word))
}

// maxTypos is how many words of a text may have a typo, each one.
const maxTypos = 2

// typos returns the places of the items that have all the words when some of them are taken for typos, fewer
// typos first. It leaves out items that fit without a correction.
func (x *Index) typos(q itemQuery, fits []bool) []int {
	meant, any := make([][]bool, len(q.words)), false // by word: whether it may be a typo of each word
	for i, word := range q.words {
		meant[i] = make([]bool, len(x.words))
		letters := []rune(word)
		for place, other := range x.words {
			if len(letters) > core.ShortestTypo && isTypoOfStart(letters, other) {
				meant[i][place], any = true, true
			}
		}
	}
	if !any {
		return nil
	}
	var found [maxTypos + 1][]int
	for _, at := range x.order {
		if fits[at] {
			continue
		}
		fewest := maxTypos + 1
		for i := range x.Items[at].forms {
			fewest = min(fewest, q.typosIn(&x.Items[at].forms[i], meant))
		}
		if fewest <= maxTypos {
			found[fewest] = append(found[fewest], at)
		}
	}
	return slices.Concat(found[:]...)
}

// typosIn returns how many of the words are typos of a name that has all of them, or more than maxTypos.
func (q itemQuery) typosIn(form *itemForm, meant [][]bool) int {
	typos := 0
	for i, word := range q.words {
		if form.has(word) {
			continue
		}
		if typos++; typos > maxTypos || !slices.ContainsFunc(form.words,
			func(place int) bool { return meant[i][place] }) {
			return maxTypos + 1
		}
	}
	return typos
}

// isTypoOfStart reports whether typed letters are one typo away from a word or from its beginning.
func isTypoOfStart(typed, word []rune) bool {
	same := 0
	for same < len(typed) && same < len(word) && typed[same] == word[same] {
		same++
	}
	if same == len(typed) {
		return false // no typo
	}
	left := typed[same:]
	if same == len(word) {
		return len(left) == 1 // one too many at the end
	}
	meant := word[same:]
	return startsWith(meant[1:], left[1:]) || // wrong
		startsWith(meant[1:], left) || // missing
		startsWith(meant, left[1:]) || // too many
		// swapped
		len(left) > 1 && len(meant) > 1 && left[0] == meant[1] && left[1] == meant[0] &&
			startsWith(meant[2:], left[2:])
}

func startsWith(word, start []rune) bool {
	return len(start) <= len(word) && slices.Equal(word[:len(start)], start)
}

// together returns the first hits up to a limit, variants of one kind after one another.
func (x *Index) together(hits []int, limit int) []int {
	hits = hits[:min(len(hits), limit)]
	var all []int
	placed := make([]bool, len(hits))
	for i, hit := range hits {
		if placed[i] {
			continue
		}
		all = append(all, hit)
		kind := x.Items[hit].Kind
		for j := i + 1; kind != "" && j < len(hits); j++ {
			if !placed[j] && x.Items[hits[j]].Kind == kind {
				placed[j] = true
				all = append(all, hits[j])
			}
		}
	}
	return all
}

// Near returns the item that an unknown name is a near miss of: one typo away, or two where the name is
// long. Callers suggest it and never choose it automatically.
func (x *Index) Near(text string) (Item, bool) {
	key := x.forms.FoldItem(text)
	if _, known := x.byKey[key]; known {
		return Item{}, false
	}
	return x.near(key, func(at int) bool { return x.Items[at].completed() })
}

// near returns the item, among those at accepted places, that a folded name is a near miss of.
func (x *Index) near(key string, accepted func(at int) bool) (Item, bool) {
	letters := []rune(key)
	most := mistakesIn(len(letters))
	if most == 0 {
		return Item{}, false
	}
	var rows [3][]int
	for i := range rows {
		rows[i] = make([]int, len(letters)+most+1)
	}
	best, bestAt := most+1, -1
	for at := range x.Items {
		to, known := x.Target(at)
		if !known || !accepted(to) || x.Items[to].Gone() {
			continue
		}
		for _, form := range x.Items[at].forms {
			n := mistakes(letters, form.letters, min(best, most), rows)
			if n < best || n == best && bestAt >= 0 && x.Items[to].Requests > x.Items[bestAt].Requests {
				best, bestAt = n, to
			}
		}
	}
	if bestAt < 0 || best > most {
		return Item{}, false
	}
	return x.Items[bestAt].Item, true
}

// mistakesIn returns how many letters may be wrong in a name of a length.
func mistakesIn(letters int) int {
	switch {
	case letters < 4:
		return 0
	case letters < 10:
		return 1
	default:
		return 2
	}
}

// mistakes returns by how many letters that are wrong, missing, too many or swapped two words differ, or
// more than most. It works in rows that have room for the longest word within most.
func mistakes(word, letters []rune, most int, rows [3][]int) int {
	if d := len(word) - len(letters); most <= 0 || d > most || -d > most {
		return most + 1
	}
	for i := range rows {
		rows[i] = rows[i][:len(letters)+1]
	}
	for j := range rows[1] {
		rows[1][j] = j
	}
	for i := range word {
		before2, before, row := rows[i%3], rows[(i+1)%3], rows[(i+2)%3]
		row[0] = i + 1
		least := row[0]
		for j := range letters {
			wrong := 1
			if word[i] == letters[j] {
				wrong = 0
			}
			row[j+1] = min(before[j]+wrong, before[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && word[i] == letters[j-1] && word[i-1] == letters[j] {
				row[j+1] = min(row[j+1], before2[j-1]+1)
			}
			least = min(least, row[j+1])
		}
		if least > most {
			return most + 1
		}
	}
	return min(rows[(len(word)+1)%3][len(letters)], most+1)
}

// Same returns the names under which a text may be stocked or asked for: all of the item that it names,
// else the text itself.
func (x *Index) Same(text string) []string {
	if item, known := x.Named(text); known {
		return x.NamesOf(item.ID)
	}
	return []string{text}
}

// SameItem reports whether two texts name the same item.
func (x *Index) SameItem(a, b string) bool {
	if x.forms.FoldItem(a) == x.forms.FoldItem(b) {
		return true
	}
	first, known := x.Named(a)
	second, alsoKnown := x.Named(b)
	return known && alsoKnown && first.ID == second.ID
}

// KeysOf returns the folded form of each name.
func (x *Index) KeysOf(names []string) []string {
	keys := make([]string, len(names))
	for i, name := range names {
		keys[i] = x.forms.FoldItem(name)
	}
	return keys
}

// namesOfKind returns the names of every item of a kind.
func (x *Index) namesOfKind(kind string) (names []string) {
	if kind == "" {
		return nil
	}
	for i := range x.Items {
		if x.Items[i].Kind == kind && x.Items[i].Known() {
			names = append(names, x.NamesOf(x.Items[i].ID)...)
		}
	}
	return names
}
