package bot

import (
	"context"
	"strings"
	"time"

	"tradepost/bot/discord"
	msg "tradepost/bot/text"
	"tradepost/core"
)

// lookAtTrader shows what everybody may know of a trader: the one with a username, else the actor.
func (b peopleBot) lookAtTrader(ctx context.Context, in Input) (Reply, error) {
	var (
		t   core.TraderPage
		err error
	)
	if name := in.text("name"); name != "" {
		t, err = b.market.FindTrader(ctx, name)
	} else {
		t, err = b.market.TraderPage(ctx, in.Actor.UserID)
	}
	if err != nil {
		return Reply{}, err
	}
	text := in.tr.record(t.Record)
	if t.Established {
		text += "\n" + in.tr.text(msg.TraderEstablished)
	}
	text += "\n" + in.tr.text(msg.TraderSince, day(t.Since))
	return Reply{cards: []*discord.Card{{
		Title: string(discord.Escape(t.Name)), URL: b.traderURL(t.User), Color: colourUsual, Description: string(text),
	}}}, nil
}

// record says in a line what a trader's handovers came to.
func (t translator) record(r core.Record) discord.Markdown {
	if r.New() {
		return t.text(msg.RecordNew, core.RecordPartners)
	}
	partners := t.text(msg.RecordPartners, r.Partners)
	if r.Others > 0 {
		partners += " " + t.text(msg.RecordOthers, r.Others)
	}
	parts := []string{string(partners), string(t.text(msg.RecordMet, r.Met))}
	if r.Kept != core.NoShare {
		parts = append(parts, string(t.text(msg.RecordKept, r.Kept)))
	}
	if r.MeetsIn > 0 {
		parts = append(parts, string(t.text(msg.RecordMeets, t.within(r.MeetsIn))))
	}
	return discord.Markdown(strings.Join(parts, " · "))
}

// within is a time in whole hours or days, rounded up.
func (t translator) within(d time.Duration) string {
	if hours := int((d + time.Hour - 1) / time.Hour); hours < 48 {
		return t.plain(msg.WaitHour, hours)
	}
	return t.plain(msg.WaitDay, int((d+24*time.Hour-1)/(24*time.Hour)))
}

// recordLine is the record of one trader for a message; empty without the feature, for visitors, and when it cannot be read.
func (d *Drawer) recordLine(ctx context.Context, t translator, user core.UserID) discord.Markdown {
	return d.recordLines(ctx, t, user)[user]
}

// recordLines are the records of traders for messages, by trader.
func (d *Drawer) recordLines(ctx context.Context, t translator, users ...core.UserID) map[core.UserID]discord.Markdown {
	lines := map[core.UserID]discord.Markdown{}
	if !d.features.Records {
		return lines
	}
	records, err := d.market.Records(ctx, users...)
	if err != nil {
		d.log.Warn("records not read", "error", err)
		return lines
	}
	for id, r := range records {
		lines[id] = t.record(r)
	}
	return lines
}

// recordField is the field of a card with the record of one who is named there; none for an empty one.
func (t translator) recordField(line discord.Markdown) []*discord.CardField {
	if line == "" {
		return nil
	}
	return []*discord.CardField{{Name: string(t.text(msg.RecordTitle)), Value: string(line), Inline: true}}
}

// sellersOf lists the sellers of offers, without visitors.
func sellersOf(offers []core.Offer) []core.UserID {
	var users []core.UserID
	for _, o := range offers {
		if o.Verified() {
			users = append(users, o.Seller)
		}
	}
	return users
}

func (b peopleBot) traderURL(id core.UserID) string { return b.pageURL("/traders/" + idText(id)) }
