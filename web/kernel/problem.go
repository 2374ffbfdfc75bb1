package kernel

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"

	"tradepost/core"
	"tradepost/core/items"
	"tradepost/core/text"
	"tradepost/core/trade"
)

// StatusClientGone is logged when the client closed the connection before it had the answer.
const StatusClientGone = 499

// Messages of problems that concern no operation, in English.
var (
	MsgOurFault    = Message("problem_our_fault")
	msgTooSlow     = Message("problem_too_slow")
	MsgNotFound    = Message("problem_not_found")
	MsgWrongMethod = Message("problem_wrong_method")
)

// messages maps the adapter's own messages, in English, to their keys in core/text.
var messages = map[string]string{}

// Message returns a message of the page in English, for a problem. It is called when the program starts.
func Message(key string) string {
	english := text.For(English).Page(key)
	messages[english] = key
	return english
}

// Problem is the body of every error response (RFC 9457).
type Problem struct {
	Type    string             `json:"type" doc:"The address of a page about problems with this code" example:"/problems/quota"`
	Title   string             `json:"title" doc:"The status in words" example:"Unprocessable Entity"`
	Status  int                `json:"status" doc:"The HTTP status" example:"422"`
	Code    string             `json:"code,omitempty" doc:"The kind of error, finer than the status. It stays the same in every language and release. Programs may rely on: quota (a quota is used up), duplicate (an equal request is already open), sign-in (visitors may not do this now), offered (your open offer on the request is not the one to replace), leaving (you are leaving and can only cancel that), fresh_sign_in_needed (sign in once more, since you last did more than ten minutes ago), price_unusual (a price is far from what is known and confirmPrice takes it), read_everything (you have missed changes), commit_unknown (it is not known yet whether the write was saved: repeat it with the same Idempotency-Key). Other refusals have a code of their own each" example:"quota"`
	Detail  string             `json:"detail" doc:"A message that can be shown to the user" example:"Item name is required"`
	Errors  map[string]string  `json:"errors,omitempty" doc:"One message per invalid field, keyed by the field's name"`
	Codes   map[string]string  `json:"codes,omitempty" doc:"The code of each message in errors"`
	Prices  []unusualPriceView `json:"prices,omitempty" doc:"With the code price_unusual: the prices in question"`
	Order   core.OrderID       `json:"order,omitempty" doc:"With the code duplicate: the id of the equal request that is already open"`
	Current *OrderView         `json:"current,omitempty" doc:"The current request, when the error is about a state that has changed since"`

	said   core.Text            // the detail, for translation; without a code it is not translated
	fields map[string]core.Text // the same of Errors

	RetryAfter time.Duration `json:"-"`
	Cause      error         `json:"-"` // for the log; nil for client errors
	closes     bool          // ends the connection: its next requests would fail as well
}

// NewProblem returns a problem with a message for the user.
func NewProblem(status int, detail string) *Problem {
	p := &Problem{Title: http.StatusText(status), Status: status, Detail: detail}
	p.name(codeOf(status, detail))
	return p
}

// ProblemsPath begins the addresses of the pages about problems: the type of a problem is its page.
const ProblemsPath = "/problems/"

// PriceMethodPath is the address of the page that says how prices are computed.
const PriceMethodPath = "/prices/method"

// name gives a problem its code, and with it its type. A code stays the same in every language and release.
func (p *Problem) name(code string) {
	if code != "" {
		p.Code, p.Type = code, ProblemsPath+code
	}
}

// codeOf returns the code of a problem of this adapter: the key of its message, else the words of its status.
func codeOf(status int, detail string) string {
	if key := messages[detail]; key != "" {
		return strings.TrimPrefix(key, "problem_")
	}
	return strings.ReplaceAll(strings.ToLower(http.StatusText(status)), " ", "_")
}

// Error returns the message for the user.
func (p *Problem) Error() string { return p.Detail }

// Headers returns the headers that go with the problem.
func (p *Problem) Headers() http.Header {
	h := http.Header{}
	if p.RetryAfter > 0 {
		h.Set("Retry-After", strconv.Itoa(int(math.Ceil(p.RetryAfter.Seconds()))))
	}
	if p.closes {
		h.Set("Connection", "close")
	}
	return h
}

// In returns the problem with its messages in a language.
func (p *Problem) In(language string) *Problem {
	in := text.For(language)
	if in.Name == English {
		return p
	}
	translated := *p
	switch key := messages[p.Detail]; {
	case key != "":
		translated.Detail = in.Page(key)
	case p.Status >= http.StatusInternalServerError && p.said.Code == "": // which write or read failed
		translated.Detail = in.Page(messages[MsgOurFault])
	default:
		translated.Detail = sentence(in, p.said, p.Detail)
	}
	translated.Errors = maps.Clone(p.Errors)
	for field, message := range p.Errors {
		translated.Errors[field] = sentence(in, p.fields[field], message)
	}
	return &translated
}

// sentence returns a text of the core in a language, or its English where there is none.
func sentence(in text.Printer, said core.Text, english string) string {
	if said.Code == "" {
		return english
	}
	return said.In(in)
}

// Write answers a request with the problem, in the language of the page that asks.
func (p *Problem) Write(w http.ResponseWriter, r *http.Request) {
	language := pageLanguage(r.Context())
	p = p.In(language)
	NoteFailure(r.Context(), p.Cause)
	for name, values := range p.Headers() {
		w.Header()[name] = values
	}
	w.Header().Set("Cache-Control", "no-store")
	w.Header().Set("Content-Type", "application/problem+json")
	w.Header().Set("Content-Language", language)
	w.WriteHeader(p.Status)
	if r.Method != http.MethodHead {
		_ = json.NewEncoder(w).Encode(p) // the status is out; a reader who has left needs no more
	}
}

// statuses gives each kind of error its HTTP status.
//
//exhaustive:enforce
var statuses = map[core.ErrorKind]int{
	core.Invalid:         http.StatusUnprocessableEntity,
	core.Unauthenticated: http.StatusUnauthorized,
	core.Forbidden:       http.StatusForbidden,
	core.NotFound:        http.StatusNotFound,
	core.Conflict:        http.StatusConflict,
	core.TooMany:         http.StatusTooManyRequests,
	core.Unavailable:     http.StatusServiceUnavailable,
}

// ProblemOf returns the problem for any error, in the language of the page that asks. The context belongs to
// the request.
func ProblemOf(ctx context.Context, err error, now time.Time) *Problem {
	return problemOf(ctx, err, now).In(pageLanguage(ctx))
}

func problemOf(ctx context.Context, err error, now time.Time) *Problem {
	var ready *Problem
	if errors.As(err, &ready) {
		return ready
	}
	var coreErr *core.Error
	if errors.As(err, &coreErr) && statuses[coreErr.Kind] != 0 {
		p := NewProblem(statuses[coreErr.Kind], coreErr.Message)
		if coreErr.Code == core.CodeReadEverything {
			p = NewProblem(http.StatusGone, coreErr.Message)
		}
		p.name(cmp.Or(coreErr.Code, coreErr.Text.Code))
		p.Order, p.said = coreErr.Order, coreErr.Text
		p.fields = make(map[string]core.Text, len(coreErr.Fields))
		p.Prices = viewUnusual(items.UnusualPricesOf(err))
		for _, f := range coreErr.Fields {
			p.blame(f.Field, f.Message)
			p.blameCode(f.Field, f.Text.Code)
			if _, known := p.fields[f.Field]; !known {
				p.fields[f.Field] = f.Text
			}
		}
		if order, shown := trade.CurrentOrder(err); shown {
			current := ViewOrder(order, now)
			p.Current = &current
		}
		p.RetryAfter = coreErr.RetryAfter
		if coreErr.Kind == core.Unavailable {
			p.RetryAfter = max(p.RetryAfter, time.Second)
			p.Cause = err
		}
		return p
	}
	p := NewProblem(http.StatusInternalServerError, MsgOurFault)
	var failure *core.Failure
	switch {
	case errors.Is(err, context.Canceled) && ClientLeft(ctx):
		p.Status = StatusClientGone
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		// The client is still connected, so the server ended the work.
		p = NewProblem(http.StatusServiceUnavailable, msgTooSlow)
		p.RetryAfter, p.closes = time.Second, connectionSpoiled(ctx)
	case errors.As(err, &failure):
		p.Detail = failure.Message
	}
	p.Cause = err
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

func (p *Problem) blameCode(field, code string) {
	if code == "" {
		return
	}
	if p.Codes == nil {
		p.Codes = map[string]string{}
	}
	if p.Codes[field] == "" {
		p.Codes[field] = code
	}
}

// unusualPriceView is the JSON shape of a price that is far from known prices.
type unusualPriceView struct {
	Field     string            `json:"field" doc:"The field that it was sent in; of a list, its line" example:"maxPricePerUnit"`
	ItemName  string            `json:"itemName" example:"Iron Ore"`
	Typed     core.Copper       `json:"typed" doc:"As it was sent, in copper" example:"4000000"`
	Suggested core.Copper       `json:"suggested" doc:"As it was probably meant, in copper" example:"4000"`
	Known     core.Copper       `json:"known" doc:"The price that it is compared with, in copper" example:"3900"`
	From      items.PriceSource `json:"from" enum:"traded,asked,similar" doc:"Where that comes from: trades of the item, requests of other buyers, or similar items"`
}

func viewUnusual(prices []items.UnusualPrice) []unusualPriceView {
	var views []unusualPriceView
	for _, p := range prices {
		views = append(views, unusualPriceView{
			Field: p.Field, ItemName: p.ItemName, Typed: p.Typed, Suggested: p.Meant, Known: p.Known.Price,
			From: p.Known.From,
		})
	}
	return views
}
