package upkeep_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/core/match"
	"tradepost/core/people"
	"tradepost/core/trade"
	"tradepost/sql/internal/storetest"
)

// exported says where the account export has what a column with a user's number leads to, or why it does not.
var exported = map[string]string{
	"users.id":                        "user",
	"mailboxes.user_id":               "settings",
	"orders.user_id":                  "orders",
	"order_updates.buyer_id":          "trades",
	"order_updates.seller_id":         "trades",
	"order_updates.updated_by":        "trades: the buyer",
	"sent_offers.seller_id":           "offers",
	"handovers.buyer_id":              "handovers",
	"handovers.seller_id":             "handovers",
	"notices.user_id":                 "notices",
	"sessions.user_id":                "sessions",
	"tokens.user_id":                  "tokens",
	"webhooks.user_id":                "webhooks",
	"boards.user_id":                  "boards",
	"drafts.user_id":                  "drafts",
	"reports.reporter_id":             "reports",
	"reports.subject_id":              "reportsAbout",
	"audit_entries.subject_id":        "log",
	"audit_entries.moderator_id":      "log",
	"removals.subject_id":             "removed",
	"blocked_sellers.buyer_id":        "blockedSellers",
	"blocked_former_sellers.buyer_id": "not: whom they have blocked has left, and is not named any more",

	"offers.seller_id":               "not: the open part of offers",
	"offers.buyer_id":                "not: what others offer them is in notices",
	"notices.caused_by":              "not: notices of others",
	"reports.settled_by":             "not: log says so",
	"handovers.settled_by":           "not: log says so",
	"blocked_sellers.seller_id":      "not: who has blocked them is not told",
	"skills.user_id":                 "skills",
	"play_hours.user_id":             "playHours",
	"searches.user_id":               "searches and watches",
	"saved_searches.user_id":         "searches",
	"posted_lists.user_id":           "lists",
	"meeting_places.user_id":         "meetingPlaces",
	"meeting_places.partner_user_id": "meetingPlaces",
	"meeting_places.said_by":         "meetingPlaces",
	"stock.user_id":                  "stock",
	"watches.user_id":                "watches",
	"muted_buyers.user_id":           "mutedBuyers",
	"muted_buyers.buyer_id":          "not: who has muted them is not told",
	"watch_turns.user_id":            "not: when they were last among the first to hear, of which notices say when",
	"traders.user_id":                "establishedTrader",
	"trust_shares.user_id":           "not: a number that nobody sees, computed from trades and log",
	"vouch_candidates.user_id":       "not: a proposal to moderators, computed from trades",
	"proposed_ring_members.user_id":  "not: a proposal to moderators, computed from trades",
	"set_aside.user_id":              "log",
	"trader_names.user_id":           "establishedTrader.names",
	"look_alikes.user_id":            "establishedTrader.lookAlikes",
	"allowed_names.user_id":          "allowedNames",
	"deliveries.caused_by":           "not: whose notices a message to others tells",
	"deliveries.user_id":             "not: the numbers of direct messages, of which notices say what they said",
	"deleted_orders.user_id":         "not: times only, for two days",
	"sale_reversals.reversed_by":     "not: trades say what was undone",
	"ended_offers.ended_by":          "not: for ten minutes",
	"lapsed_offers.seller_id":        "not: for ten minutes",
	"trader_roles.user_id":           "not: a server's setting, of which notices say what became",
	"held_roles.user_id":             "not: notices say which server gave and took a role",
	"board_posts.user_id":            "not: the messages of orders",
	"settled_against.user_id":        "not: a time each, which the record counts",
	"former_accounts.user_id":        "not: after the account is gone",
	"senders.user_id":                "a view of users and trust",
	"fills.buyer_id":                 "a view of sales and trust",
	"fills.seller_id":                "a view of sales and trust",
	"trades.buyer_id":                "a view of sales and handovers",
	"trades.seller_id":               "a view of sales and handovers",
	"trades.settled_by":              "a view of sales and handovers",
}

func TestTheAccountExportHasEveryTableWithAUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	rows, err := w.Store.Pool().Query(t.Context(), `
select table_name || '.' || column_name from information_schema.columns
where table_schema = any(current_schemas(false)) and table_name not like 'river%' and data_type = 'bigint' and is_generated = 'NEVER'
    and (column_name like '%user%' or column_name like '%\_by' or column_name in ('seller_id', 'buyer_id', 'reporter_id', 'subject_id',
        'moderator_id', 'owner_id', 'author_id', 'account_id') or table_name = 'users' and column_name = 'id')
order by 1`)
	must(t, err)
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	must(t, err)
	for _, column := range columns {
		if exported[column] == "" {
			t.Errorf("%s has a user: add what it leads to to the account export, or say in this test why not", column)
		}
	}
	if len(columns) < 25 {
		t.Errorf("only %q were found", columns)
	}
}

func TestTheAccountExportHasWhatOthersDidAboutTheUser(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	moderator := w.Moderator()
	order := w.Post(w.Ann)
	_, err := w.Moderation.ReportOrder(t.Context(), w.Bob, order.ID, "No such item")
	must(t, err)
	must(t, w.Moderation.RemoveOrder(t.Context(), moderator, order.ID, "There is none"))
	must(t, w.SQL("insert into boards (channel_id, guild_id, user_id, created_at) values ('7', '8', $1, now())", w.Ann.UserID))
	must(t, w.SQL(`insert into drafts (user_id, content, created_at) values ($1, '{"item":"Coal"}', now())`, w.Ann.UserID))
	data, err := w.ExportAccount(t.Context(), w.Ann)
	must(t, err)
	if r := data.ReportsAbout; len(r) != 1 || r[0].ItemName != order.ItemName || r[0].Reason != "" || r[0].Reporter != 0 {
		t.Errorf("reports about them: %+v", r)
	}
	if e := data.Log; len(e) != 1 || e[0].Reason != "There is none" || e[0].Moderator != 0 {
		t.Errorf("the log about them: %+v", e)
	}
	if len(data.Boards) != 1 || len(data.Drafts) != 1 || !strings.Contains(data.Drafts[0].Content, "Coal") {
		t.Errorf("boards %+v, drafts %+v", data.Boards, data.Drafts)
	}
	theirs, err := w.ExportAccount(t.Context(), moderator)
	must(t, err)
	if e := theirs.Log; len(e) != 1 || e[0].Moderator != moderator.UserID {
		t.Errorf("the log by the moderator: %+v", e)
	}
}

// visited has offers of a visitor: one accepted, one open, one declined.
func (w *world) visited() {
	w.T.Helper()
	for i := range 3 {
		order := w.Post(w.Ann)
		sent, err := w.Trade.SendOffer(w.T.Context(), core.Actor{}, order.ID, trade.OfferDraft{SellerName: "Foxglove", SellerContact: "Fox.Glove", Message: "Foxglove has it", Quantity: 2})
		must(w.T, err)
		switch i {
		case 0:
			_, err = w.Trade.AcceptOffer(w.T.Context(), w.Ann, sent.Offer.ID, 2)
		case 1:
			err = w.Trade.DeleteOffer(w.T.Context(), w.Ann, sent.Offer.ID)
		}
		must(w.T, err)
	}
}

func TestAVisitorIsForgotten(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.visited()
	before := w.Named("fox")
	if _, err := w.Store.ForgetVisitor(t.Context(), "fox.glove", true); err != nil || len(w.Named("fox")) != len(before) {
		t.Errorf("a dry run changed something, %v", err)
	}
	done, err := w.Store.ForgetVisitor(t.Context(), "fox.glove", false)
	must(t, err)
	if found := w.Named("fox"); len(found) > 0 {
		t.Errorf("still named in %q, after %+v", found, done)
	}
	if n := w.Value("select count(*) from order_updates"); n != 1 {
		t.Errorf("%d sales are left", n)
	}
	w.CheckInvariants()
}

func TestTextsOfVisitorsAndSettledReportsEnd(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.visited()
	reported := w.Post(w.Ann)
	id, err := w.Moderation.ReportOrder(t.Context(), w.Bob, reported.ID, "No such item")
	must(t, err)
	must(t, w.Moderation.DismissReport(t.Context(), w.Moderator(), id))
	_, err = w.Moderation.ReportOrder(t.Context(), w.Cat, reported.ID, "Still none")
	must(t, err)
	keep := core.Retention{Visitors: 30 * 24 * time.Hour, Reports: 30 * 24 * time.Hour}
	w.Clock.Forward(29 * 24 * time.Hour)
	w.retainsFor(keep)
	if n := w.Value("select count(*) from order_updates where seller_name = 'Foxglove'") + w.Value("select count(*) from reports"); n != 3 {
		t.Errorf("%d rows are left before their time", n)
	}
	w.Clock.Forward(2 * 24 * time.Hour)
	w.retainsFor(keep)
	if n := w.Value("select count(*) from order_updates where seller_name is not null or notes like '%Foxglove%'"); n != 0 {
		t.Error("a sale still names a visitor")
	}
	if n := w.Value("select count(*) from offer_links l where not exists (select from offers o where o.id = l.offer_id)"); n != 0 {
		t.Errorf("%d private links of ended offers are left", n)
	}
	if n := w.Value("select count(*) from reports where state <> 'open'"); n != 0 || w.Value("select count(*) from reports") != 1 {
		t.Errorf("%d settled reports are left", n)
	}
	w.CheckInvariants()
}

func TestMembershipsAreExportedAndDeletedWithTheAccountOrAfterAWeek(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	user, err := w.Store.User(t.Context(), w.Ann.UserID)
	must(t, err)
	now := w.Clock.Now()
	mine := people.Membership{DiscordID: user.DiscordID, Servers: "7,8", Member: true, AnsweredAt: now, TriedAt: now}
	must(t, w.Store.SaveMembership(t.Context(), people.Membership{DiscordID: user.DiscordID, Servers: "7,8", TriedAt: now}))
	must(t, w.Store.SaveMembership(t.Context(), mine))
	must(t, w.Store.SaveMembership(t.Context(), people.Membership{DiscordID: "99", Servers: "7,8", TriedAt: now}))
	found, err := w.Store.Membership(t.Context(), user.DiscordID, "7,8")
	must(t, err)
	if !found.Member || !found.AnsweredAt.Equal(now) || !found.TriedAt.Equal(now) {
		t.Errorf("stored %+v", found)
	}
	data, err := w.ExportAccount(t.Context(), w.Ann)
	must(t, err)
	if len(data.Memberships) != 1 || data.Memberships[0].Servers != "7,8" || !data.Memberships[0].Member {
		t.Errorf("exported %+v", data.Memberships)
	}
	must(t, w.DeleteUser(t.Context(), w.Ann.UserID))
	if n := w.Value("select count(*) from memberships"); n != 1 {
		t.Errorf("%d memberships after the account's deletion, want that of the other", n)
	}
	w.Clock.Forward(people.MembershipLife + time.Second)
	must(t, w.Store.Cleanup(t.Context()))
	if n := w.Value("select count(*) from memberships"); n != 0 {
		t.Errorf("%d memberships after a week", n)
	}
}

func TestATypedNameGoesWithItsLastRequest(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	named := func(name string) trade.Order { return w.Post(w.Ann, func(d *trade.OrderDraft) { d.ItemName = name }) }
	named("Iron Ore")
	own := named("My Very Own Name")
	must(t, w.Store.Cleanup(t.Context()))
	const names = "select count(*) from items where key in ('iron ore', 'my very own name')"
	if n := w.Value(names); n != 2 {
		t.Errorf("%d names are kept while requests have them, want 2", n)
	}
	must(t, w.Trade.DeleteOrder(t.Context(), w.Ann, own.ID))
	must(t, w.Store.Cleanup(t.Context()))
	if n := w.Value(names); n != 1 {
		t.Errorf("%d names are kept, want the one that a request has", n)
	}
}

func TestAProvisionalItemGoesWithTheLastVisibleRequestThatNamesIt(t *testing.T) {
	t.Parallel()
	w := &world{storetest.WithItems(t, market.Options{})}
	eve := w.SignUp("evergreen")
	named := func(buyer core.Actor, name string, quantity int) trade.Order {
		return w.Post(buyer, func(d *trade.OrderDraft) { d.ItemName, d.Quantity = name, quantity })
	}
	asked := func(name string) (bobs trade.Order) {
		named(eve, name, 1)
		named(eve, name, 2)
		return named(w.Bob, name, 3)
	}
	own := asked("Quartz of My Own")
	blocked := asked("Quartz of the Blocked")
	watched := asked("Quartz That Is Watched")
	suggested := asked("Quartz of the Operator")
	asked("Quartz of Others")
	for _, o := range []trade.Order{own, blocked, watched, suggested} {
		must(t, w.Trade.DeleteOrder(t.Context(), w.Bob, o.ID))
	}
	named(w.Cat, "Quartz of the Blocked", 4)
	item, _, err := w.Items.NameItem(t.Context(), "Quartz That Is Watched")
	must(t, err)
	_, err = w.Match.AddSearch(t.Context(), w.Ann, match.SearchDraft{Bell: match.BellOn, Name: "Quartz", Items: []core.ItemID{item.ID}})
	must(t, err)
	must(t, w.SQL("update catalogue_items set suggested = true where name = 'Quartz of the Operator'"))
	left := func(when string, want ...string) {
		t.Helper()
		rows, err := connect(t, w.DSN).Query(t.Context(), "select substring(i.name from 8) from catalogue_items i join catalogue_names n on n.item_id = i.id order by i.id")
		must(t, err)
		names, err := pgx.CollectRows(rows, pgx.RowTo[string])
		must(t, err)
		if !slices.Equal(names, want) {
			t.Errorf("%s: there are %q, want %q", when, names, want)
		}
	}
	must(t, w.Store.Cleanup(t.Context()))
	left("requests name all", "of My Own", "of the Blocked", "That Is Watched", "of the Operator", "of Others")

	must(t, w.DeleteUser(t.Context(), eve.UserID))
	left("who typed them is erased", "of the Blocked", "That Is Watched", "of the Operator", "of Others")
	if _, err := w.Items.Item(t.Context(), item.ID-2); core.KindOf(err) != core.NotFound {
		t.Errorf("the market still has the item: %v", err)
	}
	must(t, w.Store.Cleanup(t.Context()))
	if strings.Contains(storetest.Rows(t, w.DSN), "of My Own") {
		t.Error("the name that only they typed is still in the database")
	}

	must(t, w.Moderation.BlockUser(t.Context(), w.Moderator(), w.Cat.UserID, "spam"))
	must(t, w.Store.Cleanup(t.Context()))
	left("who typed one is blocked", "That Is Watched", "of the Operator", "of Others")
	w.CheckInvariants()
}
