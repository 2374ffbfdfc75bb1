package kernel

import (
	"reflect"
	"testing"

	"tradepost/bot/discord"
	"tradepost/core"
)

func TestAPressSaysTheSameAfterARestart(t *testing.T) {
	p := discord.NewCustomID("accept", core.OfferID(70), 20, DeliveryView(9))
	if got, want := p.String(), "1|accept|70|20|d9"; got != want {
		t.Errorf("custom_id = %q, want %q: buttons that were sent would stop working", got, want)
	}
	got, ok := discord.ParseCustomID(p.String())
	if !ok || !reflect.DeepEqual(got, p) {
		t.Errorf("parsePress = %+v, %v", got, ok)
	}
}

func TestQuantitiesAsPeopleWriteThem(t *testing.T) {
	for text, want := range map[string]int{
		"5": 5, " 12 ": 12, "1,000": 1000, "1.000.000": 1000000, "1 000": 1000, "1’000": 1000, "1_000": 1000, "007": 7,
		"": -1, "-5": -1, "+5": -1, "1.5": -1, "1,00": -1, "1,000.5": -1, "five": -1, "٥": -1, "1e3": -1, "99999999999999": -1, ",100": -1,
	} {
		got, ok := ParseQuantity(text)
		if !ok {
			got = -1
		}
		if got != want {
			t.Errorf("parseQuantity(%q) = %d, want %d", text, got, want)
		}
	}
}
