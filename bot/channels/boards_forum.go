package channels

import (
	"context"
	"slices"
	"strings"
	"time"

	"tradepost/bot/channelsync"
	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/core/text"
)

// postRetry is after how long a post that is not noted may have been made by an earlier attempt.
const postRetry = 100 * time.Millisecond

// sendPost makes the post of a forum that shows an order, with its tags, or finds the one that an earlier
// attempt has made.
func (m *boardMessage) sendPost(ctx context.Context, body discord.Message) (postID string, err error) {
	t, s := m.Translator(m.board.Locale), m.subjects[0]
	name := s.label(t)
	if m.Now().Sub(m.first.StartedAt) > postRetry {
		made, err := m.Discord.FindPost(ctx, m.board.GuildID, m.board.ChannelID, name,
			m.press())
		if err != nil || made != "" {
			return made, err
		}
	}
	tags, err := m.Discord.ForumTags(ctx, m.board.ChannelID)
	if err != nil {
		return "", err
	}
	return m.Discord.CreatePost(ctx, m.board.ChannelID, name, tagsOf(t, tags, s, true), body)
}

// editPost edits a post, and sets its tags and closes it with its order. A post that a user has deleted is
// not made again.
func (m *boardMessage) editPost(ctx context.Context, body discord.Message) (gone bool, err error) {
	gone, err = m.EditMessage(ctx, m.messageID, m.messageID, body, channelsync.ChannelGone)
	if err != nil || gone || !m.turned {
		return gone, err
	}
	tags, err := m.Discord.ForumTags(ctx, m.board.ChannelID)
	if err != nil {
		return false, err
	}
	open := m.posts[0].ShownOpen
	set := tagsOf(m.Translator(m.board.Locale), tags, m.subjects[0], open)
	return false, m.Discord.SetPost(ctx, m.messageID, set, !open)
}

// tagsOf are the ids of a forum's tags that are called like an order's profession and its state, in this
// language or in English, or like a listing's and that it is for sale.
func tagsOf(t kernel.Translator, tags []discord.Tag, s boardSubject, open bool) []string {
	english := kernel.TranslatorFor("", t.Game)
	state := msg.BoardTagClosed
	if open {
		state = msg.BoardTagOpen
	}
	wanted := []string{t.Plain(state), english.Plain(state)}
	if c := s.category(); c != "" {
		wanted = append(wanted, string(c), t.Category(c))
	}
	if s.listing != nil {
		wanted = append(wanted, t.Plain(msg.BoardTagSale), english.Plain(msg.BoardTagSale))
	}
	ids := []string{}
	for _, tag := range tags {
		if slices.ContainsFunc(wanted, func(name string) bool { return strings.EqualFold(name, tag.Name) }) {
			ids = append(ids, tag.ID)
		}
	}
	return ids[:min(len(ids), 5)] // of a post, at most
}
