package kernel

import (
	"strconv"
	"strings"

	"tradepost/bot/discord"
	"tradepost/core"
)

// Input is a user's request to a handler.
type Input struct {
	Actor core.Actor // with the interaction's id as its key, so that one delivered twice has one effect

	Tr          Translator // the reader's language
	Locale      string     // that the reader has chosen, or else that Discord says
	Interaction *discord.Interaction
	Options     map[string]string // of a command
	ID          discord.CustomID  // of a button, select or form
	Fields      map[string]string // of a form
	Values      []string          // of a select
	Focused     string            // the option being typed
}

// Text is an option of the command, or a field of the form, without space around it; empty when left out.
func (in Input) Text(name string) string {
	if v, ok := in.Fields[name]; ok {
		return strings.TrimSpace(v)
	}
	return strings.TrimSpace(in.Options[name])
}

// Has reports whether an option was given, or a field was in the form.
func (in Input) Has(name string) bool {
	if _, ok := in.Fields[name]; ok {
		return true
	}
	_, ok := in.Options[name]
	return ok
}

// Yes is an option that is switched on.
func (in Input) Yes(name string) bool { return in.Options[name] == "true" }

// Quantity reads a number of items as users write it, such as "1,000". It returns 0 or less when
// the text is not a number, which the core rejects.
func (in Input) Quantity() int {
	n, ok := ParseQuantity(in.Text("quantity"))
	if !ok {
		return -1
	}
	return n
}

// Level reads an optional level: nil when left out.
func (in Input) Level(name string) *int {
	text := in.Text(name)
	if text == "" {
		return nil
	}
	n, ok := ParseQuantity(text)
	if !ok {
		n = -1
	}
	return &n
}

// ParseQuantity reads a whole number that may be grouped by thousands.
func ParseQuantity(text string) (int, bool) {
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

// Word returns the value chosen in a select, or empty.
func (in Input) Word() string {
	if len(in.Values) != 1 {
		return ""
	}
	return in.Values[0]
}

// Picked is the id chosen in a select, or 0.
func (in Input) Picked() int64 {
	id, _ := Reference(in.Word())
	return id
}

// Reference parses an ID from a completion's value or as users write it, "#12".
func Reference(text string) (int64, bool) {
	id, err := strconv.ParseInt(strings.TrimPrefix(strings.TrimSpace(text), "#"), 10, 64)
	return id, err == nil && id > 0
}
