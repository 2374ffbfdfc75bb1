package web

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/moderation"
	coretrade "tradepost/core/trade"
	"tradepost/web/kernel"
	"tradepost/web/match"
	"tradepost/web/notices"
	"tradepost/web/people"
	"tradepost/web/trade"
)

// accountExport is the operation that collects what all parts of the market store about a user.
type accountExport struct{ *kernel.API }

// registerExport adds the account export.
func registerExport(a *kernel.API) {
	kernel.Get(a, "/api/me/data", accountExport{a}.getMyData, "get-my-data", "Download your data")
}

// myDataView is the account export: everything stored about a user, in the shapes of the rest of the API.
type myDataView struct {
	TakenAt  time.Time              `json:"takenAt"`
	User     ownUserView            `json:"user"`
	Settings notices.NoticeSettings `json:"settings" doc:"Which direct messages they get"`
	Orders   []ownOrderView         `json:"orders" doc:"Requests: open, expired, then fulfilled"`
	Offers   []trade.SentOfferView  `json:"offers" doc:"Offers they have sent, newest first"`
	Trades   []tradeView            `json:"trades" doc:"What they bought and sold, newest first, also on requests that are deleted"`
	Notices  []notices.NoticeView   `json:"notices" doc:"Newest first"`
	Reports  []ownReportView        `json:"reports" doc:"They have sent, newest first"`
	Blocked  []kernel.Person        `json:"blockedSellers" doc:"Sellers they have blocked"`
	Removed  []removedView          `json:"removed" doc:"The user's requests and offers that moderators removed within 30 days, which they can still undo; newest first"`
	Skills   []match.SkillView      `json:"skills" doc:"Their levels in professions"`
	Searches []match.SearchView     `json:"searches" doc:"Saved searches by name"`
	Stock    []match.StockView      `json:"stock" doc:"What they have said that they have, by name"`
	Watches  []match.WatchView      `json:"watches" doc:"Searches that notify, by name"`
	Muted    []kernel.Person        `json:"mutedBuyers" doc:"Buyers of whose requests they do not want to hear"`

	Handovers    []trade.HandoverView    `json:"handovers" doc:"What happened in their accepted offers, newest first"`
	Record       *kernel.RecordView      `json:"record,omitempty" doc:"What their handovers came to, as others see it"`
	Sessions     []people.SessionView    `json:"sessions" doc:"Browsers in which they are signed in, the latest used first"`
	Tokens       []people.TokenView      `json:"tokens,omitempty" doc:"Of their programs, without the secrets; left out for none"`
	Webhooks     []people.WebhookView    `json:"webhooks,omitempty" doc:"Of their own trades, without the secrets; left out for none"`
	Hours        *people.PlayHoursView   `json:"playHours,omitempty" doc:"When they play; left out for a user who has said nothing"`
	Trader       *ownTraderView          `json:"establishedTrader,omitempty" doc:"Left out for a user who is none"`
	Boards       []ownBoardView          `json:"boards" doc:"They have made"`
	Drafts       []ownDraftView          `json:"drafts" doc:"What they typed in Discord and did not send, newest first"`
	ReportsAbout []ownReportView         `json:"reportsAbout" doc:"Reports about what is or was theirs, newest first; without the words of who reported"`
	Allowed      []ownAllowedView        `json:"allowedNames" doc:"Their names that are not marked"`
	Lists        []trade.ListSummaryView `json:"lists" doc:"They have posted, newest first"`
	Places       []ownPlaceView          `json:"meetingPlaces" doc:"Where they meet partners, the latest said first"`
	Memberships  []ownMemberView         `json:"memberships" doc:"Whether Discord says that they are a member of the servers that the market is limited to; kept for a week"`
	Log          []ownLogView            `json:"log" doc:"Entries of the moderation log about them and by them, newest first"`
}

// These shapes are in no other answer.
type (
	ownTraderView struct {
		Since      time.Time   `json:"since"`
		By         string      `json:"by" enum:"moderator,vouched,trades," doc:"As a moderator, by a moderator's word, or by trades; empty for before that was stored"`
		Names      []string    `json:"names" doc:"What their names look like: names that look the same have one spelling here" example:"[\"rnaple\"]"`
		LookAlikes []time.Time `json:"lookAlikes" doc:"When they got notices of names that look like theirs"`
	}
	ownAllowedView struct {
		Skeleton string    `json:"name" doc:"One spelling of all that look the same" example:"rnaple"`
		By       string    `json:"by" enum:"moderator,use" doc:"A moderator, or a use before the trader's"`
		At       time.Time `json:"at"`
	}
	ownBoardView struct {
		ChannelID string    `json:"channelId" doc:"The Discord channel" example:"80351110224678912"`
		GuildID   string    `json:"guildId" doc:"The Discord server" example:"80351110224678913"`
		CreatedAt time.Time `json:"createdAt"`
	}
	ownMemberView struct {
		Servers    string     `json:"servers" doc:"Discord ids of the servers, joined by commas" example:"1284551102903992320"`
		Member     bool       `json:"member"`
		AnsweredAt *time.Time `json:"answeredAt" doc:"When Discord said so; null while it has not answered"`
	}
	ownDraftView struct {
		Content   string    `json:"content" doc:"JSON, as it was typed" example:"{}"`
		CreatedAt time.Time `json:"createdAt"`
	}
	ownLogView struct {
		Action   core.AuditAction `json:"action"`
		Side     string           `json:"side" enum:"about,by" doc:"Whether it was done about the user or by them" example:"about"`
		ItemName string           `json:"itemName" doc:"Empty where it is about no item" example:"Iron Ore"`
		Reason   string           `json:"reason" example:"There is no such item"`
		At       time.Time        `json:"at"`
	}
)

// removedView has one of order, offer and listing.
type removedView struct {
	RemovedAt  time.Time                       `json:"removedAt"`
	ItemName   string                          `json:"itemName" example:"Iron Ore"`
	Reason     string                          `json:"reason" doc:"The moderator's" example:"There is no such item"`
	Order      kernel.OrNull[kernel.OrderView] `json:"order"`
	SalesNotes []string                        `json:"salesNotes" doc:"Of the request's sales"`
	Offer      kernel.OrNull[kernel.OfferView] `json:"offer"`

	Listing *removedListing `json:"listing,omitempty" doc:"A listing that they took off sale, as it was; left out for a request or an offer"`
}

// removedListing is the JSON shape of stock that a moderator took off sale. The stock itself is still the
// user's.
type removedListing struct {
	Quantity int         `json:"quantity" example:"600"`
	Price    core.Copper `json:"price" doc:"Price per unit, in copper" example:"4000"`
	Note     string      `json:"note" doc:"Empty for none" example:"In Ravenia"`
	Until    *time.Time  `json:"until" doc:"Until when it would have been listed; null for as long as it was there"`
}

func viewRemoved(r moderation.Removed, now time.Time) removedView {
	view := removedView{RemovedAt: r.At, ItemName: r.ItemName, Reason: r.Reason,
		SalesNotes: append([]string{}, r.Notes...)}
	if r.Order != nil {
		order := kernel.ViewOrder(*r.Order, now)
		view.Order.Value = &order
	}
	if r.Offer != nil {
		offer := kernel.ViewOffer(*r.Offer)
		view.Offer.Value = &offer
	}
	if l := r.Listing; l != nil {
		view.Listing = &removedListing{Quantity: l.Quantity, Price: l.Price, Note: l.Note}
		if !l.Until.IsZero() {
			view.Listing.Until = &l.Until
		}
	}
	return view
}

type ownUserView struct {
	ID          core.UserID `json:"id" doc:"The user's ID on this site" example:"3"`
	Username    string      `json:"username" example:"maple"`
	DisplayName string      `json:"displayName" example:"Maple"`
	Avatar      *string     `json:"avatar" doc:"Discord's hash of their avatar; null for none" example:"8342729096ea3675442027381ff50dfe"`
	Email       *string     `json:"email" example:"maple@example.com"`
	DiscordID   string      `json:"discordId" doc:"Of their account at Discord" example:"80351110224678912"`
	Locale      string      `json:"locale" example:"en-US"`
	Language    *string     `json:"language" doc:"That they have chosen, as an IETF tag; null for none" example:"de"`
	Since       time.Time   `json:"since" doc:"When the account was created"`

	InGameName *string `json:"inGameName" doc:"As their partners find them in the game; null for none" example:"Maple#1234"`

	ModeratorRole   *string    `json:"moderatorRole" doc:"The Discord role that made them a moderator when they last used the bot; null for none" example:"80351110224678913"`
	ModeratorRoleAt *time.Time `json:"moderatorRoleAt" doc:"When they last used the bot, to the day"`
}

type ownReportView struct {
	ItemName  string                 `json:"itemName" example:"Iron Ore"`
	Reason    string                 `json:"reason" example:"There is no such item"`
	State     moderation.ReportState `json:"state"`
	CreatedAt time.Time              `json:"createdAt"`
}

// tradeView is a sale as either side has taken part in it.
type tradeView struct {
	Side      string        `json:"side" enum:"bought,sold" example:"sold"`
	ItemName  string        `json:"itemName" example:"Iron Ore"`
	Quantity  int           `json:"quantity" example:"5"`
	UnitPrice core.Copper   `json:"unitPrice" doc:"Unit price paid, in copper" example:"250"`
	OrderID   *core.OrderID `json:"orderId" doc:"null once the request is deleted" example:"7"`
	CreatedAt time.Time     `json:"createdAt"`
	Reversed  bool          `json:"reversed" doc:"It was undone"`
}

func viewTrade(s coretrade.Sale, of core.UserID) tradeView {
	side := "sold"
	if s.Buyer == of {
		side = "bought"
	}
	return tradeView{
		Side: side, ItemName: s.ItemName, Quantity: s.Quantity, UnitPrice: s.UnitPrice,
		OrderID: kernel.IDOrNil(s.OrderID), CreatedAt: s.CreatedAt, Reversed: s.Reversed,
	}
}

type ownOrderView struct {
	Order kernel.OrderView `json:"order"`
	Sales []trade.SaleView `json:"sales" doc:"Newest first"`
}

type myDataOutput struct {
	Disposition string `header:"Content-Disposition" doc:"Makes a browser save the response as a file"`
	Body        myDataView
}

func (a accountExport) getMyData(ctx context.Context, in *kernel.Caller) (*myDataOutput, error) {
	data, err := a.Market.ExportAccount(ctx, in.By)
	if err != nil {
		return nil, err
	}
	u := data.User
	view := myDataView{
		TakenAt: data.TakenAt,
		User: ownUserView{
			ID: u.ID, Username: u.Username, DisplayName: u.DisplayName, Avatar: kernel.TextOrNil(u.Avatar),
			Email:     kernel.TextOrNil(u.Email),
			DiscordID: u.DiscordID, Locale: u.Locale, Language: kernel.TextOrNil(u.Language),
			Since:      u.CreatedAt,
			InGameName: kernel.TextOrNil(u.InGameName), ModeratorRole: kernel.TextOrNil(u.ModeratorRole),
		},
		Settings:  notices.ViewSettings(a.Features, data.Settings, "", in.By.Moderator),
		Orders:    make([]ownOrderView, 0, len(data.Orders)),
		Offers:    make([]trade.SentOfferView, 0, len(data.Offers)),
		Trades:    make([]tradeView, 0, len(data.Sales)),
		Handovers: make([]trade.HandoverView, 0, len(data.Handovers)),
		Notices:   make([]notices.NoticeView, 0, len(data.Notices)),
		Skills:    match.ViewSkills(data.Skills),
		Searches:  match.ViewSearches(data.Searches),
		Stock:     match.ViewStock(data.Stock),
		Watches:   match.ViewWatches(data.Searches),
		Muted:     match.ViewMuted(data.Muted),
	}
	for _, o := range data.Orders {
		own := ownOrderView{Order: kernel.ViewOrder(o.Order, data.TakenAt),
			Sales: make([]trade.SaleView, 0, len(o.Sales))}
		for _, sale := range o.Sales {
			own.Sales = append(own.Sales, trade.ViewSale(sale))
		}
		view.Orders = append(view.Orders, own)
	}
	for _, o := range data.Offers {
		view.Offers = append(view.Offers, trade.ViewSentOffer(o))
	}
	for _, s := range data.Sales {
		view.Trades = append(view.Trades, viewTrade(s, u.ID))
	}
	for _, h := range data.Handovers {
		view.Handovers = append(view.Handovers, trade.ViewHandover(h, u.ID, data.TakenAt))
	}
	if data.Record != nil {
		view.Record = new(kernel.ViewRecord(u.ID, *data.Record))
	}
	for _, n := range data.Notices {
		view.Notices = append(view.Notices, notices.ViewNotice(n))
	}
	if !u.ModeratorRoleAt.IsZero() {
		view.User.ModeratorRoleAt = &u.ModeratorRoleAt
	}
	view.Reports, view.Blocked, view.Removed = []ownReportView{}, []kernel.Person{}, []removedView{}
	for _, r := range data.Removed {
		view.Removed = append(view.Removed, viewRemoved(r, data.TakenAt))
	}
	for _, r := range data.Reports {
		view.Reports = append(view.Reports,
			ownReportView{ItemName: r.ItemName, Reason: r.Reason, State: r.State, CreatedAt: r.CreatedAt})
	}
	for _, s := range data.Blocked {
		view.Blocked = append(view.Blocked, kernel.Person{ID: s.Seller, Username: s.Username})
	}
	view.viewRest(data, a.Session.ID(ctx))
	return &myDataOutput{Disposition: `attachment; filename="my-data.json"`, Body: view}, nil
}

// viewRest adds the data that is read nowhere else.
func (v *myDataView) viewRest(data market.AccountExport, current core.SessionID) {
	v.Sessions, v.Boards, v.Drafts, v.ReportsAbout, v.Log = []people.SessionView{}, []ownBoardView{},
		[]ownDraftView{}, []ownReportView{}, []ownLogView{}
	for _, t := range data.Tokens {
		v.Tokens = append(v.Tokens, people.ViewToken(t))
	}
	for _, w := range data.Webhooks {
		v.Webhooks = append(v.Webhooks, people.ViewWebhook(w))
	}
	if h := data.Hours; !h.Week().Empty() || h.Learns != nil {
		v.Hours = new(people.ViewPlayHours(h))
	}
	for _, s := range data.Sessions {
		v.Sessions = append(v.Sessions, people.ViewSession(s, current))
	}
	if t := data.Trader; !t.Since.IsZero() {
		v.Trader = &ownTraderView{Since: t.Since, By: string(t.Origin), Names: t.Names,
			LookAlikes: t.LookAlikes}
	}
	v.Allowed = []ownAllowedView{}
	for _, a := range data.Allowed {
		by := "use"
		if a.ByModerator {
			by = "moderator"
		}
		v.Allowed = append(v.Allowed, ownAllowedView{Skeleton: a.Skeleton, By: by, At: a.At})
	}
	for _, b := range data.Boards {
		v.Boards = append(v.Boards, ownBoardView{ChannelID: b.ChannelID, GuildID: b.GuildID,
			CreatedAt: b.CreatedAt})
	}
	for _, d := range data.Drafts {
		v.Drafts = append(v.Drafts, ownDraftView(d))
	}
	for _, r := range data.ReportsAbout {
		v.ReportsAbout = append(v.ReportsAbout,
			ownReportView{ItemName: r.ItemName, Reason: r.Reason, State: r.State, CreatedAt: r.CreatedAt})
	}
	v.Memberships = []ownMemberView{}
	for _, m := range data.Memberships {
		view := ownMemberView{Servers: m.Servers, Member: m.Member}
		if !m.AnsweredAt.IsZero() {
			view.AnsweredAt = &m.AnsweredAt
		}
		v.Memberships = append(v.Memberships, view)
	}
	v.Lists, v.Places = trade.ViewLists(data.Lists), viewOwnPlaces(data.Places, data.User.ID)
	for _, e := range data.Log {
		side := "about"
		if e.Moderator == data.User.ID {
			side = "by"
		}
		v.Log = append(v.Log, ownLogView{Action: e.Action, Side: side, ItemName: e.ItemName, Reason: e.Reason,
			At: e.At})
	}
}

// ownPlaceView is a meeting place in the account export.
type ownPlaceView struct {
	PartnerID core.UserID `json:"partnerId" doc:"The partner's user ID on this site" example:"3"`
	Text      string      `json:"text" example:"By the fountain"`
	SaidByYou bool        `json:"saidByYou"`
	SaidAt    time.Time   `json:"saidAt"`
}

func viewOwnPlaces(places []coretrade.ExportedPlace, user core.UserID) []ownPlaceView {
	views := make([]ownPlaceView, len(places))
	for i, p := range places {
		views[i] = ownPlaceView{PartnerID: p.Partner, Text: p.Text, SaidByYou: p.SaidBy == user,
			SaidAt: p.SaidAt}
	}
	return views
}
