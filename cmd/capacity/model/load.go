package model

// Question describes the use of a market.
type Question struct {
	Traders  int     // who trade every week
	Weekly   float64 // requests that each of them posts in a week
	Readers  int     // people who look at the market in its busiest hour
	Boards   int     // boards that are open at once; 0 for as many as the readers keep open
	Weeks    float64 // how long history is kept
	Survives bool    // the market must go on without any one of its machines
	Machine  int     // processors of the largest machine that PostgreSQL is given
}

// Assumptions about people. docs/scaling.md lists them.
const (
	BusiestHour = 0.03   // of a week's requests
	OpenWeeks   = 9      // that a request is open on average: the requests of `make simulate-year`
	VisitTime   = 600.0  // seconds that a reader stays, with one board open
	ThingsEvery = 10.0   // seconds between two things that a reader does
	hour        = 3600.0 // seconds
)

// Load is the load on a market in a second.
type Load struct {
	Done     map[Kind]float64 // rates
	Boards   float64          // open
	Programs int              // that share it; 0 is one
}

func (l Load) programs() float64 { return max(float64(l.Programs), 1) }

// Load returns the load in the busiest hour.
func (q Question) Load() Load {
	posts := float64(q.Traders) * q.Weekly * BusiestHour / hour
	visits := float64(q.Readers) / hour
	things := visits * VisitTime / ThingsEvery
	l := Load{Done: map[Kind]float64{
		Document: visits,
		Command:  things * CommandsByThing,
		Post:     posts,
		Offer:    posts * shareOf(Offer) / shareOf(Post),
		Accept:   posts * shareOf(Accept) / shareOf(Post),
	}, Boards: visits * VisitTime}
	if q.Boards > 0 {
		l.Boards = float64(q.Boards)
	}
	reading := 1 - shareOf(Offer) - shareOf(Post) - shareOf(Accept)
	for _, s := range Evening {
		if s.Kind.Reads() {
			l.Done[s.Kind] = things * shareOf(s.Kind) / reading
		}
	}
	l.Done[Message] = l.Done[Offer] + l.Done[Accept] // another user hears of each
	return l
}

// Open returns the number of open requests.
func (q Question) Open() float64 { return float64(q.Traders) * q.Weekly * min(OpenWeeks, q.Weeks) }

// Reads returns the reads of people, a second.
func (l Load) Reads() (sum float64) {
	for kind, rate := range l.Done {
		if kind.Reads() {
			sum += rate
		}
	}
	return sum
}

// Writes returns the writes of people, a second.
func (l Load) Writes() (sum float64) {
	for kind, rate := range l.Done {
		if kind.Writes() {
			sum += rate
		}
	}
	return sum
}

// Events returns the events that an open board gets, a second. Changes that come within a pause share one
// (decision 125): the pause is 0.1 ms for each board that a program has open, 250 ms at most.
func (l Load) Events() float64 {
	changes := l.Writes()
	pause := min(l.Boards/l.programs()*0.0001, 0.25)
	return changes / (1 + changes*pause)
}

// Part is the cost of one part of a load in a second.
type Part struct {
	Name string
	Rate float64 // a second
	Cost Cost    // of all of it, a second
}

// Parts returns the cost of each part of a load in a second.
func (m Market) Parts(l Load) []Part {
	parts := []Part{{"idle", l.programs(), m.Idle.times(l.programs())}}
	reads := 0.0
	for _, kind := range Kinds {
		rate := l.Done[kind]
		parts = append(parts, Part{string(kind), rate, m.Kinds[kind].times(rate)})
		if kind.Reads() {
			reads += rate
		}
	}
	// Every program refreshes for itself, but only a page that is read.
	refreshes := min(l.Done[Post]*l.programs(), reads)
	delivered := l.Events() * l.Boards
	return append(parts, Part{"refresh after a post", refreshes, m.Refresh.times(refreshes)},
		Part{"events to open boards", delivered, m.Event.times(delivered)})
}

// ASecond returns the cost of a load in a second.
func (m Market) ASecond(l Load) (sum Cost) {
	for _, p := range m.Parts(l) {
		sum = sum.plus(p.Cost)
	}
	return sum
}

// Busy is the number of busy processors.
type Busy struct{ Program, Postgres float64 }

// Both is the sum.
func (b Busy) Both() float64 { return b.Program + b.Postgres }

// Busy returns how many processors a load keeps busy.
func (m Market) Busy(l Load) Busy {
	c := m.ASecond(l)
	return Busy{c.Program / 1e6, c.Postgres / 1e6}
}

// of returns how many processors the kinds keep busy for which counts is true, without what they cause
// besides.
func (m Market) of(l Load, counts func(Kind) bool) (b Busy) {
	for kind, rate := range l.Done {
		if counts(kind) {
			b.Program += m.Kinds[kind].Program * rate / 1e6
			b.Postgres += m.Kinds[kind].Postgres * rate / 1e6
		}
	}
	return b
}
