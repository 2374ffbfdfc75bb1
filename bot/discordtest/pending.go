package discordtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Pending is something a person has done whose answer is not waited for yet.
type Pending struct {
	p *Player
	i *interaction
}

// ID is the interaction's snowflake.
func (w *Pending) ID() string { return w.i.id }

// DeliverAgain delivers the interaction once more, as a gateway does that resumes a session.
func (w *Pending) DeliverAgain() {
	d := w.p.d
	d.mu.Lock()
	defer d.mu.Unlock()
	d.gateway.dispatch("INTERACTION_CREATE", 0, d.payload(w.i))
	d.announce()
}

// Answer is the kind of the first answer (AnswerMessage and so on), 0 while there is none.
func (w *Pending) Answer() int {
	w.p.d.mu.Lock()
	defer w.p.d.mu.Unlock()
	return w.i.answer
}

// Refusals returns the errors of responses that Discord rejected, such as a second one (40060).
func (w *Pending) Refusals() []*Error {
	w.p.d.mu.Lock()
	defer w.p.d.mu.Unlock()
	return slices.Clone(w.i.apiErrors)
}

// WaitAnswered waits for the first answer, be it a deferral, and gives its kind.
func (w *Pending) WaitAnswered() int {
	w.p.t.Helper()
	ctx, cancel := w.p.d.patience()
	defer cancel()
	if !w.p.d.await(ctx, func() bool { return w.i.answer != 0 }) {
		w.p.t.Fatalf("%s", w.why())
	}
	return w.Answer()
}

// WaitLate waits until it is too late for a first answer.
func (w *Pending) WaitLate() {
	w.p.t.Helper()
	ctx, cancel := w.p.d.patience()
	defer cancel()
	d := w.p.d
	d.mu.Lock()
	d.waitsLate++
	d.mu.Unlock()
	late := d.await(ctx, func() bool { return d.late(w.i) })
	d.mu.Lock()
	d.waitsLate--
	d.mu.Unlock()
	if !late {
		w.p.t.Fatalf("%s is not too late after %s", w.i.what, d.opts.Patience)
	}
}

// Reply waits for the answer: after a deferral, for what follows it.
func (w *Pending) Reply() *Reply {
	w.p.t.Helper()
	w.wait()
	return w.reply()
}

// ReplyUntil waits for the answer as Reply does, until ctx is done. The error says what is known about an
// answer that did not come; the test goes on.
func (w *Pending) ReplyUntil(ctx context.Context) (*Reply, error) {
	if !w.p.d.await(ctx, w.answered) {
		return nil, errors.New(w.why())
	}
	return w.reply(), nil
}

// answered is true when the person sees all of the answer and the bot has nothing more in flight.
func (w *Pending) answered() bool { return w.i.settled() && w.p.d.inFlight[w.i.token] == 0 }

func (w *Pending) reply() *Reply {
	w.p.d.mu.Lock()
	defer w.p.d.mu.Unlock()
	r := &Reply{p: w.p, i: w.i, Kind: w.i.answer, Deferred: w.i.answer == AnswerDeferred ||
		w.i.answer == AnswerDeferredUpdate}
	for _, m := range w.i.said {
		r.Said = append(r.Said, (&View{Message: m}).Text())
	}
	if m := w.i.original; m != nil {
		r.View = w.p.view(m)
	}
	if w.i.answer == AnswerDeferredUpdate && len(w.i.followUps) > 0 {
		r.View = w.p.view(w.i.followUps[len(w.i.followUps)-1])
	}
	if r.View == nil {
		r.View = &View{p: w.p}
	}
	if w.i.modal != nil {
		r.Modal = &ModalView{Modal: *w.i.modal, p: w.p, i: w.i}
	}
	return r
}

func (w *Pending) wait() {
	w.p.t.Helper()
	ctx, cancel := w.p.d.patience()
	defer cancel()
	if !w.p.d.await(ctx, w.answered) {
		w.p.t.Fatalf("%s", w.why())
	}
}

// settled is true when the person sees all of the answer.
func (i *interaction) settled() bool {
	switch i.answer {
	case 0:
		return false
	case AnswerDeferred:
		return i.original.Flags&flagLoading == 0 || i.original.Deleted
	case AnswerDeferredUpdate:
		return i.touched
	}
	return true
}

// why describes a response that did not arrive.
func (w *Pending) why() string {
	d := w.p.d
	d.mu.Lock()
	defer d.mu.Unlock()
	var b strings.Builder
	fmt.Fprintf(&b, "%s did %s and waited %s for the bot's answer.", w.p.u.Username, w.i.what,
		d.opts.Patience)
	fmt.Fprintf(&b, "\n\tIt was delivered to %d gateway sessions (%+v).", w.i.delivered, d.gateway.count())
	if w.i.answer != 0 {
		fmt.Fprintf(&b, "\n\tThe first answer was of kind %d, and nothing followed it.", w.i.answer)
	}
	for _, apiErr := range w.i.apiErrors {
		fmt.Fprintf(&b, "\n\tAn answer was refused: %v %v", apiErr, apiErr.Problems)
	}
	if w.i.answer == 0 && d.late(w.i) {
		fmt.Fprintf(&b, "\n\tThe application did not respond within %s.", answerWithin)
	}
	return b.String()
}
