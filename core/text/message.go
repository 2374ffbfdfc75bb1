package text

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// Message is a text with places, as a file has it. docs/translating.md describes its language, which is a
// part of ICU's MessageFormat.
type Message struct {
	source string
	parts  []part
}

// part is a piece of a message: letters, a place or a tag.
type part struct {
	kind    partKind
	letters string // of letters
	name    string // of a place or a tag; empty for #
	forms   []form // of a plural or a select
	inside  []part // of a tag
}

type partKind int

const (
	letters  partKind = iota
	place             // {item}: a text as it is
	number            // {count, number}, or # in a plural: a whole number as the language writes it
	ungroup           // {limit, number, ::group-off}: a whole number without separators of thousands
	counting          // {count, plural, …}
	choosing          // {kind, select, …}
	tag               // <link>…</link>
)

// form is one of the texts of a plural or a select.
type form struct {
	name  string // such as one, other or =0
	parts []part
}

// Kind tells places apart that take different values.
type Kind string

// The kinds of places.
const (
	AText   Kind = "text"
	ANumber Kind = "number" // also one that chooses a plural form
	AChoice Kind = "select"
	ATag    Kind = "tag"
)

var kinds = map[partKind]Kind{
	place: AText, number: ANumber, ungroup: ANumber, counting: ANumber, choosing: AChoice, tag: ATag,
}

// Parse reads a message.
func Parse(source string) (Message, error) {
	r := reader{rest: source}
	parts, err := r.message("", false)
	if err == nil && r.rest != "" {
		err = fmt.Errorf("%q closes nothing", r.rest)
	}
	if err == nil {
		_, err = placesOf(parts)
	}
	if err != nil {
		return Message{}, fmt.Errorf("%q: %w", source, err)
	}
	return Message{source: source, parts: parts}, nil
}

// String returns the message as its file has it.
func (m Message) String() string { return m.source }

// Places returns the kinds of the message's places and tags by their names.
func (m Message) Places() map[string]Kind {
	places, _ := placesOf(m.parts) // Parse has looked at the error
	return places
}

// placesOf also finds a name that two kinds share.
func placesOf(parts []part) (map[string]Kind, error) {
	places := map[string]Kind{}
	var walk func([]part) error
	walk = func(parts []part) error {
		for _, p := range parts {
			if kind := kinds[p.kind]; p.name != "" {
				if known, ok := places[p.name]; ok && known != kind {
					return fmt.Errorf("%s is a %s and a %s", p.name, known, kind)
				}
				places[p.name] = kind
			}
			if err := walk(p.inside); err != nil {
				return err
			}
			for _, f := range p.forms {
				if err := walk(f.parts); err != nil {
					return err
				}
			}
		}
		return nil
	}
	return places, walk(parts)
}

// reader reads a message from its start.
type reader struct{ rest string }

var (
	openingTag     = regexp.MustCompile(`^<([a-z][A-Za-z0-9]*)>`)
	closingTag     = regexp.MustCompile(`^</([a-z][A-Za-z0-9]*)>`)
	placeName      = regexp.MustCompile(`^[a-z][A-Za-z0-9]*`)
	simplePlace    = regexp.MustCompile(`^(, *number *(, *::group-off *)?)?}`)
	placeWithForms = regexp.MustCompile(`^, *(plural|select) *,`)
	formName       = regexp.MustCompile(`^(=\d+|[A-Za-z][A-Za-z0-9_-]*)`)
)

// message reads up to the end, to a brace that closes, or to the end of the tag that it is in.
func (r *reader) message(inTag string, counted bool) (parts []part, err error) {
	add := func(s string) {
		if last := len(parts) - 1; last >= 0 && parts[last].kind == letters {
			parts[last].letters += s
		} else {
			parts = append(parts, part{kind: letters, letters: s})
		}
		r.rest = r.rest[len(s):]
	}
	for r.rest != "" {
		switch r.rest[0] {
		case '{':
			r.rest = r.rest[1:]
			p, err := r.place(counted)
			if err != nil {
				return nil, err
			}
			parts = append(parts, p)
		case '}':
			if inTag != "" {
				return nil, fmt.Errorf("<%s> is not closed", inTag)
			}
			return parts, nil
		case '<':
			if closing := closingTag.FindStringSubmatch(r.rest); closing != nil {
				if closing[1] != inTag {
					return nil, fmt.Errorf("%s closes nothing", closing[0])
				}
				r.rest = r.rest[len(closing[0]):]
				return parts, nil
			}
			opening := openingTag.FindStringSubmatch(r.rest)
			if opening == nil {
				add("<")
				continue
			}
			r.rest = r.rest[len(opening[0]):]
			inside, err := r.message(opening[1], counted)
			if err != nil {
				return nil, err
			}
			parts = append(parts, part{kind: tag, name: opening[1], inside: inside})
		case '#':
			if !counted {
				add("#")
				continue
			}
			r.rest = r.rest[1:]
			parts = append(parts, part{kind: number})
		default:
			end := strings.IndexAny(r.rest, "{}<#")
			if end < 0 {
				end = len(r.rest)
			}
			add(r.rest[:end])
		}
	}
	if inTag != "" {
		return nil, fmt.Errorf("<%s> is not closed", inTag)
	}
	return parts, nil
}

// place reads a place after its opening brace.
func (r *reader) place(counted bool) (part, error) {
	name := r.token(placeName)
	if name == "" {
		return part{}, fmt.Errorf("a place needs a name such as {item}, at %q", r.rest)
	}
	if found := simplePlace.FindStringSubmatch(r.rest); found != nil {
		r.rest = r.rest[len(found[0]):]
		switch {
		case found[1] == "":
			return part{kind: place, name: name}, nil
		case found[2] == "":
			return part{kind: number, name: name}, nil
		}
		return part{kind: ungroup, name: name}, nil
	}
	if found := placeWithForms.FindStringSubmatch(r.rest); found != nil {
		r.rest = r.rest[len(found[0]):]
		kind := choosing
		if found[1] == "plural" {
			kind, counted = counting, true
		}
		forms, err := r.forms(name, kind, counted)
		return part{kind: kind, name: name, forms: forms}, err
	}
	return part{}, fmt.Errorf("{%s is followed by %q, which is no kind of place", name, r.rest)
}

// forms reads the forms of a plural or a select, and the brace that closes it.
func (r *reader) forms(place string, kind partKind, counted bool) (forms []form, err error) {
	for {
		name := r.token(formName)
		if name == "" {
			break
		}
		if kind == counting && name[0] != '=' && !slices.Contains(pluralForms, name) ||
			kind == choosing && name[0] == '=' {
			return nil, fmt.Errorf("{%s has no form %s", place, name)
		}
		if slices.ContainsFunc(forms, func(f form) bool { return f.name == name }) {
			return nil, fmt.Errorf("{%s has the form %s twice", place, name)
		}
		if !strings.HasPrefix(r.rest, "{") {
			return nil, fmt.Errorf("the form %s of {%s has no text", name, place)
		}
		r.rest = r.rest[1:]
		parts, err := r.message("", counted)
		if err != nil {
			return nil, err
		}
		if err := r.close(place); err != nil {
			return nil, err
		}
		forms = append(forms, form{name, parts})
	}
	if !slices.ContainsFunc(forms, func(f form) bool { return f.name == "other" }) {
		return nil, fmt.Errorf("{%s has no form other", place)
	}
	return forms, r.close(place)
}

func (r *reader) close(place string) error {
	if !strings.HasPrefix(r.rest, "}") {
		return fmt.Errorf("{%s is not closed, at %q", place, r.rest)
	}
	r.rest = r.rest[1:]
	return nil
}

// token reads a word with the spaces around it; it returns nothing for something else.
func (r *reader) token(word *regexp.Regexp) string {
	r.rest = strings.TrimLeft(r.rest, " \n")
	found := word.FindString(r.rest)
	r.rest = strings.TrimLeft(r.rest[len(found):], " \n")
	return found
}

// writer fills in the places of a message.
type writer struct {
	strings.Builder
	in    *Language
	pairs []any
}

// write adds parts. counted is the number of the plural that they are in.
func (w *writer) write(parts []part, counted int) {
	for i := range parts {
		switch p := &parts[i]; p.kind {
		case letters:
			w.WriteString(p.letters)
		case place:
			value, _ := argument(w.pairs, p.name)
			w.value(value)
		case number, ungroup:
			value := any(counted)
			if p.name != "" {
				value, _ = argument(w.pairs, p.name)
			}
			n, whole := value.(int)
			switch {
			case !whole:
				w.value(value)
			case p.kind == ungroup:
				w.WriteString(strconv.Itoa(n))
			default:
				w.WriteString(w.in.number(n))
			}
		case counting:
			value, _ := argument(w.pairs, p.name)
			n, _ := value.(int)
			w.write(p.plural(w.in, n), n)
		case choosing:
			value, _ := argument(w.pairs, p.name)
			w.write(p.form(fmt.Sprint(value)), counted)
		case tag:
			w.write(p.inside, counted)
		}
	}
}

func (w *writer) value(value any) {
	if s, ok := value.(string); ok {
		w.WriteString(s)
		return
	}
	fmt.Fprint(w, value)
}

// plural returns the form for a number: an exact one such as =0, else the form of the language's rule.
func (p *part) plural(l *Language, n int) []part {
	exact := "=" + strconv.Itoa(n)
	for i := range p.forms {
		if p.forms[i].name == exact {
			return p.forms[i].parts
		}
	}
	return p.form(l.pluralForm(n))
}

func (p *part) form(name string) []part {
	var other []part
	for i := range p.forms {
		switch p.forms[i].name {
		case name:
			return p.forms[i].parts
		case "other":
			other = p.forms[i].parts
		}
	}
	return other
}

// argument returns the value of a place among pairs of names and values.
func argument(pairs []any, name string) (any, bool) {
	for i := 0; i+1 < len(pairs); i += 2 {
		if pairs[i] == name {
			return pairs[i+1], true
		}
	}
	return nil, false
}

// Mismatch returns an error unless pairs names exactly the places of a message, each with a value of its
// kind.
func (m Message) Mismatch(pairs []any) error {
	places := m.Places()
	for name, kind := range places {
		value, ok := argument(pairs, name)
		if _, whole := value.(int); kind != ATag && (!ok || whole != (kind == ANumber)) {
			return fmt.Errorf("%q has the place %s, a %s, and gets %#v", m.source, name, kind, value)
		}
	}
	for i := 0; i < len(pairs); i += 2 {
		name, _ := pairs[i].(string)
		if _, ok := places[name]; !ok || i+1 == len(pairs) {
			return fmt.Errorf("%q has no place for %v", m.source, pairs[i:])
		}
	}
	return nil
}

// Variants returns every text that the message may become, with {name} for a place.
func (m Message) Variants() []string { return variants(m.parts, "") }

func variants(parts []part, counted string) []string {
	all := []string{""}
	for _, p := range parts {
		var own []string
		switch p.kind {
		case letters:
			own = []string{p.letters}
		case counting, choosing:
			within := counted
			if p.kind == counting {
				within = p.name
			}
			for _, f := range p.forms {
				own = append(own, variants(f.parts, within)...)
			}
		case tag:
			own = variants(p.inside, counted)
		default:
			own = []string{"{" + cmp.Or(p.name, counted) + "}"}
		}
		var longer []string
		for _, start := range all {
			for _, end := range own {
				longer = append(longer, start+end)
			}
		}
		all = longer
	}
	return all
}
