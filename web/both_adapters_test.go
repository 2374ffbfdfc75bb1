package web_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
)

// startBot runs a bot beside the page, on the same market, until the test ends. It returns what delivers the notices that wait.
func (s *site) startBot() (deliver func()) {
	s.t.Helper()
	b := bot.New(s.market, bot.Options{
		Token: s.discord.Token(), Transport: s.discord.Transport(), PublicURL: s.url, Now: s.clock.now, Features: core.AllFeatures(), Store: s.store,
	})
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- b.Run(ctx) }()
	s.t.Cleanup(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil && !errors.Is(err, discord.ErrToken) {
				s.t.Errorf("the bot ended with %v", err)
			}
		case <-time.After(coretest.Patience(20 * time.Second)):
			s.t.Error("the bot does not stop")
		}
	})
	s.discord.WaitForBot(s.t)
	sender := b.DMSender()
	return func() {
		s.t.Helper()
		rows, err := s.store.Pool().Query(s.t.Context(), "select id from notices where state = 'pending' order by id")
		must(s.t, err)
		var ids []core.NoticeID
		for rows.Next() {
			var id core.NoticeID
			must(s.t, rows.Scan(&id))
			ids = append(ids, id)
		}
		must(s.t, rows.Err())
		for _, id := range ids {
			must(s.t, s.market.Channels.DeliverNotice(s.t.Context(), sender, id))
		}
	}
}

// Each trade is accepted on the page. What both say there and in Discord ends each in another way, which both show.
func TestEachEndOfAHandoverIsReachedThroughPageAndDiscordTogether(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	deliver, rowan := b.startBot(), b.discord.Player(t, "rowan.ashdown")
	deal := func(quantity int) float64 {
		address := b.rowan.offers(b.maple.posts(), object{"quantityOffered": quantity}) + "/accept"
		accepted := b.maple.post(address, object{"quantity": quantity, "agreedBy": b.clock.now().Add(5 * time.Hour)}).wants(http.StatusOK)
		return accepted.json()["sale"].(object)["id"].(float64)
	}
	met, cancelled, disputed, silent := deal(11), deal(12), deal(13), deal(14)
	deliver()
	told := func(quantity int) *discordtest.View {
		for _, message := range rowan.DMs() {
			if strings.Contains(message.Text(), fmt.Sprintf("accepted %d × Iron Ore", quantity)) {
				return message
			}
		}
		t.Fatalf("no message about %d", quantity)
		return nil
	}
	onPage := func(who *browser, sale float64, word string) {
		who.post("/api/handovers/say", object{"sales": []float64{sale}, "word": word}).wants(http.StatusOK)
	}
	told(12).Button("It did not happen").Press().Button("Yes, it did not happen").Press() // before the agreed time
	b.clock.forward(6 * time.Hour)
	onPage(b.maple, met, "met")
	onPage(b.maple, disputed, "met")
	told(11).Button("We met").Press()
	told(13).Button("It did not happen").Press().Button("Yes, it did not happen").Press()
	for range 8 {
		b.clock.forward(24 * time.Hour)
		_, err := b.market.Trade.ProcessHandovers(t.Context(), 100)
		must(t, err)
		for _, side := range []*browser{b.maple, b.rowan} { // who is away for a week is signed out
			side.get("/api/me").wants(http.StatusOK)
		}
	}
	for sale, want := range map[float64]string{met: "met", cancelled: "cancelled", disputed: "disputed", silent: "unconfirmed"} {
		for _, side := range []*browser{b.maple, b.rowan} {
			found := side.get(fmt.Sprintf("/api/me/handovers?sale=%v", sale)).wants(http.StatusOK).json()["handovers"].([]any)
			if len(found) != 1 || found[0].(object)["state"] != want {
				t.Errorf("%s reads %v, want %s", side.User.Username, found, want)
			}
		}
	}
	slip := rowan.UseOnPerson(b.discord.Player(t, "maple"), "What is open between us").View.Text()
	if !strings.Contains(slip, "13 × Iron Ore") || !strings.Contains(slip, "disputed") || strings.Contains(slip, "11 × Iron Ore") || strings.Contains(slip, "14 × Iron Ore") {
		t.Errorf("the slip in Discord is\n%s", slip)
	}
	page := b.maple.get(fmt.Sprint("/api/me/slips/", b.rowan.User.ID)).wants(http.StatusOK).json()
	if lines := page["lines"].([]any); len(lines) != 1 || lines[0].(object)["handover"].(object)["state"] != "disputed" {
		t.Errorf("the slip on the page has %v", lines)
	}

	mod := b.discord.Player(t, moderator)
	choice := mod.Slash("moderate disputes").List("Open a dispute…")
	ruling := choice.Choose(choice.Labels()[0]).List("Settle it…").Choose("They met").Modal
	ruling.Submit(map[string]string{"Reason": "Both logs say so"})
	b.maple.get(fmt.Sprint("/api/me/slips/", b.rowan.User.ID)).wantsProblem(http.StatusNotFound)
	settled := b.maple.get(fmt.Sprintf("/api/me/handovers?sale=%v", disputed)).json()["handovers"].([]any)
	if settled[0].(object)["state"] != "met" {
		t.Errorf("the settled dispute is %v", settled)
	}
}
