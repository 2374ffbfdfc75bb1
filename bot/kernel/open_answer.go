package kernel

import (
	"context"
	"sync"
	"time"
)

// openAnswer tracks the work behind an answer: the handler, for handlerTime, and the write that the handler
// makes, for as long as that takes.
type openAnswer struct {
	until   time.Time     // when Discord stops taking edits
	unknown chan struct{} // closed when the outcome of the write is not known
	once    sync.Once

	mu    sync.Mutex
	timer *time.Timer // ends the handler; nil before it begins
}

func newOpenAnswer(until time.Time) *openAnswer {
	return &openAnswer{until: until, unknown: make(chan struct{})}
}

type openAnswerKey struct{}

// openOf returns the answer that the caller works on; an empty one outside of an interaction.
func openOf(ctx context.Context) *openAnswer {
	if o, ok := ctx.Value(openAnswerKey{}).(*openAnswer); ok {
		return o
	}
	return newOpenAnswer(time.Time{})
}

// begin returns the context of the handler. Its cause is context.DeadlineExceeded once the handler has
// taken too long.
func (o *openAnswer) begin(ctx context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancelCause(context.WithValue(ctx, openAnswerKey{}, o))
	o.mu.Lock()
	defer o.mu.Unlock()
	o.timer = time.AfterFunc(handlerTime, func() { cancel(context.DeadlineExceeded) })
	return ctx, func() {
		o.pause()
		cancel(nil)
	}
}

func (o *openAnswer) pause() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.timer != nil {
		o.timer.Stop()
	}
}

func (o *openAnswer) resume() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.timer != nil {
		o.timer.Reset(handlerTime)
	}
}

func (o *openAnswer) signalUnknown() { o.once.Do(func() { close(o.unknown) }) }

// How soon an interaction is answered.
const (
	AnswerWithin = 2800 * time.Millisecond // Discord forgets an interaction after 3 s
	deferAfter   = 1500 * time.Millisecond
	sendTime     = AnswerWithin / 4 // of it, for sending what cannot be deferred: suggestions and forms
	handlerTime  = 25 * time.Second // for reads; writes have their own limit
	AnswerTime   = 15 * time.Second // for the edit of a deferred answer
)
