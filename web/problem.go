package web

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"tradepost/core"
)

// statusClientGone is what is logged when nobody waits for the answer any more.
const statusClientGone = 499

const (
	msgOurFault    = "Something went wrong on our side. Please try again."
	msgTooSlow     = "That took too long. Please try again."
	msgNotFound    = "There is nothing here"
	msgWrongMethod = "That cannot be done here"
)

// Problem is the body of every refusal and failure (RFC 9457).
type Problem struct {
	Type    string            `json:"type" doc:"Always about:blank: the status says what kind of problem it is" example:"about:blank"`
	Title   string            `json:"title" doc:"The status in words" example:"Unprocessable Entity"`
	Status  int               `json:"status" doc:"The HTTP status" example:"422"`
	Detail  string            `json:"detail" doc:"One sentence that can be shown to a person" example:"Item name is required"`
	Errors  map[string]string `json:"errors,omitempty" doc:"A sentence for each field that was refused, under the field's name"`
	Current *orderView        `json:"current,omitempty" doc:"The request as it stands now, where the refusal is about a state that has moved on"`

	retryAfter time.Duration
	cause      error // what happened, for the log; nil for plain refusals
}

func newProblem(status int, detail string) *Problem {
	return &Problem{Type: "about:blank", Title: http.StatusText(status), Status: status, Detail: detail}
}

// Error returns the sentence for people.
func (p *Problem) Error() string { return p.Detail }

// GetStatus returns the HTTP status.
func (p *Problem) GetStatus() int { return p.Status }

// ContentType returns the media type of problems.
func (p *Problem) ContentType(string) string { return "application/problem+json" }

// GetHeaders returns the headers that go with the problem.
func (p *Problem) GetHeaders() http.Header {
	h := http.Header{}
	if p.retryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.retryAfter.Seconds()))))
	}
	return h
}

func (p *Problem) write(w http.ResponseWriter, r *http.Request) {
	noteFailure(r.Context(), p.cause)
	for name, values := range p.GetHeaders() {
		w.Header()[name] = values
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", p.ContentType(""))
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_ = json.NewEncoder(w).Encode(p) // the status is out; a reader who has left needs no more
	}
}

// statuses gives each kind of refusal its HTTP status.
var statuses = map[core.Kind]int{
	core.Invalid:         http.StatusUnprocessableEntity,
	core.Unauthenticated: http.StatusUnauthorized,
	core.Forbidden:       http.StatusForbidden,
	core.NotFound:        http.StatusNotFound,
	core.Conflict:        http.StatusConflict,
	core.TooMany:         http.StatusTooManyRequests,
	core.Unavailable:     http.StatusServiceUnavailable,
}

// problemOf turns any error into the problem that is answered.
func problemOf(err error, now time.Time) *Problem {
	var ready *Problem
	if errors.As(err, &ready) {
		return ready
	}
	var refusal *core.Error
	if errors.As(err, &refusal) && statuses[refusal.Kind] != 0 {
		p := newProblem(statuses[refusal.Kind], refusal.Message)
		for _, f := range refusal.Fields {
			p.blame(f.Field, f.Message)
		}
		if refusal.Current != nil {
			current := viewOrder(*refusal.Current, now)
			p.Current = &current
		}
		p.retryAfter = refusal.RetryAfter
		if refusal.Kind == core.Unavailable {
			p.retryAfter = max(p.retryAfter, time.Second)
			p.cause = err
		}
		return p
	}
	p := newProblem(http.StatusInternalServerError, msgOurFault)
	var failure *core.Failure
	switch {
	case errors.Is(err, context.Canceled):
		p.Status = statusClientGone
	case errors.Is(err, context.DeadlineExceeded):
		p = newProblem(http.StatusServiceUnavailable, msgTooSlow)
		p.retryAfter = time.Second
	case errors.As(err, &failure):
		p.Detail = failure.Message
	}
	p.cause = err
	return p
}

func (p *Problem) blame(field, sentence string) {
	if p.Errors == nil {
		p.Errors = map[string]string{}
	}
	if p.Errors[field] == "" {
		p.Errors[field] = sentence
	}
}

// Huma makes its own problems for what it finds wrong with a request. These hooks are global to the library, so they are set
// once, when the program starts.
func init() {
	huma.DefaultArrayNullable = false
	huma.NewError = func(status int, message string, errs ...error) huma.StatusError {
		return problemOfRequest(status, message, errs)
	}
	huma.NewErrorWithContext = func(ctx huma.Context, status int, message string, errs ...error) huma.StatusError {
		p := problemOfRequest(status, message, errs)
		if ctx != nil {
			noteFailure(ctx.Context(), p.cause)
		}
		return p
	}
}

// problemOfRequest puts into our words what was found wrong with the parameters and the body of a request.
func problemOfRequest(status int, message string, errs []error) *Problem {
	p := newProblem(status, message)
	if status == http.StatusBadRequest {
		p.Detail = msgNoBody
	}
	if status >= http.StatusInternalServerError {
		p.Detail, p.cause = msgOurFault, errors.Join(errs...)
	}
	for _, err := range errs {
		var ready *Problem
		var refusal *core.Error
		var detail *huma.ErrorDetail
		switch {
		case errors.As(err, &ready):
			return ready
		case errors.As(err, &refusal):
			for _, f := range refusal.Fields {
				p.blame(f.Field, f.Message)
			}
			p.Detail = refusal.Message
		case errors.As(err, &detail):
			place, name, _ := strings.Cut(detail.Location, ".")
			if place == "path" {
				return newProblem(http.StatusNotFound, msgNotFound)
			}
			sentence := wholeNumber(labelOf(name))
			p.blame(name, sentence)
			p.Detail = sentence
		}
	}
	return p
}
