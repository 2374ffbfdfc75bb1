package bot_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/core/channels"
	"tradepost/core/trade"
)

// boardWorld opens a market with a board and returns a manager who reads its channel.
func boardWorld(t *testing.T) (*world, *discordtest.Player) {
	t.Helper()
	w := open(t)
	maple := w.Player(t, "maple").In("request-board")
	maple.Slash("board here")
	return w, maple
}

// publicMessages are the messages of a channel that everybody sees and that are still there.
func publicMessages(p *discordtest.Player) []*discordtest.View {
	return slices.DeleteFunc(p.Messages(), func(v *discordtest.View) bool { return v.Private() || v.Deleted })
}

// waitShown waits until each of the items is shown in the channel, and returns how many cards each message has.
func waitShown(p *discordtest.Player, items []string) (cards []int) {
	for _, name := range items {
		p.WaitMessage("the card of "+name, holding(name))
	}
	for _, v := range publicMessages(p) {
		cards = append(cards, len(v.Cards()))
	}
	return cards
}

// postMany posts requests of a buyer, and returns them and their items.
func (w *world) postMany(who string, n int, change ...func(*trade.OrderDraft)) (orders []trade.Order, items []string) {
	for range n {
		name := fmt.Sprintf("Item (%s)", lot())
		orders = append(orders, w.post(who, append(change, item(name))...))
		items = append(items, name)
	}
	return orders, items
}

func TestTwentyRequestsWithinAMinuteAreFourMessages(t *testing.T) {
	t.Parallel()
	w, maple := boardWorld(t)
	_, first := w.postMany("juniper_fox", 1)
	if got := waitShown(maple, first); !slices.Equal(got, []int{1}) {
		t.Fatalf("cards after the first request: %d", got)
	}
	_, items := w.postMany("juniper_fox", 19)
	if got := waitShown(maple, items); !slices.Equal(got, []int{1, 9, 9, 1}) {
		t.Errorf("cards in each message: %d, want 1, 9, 9 and 1", got)
	}
	_, beside := w.postMany("rowan.ashdown", 1)
	if got := waitShown(maple, beside); !slices.Equal(got, []int{1, 9, 9, 1, 1}) {
		t.Errorf("cards beside another buyer's: %d", got)
	}
	w.Advance(channels.BoardBatchWindow + time.Second)
	_, later := w.postMany("juniper_fox", 1)
	if got := waitShown(maple, later); !slices.Equal(got, []int{1, 9, 9, 1, 1, 1}) {
		t.Errorf("cards after a minute: %d", got)
	}
}

func TestASharedMessageFollowsItsRequests(t *testing.T) {
	t.Parallel()
	w, maple := boardWorld(t)
	juniper := w.actor("juniper_fox")
	_, _ = w.postMany("juniper_fox", 1)
	orders, items := w.postMany("juniper_fox", 3)
	waitShown(maple, items)
	card := maple.WaitMessage("the shared message", func(v *discordtest.View) bool { return len(v.Cards()) == 3 })

	renamed := "Silver Ore"
	if _, err := w.market.Trade.EditOrder(t.Context(), juniper, orders[0].ID, trade.OrderEdit{Version: orders[0].Version, ItemName: &renamed}); err != nil {
		t.Fatal(err)
	}
	card = card.WaitFor("the edit to show", holding(renamed))
	if _, err := w.market.Trade.CloseOrder(t.Context(), juniper, orders[1].ID); err != nil {
		t.Fatal(err)
	}
	card = card.WaitFor("the end to show", holding("closed early"))
	if got := card.List("").Labels(); len(got) != 2 {
		t.Errorf("the menu has %q", got)
	}
	if err := w.market.Trade.DeleteOrder(t.Context(), juniper, orders[2].ID); err != nil {
		t.Fatal(err)
	}
	card = card.WaitFor("the deletion to show", holding("was deleted"))
	if !strings.Contains(card.Text(), items[2]) || len(card.Cards()) != 3 {
		t.Errorf("after the deletion it shows %q", card.Text())
	}

	rowan := w.Player(t, "rowan.ashdown").In("request-board")
	opened := card.List("").ChooseAs(rowan, fmt.Sprint(orders[0].ID))
	if !opened.Private() || !slices.Contains(opened.Buttons(), "Offer to Fulfill") {
		t.Errorf("the menu opens %q with %q, private: %v", opened.Text(), opened.Buttons(), opened.Private())
	}
	if _, err := w.market.Trade.CloseOrder(t.Context(), juniper, orders[0].ID); err != nil {
		t.Fatal(err)
	}
	card.WaitFor("no menu", func(v *discordtest.View) bool { return len(v.Buttons()) == 0 && len(v.Lists()) == 0 })
}

func TestARestoredRequestReturnsToItsSharedMessage(t *testing.T) {
	t.Parallel()
	w, maple := boardWorld(t)
	mod := w.actor(moderator)
	_, _ = w.postMany("juniper_fox", 1)
	orders, items := w.postMany("juniper_fox", 3)
	waitShown(maple, items)
	card := maple.WaitMessage("the shared message", func(v *discordtest.View) bool { return len(v.Cards()) == 3 })
	if err := w.market.Moderation.RemoveOrder(t.Context(), mod, orders[1].ID, "No such item"); err != nil {
		t.Fatal(err)
	}
	card = card.WaitFor("the removal to show", holding("was deleted"))
	removals, err := w.market.Moderation.AuditEntries(t.Context(), mod, 0, 1)
	if err != nil {
		t.Fatal(err)
	}
	if err := w.market.UndoRemoval(t.Context(), mod, removals[0].ID); err != nil {
		t.Fatal(err)
	}
	card = card.WaitFor("the undo to show", func(v *discordtest.View) bool { return !holding("was deleted")(v) })
	if got := card.List("").Labels(); len(card.Cards()) != 3 || len(got) != 3 || !strings.Contains(card.Text(), items[1]) {
		t.Errorf("after the undo it shows %q with the menu %q", card.Text(), got)
	}
}

func TestASharedMessageKeepsDiscordsLimits(t *testing.T) {
	t.Parallel()
	w, maple := boardWorld(t)
	long := func(d *trade.OrderDraft) {
		d.Description = d.Description + " " + strings.Repeat("Bring as many as you can carry. ", 30)
	}
	_, _ = w.postMany("juniper_fox", 1, long)
	_, items := w.postMany("juniper_fox", 9, long)
	if got := waitShown(maple, items); !slices.Equal(got, []int{1, 9}) { // the stand-in refuses what is too large
		t.Errorf("cards in each message: %d", got)
	}
}

func TestACrashBeforeASharedMessageIsNotedContinuesIt(t *testing.T) {
	t.Parallel()
	for name, away := range map[string]time.Duration{"soon": time.Second, "when its nonce is forgotten": 10 * time.Minute} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			w, maple := boardWorld(t)
			_, first := w.postMany("juniper_fox", 1)
			waitShown(maple, first)
			lost := w.Fail("POST /channels/"+w.Channel("request-board").ID()+"/messages", discordtest.Always, discordtest.Losing())
			_, items := w.postMany("juniper_fox", 2)
			lost.WaitHits(t, 1)
			if err := w.bot.stop(); err != nil {
				t.Fatal(err)
			}
			lost.Lift()
			w.Advance(away)
			_, more := w.postMany("juniper_fox", 2)
			w.start()
			waitShown(maple, slices.Concat(items, more))
			for _, name := range slices.Concat(first, items, more) {
				if n := len(slices.DeleteFunc(publicMessages(maple), func(v *discordtest.View) bool { return !holding(name)(v) })); n != 1 {
					t.Errorf("%s is shown %d times", name, n)
				}
			}
		})
	}
}

func TestASharedMessageThatWasDeletedStaysGone(t *testing.T) {
	t.Parallel()
	w, maple := boardWorld(t)
	_, first := w.postMany("juniper_fox", 1)
	orders, items := w.postMany("juniper_fox", 2)
	waitShown(maple, slices.Concat(first, items))
	shared := maple.WaitMessage("the shared message", func(v *discordtest.View) bool { return len(v.Cards()) == 2 })
	w.DeleteMessage(shared.ID)
	w.ForgetRequests()
	if _, err := w.market.Trade.CloseOrder(t.Context(), w.actor("juniper_fox"), orders[0].ID); err != nil {
		t.Fatal(err)
	}
	w.WaitRequests(t, "PATCH /channels/{channel_id}/messages/{message_id}", 1)
	_, next := w.postMany("rowan.ashdown", 1)
	if got := waitShown(maple, next); !slices.Equal(got, []int{1, 1}) {
		t.Errorf("cards in each message: %d", got)
	}
}
