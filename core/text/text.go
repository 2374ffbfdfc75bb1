// Package text has the texts of the bot: a file of data for each language (en.json, de.json), and a Printer
// that fills them in.
//
// A message has a key, the same in every language, and forms by CLDR plural rules where it counts
// something. {0}, {1} and so on are its arguments. Errors are messages of package core, by their
// code; English has none, because core says them in English. Commands are named by their path.
package text

import (
	"embed"
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strconv"
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

// Languages lists the bot's languages, English first: users of all others get it.
var Languages = []*Language{read("en", "en-US", "en-GB"), read("de", "de")}

// Language is the content of a file.
type Language struct {
	Locales    []string           `json:"-"` // Discord's names for it
	Messages   map[Key]Forms      `json:"messages"`
	Errors     map[string]string  `json:"errors"` // by the code of package core
	Commands   map[string]Command `json:"commands"`
	Choices    map[string]string  `json:"choices"`    // fixed values of options
	Categories map[string]string  `json:"categories"` // professions with another name, for any game

	tag     language.Tag
	numbers *message.Printer
}

// Command has the translated name and description of a command or option. English has the names in the code.
type Command struct {
	Name        string `json:"name"`
	Description string `json:"description"`
}

// Forms is a message by plural form; a message without a count has only the form "other".
type Forms map[string]string

// UnmarshalJSON reads a string or an object.
func (f *Forms) UnmarshalJSON(data []byte) error {
	var other string
	if json.Unmarshal(data, &other) == nil {
		*f = Forms{"other": other}
		return nil
	}
	return json.Unmarshal(data, (*map[string]string)(f))
}

// read returns a language. The files are part of the program, so an error is a mistake in one of them.
func read(name string, locales ...string) *Language {
	data, err := files.ReadFile(name + ".json")
	if err != nil {
		panic(err)
	}
	tag := language.MustParse(name)
	l := &Language{Locales: locales, tag: tag, numbers: message.NewPrinter(tag)}
	if err := json.Unmarshal(data, l); err != nil {
		panic(fmt.Errorf("%s.json: %w", name, err))
	}
	return l
}

// Printer writes messages in one language. Its zero value is not usable.
type Printer struct{ *Language }

// For returns the printer for one of Discord's locales.
func For(locale string) Printer {
	first, _, _ := strings.Cut(locale, "-")
	for _, l := range Languages {
		for _, own := range l.Locales {
			if ownFirst, _, _ := strings.Cut(own, "-"); own == locale || ownFirst == first {
				return Printer{l}
			}
		}
	}
	return Printer{Languages[0]}
}

// Sprint returns a message with its arguments. The first whole number decides its plural form. In tests it
// panics when a place has no argument, or an argument no place.
func (p Printer) Sprint(key Key, args ...any) string {
	forms := p.Messages[key]
	text := forms[p.form(forms, args)]
	if testing.Testing() {
		if err := Mismatch(text, len(args)); err != nil {
			panic(fmt.Errorf("%s in %s: %w", key, p.tag, err))
		}
	}
	return p.fill(text, args)
}

// Error returns the message with a code; false when the language has none. It need not name every argument,
// but in tests it panics when a place has none.
func (p Printer) Error(code string, args ...any) (string, bool) {
	sentence, ok := p.Errors[code]
	if testing.Testing() {
		if places := places(sentence); len(places) > 0 && places[len(places)-1] >= len(args) {
			panic(fmt.Errorf("error %s in %s: %q has %d arguments", code, p.tag, sentence, len(args)))
		}
	}
	return p.fill(sentence, args), ok
}

// Mismatch returns an error unless the places of a text are {0}, {1} and so on, one for each of its
// arguments.
func Mismatch(text string, args int) error {
	places := places(text)
	for n := range max(args, len(places)) {
		switch {
		case n >= len(places) || places[n] > n:
			return fmt.Errorf("%q has no place for argument {%d} of %d", text, n, args)
		case places[n] >= args:
			return fmt.Errorf("%q has the place {%d}, but %d arguments", text, places[n], args)
		}
	}
	return nil
}

// places returns the numbers of a text's places in order, each once.
func places(text string) []int {
	var numbers []int
	for _, found := range placeholder.FindAllString(text, -1) {
		if n, err := strconv.Atoi(found[1 : len(found)-1]); err == nil {
			numbers = append(numbers, n)
		}
	}
	slices.Sort(numbers)
	return slices.Compact(numbers)
}

// Number returns a whole number as the language writes it.
func (p Printer) Number(n int) string { return p.numbers.Sprint(n) }

// Count is Number for what has no sign.
func (p Printer) Count(n uint64) string { return p.numbers.Sprint(n) }

var formNames = map[plural.Form]string{
	plural.Zero: "zero", plural.One: "one", plural.Two: "two", plural.Few: "few", plural.Many: "many",
	plural.Other: "other",
}

func (p Printer) form(forms Forms, args []any) string {
	if len(forms) > 1 {
		for _, a := range args {
			if n, ok := a.(int); ok {
				if name := formNames[plural.Cardinal.MatchPlural(p.tag, max(n, -n), 0, 0, 0,
					0)]; forms[name] != "" {
					return name
				}
				break
			}
		}
	}
	return "other"
}

var placeholder = regexp.MustCompile(`\{\d+\}`)

func (p Printer) fill(text string, args []any) string {
	if len(args) == 0 {
		return text
	}
	return placeholder.ReplaceAllStringFunc(text, func(found string) string {
		n, err := strconv.Atoi(found[1 : len(found)-1])
		if err != nil || n >= len(args) {
			return found
		}
		if count, ok := args[n].(int); ok {
			return p.Number(count)
		}
		return fmt.Sprint(args[n])
	})
}
