package core

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// minLookAlike is how many letters a name needs for others to look like it: too many people are called "Al".
const minLookAlike = 3

// LookAlike says which names look like those of an established trader and are used by another account, or by a visitor.
type LookAlike struct {
	Contact bool // the Discord username
	Name    bool // the in-game name of a buyer, the name of a seller
}

// Any reports whether a name does.
func (l LookAlike) Any() bool { return l.Contact || l.Name }

// NameSkeleton returns what names that look the same have in common: the skeleton of UTS 39, besides case, width, accents and an @ in
// front. It is empty for a name that is too short.
func (f TextForms) NameSkeleton(name string) string {
	name = strings.TrimPrefix(strings.TrimSpace(name), "@")
	if utf8.RuneCountInString(name) < minLookAlike {
		return ""
	}
	if f.NFKD != nil {
		name = f.NFKD(name)
	}
	// Before lower case and after it: a capital may look like a letter whose small form does not.
	name = withoutAccents(f.alike(strings.ToLower(f.alike(withoutAccents(name)))))
	// A capital I looks like a small L, and case is no difference.
	return strings.ReplaceAll(name, "i", "l")
}

func (f TextForms) alike(s string) string {
	if f.Skeleton == nil {
		return s
	}
	return f.Skeleton(s)
}

// withoutAccents leaves the marks out that belong to no script, as accents do. The vowels of Indian scripts stay.
func withoutAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r) {
			return -1
		}
		return r
	}, s)
}
