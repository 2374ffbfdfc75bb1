package kernel

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/people"
	msg "tradepost/core/text"
)

// NotePlace stores where orders were posted, so that their trades can have threads there. They are worth
// posting without.
func (k *Kernel) NotePlace(ctx context.Context, in Input, orders ...core.OrderID) {
	if !k.Features.Threads || in.Interaction.GuildID == "" || len(orders) == 0 {
		return
	}
	place := channels.ThreadPlace{GuildID: in.Interaction.GuildID, ChannelID: in.Interaction.ChannelID,
		Locale: in.Interaction.GuildLanguage()}
	if err := k.Places.SaveOrderPlaces(ctx, orders, place); err != nil {
		k.Log.Warn("place of a request not noted", "orders", orders, "error", err)
	}
}

// Errors for users who are not members of the servers that the bot is limited to, and for users with unknown
// membership.

func membersOnly(site string) core.Text {
	return core.NewText("members_only", "site", site)
}

func membershipNotKnown(site string) core.Text {
	return core.NewText("membership_not_known", "site", site)
}

// mustBeMember returns Forbidden for an interaction outside servers by an account that is a member of none
// of the servers that the bot is limited to, and Unavailable when that is not known.
func (k *Kernel) mustBeMember(ctx context.Context, i *discord.Interaction) error {
	id := i.Author().ID
	if i.GuildID != "" || len(k.Servers) == 0 || id == "" {
		return nil
	}
	shared, err, _ := k.Members.asking.Do(id, func() (any, error) { return k.membership(ctx, id) })
	if err != nil {
		return err
	}
	switch m := shared.(people.Membership); {
	case !m.Known(k.Now()):
		return core.NewError(core.Unavailable, membershipNotKnown(k.SiteName))
	case !m.Member:
		return core.NewError(core.Forbidden, membersOnly(k.SiteName))
	}
	return nil
}

// membership returns an account's known membership. It asks Discord when that is due, and stores the answer.
func (k *Kernel) membership(ctx context.Context, id string) (people.Membership, error) {
	servers := slices.Compact(slices.Sorted(slices.Values(k.Servers)))
	m, err := k.Members.store.Membership(ctx, id, strings.Join(servers, ","))
	if err != nil {
		return m, fmt.Errorf("membership: %w", err)
	}
	now := k.Now()
	if !m.Due(now) {
		return m, nil
	}
	m.TriedAt = now
	member, err := k.Discord.MemberOfAny(ctx, servers, id)
	if err == nil {
		m.Member, m.AnsweredAt = member, now
	} else {
		k.Log.Warn("membership of the named servers not known", "error", err)
	}
	if err := k.Members.store.SaveMembership(ctx, m); err != nil {
		return m, fmt.Errorf("save membership: %w", err)
	}
	return m, nil
}

// serves reports whether the bot answers where an interaction was made: in the servers that it is limited to,
// and outside of servers, where mustBeMember checks the user.
func (k *Kernel) serves(i *discord.Interaction) bool {
	return i.GuildID == "" || len(k.Servers) == 0 || slices.Contains(k.Servers, i.GuildID)
}

// elsewhere answers in a server that the bot does not serve.
func (k *Kernel) elsewhere(in Input) Reply {
	reply := Private(in.Tr.Text(msg.OtherServer, "site", k.SiteName))
	if link := WebLink(k.PublicURL, in.Tr.Plain(msg.OpenWeb)); len(link) > 0 {
		reply.Rows = append(reply.Rows, Row(link...))
	}
	return reply
}
