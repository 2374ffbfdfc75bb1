//go:build unix

package main

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"net/url"
	"slices"
)

const (
	honestGroups  = 4 // of traders: three circles of people end a market's youth
	honestOfGroup = 4
	honestWatch   = 60 // people who watch for items that puppets ask for
	strangers     = 4  // people with a request that anybody may offer on
	honestItem    = "Black Alabaster"
	honestPrice   = 1000 // in copper, of which honest prices differ by about a tenth
	lowPrice      = 900  // at which honest requests stay open
	honestAge     = "10 days"
	forgedName    = "Zircon" // names of items that puppets make up begin with it
)

// honestMarket is the market that puppets attack: people whose accounts are years old, who know each other,
// have traded an item, and watch for others.
type honestMarket struct {
	traders, watchers, strangers []*person
	watches                      []int64 // by watcher
	orders                       []int64 // by stranger
	item                         int64
	random                       *rand.Rand
}

// publicFigures are read as anybody reads them.
type publicFigures struct {
	prices []string // medians and ranges over 7, 30 and 90 days
	odds   string
}

func (s *scene) honestMarket() *honestMarket {
	m := &honestMarket{random: rand.New(rand.NewPCG(s.ground.seed, 14))}
	m.traders = s.oldPeople("honest", honestGroups*honestOfGroup)
	m.watchers = s.oldPeople("watcher", honestWatch)
	m.strangers = s.oldPeople("stranger", strangers)
	for _, p := range m.traders { // most trades of puppets would count in a young market
		s.mustWrite(write{op: opVouch, actor: s.moderator, number: s.user(p), subject: p.Username()}, nil)
	}
	m.trade(s)
	s.settled()
	s.runJob("find_traders")
	for _, turn := range []string{
		"orders set created_at = created_at - interval '" + honestAge + "' where user_id = any($1)",
		"order_updates set created_at = created_at - interval '" + honestAge + "' where buyer_id = any($1)",
		"handovers set settled_at = settled_at - interval '" + honestAge + "' where buyer_id = any($1)",
	} {
		s.turnOf(turn, m.traders)
	}
	for _, p := range m.strangers {
		m.orders = append(m.orders, s.tradeOrder(p, 1_000_000))
	}
	for _, p := range m.watchers {
		var watch struct{ ID int64 }
		s.mustWrite(write{op: opWatch, actor: p, name: forgedName}, &watch)
		m.watches = append(m.watches, watch.ID)
	}
	s.turnOf(`searches set created_at = created_at - interval '1 day',
		updated_at = updated_at - interval '1 day' where user_id = any($1)`, m.watchers)
	s.restartAll() // nothing else tells the program that the clocks were turned
	s.discord.WaitForBot(s)
	m.item = s.number("select id from catalogue_items where name = $1", honestItem)
	return m
}

// oldPeople are people with accounts in Discord and here that are years old.
func (s *scene) oldPeople(kind string, n int) (people []*person) {
	for range n {
		name := fmt.Sprintf("%s%d", kind, visitors.Add(1))
		s.discord.Invite(name)
		people = append(people, s.person(s.discord.Player(s, name)))
	}
	s.turnOf("users set created_at = created_at - interval '2 years' where id = any($1)", people)
	return people
}

// turnOf turns clocks of some people.
func (s *scene) turnOf(update string, people []*person) {
	_, err := s.db.Exec(s.ctx, "update "+update, s.users(people))
	s.must(err)
}

func (s *scene) users(people []*person) (ids []int64) {
	for _, p := range people {
		ids = append(ids, s.user(p))
	}
	return ids
}

// trade has the traders of each group trade with each other and with one of each other group, and ask
// for more at a low price.
func (m *honestMarket) trade(s *scene) {
	for i, buyer := range m.traders {
		for step, seller := range m.traders[i+1:] {
			apart := i/honestOfGroup != (i+1+step)/honestOfGroup
			if apart && (step+1)%(honestOfGroup+1) != 0 {
				continue
			}
			price := honestPrice * math.Exp(m.random.NormFloat64()/10)
			s.handOver(buyer, seller, honestItem, int64(price))
		}
		s.mustWrite(write{op: opPost, actor: buyer, name: honestItem, quantity: 7, price: lowPrice,
			sure: true}, nil)
	}
}

// handOver has one buy of another, and both say that they met.
func (s *scene) handOver(buyer, seller *person, item string, price int64) {
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: buyer, name: item, quantity: 10, price: price, sure: true}, &posted)
	var made struct{ Offer struct{ ID int64 } }
	s.mustWrite(write{op: opOffer, actor: seller, order: posted.ID, name: newName(visitors.Add(1)),
		quantity: 10}, &made)
	var accepted struct{ Sale struct{ ID int64 } }
	s.mustWrite(write{op: opAccept, actor: buyer, order: posted.ID, offer: made.Offer.ID, quantity: 10},
		&accepted)
	for _, p := range []*person{buyer, seller} {
		s.mustWrite(write{op: opSay, actor: p, sales: []int64{accepted.Sale.ID}, word: "met"}, nil)
	}
}

// runJob has the program run a periodic job now, and returns when it has.
func (s *scene) runJob(kind string) {
	id := s.number(`insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state)
		values ('{}', $1, 1, 1, 'chores', now(), 'available') returning id`, kind)
	_, err := s.db.Exec(s.ctx, wakeUp)
	s.must(err)
	s.until(patience, "the job "+kind+" has ended", func() bool {
		var state string
		err := s.db.QueryRow(s.ctx, "select state from river_job where id = $1", id).Scan(&state)
		return err == nil && state == "completed"
	})
}

// figures reads the prices and the odds of the item.
func (m *honestMarket) figures(s *scene) (f publicFigures) {
	var prices struct {
		Young   bool
		Windows []struct {
			Price *struct{ Median, Low, High int64 }
		}
	}
	reader, path := m.watchers[0], fmt.Sprintf("/api/catalogue/%d", m.item)
	s.read(reader, path+"/prices", &prices)
	for _, w := range prices.Windows {
		price := "none"
		if w.Price != nil {
			price = fmt.Sprintf("%d (%d to %d)", w.Price.Median, w.Price.Low, w.Price.High)
		}
		f.prices = append(f.prices, price)
	}
	var odds struct{ Steps json.RawMessage }
	s.read(reader, path+"/odds", &odds)
	f.odds = string(odds.Steps)
	if prices.Young || f.prices[len(f.prices)-1] == "none" || f.odds == "[]" {
		s.Fatalf("there is nothing to move: the market is young (%v), prices %v, odds %s", prices.Young,
			f.prices, f.odds)
	}
	return f
}

// changed counts the prices and odds that differ.
func (f publicFigures) changed(before publicFigures) (n int) {
	for i := range f.prices {
		if f.prices[i] != before.prices[i] {
			n++
		}
	}
	if f.odds != before.odds {
		n++
	}
	return n
}

// forged lists the names of puppets that the page or the bot proposes to a reader.
func (m *honestMarket) forged(s *scene) (names []string) {
	reader := m.watchers[0]
	var completed struct{ Items []struct{ Name string } }
	s.read(reader, "/api/catalogue/completions?q="+url.QueryEscape(forgedName), &completed)
	for _, item := range completed.Items {
		names = append(names, item.Name)
	}
	var suggested struct{ Items []string }
	s.read(reader, "/api/items?q="+url.QueryEscape(forgedName), &suggested)
	names = append(names, suggested.Items...)
	for _, choice := range reader.Complete("request post", "item", forgedName) {
		names = append(names, choice.Name)
	}
	slices.Sort(names)
	return slices.Compact(slices.DeleteFunc(names, func(name string) bool { return !isForged(name) }))
}

// messages counts the messages that people have got in Discord, and the people with any.
func (s *scene) messages(people []*person) (messages, reached int) {
	for _, p := range people {
		got := len(s.discord.DMs(p.Username()))
		messages += got
		if got > 0 {
			reached++
		}
	}
	return messages, reached
}
