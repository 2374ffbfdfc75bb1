//go:build unix

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"sync"
	"text/tabwriter"
	"time"

	"tradepost/tools/lab/faults/history"
)

const (
	acceptsAtOnce = 64
	acceptSellers = 5 // of one request
	// Many people take part, in turn: Discord accepts five messages in a channel within five
	// seconds.
	racers = 40
	// racesInScene is how many rounds are played on one database: a comparison looks at all of them.
	racesInScene = 25
)

// acceptFaults are races on one order.
var acceptFaults = []fault{{
	name: "64 accepts of one request at once, with edits, sales, withdrawals and a close", rare: 5,
	note: "through both adapters; nothing is oversold, and the answers are those of some order of events",
	round: func(s *scene, i int) time.Duration {
		began := time.Now()
		order := s.race(rand.New(rand.NewPCG(s.ground.seed, uint64(i))))
		back := s.since(began)
		if err := s.linearizable(order); !errors.Is(err, errUndecided) {
			s.must(err)
		}
		return back
	},
}}

// race posts a request, collects offers, and has 64 accepts and some noise run at once. It returns the
// request.
func (s *scene) race(rng *rand.Rand) (order int64) {
	for len(s.racers) < racers {
		s.racers = append(s.racers, s.owner(s.discord.NewPlayer(s, fmt.Sprintf("racer%d", visitors.Add(1)))))
	}
	o := s.racers[rng.IntN(racers)]
	quantity := 30 + rng.IntN(60)
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: o.person, name: "Copper " + newName(visitors.Add(1)),
		quantity: quantity, price: 70}, &posted)
	offers := s.raceOffers(rng, o, posted.ID)
	var all []func()
	add := func(w write) {
		w.order = posted.ID
		all = append(all, func() { s.write(w) })
	}
	for i := range acceptsAtOnce {
		w := write{op: opAccept, actor: o.person, adapter: overHTTP, offer: offers[rng.IntN(len(offers))].id,
			quantity: 1 + rng.IntN(2)}
		if i%2 == 1 {
			w.adapter = overDiscord
		}
		add(w)
	}
	raceNoise(rng, o, offers, quantity, add)
	rng.Shuffle(len(all), func(i, j int) { all[i], all[j] = all[j], all[i] })
	s.allAtOnce(all)
	return posted.ID
}

// raceOffer is an offer that a race is about.
type raceOffer struct {
	id     int64
	seller *person // nil for a visitor
}

// raceOffers sends an offer of each seller and two of visitors.
func (s *scene) raceOffers(rng *rand.Rand, to *owner, order int64) (offers []raceOffer) {
	sellers := s.racers
	rng.Shuffle(len(sellers), func(i, j int) { sellers[i], sellers[j] = sellers[j], sellers[i] })
	sellers = slices.DeleteFunc(slices.Clone(sellers), func(seller *owner) bool { return seller == to })
	for i := range acceptSellers + 2 {
		n := visitors.Add(1)
		w := write{op: opOffer, address: from(n), order: order, name: newName(n), quantity: 5 + rng.IntN(15)}
		if i < acceptSellers {
			w.actor = sellers[i].person
		}
		var made struct{ Offer struct{ ID int64 } }
		s.mustWrite(w, &made)
		s.owe(newName(n), to.Username())
		offers = append(offers, raceOffer{made.Offer.ID, w.actor})
	}
	return offers
}

// raceNoise adds what happens beside the accepts.
func raceNoise(rng *rand.Rand, o *owner, offers []raceOffer, quantity int, add func(write)) {
	for i := range 4 {
		add(write{adapter: overHTTP, op: opEdit, actor: o.person, version: 1 + rng.IntN(20),
			quantity: quantity + rng.IntN(10), price: 70})
		sell := write{adapter: overHTTP, op: opSell, actor: o.person, quantity: 1 + rng.IntN(3),
			name: newName(visitors.Add(1))}
		if i%2 == 1 {
			sell.adapter = overDiscord
		}
		add(sell)
	}
	for _, offer := range offers[:2] {
		add(write{adapter: overHTTP, op: opWithdraw, actor: offer.seller, offer: offer.id})
	}
	add(write{adapter: overHTTP, op: opDecline, actor: o.person, offer: offers[len(offers)-1].id})
	if rng.IntN(3) == 0 {
		add(write{adapter: overHTTP, op: opClose, actor: o.person})
	}
}

// allAtOnce does everything at the same time and returns when all of it has ended.
func (s *scene) allAtOnce(all []func()) {
	var doing sync.WaitGroup
	start := make(chan struct{})
	failed := make(chan error, len(all))
	for _, do := range all {
		doing.Go(func() {
			<-start
			failed <- s.try(do)
		})
	}
	close(start)
	doing.Wait()
	for range all {
		s.must(<-failed)
	}
}

// playRaces plays rounds of 64 accepts at once and prints what they came to.
func (g *ground) playRaces(ctx context.Context, rounds int, out io.Writer) error {
	var r races
	began := time.Now()
	var err error
	for r.rounds < rounds && err == nil && ctx.Err() == nil {
		err = g.playSomeRaces(ctx, &r, min(racesInScene, rounds-r.rounds))
		r.took = time.Since(began)
		fmt.Fprintf(os.Stderr, "%d rounds in %s\n", r.rounds, r.took.Round(time.Second))
	}
	r.print(out, g.seed)
	if r.rounds < rounds {
		err = errors.Join(err, errors.New("races: stopped before the end"))
	}
	if r.rounds >= racesInScene && r.undecided > r.rounds/2 {
		err = errors.Join(err, errors.New("races: most histories were not decided in time"))
	}
	return err
}

// playSomeRaces plays rounds on a database of their own. The history of each request is checked when its
// round ends; all rows and messages are compared once the last notice has been delivered.
func (g *ground) playSomeRaces(ctx context.Context, r *races, rounds int) error {
	s, err := g.newScene(ctx, fault{name: "races"})
	if err != nil {
		return err
	}
	defer s.close()
	ctx, cancel := context.WithTimeout(ctx, time.Duration(rounds)*patience)
	defer cancel()
	s.ctx = ctx
	s.reset()
	hot := map[int64]bool{}
	err = s.try(func() {
		for range rounds {
			order := s.race(rand.New(rand.NewPCG(g.seed, uint64(r.rounds))))
			hot[order] = true
			r.rounds++
			if err := s.linearizable(order); errors.Is(err, errUndecided) {
				r.undecided++
			} else if err != nil {
				r.differences++
				s.must(fmt.Errorf("round %d: %w", r.rounds, err))
			}
		}
		s.settled()
		if err := s.compare(ctx); err != nil {
			r.differences++
			s.must(err)
		}
	})
	if err != nil {
		err = errors.Join(err, s.saidAtLast())
	}
	stored, readErr := s.stored(context.WithoutCancel(ctx))
	r.count(s.history.Writes(), stored, hot)
	return errors.Join(err, readErr, s.checkInvariants(ctx))
}

// races is what many rounds came to.
type races struct {
	rounds                int
	web, bot              tallied // accepts
	noise                 tallied // everything beside them
	sold, quantity        int     // of the requests
	filled, closed, open  int
	oversold, differences int
	undecided             int // histories whose check ran out of time
	took                  time.Duration
}

// tallied counts writes by what is known of them.
type tallied struct{ acknowledged, refused, unknown int }

func (t *tallied) add(status history.Status) {
	switch status {
	case history.Acknowledged:
		t.acknowledged++
	case history.Refused:
		t.refused++
	default:
		t.unknown++
	}
}

// count adds a scene's writes and rows.
func (r *races) count(writes []history.Write, stored history.Stored, hot map[int64]bool) {
	offers := map[int64]bool{}
	for _, w := range writes {
		if w.Operation == history.Offer && hot[w.Order] {
			offers[w.Outcome.Answer.Offer] = true
		}
	}
	for _, w := range writes {
		switch {
		case w.Operation == history.Accept && w.Adapter == history.Web:
			r.web.add(w.Outcome.Status)
		case w.Operation == history.Accept:
			r.bot.add(w.Outcome.Status)
		case w.Operation == history.Edit, w.Operation == history.Sell, w.Operation == history.Close,
			w.Operation == history.Remove && offers[w.Offer]:
			r.noise.add(w.Outcome.Status)
		}
	}
	for _, o := range stored.Orders {
		if !hot[o.ID] {
			continue
		}
		r.sold, r.quantity = r.sold+o.Sold, r.quantity+o.Quantity
		switch {
		case o.Sold > o.Quantity:
			r.oversold++
		case o.Sold == o.Quantity:
			r.filled++
		case o.Closed:
			r.closed++
		default:
			r.open++
		}
	}
}

func (r races) print(out io.Writer, seed uint64) {
	w := tabwriter.NewWriter(out, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(w, "\tacknowledged\trefused\tunknown\t")
	for _, line := range []struct {
		name string
		tallied
	}{{"accepts through the page", r.web}, {"accepts through Discord", r.bot},
		{"edits, sales, removals, closes", r.noise}} {
		fmt.Fprintf(w, "%s\t%d\t%d\t%d\t\n", line.name, line.acknowledged, line.refused, line.unknown)
	}
	_ = w.Flush() // nothing could be done about it
	fmt.Fprintf(out, "\n%d rounds of %d accepts at once in %s, seed %d. %d of %d sold; requests filled %d, closed early %d, open %d.\n",
		r.rounds, acceptsAtOnce, r.took.Round(time.Second), seed, r.sold, r.quantity, r.filled,
		r.closed, r.open)
	fmt.Fprintf(out, "Requests oversold: %d. Comparisons of answers with what is stored, or with any order of events, that failed: %d. Histories not decided in time: %d.\n",
		r.oversold, r.differences, r.undecided)
}
