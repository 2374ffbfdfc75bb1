package trade_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"tradepost/core/trade"
	"tradepost/core/trust"
)

// The history of a trade has what its two sides, moderators and time did, in order; and says what time alone leads to.
func TestHistoryOfATrade(t *testing.T) {
	t.Parallel()
	began := time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)
	at := func(hours int) time.Time { return began.Add(time.Duration(hours) * time.Hour) }
	agreed := trade.Trade{
		Sale: 12, AcceptedAt: began, AgreedBy: at(24), State: trust.HandoverAgreed,
		Buyer: trade.Party{User: 1}, Seller: trade.Party{User: 2},
	}
	for name, tt := range map[string]struct {
		change func(*trade.Details)
		now    time.Time
		want   string
		next   trust.HandoverState
		nextAt time.Time
	}{
		"agreed": {func(*trade.Details) {}, at(1), "buyer accepted", trust.HandoverUnconfirmed, at(24).Add(trade.ConfirmWithin)},
		"a place and a word": {func(d *trade.Details) {
			d.Slip.Place = trade.MeetingPlace{Text: "Bank", SaidBy: 2, SaidAt: at(2)}
			d.Trade.Seller.Word, d.Trade.Seller.SaidAt = trade.SaidMet, at(3)
		}, at(4), "buyer accepted, seller placed, seller met", trust.HandoverMet, at(24).Add(trade.AnswerWithin)},
		"a place of before": {func(d *trade.Details) {
			d.Slip.Place = trade.MeetingPlace{Text: "Bank", SaidBy: 2, SaidAt: at(-2)}
		}, at(4), "buyer accepted", trust.HandoverUnconfirmed, at(24).Add(trade.ConfirmWithin)},
		"silence agrees, before it is stored": {func(d *trade.Details) {
			d.Trade.Seller.Word, d.Trade.Seller.SaidAt = trade.SaidMet, at(25)
		}, at(200), "buyer accepted, seller met, silence", "", time.Time{}},
		"called off before the time": {func(d *trade.Details) {
			d.Trade.Buyer.Word, d.Trade.Buyer.SaidAt = trade.SaidNotMet, at(3)
			d.Trade.State, d.Trade.SettledAt = trust.HandoverCancelled, at(3)
		}, at(5), "buyer accepted, buyer not_met", "", time.Time{}},
		"no one answered": {func(d *trade.Details) {
			d.Trade.State, d.Trade.SettledAt = trust.HandoverUnconfirmed, at(200)
		}, at(300), "buyer accepted, silence", "", time.Time{}},
		"both met": {func(d *trade.Details) {
			d.Trade.Buyer.Word, d.Trade.Buyer.SaidAt, d.Trade.Buyer.LaterAt = trade.SaidMet, at(40), at(30)
			d.Trade.Seller.Word, d.Trade.Seller.SaidAt = trade.SaidMet, at(26)
			d.Trade.State, d.Trade.SettledAt = trust.HandoverMet, at(40)
		}, at(50), "buyer accepted, seller met, buyer postponed, buyer met", "", time.Time{}},
		"decided by a moderator": {func(d *trade.Details) {
			d.Trade.Buyer.Word, d.Trade.Buyer.SaidAt = trade.SaidMet, at(26)
			d.Trade.Seller.Word, d.Trade.Seller.SaidAt = trade.SaidNotMet, at(27)
			d.Trade.State, d.Trade.LookedAt, d.Trade.SettledAt = trust.HandoverMet, at(30), at(31)
			d.Trade.SettledBy = 3
		}, at(50), "buyer accepted, buyer met, seller not_met, looked_at, decided", "", time.Time{}},
		"a word that was withdrawn": {func(d *trade.Details) {
			d.Trade.Buyer.TookBackAt = at(28)
			d.Trade.Seller.Word, d.Trade.Seller.SaidAt = trade.SaidNotMet, at(27)
		}, at(29), "buyer accepted, seller not_met, buyer took_back", trust.HandoverCancelled, at(28).Add(trade.AnswerWithin)},
		"undone": {func(d *trade.Details) {
			d.Trade.State, d.Trade.AgreedBy, d.UndoneAt = "", time.Time{}, at(0).Add(time.Minute)
		}, at(1), "buyer accepted, buyer undone", "", time.Time{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := trade.Details{SlipLine: trade.SlipLine{Trade: agreed}}
			tt.change(&d)
			var said []string
			for _, e := range d.History(tt.now) {
				said = append(said, strings.TrimSpace(fmt.Sprint(e.By, " ", e.Kind)))
			}
			if got := strings.Join(said, ", "); got != tt.want {
				t.Errorf("history: %s, want %s", got, tt.want)
			}
			if state, when := d.Trade.Next(tt.now); state != tt.next || !when.Equal(tt.nextAt) {
				t.Errorf("next: %s at %s, want %s at %s", state, when, tt.next, tt.nextAt)
			}
		})
	}
}
