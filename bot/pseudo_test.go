package bot

import (
	"bytes"
	"encoding/json"
	"go/ast"
	"go/token"
	"io"
	"maps"
	"net/http"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tradepost/bot/discord"
	"tradepost/core/game"
	msg "tradepost/core/text"
)

// Tail is a letter that only the pseudo-language adds. A text that was cut has lost it.
const Tail = "ē"

// Pseudo returns a language with the texts of another one, each a third longer, for Discord's locale of
// English. dashboard/scripts/messages.mjs has the same for the page.
func Pseudo(of *msg.Language) *msg.Language {
	l, err := msg.Read("en-XA", []byte(`{"locales": ["en-US", "en-GB"]}`))
	if err != nil {
		panic(err)
	}
	l.Messages, l.Page, l.Errors = longer(of.Messages), longer(of.Page), longer(of.Errors)
	l.Commands = map[string]msg.Command{}
	for path, c := range of.Commands {
		words := strings.Fields(path)
		own := msg.Command{Name: c.Name}
		if own.Name == "" {
			own.Name = words[len(words)-1]
		}
		own.Name += "-" + more(utf8.RuneCountInString(own.Name))
		if c.Description != "" {
			own.Description = c.Description + " " + more(utf8.RuneCountInString(c.Description))
		}
		l.Commands[path] = own
	}
	l.Choices = maps.Clone(of.Choices)
	for value, name := range l.Choices {
		l.Choices[value] = name + " " + more(utf8.RuneCountInString(name))
	}
	l.Categories = map[string]string{}
	for _, c := range game.Standard().Categories() {
		l.Categories[string(c)] = string(c) + " " + more(utf8.RuneCountInString(string(c)))
	}
	return l
}

func longer[K ~string](texts msg.Texts[K]) msg.Texts[K] {
	all := make(msg.Texts[K], len(texts))
	for key, m := range texts {
		longest := 0
		for _, variant := range m.Variants() {
			longest = max(longest, utf8.RuneCountInString(place.ReplaceAllString(variant, "four")))
		}
		m, err := msg.Parse(m.String() + " " + more(longest))
		if err != nil {
			panic(err)
		}
		all[key] = m
	}
	return all
}

var place = regexp.MustCompile(`\{\w+}`)

// more returns a third more letters for a text of n.
func more(n int) string { return strings.Repeat(Tail, (n+2)/3) }

// Cuts is the way to Discord of a bot that speaks the pseudo-language. The test fails for every text that is cut off.
type Cuts struct {
	http.RoundTripper
	T *testing.T
}

// RoundTrip sends a request.
func (c *Cuts) RoundTrip(r *http.Request) (*http.Response, error) {
	if r.Body != nil && strings.Contains(r.Header.Get("Content-Type"), "json") {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			return nil, err
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		var sent any
		if err := json.Unmarshal(body, &sent); err != nil {
			c.T.Errorf("%s %s: %v", r.Method, r.URL.Path, err)
		}
		for _, text := range cutTexts(sent) {
			c.T.Errorf("%s %s: cut off: %q", r.Method, r.URL.Path, text)
		}
	}
	return c.RoundTripper.RoundTrip(r)
}

// cutTexts returns the texts in a JSON value that were cut off. Nothing that is typed in the play-through is long enough, and texts of the
// pseudo-language that end in an ellipsis have its letters after that.
func cutTexts(value any) (found []string) {
	switch v := value.(type) {
	case map[string]any:
		for _, inner := range v {
			found = append(found, cutTexts(inner)...)
		}
	case []any:
		for _, inner := range v {
			found = append(found, cutTexts(inner)...)
		}
	case string:
		if strings.Contains(v, Tail+"…") || strings.Contains(v, "…\n") || strings.HasSuffix(v, "…") {
			return []string{v}
		}
	}
	return found
}

// No label, title or hint is cut off in the pseudo-language, wherever it is shown. This reads the bot's source, and so finds also what the
// play-through does not show. A name in a text counts as four letters: long ones are cut before they are filled in.
func TestLabelsHaveRoomForLongerTexts(t *testing.T) {
	t.Parallel()
	named := messageKeys(t)
	arguments := map[string]struct{ at, most int }{
		"Button": {2, 80}, "WebLink": {1, 80}, "Choose": {1, 150}, "ChooseSome": {1, 150},
	}
	fields := map[string]map[string]int{
		"Button": {"Label": 80}, "SelectMenuOption": {"Label": 100, "Description": 100}, "SelectMenu": {"Placeholder": 150},
		"Field": {"Label": 45, "Hint": 100}, "Modal": {"Title": 45}, "Choice": {"Name": 100}, "ApplicationCommandOptionChoice": {"Name": 100},
	}
	checked := 0
	for _, l := range msg.Languages {
		pseudo := Pseudo(l)
		check := func(at token.Position, shown ast.Expr, most int) {
			call, ok := shown.(*ast.CallExpr)
			if !ok || calledName(call.Fun) != "Plain" || len(call.Args) == 0 || named[keyName(call.Args[0])] == "" {
				return
			}
			checked++
			key := named[keyName(call.Args[0])]
			for _, variant := range pseudo.Messages[key].Variants() {
				if text := place.ReplaceAllString(variant, "four"); discord.Size(text) > most {
					t.Errorf("%s, a third longer: %s in %s has %d characters, Discord takes %d: %s", l.Name, key, at, discord.Size(text), most, text)
				}
			}
		}
		for _, dir := range ownDirs(t) {
			eachNode(t, dir, func(at token.Position, n ast.Node) {
				switch n := n.(type) {
				case *ast.CallExpr:
					if arg, ok := arguments[calledName(n.Fun)]; ok && len(n.Args) > arg.at {
						check(at, n.Args[arg.at], arg.most)
					}
				case *ast.CompositeLit:
					limits, parts := fields[calledName(n.Type)], n.Elts
					if list, ok := n.Type.(*ast.ArrayType); ok { // whose elements have no name of a type
						limits, parts = fields[calledName(list.Elt)], nil
						for _, element := range n.Elts {
							if one, ok := element.(*ast.CompositeLit); ok && one.Type == nil {
								parts = append(parts, one.Elts...)
							}
						}
					}
					for _, part := range parts {
						if pair, ok := part.(*ast.KeyValueExpr); ok && limits[calledName(pair.Key)] > 0 {
							check(at, pair.Value, limits[calledName(pair.Key)])
						}
					}
				}
			})
		}
	}
	if checked < 400 {
		t.Errorf("found %d labels: are they made in another way?", checked)
	}
}
