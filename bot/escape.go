package bot

import (
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"
)

// safe is text that is markdown already: ours, or escaped. Everything else that goes into a sentence is escaped.
type safe string

// escape makes text appear in a message as it was typed. Discord takes a backslash before any ASCII punctuation for that
// character itself, so mentions, links, times, emoji, lists, headings and code all lose their meaning. What can have none
// where it stands is left alone: notifications show a message with its backslashes.
func escape(text string) safe {
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
	return safe(b.String())
}

// special tells what can mean something anywhere. A slash is among them for addresses, which become links by themselves.
func special(r rune) bool { return strings.ContainsRune("\\`*_~|<[]@/", r) }

// opensLine tells what means something at the start of a line: a quotation, a heading, small print, a list.
func opensLine(r rune) bool { return strings.ContainsRune(">#-+", r) }

// size is how long Discord finds text. It counts code points in some places and UTF-16 units in others; these are never
// fewer.
func size(text string) int {
	n := 0
	for _, r := range text {
		n += max(1, utf16.RuneLen(r))
	}
	return n
}

const ellipsis = "…"

// clip shortens plain text to the limit, ending it in an ellipsis when something was lost.
func clip(text string, limit int) string {
	if size(text) <= limit {
		return text
	}
	return strings.TrimRight(text[:prefix(text, limit-1)], " \n") + ellipsis
}

// clipSafe shortens markdown to the limit. It never ends between a backslash and what that stands before.
func clipSafe(text safe, limit int) safe {
	if size(string(text)) <= limit {
		return text
	}
	cut := string(text[:prefix(string(text), limit-1)])
	slashes := len(cut) - len(strings.TrimRight(cut, `\`))
	if slashes%2 == 1 {
		cut = cut[:len(cut)-1]
	}
	return safe(strings.TrimRight(cut, " \n") + ellipsis)
}

// prefix is how many bytes of text fit into limit units.
func prefix(text string, limit int) int {
	used := 0
	for i, r := range text {
		if used += max(1, utf16.RuneLen(r)); used > limit {
			return i
		}
	}
	return len(text)
}

// quoted sets several lines of text apart, each behind a bar.
func quoted(text string) safe {
	lines := strings.Split(string(escape(text)), "\n")
	return safe("> " + strings.Join(lines, "\n> "))
}

// visible is text without what shows nothing or changes how its neighbours are read, for what is said back as it was typed
// and was not cleaned by the core.
func visible(text string) string {
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

// firstLine is the first line of text, for places that have no room for more.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}
