package bot

import (
	"errors"
	"fmt"
	"regexp"
	"strings"
	"time"

	"tradepost/core"
)

// msg names a sentence of the catalogue. Its texts stand in messages_en.go and its companions, one file a language. A text
// may hold the verbs of package fmt, and two forms parted by "¦": the first for one, the second for any other number,
// by the first whole number among the arguments.
type msg int

// language is a catalogue.
type language struct {
	locales  []string // Discord's names for it; a reader's locale is also matched by its first part
	texts    [msgCount]string
	commands map[string]named  // commands and options, by path; none in the first language, which stands in the tree
	choices  map[string]string // values of choices that have another name; none in the first language
	// categories are the professions that have another name, of whichever game: only those that are played are shown.
	categories map[core.Category]string
	refusals   map[string]string // sentences of the core; none in the first language
	patterns   []pattern         // sentences of the core that hold numbers
	thousand   string            // stands between groups of three digits
}

// pattern is a sentence of the core that holds numbers, and how another language says it.
type pattern struct {
	english *regexp.Regexp
	own     string
}

// languages lists the catalogues. The first is what readers of all others get.
var languages = []*language{&english, &german}

// tongue is the reader's language.
type tongue struct{ *language }

// tongueFor picks the catalogue for a Discord locale.
func tongueFor(locale string) tongue {
	first, _, _ := strings.Cut(locale, "-")
	for _, l := range languages {
		for _, own := range l.locales {
			if ownFirst, _, _ := strings.Cut(own, "-"); own == locale || ownFirst == first {
				return tongue{l}
			}
		}
	}
	return tongue{languages[0]}
}

// text is a sentence with its arguments as markdown: strings are escaped, safe text stands as it is.
func (t tongue) text(m msg, args ...any) safe {
	return safe(t.fill(m, args, func(s string) string { return string(escape(s)) }))
}

// plain is a sentence for places without markdown: labels, titles of forms, completions.
func (t tongue) plain(m msg, args ...any) string {
	return t.fill(m, args, func(s string) string { return s })
}

func (t tongue) fill(m msg, args []any, escape func(string) string) string {
	text := t.texts[m]
	if one, many, ok := strings.Cut(text, "¦"); ok {
		text = many
		if isOne(args) {
			text = one
		}
	}
	if len(args) == 0 {
		return text
	}
	said := make([]any, len(args))
	for i, a := range args {
		switch a := a.(type) {
		case string:
			said[i] = escape(a)
		case int:
			said[i] = t.number(a)
		case core.Copper:
			said[i] = a.String()
		default:
			said[i] = a
		}
	}
	return fmt.Sprintf(text, said...)
}

func isOne(args []any) bool {
	for _, a := range args {
		if n, ok := a.(int); ok {
			return n == 1
		}
	}
	return false
}

// number writes a whole number with its thousands apart.
func (t tongue) number(n int) string {
	digits := fmt.Sprint(n)
	sign := ""
	if n < 0 {
		sign, digits = "-", digits[1:]
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + t.thousand + digits[i:]
	}
	return sign + digits
}

// stamp shows a moment in the reader's own zone and words, "in 3 days".
func stamp(at time.Time) safe { return safe(fmt.Sprintf("<t:%d:R>", at.Unix())) }

// refusal says why not, and what to do next.
func (t tongue) refusal(err error) Reply {
	var refused *core.Error
	if !errors.As(err, &refused) {
		return private(t.text(msgOurFault))
	}
	var lines []string
	if len(refused.Fields) > 1 {
		for _, f := range refused.Fields {
			lines = append(lines, "- "+string(escape(t.sentence(f.Message))))
		}
	} else {
		lines = append(lines, string(escape(t.sentence(refused.Message))))
	}
	if hint := t.hint(refused); hint != "" {
		lines = append(lines, string(hint))
	}
	return private(safe(strings.Join(lines, "\n")))
}

// hint is what to do after a refusal. One that ends in a full stop says so itself.
func (t tongue) hint(refused *core.Error) safe {
	if strings.HasSuffix(refused.Message, ".") {
		return ""
	}
	switch refused.Kind {
	case core.Invalid:
		return t.text(msgHintInvalid)
	case core.NotFound:
		return t.text(msgHintGone)
	case core.Conflict:
		return t.text(msgHintConflict)
	case core.Forbidden:
		return t.text(msgHintForbidden)
	case core.TooMany, core.Unavailable:
		if refused.RetryAfter > 0 {
			return t.text(msgHintLaterAt, safe(refused.RetryAfter.Round(time.Second).String()))
		}
		return t.text(msgHintLater)
	}
	return ""
}

// sentence puts a sentence of the core into the reader's language. One that the catalogue does not know stays as it is.
func (t tongue) sentence(english string) string {
	if own, ok := t.refusals[english]; ok {
		return own
	}
	for _, p := range t.patterns {
		if found := p.english.FindStringSubmatch(english); found != nil {
			args := make([]any, len(found)-1)
			for i, f := range found[1:] {
				args[i] = f
			}
			return fmt.Sprintf(p.own, args...)
		}
	}
	return english
}
