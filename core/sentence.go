package core

import (
	"fmt"
	"io"
	"strconv"
	"time"
)

// Text is a sentence for users. An adapter translates it by its code; English is the fallback.
type Text struct {
	Code    string // such as "item_name_required"; it never changes, nor does the meaning of the arguments
	Args    []any  // the arguments of the sentence, in order: numbers, names, Copper and WaitTime
	English string // with the verbs of package fmt; %d has separators of thousands, %v has none
}

// NewText returns a sentence with its arguments.
func NewText(code, english string, args ...any) Text {
	return Text{Code: code, English: english, Args: args}
}

// String is the sentence in English.
func (t Text) String() string {
	if len(t.Args) == 0 {
		return t.English
	}
	args := make([]any, len(t.Args))
	for i, arg := range t.Args {
		if n, ok := arg.(int); ok {
			arg = grouped(n)
		}
		args[i] = arg
	}
	return fmt.Sprintf(t.English, args...)
}

// grouped is a number that %d prints with separators of thousands: 12,500.
type grouped int

// Format prints the number: for fmt.
func (g grouped) Format(f fmt.State, verb rune) {
	digits := strconv.Itoa(int(g))
	if verb == 'd' {
		for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
			digits = digits[:i] + "," + digits[i:]
		}
	}
	_, _ = io.WriteString(f, digits) // fmt writes to memory
}

// WaitTime is a time to wait, in whole minutes, hours or days.
type WaitTime struct {
	Count int
	Unit  string // minute, hour or day
}

// RoundUp returns a length of time in whole minutes, hours or days.
func RoundUp(wait time.Duration) WaitTime {
	unit, name := time.Minute, "minute"
	switch {
	case wait > 2*Day:
		unit, name = Day, "day"
	case wait > 90*time.Minute:
		unit, name = time.Hour, "hour"
	}
	return WaitTime{Count: int((wait + unit - 1) / unit), Unit: name}
}

// String is the wait in English, such as "2 hours".
func (w WaitTime) String() string {
	if w.Count == 1 {
		return "1 " + w.Unit
	}
	return fmt.Sprintf("%d %ss", w.Count, w.Unit)
}
