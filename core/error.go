package core

import (
	"errors"
	"time"
)

// ErrorKind classifies an Error. An adapter translates it into a status code or a message.
type ErrorKind int

// The kinds of Error. The zero kind belongs to all other errors.
const (
	Invalid         ErrorKind = iota + 1 // the input breaks a rule; Fields says where
	Unauthenticated                      // only a signed-in user may ask this
	Forbidden                            // this user may not
	NotFound                             // it is not there, or not for this reader
	Conflict                             // the market has moved on; Current shows where to
	TooMany                              // a limit on how often; RetryAfter says when again
	Unavailable                          // cannot be done now, though it was asked rightly
)

// String names the kind for logs.
func (k ErrorKind) String() string {
	switch k {
	case 0:
		return "internal"
	case Invalid:
		return "invalid"
	case Unauthenticated:
		return "unauthenticated"
	case Forbidden:
		return "forbidden"
	case NotFound:
		return "not found"
	case Conflict:
		return "conflict"
	case TooMany:
		return "too many"
	case Unavailable:
		return "unavailable"
	}
	return "unknown"
}

// Error is the answer to a request that the rules do not allow. Its texts are safe to show.
type Error struct {
	Kind    ErrorKind
	Code    string // for programs, finer than Kind, such as CodeQuota; empty for most
	Message string // one sentence in English; for Invalid the first field's
	Text    Text   // the same, for translation; without a code it is not translated
	Fields  []FieldError
	// Detail is more about the error, as a value of the package that returned it: errors.As finds it. Nil for
	// none.
	Detail error
	// Order is another order that the error is about; zero for none.
	Order OrderID
	// RetryAfter is how long to wait before asking again, with TooMany and Unavailable.
	RetryAfter time.Duration
}

// FieldError is a message about one field. Field is its name in JSON.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
	Text    Text   `json:"-"` // the same, for translation
}

// NewError returns an error with a sentence.
func NewError(kind ErrorKind, text Text) *Error {
	return &Error{Kind: kind, Message: text.String(), Text: text}
}

func (e *Error) Error() string { return e.Message }

// Unwrap returns the detail.
func (e *Error) Unwrap() error { return e.Detail }

// readersDetail is a detail that not every reader may see all of.
type readersDetail interface {
	// ForReader returns the part of the detail that the actor may see; nil for nothing.
	ForReader(by Actor, now time.Time) error
}

// forReader hides the parts of an error that the actor may not see.
func forReader(err error, actor Actor, now time.Time) error {
	var coreErr *Error
	if !errors.As(err, &coreErr) {
		return err
	}
	detail, ok := coreErr.Detail.(readersDetail)
	if !ok {
		return err
	}
	shown := *coreErr
	shown.Detail = detail.ForReader(actor, now)
	return &shown
}

// KindOf returns the kind of the first Error in err's chain, and zero without one.
func KindOf(err error) ErrorKind {
	var coreErr *Error
	if errors.As(err, &coreErr) {
		return coreErr.Kind
	}
	return 0
}

// Checks collects invalid fields, so that a form shows all of them at once. Its zero value is
// ready.
type Checks struct {
	Fields []FieldError `json:"-"`
}

// That records message for field unless ok. A field keeps its first message.
func (c *Checks) That(ok bool, field string, text Text) {
	if !ok {
		c.AddField(FieldError{Field: field, Message: text.String(), Text: text})
	}
}

// AddField records a broken field. A field keeps its first message.
func (c *Checks) AddField(broken FieldError) {
	for _, f := range c.Fields {
		if f.Field == broken.Field {
			return
		}
	}
	c.Fields = append(c.Fields, broken)
}

// Add records the fields of err when it is an Invalid error.
func (c *Checks) Add(err error) {
	var coreErr *Error
	if errors.As(err, &coreErr) {
		for _, f := range coreErr.Fields {
			c.AddField(f)
		}
	}
}

// Err returns nil, or an Invalid error that names every invalid field.
func (c *Checks) Err() error {
	if len(c.Fields) == 0 {
		return nil
	}
	return &Error{Kind: Invalid, Message: c.Fields[0].Message, Text: c.Fields[0].Text, Fields: c.Fields}
}

// NewUnavailable returns an Unavailable error: the same may work a second later.
func NewUnavailable(text Text) *Error {
	err := NewError(Unavailable, text)
	err.RetryAfter = time.Second
	return err
}

// CodeCommitUnknown is the code of an Unavailable Error of a write that may have happened: the answer to its
// commit was lost.
const CodeCommitUnknown = "commit_unknown"

// NewCommitUnknown returns the error of a write that may have happened.
func NewCommitUnknown() *Error {
	err := NewUnavailable(NewText(CodeCommitUnknown))
	err.Code = CodeCommitUnknown
	return err
}

// FieldOf returns an error as a FieldError of the named field.
func FieldOf(field string, err error) FieldError {
	var coreErr *Error
	if !errors.As(err, &coreErr) {
		return FieldError{Field: field, Message: err.Error()}
	}
	return FieldError{Field: field, Message: coreErr.Message, Text: coreErr.Text}
}

// NewFieldError returns an Invalid error about one field.
func NewFieldError(field string, text Text) *Error {
	var c Checks
	c.That(false, field, text)
	err := NewError(Invalid, text)
	err.Fields = c.Fields
	return err
}

// CodeLeaving is the code of the Error that a user gets who is leaving, whatever they do but cancel it.
const CodeLeaving = "leaving"

func leavingError() *Error {
	err := NewError(Forbidden, NewText("leaving"))
	err.Code = CodeLeaving
	return err
}

// FirstText is the sentence of an Error, of Invalid its first field's.
func FirstText(err error) Text {
	var e *Error
	if !errors.As(err, &e) {
		return NewText("not_understood")
	}
	if len(e.Fields) > 0 {
		return e.Fields[0].Text
	}
	return e.Text
}
