package main

import "strings"

// spellings are the ways to write a phrase that the filter must see through, and some that it must not take
// for it.
var spellings = []func(phrase string) string{
	func(phrase string) string { return phrase },
	strings.ToUpper,
	title,
	func(phrase string) string { return "Look: " + phrase + " today" },
	func(phrase string) string { return phrase + "ish things" }, // a word that begins with it
	func(phrase string) string { return "in" + phrase },         // a word that only contains it
	func(phrase string) string { return without(phrase, " ") },  // "freemoney"
	func(phrase string) string { return without(phrase, " ") + "!!" },
	func(phrase string) string { return "in" + without(phrase, " ") },
	func(phrase string) string { return strings.ReplaceAll(phrase, " ", "-") },
	func(phrase string) string { return strings.ReplaceAll(phrase, " ", "\n") },
	func(phrase string) string { return strings.ReplaceAll(phrase, " ", " and ") },
	func(phrase string) string { return strings.Join(strings.Split(phrase, ""), ".") },
	func(phrase string) string { return strings.Join(strings.Split(phrase, ""), "\u200b") },
	func(phrase string) string { return strings.Join(strings.Split(phrase, ""), " ") },
	func(phrase string) string { return "a " + strings.Join(strings.Split(phrase, ""), " ") + " b" },
	func(phrase string) string { return strings.Map(fullWidth, phrase) },
	func(phrase string) string { return cyrillic.Replace(phrase) },
	func(phrase string) string { return digits.Replace(phrase) },
	func(phrase string) string { return smallCapitals.Replace(phrase) },
	func(phrase string) string { return strings.Map(from('\u24d0'), phrase) },     // in circles
	func(phrase string) string { return strings.Map(from('\U0001f150'), phrase) }, // in filled circles
	func(phrase string) string { return strings.Map(from('\U0001f170'), phrase) }, // in filled squares
	func(phrase string) string { return strings.ReplaceAll(phrase, "m", "rn") },
	func(phrase string) string { return strings.ReplaceAll(phrase, "e", "e\u0301") }, // an accent
	func(phrase string) string { return phrase[:len(phrase)-1] },
}

var (
	cyrillic = strings.NewReplacer("a", "\u0430", "c", "\u0441", "e", "\u0435", "o", "\u043e", "y", "\u0443")
	digits   = strings.NewReplacer("a", "4", "e", "3", "i", "1", "l", "1", "o", "0", "s", "5", "t", "7")

	smallCapitals = strings.NewReplacer("c", "\u1d04", "d", "\u1d05", "e", "\u1d07", "f", "\ua730",
		"g", "\u0262", "h", "\u029c", "i", "\u026a", "k", "\u1d0b", "l", "\u029f", "m", "\u1d0d",
		"n", "\u0274", "o", "\u1d0f", "r", "\u0280", "t", "\u1d1b", "u", "\u1d1c", "y", "\u028f")
)

// from returns the letters of a row of Unicode's that begins with a.
func from(a rune) func(rune) rune {
	return func(r rune) rune {
		if r < 'a' || r > 'z' {
			return r
		}
		return r - 'a' + a
	}
}

func title(phrase string) string { return strings.ToUpper(phrase[:1]) + phrase[1:] }

func without(phrase, part string) string { return strings.ReplaceAll(phrase, part, "") }

// fullWidth returns the wide form of a printable ASCII character.
func fullWidth(r rune) rune {
	if r <= ' ' || r > '~' {
		return r
	}
	return r - ' ' + '\uff00'
}
