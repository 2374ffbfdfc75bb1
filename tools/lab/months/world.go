package months

import (
	"container/heap"
	"context"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing/synctest"
	"time"

	"tradepost/core"
	"tradepost/core/channels"
	"tradepost/core/notify"
	"tradepost/sql/pgconnect"
	"tradepost/sql/waits"
)

const (
	month = 30 * core.Day
	// calmFor is how long after a month without faults everything that waits may take to end.
	calmFor = notify.LongestHold + core.Day

	workers      = 10               // of a process, as in sql/queue
	attemptLimit = 40 * time.Second // of a job
	rescueAfter  = 2 * time.Second  // a process has died
	stopWithin   = 5 * time.Second  // a process that is asked to end ends its attempts
)

// world is a market of readers in simulated time, of which nothing but the delivery of notices is played. Its
// one goroutine and the attempts that it starts take turns: a seed repeats a month exactly.
type world struct {
	random *rand.Rand
	begun  time.Time
	store  *Memory
	quotas core.Quotas
	discord
	readers []*reader
	orders  core.OrderID
	offered core.OfferID

	ahead  events
	added  int           // events, so that those of one moment keep their order
	wake   chan struct{} // an attempt has ended
	faults bool

	processes []*process
	started   int

	offset, known time.Duration // of the server's clock, and as far as programs know it
	steps         int
	steppedAt     time.Time // programs have learned of a step
	setAt         time.Time // the clock was set

	excused     time.Time // lateness counts from then on
	checkAt     time.Time
	jobsChecked time.Time
	made        map[core.NoticeID]time.Time
	words       map[core.NoticeID][]string
	late        map[core.NoticeID]bool
	unknown     map[core.UserID]time.Time // when a reader's last attempt of unknown outcome was

	result Result
}

// Result is what a month came to.
type Result struct {
	Seed                                                   uint64
	Notices, Messages, Digests, Requests                   int
	Outages, Limits, Restarts, Kills, Steps, Waves, Bursts int
	Ended                                                  map[notify.State]int
	Findings                                               []string
}

// event is something that happens at a time.
type event struct {
	at    time.Time
	place int
	do    func()
}

type events []event

func (e events) Len() int { return len(e) }
func (e events) Less(a, b int) bool {
	return e[a].at.Before(e[b].at) || e[a].at.Equal(e[b].at) && e[a].place < e[b].place
}
func (e events) Swap(a, b int) { e[a], e[b] = e[b], e[a] }
func (e *events) Push(x any)   { *e = append(*e, x.(event)) }
func (e *events) Pop() any {
	last := (*e)[len(*e)-1]
	*e = (*e)[:len(*e)-1]
	return last
}

// after has something happen after a while.
func (w *world) after(wait time.Duration, do func()) {
	w.added++
	heap.Push(&w.ahead, event{time.Now().Add(wait), w.added, do})
}

func (w *world) chance(p float64) bool { return w.random.Float64() < p }

func (w *world) between(least, most time.Duration) time.Duration {
	return least + time.Duration(w.random.Int64N(int64(most-least)+1))
}

// longer draws a duration of which short ones are as likely as long ones.
func (w *world) longer(least, most time.Duration) time.Duration {
	return time.Duration(float64(least) * math.Pow(float64(most)/float64(least), w.random.Float64()))
}

func (w *world) calm() bool { return !w.faults }

// server is the database's clock, and now the time as programs know it.
func (w *world) server() time.Time { return time.Now().Add(w.offset).UTC().Truncate(time.Microsecond) }
func (w *world) now() time.Time    { return time.Now().Add(w.known).UTC().Truncate(time.Microsecond) }

func (w *world) steady() time.Duration {
	if w.steps == 0 {
		return 0
	}
	return max(time.Until(w.steppedAt.Add(pgconnect.SteadyAfter)), 0)
}

func (w *world) found(what string, args ...any) {
	w.result.Findings = append(w.result.Findings,
		fmt.Sprintf("after %s: ", time.Since(w.begun))+fmt.Sprintf(what, args...))
}

// Play plays a month. It must run in a bubble of synctest.
func Play(seed uint64) Result {
	w := &world{
		random: rand.New(rand.NewPCG(seed, seed)), begun: time.Now(), wake: make(chan struct{}, 1), faults: true,
		made:  map[core.NoticeID]time.Time{},
		words: map[core.NoticeID][]string{}, late: map[core.NoticeID]bool{},
		unknown: map[core.UserID]time.Time{},
		result:  Result{Seed: seed, Ended: map[notify.State]int{}},
	}
	w.store = NewMemory(w.now)
	w.discord = discord{w: w, nonces: map[string]*posted{}, open: map[core.UserID]bool{},
		closed: map[core.UserID]bool{}}
	w.people()
	w.plan()
	for range 1 + w.random.IntN(2) {
		w.start()
	}
	w.play(month)
	w.faults, w.down, w.failing, w.limited = false, false, 0, time.Time{}
	clear(w.closed)
	w.play(calmFor)
	w.finish()
	return w.result
}

// play lets time pass.
func (w *world) play(long time.Duration) {
	over := false
	w.after(long, func() { over = true })
	for !over {
		for len(w.ahead) > 0 && !w.ahead[0].at.After(time.Now()) {
			heap.Pop(&w.ahead).(event).do()
			synctest.Wait()
		}
		w.dispatch()
		if !w.checkAt.After(time.Now()) {
			w.check()
		}
		next := w.checkAt
		if len(w.ahead) > 0 && w.ahead[0].at.Before(next) {
			next = w.ahead[0].at
		}
		if due, any := w.store.NextJob(w.offset, w.known); any && w.free() != nil && due.Before(next) {
			next = due
		}
		select {
		case <-time.After(max(time.Until(next), time.Microsecond)):
		case <-w.wake:
		}
		synctest.Wait()
	}
}

// process is a replica of the program.
type process struct {
	name     string
	dead     bool
	stopping bool
	attempts []*attempt
}

// attempt is a job that a process works on.
type attempt struct {
	job  *Job
	stop context.CancelFunc
}

// start starts a process: what waits for a time is tried at once, and times too far ahead are brought back.
func (w *world) start() {
	w.started++
	w.processes = append(w.processes, &process{name: fmt.Sprintf("process %d", w.started)})
	w.store.Wake()
	w.store.BringBack(waits.All, w.server())
	w.excuse(0)
}

// free is a process that may take a job; nil for none.
func (w *world) free() *process {
	for _, p := range w.processes {
		if !p.stopping && len(p.attempts) < workers {
			return p
		}
	}
	return nil
}

func (w *world) dispatch() {
	for {
		p := w.free()
		if p == nil {
			return
		}
		job := w.store.Take(p.name, w.server())
		if job == nil {
			return
		}
		w.attempt(p, job)
		synctest.Wait()
	}
}

var errDead = errors.New("the process has died")

// attempt works on a job as sql/queue does.
func (w *world) attempt(p *process, job *Job) {
	ctx, stop := context.WithTimeout(context.Background(), attemptLimit+w.between(0, time.Millisecond))
	a := &attempt{job, stop}
	p.attempts = append(p.attempts, a)
	store := w.between(time.Millisecond, 5*time.Millisecond) // what the store takes
	go func() {
		defer stop()
		time.Sleep(store)
		err := w.deliverer(p).DeliverNotice(ctx, sender{&w.discord, p}, job.Notice)
		if p.dead {
			return
		}
		p.attempts = slices.DeleteFunc(p.attempts, func(other *attempt) bool { return other == a })
		if err == nil {
			w.store.End(job)
		} else {
			w.store.Snooze(job, channels.JobWaits(err, w.now().Sub(job.created), w.random.Float64()))
		}
		select {
		case w.wake <- struct{}{}:
		default:
		}
	}()
}

// deliverer is the core's, in a process.
func (w *world) deliverer(p *process) *channels.Deliverer {
	run := core.Runner[channels.DeliveryTx]{
		Now: w.now, Refresh: func(context.Context) {},
		Atomically: func(ctx context.Context, do func(channels.DeliveryTx) error) error {
			if p.dead {
				return errDead
			}
			if ctx.Err() != nil {
				return ctx.Err()
			}
			before := len(w.store.sent)
			err := w.store.Atomically(p.name, func(tx *Tx) error { return do(tx) })
			if err == nil && len(w.store.sent) > before {
				w.begins(w.store.sent[before])
			}
			return err
		},
	}
	return channels.NewDeliverer(core.Env{Now: w.now, Quotas: w.quotas}, run, w.steady, w.ends,
		func(d channels.Delivery) channels.Delivery { return d })
}

// stopAttempts ends what a process works on, one after the other.
func (w *world) stopAttempts(p *process) {
	for _, a := range slices.Clone(p.attempts) {
		a.stop()
		synctest.Wait()
	}
}

func (w *world) killAfter(p *process, wait time.Duration) {
	w.after(wait, func() {
		if !p.dead {
			w.result.Kills++
			w.kill(p)
			w.after(w.longer(time.Second, 10*time.Minute), w.start)
		}
	})
	select { // the next event has changed
	case w.wake <- struct{}{}:
	default:
	}
}

// kill ends a process at once. Another process finds its jobs once it has been dead for a while.
func (w *world) kill(p *process) {
	p.dead = true
	w.processes = slices.DeleteFunc(w.processes, func(other *process) bool { return other == p })
	w.stopAttempts(p)
	w.rescue(p.name)
}

func (w *world) rescue(name string) {
	w.after(rescueAfter, func() {
		if len(w.processes) == 0 {
			w.rescue(name)
			return
		}
		w.store.Rescue(name)
	})
}

// restart asks a process to end, and starts another.
func (w *world) restart() {
	if len(w.processes) == 0 {
		return
	}
	p := w.processes[w.random.IntN(len(w.processes))]
	w.result.Restarts++
	p.stopping = true
	w.after(stopWithin, func() {
		if !p.dead {
			w.stopAttempts(p)
			w.kill(p)
		}
	})
	w.after(w.longer(time.Second, 20*time.Minute), w.start)
}

// step sets the server's clock. Programs learn of it later.
func (w *world) step(by time.Duration) {
	w.result.Steps++
	w.setAt = time.Now()
	w.offset += by
	w.after(w.between(0, time.Minute), func() {
		if w.known == w.offset {
			return
		}
		w.known = w.offset
		w.steps++
		w.steppedAt = time.Now()
		w.after(w.between(0, time.Second), func() { w.sweep(waits.AfterStep) })
	})
	for minute := range 120 {
		w.after(time.Duration(minute)*time.Minute+w.between(0, time.Second), func() { w.sweep(waits.EachMinute) })
	}
	w.excuse(2 * pgconnect.SteadyAfter)
}

func (w *world) sweep(extent waits.Extent) {
	if len(w.processes) > 0 {
		w.store.BringBack(extent, w.server())
	}
}
