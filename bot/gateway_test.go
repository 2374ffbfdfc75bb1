package bot_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/bot"
	"tradepost/bot/discord"
	"tradepost/bot/discordtest"
	"tradepost/core"
	"tradepost/core/coretest"
	"tradepost/core/people"
)

const beat = 2 * time.Second

// patience is how long a test waits for what should happen: a busy machine starts a bot with its queue in half a minute.
var patience = coretest.Patience(90 * time.Second)

// quick makes what a test waits for short, and still long enough for a busy machine.
func quick(o *bot.Options) {
	o.Store = noStore{}
	o.Heartbeat = beat
	o.ConnectTime = 6 * time.Second
	o.AgainTime = 10 * time.Millisecond
}

// slowClock goes a tenth as fast as others, or slower with PATIENCE, so that a busy machine is not too late for Discord's three seconds.
func slowClock() func() time.Time {
	began, slower := time.Now(), coretest.Patience(10)
	return func() time.Time { return began.Add(time.Since(began) / slower) }
}

func beating(t *testing.T) *discordtest.Discord {
	t.Helper()
	return discordtest.New(t, discordtest.Options{Heartbeat: beat, Patience: patience, Now: slowClock(), RedirectURIs: []string{"https://market.example/"}})
}

// sendsTest presses the button that sends oneself a message, below an answer that asks nothing of the store.
func sendsTest(who *discordtest.Player) *discordtest.Pending {
	return who.StartForgePress(who.Slash("notify").View, "1|test")
}

// works reports whether an interaction of a new user is answered.
func works(t *testing.T, d *discordtest.Discord) {
	t.Helper()
	if got := sendsTest(d.Player(t, "rowan.ashdown")).Reply(); !strings.Contains(got.Text(), "on its way") {
		t.Errorf("after that the bot answers %q", got.Text())
	}
}

func TestTheConnectionComesBack(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		misfortune func(g *discordtest.Gateway)
		identifies int // in all, at most
	}{
		"cut by the network":              {func(g *discordtest.Gateway) { g.Drop() }, 1},
		"asked to reconnect":              {func(g *discordtest.Gateway) { g.Reconnect() }, 1},
		"closed with an unknown error":    {func(g *discordtest.Gateway) { g.Close(4000) }, 1},
		"closed because the session ends": {func(g *discordtest.Gateway) { g.Close(4009) }, 2},
		"closed for a wrong sequence":     {func(g *discordtest.Gateway) { g.Close(4007) }, 2},
		"session is invalidated":          {func(g *discordtest.Gateway) { g.Invalidate(false) }, 2},
		"session may be resumed":          {func(g *discordtest.Gateway) { g.Invalidate(true) }, 2},
		"fallen silent":                   {func(g *discordtest.Gateway) { g.Silence() }, 1},
		"cut, and its resume is refused": {func(g *discordtest.Gateway) {
			g.RefuseResumes(true)
			g.Drop()
		}, 2},
		"cut, and then asked to reconnect instead of being made ready": {func(g *discordtest.Gateway) {
			g.Next(discordtest.ReconnectInstead)
			g.Drop()
		}, 2},
		"cut, and then left without a hello": {func(g *discordtest.Gateway) {
			g.Next(discordtest.NoHello)
			g.Drop()
		}, 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := beating(t)
			start(t, d, on(&stub{}), quick)
			d.WaitForBot(t)
			dials := d.Gateway().Count().Dials
			tt.misfortune(d.Gateway())
			d.Gateway().Wait(t, "a new connection", func(c discordtest.Count) bool {
				return (c.Dials > dials || c.Identifies > 1) && c.Ready == 1
			})
			works(t, d)
			if n := d.Gateway().Count().Identifies; n > tt.identifies {
				t.Errorf("%d sessions were begun, want at most %d", n, tt.identifies)
			}
		})
	}
}

func TestTheFirstConnectionMayBeginBadly(t *testing.T) {
	t.Parallel()
	for name, welcome := range map[string]discordtest.Welcome{
		"asked to reconnect":     discordtest.ReconnectInstead,
		"refused the session":    discordtest.InvalidInstead,
		"left without a hello":   discordtest.NoHello,
		"left without READY":     discordtest.NoReady,
		"closed with an unknown": discordtest.CloseInstead(4000),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := beating(t)
			d.Gateway().Next(welcome)
			start(t, d, on(&stub{}), quick)
			d.WaitForBot(t)
			works(t, d)
		})
	}
}

func TestAQuickRestartWaitsForItsSession(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t, discordtest.Options{Patience: patience, Now: slowClock(), Limits: &discordtest.Limits{
		Messages: 100, Window: time.Second, Identify: 3 * time.Second / coretest.Patience(10)}}) // three seconds by a usual clock
	again := func(o *bot.Options) { o.Store, o.AgainTime = noStore{}, 2500*time.Millisecond }
	first := start(t, d, on(&stub{}), again)
	d.WaitForBot(t)
	if err := first.stop(); err != nil {
		t.Fatal(err)
	}
	start(t, d, on(&stub{}), again)
	d.WaitForBot(t)
	if c := d.Gateway().Count(); c.Identifies != 2 || c.Dials != 2 {
		t.Errorf("the gateway has seen %+v", c)
	}
}

func TestASilentConnectionIsReplacedAfterTwoHeartbeats(t *testing.T) {
	t.Parallel()
	const slow = 2 * time.Second
	d := discordtest.New(t, discordtest.Options{Heartbeat: slow, Patience: patience, Now: slowClock(), RedirectURIs: []string{"https://market.example/"}})
	start(t, d, on(&stub{}), quick, func(o *bot.Options) { o.Heartbeat = slow })
	d.WaitForBot(t)
	before := d.Gateway().Count()
	d.Gateway().Silence()
	unanswered := 0
	d.Gateway().Wait(t, "a new connection", func(c discordtest.Count) bool {
		if c.Dials == before.Dials {
			unanswered = c.Heartbeats - before.Heartbeats
		}
		return c.Dials > before.Dials && c.Ready == 1
	})
	// One may be sent while the connection closes. By itself the library would send five.
	if unanswered > 3 {
		t.Errorf("%d heartbeats were sent on the silent connection, want 2", unanswered)
	}
	works(t, d)
}

func TestAConnectionWithoutEventsIsReplaced(t *testing.T) {
	t.Parallel()
	d := beating(t)
	talk(t, d) // or the connection is renewed before it is deaf, or again before the command of works
	start(t, d, on(&stub{}), quick, func(o *bot.Options) { o.IdleTime = 6 * time.Second })
	d.WaitForBot(t)
	d.Gateway().Deafen()
	d.Gateway().Wait(t, "a new session", func(c discordtest.Count) bool { return c.Identifies > 1 && c.Ready == 1 })
	works(t, d)
}

// talk has the gateway bring events, to those who get any, until the test ends.
func talk(t *testing.T, d *discordtest.Discord) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() {
		defer close(ended)
		tick := time.NewTicker(100 * time.Millisecond)
		defer tick.Stop()
		for ctx.Err() == nil {
			d.Gateway().Chat()
			select {
			case <-tick.C:
			case <-ctx.Done():
			}
		}
	}()
	t.Cleanup(func() {
		cancel()
		<-ended
	})
}

func TestTheBotEndsWhereTryingAgainWouldHarm(t *testing.T) {
	t.Parallel()
	ends := func(t *testing.T, b *running) error {
		t.Helper()
		select {
		case <-b.ended:
			return b.stop()
		case <-time.After(patience):
			t.Fatal("the bot goes on")
			return nil
		}
	}
	t.Run("when its token was revoked before the start", func(t *testing.T) {
		t.Parallel()
		d := beating(t)
		d.RevokeToken()
		if err := ends(t, start(t, d, on(&stub{}), quick)); !errors.Is(err, discord.ErrToken) {
			t.Errorf("Run returned %v", err)
		}
		if n := d.Gateway().Count().Dials; n != 0 {
			t.Errorf("it connected %d times with a bad token", n)
		}
	})
	t.Run("when its token is revoked while it runs", func(t *testing.T) {
		t.Parallel()
		d := beating(t)
		b := start(t, d, on(&stub{}), quick)
		d.WaitForBot(t)
		d.RevokeToken()
		if err := ends(t, b); !errors.Is(err, discord.ErrToken) {
			t.Errorf("Run returned %v", err)
		}
	})
	t.Run("when Discord refuses the connection permanently", func(t *testing.T) {
		t.Parallel()
		d := beating(t)
		d.Gateway().Next(discordtest.CloseInstead(4013))
		if err := ends(t, start(t, d, on(&stub{}), quick)); !errors.Is(err, discord.ErrRefused) {
			t.Errorf("Run returned %v", err)
		}
	})
}

func TestAStoppedBotStaysAway(t *testing.T) {
	t.Parallel()
	d := beating(t)
	b := start(t, d, on(&stub{}), quick)
	d.WaitForBot(t)
	if err := b.stop(); err != nil {
		t.Fatalf("Run returned %v", err)
	}
	if b.Ready() {
		t.Error("it still says that it is ready")
	}
	d.Gateway().Wait(t, "the connection to end", func(c discordtest.Count) bool { return c.Open == 0 && c.Ready == 0 })
}

func TestStoppingFinishesWhatIsInFlight(t *testing.T) {
	t.Parallel()
	d := beating(t)
	begun, finish := make(chan struct{}), make(chan struct{})
	b := start(t, d, on(&stub{test: func(context.Context) error {
		close(begun)
		<-finish
		return nil
	}}), quick)
	d.WaitForBot(t)
	pending := sendsTest(d.Player(t, "rowan.ashdown"))
	<-begun
	stopped := make(chan error)
	go func() { stopped <- b.stop() }()
	close(finish)
	if got := pending.Reply(); !strings.Contains(got.Text(), "on its way") {
		t.Errorf("answered %q", got.Text())
	}
	if err := <-stopped; err != nil {
		t.Error(err)
	}
}

func TestASlowHandlerIsPromisedAndAPanicIsContained(t *testing.T) {
	t.Parallel()
	d := beating(t)
	var once sync.Once
	b := start(t, d, on(&stub{test: func(ctx context.Context) error {
		slow := false
		once.Do(func() { slow = true })
		if !slow {
			panic("a mistake of ours")
		}
		select {
		case <-time.After(1700 * time.Millisecond): // longer than the bot waits before it promises an answer
		case <-ctx.Done():
		}
		return nil
	}}), quick)
	d.WaitForBot(t)
	rowan := d.Player(t, "rowan.ashdown")
	if got := sendsTest(rowan).Reply(); !got.Deferred || !got.Private() || !strings.Contains(got.Text(), "on its way") {
		t.Errorf("answered %q, deferred %v, private %v", got.Text(), got.Deferred, got.Private())
	}
	if got := sendsTest(rowan).Reply(); !got.Private() || !strings.Contains(got.Text(), "Something went wrong on our side") {
		t.Errorf("a panic is answered %q", got.Text())
	}
	if !b.Ready() {
		t.Error("the bot is down")
	}
}

func TestAnInteractionDeliveredTwiceIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	d := beating(t)
	store := &stub{}
	start(t, d, on(store), quick)
	d.WaitForBot(t)
	rowan := d.Player(t, "rowan.ashdown")
	message := rowan.Slash("notify").View
	d.Gateway().DuplicateNext(1)
	if got := rowan.ForgePress(message, "1|test"); !strings.Contains(got.Text(), "on its way") {
		t.Errorf("the bot answers %q", got.Text())
	}
	if n := store.count(); n > 2 {
		t.Errorf("the market was asked %d times", n)
	}
}

// refusing waits before it returns that the user is not allowed.
type refusing struct{ *stub }

func (r refusing) SaveUser(ctx context.Context, p people.Profile, now time.Time) (people.User, error) {
	if r.count() == 0 {
		return r.stub.SaveUser(ctx, p, now)
	}
	select {
	case <-time.After(1700 * time.Millisecond): // longer than the bot waits before it promises an answer
	case <-ctx.Done():
	}
	return people.User{}, &core.Error{Kind: core.Forbidden, Message: "Not you"}
}

func TestASlowInteractionDeliveredTwiceIsAnsweredOnce(t *testing.T) {
	t.Parallel()
	d := beating(t)
	b := start(t, d, on(refusing{&stub{}}), quick)
	d.WaitForBot(t)
	rowan := d.Player(t, "rowan.ashdown")
	message := rowan.Slash("notify").View
	rowan.ForgePress(message, "1|test")
	d.Gateway().DuplicateNext(1)
	answer := rowan.ForgePress(message, "1|renew|1")
	if err := b.stop(); err != nil { // both have ended then
		t.Fatal(err)
	}
	if all := answer.FollowUps(); len(all) != 1 || !strings.Contains(all[0].Text(), "Not you") {
		t.Errorf("it is said %d times", len(all))
	}
}

// oneHolder is a lock in memory, as the database's advisory lock is among programs.
type oneHolder struct {
	turn      chan struct{}
	connected chan struct{} // has a value while the holder is connected
	waiting   atomic.Int32

	mu   sync.Mutex
	lost chan struct{}
}

func newOneHolder() *oneHolder {
	h := &oneHolder{turn: make(chan struct{}, 1), connected: make(chan struct{}, 1)}
	h.turn <- struct{}{}
	return h
}

func (h *oneHolder) HoldGateway(ctx context.Context) (bot.Hold, error) {
	h.waiting.Add(1)
	defer h.waiting.Add(-1)
	select {
	case <-h.turn:
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	h.lost = make(chan struct{})
	return &turn{oneHolder: h, gone: h.lost, leave: sync.OnceFunc(func() { h.Connected(false); h.turn <- struct{}{} })}, nil
}

func (h *oneHolder) Connected(works bool) {
	select {
	case <-h.connected:
	default:
	}
	if works {
		h.connected <- struct{}{}
	}
}

// take makes the holder lose its hold.
func (h *oneHolder) take() {
	h.mu.Lock()
	defer h.mu.Unlock()
	close(h.lost)
}

// turn is one hold of it.
type turn struct {
	*oneHolder
	gone  chan struct{}
	over  atomic.Bool
	leave func()
}

func (t *turn) Lost() <-chan struct{} { return t.gone }

func (t *turn) Release() { t.leave() }

func (t *turn) Connected(works bool) {
	if !t.over.Load() {
		t.oneHolder.Connected(works)
	}
}

func (t *turn) HandOver(ctx context.Context) (bool, error) {
	if t.waiting.Load() == 0 {
		return false, nil
	}
	t.over.Store(true)
	t.leave()
	select {
	case <-t.connected:
		return true, nil
	case <-ctx.Done():
		return false, ctx.Err()
	}
}

func TestOneOfTwoProgramsHoldsTheGateway(t *testing.T) {
	t.Parallel()
	d := beating(t)
	lock := newOneHolder()
	first := start(t, d, on(&stub{}), quick, func(o *bot.Options) { o.Lock = lock })
	d.WaitForBot(t)
	second := start(t, d, on(&stub{}), quick, func(o *bot.Options) { o.Lock = lock })
	works(t, d)
	if c := d.Gateway().Count(); c.Open != 1 {
		t.Errorf("%d connections are open", c.Open)
	}
	if !first.Ready() || second.Ready() {
		t.Errorf("ready: first %v, second %v", first.Ready(), second.Ready())
	}
	for lock.waiting.Load() == 0 {
		time.Sleep(time.Millisecond) // a lock does not tell who waits; this asks it again
	}
	ended := make(chan error, 1)
	go func() { ended <- first.stop() }()
	// The first one stays until the second is ready, and every interaction is answered.
	for over := false; !over; {
		works(t, d)
		if c := d.Gateway().Count(); c.Ready == 0 {
			t.Error("no program is connected")
		}
		select {
		case err := <-ended:
			if err != nil {
				t.Fatal(err)
			}
			over = true
		default:
		}
	}
	d.Gateway().Wait(t, "the second program alone", func(c discordtest.Count) bool { return c.Ready == 1 && c.Identifies == 2 })
	works(t, d)
}

// TestAProgramThatGetsTheGatewayBackDoesNotAnswerWhatAnotherHasAnswered would fail if it resumed its session: Discord would tell it
// everything again that happened meanwhile, and what the other one has refused might be done now.
func TestAProgramThatGetsTheGatewayBackDoesNotAnswerWhatAnotherHasAnswered(t *testing.T) {
	t.Parallel()
	d := beating(t)
	lock := newOneHolder()
	stores, programs := [2]*stub{{}, {}}, [2]*running{}
	for i := range programs {
		programs[i] = start(t, d, on(stores[i]), quick, func(o *bot.Options) { o.Lock = lock })
		d.WaitForBot(t)
	}
	for turn := range 3 { // the first, the second, and the first again
		holder := programs[turn%2]
		for !holder.Ready() || programs[1-turn%2].Ready() || lock.waiting.Load() != 1 {
			time.Sleep(time.Millisecond) // neither tells
		}
		works(t, d)
		if first, second := stores[0].count(), stores[1].count(); first+second != turn+1 || second != (turn+1)/2 {
			t.Errorf("turn %d: the first was asked %d times, the second %d", turn+1, first, second)
		}
		lock.take()
	}
	if c := d.Gateway().Count(); c.Identifies < 3 {
		t.Errorf("%d sessions were begun", c.Identifies)
	}
}

func TestAConnectionThatBreaksAgainAndAgainIsBackWithinSeconds(t *testing.T) {
	t.Parallel()
	d := beating(t)
	ready := make(chan struct{}, 100)
	start(t, d, on(&stub{}), quick, func(o *bot.Options) {
		o.Hooks.Gateway = func(state string) {
			if state == discord.GatewayReady {
				ready <- struct{}{}
			}
		}
	})
	<-ready
	for i := range 7 {
		d.Gateway().Drop()
		select {
		case <-ready:
		case <-time.After(coretest.Patience(10 * time.Second)):
			t.Fatalf("10 s after drop %d there is no connection", i+1)
		}
	}
	works(t, d)
	if n := d.Gateway().Count().Identifies; n != 1 {
		t.Errorf("%d sessions were begun; to resume is free", n)
	}
}

func TestMalformedFramesDoNotEndTheConnection(t *testing.T) {
	t.Parallel()
	const slow = time.Minute // a busy machine takes longer than beat for the largest frames
	d := discordtest.New(t, discordtest.Options{Heartbeat: slow, Patience: patience, Now: slowClock(), RedirectURIs: []string{"https://market.example/"}})
	start(t, d, on(&stub{}), quick, func(o *bot.Options) { o.Heartbeat = slow })
	d.WaitForBot(t)
	for _, frame := range discordtest.MalformedFrames() {
		d.Gateway().Say(frame)
	}
	beats := d.Gateway().Count().Heartbeats
	d.Gateway().Say([]byte(`{"op":1,"d":null}`)) // which asks for a heartbeat: a command that comes behind the frames may be too late
	d.Gateway().Wait(t, "the frames to be read", func(c discordtest.Count) bool { return c.Heartbeats > beats })
	works(t, d)
	if n := d.Gateway().Count().Dials; n != 1 {
		t.Errorf("the bot connected %d times", n)
	}
}

func TestAPublicAnswerThatBecomesARefusalIsPrivate(t *testing.T) {
	t.Parallel()
	d := beating(t)
	start(t, d, on(refusing{&stub{calls: 1}}), quick)
	d.WaitForBot(t)
	rowan := d.Player(t, "rowan.ashdown")
	rowan.StartSlash("request show", discordtest.Str("request", "1"), discordtest.Bool("share", true))
	said := rowan.WaitMessage("the refusal", func(v *discordtest.View) bool { return strings.Contains(v.Text(), "Not you") })
	if !said.Private() {
		t.Errorf("everyone reads %q", said.Text())
	}
	if others := d.Player(t, "juniper_fox").Messages(); len(others) != 0 {
		t.Errorf("others see %q", others[0].Text())
	}
}
