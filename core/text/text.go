// Package text has every text for users: a file of data for each language (en.json, de.json), and a Printer
// that fills them in.
//
// A message has a key, the same in every language, and places with names. docs/translating.md describes the
// files for translators.
package text

import (
	"cmp"
	"embed"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
)

//go:generate go run ./keygen

// Key names a message. The constants in keys.go are made from en.json.
type Key string

//go:embed *.json
var files embed.FS

// Languages lists the languages that have a file, English first.
var Languages = Offered(readAll())

// Language is the content of a file.
type Language struct {
	Name       string             `json:"-"`       // such as de
	Locales    []string           `json:"locales"` // Discord's names for it; its own when the file has none
	Draft      bool               `json:"draft"`   // texts that it lacks are in English
	Messages   Texts[Key]         `json:"messages"`
	Page       Texts[string]      `json:"page"`
	Errors     Texts[string]      `json:"errors"` // by the code of package core
	Commands   map[string]Command `json:"commands"`
	Choices    map[string]string  `json:"choices"`    // fixed values of options
	Categories map[string]string  `json:"categories"` // professions with another name, for any game
	Coins      map[string]string  `json:"coins"`      // coins with another name; the same

	tag     language.Tag
	numbers *message.Printer
}

// Command has the translated name and description of a command or option. English has the names in the code.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Texts is a section of messages by their keys.
type Texts[K ~string] map[K]Message

// UnmarshalJSON reads a section. Its errors name the key.
func (t *Texts[K]) UnmarshalJSON(data []byte) error {
	var sources map[K]string
	if err := json.Unmarshal(data, &sources); err != nil {
		return err
	}
	*t = make(Texts[K], len(sources))
	for key, source := range sources {
		m, err := Parse(source)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		(*t)[key] = m
	}
	return nil
}

// lean takes what a language lacks from another.
func (l *Language) lean(on *Language) {
	l.Messages.lean(on.Messages)
	l.Page.lean(on.Page)
	l.Errors.lean(on.Errors)
	l.Commands, l.Choices = maps.Clone(l.Commands), maps.Clone(l.Choices)
	if l.Commands == nil {
		l.Commands = map[string]Command{}
	}
	for path, c := range on.Commands {
		own := l.Commands[path]
		own.Description = cmp.Or(own.Description, c.Description)
		l.Commands[path] = own
	}
	if l.Choices == nil {
		l.Choices = map[string]string{}
	}
	for value, name := range on.Choices {
		l.Choices[value] = cmp.Or(l.Choices[value], name)
	}
}

func (t *Texts[K]) lean(on Texts[K]) {
	if *t == nil {
		*t = Texts[K]{}
	}
	for key, m := range on {
		if _, ok := (*t)[key]; !ok {
			(*t)[key] = m
		}
	}
}

// readAll reads the files. They are part of the program, so an error is a mistake in one of them.
func readAll() (all []*Language) {
	entries, err := files.ReadDir(".")
	if err != nil {
		panic(err)
	}
	for _, entry := range entries {
		data, err := files.ReadFile(entry.Name())
		if err != nil {
			panic(err)
		}
		l, err := Read(strings.TrimSuffix(entry.Name(), ".json"), data)
		if err != nil {
			panic(err)
		}
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b *Language) int { return cmp.Compare(a.rank(), b.rank()) })
	for _, l := range all[1:] {
		if l.Draft {
			l.lean(all[0])
		}
	}
	return all
}

func (l *Language) rank() int {
	if l.Name == "en" {
		return 0
	}
	return 1
}

// Read reads the file of a language.
func Read(name string, data []byte) (*Language, error) {
	tag, err := language.Parse(name)
	if err != nil {
		return nil, fmt.Errorf("%s.json: %w", name, err)
	}
	l := &Language{Name: name, Locales: []string{name}, tag: tag, numbers: message.NewPrinter(tag)}
	if err := json.Unmarshal(data, l); err != nil {
		return nil, fmt.Errorf("%s.json: %w", name, err)
	}
	return l, nil
}

// Names returns the names of the languages, such as de, English first.
func Names() []string {
	names := make([]string, len(Languages))
	for i, l := range Languages {
		names[i] = l.Name
	}
	return names
}

// Printer writes messages in one language. Its zero value is not usable.
type Printer struct{ *Language }

// For returns the printer for one of Discord's locales, in any language that has a file.
func For(locale string) Printer { return Languages.For(locale) }

// Offered are the languages that a market speaks. The first is for users of all others.
type Offered []*Language

// NewOffered returns the languages of these names: English first if it is one of them. Without names it
// returns all that are not drafts.
func NewOffered(names []string) (offered Offered) {
	for _, l := range Languages {
		if l.Name == "en" && slices.Contains(names, "en") || len(names) == 0 && !l.Draft {
			offered = append(offered, l)
		}
	}
	for _, name := range names {
		at := slices.IndexFunc(Languages, func(l *Language) bool { return l.Name == name })
		if at >= 0 && !slices.Contains(offered, Languages[at]) {
			offered = append(offered, Languages[at])
		}
	}
	return offered
}

// For returns the printer for one of Discord's locales: of the first language when none has it.
func (o Offered) For(locale string) Printer {
	if at := o.index(locale); at >= 0 {
		return Printer{o[at]}
	}
	if len(o) == 0 {
		return Printer{Languages[0]}
	}
	return Printer{o[0]}
}

// Has reports whether a language has one of Discord's locales.
func (o Offered) Has(locale string) bool { return o.index(locale) >= 0 }

// index returns where the language of a locale is, or -1.
func (o Offered) index(locale string) int {
	first, _, _ := strings.Cut(locale, "-")
	return slices.IndexFunc(o, func(l *Language) bool {
		return slices.ContainsFunc(l.Locales, func(own string) bool {
			ownFirst, _, _ := strings.Cut(own, "-")
			return own == locale || ownFirst == first
		})
	})
}

// Sprint returns a message with its places filled in: pairs are their names and values. In tests it panics
// unless they are the message's places.
func (p Printer) Sprint(key Key, pairs ...any) string {
	return p.filled(string(key), p.Messages[key], pairs)
}

// Page is Sprint for a message of the page. Of a tag it returns the text inside.
func (p Printer) Page(key string, pairs ...any) string {
	return p.filled(key, p.Language.Page[key], pairs)
}

func (p Printer) filled(key string, m Message, pairs []any) string {
	if testing.Testing() {
		if err := m.Mismatch(pairs); err != nil {
			panic(fmt.Errorf("%s in %s: %w", key, p.Name, err))
		}
	}
	if len(m.parts) == 1 && m.parts[0].kind == letters {
		return m.parts[0].letters
	}
	w := writer{in: p.Language, pairs: pairs}
	w.write(m.parts, 0)
	return w.String()
}

// Error is Sprint for an error, by its code. A code that a later release of the program has stored is a
// general error in this one.
func (p Printer) Error(code string, pairs ...any) string {
	m, ok := p.Errors[code]
	if !ok {
		if testing.Testing() {
			panic(fmt.Errorf("no error has the code %q", code))
		}
		return p.unknownError()
	}
	return p.filled(code, m, pairs)
}

// Category returns the name of a profession in this language, or the game's own name.
func (p Printer) Category(name string) string { return cmp.Or(p.Categories[name], name) }

// Coin returns the name of a coin in this language, or the game's own name.
func (p Printer) Coin(name string) string { return cmp.Or(p.Coins[name], name) }

func (p Printer) unknownError() string { return p.Page("problem_our_fault") }

// Number returns a whole number as the language writes it.
func (p Printer) Number(n int) string { return p.number(n) }

func (l *Language) number(n int) string { return l.numbers.Sprint(n) }

// Count is Number for what has no sign.
func (p Printer) Count(n uint64) string { return p.numbers.Sprint(n) }

var pluralForms = []string{"zero", "one", "two", "few", "many", "other"}

var formNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	plural.Other: "other",
}

// pluralForm returns the name of the form that counts n things.
func (l *Language) pluralForm(n int) string {
	return formNames[plural.Cardinal.MatchPlural(l.tag, max(n, -n), 0, 0, 0, 0)]
}
