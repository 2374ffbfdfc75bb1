//go:build unix

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"sync"
	"testing"
	"time"
)

// tried is the program to be tried, which is built once for all tests.
var tried = sync.OnceValues(func() (string, error) {
	file := filepath.Join(built, "tradepost")
	out, err := exec.Command("go", "build", "-C", "../../..", "-o", file, "./cmd/tradepost").CombinedOutput()
	if err != nil {
		err = fmt.Errorf("build the program: %w\n%s", err, out)
	}
	return file, err
})

// built is the folder that it is built in.
var built string

func TestMain(m *testing.M) {
	var err error
	if built, err = os.MkdirTemp("", "faults-program-"); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	code := m.Run()
	_ = os.RemoveAll(built) // it is in the system's temporary folder
	os.Exit(code)
}

func testGround(t *testing.T) *ground {
	t.Helper()
	file, err := tried()
	if err != nil {
		t.Fatal(err)
	}
	g, err := newGround(t.Context(), settings{program: file, rounds: 1, atOnce: 6})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.close)
	return g
}

// TestEveryNoticeSurvivesEveryFault plays each fault once, those that last for a time drawn at random: FAULT_SEED repeats a
// run. `make faults` plays all of them at all of their durations, many times, and holds them to the times promised; here a busy
// machine may take longer.
func TestEveryNoticeSurvivesEveryFault(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	if text := os.Getenv("FAULT_SEED"); text != "" {
		var err error
		if seed, err = strconv.ParseUint(text, 10, 64); err != nil {
			t.Fatalf("FAULT_SEED: %v", err)
		}
	}
	t.Logf("FAULT_SEED=%d", seed)
	g := testGround(t)
	g.seed = seed
	g.playOnce(t.Context(), drawn(everyFault(), seed), func(r result) {
		t.Log(r.progress())
		if r.skipped == "" && !r.intact() {
			t.Errorf("%s: %d lost, %d doubled, %d requests failed (FAULT_SEED=%d): %v", title(r.name, r.lasts), r.lost, r.doubled, r.failed, seed, r.err)
		}
	})
}

// drawn chooses what the test plays. In a minute there is time for one fault that lasts for 12 or 40 s; the others last for up to
// 6 s. The long one comes first.
func drawn(faults []fault, seed uint64) []fault {
	random := rand.New(rand.NewPCG(seed, 0))
	var short, lasting []fault
	for _, f := range faults {
		switch {
		case f.rare > 5: // takes minutes
		case f.lasting != nil:
			lasting = append(lasting, f)
		default:
			short = append(short, f)
		}
	}
	random.Shuffle(len(lasting), func(i, j int) { lasting[i], lasting[j] = lasting[j], lasting[i] })
	all := []fault{lasting[0].at(durations[3+random.IntN(2)])}
	for _, f := range lasting[1:] {
		all = append(all, f.at(durations[random.IntN(3)]))
	}
	return append(all, short...)
}

// TestEveryWriteIsAcknowledgedThroughBothAdapters makes sure that the people of the scenes trade: where nothing is broken, every
// kind of write is acknowledged.
func TestEveryWriteIsAcknowledgedThroughBothAdapters(t *testing.T) {
	t.Parallel()
	g := testGround(t)
	nothing := fault{name: "nothing is broken"}
	s, err := g.newScene(t.Context(), nothing)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(s.close)
	want := map[writeKind]bool{}
	for _, adapter := range []adapter{overHTTP, overDiscord} {
		for op := range done {
			if op == opReport { // those who trade report nothing
				continue
			}
			want[writeKind{adapter, op, acknowledged}] = true
		}
	}
	for op := range operations { // playRules sends its writes over HTTP only
		if op == opVouch { // nobody needs it here
			continue
		}
		want[writeKind{overHTTP, op, acknowledged}] = true
	}
	nothing.round = func(s *scene, _ int) time.Duration {
		stop, wait := s.trading(0)
		for missing := len(want); missing > 0; s.rest(20 * time.Millisecond) {
			s.mu.Lock()
			missing = len(want)
			for kind := range want {
				if s.writes[kind] > 0 {
					missing--
				}
			}
			s.mu.Unlock()
		}
		stop()
		wait()
		return 0
	}
	_, _, err = s.playRound(t.Context(), nothing, 0)
	if err == nil {
		err = s.checkInvariants(t.Context())
	}
	s.mu.Lock() // a round that took too long still goes on
	defer s.mu.Unlock()
	if err != nil {
		t.Errorf("%v; writes: %v", err, s.writes)
	}
	for kind, n := range s.writes {
		if kind.certainty == unknown {
			t.Errorf("%d writes of the kind %v are in doubt", n, kind)
		}
	}
}

// TestEveryHistoryIsExplained plays some operations of make histories. FAULT_SEED repeats a run.
func TestEveryHistoryIsExplained(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64N(1_000_000)
	if text := os.Getenv("FAULT_SEED"); text != "" {
		seed, _ = strconv.ParseUint(text, 10, 64) // the test above reports an invalid one
	}
	h := newHistories(testGround(t), 1000, seed)
	h.most, h.mild = 1, true
	err := h.play(t.Context())
	t.Log(h.progress())
	if err != nil {
		t.Errorf("FAULT_SEED=%d: %v", seed, err)
	}
}

// TestEveryWriteIsInHistories fails for a write of the core that make histories does not play and that is not named with a reason.
func TestEveryWriteIsInHistories(t *testing.T) {
	t.Parallel()
	golden, err := os.ReadFile("../../../core/markettest/testdata/writes.golden")
	if err != nil {
		t.Fatal(err)
	}
	asked := regexp.MustCompile(`(?m)^asked \["([^"]+)"`).FindAllSubmatch(golden, -1)
	if len(asked) < 100 {
		t.Fatalf("there are only %d writes", len(asked))
	}
	known := map[string]bool{}
	for _, operation := range asked {
		known[string(operation[1])] = true
		_, left := notInHistories[string(operation[1])]
		if _, played := inHistories[string(operation[1])]; played == left {
			t.Errorf("the write %q is played: %v, left out with a reason: %v", operation[1], played, left)
		}
	}
	for _, named := range []map[string]string{inHistories, notInHistories} {
		for operation := range named {
			if !known[operation] {
				t.Errorf("there is no write %q", operation)
			}
		}
	}
}
