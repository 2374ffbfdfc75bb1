package discord

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

// CustomID is the content of the custom_id of a button, select or form: an action and its arguments. It
// outlives the process that made it, so its words and their order never change their meaning under one
// version.
type CustomID struct {
	Action string
	Args   []string
	// Shown names the state that the message showed when the component was drawn: pressing it again after
	// the message was redrawn with another state is another write. Empty where the arguments say it all,
	// and in old messages.
	Shown string
}

// The form of a custom ID.
const (
	customIDVersion   = "1"
	CustomIDSeparator = "|"
	MaxCustomID       = 100 // characters, by Discord's rule
	maxCustomIDParts  = 16
	shownMark         = "#" // begins the last part when that part is CustomID.Shown
)

// NewCustomID returns a custom ID. Arguments are words or whole numbers.
func NewCustomID(action string, args ...any) CustomID {
	p := CustomID{Action: action}
	for _, a := range args {
		p.Args = append(p.Args, strings.ReplaceAll(fmt.Sprint(a), CustomIDSeparator, " "))
	}
	return p
}

// At returns the custom ID of a component that shows an order in a version.
func (p CustomID) At(version int) CustomID {
	p.Shown = strconv.Itoa(version)
	return p
}

// AsShown returns the custom ID with what another component showed.
func (p CustomID) AsShown(by CustomID) CustomID {
	p.Shown = by.Shown
	return p
}

// OpenedBy returns the custom ID of a modal: all submissions of one opening are one write.
func (p CustomID) OpenedBy(i *Interaction) CustomID {
	p.Shown = "i" + i.ID
	return p
}

// String is the custom_id.
func (p CustomID) String() string {
	parts := append([]string{customIDVersion, p.Action}, p.Args...)
	if p.Shown != "" {
		parts = append(parts, shownMark+p.Shown)
	}
	return strings.Join(parts, CustomIDSeparator)
}

// ParseCustomID reads a custom_id. It returns false if this version of the program never makes such a
// custom_id.
func ParseCustomID(customID string) (CustomID, bool) {
	if utf8.RuneCountInString(customID) > MaxCustomID || !utf8.ValidString(customID) {
		return CustomID{}, false
	}
	parts := strings.Split(customID, CustomIDSeparator)
	if len(parts) < 2 || len(parts) > maxCustomIDParts || parts[0] != customIDVersion || parts[1] == "" {
		return CustomID{}, false
	}
	p := CustomID{Action: parts[1], Args: parts[2:]}
	if last := len(p.Args) - 1; last >= 0 && len(p.Args[last]) > len(shownMark) {
		if shown, ok := strings.CutPrefix(p.Args[last], shownMark); ok {
			p.Args, p.Shown = p.Args[:last], shown
		}
	}
	return p, true
}

// Word is the n-th argument, empty when there is none.
func (p CustomID) Word(n int) string {
	if n >= len(p.Args) {
		return ""
	}
	return p.Args[n]
}

// Number is the n-th argument as a number that is not negative, 0 for anything else.
func (p CustomID) Number(n int) int64 {
	v, err := strconv.ParseInt(p.Word(n), 10, 64)
	if err != nil || v < 0 {
		return 0
	}
	return v
}
