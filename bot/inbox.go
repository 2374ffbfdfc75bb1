package bot

import (
	"context"
	"fmt"
	"log/slog"
	"sync"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// inboxShown is how many notices a page of the inbox has.
const inboxShown = 10

// inbox shows the newest notices, whether or not they arrived as direct messages, and marks them as read.
func (b noticesBot) inbox(ctx context.Context, in Input) (Reply, error) {
	before := core.NoticeID(in.id.Number(0)) // zero for the command
	page, err := b.market.Notices(ctx, in.Actor, before, inboxShown)
	if err != nil {
		return Reply{}, err
	}
	if len(page.Notices) == 0 {
		reply := private(in.tr.text(msg.InboxEmpty))
		reply.redraw = before != 0
		return reply, nil
	}
	by := make([]core.UserID, len(page.Notices))
	for i, n := range page.Notices {
		by[i] = n.CausedBy
	}
	accounts, err := b.market.Accounts(ctx, by...)
	if err != nil {
		return Reply{}, fmt.Errorf("accounts of notices: %w", err)
	}
	var list discord.Markdown
	for _, n := range page.Notices {
		line := b.inboxLine(in.tr, n, accounts) + " · " + timestamp(n.CreatedAt)
		if n.ReadAt.IsZero() {
			line = "🔹 " + line
		}
		list = joined(list, "- "+line)
	}
	reply := Reply{redraw: before != 0, cards: []*discord.Card{{
		Title: string(in.tr.text(msg.InboxTitle)), URL: b.pageURL("/inbox"), Color: colourUsual, Description: string(list),
	}}}
	var buttons []discordgo.MessageComponent
	if page.Next != 0 {
		buttons = append(buttons, button(discord.NewCustomID("inbox", page.Next), discordgo.SecondaryButton, in.tr.plain(msg.Older)))
	}
	if buttons = append(buttons, webLink(b.pageURL("/inbox"), in.tr.plain(msg.OpenWeb))...); len(buttons) > 0 {
		reply.rows = append(reply.rows, row(buttons...))
	}
	if before == 0 && page.Unread > 0 {
		if err := b.market.ReadNotices(ctx, in.Actor, page.Notices[0].ID); err != nil {
			return Reply{}, err
		}
	}
	return reply, nil
}

func (b noticesBot) inboxLine(t translator, n core.Notice, accounts core.Accounts) discord.Markdown {
	if n.Kind == core.NoticeDMFailed {
		return t.text(msg.InboxFailed, t.stored(n.Message, reasonClosed, reasonNoServer, reasonGone))
	}
	return b.digestLine(t, n, accounts)
}

// reminders have the newest notice of which each user without direct messages was reminded, so that one reminds once.
type reminders struct {
	mu   sync.Mutex
	last map[core.UserID]core.NoticeID
}

// maxReminders is how many users are remembered. Those who are forgotten are reminded once more.
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

// remind tells a user whom direct messages don't reach, below the answer to a command, what waits in the inbox.
func (b noticesBot) remind(ctx context.Context, log *slog.Logger, in Input, user core.UserID) {
	ctx, cancel := context.WithTimeout(ctx, answerTime)
	defer cancel()
	actor := core.Actor{UserID: user}
	_, closed, err := b.market.NoticeSettings(ctx, actor)
	if err == nil && closed == "" {
		return
	}
	var page core.NoticePage
	if err == nil {
		page, err = b.market.Notices(ctx, actor, 0, 1)
	}
	if err == nil && page.Unread > 0 && len(page.Notices) > 0 && b.reminded.fresh(user, page.Notices[0].ID) {
		note := private(in.tr.text(msg.InboxWaiting, page.Unread))
		note.rows = append(note.rows, row(button(discord.NewCustomID("inbox"), discordgo.PrimaryButton, in.tr.plain(msg.InboxButton))))
		_, err = b.discord.FollowUp(ctx, in.i, note.message(), note.flags())
	}
	if err != nil {
		log.Warn("user not reminded of the inbox", "user", user, "error", err)
	}
}
