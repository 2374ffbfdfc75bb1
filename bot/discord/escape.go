package discord

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// Markdown is text that is markdown already: ours, or escaped. Everything else that goes into a sentence is
// escaped.
type Markdown string

// Escape makes text appear in a message as it was typed. Discord takes a backslash before any ASCII
// punctuation for that character itself, so mentions, links, times, emoji, lists, headings and code all lose
// their meaning. Punctuation without a meaning at its position stays unescaped: notifications show a message
// with its backslashes.
func Escape(text string) Markdown {
	var b strings.Builder
	b.Grow(len(text) + len(text)/8)
	start, count := true, false // only spaces so far on this line; then only digits
	for _, r := range text {
		if special(r) || start && opensLine(r) || count && r == '.' {
			b.WriteByte('\\')
		}
		b.WriteRune(r)
		digit := '0' <= r && r <= '9'
		count = digit && (start || count)
		start = r == '\n' || start && r == ' '
	}
	return Markdown(b.String())
}

// special reports whether a character can be markup anywhere. A slash is among them for addresses, which
// become links by themselves.
func special(r rune) bool { return strings.ContainsRune("\\`*_~|<[]@/", r) }

// opensLine reports whether a character is markup at the start of a line: a quotation, a heading, small
// print, a list.
func opensLine(r rune) bool { return strings.ContainsRune(">#-+", r) }

// Size returns the length of text by Discord's count. Discord counts code points in some places and UTF-16
// units in others; Size counts UTF-16 units, which are never fewer.
func Size(text string) int {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

const ellipsis = "…"

// Clip shortens plain text to the limit, ending it in an ellipsis when something was lost.
func Clip(text string, limit int) string {
	if Size(text) <= limit {
		return text
	}
	return strings.TrimRight(text[:prefixLen(text, limit-1)], " \n") + ellipsis
}

// ClipMarkdown shortens markdown to the limit. It never cuts between a backslash and the character that it
// escapes.
func ClipMarkdown(text Markdown, limit int) Markdown {
	if Size(string(text)) <= limit {
		return text
	}
	cut := string(text[:prefixLen(string(text), limit-1)])
	slashes := len(cut) - len(strings.TrimRight(cut, `\`))
	if slashes%2 == 1 {
		cut = cut[:len(cut)-1]
	}
	return Markdown(strings.TrimRight(cut, " \n") + ellipsis)
}

// prefixLen returns the number of bytes of text that fit into limit units.
func prefixLen(text string, limit int) int {
	used := 0
	for i, r := range text {
		if used += max(1, utf16.RuneLen(r)); used > limit {
			return i
		}
	}
	return len(text)
}

// Quote sets several lines of text apart, each behind a bar.
func Quote(text string) Markdown {
	lines := strings.Split(string(Escape(text)), "\n")
	return Markdown("> " + strings.Join(lines, "\n> "))
}

// Visible is text without what shows nothing or changes how its neighbours are read, for what is said back
// as it was typed and was not cleaned by the core.
func Visible(text string) string {
	return strings.Join(strings.Fields(strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case unicode.In(r, unicode.C), r == utf8.RuneError:
			return -1
		}
		return r
	}, text)), " ")
}

// FirstLine is the first line of text, for places that have no room for more.
func FirstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
