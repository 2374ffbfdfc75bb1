package discord

import (
	"strings"
	"testing"
	"unicode/utf8"
)

var markup = []string{
	"plain words", "*bold* **bold** _it_ __u__ ~~s~~ ||spoiler||", "`code` ```\nfence\n```", "# heading\n## two\n-# small", "> quote\n>>> more",
	"- list\n+ list\n1. one\n 2. two", "[text](https://evil.example)", "<https://evil.example>", "https://discord.gg/abc discord.gg/abc",
	"@everyone @here <@1> <@!1> <@&1> <#1> </cmd:1> <id:home>", "<t:0:R> <:a:1> <a:b:1> :smile:", `\\ \* \\*`, "a\nb\n\n# c", "    # indented",
	"juniper_fox rowan.ashdown", "1p 500g - fine", "тест ✨ 🧑‍🌾", "\\", "1", "1.", strings.Repeat("*", 1000), "+1 -1 #1", "x > y",
}

// active returns the first place where escaped text would mean something to Discord, or "".
func active(text string) string {
	start, digits := true, false
	runes := []rune(text)
	for i := 0; i < len(runes); i++ {
		r := runes[i]
		if r == '\\' {
			if i+1 == len(runes) {
				return "a backslash at the end"
			}
			if next := runes[i+1]; next > '~' || next <= ' ' || strings.ContainsRune("0123456789", next) || 'A' <= next && next <= 'Z' || 'a' <= next && next <= 'z' {
				return "a backslash that shows, before " + string(next)
			}
			i++
			start, digits = false, false
			continue
		}
		switch {
		case strings.ContainsRune("`*_~|<[]@/", r):
			return string(r)
		case start && strings.ContainsRune("#>-+", r), digits && r == '.':
			return string(r) + " at the start of a line"
		}
		digits = '0' <= r && r <= '9' && (start || digits)
		start = r == '\n' || start && r == ' '
	}
	return ""
}

func unescape(text string) string {
	var b strings.Builder
	escaped := false
	for _, r := range text {
		if r == '\\' && !escaped {
			escaped = true
			continue
		}
		escaped = false
		b.WriteRune(r)
	}
	return b.String()
}

func TestUserTextShowsAsItWasTyped(t *testing.T) {
	for _, text := range markup {
		got := string(Escape(text))
		if place := active(got); place != "" {
			t.Errorf("escape(%q) = %q, where %s is active", text, got, place)
		}
		if unescape(got) != text {
			t.Errorf("escape(%q) = %q shows as %q", text, got, unescape(got))
		}
	}
	if got := Escape("rowan.ashdown (2 - 3)"); got != "rowan.ashdown (2 - 3)" {
		t.Errorf("harmless markup is escaped: %q", got)
	}
	if got := Quote("one\n# two"); got != "> one\n> \\# two" {
		t.Errorf("quoted = %q", got)
	}
}

func FuzzEscape(f *testing.F) {
	for _, text := range markup {
		f.Add(text, 20)
	}
	f.Fuzz(func(t *testing.T, text string, limit int) {
		text = strings.ToValidUTF8(text, "")
		limit = min(max(limit, 2), 5000)
		whole := Escape(text)
		if place := active(string(whole)); place != "" {
			t.Fatalf("escape(%q) = %q, where %s is active", text, whole, place)
		}
		if unescape(string(whole)) != text {
			t.Fatalf("escape(%q) = %q shows as %q", text, whole, unescape(string(whole)))
		}
		short := ClipMarkdown(whole, limit)
		if Size(string(short)) > limit || !utf8.ValidString(string(short)) {
			t.Fatalf("clipSafe(%q, %d) = %q of size %d", whole, limit, short, Size(string(short)))
		}
		if place := active(string(short)); place != "" {
			t.Fatalf("clipSafe(%q, %d) = %q, where %s is active", whole, limit, short, place)
		}
		if plain := Clip(text, limit); Size(plain) > limit {
			t.Fatalf("clip(%q, %d) = %q", text, limit, plain)
		}
	})
}
