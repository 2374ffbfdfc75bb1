package notices

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	"tradepost/core"
	"tradepost/core/notify"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// inboxShown limits the notices on a page of the inbox.
const inboxShown = 10

// inbox shows the newest notices, whether or not they arrived as direct messages, and marks them as read.
func (b Notices) inbox(ctx context.Context, in kernel.Input) (kernel.Reply, error) {
	before := core.NoticeID(in.ID.Number(0)) // zero for the command
	page, err := b.Market.Notify.Notices(ctx, in.Actor, before, inboxShown)
	if err != nil {
		return kernel.Reply{}, err
	}
	if len(page.Notices) == 0 {
		reply := kernel.Private(in.Tr.Text(msg.InboxEmpty))
		reply.Redraw = before != 0
		return reply, nil
	}
	by := make([]core.UserID, len(page.Notices))
	for i, n := range page.Notices {
		by[i] = n.CausedBy
	}
	accounts, err := b.Market.People.Accounts(ctx, by...)
	if err != nil {
		return kernel.Reply{}, fmt.Errorf("accounts of notices: %w", err)
	}
	var list discord.Markdown
	for _, n := range page.Notices {
		line := b.inboxLine(in.Tr, n, accounts) + " · " + kernel.Timestamp(n.CreatedAt)
		if n.ReadAt.IsZero() {
			line = "🔹 " + line
		}
		list = kernel.Joined(list, "- "+line)
	}
	reply := kernel.Reply{Redraw: before != 0, Cards: []*discord.Card{{
		Title: string(in.Tr.Text(msg.InboxTitle)), URL: b.PageURL("/inbox"), Color: kernel.ColourUsual,
		Description: string(list),
	}}}
	var buttons []discordgo.MessageComponent
	if page.Next != 0 {
		buttons = append(buttons, kernel.Button(discord.NewCustomID("inbox", page.Next),
			discordgo.SecondaryButton, in.Tr.Plain(msg.Older)))
	}
	if buttons = append(buttons, kernel.WebLink(b.PageURL("/inbox"),
		in.Tr.Plain(msg.OpenWeb))...); len(buttons) > 0 {
		reply.Rows = append(reply.Rows, kernel.Row(buttons...))
	}
	if before == 0 && page.Unread > 0 {
		if err := b.Market.Notify.ReadNotices(ctx, in.Actor, page.Notices[0].ID); err != nil {
			return kernel.Reply{}, err
		}
	}
	return reply, nil
}

func (b Notices) inboxLine(t kernel.Translator, n notify.Notice, accounts people.Accounts) discord.Markdown {
	if n.Kind == notify.NoticeDMFailed {
		return t.Text(msg.InboxFailed,
			"reason", t.Stored(n.Message, reasonClosed, reasonNoServer, reasonGone))
	}
	return b.digestLine(t, n, accounts)
}

// reminders have the newest notice of which each user without direct messages was reminded, so that one
// reminds once.
type reminders struct {
	mu   sync.Mutex
	last map[core.UserID]core.NoticeID
}

// maxReminders limits the users that are remembered. A forgotten user is reminded once more.
const maxReminders = 10_000

// fresh reports whether a user was not reminded of a notice yet, and notes it.
func (r *reminders) fresh(user core.UserID, newest core.NoticeID) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last[user] >= newest {
		return false
	}
	if r.last == nil || len(r.last) >= maxReminders {
		r.last = map[core.UserID]core.NoticeID{}
	}
	r.last[user] = newest
	return true
}

// remind adds a follow-up to the answer to a command: it lists the waiting notices in the inbox, for a user
// who does not receive direct messages.
func (b Notices) remind(ctx context.Context, log *slog.Logger, in kernel.Input, user core.UserID) {
	ctx, cancel := context.WithTimeout(ctx, kernel.AnswerTime)
	defer cancel()
	actor := core.Actor{UserID: user}
	_, closed, err := b.Market.Notify.Settings(ctx, actor)
	if err == nil && closed == "" {
		return
	}
	var page notify.Page
	if err == nil {
		page, err = b.Market.Notify.Notices(ctx, actor, 0, 1)
	}
	if err == nil && page.Unread > 0 && len(page.Notices) > 0 && b.reminded.fresh(user, page.Notices[0].ID) {
		note := kernel.Private(in.Tr.Text(msg.InboxWaiting, "count", page.Unread))
		note.Rows = append(note.Rows, kernel.Row(kernel.Button(discord.NewCustomID("inbox"),
			discordgo.PrimaryButton, in.Tr.Plain(msg.InboxButton))))
		_, err = b.Discord.FollowUp(ctx, in.Interaction, note.Message(), note.Flags())
	}
	if err != nil {
		log.Warn("user not reminded of the inbox", "user", user, "error", err)
	}
}
