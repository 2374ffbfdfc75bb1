package discordtest

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"sync"
	"time"
)

// TB is the part of *testing.T that the stand-in needs. It is a separate interface so that a
// program that serves the stand-in does not link the testing package.
type TB interface {
	Helper()
	Logf(format string, args ...any)
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
	Cleanup(func())
}

// Options configures a stand-in. The zero value suits most tests.
type Options struct {
	// Listen is the address to serve on; 127.0.0.1 and a free port when empty.
	Listen string
	// Now is the clock that tokens, deadlines and timestamps follow; time.Now when nil. Advance moves it
	// on. For the three seconds of a first answer, a test without a clock of its own counts only time in
	// which its machine ran: what a stalled machine takes is not the bot's. Time that Advance passes is
	// always counted.
	Now func() time.Time
	// Heartbeat is the interval that the gateway asks for; 41.25 s, as at Discord, when zero.
	Heartbeat time.Duration
	// Patience is how long (in real time) the driver waits for the bot before it fails the test; 10 s when
	// zero.
	Patience time.Duration
	// Limits are how much a bot may do; RealLimits when nil, but in New Unlimited: a test about something
	// else should not wait.
	Limits *Limits
	// StatePath is a file that keeps players, channels, messages, commands and grants over a restart; none
	// when empty.
	StatePath string
	// RedirectURIs are the addresses that the application may send people back to after signing in.
	RedirectURIs []string
	// OnViolation is called for every request that Discord's description forbids. In tests the
	// default fails the test, in a served stand-in it logs. It is called without locks held.
	OnViolation func(Violation)
	// Log receives what the stand-in does; nil for no log.
	Log *slog.Logger

	// countsRunning has the deadlines of first answers count only time in which the machine ran; see
	// runningTime.
	countsRunning bool
	// checkOwn compares the stand-in's own answers and events with Discord's description, and looks for
	// places of texts that the bot has not filled in.
	checkOwn bool
}

// Discord is a stand-in for Discord: REST, gateway and sign-in on one address.
//
// Exported methods take the lock; unexported ones on state expect it to be held, unless they say otherwise.
type Discord struct {
	opts Options
	log  *slog.Logger
	addr string

	server *http.Server
	client *http.Client
	spec   *spec
	routes map[string]endpoint
	ctx    context.Context // ends when the stand-in is closed
	stop   context.CancelFunc
	work   sync.WaitGroup // connections and served requests that outlive their handler

	mu      sync.Mutex
	changed chan struct{} // closed and replaced whenever something a waiter may look at changes
	skew    time.Duration // how far Advance has moved the clock
	ran     time.Duration // for how long the machine has run, where deadlines count that
	lastID  uint64

	waitsLate int // how many wait for a deadline to pass

	world        world
	nonces       map[string]*message
	private      int                     // how many ephemeral messages there are
	interactions map[string]*interaction // by token
	recent       []*interaction          // in order
	inFlight     map[string]int          // requests under way, by the token of their interaction
	record       []*Request
	violations   []Violation
	faults       []*Fault
	limits       rateLimits
	selects      selects
	typed        []string // what users typed that looks like a place of a text, such as {2}
	gateway      Gateway
	dirty        bool // something that StatePath keeps has changed
}

// New starts a stand-in for one test and stops it afterwards. A request that Discord's description forbids
// fails the test.
func New(t TB, opts ...Options) *Discord {
	t.Helper()
	var o Options
	switch len(opts) {
	case 0:
	case 1:
		o = opts[0]
	default:
		t.Fatalf("discordtest.New takes at most one Options")
	}
	var over struct {
		sync.Mutex
		done bool // reporting after the test has ended would panic
	}
	o.checkOwn = true
	if o.Limits == nil {
		o.Limits = &Unlimited
	}
	if o.Now == nil {
		o.countsRunning = true
	}
	if o.OnViolation == nil {
		o.OnViolation = func(v Violation) {
			over.Lock()
			defer over.Unlock()
			if !over.done {
				t.Errorf("%s", v)
			}
		}
	}
	d, err := Serve(o)
	if err != nil {
		t.Fatalf("start the stand-in Discord: %v", err)
	}
	t.Cleanup(func() {
		over.Lock()
		over.done = true
		over.Unlock()
		if err := d.Close(); err != nil {
			t.Errorf("stop the stand-in Discord: %v", err)
		}
	})
	return d
}

// Serve starts a stand-in outside a test. The caller closes it.
func Serve(o Options) (*Discord, error) {
	if o.Listen == "" {
		o.Listen = "127.0.0.1:0"
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Heartbeat == 0 {
		o.Heartbeat = 41250 * time.Millisecond
	}
	if o.Patience == 0 {
		o.Patience = 10 * time.Second
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	if o.OnViolation == nil {
		o.OnViolation = func(v Violation) {
			o.Log.Error("discord refused a request", "violation",
				v.String())
		}
	}
	spec, err := loadSpec()
	if err != nil {
		return nil, err
	}
	listener, err := net.Listen("tcp", o.Listen)
	if err != nil {
		return nil, fmt.Errorf("listen for the stand-in Discord: %w", err)
	}
	d := &Discord{
		opts:         o,
		log:          o.Log,
		addr:         listener.Addr().String(),
		spec:         spec,
		changed:      make(chan struct{}),
		nonces:       map[string]*message{},
		interactions: map[string]*interaction{},
		inFlight:     map[string]int{},
		selects:      selects{},
	}
	d.limits.init(o.Limits)
	d.ctx, d.stop = context.WithCancel(context.Background())
	d.gateway.init(d)
	d.world = newWorld(o)
	d.routes = d.table()
	if err := d.restore(); err != nil {
		listener.Close()
		return nil, err
	}
	d.setBot(d.world.home(), d.world.bot().Permissions)
	d.client = &http.Client{Transport: newTransport(d.addr)}
	d.server = &http.Server{Handler: d.Handler(), ReadHeaderTimeout: 10 * time.Second}
	d.work.Go(func() {
		if err := d.server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
			d.log.Error("stand-in Discord stopped serving", "error", err)
		}
	})
	d.work.Go(d.keep)
	if o.countsRunning {
		d.work.Go(d.countRunning)
	}
	return d, nil
}

// Close ends every connection and, where Options.StatePath is set, saves.
func (d *Discord) Close() error {
	d.stop()
	d.gateway.shut()
	// Requests in progress may end; stop has released those that hang. Shutdown would wait for
	// unused connections.
	d.client.CloseIdleConnections()
	ctx, cancel := context.WithTimeout(context.Background(), time.Second)
	defer cancel()
	if err := d.server.Shutdown(ctx); err != nil {
		d.server.Close()
	}
	d.work.Wait()
	d.client.CloseIdleConnections()
	return d.Save()
}

// URL is where the stand-in is served, such as http://127.0.0.1:8081, without a slash at the end.
func (d *Discord) URL() string { return "http://" + d.addr }

// Now is the stand-in's time.
func (d *Discord) Now() time.Time {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.now()
}

func (d *Discord) now() time.Time { return d.opts.Now().Add(d.skew) }

// Advance moves the stand-in's clock on, so that deadlines pass without waiting for them.
func (d *Discord) Advance(by time.Duration) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.skew += by
	d.announce()
}

// announce wakes everybody who waits for a change.
func (d *Discord) announce() {
	d.dirty = true
	close(d.changed)
	d.changed = make(chan struct{})
}

// await returns true as soon as cond holds, and false when ctx ends first. It takes the lock; cond runs
// under it.
func (d *Discord) await(ctx context.Context, cond func() bool) bool {
	for {
		d.mu.Lock()
		ok, changed := cond(), d.changed
		d.mu.Unlock()
		if ok {
			return true
		}
		select {
		case <-changed:
		case <-ctx.Done():
			return false
		}
	}
}

// patience is a context for one wait of the driver.
func (d *Discord) patience() (context.Context, context.CancelFunc) {
	return context.WithTimeout(d.ctx, d.opts.Patience)
}

// newID makes a snowflake: the milliseconds since 2015 in the upper bits, unique and rising.
func (d *Discord) newID() string {
	id := uint64(d.now().UnixMilli()-epoch) << 22
	d.lastID = max(d.lastID+1, id)
	return formatID(d.lastID)
}
