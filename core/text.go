package core

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// FoldItem returns the form in which names of items are compared: without case, width, diacritics and
// spaces. The function item_key of the database does the same.
func (f TextForms) FoldItem(name string) string {
	return strings.ReplaceAll(f.FoldWords(name), " ", "")
}

// FoldWords is FoldItem with the spaces between words.
func (f TextForms) FoldWords(name string) string {
	if !isASCII(name) && f.NFKD != nil {
		name = f.NFKD(name)
		name = strings.Map(func(r rune) rune {
			// Combining diacritical marks. Readers of other scripts see their marks as letters.
			if 0x300 <= r && r <= 0x36f {
				return -1
			}
			return r
		}, name)
	}
	return strings.ToLower(name)
}

func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= 0x80 {
			return false
		}
	}
	return true
}

// ShortestTypo is how many letters a word has in which a typo is forgiven.
const ShortestTypo = 3

// IsBetweenWords reports whether a character separates words: a space or a dash.
func IsBetweenWords(r rune) bool {
	return unicode.IsSpace(r) || unicode.Is(unicode.Pd, r) || r == '\u2212' // the minus sign
}

// maxMarks is how many combining marks a letter keeps. No living script stacks more.
const maxMarks = 4

// TextForms are the Unicode normal forms that cleaning and comparing need. They are passed in because the
// standard library has none; a nil form leaves text as it is.
type TextForms struct {
	NFC func(string) string // composed: one spelling for one text
	// width, ligature and style variants become plain letters, and marks become separate
	NFKD func(string) string

	// Skeleton maps characters to the ones that they look like (UTS 39); see Traders.
	Skeleton func(string) string

	// Suspicious are phrases that the operator does not want to see, besides the specification's.
	Suspicious []string
}

func (f TextForms) compose(s string) string {
	if f.NFC == nil {
		return s
	}
	return f.NFC(s)
}

// Line cleans single-line text. The rule for all user input:
//
//   - invalid UTF-8 is dropped, and so are control, invisible, direction and private-use characters;
//   - every kind of space becomes a plain one, runs of them become one, the ends are trimmed;
//   - text is composed (NFC), and a letter keeps at most four combining marks.
func (f TextForms) Line(s string) string {
	return strings.Join(strings.Fields(f.visible(s)), " ")
}

// Name cleans text that is shown next to a trust mark: a line, less everything that could pass for
// such a mark.
func (f TextForms) Name(s string) string {
	return f.Line(strings.Map(func(r rune) rune {
		if looksLikeTrustMark(r) {
			return -1
		}
		return r
	}, s))
}

// Prose cleans text of several lines: a line each, and no more than one empty line in a row.
func (f TextForms) Prose(s string) string {
	s = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\u0085", "\n", "\u2028", "\n", "\u2029",
		"\n\n").Replace(s)
	var lines []string
	empty := true // no empty lines at the start
	for part := range strings.SplitSeq(s, "\n") {
		part = f.Line(part)
		if part == "" && empty {
			continue
		}
		empty = part == ""
		lines = append(lines, part)
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func (f TextForms) visible(s string) string {
	s = strings.ToValidUTF8(s, "")
	var b strings.Builder
	b.Grow(len(s))
	marks := 0
	var last rune
	joined := false // a joiner is between last and the next character
	for _, r := range s {
		switch {
		case unicode.IsSpace(r), unicode.Is(unicode.Z, r):
			r, marks = ' ', 0
		case r == zeroWidthJoiner:
			joined = true
			continue
		case unsightly(r):
			continue
		case 0xfe00 <= r && r <= 0xfe0f && !unicode.In(last, unicode.S, unicode.P, unicode.Nd):
			continue // a variation selector with nothing to vary
		case unicode.Is(unicode.M, r):
			if marks++; marks > maxMarks || last == 0 || last == ' ' {
				continue // too many, or without a base character
			}
		default:
			marks = 0
		}
		if joined && emoji(last) && emoji(r) {
			b.WriteRune(zeroWidthJoiner)
		}
		joined = false
		b.WriteRune(r)
		last = r
	}
	// Composed last: a removed character may have kept a letter and its mark apart.
	return f.compose(b.String())
}

// zeroWidthJoiner makes one emoji of several.
const zeroWidthJoiner = '\u200d'

func emoji(r rune) bool {
	return unicode.In(r, unicode.So, unicode.Sk) || 0xfe00 <= r && r <= 0xfe0f
}

// unsightly reports whether a character is invisible or changes how its neighbors are read.
func unsightly(r rune) bool {
	switch r {
	case utf8.RuneError, '\u115f', '\u1160', '\u3164', '\uffa0', '\u2800', '\u034f', '\u17b4', '\u17b5',
		'\ufffc':
		return true // the replacement character, fillers and blanks that are letters or symbols by name only
	}
	return unicode.In(r, unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs, unicode.Noncharacter_Code_Point) ||
		0xe0100 <= r && r <= 0xe01ef // variation selectors of ideographs
}

func looksLikeTrustMark(r rune) bool {
	switch r {
	case '✓', '✔', '✅', '☑', '🗸', '🗹', '🮱', '𐄂', '√', '⍻', '🛡', '⛨', '🔰', '🔒', '🔐', '🏅', '🎖', '®', '℠',
		'™', '©':
		return true
	}
	return false
}

// Within reports whether a text has at most limit characters.
func Within(s string, limit int) bool { return utf8.RuneCountInString(s) <= limit }
