package web_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"tradepost/core"
	"tradepost/core/hours"
	"tradepost/web"
)

// plays saves the hours of the week in which somebody plays, from hours after now.
func (b *board) plays(who *browser, after ...time.Duration) {
	list := []int{}
	for _, d := range after {
		list = append(list, hours.At(b.clock.now().Add(d)))
	}
	who.put("/api/me/hours", object{"hours": list}).wants(http.StatusOK)
}

// meeting returns what one side reads of when they meet for a sale; nil for no time.
func meetingOf(who *browser, sale any) object {
	trade := who.get(fmt.Sprint("/api/me/trades/", sale)).wants(http.StatusOK).json()
	m, _ := trade["handover"].(object)["meeting"].(object)
	return m
}

func (b *board) kindsOf(who *browser) (kinds []string) {
	for _, n := range who.get("/api/me/notices").wants(http.StatusOK).json()["notices"].([]any) {
		if kind := n.(object)["kind"].(string); strings.HasPrefix(kind, "meeting_") {
			kinds = append(kinds, kind)
		}
	}
	return kinds
}

func TestBothSidesOfATradeAgreeOnTheTimeThatIsProposed(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.clock.forward(b.clock.now().Truncate(time.Hour).Add(time.Hour).Sub(b.clock.now())) // a full hour
	b.plays(b.maple, 4*time.Hour, 5*time.Hour, 30*time.Hour)
	b.plays(b.rowan, 3*time.Hour, 5*time.Hour, 30*time.Hour)
	deal := func() any {
		return b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 1}).wants(http.StatusOK).json()["sale"].(object)["id"]
	}
	sale := deal()
	first := b.clock.now().Add(5 * time.Hour)
	press := func(who *browser, what string, body object) *reply {
		return who.post(fmt.Sprintf("/api/handovers/%v/meeting/%s", sale, what), body)
	}
	for name, who := range map[string]*browser{"buyer": b.maple, "seller": b.rowan} {
		if m := meetingOf(who, sale); m["at"] != first.Format(time.RFC3339) || m["works"] != false || m["worksForThem"] != false {
			t.Errorf("the %s reads %v, want %s", name, m, first)
		}
	}
	press(b.mod, "accept", object{"at": first}).wantsProblem(http.StatusForbidden)
	press(b.maple, "accept", object{"at": first}).wants(http.StatusOK)
	if kinds := b.kindsOf(b.rowan); fmt.Sprint(kinds) != "[meeting_time]" {
		t.Errorf("the seller hears %v", kinds)
	}
	if m := meetingOf(b.rowan, sale); m["worksForThem"] != true || m["works"] != false {
		t.Errorf("once it works for the buyer, the seller reads %v", m)
	}
	second := first.Add(30 * time.Minute)
	if h := press(b.rowan, "next", object{"instead": first}).wants(http.StatusOK).json(); h["meeting"].(object)["at"] != second.Format(time.RFC3339) {
		t.Errorf("the next time is %v, want %s", h["meeting"], second)
	}
	press(b.maple, "accept", object{"at": first}).wantsProblem(http.StatusConflict)
	chosen := b.clock.now().Add(8*time.Hour + 15*time.Minute)
	b.rowan.put(fmt.Sprintf("/api/handovers/%v/meeting", sale), object{"at": chosen}).wants(http.StatusOK)
	b.rowan.put(fmt.Sprintf("/api/handovers/%v/meeting", sale), object{"at": chosen.Add(20 * core.Day)}).wantsProblem(http.StatusUnprocessableEntity, "at")
	other := deal() // the two meet once
	if m := meetingOf(b.maple, other); m["at"] != chosen.Format(time.RFC3339) || m["worksForThem"] != false {
		t.Errorf("another trade of the two has %v", m)
	}
	press(b.maple, "accept", object{"at": chosen}).wants(http.StatusOK)
	if m := meetingOf(b.rowan, sale); m["works"] != true || m["worksForThem"] != true {
		t.Errorf("agreed: %v", m)
	}
	if m := meetingOf(b.rowan, other); m["works"] != true || m["worksForThem"] != true {
		t.Errorf("the other trade is not agreed: %v", m)
	}

	before := len(b.kindsOf(b.rowan))
	process := func() {
		if _, err := b.market.Trade.ProcessHandovers(t.Context(), 100); err != nil {
			t.Fatal(err)
		}
	}
	b.clock.forward(chosen.Sub(b.clock.now()) - 10*time.Minute - time.Second)
	if process(); len(b.kindsOf(b.rowan)) != before {
		t.Error("reminded too early")
	}
	b.clock.forward(time.Second)
	process()
	process()
	for name, who := range map[string]*browser{"buyer": b.maple, "seller": b.rowan} {
		soon := 0
		for _, kind := range b.kindsOf(who) {
			if kind == "meeting_soon" {
				soon++
			}
		}
		if soon != 2 { // one message about both trades
			t.Errorf("the %s is reminded of %d trades, want 2", name, soon)
		}
	}
	b.rowan.post("/api/handovers/say", object{"sales": []any{sale}, "word": "met"}).wants(http.StatusOK)
	if m := meetingOf(b.rowan, sale); m != nil {
		t.Errorf("once they met: %v", m)
	}
	press(b.maple, "next", object{"instead": chosen}).wantsProblem(http.StatusConflict)
}

func TestAfterThreeProposalsASideCanOnlyTakeTheTime(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	sale := b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 1}).wants(http.StatusOK).json()["sale"].(object)["id"]
	chosen := b.clock.now().Add(9 * time.Hour).Truncate(time.Minute)
	address := fmt.Sprintf("/api/handovers/%v/meeting", sale)
	for left := 2; left >= 0; left-- {
		chosen = chosen.Add(time.Hour)
		b.rowan.put(address, object{"at": chosen}).wants(http.StatusOK)
		if m := meetingOf(b.rowan, sale); m["proposalsLeft"] != float64(left) {
			t.Errorf("the meeting is %v, want %d proposals left", m, left)
		}
	}
	b.rowan.put(address, object{"at": chosen.Add(time.Hour)}).wantsProblem(http.StatusConflict)
	if m := meetingOf(b.maple, sale); m["at"] != chosen.Format(time.RFC3339) || m["proposalsLeft"] != 3.0 {
		t.Errorf("the other side reads %v", m)
	}
	b.maple.put(address, object{"at": chosen.Add(time.Hour)}).wants(http.StatusOK)
	b.rowan.put(address, object{"at": chosen.Add(time.Hour)}).wants(http.StatusOK) // the same time
	if m := meetingOf(b.maple, sale); m["works"] != true || m["worksForThem"] != true {
		t.Errorf("taking the time makes it %v", m)
	}
}

func TestNoTimeIsProposedWhereNoneSuitsBoth(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.plays(b.maple, 3*time.Hour)
	b.plays(b.rowan, 30*time.Hour)
	sale := b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 1}).wants(http.StatusOK).json()["sale"].(object)["id"]
	if m := meetingOf(b.maple, sale); m != nil {
		t.Errorf("they share no hour: %v", m)
	}
	b.maple.post(fmt.Sprintf("/api/handovers/%v/meeting/next", sale), object{}).wantsProblem(http.StatusConflict)
	at := b.clock.now().Add(2 * time.Hour).Truncate(time.Minute)
	b.maple.put(fmt.Sprintf("/api/handovers/%v/meeting", sale), object{"at": at}).wants(http.StatusOK)
	if m := meetingOf(b.rowan, sale); m["at"] != at.Format(time.RFC3339) || m["worksForThem"] != true {
		t.Errorf("the seller reads %v", m)
	}
}

func TestATimeIsProposedWhereOneOfTheTwoHasSaidWhenTheyPlay(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.clock.forward(b.clock.now().Truncate(time.Hour).Add(time.Hour).Sub(b.clock.now())) // a full hour
	deal := func() any {
		return b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 1}).wants(http.StatusOK).json()["sale"].(object)["id"]
	}
	sale := deal()
	if m := meetingOf(b.maple, sale); m != nil {
		t.Errorf("nobody has said when they play: %v", m)
	}
	b.plays(b.rowan, 5*time.Hour)
	first := b.clock.now().Add(5 * time.Hour)
	sale = deal()
	for name, who := range map[string]*browser{"buyer": b.maple, "seller": b.rowan} {
		if m := meetingOf(who, sale); m["at"] != first.Format(time.RFC3339) || m["works"] != false || m["worksForThem"] != false {
			t.Errorf("the %s reads %v, want %s", name, m, first)
		}
	}
}

func TestPlayHoursAreReadAndErasedByTheirUserAlone(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.maple.put("/api/me/hours", object{"hours": []int{168}}).wantsProblem(http.StatusUnprocessableEntity, "hours")
	b.visitor.get("/api/me/hours").wantsProblem(http.StatusUnauthorized)
	own := func() object { return b.maple.get("/api/me/hours").wants(http.StatusOK).json() }
	if h := own(); len(h["hours"].([]any)) != 0 || h["learns"] != nil {
		t.Errorf("before anything is said: %v", h)
	}
	b.maple.put("/api/me/hours", object{"hours": []int{20, 19, 20}}).wants(http.StatusOK)
	if h := own(); fmt.Sprint(h["hours"]) != "[19 20]" {
		t.Errorf("saved: %v", h)
	}
	export := b.maple.signsIn("maple").get("/api/me/data").wants(http.StatusOK).json()
	if h, _ := export["playHours"].(object); fmt.Sprint(h["hours"]) != "[19 20]" {
		t.Errorf("the download has %v", export["playHours"])
	}
	b.maple.delete("/api/me/hours").wants(http.StatusNoContent)
	if h := own(); len(h["hours"].([]any)) != 0 || h["learns"] != nil {
		t.Errorf("erased: %v", h)
	}
}

func TestWhoSavesNoHoursIsNotAskedAgain(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	asks := func() any { return b.maple.get("/api/me/hours").wants(http.StatusOK).json()["asks"] }
	if asks() != true {
		t.Error("who has said nothing is not asked")
	}
	b.maple.put("/api/me/hours", object{"hours": []int{}}).wants(http.StatusOK)
	if asks() != false {
		t.Error("who has answered is asked again")
	}
	b.maple.delete("/api/me/hours").wants(http.StatusNoContent)
	if asks() != false {
		t.Error("who has erased their hours is asked again")
	}
}

func TestHoursAreLearnedFromMeetingsOnlyOnceSwitchedOn(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	b.clock.forward(b.clock.now().Truncate(time.Hour).Add(time.Hour).Sub(b.clock.now()))
	meet := func() {
		sale := b.maple.post(b.rowan.offers(b.maple.posts())+"/accept", object{"quantity": 1}).wants(http.StatusOK).json()["sale"].(object)["id"]
		for _, who := range []*browser{b.maple, b.rowan} {
			who.post("/api/handovers/say", object{"sales": []any{sale}, "word": "met"}).wants(http.StatusOK)
		}
	}
	learned := func(who *browser) string {
		return fmt.Sprint(who.get("/api/me/hours").wants(http.StatusOK).json()["learned"])
	}
	meet()
	meet()
	b.maple.put("/api/me/hours/learning", object{"learns": true}).wants(http.StatusOK)
	if got := learned(b.maple); got != "[]" {
		t.Errorf("learned before it was switched on: %s", got)
	}
	meet()
	if got := learned(b.maple); got != "[]" {
		t.Errorf("learned from one meeting: %s", got)
	}
	meet()
	var daily []int
	for day := range 7 {
		daily = append(daily, day*24+hours.At(b.clock.now())%24)
	}
	if got, want := learned(b.maple), fmt.Sprint(daily); got != want {
		t.Errorf("learned %s, want %s", got, want)
	}
	if got := learned(b.rowan); got != "[]" {
		t.Errorf("learned of somebody who has not switched it on: %s", got)
	}
	b.maple.put("/api/me/hours/learning", object{"learns": false}).wants(http.StatusOK)
	if got := learned(b.maple); got != "[]" {
		t.Errorf("still there once it is switched off: %s", got)
	}
}

func TestTheBuyersQueueSaysWhoIsLikelySoonest(t *testing.T) {
	t.Parallel()
	b := openBoard(t)
	fern := b.signedIn("juniper_fox")
	b.plays(b.maple, time.Hour, 2*time.Hour, 3*time.Hour)
	b.plays(b.rowan, time.Hour)
	b.plays(fern, 2*time.Hour, 3*time.Hour)
	fern.offers(b.order)
	soonest := func() string {
		var of []any
		for _, o := range b.maple.get("/api/me/offers/received").wants(http.StatusOK).json()["requests"].([]any)[0].(object)["offers"].([]any) {
			if o.(object)["soonest"] == true {
				of = append(of, o.(object)["sellerContact"])
			}
		}
		return fmt.Sprint(of)
	}
	if got := soonest(); got != "[juniper_fox]" {
		t.Errorf("likely soonest are %s", got)
	}
	fern.delete("/api/me/hours").wants(http.StatusNoContent)
	if got := soonest(); got != "[rowan.ashdown]" {
		t.Errorf("once fern's hours are erased, likely soonest are %s", got)
	}
}

func TestWithoutHoursNothingIsProposed(t *testing.T) {
	t.Parallel()
	b := openBoard(t, func(o *web.Options) { o.Features.Hours = false })
	b.maple.get("/api/me/hours").wantsProblem(http.StatusNotFound)
	if described := b.visitor.get("/api/openapi.json").wants(http.StatusOK).body; strings.Contains(string(described), "meeting_") || strings.Contains(string(described), "soonest") || strings.Contains(string(described), "PlayHours") {
		t.Error("the description of the API has hours")
	}
}
