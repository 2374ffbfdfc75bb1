package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/core"
)

// moderatorRow is what a moderator can do about a request besides everybody else.
func (b *Bot) moderatorRow(t tongue, o core.Order) discordgo.MessageComponent {
	view := orderView(o.ID)
	return row(
		button(on("remove-order", o.ID, view), discordgo.DangerButton, t.plain(msgRemoveOrder)),
		button(on("block", o.Owner, view), discordgo.DangerButton, t.plain(msgBlockBuyer)),
	)
}

// removeNamed takes a request that was named off the market.
func (b *Bot) removeNamed(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.removeOrder(ctx, in, order.ID, "")
}

// removeOrderForm and the three below ask why.
func (b *Bot) removeOrderForm(ctx context.Context, in Input) (Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-order", msgRemoveOrderTitle, msgHintRemove)
}

func (b *Bot) removeOfferForm(ctx context.Context, in Input) (Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-offer", msgRemoveOfferTitle, msgHintRemove)
}

func (b *Bot) blockForm(ctx context.Context, in Input) (Reply, error) {
	return b.moderatorsForm(ctx, in, "blocked", msgBlockTitle, msgHintBlock)
}

// moderatorsForm hands what was pressed on to the form: what it is about, and the view that is drawn again afterwards.
func (b *Bot) moderatorsForm(ctx context.Context, in Input, to string, title, hint msg) (Reply, error) {
	if err := in.Actor.Moderates(); err != nil {
		return Reply{}, err
	}
	return b.askWhy(ctx, in, on(to, in.press.number(0), in.press.word(1)), title, hint, in.press.number(2))
}

func (b *Bot) removeOrderSubmitted(ctx context.Context, in Input) (Reply, error) {
	reply, err := b.removeOrder(ctx, in, core.OrderID(in.press.number(0)), in.press.word(1))
	return b.whyAgain(ctx, in, reply, err, in.press.again("remove-order"))
}

func (b *Bot) removeOfferSubmitted(ctx context.Context, in Input) (Reply, error) {
	view := in.press.word(1)
	err := b.market.RemoveOffer(ctx, in.Actor, core.OfferID(in.press.number(0)), in.text("reason"))
	if err == nil {
		return b.redraw(ctx, in, afterwards(view), in.say.text(msgOfferRemoved))
	}
	return b.whyAgain(ctx, in, Reply{}, err, in.press.again("remove-offer"))
}

func (b *Bot) blockSubmitted(ctx context.Context, in Input) (Reply, error) {
	reply, err := b.block(ctx, in, core.UserID(in.press.number(0)), in.press.word(1))
	return b.whyAgain(ctx, in, reply, err, in.press.again("block"))
}

// again leads back to the form that a press came from, with what was typed.
func (p press) again(action string) func(typed int64) press {
	return func(typed int64) press { return on(action, p.number(0), p.word(1), typed) }
}

func (b *Bot) removeOrder(ctx context.Context, in Input, id core.OrderID, view string) (Reply, error) {
	if err := b.market.RemoveOrder(ctx, in.Actor, id, in.text("reason")); err != nil {
		return Reply{}, err
	}
	signal(b.boardsMoved)
	return b.redraw(ctx, in, afterwards(view), in.say.text(msgOrderRemoved))
}

// blockNamed shuts out whoever posted a request that was named.
func (b *Bot) blockNamed(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.block(ctx, in, order.Owner, "")
}

func (b *Bot) block(ctx context.Context, in Input, id core.UserID, view string) (Reply, error) {
	if err := b.market.BlockUser(ctx, in.Actor, id, in.text("reason")); err != nil {
		return Reply{}, err
	}
	signal(b.boardsMoved)
	return b.redraw(ctx, in, afterwards(view), in.say.text(msgUserBlocked))
}

// afterwards is what is drawn once something was done: a report is settled then, so the others are shown.
func afterwards(view string) string {
	if strings.HasPrefix(view, "r") {
		return reportsView(0)
	}
	return ""
}

// unblockNamed lets somebody trade again who was named.
func (b *Bot) unblockNamed(ctx context.Context, in Input) (Reply, error) {
	users, err := b.market.BlockedUsers(ctx, in.Actor, blockedShown)
	if err != nil {
		return Reply{}, err
	}
	name := in.text("user")
	id, numbered := reference(name)
	for _, u := range users {
		if numbered && u.ID == core.UserID(id) || strings.EqualFold(u.Username, strings.TrimPrefix(name, "@")) {
			if err := b.market.UnblockUser(ctx, in.Actor, u.ID); err != nil {
				return Reply{}, err
			}
			signal(b.boardsMoved)
			return private(in.say.text(msgUserUnblocked, username(u.Username))), nil
		}
	}
	return private(in.say.text(msgNotBlocked, name)), nil
}

// blockedShown is how many blocked users are looked through.
const blockedShown = 100

// suggestBlocked completes a user who is blocked.
func (b *Bot) suggestBlocked(ctx context.Context, in Input) ([]choice, error) {
	users, err := b.market.BlockedUsers(ctx, in.Actor, blockedShown)
	if core.KindOf(err) == core.Forbidden {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var choices []choice
	for _, u := range users {
		if strings.Contains(strings.ToLower(u.Username), strings.ToLower(in.text("user"))) {
			choices = append(choices, choice{Name: "@" + u.Username, Value: fmt.Sprint(u.ID)})
		}
	}
	return choices, nil
}

// blockedUsers lists who is shut out, and why.
func (b *Bot) blockedUsers(ctx context.Context, in Input) (Reply, error) {
	users, err := b.market.BlockedUsers(ctx, in.Actor, auditShown)
	if err != nil {
		return Reply{}, err
	}
	if len(users) == 0 {
		return private(in.say.text(msgNobodyBlocked)), nil
	}
	var text safe
	for _, u := range users {
		text = joined(text, joined("**"+username(u.Username)+"** · "+stamp(u.BlockedAt), clipSafe(quoted(firstLine(u.BlockedFor)), 120)))
	}
	return Reply{embeds: []*discordgo.MessageEmbed{{
		Title: string(in.say.text(msgBlockedTitle)), Color: colourUsual, Description: string(text),
	}}}, nil
}

const auditShown = 10

// audit lists what moderators did.
func (b *Bot) audit(ctx context.Context, in Input) (Reply, error) {
	return b.auditBefore(ctx, in, 0)
}

func (b *Bot) auditPressed(ctx context.Context, in Input) (Reply, error) {
	reply, err := b.auditBefore(ctx, in, core.AuditID(in.press.number(0)))
	reply.redraw = true
	return reply, err
}

func (b *Bot) auditBefore(ctx context.Context, in Input, before core.AuditID) (Reply, error) {
	entries, err := b.market.AuditEntries(ctx, in.Actor, before, auditShown+1)
	if err != nil {
		return Reply{}, err
	}
	if len(entries) == 0 {
		return private(in.say.text(msgNothingDone)), nil
	}
	more := len(entries) > auditShown
	entries = entries[:min(len(entries), auditShown)]
	var text safe
	for _, e := range entries {
		text = joined(text, in.say.auditLine(e))
	}
	reply := Reply{embeds: []*discordgo.MessageEmbed{{
		Title: string(in.say.text(msgAuditTitle)), Color: colourUsual, Description: string(text),
	}}}
	if buttons := in.say.older("audit", int64(before), more, int64(entries[len(entries)-1].ID)); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// auditLine says who did what, to whom, when and why.
func (t tongue) auditLine(e core.AuditEntry) safe {
	who := func(id core.UserID, name string) safe {
		switch {
		case id == 0:
			return t.text(msgAVisitor)
		case name == "":
			return t.text(msgSomebodyGone)
		}
		return username(name)
	}
	moderator, subject := who(e.Moderator, e.ModeratorName), who(e.Subject, e.SubjectName)
	var line safe
	switch e.Action {
	case core.RemovedOrder:
		line = t.text(msgAuditOrder, moderator, e.ItemName, subject)
	case core.RemovedOffer:
		line = t.text(msgAuditOffer, moderator, e.ItemName, subject)
	case core.BlockedUser:
		line = t.text(msgAuditBlock, moderator, subject)
	case core.UnblockedUser:
		line = t.text(msgAuditUnblock, moderator, subject)
	default:
		line = t.text(msgAuditDismiss, moderator, e.ItemName, subject)
	}
	line += " · " + stamp(e.At)
	if e.Reason == "" {
		return line
	}
	return joined(line, clipSafe(quoted(firstLine(e.Reason)), 120))
}
