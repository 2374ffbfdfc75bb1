package text

import (
	"slices"
	"strings"
	"testing"
)

func TestEveryLanguageSaysEverything(t *testing.T) {
	t.Parallel()
	for _, l := range Languages {
		for _, problem := range Problems(Languages[0], l) {
			t.Error(problem)
		}
	}
}

func read(t *testing.T, name, data string) *Language {
	t.Helper()
	l, err := Read(name, []byte(data))
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestMessagesAreFilledInAsTheLanguageDoes(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		language, source string
		pairs            []any
		want             string
	}{
		{"en", "Nothing was posted.", nil, "Nothing was posted."},
		{"en", "It's {item}'s <3 #1 < 2, </b", []any{"item", "an <ore>"}, "It's an <ore>'s <3 #1 < 2, </b"},
		{"en", "{seller} and { seller }", []any{"seller", "Fern"}, "Fern and Fern"},
		{"en", "{count, number}", []any{"count", -12500}, "-12,500"},
		{"de", "{count, number}", []any{"count", 12500}, "12.500"},
		{"de", "{limit, number, ::group-off}", []any{"limit", 12500}, "12500"},
		{"de", "{count,plural,=0{nichts} one{# Gesuch von {item}} other{# Gesuche}}", []any{"count", 0, "item", "x"}, "nichts"},
		{"de", "{count, plural, =0 {nichts} one {# Gesuch von {item}} other {# Gesuche}}.", []any{"count", 1, "item", "x"}, "1 Gesuch von x."},
		{"de", "{count, plural, one {#} other {# Gesuche von {total, number}}}", []any{"count", 2000, "total", 3000}, "2.000 Gesuche von 3.000"},
		{"pl", "{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}", []any{"count", 3}, "3 pliki"},
		{"pl", "{count, plural, one {# plik} few {# pliki} many {# plików} other {# pliku}}", []any{"count", 5}, "5 plików"},
		{"pl", "{count, plural, one {# plik} other {# pliku}}", []any{"count", 5}, "5 pliku"},
		{"en", "{kind, select, request {a request} other {something}}", []any{"kind", "request"}, "a request"},
		{"en", "{kind, select, request {a request} other {something}}", []any{"kind", "trade"}, "something"},
		{"en", "{count, plural, other {{kind, select, a {# of a} other {#}}}} #", []any{"count", 7, "kind", "a"}, "7 of a #"},
		{"en", "See <link>your {count, number} offers</link>.", []any{"count", 3}, "See your 3 offers."},
	} {
		m, err := Parse(tt.source)
		if err != nil {
			t.Error(err)
			continue
		}
		p := Printer{read(t, tt.language, "{}")}
		p.Messages = Texts[Key]{"key": m}
		if got := p.Sprint("key", tt.pairs...); got != tt.want {
			t.Errorf("%s: %q becomes %q, want %q", tt.language, tt.source, got, tt.want)
		}
	}
}

func TestAMessageThatCannotBeReadIsAnError(t *testing.T) {
	t.Parallel()
	for source, want := range map[string]string{
		"{0}":                                    "needs a name",
		"{Item}":                                 "needs a name",
		"{item":                                  "no kind of place",
		"item}":                                  "closes nothing",
		"{n, date}":                              "no kind of place",
		"{n, number, percent}":                   "no kind of place",
		"{n, plural}":                            "no kind of place",
		"{n, plural, one {a}}":                   "no form other",
		"{n, plural, seven {a} other {b}}":       "no form seven",
		"{n, plural, one {a} one {b} other {c}}": "twice",
		"{n, plural, other {a}":                  "not closed",
		"{n, plural, other a}":                   "has no text",
		"{n, select, a {b}}":                     "no form other",
		"{n, select, =1 {b} other {c}}":          "no form =1",
		"{n, number} of {n}":                     "n is a number and a text",
		"<link>a":                                "not closed",
		"a</link>":                               "closes nothing",
		"<a><b>x</a></b>":                        "closes nothing",
		"{n, select, a {<b>x} other {y}}":        "not closed",
	} {
		if _, err := Read("en", []byte(`{"messages": {"fine": "Fine", "my_key": "`+source+`"}}`)); err == nil ||
			!strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "en.json: my_key") {
			t.Errorf("%q: %v, want %q", source, err, want)
		}
	}
	if _, err := Read("nowhere-land", []byte(`{}`)); err == nil {
		t.Error("a file may be named by what is no language")
	}
}

func TestProblemsOfALanguageAreFound(t *testing.T) {
	t.Parallel()
	english := read(t, "en", `{
		"messages": {"a": "{count, number} of {item}", "b": "B", "tagged": "<b>x</b>"},
		"page": {"c": "<link>{n, plural, one {a} other {b}}</link>"}
	}`)
	for data, want := range map[string][]string{
		`{"messages": {"a": "{item}: {count, plural, other {#}}", "b": "B", "tagged": "<b>x</b>"}, "page": {"c": "{n, number} <link>x</link>"}}`: {"tag <b>"},
		`{"messages": {"a": "{item}", "tagged": "x", "d": "D"}}`:                                                                                 {"a: has the places", "b: is missing", "tagged: has the places", "d: is no key", "c: is missing"},
		`{"draft": true, "messages": {"a": "{count} of {item}"}}`:                                                                                {"a: has the places"},
	} {
		got := Problems(english, read(t, "de", data))
		found := len(got) == len(want)
		for _, w := range want {
			found = found && slices.ContainsFunc(got, func(s string) bool { return strings.Contains(s, w) })
		}
		if !found {
			t.Errorf("%s has the problems\n%s\nwant %q", data, strings.Join(got, "\n"), want)
		}
	}
}

func TestADraftFallsBackToEnglish(t *testing.T) {
	t.Parallel()
	english := read(t, "en", `{"messages": {"a": "A", "b": "B"}, "page": {"c": "C"},
		"commands": {"request": {"description": "Requests"}}, "choices": {"low": "Low"}}`)
	draft := read(t, "fr", `{"draft": true, "messages": {"a": "Ah"}, "commands": {"request": {"name": "demande"}}}`)
	draft.lean(english)
	p := Printer{draft}
	if got := p.Sprint("a") + p.Sprint("b") + p.Page("c"); got != "AhBC" {
		t.Errorf("the draft says %q", got)
	}
	if got := draft.Commands["request"]; got != (Command{"demande", "Requests"}) || draft.Choices["low"] != "Low" {
		t.Errorf("the draft has the command %q, and the choice %q", got, draft.Choices["low"])
	}
}

func TestOfferedLanguages(t *testing.T) {
	t.Parallel()
	for names, want := range map[string]string{"": "en de", "en": "en", "de": "de", "de,en": "en de", "de,de,xx": "de"} {
		var offered Offered
		if names == "" {
			offered = NewOffered(nil)
		} else {
			offered = NewOffered(strings.Split(names, ","))
		}
		var got []string
		for _, l := range offered {
			got = append(got, l.Name)
		}
		if strings.Join(got, " ") != want {
			t.Errorf("%q offers %q, want %q", names, got, want)
		}
		german := strings.Contains(want, "de")
		if offered.Has("de") != german || (offered.For("de-AT").Name == "de") != german || offered.For("fr").Name != want[:2] {
			t.Errorf("%q: German is %q, French is %q", names, offered.For("de-AT").Name, offered.For("fr").Name)
		}
	}
}

func TestAWrongArgumentIsFoundInTests(t *testing.T) {
	t.Parallel()
	p := Printer{read(t, "en", `{"messages": {"a": "{count, number} of {item}"}}`)}
	for _, pairs := range [][]any{
		nil, {"count", 1}, {"count", "1", "item", "x"}, {"count", 1, "item", 2}, {"count", 1, "item", "x", "more", 1}, {"count", 1, "item"},
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v may fill in %q", pairs, p.Messages["a"])
				}
			}()
			_ = p.Sprint("a", pairs...)
		}()
	}
}

func TestAnUnknownErrorIsAGeneralOne(t *testing.T) {
	t.Parallel()
	for locale, want := range map[string]string{"en": "Something went wrong on our side. Please try again.", "de": "Bei uns ist etwas schiefgegangen."} {
		if got := For(locale).unknownError(); !strings.HasPrefix(got, want) {
			t.Errorf("in %s: %q", locale, got)
		}
	}
}
