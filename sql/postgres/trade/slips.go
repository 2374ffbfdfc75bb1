package trade

import (
	"context"
	"maps"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/db"
	"tradepost/sql/postgres/kernel"
)

// PlaceLife is how long it is kept where two traders meet, since one of them said it.
const PlaceLife = 90 * 24 * time.Hour

// Slip returns the open trades between a user and a partner. It returns a NotFound error when one of them is
// gone.
func (s *Store) Slip(ctx context.Context, user, partner core.UserID, limit int) (trade.SlipRows, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.SlipRows, error) {
		return slipRows(ctx, q, user, partner, limit)
	})
}

// TradeDetails returns an accept of which a user is a side, and what is open with the other side.
func (s *Store) TradeDetails(
	ctx context.Context, user core.UserID, sale core.SaleID, limit int,
) (trade.DetailsRows, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) (trade.DetailsRows, error) {
		r, err := q.TradeDetails(ctx, sale, int64(user))
		if err != nil {
			return trade.DetailsRows{}, err
		}
		rows := trade.DetailsRows{SlipLine: trade.SlipLine{
			Trade: Trade(r.Trade), Description: r.Description, Message: r.Message,
		}}
		if r.ReversedAt.Unix() > 0 {
			rows.ReversedAt = r.ReversedAt
		}
		if partner := rows.Trade.Other(user).User; partner != 0 {
			rows.Slip, err = slipRows(ctx, q, user, partner, limit)
		}
		return rows, err
	})
}

func slipRows(
	ctx context.Context, q *db.Queries, user, partner core.UserID, limit int,
) (trade.SlipRows, error) {
	lines, err := q.SlipLines(ctx, db.SlipLinesParams{
		UserID: int64(user), PartnerID: int64(partner), Most: int32(limit),
	})
	if err != nil {
		return trade.SlipRows{}, err
	}
	p, err := q.SlipParties(ctx, partner, user)
	if err != nil {
		return trade.SlipRows{}, err
	}
	rows := trade.SlipRows{
		Lines: kernel.Convert(lines, slipLine), Blocked: p.Blocked,
		Own: trade.SlipParty{
			User: p.OwnID,
			Account: people.Account{
				DiscordID: p.OwnDiscordID, Username: p.OwnUsername, DisplayName: p.OwnDisplayName,
			},
			InGameNames: nameOrNone(p.OwnInGameName),
		},
		Partner: trade.SlipParty{
			User: p.PartnerID,
			Account: people.Account{
				DiscordID: p.PartnerDiscordID, Username: p.PartnerUsername,
				DisplayName: p.PartnerDisplayName,
			},
			InGameNames: nameOrNone(p.PartnerInGameName),
		},
	}
	if p.Place != "" {
		rows.Place = trade.MeetingPlace{Text: p.Place, SaidBy: core.UserID(p.SaidBy), SaidAt: p.SaidAt}
	}
	return rows, nil
}

func nameOrNone(name string) []string {
	if name == "" {
		return nil
	}
	return []string{name}
}

func slipLine(r db.SlipLinesRow) trade.SlipLine {
	return trade.SlipLine{Trade: Trade(r.Trade), Description: r.Description, Message: r.Message}
}

// SlipPartners returns the partners that a user has open trades with, the partner of the latest first.
func (s *Store) SlipPartners(ctx context.Context, user core.UserID, limit int) ([]trade.SlipPartner, error) {
	return kernel.Read(ctx, s.DB, func(ctx context.Context, q *db.Queries) ([]trade.SlipPartner, error) {
		rows, err := q.SlipPartners(ctx, int64(user), int32(limit))
		return kernel.Convert(rows, func(r db.SlipPartnersRow) trade.SlipPartner {
			return trade.SlipPartner{
				User: r.ID, Open: int(r.Open),
				Account: people.Account{
					DiscordID: r.DiscordID, Username: r.Username, DisplayName: r.DisplayName,
					Avatar: r.Avatar,
				},
			}
		}), err
	})
}

// ExportedPlaces returns where a user and their partners meet.
func ExportedPlaces(ctx context.Context, q *db.Queries, user core.UserID) ([]trade.ExportedPlace, error) {
	rows, err := q.MeetingPlacesOf(ctx, int64(user))
	return kernel.Convert(rows, func(r db.MeetingPlacesOfRow) trade.ExportedPlace {
		return trade.ExportedPlace{
			MeetingPlace: trade.MeetingPlace{Text: r.Place, SaidBy: core.UserID(r.SaidBy), SaidAt: r.SaidAt},
			Partner:      core.UserID(r.Partner),
		}
	}), err
}

// MayMeet reports whether something is open between two users, and whether one has blocked the other.
func (t *HandoverTx) MayMeet(ctx context.Context, user, partner core.UserID) (open, blocked bool, err error) {
	r, err := t.Q.MayMeet(ctx, int64(user), int64(partner))
	return r.Open, r.Blocked, kernel.Translate(err)
}

// SaveMeetingPlace stores where the user who says it and a partner meet.
func (t *HandoverTx) SaveMeetingPlace(ctx context.Context, partner core.UserID, p trade.MeetingPlace) error {
	t.NoteWrite()
	t.NoteUsers(p.SaidBy, partner)
	if p.Text == "" {
		return kernel.Translate(t.Q.DeleteMeetingPlace(ctx, int64(p.SaidBy), int64(partner)))
	}
	return kernel.Translate(t.Q.SaveMeetingPlace(ctx, db.SaveMeetingPlaceParams{
		SaidBy: int64(p.SaidBy), PartnerID: int64(partner), Place: p.Text, SaidAt: p.SaidAt,
	}))
}

// LockMeeting locks when two users meet.
func (t *HandoverTx) LockMeeting(ctx context.Context, a, b core.UserID) error {
	return kernel.Translate(t.Q.LockMeeting(ctx, int64(a), int64(b)))
}

// OpenWithSameSides returns the open handovers between the sides of one.
func (t *HandoverTx) OpenWithSameSides(
	ctx context.Context, sale core.SaleID, limit int,
) ([]core.SaleID, error) {
	sales, err := t.Q.OpenWithSameSides(ctx, int32(limit), sale)
	return sales, kernel.Translate(err)
}

// MeetingBetween returns the next time that is proposed to two users; zero for none.
func (t *HandoverTx) MeetingBetween(
	ctx context.Context, a, b core.UserID, now time.Time,
) (time.Time, error) {
	times, err := t.Q.MeetingBetween(ctx, db.MeetingBetweenParams{
		UserID: int64(a), PartnerID: int64(b), Now: now,
	})
	if err != nil || len(times) == 0 {
		return time.Time{}, kernel.Translate(err)
	}
	return times[0], nil
}

// Players returns when two users play and when they take no messages.
func (t *HandoverTx) Players(
	ctx context.Context, a, b core.UserID,
) (first, second hours.Player, err error) {
	rows, err := t.Q.Players(ctx, kernel.Raw([]core.UserID{a, b}))
	for _, r := range rows {
		player := playerOf(r)
		if r.ID == a {
			first = player
		} else {
			second = player
		}
	}
	return first, second, kernel.Translate(err)
}

func playerOf(r db.PlayersRow) hours.Player {
	var said hours.Week
	copy(said[:], r.Said)
	wishes := notify.Settings{QuietFrom: r.QuietFrom, QuietTo: r.QuietTo, TimeZone: r.TimeZone}
	return hours.Player{Week: said.With(hours.Learned(r.Learned)), Quiet: func(at time.Time) bool {
		_, quiet := wishes.Quiet(at)
		return quiet
	}}
}

// LearnPlayHours counts a meeting in an hour of the week for each of the users who want that counted.
func (t *HandoverTx) LearnPlayHours(ctx context.Context, met map[core.UserID]int) error {
	users := slices.Sorted(maps.Keys(met))
	return kernel.Translate(t.Q.LearnPlayHours(ctx, kernel.Raw(users),
		kernel.Convert(users, func(u core.UserID) int { return met[u] + 1 })))
}
