package bot_test

import (
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"

	"tradepost/bot"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/market"
	"tradepost/core/notify"
	"tradepost/core/trade"
)

// withThreads opens a market with a board, in which juniper_fox has a request that rowan.ashdown has offered on.
func withThreads(t *testing.T, change ...func(*bot.Options)) (w *world, order trade.Order, offer trade.Offer) {
	t.Helper()
	w = openWithoutBot(t)
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: core.AllFeatures()})
	// A test's clock makes messages old, and edits of old messages are gathered for minutes; edits_test.go tests that.
	atOnce := func(o *bot.Options) { o.EditEvery = time.Millisecond }
	w.bot = w.start(append([]func(*bot.Options){atOnce}, change...)...)
	w.WaitForBot(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	order = w.post("juniper_fox")
	maple.WaitMessage("the card", holding("Iron Ore"))
	return w, order, w.offer("rowan.ashdown", order, order.Quantity)
}

// accepts has juniper_fox accept an offer on the page.
func (w *world) accepts(offer trade.Offer, quantity int) core.SaleID {
	w.t.Helper()
	done, err := w.market.Trade.AcceptOffer(w.t.Context(), w.actor("juniper_fox"), offer.ID, quantity)
	if err != nil {
		w.t.Fatal(err)
	}
	return done.Sale.ID
}

// thread waits for the thread of a trade, and returns it with its receipt as rowan.ashdown sees it.
func (w *world) thread() (*discordtest.ServerChannel, *discordtest.View) {
	w.t.Helper()
	w.WaitRequests(w.t, "POST /channels/{channel_id}/threads", 1)
	thread := w.Channel("request-board").Threads()[0]
	return thread, w.Player(w.t, "rowan.ashdown").In(thread.ID()).WaitMessage("the receipt", holding("here is your trade"))
}

// ended waits until the notices of users have ended, and returns them newest first.
func (w *world) ended(who string) (notices []notify.Notice) {
	w.t.Helper()
	w.until("the notices of "+who, func() bool {
		page, err := w.market.Notify.Notices(w.t.Context(), w.actor(who), 0, 20)
		if err != nil {
			w.t.Fatal(err)
		}
		notices = page.Notices
		return !slices.ContainsFunc(notices, func(n notify.Notice) bool { return n.State == notify.NoticePending })
	})
	return notices
}

// until waits for something that shows in the market.
func (w *world) until(what string, is func() bool) {
	w.t.Helper()
	deadline := time.After(coretest.Patience(20 * time.Second))
	for !is() {
		select {
		case <-time.After(20 * time.Millisecond):
		case <-deadline:
			w.t.Fatalf("waited in vain for %s", what)
		}
	}
}

func (w *world) dmsHolding(who, text string) int {
	return len(slices.DeleteFunc(w.Player(w.t, who).DMs(), func(v *discordtest.View) bool { return !holding(text)(v) }))
}

func TestATradeHasAThreadWithBothPeopleInsteadOfDirectMessages(t *testing.T) {
	t.Parallel()
	w, order, offer := withThreads(t)
	juniper, rowan := w.Player(t, "juniper_fox"), w.Player(t, "rowan.ashdown")
	w.accepts(offer, order.Quantity)
	thread, receipt := w.thread()
	wants(t, "the receipt", receipt, "<@"+juniper.ID()+">", "<@"+rowan.ID()+">", "500 × Iron Ore", "Meet by <t:")
	if got := receipt.Buttons(); !slices.Contains(got, "We met") || !slices.Contains(got, "Call it off") || slices.Contains(got, "Later (24 hours)") {
		t.Errorf("before the agreed time there are %q", got)
	}
	if len(w.Player(t, "maple").In(thread.ID()).Messages()) == 0 {
		t.Log("the owner of the server sees it, as on Discord")
	}
	if len(w.Player(t, moderator).In(thread.ID()).Messages()) != 0 {
		t.Error("a member who has nothing to do with it sees the thread")
	}
	sent := w.Requests("POST /channels/{channel_id}/messages")
	last := sent[len(sent)-1]
	mentions, _ := last.JSON("allowed_mentions").(map[string]any)
	if pinged := mentions["users"]; !sameIDs(pinged, juniper.ID(), rowan.ID()) {
		t.Errorf("it pings %v", pinged)
	}
	for _, who := range []string{"rowan.ashdown", "juniper_fox"} {
		told := w.ended(who)
		had := 0
		if who == "juniper_fox" {
			had = 1 // the message about the offer, unless the accept came first
		}
		if told[0].State != notify.NoticeDelivered || len(w.Player(t, who).DMs()) > had || w.dmsHolding(who, "is filled") != 0 {
			t.Errorf("%s: %+v, and %d direct messages", who, told[0], len(w.Player(t, who).DMs()))
		}
	}
	own := receipt.Button("My receipt").PressAs(juniper)
	wants(t, "the buyer's own receipt", own.View, "rowan.ashdown")
	if !own.Private() {
		t.Error("everybody in the thread sees the buyer's receipt")
	}
	if slip := receipt.Button("Open trades").PressAs(rowan); !slip.Private() || !holding("500 × Iron Ore")(slip.View) {
		t.Errorf("the slip of the seller reads %q", slip.Text())
	}
	if other := receipt.Button("We met").PressAs(w.Player(t, "maple")); !other.Private() || !holding("Only the buyer and the seller")(other.View) {
		t.Errorf("another user says that they met: %q", other.Text())
	}

	w.Advance(trade.AgreedWithin)
	w.process()
	inThread := rowan.In(thread.ID())
	for _, asked := range []*discordtest.Player{juniper, rowan} {
		prompt := inThread.WaitMessage("the prompt", holding("<@"+asked.ID()+"> Did you meet"))
		if !slices.Contains(prompt.Buttons(), "Later (24 hours)") {
			t.Errorf("the prompt has %q", prompt.Buttons())
		}
	}
	if n := w.dmsHolding("rowan.ashdown", "Did you meet") + w.dmsHolding("juniper_fox", "Did you meet"); n != 0 {
		t.Errorf("%d prompts are direct messages", n)
	}
	said := receipt.Button("We met").PressAs(rowan)
	if !said.Private() || !holding("your answer counts")(said.View) {
		t.Errorf("the seller reads %q", said.Text())
	}
	receipt = receipt.WaitFor("what the seller said", holding("**rowan.ashdown** says: we met"))
	wants(t, "the buyer's answer", receipt.Button("We met").PressAs(juniper).View, "you both met")
	receipt.WaitFor("the end", holding("This trade is over"))
	w.until("the thread to be archived", thread.Archived)
	if n := len(w.Channel("request-board").Threads()); n != 1 {
		t.Errorf("%d threads", n)
	}
}

func sameIDs(got any, want ...string) bool {
	list, _ := got.([]any)
	if len(list) != len(want) {
		return false
	}
	for _, id := range want {
		if !slices.Contains(list, any(id)) {
			return false
		}
	}
	return true
}

func TestTradesAreSentByDirectMessageWithoutThreadPermissions(t *testing.T) {
	t.Parallel()
	for name, prevent := range map[string]func(*world){
		"make private threads": func(w *world) {
			w.Channel("request-board").DenyBot(discordgo.PermissionCreatePrivateThreads)
		},
		"write in threads": func(w *world) {
			w.Channel("request-board").DenyBot(discordgo.PermissionSendMessagesInThreads)
		},
		"show the channel to both": func(w *world) {
			w.Channel("request-board").Close().Show(w.Player(w.t, "juniper_fox"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, offer := withThreads(t)
			prevent(w)
			w.accepts(offer, 20)
			told := w.Player(t, "rowan.ashdown").FindDM("the receipt", holding("accepted 20 × Iron Ore"))
			wants(t, "the direct message", told, "meet by <t:")
			for _, thread := range w.Channel("request-board").Threads() {
				if !thread.Archived() {
					t.Error("a thread of no use is open")
				}
			}
		})
	}
}

func TestATradeOfARequestThatIsInNoServerHasNoThread(t *testing.T) {
	t.Parallel()
	w, _, _ := withThreads(t)
	forum := w.post("juniper_fox", item("Apple Pie"), in("Chef"), func(d *trade.OrderDraft) { d.Description = lot() })
	if removed := w.Player(t, "maple").In("request-board").Slash("board remove"); !removed.Private() {
		t.Error("the board is removed in public")
	}
	w.accepts(w.offer("rowan.ashdown", forum, 20), 20)
	w.Player(t, "rowan.ashdown").FindDM("the receipt", holding("accepted 20 × Apple Pie"))
	if n := len(w.Channel("request-board").Threads()); n != 0 {
		t.Errorf("%d threads", n)
	}
}

func TestNoticesFallBackToDirectMessagesWhenTheThreadIsGone(t *testing.T) {
	t.Parallel()
	for name, lose := range map[string]func(*world, *discordtest.ServerChannel){
		"deleted":          func(_ *world, th *discordtest.ServerChannel) { th.Delete() },
		"locked":           func(_ *world, th *discordtest.ServerChannel) { th.Lock() },
		"left by a member": func(w *world, th *discordtest.ServerChannel) { th.Leave(w.Player(w.t, "rowan.ashdown")) },
		"out of its reach": func(w *world, _ *discordtest.ServerChannel) { w.Channel("request-board").Hide() },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, offer := withThreads(t)
			w.accepts(offer, 20)
			thread, _ := w.thread()
			lose(w, thread)
			w.Advance(trade.AgreedWithin)
			w.process()
			prompt := w.Player(t, "rowan.ashdown").FindDM("the prompt", holding("Did you meet"))
			wants(t, "the answer", prompt.Button("We met").Press().View, "your answer counts")
			w.ended("juniper_fox")
			w.ended("rowan.ashdown")
		})
	}
}

func TestAPromptOpensAnArchivedThread(t *testing.T) {
	t.Parallel()
	w, _, offer := withThreads(t)
	w.accepts(offer, 20)
	thread, _ := w.thread()
	w.ended("rowan.ashdown") // the receipt is stored, too
	thread.Archive()
	w.Advance(trade.AgreedWithin)
	w.process()
	w.Player(t, "rowan.ashdown").In(thread.ID()).WaitMessage("the prompt", holding("Did you meet"))
}

func TestAThreadIsMadeOnceOverLostAnswersAndRestarts(t *testing.T) {
	t.Parallel()
	for name, at := range map[string]string{
		"making it":    "POST /channels/{channel_id}/threads",
		"adding":       "PUT /channels/{channel_id}/thread-members/{user_id}",
		"the receipt":  "POST /channels/{channel_id}/messages",
		"looking back": "GET /guilds/{guild_id}/members/{user_id}",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, _, offer := withThreads(t)
			before := len(w.Requests(at)) // the card of the board is a message, too
			w.Fail(at, 1, discordtest.Losing())
			w.accepts(offer, 20)
			w.until("the fault", func() bool { return len(w.Requests(at)) > before })
			if err := w.bot.stop(); err != nil {
				t.Fatal(err)
			}
			w.Advance(5 * time.Second) // the pause after a failure
			w.start()
			thread, _ := w.thread()
			w.ended("rowan.ashdown")
			receipts := slices.DeleteFunc(w.Player(t, "rowan.ashdown").In(thread.ID()).Messages(), func(v *discordtest.View) bool { return !holding("here is your trade")(v) })
			if n := len(w.Channel("request-board").Threads()); n != 1 || len(receipts) != 1 || w.dmsHolding("rowan.ashdown", "accepted") != 0 {
				t.Errorf("%d threads, %d receipts, %d direct messages", n, len(receipts), w.dmsHolding("rowan.ashdown", "accepted"))
			}
		})
	}
}

func TestAThreadIsClosedWhenItsTradeIsUndone(t *testing.T) {
	t.Parallel()
	w, _, offer := withThreads(t)
	sale := w.accepts(offer, 20)
	thread, receipt := w.thread()
	if _, err := w.market.Trade.UndoSale(t.Context(), w.actor("juniper_fox"), sale); err != nil {
		t.Fatal(err)
	}
	receipt.WaitFor("that it was undone", holding("This was undone"))
	w.until("the thread to be archived", thread.Archived)
}

func TestATraderWithClosedMessagesIsNotifiedInTheThread(t *testing.T) {
	t.Parallel()
	w, order, offer := withThreads(t)
	rowan := w.Player(t, "rowan.ashdown").CloseDMs()
	w.accepts(offer, 20)
	thread, _ := w.thread()
	w.ended("rowan.ashdown") // the receipt is stored, too: a thread without one for long is given up
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("juniper_fox"), order.ID); err != nil {
		t.Fatal(err)
	}
	w.Advance(trade.AgreedWithin) // the offer lapsed, of which a direct message does not tell
	w.process()
	rowan.In(thread.ID()).WaitMessage("the prompt", holding("Did you meet"))
}

func TestThreadsThatAreOffLeaveNoTrace(t *testing.T) {
	t.Parallel()
	w := openWithoutBot(t)
	off := core.AllFeatures()
	off.Threads = false
	w.market = market.New(w.store, market.Options{Now: w.Now, Forms: coretest.Forms, Features: off})
	w.bot = w.start(func(o *bot.Options) { o.Features = off })
	w.WaitForBot(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	order := w.post("juniper_fox")
	maple.WaitMessage("the card", holding("Iron Ore"))
	w.accepts(w.offer("rowan.ashdown", order, 20), 20)
	w.Player(t, "rowan.ashdown").FindDM("the receipt", holding("accepted 20 × Iron Ore"))
	if made := w.Requests("POST /channels/{channel_id}/threads"); len(made) != 0 {
		t.Errorf("%d threads", len(made))
	}
	if strings.Contains(strings.Join(off.Names(), " "), "threads") {
		t.Error("they are named")
	}
}

func TestTwoProgramsMakeOneThreadForATrade(t *testing.T) {
	t.Parallel()
	w, order, offer := withThreads(t)
	// A second one on the same database, as while one hands the gateway over.
	start(t, w.Discord, w.market, func(o *bot.Options) { o.Store = w.store })
	offers := []trade.Offer{offer}
	for _, name := range []string{"Copper Ore", "Tin Ore", "Silver Ore", "Gold Ore", "Coal"} {
		order = w.post("juniper_fox", item(name))
		w.Player(t, "maple").In("request-board").WaitMessage("the card", holding(name))
		offers = append(offers, w.offer("rowan.ashdown", order, order.Quantity))
	}
	var accepting sync.WaitGroup
	for _, o := range offers {
		accepting.Go(func() {
			if _, err := w.market.Trade.AcceptOffer(t.Context(), w.actor("juniper_fox"), o.ID, o.Quantity); err != nil {
				t.Error(err)
			}
		})
	}
	accepting.Wait()
	rowan := w.Player(t, "rowan.ashdown")
	w.until("a receipt for every trade", func() bool {
		receipts := 0
		for _, thread := range w.Channel("request-board").Threads() {
			for _, v := range rowan.In(thread.ID()).Messages() {
				if holding("here is your trade")(v) {
					receipts++
				}
			}
		}
		return receipts >= len(offers)
	})
	w.ended("rowan.ashdown")
	w.ended("juniper_fox")
	names := map[string]int{}
	for _, thread := range w.Channel("request-board").Threads() {
		names[thread.Name()]++
		if n := len(rowan.In(thread.ID()).Messages()); n != 1 {
			t.Errorf("%q has %d messages", thread.Name(), n)
		}
	}
	if made := len(w.Requests("POST /channels/{channel_id}/threads")); len(names) != len(offers) || made != len(offers) {
		t.Errorf("%d threads were made for %d trades: %v", made, len(offers), names)
	}
	if n := w.dmsHolding("rowan.ashdown", "accepted") + w.dmsHolding("juniper_fox", "is filled"); n != 0 {
		t.Errorf("%d direct messages besides", n)
	}
}
