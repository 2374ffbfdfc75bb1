package history

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"github.com/anishathalye/porcupine"
)

// search looks for an order of writes that explains their answers. A refused write changes
// nothing, so it can be placed as soon as it may: that never rules out an order. Porcupine cannot
// know this, and with 64 calls at once it would try every place of every rejected write.
type search struct {
	writes   []Write // by call
	order    []int   // places found so far
	placed   []bool
	dead     map[string]bool // what led nowhere
	deadline time.Time
}

// witness returns the writes of an order of events that explains all answers, and false when it found none
// in time.
func witness(writes []Write, most time.Duration) ([]Write, bool) {
	writes = slices.Clone(writes)
	slices.SortStableFunc(writes, func(a, b Write) int { return cmp.Compare(a.Called, b.Called) })
	s := &search{writes: writes, placed: make([]bool, len(writes)), dead: map[string]bool{},
		deadline: time.Now().Add(most)}
	if !s.from(market{}) {
		return nil, false
	}
	ordered := make([]Write, len(s.order))
	for at, i := range s.order {
		ordered[at] = writes[i]
	}
	return ordered, true
}

// from places the writes that are left, beginning with a state.
func (s *search) from(m market) bool {
	mark := len(s.order)
	for s.placeRejected(m) {
	}
	if len(s.order) == len(s.writes) {
		return true
	}
	key := s.key(m)
	known, passed := s.next(m)
	if !passed && !s.dead[key] && time.Now().Before(s.deadline) {
		tried := map[alike]bool{}
		for _, i := range s.callable() {
			like := s.likeness(i)
			if tried[like] {
				continue
			}
			tried[like] = true
			for _, next := range m.steps(s.writes[i]) {
				if moved := next.(market).version != m.version; moved && known &&
					s.version(i) != m.version+1 {
					continue // another write is known to have made that version
				}
				s.place(i)
				if s.from(next.(market)) {
					return true
				}
				s.undo(len(s.order) - 1)
			}
		}
		s.dead[key] = true
	}
	s.undo(mark)
	return false
}

// next reports whether an answer that is left shows the version after this one, and whether one shows a
// version that has passed, so that it can't be placed any more.
func (s *search) next(m market) (known, passed bool) {
	for i := range s.writes {
		if v := s.version(i); !s.placed[i] && v < math.MaxInt {
			known = known || v == m.version+1
			passed = passed || v <= m.version
		}
	}
	return known, passed
}

// placeRejected places every rejected write that is valid in this state and may come next, and
// reports whether there was one.
func (s *search) placeRejected(m market) (found bool) {
	for _, i := range s.callable() {
		if w := s.writes[i]; w.Outcome.Status == Refused && len(m.steps(w)) > 0 {
			s.place(i)
			found = true
		}
	}
	return found
}

// callable are the writes that may come next: none that is left had returned before they were called. Those
// whose answer shows a version come first, in its order.
func (s *search) callable() (next []int) {
	first := time.Duration(math.MaxInt64)
	for i, w := range s.writes {
		if !s.placed[i] && w.Outcome.Status != Unknown {
			first = min(first, w.Returned)
		}
	}
	for i, w := range s.writes {
		if !s.placed[i] && w.Called <= first {
			next = append(next, i)
		}
	}
	slices.SortStableFunc(next, func(a, b int) int {
		return cmp.Or(cmp.Compare(s.version(a), s.version(b)),
			cmp.Compare(s.writes[a].Returned, s.writes[b].Returned))
	})
	return next
}

// alike is what two writes that may come next have in common when it makes no difference which does: then
// the one that returned first does.
type alike struct {
	operation Operation
	actor     string
	offer     int64
	sent      int64 // the offer that it sent
	quantity  int
	edited    int // the version that an edit was made from
	status    Status
	kind      string
	state     State
}

func (s *search) likeness(i int) alike {
	w := s.writes[i]
	return alike{w.Operation, w.Actor, w.Offer, w.Outcome.Answer.Offer, w.Quantity, w.Version,
		w.Outcome.Status, w.Outcome.Kind, w.Outcome.Answer.State}
}

func (s *search) version(i int) int {
	if v := s.writes[i].Outcome.Answer.State.Version; v > 0 {
		return v
	}
	return math.MaxInt
}

func (s *search) place(i int) { s.order, s.placed[i] = append(s.order, i), true }

func (s *search) undo(to int) {
	for _, i := range s.order[to:] {
		s.placed[i] = false
	}
	s.order = s.order[:to]
}

// key names what is placed and the state that it led to.
func (s *search) key(m market) string {
	var b strings.Builder
	for _, placed := range s.placed {
		if placed {
			b.WriteByte('1')
		} else {
			b.WriteByte('0')
		}
	}
	fmt.Fprint(&b, m.version, m.quantity, m.closed, m.offers)
	return b.String()
}

// sequential returns the writes as operations that do not overlap, in the given order.
func sequential(writes []Write) (operations []porcupine.Operation) {
	for at, w := range writes {
		operations = append(operations, porcupine.Operation{Input: w, Call: int64(2 * at),
			Return: int64(2*at + 1)})
	}
	return operations
}
