package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"time"

	"tradepost/core"
)

const (
	answerWithin = 2800 * time.Millisecond // Discord forgets an interaction after 3 s
	deferAfter   = 1500 * time.Millisecond
	suggestFor   = 2 * time.Second
	handlerTime  = 25 * time.Second // then the person is told that it took too long
	answerTime   = 40 * time.Second // for everything, with the edit of a deferred answer
)

// handler answers an interaction. It gets input and returns what to say, and never speaks to Discord.
type handler func(ctx context.Context, in Input) (Reply, error)

// suggester completes an option: it returns what fits what was typed so far.
type suggester func(ctx context.Context, in Input) ([]choice, error)

// routes say which handler answers what.
type routes struct {
	commands    map[string]route     // by path, such as "request post"
	presses     map[string]route     // by action: buttons, selects and forms
	suggestions map[string]suggester // by path and option, such as "request post item"
}

// route is a handler and how its answer is sent.
type route struct {
	do handler
	// redraws is set where the answer takes the place of the message that was pressed on.
	redraws bool
	// form is set where the answer may be a form: it cannot be deferred, so the handler must be quick.
	form bool
	// public tells whether everybody may see the answer, for those that depend on the options.
	public func(Input) bool
}

// answer answers one interaction, whatever happens.
func (b *Bot) answer(i *interaction, arrived time.Time) {
	ctx, cancel := context.WithDeadline(context.Background(), arrived.Add(answerTime))
	defer cancel()
	in := Input{say: tongueFor(i.Locale), i: i}
	log := b.log.With("interaction", i.ID)
	var (
		name string
		to   route
		ok   bool
	)
	switch i.Kind {
	case typing:
		b.suggest(ctx, log, in, arrived)
		return
	case commanded:
		var options []option
		name, options = i.command()
		in.options = optionValues(options)
		to, ok = b.routes.commands[name]
		name = "/" + name
	case pressed, submitted:
		in.press, ok = parsePress(i.Data.CustomID)
		if i.Kind == submitted {
			in.fields = i.fields()
		} else {
			in.values = i.Data.Values
		}
		if ok {
			name = in.press.action
			to, ok = b.routes.presses[name]
		}
	default:
		log.Warn("interaction of an unknown kind", "kind", int(i.Kind))
		return
	}
	if !ok {
		name = "unknown"
		to.do = func(_ context.Context, in Input) (Reply, error) { return private(in.say.text(msgOutdated)), nil }
	}
	b.carryOut(ctx, log, in, name, to, arrived)
}

// outcome is what became of a handler.
type outcome struct {
	reply Reply
	how   string // ok, refused or failed
}

// carryOut calls the handler and sends its answer, first promising one when it takes long.
func (b *Bot) carryOut(ctx context.Context, log *slog.Logger, in Input, name string, to route, arrived time.Time) {
	result := make(chan outcome, 1)
	go func() { result <- b.handle(ctx, log, in, name, to) }()
	answerIn, cancel := context.WithDeadline(ctx, arrived.Add(answerWithin))
	defer cancel()

	patience := deferAfter
	if to.form {
		patience = answerWithin - 500*time.Millisecond
	}
	timer := time.NewTimer(time.Until(arrived.Add(patience)))
	defer timer.Stop()
	var (
		done    outcome
		waiting bool
	)
	select {
	case done = <-result:
	case <-timer.C:
		waiting = true
		if to.form {
			done = outcome{reply: private(in.say.text(msgSlowForm)), how: "failed"}
		}
	}
	if waiting && !to.form {
		kind, ours := b.promise(answerIn, log, in, to)
		b.hooks.Interaction(name, "deferred", time.Since(arrived))
		done = <-result
		if err := b.keepPromise(ctx, in.i, kind, ours, done.reply); err != nil {
			log.Error("answer lost", "name", name, "error", err)
			done.how = "lost"
		}
		log.Debug("interaction", "name", name, "outcome", done.how, "took", time.Since(arrived))
		return
	}
	if err := b.respond(answerIn, in.i, done.reply.first(in.i)); err != nil {
		if isCode(err, codeAlreadyAnswered) {
			done.how = "repeated" // Discord delivers an event twice now and then
		} else {
			log.Error("answer lost", "name", name, "error", err)
			done.how = "lost"
		}
	}
	b.hooks.Interaction(name, done.how, time.Since(arrived))
	log.Debug("interaction", "name", name, "outcome", done.how, "took", time.Since(arrived))
}

// promise tells Discord that the answer will come. It returns the kind of promise, and whether it was the first answer: the
// event may have been delivered twice, or to another program as well while one hands the gateway over.
func (b *Bot) promise(ctx context.Context, log *slog.Logger, in Input, to route) (kind int, ours bool) {
	body := response{Kind: answerLater, Data: map[string]int{"flags": flagPrivate}}
	if to.public != nil && to.public(in) {
		body.Data = nil
	}
	if to.redraws && in.i.Message != nil {
		body = response{Kind: answerRedrawLater}
	}
	err := b.respond(ctx, in.i, body)
	repeated := isCode(err, codeAlreadyAnswered)
	if err != nil && !repeated {
		log.Error("promise lost", "error", err)
	}
	return body.Kind, !repeated
}

// keepPromise sends the answer that was promised. What somebody else has promised may be written twice into the same place,
// for they may have gone since, but not be said twice.
func (b *Bot) keepPromise(ctx context.Context, i *interaction, kind int, ours bool, r Reply) error {
	if kind == answerRedrawLater && !r.redraw {
		if !ours {
			return nil
		}
		return b.follow(ctx, i, r)
	}
	return b.edit(ctx, i, r.message())
}

// handle asks who it is, calls the handler and turns what it returns into something to say.
func (b *Bot) handle(ctx context.Context, log *slog.Logger, in Input, name string, to route) (done outcome) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "name", name, "panic", p, "stack", string(debug.Stack()))
			done = outcome{reply: private(in.say.text(msgOurFault)), how: "failed"}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, handlerTime)
	defer cancel()
	reply, err := b.asUser(ctx, in, to.do)
	if err == nil {
		return outcome{reply: reply, how: "ok"}
	}
	if core.KindOf(err) != 0 {
		return outcome{reply: in.say.refusal(err), how: "refused"}
	}
	log.Error("interaction failed", "name", name, "error", err)
	if errors.Is(err, context.DeadlineExceeded) {
		return outcome{reply: private(in.say.text(msgTooSlow)), how: "failed"}
	}
	return outcome{reply: private(in.say.text(msgOurFault)), how: "failed"}
}

// asUser calls the handler for the user who did it.
func (b *Bot) asUser(ctx context.Context, in Input, do handler) (Reply, error) {
	var err error
	if in.Actor, err = b.signIn(ctx, in.i); err != nil {
		return Reply{}, err
	}
	return do(ctx, in)
}

func (b *Bot) signIn(ctx context.Context, i *interaction) (core.Actor, error) {
	who := i.author()
	if who.ID == "" {
		return core.Actor{}, fmt.Errorf("interaction %s has no author", i.ID)
	}
	name := who.GlobalName
	if name == "" {
		name = who.Username
	}
	user, err := b.market.SignIn(ctx, core.Profile{
		DiscordID: who.ID, Username: who.Username, DisplayName: name, Locale: i.Locale, Roles: i.roles(),
	})
	if err != nil {
		return core.Actor{}, fmt.Errorf("sign in: %w", err)
	}
	actor := user.Actor()
	actor.Key = "discord-" + i.ID
	return actor, nil
}

// suggest completes what somebody types. When we are slow, nothing is offered: what was typed is understood anyway.
func (b *Bot) suggest(ctx context.Context, log *slog.Logger, in Input, arrived time.Time) {
	name, options := in.i.command()
	in.options = optionValues(options)
	for _, o := range options {
		if o.Focused {
			in.focused = o.Name
		}
	}
	choices, how := b.suggestions(ctx, log, in, name), "ok"
	body := response{Kind: answerChoices, Data: map[string]any{"choices": choices}}
	ctx, cancel := context.WithDeadline(ctx, arrived.Add(answerWithin))
	defer cancel()
	if err := b.respond(ctx, in.i, body); err != nil && !isCode(err, codeAlreadyAnswered) {
		log.Warn("suggestions lost", "name", name, "error", err)
		how = "lost"
	}
	b.hooks.Interaction("/"+name+" "+in.focused+" (completion)", how, time.Since(arrived))
}

func (b *Bot) suggestions(ctx context.Context, log *slog.Logger, in Input, name string) (choices []choice) {
	choices = []choice{}
	do, ok := b.routes.suggestions[name+" "+in.focused]
	if !ok {
		return choices
	}
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "name", name, "panic", p, "stack", string(debug.Stack()))
			choices = []choice{}
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, suggestFor)
	defer cancel()
	actor, err := b.signIn(ctx, in.i)
	if err == nil {
		in.Actor = actor
		var found []choice
		if found, err = do(ctx, in); err == nil {
			return fitChoices(found)
		}
	}
	log.Warn("no suggestions", "name", name, "option", in.focused, "error", err)
	return choices
}

// fitChoices returns completions that Discord accepts.
func fitChoices(found []choice) []choice {
	fitted := make([]choice, 0, min(len(found), maxSelect))
	for _, c := range found {
		if c.Name == "" || c.Value == "" || size(c.Value) > maxOptionLabel || len(fitted) == maxSelect {
			continue
		}
		fitted = append(fitted, choice{Name: clip(c.Name, maxOptionLabel), Value: c.Value})
	}
	return fitted
}

func optionValues(options []option) map[string]string {
	values := make(map[string]string, len(options))
	for _, o := range options {
		values[o.Name] = o.text()
	}
	return values
}
