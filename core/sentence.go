package core

import (
	"time"

	"tradepost/core/text"
)

// Text is a sentence for users, in each of their languages.
type Text struct {
	Code  string // names the sentence in core/text, such as "item_name_required"; it never changes
	Args  []any  // names and values of its places: numbers, texts, and values with the method In
	Plain string // a sentence without a code, in English: one that was stored
}

// NewText returns a sentence with the names and values of its places.
func NewText(code string, args ...any) Text { return Text{Code: code, Args: args} }

// IsZero reports whether there is no sentence.
func (t Text) IsZero() bool { return t.Code == "" && t.Plain == "" }

// String is the sentence in English.
func (t Text) String() string { return t.In(text.For("en")) }

// In returns the sentence in a language.
func (t Text) In(p text.Printer) string {
	if t.Code == "" {
		return t.Plain
	}
	args := make([]any, len(t.Args))
	for i, arg := range t.Args {
		if said, ok := arg.(interface{ In(p text.Printer) string }); ok {
			arg = said.In(p)
		}
		args[i] = arg
	}
	return p.Error(t.Code, args...)
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

// In returns the wait in a language, such as "2 hours".
func (w WaitTime) In(p text.Printer) string {
	switch w.Unit {
	case "minute":
		return p.Sprint(text.WaitMinute, "count", w.Count)
	case "hour":
		return p.Sprint(text.WaitHour, "count", w.Count)
	default:
		return p.Sprint(text.WaitDay, "count", w.Count)
	}
}
