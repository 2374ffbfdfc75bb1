package scheduletest

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"
)

// perScenario is how many schedules a scenario has: the serial orders of its writes are run once for all.
const perScenario = 10

func number(t *testing.T, name string, otherwise int) int {
	t.Helper()
	text := os.Getenv(name)
	if text == "" {
		return otherwise
	}
	n, err := strconv.Atoi(text)
	if err != nil {
		t.Fatalf("%s is no number: %q", name, text)
	}
	return n
}

// TestSchedules plays SCHEDULES schedules, from the seed SCHEDULE_SEED on, of the set-up SCHEDULE_SETUP
// or of all, or the one that SCHEDULE names.
func TestSchedules(t *testing.T) {
	t.Parallel()
	if text := os.Getenv("SCHEDULE"); text != "" {
		playOne(t, text)
		return
	}
	r := &report{
		t: t, schedules: number(t, "SCHEDULES", 300), seed: uint64(number(t, "SCHEDULE_SEED", 1)),
		done: map[string]int{}, faults: map[fault]int{}, from: time.Now(),
	}
	hosts := number(t, "SCHEDULE_HOSTS", 3)
	var all sync.WaitGroup
	for range hosts {
		h := newHost(t)
		all.Go(func() {
			for n := r.next.Add(1) - 1; int(n)*perScenario < r.schedules && !r.enough(); n = r.next.Add(1) - 1 {
				r.scenario(h, uint64(n))
			}
		})
	}
	all.Wait()
	t.Log("\n" + r.String())
}

func playOne(t *testing.T, text string) {
	s, err := parseSchedule(text)
	must(t, err)
	h := newHost(t)
	wrong, steps, err := h.try(t.Context(), s.scenario, h.oracle(s.scenario), byList(s.steps))
	must(t, err)
	t.Logf("played %s", schedule{s.scenario, steps})
	if wrong != "" {
		t.Errorf("no serial order explains it:\n%s", wrong)
	}
}

// mostFindings end a run early.
const mostFindings = 3

// report counts what was played.
type report struct {
	t         *testing.T
	schedules int
	seed      uint64
	from      time.Time
	next      atomic.Int64 // scenario

	mu                       sync.Mutex
	played, scenarios, steps int
	serial, findings         int
	done                     map[string]int // writes that took part
	faults                   map[fault]int
}

func (r *report) enough() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.findings >= mostFindings || r.t.Context().Err() != nil
}

// scenario plays the schedules of one scenario.
func (r *report) scenario(h *host, n uint64) {
	ctx := r.t.Context()
	s := draw(rand.New(rand.NewPCG(r.seed, n)))
	o := h.oracle(s)
	for i := range uint64(perScenario) {
		if int(n)*perScenario+int(i) >= r.schedules || r.enough() {
			break
		}
		wrong, steps, err := h.try(ctx, s, o, byRandom(rand.New(rand.NewPCG(r.seed, 1+n*perScenario+i))))
		if err != nil {
			r.t.Errorf("schedule %d of seed %d, %s: %v", n*perScenario+i, r.seed, schedule{s, steps}, err)
			r.mu.Lock()
			r.findings = mostFindings // what the lanes do now is not known
			r.mu.Unlock()
			return
		}
		played := r.count(steps, wrong != "")
		if wrong != "" {
			r.found(h, schedule{s, steps}, wrong, n*perScenario+i, played)
			break // the next ones most likely say the same
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.scenarios++
	r.serial += o.runs
	for _, w := range s.writers {
		r.done[w.name]++
	}
}

// count counts a schedule, and returns how many there are.
func (r *report) count(steps []step, wrong bool) int {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.played++
	r.steps += len(steps)
	for _, s := range steps {
		r.faults[s.fault]++
	}
	if wrong {
		r.findings++
	}
	return r.played
}

func (r *report) found(h *host, s schedule, wrong string, n uint64, played int) {
	r.t.Logf("found after %d schedules: schedule %d of seed %d", played, n, r.seed)
	least, text, err := h.minimise(r.t.Context(), s, wrong)
	if err != nil {
		r.t.Error(err)
	}
	r.t.Errorf(`no serial order explains schedule %d of seed %d:
%s
Its smallest form is wrong %s
Repeat it: SCHEDULE='%s' go test -count 1 -run TestSchedules$ ./sql/scheduletest`,
		n, r.seed, s, text, least)
}

func (r *report) String() string {
	var b strings.Builder
	row := func(name string, value any) { fmt.Fprintf(&b, "%-22s %v\n", name, value) }
	row("schedules", r.played)
	row("seed", r.seed)
	row("scenarios", r.scenarios)
	row("serial orders run", r.serial)
	row("writes", fmt.Sprintf("%d of %d", len(r.done), len(allWrites)))
	row("round trips chosen", r.steps)
	row("crashes", fmt.Sprintf("%d before a round trip, %d after a commit", r.faults[crashBefore], r.faults[crashAfter]))
	row("connections lost", fmt.Sprintf("%d before a round trip, %d after a commit", r.faults[cutBefore], r.faults[answerLost]))
	row("serialization failures", r.faults[serialization])
	row("findings", r.findings)
	row("time", time.Since(r.from).Round(time.Second))
	return b.String()
}
