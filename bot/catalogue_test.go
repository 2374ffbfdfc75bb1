package bot

import (
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"tradepost/core"
)

var update = flag.Bool("update", false, "write the golden files anew")

// golden compares with a file under testdata.
func golden(t *testing.T, name, got string) {
	t.Helper()
	file := filepath.Join("testdata", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (go test ./bot -update writes it)", err)
	}
	if got != string(want) {
		t.Errorf("%s has changed; when that is right, go test ./bot -update\ngot:\n%s", file, got)
	}
}

var verb = regexp.MustCompile(`%(\[\d+\])?[a-z%]`)

func TestEveryLanguageSaysEverything(t *testing.T) {
	for _, l := range languages {
		for m, text := range l.texts {
			first := english.texts[m]
			if text == "" {
				t.Errorf("%s: message %d (%q) is missing", l.locales[0], m, first)
			}
			for i, form := range strings.Split(text, "¦") {
				if got, want := len(verb.FindAllString(form, -1)), len(verb.FindAllString(strings.Split(first, "¦")[0], -1)); got != want {
					t.Errorf("%s: form %d of %q has %d verbs, want %d", l.locales[0], i, text, got, want)
				}
			}
			for _, v := range verb.FindAllString(text, -1) {
				if !strings.HasSuffix(v, "s") {
					t.Errorf("%s: %q uses %s; everything is written as text", l.locales[0], text, v)
				}
			}
		}
	}
}

func TestSentencesNameCommandsThatExist(t *testing.T) {
	mention := regexp.MustCompile(`/([a-zäöü]+)(?: ([a-zäöü]+))?`)
	for i, l := range languages {
		known := map[string]bool{}
		for _, c := range commandTree() {
			name := func(path, own string) string {
				if i > 0 {
					return l.commands[path].name
				}
				return own
			}
			group := name(c.Name, c.Name)
			known[group] = true
			for _, s := range c.Options {
				known[group+" "+name(c.Name+" "+s.Name, s.Name)] = true
			}
		}
		texts := append([]string{}, l.texts[:]...)
		for _, text := range l.refusals {
			texts = append(texts, text)
		}
		for _, text := range texts {
			for _, m := range mention.FindAllStringSubmatch(strings.ReplaceAll(text, "Europe/", ""), -1) {
				if !known[m[1]] && !known[m[1]+" "+m[2]] || m[2] != "" && strings.Contains(text, "`/"+m[1]) && !known[m[1]+" "+m[2]] {
					t.Errorf("%s: %q names %q, which is no command", l.locales[0], text, m[0])
				}
			}
		}
	}
}

func TestEveryCommandHasItsNameInEveryLanguage(t *testing.T) {
	paths := map[string]bool{}
	var walk func(path string, options []commandOption)
	walk = func(path string, options []commandOption) {
		for _, o := range options {
			paths[path+" "+o.Name] = true
			walk(path+" "+o.Name, o.Options)
			for _, c := range o.Choices {
				for _, l := range languages[1:] {
					if c.NameIn[l.locales[0]] == "" {
						t.Errorf("%s: the choice %q has no name", l.locales[0], c.Value)
					}
				}
			}
		}
	}
	for _, c := range commandTree() {
		paths[c.Name] = true
		walk(c.Name, c.Options)
	}
	for _, l := range languages[1:] {
		for path := range paths {
			if n := l.commands[path]; n.name == "" || n.description == "" {
				t.Errorf("%s: %q has no name or description", l.locales[0], path)
			}
		}
		for path := range l.commands {
			if !paths[path] {
				t.Errorf("%s: %q is no command", l.locales[0], path)
			}
		}
	}
}

func TestTheCommandTree(t *testing.T) {
	tree := commandTree()
	data, err := json.MarshalIndent(tree, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	golden(t, "commands.json", string(data)+"\n")
	for _, c := range tree {
		if n := commandSize(c.Name, c.Description, c.NameIn, c.DescriptionIn, c.Options); n > 8000 {
			t.Errorf("/%s has %d characters", c.Name, n)
		}
	}
	b := New(nil, Options{})
	for _, c := range tree {
		subcommands := c.Options
		if len(subcommands) > 0 && subcommands[0].Kind != subcommand { // it stands alone
			subcommands = []commandOption{{Options: c.Options}}
		}
		for _, s := range subcommands {
			path := strings.TrimSpace(c.Name + " " + s.Name)
			if b.routes.commands[path].do == nil {
				t.Errorf("nobody answers /%s", path)
			}
			for _, o := range s.Options {
				if suggests := b.routes.suggestions[path+" "+o.Name] != nil; suggests != o.Autocomplete {
					t.Errorf("/%s %s: completes %v, somebody answers %v", path, o.Name, o.Autocomplete, suggests)
				}
			}
		}
	}
}

// commandSize counts as Discord does: of translations the longest.
func commandSize(name, description string, names, descriptions map[string]string, options []commandOption) int {
	longest := func(text string, in map[string]string) int {
		n := utf8.RuneCountInString(text)
		for _, other := range in {
			n = max(n, utf8.RuneCountInString(other))
		}
		return n
	}
	n := longest(name, names) + longest(description, descriptions)
	for _, o := range options {
		n += commandSize(o.Name, o.Description, o.NameIn, o.DescriptionIn, o.Options)
		for _, c := range o.Choices {
			n += longest(c.Name, c.NameIn) + utf8.RuneCountInString(c.Value)
		}
	}
	return n
}

// The sentences that the core refuses with, taken from its source, so that a new one is not forgotten.
func TestEveryRefusalOfTheCoreIsTranslated(t *testing.T) {
	sentence := regexp.MustCompile(`"([A-Z][^"\n]*?[a-z][^"\n]*)"`)
	said := regexp.MustCompile(`Message:|notFound\(|invalid\(|conflict\(|\.That\(|Sprintf\(|const .*Message|Message +=|why :?=|"The request`)
	label := regexp.MustCompile(`tooLong\("[^"]*"`) // a part of a sentence
	files, err := filepath.Glob("../core/*.go")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	kept, err := filepath.Glob("../sql/postgres/*.go")
	if err != nil || len(kept) == 0 {
		t.Fatal(kept, err)
	}
	files = append(files, kept...)
	var missing []string
	seen := 0
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		source, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.SplitSeq(string(source), "\n") {
			if !said.MatchString(line) || strings.Contains(line, "Idempotency-Key") || strings.Contains(line, "errors.New") {
				continue
			}
			line = label.ReplaceAllString(line, "")
			for _, found := range sentence.FindAllStringSubmatch(line, -1) {
				text := strings.NewReplacer("%d", "7", "%s", "Message").Replace(found[1])
				if !strings.Contains(text, " ") || webOnly[found[1]] || strings.HasPrefix(text, "Message must be") && text != "Message must be 7 characters or fewer" {
					continue
				}
				seen++
				if (tongue{&german}).sentence(text) == text {
					missing = append(missing, fmt.Sprintf("%s: %q", file, text))
				}
			}
		}
	}
	if seen < 30 {
		t.Errorf("only %d sentences were found in the core", seen)
	}
	if len(missing) > 0 {
		t.Errorf("not translated:\n%s", strings.Join(missing, "\n"))
	}
}

// webOnly are sentences that nobody reads in Discord.
var webOnly = map[string]bool{
	"This place in the list is not known. Start again from the top.": true, // cursors stay inside the bot
	"Limit must be between 1 and %d":                                 true, // and limits
	"There is no notice %q to turn off":                              true, // and kinds
	"Use up to %d visible ASCII characters":                          true, // keys too
	"Status must be active or fulfilled":                             true, // what only a broken program could meet
	"An order is closed because it is filled, or early":              true,
	"A request ends after it was posted":                             true,
	"There is no such notice":                                        true,
	"Accepted offer from %s (%s)":                                    true, // a note that is kept as it is
}

func TestRefusalsAreSpokenInTheReadersLanguage(t *testing.T) {
	err := &core.Error{Kind: core.Invalid, Message: "Choose a quantity from 1 to 20"}
	if got := tongueFor("de").refusal(err).text; !strings.HasPrefix(string(got), "Wähl eine Menge von 1 bis 20\n") {
		t.Errorf("German: %q", got)
	}
	if got := tongueFor("fr").refusal(err).text; !strings.HasPrefix(string(got), "Choose a quantity from 1 to 20\n") {
		t.Errorf("a language that we do not speak: %q", got)
	}
}
