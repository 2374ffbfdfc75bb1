package bot

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// moderatorRow is what a moderator can do about a request besides everybody else.
func moderatorRow(t translator, o core.Order) discordgo.MessageComponent {
	view := orderView(o.ID)
	return row(
		button(discord.NewCustomID("remove-order", o.ID, view), discordgo.DangerButton, t.plain(msg.RemoveOrder)),
		button(discord.NewCustomID("block", o.Owner, view), discordgo.DangerButton, t.plain(msg.BlockBuyer)),
		button(discord.NewCustomID("vouch", o.Owner, view), discordgo.SecondaryButton, t.plain(msg.VouchForBuyer)),
	)
}

// removeNamed takes a request that was named off the market.
func (b moderationBot) removeNamed(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.removeOrder(ctx, in, order.ID, "")
}

// removeOrderForm and the three below ask why.
func (b moderationBot) removeOrderForm(ctx context.Context, in Input) (Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-order", msg.RemoveOrderTitle, msg.HintRemove)
}

func (b moderationBot) removeOfferForm(ctx context.Context, in Input) (Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-offer", msg.RemoveOfferTitle, msg.HintRemove)
}

func (b moderationBot) blockForm(ctx context.Context, in Input) (Reply, error) {
	return b.moderatorsForm(ctx, in, "blocked", msg.BlockTitle, msg.HintBlock)
}

// moderatorsForm passes the button's arguments on to the form: what it is about, and the view that is drawn again afterwards.
func (b moderationBot) moderatorsForm(ctx context.Context, in Input, to string, title, hint msg.Key) (Reply, error) {
	if err := in.Actor.MustModerate(); err != nil {
		return Reply{}, err
	}
	return b.askWhy(ctx, in, discord.NewCustomID(to, in.id.Number(0), in.id.Word(1)).OpenedBy(in.i), title, hint, in.id.Number(2))
}

func (b moderationBot) removeOrderSubmitted(ctx context.Context, in Input) (Reply, error) {
	reply, err := b.removeOrder(ctx, in, core.OrderID(in.id.Number(0)), in.id.Word(1))
	return b.whyAgain(ctx, in, reply, err, again(in, "remove-order"))
}

func (b moderationBot) removeOfferSubmitted(ctx context.Context, in Input) (Reply, error) {
	view := in.id.Word(1)
	err := b.market.RemoveOffer(ctx, in.Actor, core.OfferID(in.id.Number(0)), in.text("reason"))
	if err == nil {
		return b.redraw(ctx, in, afterwards(view), in.tr.text(msg.OfferRemoved))
	}
	return b.whyAgain(ctx, in, Reply{}, err, again(in, "remove-offer"))
}

func (b moderationBot) blockSubmitted(ctx context.Context, in Input) (Reply, error) {
	reply, err := b.block(ctx, in, core.UserID(in.id.Number(0)), in.id.Word(1))
	return b.whyAgain(ctx, in, reply, err, again(in, "block"))
}

// again reopens the form of a press with the typed input.
func again(in Input, action string) func(typed int64) discord.CustomID {
	return func(typed int64) discord.CustomID {
		return discord.NewCustomID(action, in.id.Number(0), in.id.Word(1), typed)
	}
}

func (b moderationBot) removeOrder(ctx context.Context, in Input, id core.OrderID, view string) (Reply, error) {
	if err := b.market.RemoveOrder(ctx, in.Actor, id, in.text("reason")); err != nil {
		return Reply{}, err
	}
	b.wakeSync()
	return b.redraw(ctx, in, afterwards(view), in.tr.text(msg.OrderRemoved))
}

// blockNamed blocks the buyer of a request that was named.
func (b moderationBot) blockNamed(ctx context.Context, in Input) (Reply, error) {
	order, ask, err := b.openOrder(ctx, in)
	if err != nil || ask != nil {
		return orAsk(ask), err
	}
	return b.block(ctx, in, order.Owner, "")
}

func (b moderationBot) block(ctx context.Context, in Input, id core.UserID, view string) (Reply, error) {
	if err := b.market.BlockUser(ctx, in.Actor, id, in.text("reason")); err != nil {
		return Reply{}, err
	}
	b.wakeSync()
	return b.redraw(ctx, in, afterwards(view), in.tr.text(msg.UserBlocked))
}

// afterwards is drawn after an action: the report is settled, so the others are shown.
func afterwards(view string) string {
	if strings.HasPrefix(view, "r") {
		return reportsView(0)
	}
	return ""
}

// unblockNamed unblocks a user who was named.
func (b moderationBot) unblockNamed(ctx context.Context, in Input) (Reply, error) {
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
			b.wakeSync()
			return private(in.tr.text(msg.UserUnblocked, accountOf(u))), nil
		}
	}
	return private(in.tr.text(msg.NotBlocked, name)), nil
}

// blockedShown is how many blocked users are looked through.
const blockedShown = 100

// suggestBlocked completes a user who is blocked.
func (b moderationBot) suggestBlocked(ctx context.Context, in Input) ([]*choice, error) {
	users, err := b.market.BlockedUsers(ctx, in.Actor, blockedShown)
	if core.KindOf(err) == core.Forbidden {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var choices []*choice
	for _, u := range users {
		if strings.Contains(strings.ToLower(u.Username), strings.ToLower(in.text("user"))) {
			choices = append(choices, &choice{Name: "@" + u.Username, Value: fmt.Sprint(u.ID)})
		}
	}
	return choices, nil
}

// blockedUsers lists the blocked users with the reasons.
func (b moderationBot) blockedUsers(ctx context.Context, in Input) (Reply, error) {
	users, err := b.market.BlockedUsers(ctx, in.Actor, auditShown)
	if err != nil {
		return Reply{}, err
	}
	if len(users) == 0 {
		return private(in.tr.text(msg.NoneBlocked)), nil
	}
	var text discord.Markdown
	for _, u := range users {
		text = joined(text, joined("**"+accountOf(u)+"** · "+timestamp(u.BlockedAt), discord.ClipMarkdown(discord.Quote(discord.FirstLine(u.BlockedFor)), 120)))
	}
	return Reply{cards: []*discord.Card{{
		Title: string(in.tr.text(msg.BlockedTitle)), Color: colourUsual, Description: string(text),
	}}}, nil
}

// accountOf mentions a user.
func accountOf(u core.User) discord.Markdown {
	return mention(u.Username, core.Account{DiscordID: u.DiscordID})
}

const auditShown = 10

// audit lists what moderators did.
func (b moderationBot) audit(ctx context.Context, in Input) (Reply, error) {
	return b.auditBefore(ctx, in, 0)
}

func (b moderationBot) auditButton(ctx context.Context, in Input) (Reply, error) {
	reply, err := b.auditBefore(ctx, in, core.AuditID(in.id.Number(0)))
	reply.redraw = true
	return reply, err
}

func (b moderationBot) auditBefore(ctx context.Context, in Input, before core.AuditID) (Reply, error) {
	entries, err := b.market.AuditEntries(ctx, in.Actor, before, auditShown+1)
	if err != nil {
		return Reply{}, err
	}
	if len(entries) == 0 {
		return private(in.tr.text(msg.LogEmpty)), nil
	}
	more := len(entries) > auditShown
	entries = entries[:min(len(entries), auditShown)]
	var ids []core.UserID
	for _, e := range entries {
		ids = append(ids, e.Moderator, e.Subject)
	}
	people := b.accounts(ctx, ids...)
	var text discord.Markdown
	for _, e := range entries {
		text = joined(text, auditLine(in.tr, e, people))
	}
	reply := Reply{cards: []*discord.Card{{
		Title: string(in.tr.text(msg.AuditTitle)), Color: colourUsual, Description: string(text),
	}}}
	var undo []discordgo.MessageComponent
	for _, e := range entries {
		if e.Undoable && len(undo) < undoShown {
			undo = append(undo, button(discord.NewCustomID("undo", e.ID), discordgo.SecondaryButton, in.tr.plain(msg.Undo, e.ItemName)))
		}
	}
	if len(undo) > 0 {
		reply.rows = append(reply.rows, row(undo...))
	}
	if buttons := older(in.tr, "audit", int64(before), more, int64(entries[len(entries)-1].ID)); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	return reply, nil
}

// undoShown is how many entries of a list can be undone from it: as many buttons as a row has.
const undoShown = 5

// undoButton undoes a removal or a decision on a name, and shows the log again.
func (b moderationBot) undoButton(ctx context.Context, in Input) (Reply, error) {
	if err := b.market.UndoRemoval(ctx, in.Actor, core.AuditID(in.id.Number(0))); err != nil {
		return Reply{}, err
	}
	b.wakeSync()
	reply, err := b.auditBefore(ctx, in, 0)
	reply.redraw = true
	if err == nil {
		reply.text = in.tr.text(msg.Undone)
	}
	return reply, err
}

// auditLine shows one entry of the moderation log: moderator, action, user, time and reason.
func auditLine(t translator, e core.AuditEntry, people core.Accounts) discord.Markdown {
	who := func(id core.UserID, name string) discord.Markdown {
		switch {
		case id == 0:
			return t.text(msg.AVisitor)
		case name == "":
			return t.text(msg.DeletedUser)
		}
		return mention(name, people[id])
	}
	moderator, subject := who(e.Moderator, e.ModeratorName), who(e.Subject, e.SubjectName)
	var line discord.Markdown
	switch e.Action {
	case core.AuditOrderRemoved:
		line = t.text(msg.AuditOrder, moderator, e.ItemName, subject)
	case core.AuditOfferRemoved:
		line = t.text(msg.AuditOffer, moderator, e.ItemName, subject)
	case core.AuditUserBlocked:
		line = t.text(msg.AuditBlock, moderator, subject)
	case core.AuditUserUnblocked:
		line = t.text(msg.AuditUnblock, moderator, subject)
	case core.AuditOrderRestored:
		line = t.text(msg.AuditRestoredOrder, moderator, e.ItemName, subject)
	case core.AuditOfferRestored:
		line = t.text(msg.AuditRestoredOffer, moderator, e.ItemName, subject)
	case core.AuditReportDismissed:
		line = t.text(msg.AuditDismiss, moderator, e.ItemName, subject)
	case core.AuditUserVouched:
		line = t.text(msg.AuditVouch, moderator, subject)
	case core.AuditUserSetAside:
		line = t.text(msg.AuditSetAside, moderator, subject)
	case core.AuditUserCountedAgain:
		line = t.text(msg.AuditCountedAgain, moderator, subject)
	case core.AuditSignedInOnlyOn:
		line = t.text(msg.AuditSignedInOnlyOn, moderator)
	case core.AuditSignedInOnlyOff:
		line = t.text(msg.AuditSignedInOnlyOff, moderator)
	case core.AuditItemConfirmed:
		line = t.text(msg.AuditItemConfirmed, moderator, e.ItemName)
	case core.AuditItemMerged:
		return t.text(msg.AuditItemMerged, moderator, e.ItemName, e.Reason) + " · " + timestamp(e.At)
	case core.AuditItemIgnored:
		line = t.text(msg.AuditItemIgnored, moderator, e.ItemName)
	case core.AuditItemReopened:
		line = t.text(msg.AuditItemReopened, moderator, e.ItemName)
	case core.AuditDisputeMet:
		line = t.text(msg.AuditDisputeMet, moderator, e.ItemName)
	case core.AuditDisputeNotMet:
		line = t.text(msg.AuditDisputeNotMet, moderator, e.ItemName)
	case core.AuditDisputeLookedAt:
		line = t.text(msg.AuditDisputeLookedAt, moderator, e.ItemName)
	default: // written by a newer program
		line = t.text(msg.AuditOther, moderator)
	}
	line += " · " + timestamp(e.At)
	if e.Reason == "" {
		return line
	}
	return joined(line, discord.ClipMarkdown(discord.Quote(discord.FirstLine(e.Reason)), 120))
}
