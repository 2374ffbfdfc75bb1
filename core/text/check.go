package text

import (
	"fmt"
	"maps"
	"slices"
)

// Problems lists the mistakes in a language's file that its reader accepts: what differs from English.
func Problems(english, l *Language) (all []string) {
	all = append(all, compare(l, "messages", english.Messages, l.Messages, false)...)
	all = append(all, compare(l, "page", english.Page, l.Page, true)...)
	all = append(all, compare(l, "errors", english.Errors, l.Errors, false)...)
	return all
}

func compare[K ~string](l *Language, section string, english, own Texts[K], tags bool) (all []string) {
	say := func(key K, format string, args ...any) {
		all = append(all, fmt.Sprintf("%s.json: %s: %s: ", l.Name, section, key)+fmt.Sprintf(format, args...))
	}
	for _, key := range slices.Sorted(maps.Keys(english)) {
		m, ok := own[key]
		if !ok {
			if !l.Draft {
				say(key, "is missing (%q)", english[key])
			}
			continue
		}
		if got, want := m.Places(), english[key].Places(); !maps.Equal(got, want) {
			say(key, "has the places %v, in English %v", got, want)
		}
	}
	for _, key := range slices.Sorted(maps.Keys(own)) {
		if _, ok := english[key]; !ok {
			say(key, "is no key of English")
		}
		for name, kind := range own[key].Places() {
			if kind == ATag && !tags {
				say(key, "has the tag <%s>, which only the page can have", name)
			}
		}
	}
	return all
}
