package history

import (
	"strings"
	"testing"
	"time"
)

// line is a history without overlaps, unless a write says when it was called and returned.
func line(writes ...Write) []Write {
	for i := range writes {
		if writes[i].Returned == 0 {
			writes[i].Called, writes[i].Returned = time.Duration(10*i+1), time.Duration(10*i+2)
		}
		if writes[i].Adapter == "" {
			writes[i].Adapter = Web
		}
	}
	return writes
}

func yes(w Write, a Answer) Write {
	w.Outcome = Outcome{Status: Acknowledged, Answer: a}
	return w
}

func no(w Write, kind string) Write {
	w.Outcome = Outcome{Status: Refused, Kind: kind}
	return w
}

func TestARequestIsWhatItsHistoryMakesIt(t *testing.T) {
	t.Parallel()
	post := yes(Write{Operation: Post, Actor: "ann", Quantity: 10}, Answer{Order: 1, State: State{1, 10, 0, false}})
	offer := yes(Write{Operation: Offer, Actor: "bob", Quantity: 6}, Answer{Offer: 2})
	accept := func(quantity int, state State) Write {
		return yes(Write{Operation: Accept, Actor: "ann", Offer: 2, Quantity: quantity}, Answer{Sale: 3, State: state})
	}
	some := accept(4, State{2, 10, 4, false})
	undo := yes(Write{Operation: UndoSale, Actor: "ann", Sale: 3}, Answer{State: State{3, 10, 0, false}})
	closed := yes(Write{Operation: Close, Actor: "ann"}, Answer{})
	offers := func(lines ...Line) Write { return yes(Write{Operation: ReadOffers}, Answer{Lines: lines}) }
	list := func(state State) Write { return yes(Write{Operation: ReadList}, Answer{State: state}) }
	say := func(who, word string) Write {
		return yes(Write{Operation: Say, Actor: who, Sale: 3, Word: word}, Answer{})
	}
	read := func(state State) Write { return yes(Write{Operation: Read}, Answer{State: state}) }
	block := yes(Write{Operation: BlockSeller, Actor: "ann", Offer: 2}, Answer{})
	standing := yes(Write{Operation: SetStanding, Actor: "ann", Quantity: 6}, Answer{})
	lost := Write{Operation: Close, Actor: "ann"}
	early := list(State{2, 10, 4, false})
	early.Called, early.Returned = 1, 1000
	for name, test := range map[string]struct {
		writes []Write
		want   Verdict
	}{
		"an accept":                         {line(post, offer, some, offers(Line{Offer: 2, Quantity: 2})), Linearizable},
		"an accept that leaves its offer":   {line(post, offer, some, offers(Line{Offer: 2, Quantity: 6})), Contradicted},
		"more than is left":                 {line(post, offer, some, accept(4, State{3, 10, 8, false})), Contradicted},
		"an accept that is refused wrongly": {line(post, offer, no(Write{Operation: Accept, Actor: "ann", Offer: 2, Quantity: 4}, "invalid")), Contradicted},
		"an undone accept":                  {line(post, offer, some, undo, offers(Line{Offer: 2, Quantity: 6})), Linearizable},
		"an undone accept that keeps some":  {line(post, offer, some, undo, offers(Line{Offer: 2, Quantity: 2})), Contradicted},
		"an undo after a word":              {line(post, offer, some, say("bob", saidMet), undo), Contradicted},
		"a trade that did not take place":   {line(post, offer, some, say("ann", saidNotMet), read(State{3, 10, 0, false})), Linearizable},
		"one that is not given back":        {line(post, offer, some, say("ann", saidNotMet), read(State{2, 10, 4, false})), Contradicted},
		"a list after a close":              {line(post, closed, list(State{})), Linearizable},
		"an old list after a close":         {line(post, closed, list(State{1, 10, 0, false})), Contradicted},
		"a list while it changes":           {line(post, offer, some, closed, early), Linearizable},
		"a close of unknown outcome":        {line(post, lost, offer), Linearizable},
		"one that has happened":             {line(post, lost, no(offer, "conflict")), Linearizable},
		"an offer that no close refuses":    {line(post, no(offer, "conflict")), Contradicted},
		"a blocked seller":                  {line(post, offer, block, no(offer, "forbidden")), Linearizable},
		"a blocked seller who offers":       {line(post, offer, block, offer), Contradicted},
		"an accept as it comes":             {line(post, standing, yes(Write{Operation: Offer, Actor: "bob", Quantity: 6}, Answer{Offer: 2, Accepted: 6}), offers()), Linearizable},
		"one that waits":                    {line(post, standing, offer), Contradicted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := CheckRequest(test.writes, time.Minute); got != test.want {
				t.Errorf("the history is %s, want %s:\n%s", got, test.want, strings.Join(Describe(test.writes), "\n"))
			}
		})
	}
	wrong := line(post, offer, some, undo, offers(Line{Offer: 2, Quantity: 2}), closed)
	if at := Contradicts(wrong, CheckRequest, time.Minute); at.Operation != ReadOffers {
		t.Errorf("the first contradiction is %s", Describe([]Write{at}))
	}
}

func TestAValueIsWhatWasWrittenLast(t *testing.T) {
	t.Parallel()
	set := func(text string) Write { return yes(Write{Operation: Set, Word: text}, Answer{}) }
	read := func(text string) Write { return yes(Write{Operation: Read, Word: text}, Answer{}) }
	lost := Write{Operation: Set, Word: "lost"}
	for name, test := range map[string]struct {
		writes []Write
		want   Verdict
	}{
		"what was written":           {line(read("old"), set("a"), read("a"), set("b"), read("b")), Linearizable},
		"an old value to its writer": {line(read("old"), set("a"), read("old")), Contradicted},
		"backwards":                  {line(read("old"), lost, read("lost"), read("old")), Contradicted},
		"a write that came late":     {line(read("old"), lost, read("old"), read("lost")), Linearizable},
		"one that was refused":       {line(read("old"), no(Write{Operation: Set, Word: "a"}, "conflict"), read("a")), Contradicted},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			if got := CheckValue(test.writes, time.Minute); got != test.want {
				t.Errorf("the history is %s, want %s", got, test.want)
			}
		})
	}
}
