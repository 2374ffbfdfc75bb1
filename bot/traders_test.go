package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"tradepost/bot/discordtest"
)

func TestARecordIsShownAndTermsAreSetByCommand(t *testing.T) {
	t.Parallel()
	w := open(t)
	order := w.post("maple")
	maple, rowan := w.Player(t, "maple"), w.Player(t, "rowan.ashdown")
	w.actor("rowan.ashdown")
	wants(t, "who only looks", maple.UseOnPerson(rowan, "Record").View, "There is no such trader")
	wants(t, "one's own", w.at(maple, "Settings").Button("My record").Press().View, "New here")
	wants(t, "one without an account", maple.UseOnPerson(w.Player(t, "juniper_fox"), "Record").View, "There is no such trader")
	wants(t, "the request", rowan.Slash("request show", rowan.Pick("request show", "request", "Iron")).View, "Record", "New here")

	set := maple.Slash("offer standing", maple.Pick("offer standing", "request", "Iron"), discordtest.Int("take", 200), discordtest.Str("sellers", "trusted"), discordtest.Int("from-others", 20))
	wants(t, "what was set", set.View, "up to 200 from established sellers, up to 20 from others")
	sent := rowan.Slash("offer send", rowan.Pick("offer send", "request", "Iron"), discordtest.Int("quantity", 20), discordtest.Str("message", "Tonight"))
	wants(t, "the seller's answer", sent.View, "accepted")
	rowan.WaitDM("that it was accepted", holding("The buyer accepted"))
	if o := w.order("maple", order.ID); o.Sold != 20 {
		t.Errorf("sold %d", o.Sold)
	}
	wants(t, "rowan's record", maple.UseOnPerson(rowan, "Record").View, "New here", "Account since 20")
	wants(t, "the end", maple.Slash("offer standing", maple.Pick("offer standing", "request", "Iron")).View, "wait for your answer again")
	wants(t, "what is asked", maple.Slash("offer least-record", maple.Pick("offer least-record", "request", "Iron"), discordtest.Str("sellers", "met"), discordtest.Int("new-up-to", 5)).View, "Only people you have met", "up to 5")
	refused := rowan.Slash("offer send", rowan.Pick("offer send", "request", "Iron"), discordtest.Int("quantity", 20), discordtest.Str("message", "Tonight"))
	wants(t, "the refusal", refused.View, "You can offer up to 5. Once you have met this buyer, you can offer more.")
}

func TestTermsAreHiddenWhereTheyAcceptNothing(t *testing.T) {
	t.Parallel()
	w := open(t)
	w.post("maple")
	maple := w.Player(t, "maple")
	standing := func(options ...discordtest.Option) string {
		t.Helper()
		request := discordtest.Str("request", fmt.Sprint(w.openOrders()[0].ID))
		return maple.Slash("offer standing", append([]discordtest.Option{request}, options...)...).Text()
	}
	take, trusted := discordtest.Int("take", 200), discordtest.Str("sellers", "trusted")
	for _, tt := range []struct {
		locale, partnersOnly, others, all string
	}{
		{"en-US", "up to 200 from established sellers. This ends", "others", "up to 20 from all sellers"},
		{"de", "bis zu 200 (etablierte Verkäufer). Das endet", "anderen", "bis zu 20 von allen Verkäufern"},
	} {
		maple.SetLocale(tt.locale)
		if got := standing(take, trusted); !strings.Contains(got, tt.partnersOnly) || strings.Contains(got, tt.others) {
			t.Errorf("with nothing from others it says %q", got)
		}
		if got := standing(discordtest.Int("take", 20), discordtest.Str("sellers", "anybody")); !strings.Contains(got, tt.all) {
			t.Errorf("with anybody it says %q", got)
		}
		if got := standing(discordtest.Int("from-others", 20)); !strings.Contains(got, tt.all) {
			t.Errorf("with the same from all it says %q", got)
		}
	}
}
