package replicas

import (
	"context"
	"testing"
	"time"
)

var start = time.Date(2026, 5, 1, 12, 0, 0, 0, time.UTC)

func at(ms int) time.Time { return start.Add(time.Duration(ms) * time.Millisecond) }

func TestAReadGoesToAReplicaThatHasWhatTheProcessKnowsAndIsNotLate(t *testing.T) {
	t.Parallel()
	primary := samples{{at(0), 100}, {at(100), 200}, {at(200), 300}}
	good := view{now: at(210), answered: at(205), replayed: 300, samples: primary, need: 250, known: true, needed: at(0), left: at(100)}
	for name, tt := range map[string]struct {
		change func(*view)
		want   verdict
	}{
		"it has everything": {func(*view) {}, use},
		"it is 210 ms behind, and nothing newer is known":      {func(v *view) { v.replayed, v.need = 150, 120 }, use},
		"it has not replayed what this process has written":    {func(v *view) { v.replayed = 249 }, askNow},
		"what it has is as old as 251 ms":                      {func(v *view) { v.now, v.answered, v.replayed, v.need = at(351), at(340), 299, 0 }, leave},
		"what it has is as old as 250 ms":                      {func(v *view) { v.now, v.answered, v.replayed, v.need = at(350), at(340), 299, 0 }, use},
		"it has less than every sample":                        {func(v *view) { v.replayed, v.need = 99, 0 }, leave},
		"no sample was taken yet":                              {func(v *view) { v.samples = nil }, leave},
		"it does not answer":                                   {func(v *view) { v.answered = time.Time{} }, leave},
		"it has not answered for 251 ms":                       {func(v *view) { v.now = v.answered.Add(251 * time.Millisecond); v.samples = samples{{v.now, 300}} }, leave},
		"it is not known what a read must include":             {func(v *view) { v.known = false }, leave},
		"the primary is away: it may be late":                  {func(v *view) { v.away, v.samples = true, nil }, use},
		"the primary is away, and nobody can say what to have": {func(v *view) { v.away, v.known = true, false }, use},
		"the primary is away, and it has less than was shown":  {func(v *view) { v.away, v.replayed = true, 200 }, askNow},
		"the primary is away, and it stands still":             {func(v *view) { v.away, v.replayed, v.still = true, 200, at(-295) }, use},
		"it stands still for 499 ms":                           {func(v *view) { v.away, v.replayed, v.still = true, 200, at(-294) }, askNow},
		"it stood still before the primary went away":          {func(v *view) { v.away, v.replayed, v.still, v.left = true, 200, at(-295), v.answered }, askNow},
		"another primary has written since":                    {func(v *view) { v.away, v.replayed, v.still, v.needed = true, 200, at(-295), at(101) }, askNow},
		"the primary is there, and it stands still":            {func(v *view) { v.replayed, v.still = 249, at(-295) }, askNow},
	} {
		v := good
		tt.change(&v)
		if got := v.verdict(); got != tt.want {
			t.Errorf("%s: verdict %d, want %d", name, got, tt.want)
		}
	}
}

func TestSamplesOfAFormerPrimaryAreForgotten(t *testing.T) {
	t.Parallel()
	var s samples
	for i := range 2 * maxSamples {
		s = s.with(sample{at(i), LSN(1000 + i)})
	}
	if len(s) != maxSamples || s[len(s)-1].at != LSN(1000+2*maxSamples-1) {
		t.Errorf("%d samples up to %d", len(s), s[len(s)-1].at)
	}
	s = s.with(sample{at(100), 900})
	if got := s.current(5000); len(s) != 1 || !got.Equal(at(100)) {
		t.Errorf("%d samples, current %s", len(s), got)
	}
}

func TestAPositionOnlyAdvancesUntilAnotherPrimaryAnswers(t *testing.T) {
	t.Parallel()
	wants := func(p *Position, at LSN, known bool) {
		t.Helper()
		if got, _, ok := p.need(); got != at || ok != known {
			t.Errorf("need %d (%t), want %d (%t)", got, ok, at, known)
		}
	}
	p := &Position{}
	p.Advance(200)
	p.Advance(100)
	wants(p, 200, true)

	p.Lose(at(10))
	wants(p, 200, false)
	p.sampled(at(10), 300) // was asked before, or at the same time
	wants(p, 200, false)
	p.sampled(at(11), 300)
	wants(p, 300, true)

	done := p.Restart()
	p.Advance(150) // a commit that the new primary has acknowledged meanwhile
	done(120)
	wants(p, 150, true)

	var none *Position
	none.Advance(1)
	none.Lose(at(0))
	none.Restart()(1)
}

func TestAReplicaStandsStillWhereNothingHoldsItBack(t *testing.T) {
	t.Parallel()
	up, down := context.WithCancel(t.Context())
	r := &Replica{polled: make(chan struct{}), up: up, down: down}
	for i, step := range []struct {
		replayed, received LSN
		held               bool
		want               time.Time
	}{
		{100, 120, false, at(0)},
		{100, 120, false, at(0)},
		{100, 130, false, at(2)}, // it receives
		{110, 130, false, at(3)}, // it replays
		{110, 130, true, time.Time{}},
		{110, 130, false, at(5)},
		{110, 130, false, at(5)},
	} {
		if r.came(at(i), step.replayed, step.received, step.held); !r.still.Equal(step.want) {
			t.Errorf("step %d: it stands still since %v, want %v", i, r.still, step.want)
		}
	}
}
