package kernel

import (
	"context"
	"strings"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot/discord"
	"tradepost/core"
	"tradepost/core/people"
	msg "tradepost/core/text"
	"tradepost/core/trust"
)

// Leaving says when the data of a user who leaves are deleted, with the one button that they have.
func (t Translator) Leaving(text msg.Key, deleted time.Time) Reply {
	reply := Private(t.Text(text, "date", Day(deleted)))
	reply.Rows = []discordgo.MessageComponent{Row(
		Button(discord.NewCustomID(CancelLeaving), discordgo.PrimaryButton, t.Plain(msg.CancelLeaving)),
	)}
	return reply
}

// CancelLeaving is the button of a user who is leaving.
const CancelLeaving = "cancel-leaving"

// Mention shows a contact that belongs to an account: it can be clicked and pings no user. Without
// an account it is a name to copy.
func Mention(contact string, a people.Account) discord.Markdown {
	if a.DiscordID == "" {
		return Username(contact)
	}
	return discord.Markdown("<@"+a.DiscordID+"> (") + Username(contact) + ")"
}

// unverified shows a contact that was typed and need not be the account's.
func (t Translator) unverified(contact string, a people.Account) discord.Markdown {
	typed := Username(contact) + " " + t.Text(msg.Unverified)
	if a.DiscordID == "" {
		return typed
	}
	return discord.Markdown("<@"+a.DiscordID+">\n") + typed
}

// Account returns the Discord account of a user, for a card. Cards are worth showing without.
func (d *Drawer) Account(ctx context.Context, id core.UserID) people.Account {
	return d.Accounts(ctx, id)[id]
}

// Accounts returns the Discord accounts of users. Those that cannot be read are left out.
func (d *Drawer) Accounts(ctx context.Context, ids ...core.UserID) people.Accounts {
	accounts, err := d.Market.People.Accounts(ctx, ids...)
	if err != nil {
		d.Log.Warn("accounts not found", "error", err)
	}
	return accounts
}

// Record says in a line what a trader's handovers came to.
func (t Translator) Record(r trust.Record) discord.Markdown {
	if r.New() {
		return t.Text(msg.RecordNew)
	}
	partners := t.Text(msg.RecordPartners, "count", r.Partners)
	if r.Others > 0 {
		partners += ", " + t.Text(msg.RecordOthers, "count", r.Others)
	}
	parts := []string{string(partners), string(t.Text(msg.RecordMet, "count", r.Met))}
	if r.Kept != trust.NoShare {
		parts = append(parts, string(t.Text(msg.RecordKept, "percent", r.Kept)))
	}
	if r.MeetsIn > 0 {
		parts = append(parts, string(t.Text(msg.RecordMeets, "wait", within(t, r.MeetsIn))))
	}
	return discord.Markdown(strings.Join(parts, " · "))
}

// within is a time in whole hours or days, rounded up.
func within(t Translator, d time.Duration) string {
	if hours := int((d + time.Hour - 1) / time.Hour); hours < 48 {
		return t.Plain(msg.WaitHour, "count", hours)
	}
	return t.Plain(msg.WaitDay, "count", int((d+24*time.Hour-1)/(24*time.Hour)))
}

// RecordLine is the record of one trader for a message; empty without the feature, for visitors, and when
// it cannot be read.
func (d *Drawer) RecordLine(ctx context.Context, t Translator, user core.UserID) discord.Markdown {
	return d.RecordLines(ctx, t, user)[user]
}

// RecordLines are the records of traders for messages, by trader.
func (d *Drawer) RecordLines(
	ctx context.Context, t Translator, users ...core.UserID,
) map[core.UserID]discord.Markdown {
	lines := map[core.UserID]discord.Markdown{}
	if !d.Features.Records {
		return lines
	}
	records, err := d.Market.Trust.Records(ctx, users...)
	if err != nil {
		d.Log.Warn("records not read", "error", err)
		return lines
	}
	for id, r := range records {
		lines[id] = t.Record(r)
	}
	return lines
}

// RecordField returns the card field with a trader's record; none for an empty one.
func (t Translator) RecordField(line discord.Markdown) []*discord.CardField {
	if line == "" {
		return nil
	}
	return []*discord.CardField{{Name: string(t.Text(msg.RecordTitle)), Value: string(line), Inline: true}}
}

// usersCounted limits the users that a message counts things by.
const usersCounted = 5

// CountedBy counts things in a line for each of a few users that they are by. It shows nothing that they
// typed.
func (t Translator) CountedBy(
	key msg.Key, by []core.UserID, accounts people.Accounts,
) (lines discord.Markdown) {
	var users []core.UserID
	many := map[core.UserID]int{}
	for _, user := range by {
		if many[user]++; many[user] == 1 {
			users = append(users, user)
		}
	}
	for _, user := range users[:min(len(users), usersCounted)] {
		lines += "\n-# " + t.Text(key, "user", accounts[user].Username, "count", many[user])
	}
	if rest := len(users) - usersCounted; rest > 0 {
		lines += "\n-# " + t.Text(msg.AndMore, "count", rest)
	}
	return lines
}
