package core

import (
	"errors"
	"time"
)

// Kind says what sort of refusal an Error is. A door turns it into a status or a phrase.
type Kind int

// The kinds of refusal. The zero Kind belongs to errors that are no refusals at all.
const (
	Invalid         Kind = iota + 1 // the input breaks a rule; Fields says where
	Unauthenticated                 // only a signed-in user may ask this
	Forbidden                       // this user may not
	NotFound                        // it is not there, or not for this reader
	Conflict                        // the market has moved on; Current shows where to
	TooMany                         // a limit on how often; RetryAfter says when again
	Unavailable                     // cannot be done now, though it was asked rightly
)

// String names the kind for logs.
func (k Kind) String() string {
	names := [...]string{"internal", "invalid", "unauthenticated", "forbidden", "not found", "conflict", "too many", "unavailable"}
	if k < 0 || int(k) >= len(names) {
		return "unknown"
	}
	return names[k]
}

// Error is a refusal: something a person asked for and may not have. Its texts are safe to show.
type Error struct {
	Kind    Kind
	Message string // one sentence; for Invalid the first field's
	Fields  []FieldError
	// Current is the order as it stands now, where the refusal is about a state that has moved on.
	Current *Order
	// RetryAfter is how long to wait before asking again, with TooMany and Unavailable.
	RetryAfter time.Duration
}

// FieldError is one sentence about one field. Field carries the name used in JSON.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

func (e *Error) Error() string { return e.Message }

// KindOf returns the kind of the refusal in err's chain, and zero when there is none.
func KindOf(err error) Kind {
	var refusal *Error
	if errors.As(err, &refusal) {
		return refusal.Kind
	}
	return 0
}

// Checks gathers broken fields, so that a form is told everything at once. Its zero value is ready.
type Checks struct{ fields []FieldError }

// That records message for field unless ok. A field keeps its first message.
func (c *Checks) That(ok bool, field, message string) {
	if ok {
		return
	}
	for _, f := range c.fields {
		if f.Field == field {
			return
		}
	}
	c.fields = append(c.fields, FieldError{Field: field, Message: message})
}

// Add records the fields of err when it is an Invalid refusal.
func (c *Checks) Add(err error) {
	var refusal *Error
	if errors.As(err, &refusal) {
		for _, f := range refusal.Fields {
			c.That(false, f.Field, f.Message)
		}
	}
}

// Err returns nil, or an Invalid refusal that names every broken field.
func (c *Checks) Err() error {
	if len(c.fields) == 0 {
		return nil
	}
	return &Error{Kind: Invalid, Message: c.fields[0].Message, Fields: c.fields}
}

func invalid(field, message string) *Error {
	return &Error{Kind: Invalid, Message: message, Fields: []FieldError{{Field: field, Message: message}}}
}

func conflict(message string, current Order) *Error {
	return &Error{Kind: Conflict, Message: message, Current: &current}
}

// showing adds the present order to a refusal.
func showing(err error, current Order) error {
	var refusal *Error
	if !errors.As(err, &refusal) {
		return err
	}
	shown := *refusal
	shown.Current = &current
	return &shown
}
