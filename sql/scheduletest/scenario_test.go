package scheduletest

import (
	"context"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"strings"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/invariants"
)

// writer is one of a scenario: a write, or the repeat of another writer's under the same key.
type writer struct {
	write
	repeats int // the writer; -1 for none
}

// scenario is a set-up and the writes that meet there.
type scenario struct {
	setup   string
	writers []writer
}

// schedule is a scenario and the order of its steps.
type schedule struct {
	scenario
	steps []step
}

func (s scenario) String() string {
	var names []string
	for _, w := range s.writers {
		if w.repeats >= 0 {
			names = append(names, "="+strconv.Itoa(w.repeats))
		} else {
			names = append(names, w.name)
		}
	}
	return s.setup + ": " + strings.Join(names, ", ")
}

func (s schedule) String() string {
	var steps []string
	for _, step := range s.steps {
		steps = append(steps, step.String())
	}
	return s.scenario.String() + ": " + strings.Join(steps, " ")
}

// parseSchedule reads what String returns.
func parseSchedule(text string) (s schedule, err error) {
	parts := strings.Split(text, ": ")
	if len(parts) != 3 {
		return s, fmt.Errorf("want SET-UP: WRITES: STEPS, got %q", text)
	}
	s.setup = parts[0]
	for _, name := range strings.Split(parts[1], ", ") {
		w := writer{repeats: -1}
		if of, is := strings.CutPrefix(name, "="); is {
			if w.repeats, err = strconv.Atoi(of); err != nil || w.repeats >= len(s.writers) {
				return s, fmt.Errorf("%q repeats no writer before", name)
			}
			w.write = s.writers[w.repeats].write
		} else {
			at := slices.IndexFunc(allWrites, func(w write) bool { return w.name == name })
			if at < 0 {
				return s, fmt.Errorf("no write is called %q", name)
			}
			w.write = allWrites[at]
		}
		s.writers = append(s.writers, w)
	}
	for _, word := range strings.Fields(parts[2]) {
		step := step{lane: int(word[0] - '0'), fault: noFault}
		if len(word) > 1 {
			step.fault = fault(word[1])
		}
		s.steps = append(s.steps, step)
	}
	return s, nil
}

// key names the write of a writer, and of those that repeat it.
func (s scenario) key(i int) int {
	for s.writers[i].repeats >= 0 {
		i = s.writers[i].repeats
	}
	return i
}

func setupNames() []string { return slices.Sorted(maps.Keys(setups)) }

// draw returns a scenario of three or four writers.
func draw(random *rand.Rand) scenario {
	names := setupNames()
	if only := os.Getenv("SCHEDULE_SETUP"); only != "" {
		names = []string{only}
	}
	s := scenario{setup: names[random.IntN(len(names))]}
	some := writesIn(s.setup)
	for range 3 + random.IntN(2) {
		s.writers = append(s.writers, writer{some[random.IntN(len(some))], -1})
	}
	if random.IntN(3) == 0 {
		last := len(s.writers) - 1
		if of := random.IntN(last); s.writers[of].operation != "" {
			s.writers[last] = writer{s.writers[of].write, of}
		}
	}
	return s
}

// byRandom chooses steps at random: some schedules change lanes often and others rarely, and some have one or
// two faults.
func byRandom(random *rand.Rand) func([]*lane) step {
	stay, left, last := []float64{0, 0.4, 0.8}[random.IntN(3)], []int{0, 1, 1, 2}[random.IntN(4)], -1
	return func(ready []*lane) step {
		l := ready[random.IntN(len(ready))]
		for _, r := range ready {
			if r.number == last && random.Float64() < stay {
				l = r
			}
		}
		last = l.number
		next := step{l.number, noFault}
		if left > 0 && (l.commit && random.Float64() < 0.3 || random.Float64() < 0.05) {
			left--
			possible := faultsAt(l)
			next.fault = possible[random.IntN(len(possible))]
		}
		return next
	}
}

// faultsAt returns the faults that a lane's next round trip can have.
func faultsAt(l *lane) []fault {
	switch {
	case l.commit:
		return []fault{crashBefore, crashAfter, cutBefore, answerLost, serialization}
	case l.batch:
		return []fault{crashBefore, cutBefore, serialization}
	default:
		return []fault{crashBefore}
	}
}

// byList chooses the steps of a list, and leaves out those that are not possible. At its end lanes go on one
// after another.
func byList(steps []step) func([]*lane) step {
	return func(ready []*lane) step {
		for len(steps) > 0 {
			next := steps[0]
			steps = steps[1:]
			for _, l := range ready {
				if l.number == next.lane {
					if !slices.Contains(faultsAt(l), next.fault) {
						next.fault = noFault
					}
					return next
				}
			}
		}
		return step{ready[0].number, noFault}
	}
}

// play runs the writers of a scenario as choose says. It returns what came of them, and the steps.
func (h *host) play(ctx context.Context, s scenario, choose func([]*lane) step) (outcome, []step, error) {
	p, err := h.prepare(ctx, s.setup)
	if err != nil {
		return outcome{}, nil, err
	}
	sched := newScheduler(len(s.writers), h.watcher, choose)
	m := h.market(100)
	for i, l := range sched.lanes {
		l.state = thinking
		go func() {
			if l.gate(0, false, false) == crashBefore {
				return
			}
			w := s.writers[i]
			actor := w.by(p)
			actor.Key = fmt.Sprintf("the-key-of-writer-%d-in-a-schedule", s.key(i))
			value, err := w.do(l.in(ctx), m, actor, p)
			sched.events <- event{lane: l, kind: ended, answer: answerOf(value, err)}
		}()
	}
	if err := sched.run(ctx); err != nil {
		return outcome{}, sched.taken, err
	}
	if err := sched.rest(ctx); err != nil {
		return outcome{}, sched.taken, err
	}
	var o outcome
	if err := s.again(ctx, m, p); err != nil {
		return outcome{}, sched.taken, err
	}
	for i, l := range sched.lanes {
		l.answer.unknown = l.answer.unknown || s.writers[i].isJob()
		o.answers = append(o.answers, l.answer)
		o.began, o.over, o.committed = append(o.began, l.began), append(o.over, l.over), append(o.committed, l.committed)
	}
	o.rows, err = h.tables.read(ctx)
	return o, sched.taken, err
}

// serially runs writers of a scenario one after another.
func (h *host) serially(ctx context.Context, s scenario, order []int) (result, error) {
	p, err := h.prepare(ctx, s.setup)
	if err != nil {
		return result{}, err
	}
	m := h.market(200)
	r := result{answers: make([]answer, len(s.writers))}
	first := map[int]answer{} // by key
	for _, i := range order {
		w := s.writers[i]
		if a, is := first[s.key(i)]; is && w.operation != "" {
			r.answers[i] = a
			continue
		}
		r.answers[i] = answerOf(w.do(ctx, m, w.by(p), p))
		if r.answers[i].done {
			first[s.key(i)] = r.answers[i]
		}
	}
	if err := s.again(ctx, m, p); err != nil {
		return result{}, err
	}
	r.rows, err = h.tables.read(ctx)
	return r, err
}

// again runs the jobs of a scenario once more, as the program does: one may have left out what was locked.
func (s scenario) again(ctx context.Context, m *market.Market, p *place) error {
	for _, w := range s.writers {
		if w.isJob() {
			if _, err := w.do(ctx, m, core.Actor{}, p); err != nil {
				return fmt.Errorf("%s: %w", w.name, err)
			}
		}
	}
	return nil
}

func (h *host) oracle(s scenario) *oracle {
	return &oracle{
		run:   func(ctx context.Context, order []int) (result, error) { return h.serially(ctx, s, order) },
		known: map[string]result{},
	}
}

// try plays a schedule and returns what is wrong with it; empty for nothing.
func (h *host) try(ctx context.Context, s scenario, o *oracle, choose func([]*lane) step) (string, []step, error) {
	came, steps, err := h.play(ctx, s, choose)
	if err != nil {
		return "", steps, err
	}
	broken, err := invariants.Check(ctx, h.store.Pool())
	if err != nil {
		return "", steps, err
	}
	var wrong []string
	for _, v := range broken {
		wrong = append(wrong, "  broken: "+v.String())
	}
	rules, err := h.rules(ctx, s, came)
	if err != nil {
		return "", steps, err
	}
	for _, rule := range rules {
		wrong = append(wrong, "  a rule is broken: "+rule)
	}
	text, err := o.explain(ctx, came)
	if text != "" {
		wrong = append(wrong, text)
	}
	return strings.Join(wrong, "\n"), steps, err
}

// without returns a schedule without a writer; ok is false when another repeats it.
func (s schedule) without(gone int) (less schedule, ok bool) {
	less.setup = s.setup
	for i, w := range s.writers {
		switch {
		case i == gone:
			continue
		case w.repeats == gone:
			return less, false
		case w.repeats > gone:
			w.repeats--
		}
		less.writers = append(less.writers, w)
	}
	for _, step := range s.steps {
		if step.lane == gone {
			continue
		}
		if step.lane > gone {
			step.lane--
		}
		less.steps = append(less.steps, step)
	}
	return less, len(less.writers) > 0
}

// mostTries limits the schedules that are played to find a smaller one.
const mostTries = 200

// minimise returns a smaller schedule that is wrong as well, and what is wrong with it.
func (h *host) minimise(ctx context.Context, s schedule, wrong string) (schedule, string, error) {
	tries := 0
	smaller := func(candidate schedule) bool {
		if tries++; tries > mostTries {
			return false
		}
		text, _, err := h.try(ctx, candidate.scenario, h.oracle(candidate.scenario), byList(candidate.steps))
		if err != nil || text == "" {
			return false
		}
		s, wrong = candidate, text
		return true
	}
	for changed := true; changed && tries <= mostTries; {
		changed = false
		for i := len(s.writers) - 1; i >= 0; i-- {
			if less, ok := s.without(i); ok && smaller(less) {
				changed = true
			}
		}
		for i := len(s.steps) - 1; i >= 0 && i < len(s.steps); i-- {
			less := s
			less.steps = slices.Clone(s.steps)
			if less.steps[i].fault != noFault {
				less.steps[i].fault = noFault
				changed = smaller(less) || changed
			}
		}
		for size := len(s.steps) / 2; size > 0; size /= 2 {
			for i := 0; i+size <= len(s.steps); {
				less := s
				less.steps = slices.Delete(slices.Clone(s.steps), i, i+size)
				if smaller(less) {
					changed = true
				} else {
					i += size
				}
			}
		}
	}
	return s, wrong, nil
}
