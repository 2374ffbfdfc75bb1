//go:build unix

package main

import (
	"slices"
	"strings"
	"time"

	"tradepost/bot/discordtest"
)

// Beside every fault handovers go on: a buyer and a seller who is new to the market agree on two trades,
// whose time comes while the fault lasts, and say what happened, or nothing. The program asks them, reminds
// them in a later round and settles what silence decides in the one after that. history.Check compares what
// they said with what is stored, and counts the messages.

// agreement is two trades between Hazel and a seller, who say what happened when their time has come.
type agreement struct {
	seller *person
	order  int64
	sales  []int64
	number int // how many there were in the scene before
}

const (
	// promptPatience is how long a seller waits to be asked in Discord; then they answer on the page.
	promptPatience = 5 * time.Second
	// handoverJob has the periodic job run now that processes handovers.
	handoverJob = `insert into river_job (args, kind, max_attempts, priority, queue, scheduled_at, state)
		values ('{}', 'expire_orders', 1, 1, 'chores', now(), 'available')`
	wakeUp = `select pg_notify(current_schema() || '.river_insert', '{"queue": "chores"}')`
)

// besideHandovers plays a fault while handovers go on. It returns what the fault does.
func (s *scene) besideHandovers(f fault, round func() time.Duration) time.Duration {
	if f.counts {
		took := round()
		s.playRules(s.ruled())
		a := s.agree()
		s.settled()
		s.timesCome()
		s.sayWhatHappened(a)
		s.handoversProcessed()
		return took
	}
	a, with := s.agree(), s.ruled()
	s.settled()
	s.timesCome()
	said, ruled := s.meanwhile(func() { s.sayWhatHappened(a) }), s.meanwhile(func() { s.playRules(with) })
	took := round()
	said()
	ruled()
	s.handoversProcessed()
	return took
}

// agree has Hazel accept two offers of a seller who is new to the market.
func (s *scene) agree() *agreement {
	a := &agreement{seller: s.newPerson("seller"), number: len(s.agreed)}
	s.agreed = append(s.agreed, a)
	var posted struct{ ID int64 }
	s.mustWrite(write{op: opPost, actor: s.hazel, name: "Tin " + newName(visitors.Add(1)), quantity: 20,
		price: 70}, &posted)
	a.order = posted.ID
	for _, quantity := range []int{4, 3} {
		var (
			made     struct{ Offer struct{ ID int64 } }
			accepted struct{ Sale struct{ ID int64 } }
		)
		s.mustWrite(write{op: opOffer, actor: a.seller, order: posted.ID, name: newName(visitors.Add(1)),
			quantity: quantity}, &made)
		s.mustWrite(write{op: opAccept, actor: s.hazel, order: posted.ID, offer: made.Offer.ID,
			quantity: quantity}, &accepted)
		a.sales = append(a.sales, accepted.Sale.ID)
	}
	return a
}

// timesCome turns the clocks of handovers that are open: the agreed time of the last agreement is over, the
// sides of the one before were asked two days ago, and those of earlier ones weeks ago. Then the program
// looks.
func (s *scene) timesCome() {
	var earlier, before, last []int64
	for _, a := range s.agreed {
		switch len(s.agreed) - a.number {
		case 1:
			last = append(last, a.sales...)
		case 2:
			before = append(before, a.sales...)
		default:
			earlier = append(earlier, a.sales...)
		}
	}
	for _, turn := range []struct {
		columns string
		of      []int64
	}{
		{"agreed_by = now() - interval '1 second'", last},
		{`buyer_prompted_at = buyer_prompted_at - interval '3 days', seller_prompted_at = seller_prompted_at - interval '3 days'`, before},
		{`agreed_by = agreed_by - interval '20 days', buyer_said_at = buyer_said_at - interval '20 days',
			seller_said_at = seller_said_at - interval '20 days'`, earlier},
	} {
		_, err := s.db.Exec(s.ctx, "update handovers set due_at = now(), "+turn.columns+
			" where state = 'agreed' and sale_id = any($1)", turn.of)
		s.must(err)
	}
	_, err := s.db.Exec(s.ctx, "update deliveries set sent_at = sent_at - interval '3 days' where kind = 'handover_prompt' and message_id <> ''")
	s.must(err) // or the reminder would be added to the message that asked first
	s.processHandovers()
}

func (s *scene) processHandovers() {
	for _, statement := range []string{handoverJob, wakeUp} {
		_, err := s.db.Exec(s.ctx, statement)
		s.must(err)
	}
}

// handoversProcessed waits until the program has done what is due. A job can have ended with its process:
// then there is another.
func (s *scene) handoversProcessed() {
	for next := time.Now().Add(2 * time.Second); ; {
		due := 1
		err := s.db.QueryRow(s.ctx, "select count(*) from handovers where due_at <= now()").Scan(&due)
		if err == nil && due == 0 {
			return
		}
		if time.Now().After(next) {
			s.processHandovers()
			next = time.Now().Add(2 * time.Second)
		}
		s.rest(10 * time.Millisecond) // the database does not tell; this asks it again
	}
}

// sayWhatHappened lets both sides of an agreement say their words: each round plays another eighth of all
// combinations.
func (s *scene) sayWhatHappened(a *agreement) {
	one, other := a.sales[:1], a.sales[1:]
	buyer := func(word string, sales []int64) {
		s.mustWrite(write{op: opSay, actor: s.hazel, sales: sales, word: word}, nil)
	}
	seller := func(word string, sales []int64) {
		s.mustWrite(write{op: opSay, actor: a.seller, sales: sales, word: word}, nil)
	}
	switch a.number % 8 {
	case 0: // both met for both, the seller in Discord
		s.sayInDiscord(a.seller, a.sales)
		buyer("met", a.sales)
	case 1: // the seller is silent
		buyer("met", one)
		buyer("not_met", other)
	case 2: // one is disputed, nobody speaks of the other
		buyer("met", one)
		seller("not_met", one)
	case 3: // one did not happen, of the other the buyer is silent
		seller("not_met", one)
		buyer("not_met", one)
		seller("met", other)
	case 4: // nobody speaks
	case 5: // the buyer in Discord, and the seller contradicts them
		s.sayInDiscord(s.hazel, a.sales)
		seller("not_met", a.sales)
	case 6: // both are disputed; the seller takes their word back for one, and a moderator settles the other
		buyer("met", a.sales)
		seller("not_met", a.sales)
		s.mustWrite(write{op: opTakeBack, actor: a.seller, sales: one}, nil)
		s.settle(a.order, other[0], "met")
	case 7: // a moderator settles one against the buyer; of the other the buyer takes the word back and says another
		buyer("met", a.sales)
		seller("not_met", a.sales)
		s.settle(a.order, one[0], "cancelled")
		s.mustWrite(write{op: opTakeBack, actor: s.hazel, sales: other}, nil)
		buyer("not_met", other)
	}
}

// settle has the moderator look at a dispute and settle it.
func (s *scene) settle(order, sale int64, word string) {
	s.mustWrite(write{op: opLook, actor: s.moderator, order: order, number: sale}, nil)
	s.mustWrite(write{op: opSettle, actor: s.moderator, order: order, number: sale, word: word}, nil)
}

// sayInDiscord presses We met on the message that asks about sales. One who is not asked in time, or gets
// no answer, says so on the page.
func (s *scene) sayInDiscord(who *person, sales []int64) {
	for until := time.Now().Add(promptPatience); time.Now().Before(until); s.rest(20 * time.Millisecond) {
		if s.promptAbout(who.Player, sales) == nil {
			continue // there is no signal for it
		}
		if s.write(write{adapter: overDiscord, op: opSay, actor: who, sales: sales,
			word: "met"}).certainty == acknowledged {
			return
		}
		break
	}
	s.mustWrite(write{op: opSay, actor: who, sales: sales, word: "met"}, nil)
}

// promptAbout is the message that asks a person about exactly these sales, or nil.
func (s *scene) promptAbout(p *discordtest.Player, sales []int64) *discordtest.View {
	for _, dm := range slices.Backward(p.DMs()) {
		if weMet(dm) == "" {
			continue
		}
		var about []int64
		err := s.db.QueryRow(s.ctx, `select coalesce(array_agg(distinct n.sale_id order by n.sale_id), '{}')
			from notices n join deliveries d on d.id = n.delivery_id
			where d.message_id = $1 and n.kind = 'handover_prompt'`, dm.ID).Scan(&about)
		if err == nil && slices.Equal(about, sales) {
			return dm
		}
	}
	return nil
}

// weMet is the label of the button by which the reader of a message says that they met; empty for none.
func weMet(on *discordtest.View) string {
	for _, label := range on.Buttons() {
		if strings.HasPrefix(label, "We met") {
			return label
		}
	}
	return ""
}
