package moderation

import (
	"context"
	"fmt"
	"strings"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trade"
)

// removeNamed takes a request that was named off the market.
func (b Moderation) removeNamed(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.removeOrder(ctx, in, o.ID, "")
}

// removeOrderForm and the three below ask why.
func (b Moderation) removeOrderForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-order", msg.RemoveOrderTitle, msg.HintRemove)
}

func (b Moderation) removeOfferForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.moderatorsForm(ctx, in, "removed-offer", msg.RemoveOfferTitle, msg.HintRemove)
}

func (b Moderation) blockForm(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.moderatorsForm(ctx, in, "blocked", msg.BlockTitle, msg.HintBlock)
}

// moderatorsForm passes the button's arguments on to the form: what it is about, and the view that is drawn
// again afterwards.
func (b Moderation) moderatorsForm(
	ctx context.Context, in kernel.Input, to string, title, hint msg.Key,
) (kernel.Reply, error) {
	if err := in.Actor.MustModerate(); err != nil {
		return kernel.Reply{}, err
	}
	return b.AskWhy(ctx, in, discord.NewCustomID(to, in.ID.Number(0), in.ID.Word(1)).OpenedBy(in.Interaction),
		title, hint, in.ID.Number(2))
}

func (b Moderation) removeOrderSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	reply, err := b.removeOrder(ctx, in, core.OrderID(in.ID.Number(0)), in.ID.Word(1))
	return b.WhyAgain(ctx, in, reply, err, again(in, "remove-order"))
}

func (b Moderation) removeOfferSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	view := in.ID.Word(1)
	err := b.Market.Moderation.RemoveOffer(ctx, in.Actor, core.OfferID(in.ID.Number(0)), in.Text("reason"))
	if err == nil {
		return b.Redraw(ctx, in, afterwards(view), in.Tr.Text(msg.OfferRemoved))
	}
	return b.WhyAgain(ctx, in, kernel.Reply{}, err, again(in, "remove-offer"))
}

func (b Moderation) blockSubmitted(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	reply, err := b.block(ctx, in, core.UserID(in.ID.Number(0)), in.ID.Word(1))
	return b.WhyAgain(ctx, in, reply, err, again(in, "block"))
}

// again reopens the form of a press with the typed input.
func again(in kernel.Input, action string) func(typed int64) discord.CustomID {
	return func(typed int64) discord.CustomID {
		return discord.NewCustomID(action, in.ID.Number(0), in.ID.Word(1), typed)
	}
}

func (b Moderation) removeOrder(
	ctx context.Context, in kernel.Input, id core.OrderID, view string,
) (kernel.Reply, error) {
	if err := b.Market.Moderation.RemoveOrder(ctx, in.Actor, id, in.Text("reason")); err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return b.Redraw(ctx, in, afterwards(view), in.Tr.Text(msg.OrderRemoved))
}

// blockNamed blocks the buyer of a request that was named.
func (b Moderation) blockNamed(ctx context.Context, in kernel.Input, o trade.Order) (kernel.Reply, error) {
	return b.block(ctx, in, o.Owner, "")
}

func (b Moderation) block(
	ctx context.Context, in kernel.Input, id core.UserID, view string,
) (kernel.Reply, error) {
	if err := b.Market.Moderation.BlockUser(ctx, in.Actor, id, in.Text("reason")); err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	return b.Redraw(ctx, in, afterwards(view), in.Tr.Text(msg.UserBlocked))
}

// afterwards is drawn after an action: the report is settled, so the others are shown.
func afterwards(view string) string {
	if strings.HasPrefix(view, "r") {
		return reportsView(0)
	}
	return ""
}

// unblockNamed unblocks a user who was named.
func (b Moderation) unblockNamed(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	users, err := b.Market.Moderation.BlockedUsers(ctx, in.Actor, blockedShown)
	if err != nil {
		return kernel.Reply{}, err
	}
	name := in.Text("user")
	id, numbered := kernel.Reference(name)
	for _, u := range users {
		if numbered && u.ID == core.UserID(id) ||
			strings.EqualFold(u.Username, strings.TrimPrefix(name, "@")) {
			if err := b.Market.Moderation.UnblockUser(ctx, in.Actor, u.ID); err != nil {
				return kernel.Reply{}, err
			}
			b.WakeSync()
			return kernel.Private(in.Tr.Text(msg.UserUnblocked, "user", accountOf(u))), nil
		}
	}
	return kernel.Private(in.Tr.Text(msg.NotBlocked, "typed", name)), nil
}

// blockedShown limits the blocked users that are searched.
const blockedShown = 100

// suggestBlocked completes a user who is blocked.
func (b Moderation) suggestBlocked(ctx context.Context, in kernel.Input) ([]*kernel.Choice, error) {
	users, err := b.Market.Moderation.BlockedUsers(ctx, in.Actor, blockedShown)
	if core.KindOf(err) == core.Forbidden {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var choices []*kernel.Choice
	for _, u := range users {
		if strings.Contains(strings.ToLower(u.Username), strings.ToLower(in.Text("user"))) {
			choices = append(choices, &kernel.Choice{Name: "@" + u.Username, Value: fmt.Sprint(u.ID)})
		}
	}
	return choices, nil
}

// blockedUsers lists the blocked users with the reasons.
func (b Moderation) blockedUsers(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	users, err := b.Market.Moderation.BlockedUsers(ctx, in.Actor, auditShown)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(users) == 0 {
		return kernel.Private(in.Tr.Text(msg.NoneBlocked)), nil
	}
	var text discord.Markdown
	for _, u := range users {
		text = kernel.Joined(text, kernel.Joined("**"+accountOf(u)+"** · "+kernel.Timestamp(u.BlockedAt),
			discord.ClipMarkdown(discord.Quote(discord.FirstLine(u.BlockedFor)), 120)))
	}
	return kernel.Reply{Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.BlockedTitle)), Color: kernel.ColourUsual, Description: string(text),
	}}}, nil
}

// accountOf mentions a user.
func accountOf(u people.User) discord.Markdown {
	return kernel.Mention(u.Username, people.Account{DiscordID: u.DiscordID})
}

const auditShown = 10

// audit lists the actions of moderators.
func (b Moderation) audit(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	return b.auditBefore(ctx, in, 0)
}

func (b Moderation) auditButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	reply, err := b.auditBefore(ctx, in, core.AuditID(in.ID.Number(0)))
	reply.Redraw = true
	return reply, err
}

func (b Moderation) auditBefore(
	ctx context.Context, in kernel.Input, before core.AuditID,
) (kernel.Reply, error) {
	entries, err := b.Market.Moderation.AuditEntries(ctx, in.Actor, before, auditShown+1)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(entries) == 0 {
		return kernel.Private(in.Tr.Text(msg.LogEmpty)), nil
	}
	more := len(entries) > auditShown
	entries = entries[:min(len(entries), auditShown)]
	var ids []core.UserID
	for _, e := range entries {
		ids = append(ids, e.Moderator, e.Subject)
	}
	people := b.Accounts(ctx, ids...)
	var text discord.Markdown
	for _, e := range entries {
		text = kernel.Joined(text, AuditLine(in.Tr, e, people))
	}
	reply := kernel.Reply{Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.AuditTitle)), Color: kernel.ColourUsual, Description: string(text),
	}}}
	var undo []discordgo.MessageComponent
	for _, e := range entries {
		if e.Undoable && len(undo) < undoShown {
			undo = append(undo, kernel.Button(kernel.UndoID(core.UndoRemoval, e.ID),
				discordgo.SecondaryButton, in.Tr.Plain(msg.Undo, "item", e.ItemName)))
		}
	}
	if len(undo) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(undo...))
	}
	if buttons := older(in.Tr, "audit", int64(before), more,
		int64(entries[len(entries)-1].ID)); len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	return reply, nil
}

// undoShown limits the entries of a list that can be undone from it: a row has as many buttons.
const undoShown = 5

// undoButton undoes a removal or a decision on a name, and shows the log again.
func (b Moderation) undoButton(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	if _, err := b.Market.Undo(ctx, in.Actor, core.UndoRemoval, in.ID.Number(0)); err != nil {
		return kernel.Reply{}, err
	}
	b.WakeSync()
	reply, err := b.auditBefore(ctx, in, 0)
	reply.Redraw = true
	if err == nil {
		reply.Text = in.Tr.Text(msg.Undone)
	}
	return reply, err
}

// AuditLine shows one entry of the moderation log: moderator, action, user, time and reason.
func AuditLine(t kernel.Translator, e core.AuditEntry, people people.Accounts) discord.Markdown {
	who := func(id core.UserID, name string) discord.Markdown {
		switch {
		case id == 0:
			return t.Text(msg.AVisitor)
		case name == "":
			return t.Text(msg.DeletedUser)
		}
		return kernel.Mention(name, people[id])
	}
	moderator, subject := who(e.Moderator, e.ModeratorName), who(e.Subject, e.SubjectName)
	var line discord.Markdown
	switch e.Action {
	case core.AuditOrderRemoved:
		line = t.Text(msg.AuditOrder, "moderator", moderator, "item", e.ItemName, "user", subject)
	case core.AuditOfferRemoved:
		line = t.Text(msg.AuditOffer, "moderator", moderator, "item", e.ItemName, "user", subject)
	case core.AuditListingRemoved:
		line = t.Text(msg.AuditListing, "moderator", moderator, "item", e.ItemName, "user", subject)
	case core.AuditListingRestored:
		line = t.Text(msg.AuditRestoredListing, "moderator", moderator, "item", e.ItemName, "user", subject)
	case core.AuditUserBlocked:
		line = t.Text(msg.AuditBlock, "moderator", moderator, "user", subject)
	case core.AuditUserUnblocked:
		line = t.Text(msg.AuditUnblock, "moderator", moderator, "user", subject)
	case core.AuditOrderRestored:
		line = t.Text(msg.AuditRestoredOrder, "moderator", moderator, "item", e.ItemName, "user", subject)
	case core.AuditOfferRestored:
		line = t.Text(msg.AuditRestoredOffer, "moderator", moderator, "item", e.ItemName, "user", subject)
	case core.AuditReportDismissed:
		line = t.Text(msg.AuditDismiss, "moderator", moderator, "item", e.ItemName, "user", subject)
	case core.AuditUserVouched:
		line = t.Text(msg.AuditVouch, "moderator", moderator, "user", subject)
	case core.AuditUserSetAside:
		line = t.Text(msg.AuditSetAside, "moderator", moderator, "user", subject)
	case core.AuditUserCountedAgain:
		line = t.Text(msg.AuditCountedAgain, "moderator", moderator, "user", subject)
	case core.AuditUserNotInRing:
		line = t.Text(msg.AuditNotInRing, "moderator", moderator, "user", subject)
	case core.AuditSignedInOnlyOn:
		line = t.Text(msg.AuditSignedInOnlyOn, "moderator", moderator)
	case core.AuditProgramsTradeOn:
		line = t.Text(msg.AuditProgramsTradeOn, "moderator", moderator)
	case core.AuditProgramsTradeOff:
		line = t.Text(msg.AuditProgramsTradeOff, "moderator", moderator)
	case core.AuditWebhookMade:
		line = t.Text(msg.AuditWebhookMade, "moderator", moderator)
	case core.AuditWebhookChanged:
		line = t.Text(msg.AuditWebhookChanged, "moderator", moderator)
	case core.AuditWebhookEnded:
		line = t.Text(msg.AuditWebhookEnded, "moderator", moderator)
	case core.AuditSignedInOnlyOff:
		line = t.Text(msg.AuditSignedInOnlyOff, "moderator", moderator)
	case core.AuditItemConfirmed:
		line = t.Text(msg.AuditItemConfirmed, "moderator", moderator, "item", e.ItemName)
	case core.AuditItemMerged:
		return t.Text(msg.AuditItemMerged, "moderator", moderator, "name", e.ItemName,
			"item", e.Reason) + " · " + kernel.Timestamp(e.At)
	case core.AuditItemIgnored:
		line = t.Text(msg.AuditItemIgnored, "moderator", moderator, "name", e.ItemName)
	case core.AuditItemReopened:
		line = t.Text(msg.AuditItemReopened, "moderator", moderator, "name", e.ItemName)
	case core.AuditDisputeMet:
		line = t.Text(msg.AuditDisputeMet, "moderator", moderator, "item", e.ItemName)
	case core.AuditDisputeNotMet:
		line = t.Text(msg.AuditDisputeNotMet, "moderator", moderator, "item", e.ItemName)
	case core.AuditDisputeReopened:
		line = t.Text(msg.AuditDisputeReopened, "moderator", moderator, "item", e.ItemName)
	case core.AuditDisputeLookedAt:
		line = t.Text(msg.AuditDisputeLookedAt, "moderator", moderator, "item", e.ItemName)
	case core.AuditNameAllowed:
		line = t.Text(msg.AuditNameAllowed, "moderator", moderator, "user", subject)
	case core.AuditNameMarkedAgain:
		line = t.Text(msg.AuditNameMarked, "moderator", moderator, "user", subject)
	case core.AuditReachStopped:
		line = t.Text(msg.AuditReachStopped, "moderator", moderator, "user", subject)
	case core.AuditReachAllowed:
		line = t.Text(msg.AuditReachAllowed, "moderator", moderator, "user", subject)
	default: // written by a newer program
		line = t.Text(msg.AuditOther, "moderator", moderator)
	}
	line += " · " + kernel.Timestamp(e.At)
	if e.Reason == "" {
		return line
	}
	return kernel.Joined(line, discord.ClipMarkdown(discord.Quote(discord.FirstLine(e.Reason)), 120))
}
