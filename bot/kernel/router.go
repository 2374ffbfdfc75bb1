package kernel

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
	"tradepost/core"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// Answer responds to one interaction, also after an error or a panic.
func (k *Kernel) Answer(i *discord.Interaction, arrived time.Time) {
	until := arrived.Add(answerLifetime)
	ctx, cancel := context.WithDeadline(context.Background(), until.Add(AnswerTime))
	defer cancel()
	in := k.inLanguage(Input{Interaction: i}, string(i.Locale))
	log := k.Log.With("interaction", i.ID)
	var (
		name string
		to   Route
		ok   bool
	)
	switch i.Type {
	case discordgo.InteractionApplicationCommandAutocomplete:
		k.suggest(ctx, log, in, arrived)
		return
	case discordgo.InteractionApplicationCommand:
		var options []*discord.Option
		name, options = i.Command()
		in.Options = optionValues(options)
		to, ok = k.Table.Commands[name]
		name = "/" + name
	case discordgo.InteractionMessageComponent, discordgo.InteractionModalSubmit:
		in.ID, ok = discord.ParseCustomID(i.CustomID())
		in.Fields, in.Values = i.Fields, i.Values()
		if ok {
			name = in.ID.Action
			to, ok = k.Table.Components[name]
		}
	default:
		log.Warn("interaction of an unknown kind", "kind", int(i.Type))
		return
	}
	switch {
	case !k.serves(i):
		name, to = "elsewhere", Route{Do: func(_ context.Context, in Input) (Reply,
			error) {
			return k.elsewhere(in), nil
		}}
	case !ok:
		name = "unknown"
		to.Do = func(_ context.Context, in Input) (Reply,
			error) {
			return Private(in.Tr.Text(msg.Outdated)), nil
		}
	}
	k.dispatch(ctx, log, in, name, to, arrived)
}

// outcome is the result of a handler.
type outcome struct {
	reply Reply
	how   string // ok, refused, failed, unknown, or repeated after another program's refusal
	in    Input  // with the user who did it, and in their language, where that is known
}

// dispatch calls the handler and sends its answer, first promising one when it takes long.
func (k *Kernel) dispatch(
	ctx context.Context, log *slog.Logger, in Input, name string, to Route, arrived time.Time,
) {
	result, open := make(chan outcome, 1), newOpenAnswer(arrived.Add(answerLifetime))
	go func() { result <- k.handle(ctx, open, log, in, name, to) }()
	asks := to.Form != nil && to.Form(in)
	answerIn, cancel := context.WithDeadline(ctx, arrived.Add(k.FirstAnswer))
	defer cancel()

	patience := deferAfter
	if asks {
		patience = k.FirstAnswer - sendTime
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
			done = outcome{reply: Private(in.Tr.Text(msg.SlowForm)), how: "failed"}
		}
	}
	if waiting && !asks {
		answer := k.deferResponse(answerIn, log, in, to)
		k.Hooks.Interaction(name, "deferred", time.Since(arrived))
		select {
		case done = <-result:
		case <-open.unknown:
			if err := answer.reportUnknown(ctx, in); err != nil {
				log.Log(ctx, LevelOf(err), "answer lost", "name", name, "error", err)
			}
			done = <-result
		}
		if done.how == "repeated" && !answer.ours {
			return // the other program's answer stays
		}
		if err := answer.complete(ctx, done.in, done.reply); err != nil {
			log.Log(ctx, LevelOf(err), "answer lost", "name", name, "error", err)
			done.how = "lost"
		}
		k.afterAnswer(ctx, log, name, done)
		log.Debug("interaction", "name", name, "outcome", done.how, "took", time.Since(arrived))
		return
	}
	if err := k.respond(answerIn, in.Interaction, done.reply); err != nil {
		if discord.HasCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
			done.how = "repeated" // Discord delivers an event twice now and then
		} else {
			log.Log(ctx, LevelOf(err), "answer lost", "name", name, "error", err)
			done.how = "lost"
		}
	}
	k.Hooks.Interaction(name, done.how, time.Since(arrived))
	k.afterAnswer(ctx, log, name, done)
	log.Debug("interaction", "name", name, "outcome", done.how, "took", time.Since(arrived))
}

// afterAnswer does what the answer need not wait for.
func (k *Kernel) afterAnswer(ctx context.Context, log *slog.Logger, name string, done outcome) {
	if done.how != "ok" {
		return
	}
	call := AnsweredCall{In: done.in, Name: name, Reply: done.reply, Log: log}
	for _, do := range k.Table.Answered {
		do(ctx, call)
	}
}

// handle signs the user in, calls the handler and returns the outcome.
func (k *Kernel) handle(
	ctx context.Context, open *openAnswer, log *slog.Logger, in Input, name string, to Route,
) (done outcome) {
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "name", name, "panic", p, "stack", string(debug.Stack()))
			done = outcome{reply: Private(in.Tr.Text(msg.InternalError)), how: "failed"}
		}
		done.in = in
	}()
	var writes refusals
	ctx, cancel := open.begin(core.WithRepeat(ctx, writes.noting(k.Writes)))
	defer cancel()
	reply, err := k.asUser(ctx, &in, to)
	k.noteSecurity(ctx, name, in.Actor.UserID, err)
	if k.doneMeanwhile(ctx, log, in, &writes, err) {
		return outcome{reply: Private(in.Tr.Text(msg.SavedBefore)), how: "ok"}
	}
	switch {
	case writes.before.Load():
		return outcome{reply: in.Tr.ErrorReply(err), how: "repeated"}
	case err == nil:
		return outcome{reply: reply, how: "ok"}
	case core.CommitUnknown(err):
		log.Warn("interaction outcome unknown", "name", name, "error", err)
		return outcome{reply: Private(in.Tr.Text(in.byKind(msg.NeverKnownAfterButton,
			msg.NeverKnownAfterCommand))), how: "unknown"}
	case core.KeyReused(err):
		return outcome{reply: Private(in.Tr.Text(msg.SavedBefore)), how: "refused"}
	case reply.Rows != nil: // to a user who is leaving
		return outcome{reply: reply, how: "refused"}
	case core.KindOf(err) != 0:
		return outcome{reply: in.Tr.ErrorReply(err), how: "refused"}
	}
	log.Error("interaction failed", "name", name, "error", err)
	if errors.Is(err, context.DeadlineExceeded) || errors.Is(context.Cause(ctx), context.DeadlineExceeded) {
		return outcome{reply: Private(in.Tr.Text(msg.TooSlow)), how: "failed"}
	}
	return outcome{reply: Private(in.Tr.Text(msg.InternalError)), how: "failed"}
}

// asUser calls the handler for the user who did it, and sets them and their language in the input.
func (k *Kernel) asUser(ctx context.Context, in *Input, to Route) (reply Reply, err error) {
	if err := k.mustBeMember(ctx, in.Interaction); err != nil {
		return Reply{}, err
	}
	if *in, err = k.signIn(ctx, *in, to.Moderates); err != nil {
		return Reply{}, err
	}
	if err := in.Actor.MustStay(); err != nil && !to.Leaving {
		return in.Tr.Leaving(msg.AccountLeavingRefused, in.Actor.LeavingAt.Add(people.LeavingFor)),
			err
	}
	if in.Interaction.OnDirectMessage() {
		// Before anything is done: a notice that comes now is not added to a message that is being answered.
		in.Actor.ActsOn = in.Interaction.Message.ID
		if err := k.Market.Channels.NoteActed(ctx, in.Actor, in.Interaction.Message.ID); err != nil {
			k.Log.Warn("press on a direct message not noted", "error", err)
		}
	}
	in.Actor = in.withKey(to.Write)
	reply, err = to.Do(ctx, *in)
	if err != nil && in.Interaction.IsCommand() && k.CommittedBefore(ctx, *in, err) {
		return Private(in.Tr.Text(msg.SavedBefore)), nil
	}
	return reply, err
}

// inLanguage returns an input that is answered in a language.
func (k *Kernel) inLanguage(in Input, locale string) Input {
	in.Locale, in.Tr = locale, k.Translator(locale)
	return in
}

// signIn returns the input with its actor, in the language that they have chosen. With askRoles, it asks
// Discord for the roles of a moderator by role where the interaction has none.
func (k *Kernel) signIn(ctx context.Context, in Input, askRoles bool) (Input, error) {
	i, who := in.Interaction, in.Interaction.Author()
	if who.ID == "" {
		return in, fmt.Errorf("interaction %s has no author", i.ID)
	}
	name := who.GlobalName
	if name == "" {
		name = who.Username
	}
	profile := people.Profile{
		DiscordID: who.ID, Username: who.Username, DisplayName: name, Avatar: who.Avatar,
		Locale: string(i.Locale), Roles: i.Roles(),
	}
	user, err := k.Market.People.SignIn(ctx, profile)
	if err == nil && askRoles && i.Member == nil && !user.Moderator && user.ModeratorRole != "" {
		if profile.Roles, err = k.Discord.RolesInServers(ctx, who.ID); err != nil {
			k.Log.Warn("roles of a moderator not known", "user", user.ID, "error", err)
			return in, core.NewUnavailable(rolesNotKnown)
		}
		user, err = k.Market.People.SignIn(ctx, profile)
	}
	if err != nil {
		return in, fmt.Errorf("sign in: %w", err)
	}
	if k.Languages.Has(user.Language) {
		in = k.inLanguage(in, user.Language)
	}
	in.Actor = user.Actor()
	in.Actor.SignedInAt = k.Now() // Discord has just said who this is
	return in, nil
}

var rolesNotKnown = core.NewText("roles_not_known")

// suggest completes an option. When it takes too long it returns no choices; typed text is
// accepted anyway.
func (k *Kernel) suggest(ctx context.Context, log *slog.Logger, in Input, arrived time.Time) {
	name, options := in.Interaction.Command()
	in.Options = optionValues(options)
	for _, o := range options {
		if o.Focused {
			in.Focused = o.Name
		}
	}
	choices, how := k.suggestions(ctx, log, in, name), "ok"
	ctx, cancel := context.WithDeadline(ctx, arrived.Add(k.FirstAnswer))
	defer cancel()
	if err := k.Discord.Autocomplete(ctx, in.Interaction, choices); err != nil &&
		!discord.HasCode(err, discordgo.ErrCodeInteractionHasAlreadyBeenAcknowledged) {
		log.Warn("suggestions lost", "name", name, "error", err)
		how = "lost"
	}
	k.Hooks.Interaction("/"+name+" "+in.Focused+" (completion)", how, time.Since(arrived))
}

func (k *Kernel) suggestions(
	ctx context.Context, log *slog.Logger, in Input, name string,
) (choices []*Choice) {
	choices = nil
	do, ok := k.Table.Suggestions[name+" "+in.Focused]
	if !ok || !k.serves(in.Interaction) {
		return choices
	}
	defer func() {
		if p := recover(); p != nil {
			log.Error("panic", "name", name, "panic", p, "stack", string(debug.Stack()))
			choices = nil
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, k.FirstAnswer-sendTime)
	defer cancel()
	if k.mustBeMember(ctx, in.Interaction) != nil {
		return nil
	}
	in, err := k.signIn(ctx, in, strings.HasPrefix(name, "moderate "))
	if err == nil && !in.Actor.LeavingAt.IsZero() {
		return nil
	}
	if err == nil {
		var found []*Choice
		if found, err = do(ctx, in); err == nil {
			return found
		}
	}
	log.Warn("no suggestions", "name", name, "option", in.Focused, "error", err)
	return choices
}

func optionValues(options []*discord.Option) map[string]string {
	values := make(map[string]string, len(options))
	for _, o := range options {
		values[o.Name] = discord.OptionText(o)
	}
	return values
}

// respond sends the reply as the first answer to an interaction.
func (k *Kernel) respond(ctx context.Context, i *discord.Interaction, r Reply) error {
	switch {
	case r.Form != nil:
		return k.Discord.OpenModal(ctx, i, r.Form)
	case r.Redraw && i.Message != nil:
		return k.Discord.Respond(ctx, i, r.Message().Update())
	}
	return k.Discord.Respond(ctx, i, r.Message().Answer(r.Flags()))
}

// CommittedBefore reports whether an error only comes from a repeat: the write that the key names was
// committed, and its subject has changed since. A command is repeated when Discord delivers it twice, or to
// two programs while one hands the gateway over.
func (k *Kernel) CommittedBefore(ctx context.Context, in Input, failure error) bool {
	if core.KeyReused(failure) {
		return true
	}
	if kind := core.KindOf(failure); kind != core.NotFound && kind != core.Conflict {
		return false
	}
	happened, err := k.Market.WasCommitted(ctx, in.Actor)
	return err == nil && happened
}
