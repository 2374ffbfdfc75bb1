package bot

import (
	"strconv"
	"strings"

	"tradepost/bot/discord"
	"tradepost/core"
)

// Input is what a person asks of a handler.
type Input struct {
	Actor core.Actor // with the interaction's id as its key, so that one delivered twice has one effect

	tr      translator // the reader's language
	i       *discord.Interaction
	options map[string]string // of a command
	id      discord.CustomID  // of a button, select or form
	fields  map[string]string // of a form
	values  []string          // of a select
	focused string            // the option being typed
}

// text is an option of the command, or a field of the form, without space around it; empty when left out.
func (in Input) text(name string) string {
	if v, ok := in.fields[name]; ok {
		return strings.TrimSpace(v)
	}
	return strings.TrimSpace(in.options[name])
}

// has reports whether an option was given, or a field was in the form.
func (in Input) has(name string) bool {
	if _, ok := in.fields[name]; ok {
		return true
	}
	_, ok := in.options[name]
	return ok
}

// yes is an option that is switched on.
func (in Input) yes(name string) bool { return in.options[name] == "true" }

// quantity reads a number of items as users write it, such as "1,000". It returns 0 or less when
// the text is not a number, which the core rejects.
func (in Input) quantity() int {
	n, ok := parseQuantity(in.text("quantity"))
	if !ok {
		return -1
	}
	return n
}

// level reads an optional level: nil when left out.
func (in Input) level(name string) *int {
	text := in.text(name)
	if text == "" {
		return nil
	}
	n, ok := parseQuantity(text)
	if !ok {
		n = -1
	}
	return &n
}

// parseQuantity reads a whole number that may be grouped by thousands.
func parseQuantity(text string) (int, bool) {
	text = strings.TrimSpace(text)
	for _, separator := range []string{",", ".", " ", "\u00a0", "\u202f", "'", "’", "_"} {
		groups := strings.Split(text, separator)
		if len(groups) == 1 {
			continue
		}
		if len(groups[0]) < 1 || len(groups[0]) > 3 {
			return 0, false
		}
		for _, g := range groups[1:] {
			if len(g) != 3 {
				return 0, false
			}
		}
		text = strings.Join(groups, "")
		break
	}
	if text == "" || strings.Trim(text, "0123456789") != "" || len(text) > 12 {
		return 0, false
	}
	n, err := strconv.Atoi(text)
	return n, err == nil
}

// word returns the value chosen in a select, or empty.
func (in Input) word() string {
	if len(in.values) != 1 {
		return ""
	}
	return in.values[0]
}

// picked is the id chosen in a select, or 0.
func (in Input) picked() int64 {
	id, _ := reference(in.word())
	return id
}
