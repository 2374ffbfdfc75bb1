package postgres_test

import (
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/game"
	"tradepost/core/match"
)

// boardForSale is a board of what is for sale.
type boardForSale struct {
	*world
	t *testing.T
}

func newBoardForSale(t *testing.T, opened int) boardForSale {
	w := newWorld(t)
	b := boardForSale{w, t}
	b.setUp(channels.Board{Side: match.SaleSide, Opened: opened})
	return b
}

func (b boardForSale) setUp(board channels.Board) {
	b.t.Helper()
	board.ChannelID, board.GuildID, board.CreatedBy, board.CreatedAt = "c", "g", b.Bob.UserID, b.Clock.Now()
	must(b.t, b.Store.SaveBoard(b.t.Context(), board))
}

// lists has Cat list an item for sale.
func (b boardForSale) lists(item string, quantity int) {
	b.t.Helper()
	_, err := b.Match.SaveStock(b.t.Context(), b.Cat, []match.StockDraft{{ItemName: item, Quantity: quantity, Price: 250, Public: true}})
	must(b.t, err)
}

// hides has Cat keep an item without showing it.
func (b boardForSale) hides(item string) {
	b.t.Helper()
	_, err := b.Match.SaveStock(b.t.Context(), b.Cat, []match.StockDraft{{ItemName: item, Quantity: 5, Price: 250}})
	must(b.t, err)
}

// unlists has Cat remove their stock.
func (b boardForSale) unlists() {
	b.t.Helper()
	stock, err := b.Match.Stock(b.t.Context(), b.Cat)
	must(b.t, err)
	for _, s := range stock {
		must(b.t, b.Match.DeleteStock(b.t.Context(), b.Cat, s.ID))
	}
}

// fresh starts the posts of new listings, and returns how many those are.
func (b boardForSale) fresh() int {
	b.t.Helper()
	found, err := b.Store.ListingsForBoard(b.t.Context(), "c", b.Clock.Now(), 20)
	must(b.t, err)
	for _, l := range found {
		must(b.t, b.Store.StartListingPost(b.t.Context(), "c", l, false, b.Clock.Now()))
	}
	return len(found)
}

// shows brings posts up to date, and returns how many were not, and how many show a listing as open now.
func (b boardForSale) shows(offered bool) (stale, open int) {
	b.t.Helper()
	posts, err := b.Store.StaleListingPosts(b.t.Context(), "c", channels.HeldEdits{}, offered, b.Clock.Now(), 20)
	must(b.t, err)
	for _, p := range posts {
		l, err := b.Store.BoardListing(b.t.Context(), p.Listing, b.Clock.Now())
		must(b.t, err)
		p.ShownOpen = l != nil && l.Open && offered
		if p.Finished = l == nil; l != nil {
			p.ShownVersion = l.Version
		}
		if p.MessageID == "" {
			p.MessageID = "1"
		}
		must(b.t, b.Store.SaveBoardPost(b.t.Context(), p))
	}
	return len(posts), b.Value("select count(*) from board_posts where listed and shown_open")
}

func TestABoardFollowsAListingUntilItEnds(t *testing.T) {
	t.Parallel()
	b := newBoardForSale(t, 0)
	w := b.world
	is := func(what string, wantStale, wantOpen int) {
		t.Helper()
		if stale, open := b.shows(true); stale != wantStale || open != wantOpen {
			t.Errorf("%s: %d posts to draw, %d open; want %d and %d", what, stale, open, wantStale, wantOpen)
		}
	}
	b.lists("Iron Ore", 200)
	if b.fresh() != 1 || b.fresh() != 0 {
		t.Error("a listing is not started once")
	}
	is("new", 1, 1)
	is("the same", 0, 1)
	b.lists("Iron Ore", 150)
	is("less", 1, 1)
	page, err := w.Match.Listings(t.Context(), w.Ann, match.ListingQuery{})
	must(t, err)
	_, err = w.Match.Ask(t.Context(), w.Ann, page.Listings[0].ID, match.AskDraft{Quantity: 20})
	must(t, err)
	is("asked for", 1, 1)
	w.Clock.Forward(49 * time.Hour)
	is("an ask that nobody answered", 1, 1)
	must(t, w.SQL("update users set blocked_at = $2, blocked_for = 'Scams' where id = $1", w.Cat.UserID, w.Clock.Now()))
	is("its seller is blocked", 1, 0)
	must(t, w.SQL("update users set blocked_at = null, blocked_for = '' where id = $1", w.Cat.UserID))
	is("its seller is back", 1, 1)
	if stale, open := b.shows(false); stale != 1 || open != 0 {
		t.Errorf("without the feature %d are drawn, %d open", stale, open)
	}
	is("with the feature", 1, 1)
	w.Clock.Forward(match.StockLifetime)
	is("it was not touched", 1, 0)
	is("at its end", 0, 0)
}

func TestAListingComesToABoardOnceADay(t *testing.T) {
	t.Parallel()
	b := newBoardForSale(t, 0)
	again := func(what string, want int) {
		t.Helper()
		if n := b.fresh(); n != want {
			t.Errorf("%s: %d new posts, want %d", what, n, want)
		}
		b.shows(true)
	}
	b.lists("Iron Ore", 200)
	again("the first time", 1)
	b.hides("Iron Ore")
	again("hidden", 0)
	b.lists("Iron Ore", 200)
	if n := b.fresh(); n != 0 {
		t.Errorf("shown again at once: %d new posts", n)
	}
	if stale, open := b.shows(true); stale != 1 || open != 1 {
		t.Errorf("shown again at once: %d posts to draw, %d open", stale, open)
	}
	b.hides("Iron Ore")
	b.shows(true)
	b.Clock.Forward(channels.BoardListingRest + time.Minute)
	b.lists("Iron Ore", 200)
	again("shown again a day later", 1)
	b.unlists()
	again("removed", 0)
	b.lists("Iron Ore", 100)
	again("listed again at once", 0)
	b.lists("Oak Log", 100)
	again("another item", 1)
	b.Clock.Forward(channels.BoardListingRest + time.Minute)
	again("a day later", 1)
	must(t, b.SQL("update board_posts set listed = false where item_name = 'Oak Log'")) // somebody deleted its message
	b.Clock.Forward(2 * channels.BoardListingRest)
	b.lists("Oak Log", 90)
	again("whose message was deleted", 0)
}

// TestAnOlderProgramLeavesPostsOfListingsAlone asks as a program from before listings on boards does.
func TestAnOlderProgramLeavesPostsOfListingsAlone(t *testing.T) {
	t.Parallel()
	b := newBoardForSale(t, 0)
	b.lists("Iron Ore", 200)
	b.fresh()
	older := func() int {
		t.Helper()
		posts, err := b.Store.StaleBoardPosts(t.Context(), "c", channels.HeldEdits{}, b.Clock.Now(), 20)
		must(t, err)
		return len(posts)
	}
	if n := older(); n != 0 {
		t.Errorf("it would send %d messages", n)
	}
	b.shows(true)
	b.Clock.Forward(11 * core.Day)
	b.Retain(core.Retention{BoardPosts: 10 * core.Day})
	if older() != 0 || b.Value("select count(*) from board_posts") != 1 {
		t.Error("the post of what is for sale still is gone")
	}
	b.unlists()
	b.shows(true)
	b.Retain(core.Retention{BoardPosts: 10 * core.Day})
	if b.Value("select count(*) from board_posts") != 0 {
		t.Error("the post of what has ended stays")
	}
}

func TestWhichListingsABoardIsFor(t *testing.T) {
	t.Parallel()
	b := newBoardForSale(t, 0)
	b.lists("Iron Ore", 200)
	b.Clock.Forward(time.Minute)
	b.lists("Oak Log", 200)
	b.Clock.Forward(time.Minute)
	b.Post(b.Ann)
	for what, want := range map[string]struct {
		board            channels.Board
		listings, orders int
	}{
		"nothing of before":  {channels.Board{Side: match.SaleSide}, 0, 0},
		"one of before":      {channels.Board{Side: match.SaleSide, Opened: 1}, 1, 0},
		"both sides":         {channels.Board{Side: match.EitherSide, Opened: 5}, 2, 1},
		"requests":           {channels.Board{Opened: 5}, 0, 1},
		"dearer ones":        {channels.Board{Side: match.SaleSide, Opened: 5, Filter: channels.BoardFilter{MinPrice: 251}}, 0, 0},
		"as dear":            {channels.Board{Side: match.SaleSide, Opened: 5, Filter: channels.BoardFilter{MinPrice: 250}}, 2, 0},
		"high levels":        {channels.Board{Side: match.SaleSide, Opened: 5, Filter: channels.BoardFilter{LevelFrom: 2}}, 0, 0},
		"another profession": {channels.Board{Side: match.SaleSide, Opened: 5, Filter: channels.BoardFilter{Categories: []game.Category{"Chef", "Miner"}}}, 0, 0},
		"its profession":     {channels.Board{Side: match.SaleSide, Opened: 5, Filter: channels.BoardFilter{Categories: []game.Category{"Chef", "Merchant"}}}, 2, 0},
	} {
		b.setUp(want.board)
		listings, err := b.Store.ListingsForBoard(t.Context(), "c", b.Clock.Now(), 20)
		must(t, err)
		orders, err := b.Store.OrdersForBoard(t.Context(), "c", b.Clock.Now(), 20)
		must(t, err)
		if len(listings) != want.listings || len(orders) != want.orders {
			t.Errorf("%s: %d listings and %d requests", what, len(listings), len(orders))
		}
	}
}
