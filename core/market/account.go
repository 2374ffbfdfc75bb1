package market

import (
	"context"
	"fmt"
	"slices"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/match"
	"tradepost/core/moderation"
	"tradepost/core/notify"
	"tradepost/core/people"
	"tradepost/core/token"
	"tradepost/core/trade"
	"tradepost/core/trust"
	"tradepost/core/webhook"
)

// AccountExport contains everything that the market stores about a user, for the user to download. Messages
// from others are in their notices.
type AccountExport struct {
	TakenAt  time.Time
	User     people.User
	Settings notify.Settings
	Orders   []ExportedOrder
	Offers   []trade.SentOffer
	Sales    []trade.Sale // on either side, newest first, also for deleted orders
	Notices  []notify.Notice
	Reports  []moderation.Report // that they sent, settled ones too
	Blocked  []trust.BlockedSeller
	Removed  []moderation.Removed // by moderators, and kept for an undo
	Skills   []people.Skill       // also in professions of another game
	Searches []match.SavedSearch  // with a bell and without
	Stock    []match.Stock
	Muted    []match.MutedBuyer // buyers that they have muted
	Sessions []people.Session
	Tokens   []token.Token
	Webhooks []webhook.Webhook
	Hours    people.PlayHours // when they play
	// Handovers lists the handovers in which they are a party, newest first.
	Handovers []trade.Trade
	// Record sums up the handovers, as others see it; nil with records off.
	Record *trust.Record

	ExportedRest
}

// ExportedRest is the part of an account export that the user reads nowhere else.
type ExportedRest struct {
	Trader       Established
	Allowed      []ExportedAllowed // their names that may look like an established trader's
	Boards       []channels.Board  // they have made
	Drafts       []ExportedDraft
	ReportsAbout []moderation.Report   // about their orders and offers; without the reporters and their words
	Lists        []trade.ListSummary   // they have posted, newest first
	Places       []trade.ExportedPlace // where they meet partners, the latest said first
	Memberships  []people.Membership   // of the servers that the market is limited to
	Log          []core.AuditEntry     // of moderation: about them (without the moderator) and by them
}

// Established holds the stored facts about an established trader.
type Established struct {
	Since      time.Time // zero when they are none
	Origin     trust.TraderOrigin
	Names      []string    // skeletons of their names, for comparing only
	LookAlikes []time.Time // when they were notified of names that look like theirs
}

// ExportedAllowed is a name that a user may use although it looks like an established trader's.
type ExportedAllowed struct {
	Skeleton    string
	ByModerator bool // or else they used it before the trader did
	At          time.Time
}

// ExportedDraft is a form that a user filled in in Discord and did not send.
type ExportedDraft struct {
	Content   string // JSON
	CreatedAt time.Time
}

// ExportedOrder is an order of the user's with its sales.
type ExportedOrder struct {
	trade.Order
	Sales []trade.Sale
}

// maxSales is more than an order can have: every sale takes at least one of its items.
const maxSales = core.MaxQuantity

// ExportAccount returns everything that is stored about the actor. It fails with Unauthenticated, and with
// Forbidden without a fresh sign-in.
func (m *Market) ExportAccount(ctx context.Context, actor core.Actor) (AccountExport, error) {
	actor.LeavingAt = time.Time{} // users who are leaving may take their data with them
	if err := actor.MustBeUser(); err != nil {
		return AccountExport{}, err
	}
	data := AccountExport{TakenAt: m.Now()}
	if err := actor.MustBeFresh(data.TakenAt); err != nil {
		return AccountExport{}, err
	}
	for _, part := range []func(context.Context, *AccountExport, core.UserID) error{m.exportUser,
		m.exportOrders, m.exportOffers, m.exportSales, m.exportHandovers, m.exportNotices, m.exportReports,
		m.exportRest} {
		if err := part(ctx, &data, actor.UserID); err != nil {
			return AccountExport{}, fmt.Errorf("data of user %d: %w", actor.UserID, err)
		}
	}
	return data, nil
}

func (m *Market) exportUser(ctx context.Context, data *AccountExport, id core.UserID) (err error) {
	if data.User, err = m.store.User(ctx, id); err != nil {
		return err
	}
	if data.Skills, err = m.store.Skills(ctx, id); err != nil {
		return err
	}
	slices.SortFunc(data.Skills, people.Skill.Compare)
	if data.Hours, err = m.store.PlayHours(ctx, id); err != nil {
		return err
	}
	if data.Searches, err = m.store.Searches(ctx, id); err != nil {
		return err
	}
	if data.Stock, err = m.store.Stock(ctx, id); err != nil {
		return err
	}
	if data.Muted, err = m.store.MutedBuyers(ctx, id, trust.MaxBlockedSellers); err != nil {
		return err
	}
	box, err := m.store.Mailbox(ctx, id)
	data.Settings = box.Settings
	return err
}

func (m *Market) exportOrders(ctx context.Context, data *AccountExport, id core.UserID) error {
	for _, which := range []match.OrderList{match.OpenOrders, match.ExpiredOrders, match.FulfilledOrders,
		match.ArchivedOrders} {
		for q := (match.OrderQuery{List: which, Owner: id, Sort: match.Newest, Now: data.TakenAt,
			Limit: core.PageSize}); ; {
			page, err := m.store.Orders(ctx, q)
			if err != nil {
				return err
			}
			for _, listed := range page.Orders {
				own := ExportedOrder{Order: listed.Order}
				if own.Sold > 0 {
					if own.Sales, _, err = m.store.Sales(ctx, own.ID, maxSales); err != nil {
						return err
					}
				}
				data.Orders = append(data.Orders, own)
			}
			if q.After = page.Next; q.After == nil {
				break
			}
		}
	}
	return nil
}

func (m *Market) exportOffers(ctx context.Context, data *AccountExport, id core.UserID) error {
	for before := core.OfferID(0); ; {
		offers, err := m.store.SentOffers(ctx, id, before, core.PageSize)
		if err != nil {
			return err
		}
		data.Offers = append(data.Offers, offers...)
		if len(offers) < core.PageSize {
			return nil
		}
		before = offers[len(offers)-1].ID
	}
}

// exportSales leaves the notes of others out: they are for the buyer alone.
func (m *Market) exportSales(ctx context.Context, data *AccountExport, id core.UserID) error {
	for before := core.SaleID(0); ; {
		sales, err := m.store.SalesOf(ctx, id, before, core.PageSize)
		if err != nil {
			return err
		}
		for _, s := range sales {
			if s.Buyer != id {
				s.Notes = ""
			}
			data.Sales = append(data.Sales, s)
		}
		if len(sales) < core.PageSize {
			return nil
		}
		before = sales[len(sales)-1].ID
	}
}

func (m *Market) exportHandovers(ctx context.Context, data *AccountExport, id core.UserID) error {
	records, err := m.Trust.Records(ctx, id)
	if err != nil {
		return err
	}
	if record, there := records[id]; there {
		data.Record = &record
	}
	for before := core.SaleID(0); ; {
		handovers, err := m.store.Handovers(ctx, id,
			trade.Query{Before: before, Limit: core.PageSize})
		if err != nil {
			return err
		}
		data.Handovers = append(data.Handovers, handovers...)
		if len(handovers) < core.PageSize {
			return nil
		}
		before = handovers[len(handovers)-1].Sale
	}
}

func (m *Market) exportReports(ctx context.Context, data *AccountExport, id core.UserID) (err error) {
	if data.Blocked, err = m.store.BlockedSellers(ctx, id, trust.MaxBlockedSellers); err != nil {
		return err
	}
	if data.Removed, err = m.store.RemovedOf(ctx, id); err != nil {
		return err
	}
	data.Reports, err = m.store.ReportsBy(ctx, id)
	return err
}

func (m *Market) exportRest(ctx context.Context, data *AccountExport, id core.UserID) (err error) {
	if data.Tokens, err = m.store.TokensOf(ctx, id, m.Now()); err != nil {
		return err
	}
	if data.Webhooks, err = m.store.WebhooksOf(ctx, id); err != nil {
		return err
	}
	if data.Sessions, err = m.store.SessionsOf(ctx, id, time.Time{}); err != nil {
		return err
	}
	if data.ExportedRest, err = m.store.ExportRest(ctx, id); err != nil {
		return err
	}
	for i := range data.ReportsAbout {
		data.ReportsAbout[i].Reporter, data.ReportsAbout[i].Reason = 0, ""
	}
	for i := range data.Log {
		if data.Log[i].Moderator != id {
			data.Log[i].Moderator = 0
		}
	}
	return nil
}

func (m *Market) exportNotices(ctx context.Context, data *AccountExport, id core.UserID) error {
	for before := core.NoticeID(0); ; {
		page, err := m.store.Notices(ctx, id, before, core.PageSize)
		if err != nil {
			return err
		}
		data.Notices = append(data.Notices, page.Notices...)
		if before = page.Next; before == 0 {
			return nil
		}
	}
}
