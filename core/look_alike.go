package core

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// minLookAlike is how many letters a name needs for others to look like it: too many people are called "Al".
const minLookAlike = 3

// LookAlike marks the names that look like an established trader's and are used by another account, or by a
// visitor.
type LookAlike struct {
	Contact bool // the Discord username
	Name    bool // the in-game name of a buyer, the name of a seller
}

// Any reports whether a name does.
func (l LookAlike) Any() bool { return l.Contact || l.Name }

// NameSkeleton returns the common key of names that look the same: the skeleton of UTS 39, without case,
// width, accents and a leading @. It is empty for a name that is too short.
func (f TextForms) NameSkeleton(name string) string {
	name = strings.TrimPrefix(strings.TrimSpace(name), "@")
	if utf8.RuneCountInString(name) < minLookAlike {
		return ""
	}
	if f.NFKD != nil {
		name = f.NFKD(name)
	}
	// Before lower case and after it: a capital may look like a letter that its small form does not
	// resemble.
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

// withoutAccents leaves the marks out that belong to no script, as accents do. The vowels of Indian scripts
// stay.
func withoutAccents(s string) string {
	return strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Mn, r) && unicode.Is(unicode.Inherited, r) {
			return -1
		}
		return r
	}, s)
}
