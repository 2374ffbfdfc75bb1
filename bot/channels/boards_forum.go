package channels

import (
	"context"
	"slices"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/bot/kernel"
	msg "tradepost/bot/text"
	"tradepost/core/channels"
	"tradepost/core/people"
	"tradepost/core/trade"
)

// postRetry is after how long a post that is not noted may have been made by an earlier attempt.
const postRetry = 100 * time.Millisecond

// showPost makes or edits the post of a forum that shows an order, with its tags, and closes it with the
// order.
func (k boardSync) showPost(ctx context.Context, board channels.Board, p channels.BoardPost) error {
	shown := p.ShownOpen
	order, err := k.update(ctx, &p)
	if err != nil {
		return err
	}
	var poster people.Account
	if order != nil {
		poster = k.Account(ctx, order.Owner)
	}
	t := k.Translator(board.Locale)
	body := k.BoardCard(t, p, order, poster, k.pingsIn(ctx, p))
	switch {
	case p.MessageID != "":
		var gone bool
		gone, err = k.Edit(ctx, p.MessageID, p.MessageID, body)
		p.Finished = p.Finished || gone
		if err == nil && !gone && shown != p.ShownOpen {
			err = k.tagPost(ctx, t, p, order)
		}
		if discord.HasCode(err, discordgo.ErrCodeUnknownChannel) {
			p.Finished, err = true, nil // a user deleted the post on purpose: do not make it again
		}
		if err != nil {
			defer k.Edits.Stays(p.MessageID)
			return k.EditFailed(p.MessageID, err)
		}
	case !p.ShownOpen:
		p.Finished = true // closed before it was shown
	default:
		p.MessageID, err = k.makePost(ctx, t, board, p, *order, body)
	}
	if err != nil {
		return err
	}
	return k.save(ctx, p)
}

func (k boardSync) makePost(
	ctx context.Context, t kernel.Translator, board channels.Board, p channels.BoardPost, o trade.Order,
	body discord.Message,
) (string, error) {
	name := t.OrderLabel(o)
	if k.Now().Sub(p.StartedAt) > postRetry {
		made, err := k.Discord.FindPost(ctx, board.GuildID, board.ChannelID, name,
			discord.NewCustomID("make-offer", o.ID))
		if err != nil || made != "" {
			return made, err
		}
	}
	tags, err := k.Discord.ForumTags(ctx, board.ChannelID)
	if err != nil {
		return "", err
	}
	return k.Discord.CreatePost(ctx, board.ChannelID, name, tagsOf(t, tags, &o, true), body)
}

func (k boardSync) tagPost(
	ctx context.Context, t kernel.Translator, p channels.BoardPost, o *trade.Order,
) error {
	tags, err := k.Discord.ForumTags(ctx, p.ChannelID)
	if err != nil {
		return err
	}
	return k.Discord.SetPost(ctx, p.MessageID, tagsOf(t, tags, o, p.ShownOpen), !p.ShownOpen)
}

// tagsOf are the ids of a forum's tags that are called like an order's profession and its state, in this
// language or in English. An order that was deleted is nil.
func tagsOf(t kernel.Translator, tags []discord.Tag, o *trade.Order, open bool) []string {
	english := kernel.TranslatorFor("", t.Game)
	state := msg.BoardTagClosed
	if open {
		state = msg.BoardTagOpen
	}
	wanted := []string{t.Plain(state), english.Plain(state)}
	if o != nil {
		wanted = append(wanted, string(o.Category), t.Category(o.Category))
	}
	ids := []string{}
	for _, tag := range tags {
		if slices.ContainsFunc(wanted, func(name string) bool { return strings.EqualFold(name, tag.Name) }) {
			ids = append(ids, tag.ID)
		}
	}
	return ids[:min(len(ids), 5)] // of a post, at most
}
