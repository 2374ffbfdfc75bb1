package bot

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

const (
	answerWithin = 2800 * time.Millisecond // Discord forgets an interaction after 3 s
	deferAfter   = 1500 * time.Millisecond
	sendTime     = answerWithin / 4 // of it, for sending what cannot be deferred: suggestions and forms
	handlerTime  = 25 * time.Second // for reads; writes have their own limit
	answerTime   = 15 * time.Second // for the edit of a deferred answer
)

// handler answers an interaction. It gets input and returns what to say, and never speaks to Discord.
type handler func(ctx context.Context, in Input) (Reply, error)

// choice is a completion of what a user types.
type choice = discordgo.ApplicationCommandOptionChoice

// suggester completes an option: it returns the choices that match the typed text.
type suggester func(ctx context.Context, in Input) ([]*choice, error)

// answer responds to one interaction, also after an error or a panic.
func (k *Kernel) answer(i *discord.Interaction, arrived time.Time) {
	until := arrived.Add(answerLifetime)
	ctx, cancel := context.WithDeadline(context.Background(), until.Add(answerTime))
	defer cancel()
	in := Input{tr: k.translator(string(i.Locale)), i: i}
	log := k.log.With("interaction", i.ID)
	var (
		name string
		to   route
		ok   bool
	)
	switch i.Type {
	case discordgo.InteractionApplicationCommandAutocomplete:
		k.suggest(ctx, log, in, arrived)
		return
	case discordgo.InteractionApplicationCommand:
		var options []*discord.Option
		name, options = i.Command()
		in.options = optionValues(options)
		to, ok = k.routes.commands[name]
		name = "/" + name
	case discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		in.id, ok = discord.ParseCustomID(i.CustomID())
		in.fields, in.values = i.Fields, i.Values()
		if ok {
			name = in.id.Action
			to, ok = k.routes.components[name]
		}
	default:
		log.Warn("interaction of an unknown kind", "kind", int(i.Type))
		return
	}
	switch {
	case !k.serves(i):
		name, to = "elsewhere", route{do: func(_ context.Context, in Input) (Reply, error) { return k.elsewhere(in), nil }}
	case !ok:
		name = "unknown"
		to.do = func(_ context.Context, in Input) (Reply, error) { return private(in.tr.text(msg.Outdated)), nil }
	}
	k.dispatch(ctx, log, in, name, to, arrived)
}

// outcome is the result of a handler.
type outcome struct {
	reply Reply
	how   string      // ok, refused, failed or unknown
	user  core.UserID // who did it; zero when that is not known
}

// dispatch calls the handler and sends its answer, first promising one when it takes long.
func (k *Kernel) dispatch(ctx context.Context, log *slog.Logger, in Input, name string, to route, arrived time.Time) {
	result, open := make(chan outcome, 1), newOpenAnswer(arrived.Add(answerLifetime))
	go func() { result <- k.handle(ctx, open, log, in, name, to) }()
	asks := to.form != nil && to.form(in)
	answerIn, cancel := context.WithDeadline(ctx, arrived.Add(k.firstAnswer))
	defer cancel()

	patience := deferAfter
	if asks {
		patience = k.firstAnswer - sendTime
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
		if asks {
			done = outcome{reply: private(in.tr.text(msg.SlowForm)), how: "failed"}
		}
	}
	if waiting && !asks {
		answer := k.deferResponse(answerIn, log, in, to)
		k.hooks.Interaction(name, "deferred", time.Since(arrived))
		select {
		case done = <-result:
		case <-open.unknown:
			if err := answer.reportUnknown(ctx, in); err != nil {
				log.Log(ctx, levelOf(err), "answer lost", "name", name, "error", err)
			}
			done = <-result
		}
		if err := answer.complete(ctx, in, done.reply); err != nil {
			log.Log(ctx, levelOf(err), "answer lost", "name", name, "error", err)
			done.how = "lost"
		}
		k.afterAnswer(ctx, log, in, name, done)
		log.Debug("interaction", "name", name, "outcome", done.how, "took", time.Since(arrived))
		return
	}
	if err := k.respond(answerIn, in.i, done.reply); err != nil {
		if discord.HasCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
			done.how = "repeated" // Discord delivers an event twice now and then
		} else {
			log.Log(ctx, levelOf(err), "answer lost", "name", name, "error", err)
			done.how = "lost"
		}
	}
	k.hooks.Interaction(name, done.how, time.Since(arrived))
	k.afterAnswer(ctx, log, in, name, done)
	log.Debug("interaction", "name", name, "outcome", done.how, "took", time.Since(arrived))
}

// afterAnswer does what the answer need not wait for.
func (k *Kernel) afterAnswer(ctx context.Context, log *slog.Logger, in Input, name string, done outcome) {
	if done.how != "ok" {
		return
	}
	call := answeredCall{in: in, name: name, reply: done.reply, user: done.user, log: log}
	for _, do := range k.routes.answered {
		do(ctx, call)
	}
}

// handle asks who it is, calls the handler and turns what it returns into something to tr.
func (k *Kernel) handle(ctx context.Context, open *openAnswer, log *slog.Logger, in Input, name string, to route) (done outcome) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "name", name, "panic", p, "stack", string(debug.Stack()))
			done = outcome{reply: private(in.tr.text(msg.InternalError)), how: "failed"}
		}
	}()
	ctx, cancel := open.begin(ctx)
	defer cancel()
	reply, user, err := k.asUser(ctx, in, to)
	k.noteSecurity(ctx, name, user, err)
	switch {
	case err == nil:
		return outcome{reply: reply, how: "ok", user: user}
	case core.CommitUnknown(err):
		log.Warn("interaction outcome unknown", "name", name, "error", err)
		return outcome{reply: private(in.tr.text(in.byKind(msg.NeverKnownAfterButton, msg.NeverKnownAfterCommand))), how: "unknown"}
	case core.KeyReused(err):
		return outcome{reply: private(in.tr.text(msg.SavedBefore)), how: "refused"}
	case reply.rows != nil: // to a user who is leaving
		return outcome{reply: reply, how: "refused"}
	case core.KindOf(err) != 0:
		return outcome{reply: in.tr.errorReply(err), how: "refused"}
	}
	log.Error("interaction failed", "name", name, "error", err)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return outcome{reply: private(in.tr.text(msg.TooSlow)), how: "failed"}
	}
	return outcome{reply: private(in.tr.text(msg.InternalError)), how: "failed"}
}

// asUser calls the handler for the user who did it.
func (k *Kernel) asUser(ctx context.Context, in Input, to route) (reply Reply, user core.UserID, err error) {
	if err := k.mustBeMember(ctx, in.i); err != nil {
		return Reply{}, 0, err
	}
	if in.Actor, err = k.signIn(ctx, in.i, to.moderates); err != nil {
		return Reply{}, 0, err
	}
	if err := in.Actor.MustStay(); err != nil && !to.leaving {
		return in.tr.leaving(msg.AccountLeavingRefused, in.Actor.LeavingAt.Add(core.LeavingFor)), in.Actor.UserID, err
	}
	if in.i.OnDirectMessage() {
		// Before anything is done: a notice that comes now is not added to a message that is being answered.
		in.Actor.ActsOn = in.i.Message.ID
		if err := k.market.NoteActed(ctx, in.Actor, in.i.Message.ID); err != nil {
			k.log.Warn("press on a direct message not noted", "error", err)
		}
	}
	in.Actor = in.withKey(to.write)
	reply, err = to.do(ctx, in)
	if err != nil && in.i.IsCommand() && k.committedBefore(ctx, in, err) {
		return private(in.tr.text(msg.SavedBefore)), in.Actor.UserID, nil
	}
	return reply, in.Actor.UserID, err
}

// signIn returns who it is. With askRoles, Discord is asked for the roles of a moderator by role where the interaction has none.
func (k *Kernel) signIn(ctx context.Context, i *discord.Interaction, askRoles bool) (core.Actor, error) {
	who := i.Author()
	if who.ID == "" {
		return core.Actor{}, fmt.Errorf("interaction %s has no author", i.ID)
	}
	name := who.GlobalName
	if name == "" {
		name = who.Username
	}
	profile := core.Profile{
		DiscordID: who.ID, Username: who.Username, DisplayName: name, Avatar: who.Avatar, Locale: string(i.Locale), Roles: i.Roles(),
	}
	user, err := k.market.SignIn(ctx, profile)
	if err == nil && askRoles && i.Member == nil && !user.Moderator && user.ModeratorRole != "" {
		if profile.Roles, err = k.discord.RolesInServers(ctx, who.ID); err != nil {
			k.log.Warn("roles of a moderator not known", "user", user.ID, "error", err)
			return core.Actor{}, core.NewUnavailable(rolesNotKnown)
		}
		user, err = k.market.SignIn(ctx, profile)
	}
	if err != nil {
		return core.Actor{}, fmt.Errorf("sign in: %w", err)
	}
	return user.Actor(), nil
}

var rolesNotKnown = core.NewText("roles_not_known", "I couldn't check your roles in the server just now. Please try again.")

// suggest completes an option. When it takes too long it returns no choices; typed text is
// accepted anyway.
func (k *Kernel) suggest(ctx context.Context, log *slog.Logger, in Input, arrived time.Time) {
	name, options := in.i.Command()
	in.options = optionValues(options)
	for _, o := range options {
		if o.Focused {
			in.focused = o.Name
		}
	}
	choices, how := k.suggestions(ctx, log, in, name), "ok"
	ctx, cancel := context.WithDeadline(ctx, arrived.Add(k.firstAnswer))
	defer cancel()
	if err := k.discord.Autocomplete(ctx, in.i, choices); err != nil && !discord.HasCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
		log.Warn("suggestions lost", "name", name, "error", err)
		how = "lost"
	}
	k.hooks.Interaction("/"+name+" "+in.focused+" (completion)", how, time.Since(arrived))
}

func (k *Kernel) suggestions(ctx context.Context, log *slog.Logger, in Input, name string) (choices []*choice) {
	choices = nil
	do, ok := k.routes.suggestions[name+" "+in.focused]
	if !ok || !k.serves(in.i) {
		return choices
	}
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "name", name, "panic", p, "stack", string(debug.Stack()))
			choices = nil
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, k.firstAnswer-sendTime)
	defer cancel()
	if k.mustBeMember(ctx, in.i) != nil {
		return nil
	}
	actor, err := k.signIn(ctx, in.i, strings.HasPrefix(name, "moderate "))
	if err == nil && !actor.LeavingAt.IsZero() {
		return nil
	}
	if err == nil {
		in.Actor = actor
		var found []*choice
		if found, err = do(ctx, in); err == nil {
			return found
		}
	}
	log.Warn("no suggestions", "name", name, "option", in.focused, "error", err)
	return choices
}

func optionValues(options []*discord.Option) map[string]string {
	values := make(map[string]string, len(options))
	for _, o := range options {
		values[o.Name] = discord.OptionText(o)
	}
	return values
}
