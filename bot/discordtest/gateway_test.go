package discordtest_test

import (
	"encoding/json"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/bwmarrin/discordgo"
	"github.com/gorilla/websocket"

	"tradepost/bot/discordtest"
)

func TestASessionIsResumedAfterADrop(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	gone := make(chan struct{}, 1)
	s.AddHandler(func(*discordgo.Session, *discordgo.Disconnect) { gone <- struct{}{} })
	seen := make(chan string, 10)
	s.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) { seen <- i.ID })
	if _, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", commands()); err != nil {
		t.Fatal(err)
	}
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	d.Gateway().Drop()
	d.Gateway().Wait(t, "the drop", func(c discordtest.Count) bool { return c.Ready == 0 })
	missed := d.Player(t, "maple").StartSlash("request mine")
	<-gone
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	d.Gateway().Wait(t, "a resume", func(c discordtest.Count) bool { return c.Resumes == 1 && c.Identifies == 1 })
	if id := <-seen; id != missed.ID() {
		t.Errorf("what happened meanwhile was %s, replayed %s", missed.ID(), id)
	}
}

func TestCompressedEventsAreRead(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	if !s.Compress {
		t.Fatal("discordgo does not ask for compression any more")
	}
	s.Identify.Intents = discordgo.IntentsGuilds
	got := make(chan *discordgo.GuildCreate, 1)
	s.AddHandler(func(_ *discordgo.Session, g *discordgo.GuildCreate) { got <- g })
	if err := s.Open(); err != nil {
		t.Fatal(err)
	}
	if g := <-got; g.Name != "Harbourlight" || len(g.Channels) != 3 {
		t.Errorf("the server is %+v", g.Guild)
	}
	if ids := d.Gateway().Identifies(); len(ids) != 1 || !ids[0].Compress || ids[0].Intents != 1 {
		t.Errorf("identified as %+v", ids)
	}
}

func TestARefusedTokenEndsInCloseCode4004(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	d.RevokeToken()
	if err := s.Open(); err == nil || !strings.Contains(err.Error(), "4004") {
		t.Errorf("opening with a revoked token: %v", err)
	}
	if _, err := s.User("@me"); code(err) != 0 || !strings.Contains(err.Error(), "401") {
		t.Errorf("REST with a revoked token: %v", err)
	}
	d.RestoreToken()
	if _, err := s.User("@me"); err != nil {
		t.Errorf("REST with the token back: %v", err)
	}
}

func TestAnEventIsDeliveredTwiceAndAnotherNever(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	refused := make(chan error, 2)
	bot(t, d, map[string]handler{"/request": func(s *discordgo.Session, i *discordgo.InteractionCreate) {
		refused <- s.InteractionRespond(i.Interaction, &discordgo.InteractionResponse{Type: discordgo.InteractionResponseChannelMessageWithSource,
			Data: &discordgo.InteractionResponseData{Content: "once"}})
	}})
	d.Gateway().DuplicateNext(1)
	maple := d.Player(t, "maple")
	pending := maple.StartSlash("request mine")
	one, other := <-refused, <-refused
	if codes := [2]int{code(one), code(other)}; codes != [2]int{0, 40060} && codes != [2]int{40060, 0} {
		t.Errorf("the two answers gave %v and %v", one, other)
	}
	if len(maple.Messages()) != 1 || len(pending.Refusals()) != 1 {
		t.Errorf("there are %d messages and %d rejected responses", len(maple.Messages()), len(pending.Refusals()))
	}
	d.Gateway().DropNext(1)
	maple.StartSlash("request mine")
	reply := maple.Slash("request mine")
	if err := <-refused; err != nil || reply.Content != "once" {
		t.Errorf("after the lost one: %q, %v", reply.Content, err)
	}
	if n := len(d.Requests("POST /interactions/**")); n != 3 {
		t.Errorf("%d answers were given in all", n)
	}
}

// patience is how long a test waits for the gateway.
const patience = 30 * time.Second

// raw is a client without a library, for what discordgo cannot be brought to do.
type raw struct {
	t  *testing.T
	ws *websocket.Conn
}

func dial(t *testing.T, d *discordtest.Discord) *raw {
	t.Helper()
	ws, _, err := websocket.DefaultDialer.DialContext(t.Context(), strings.Replace(d.URL(), "http", "ws", 1)+"/gateway?v=10&encoding=json", nil)
	if err != nil {
		t.Fatalf("dial the gateway: %v", err)
	}
	ws.SetReadLimit(1 << 20)
	t.Cleanup(func() { _ = ws.Close() })
	return &raw{t, ws}
}

type packet struct {
	Op int             `json:"op"`
	T  string          `json:"t"`
	S  int             `json:"s"`
	D  json.RawMessage `json:"d"`
}

func (r *raw) write(text string) error {
	return r.ws.WriteMessage(websocket.TextMessage, []byte(text))
}

// next gives what comes within the time.
func (r *raw) next(within time.Duration) ([]byte, error) {
	_ = r.ws.SetReadDeadline(time.Now().Add(within))
	_, data, err := r.ws.ReadMessage()
	return data, err
}

// close begins to close the connection with a code.
func (r *raw) close(code int) {
	_ = r.ws.WriteControl(websocket.CloseMessage, websocket.FormatCloseMessage(code, ""), time.Now().Add(patience))
}

func (r *raw) send(op int, data any) {
	r.t.Helper()
	body, _ := json.Marshal(map[string]any{"op": op, "d": data})
	if err := r.write(string(body)); err != nil {
		r.t.Fatalf("send op %d: %v", op, err)
	}
}

func (r *raw) read() packet {
	r.t.Helper()
	data, err := r.next(patience)
	if err != nil {
		r.t.Fatalf("read from the gateway: %v", err)
	}
	var p packet
	if err := json.Unmarshal(data, &p); err != nil {
		r.t.Fatalf("read from the gateway: %v", err)
	}
	return p
}

// closed gives the code with which the gateway ends the connection.
func (r *raw) closed() int {
	r.t.Helper()
	for {
		_, err := r.next(patience)
		var end *websocket.CloseError
		if errors.As(err, &end) {
			return end.Code
		}
		if err != nil {
			r.t.Fatalf("the gateway did not close but gave %v", err)
		}
	}
}

func (r *raw) identify(token string) packet {
	r.t.Helper()
	r.send(2, map[string]any{"token": token, "intents": 0, "properties": map[string]string{"os": "linux", "browser": "x", "device": "x"}})
	return r.read()
}

func TestHelloHeartbeatAndReady(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t, discordtest.Options{Heartbeat: 1234 * time.Millisecond})
	r := dial(t, d)
	hello := r.read()
	if hello.Op != 10 || !strings.Contains(string(hello.D), "1234") {
		t.Errorf("hello is %+v %s", hello, hello.D)
	}
	r.send(1, nil)
	if ack := r.read(); ack.Op != 11 {
		t.Errorf("a heartbeat gave %+v", ack)
	}
	ready := r.identify(d.Token())
	var body struct {
		SessionID string `json:"session_id"`
		ResumeURL string `json:"resume_gateway_url"`
		User      struct{ Username string }
	}
	_ = json.Unmarshal(ready.D, &body)
	if ready.T != "READY" || ready.S != 1 || body.SessionID == "" || body.ResumeURL == "" || body.User.Username != "Tradepost" {
		t.Errorf("ready is %+v %s", ready, ready.D)
	}
	d.Gateway().AskHeartbeat()
	if ask := r.read(); ask.Op != 1 {
		t.Errorf("asked for a heartbeat by %+v", ask)
	}
}

func TestCloseCodes(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	for name, tt := range map[string]struct {
		send func(r *raw)
		want int
	}{
		"not JSON":               {func(r *raw) { _ = r.write("{") }, 4002},
		"too long":               {func(r *raw) { r.send(3, strings.Repeat("x", 4096)) }, 4002},
		"an unknown operation":   {func(r *raw) { r.send(42, nil) }, 4001},
		"before identifying":     {func(r *raw) { r.send(3, nil) }, 4003},
		"another token":          {func(r *raw) { r.send(2, map[string]any{"token": "x"}) }, 4004},
		"identified twice":       {func(r *raw) { r.identify(d.Token()); r.send(2, map[string]any{"token": d.Token()}) }, 4005},
		"a sequence from ahead":  {resumeAhead(d), 4007},
		"too much":               {func(r *raw) { flood(r) }, 4008},
		"an unknown intent":      {func(r *raw) { r.send(2, map[string]any{"token": d.Token(), "intents": 1 << 30}) }, 4013},
		"an intent not approved": {func(r *raw) { r.send(2, map[string]any{"token": d.Token(), "intents": 1 << 15}) }, 4014},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := dial(t, d)
			r.read()
			tt.send(r)
			if got := r.closed(); got != tt.want {
				t.Errorf("closed with %d, want %d", got, tt.want)
			}
		})
	}
}

func flood(r *raw) {
	for range 121 {
		if r.write(`{"op":1,"d":null}`) != nil {
			return
		}
	}
}

func resumeAhead(d *discordtest.Discord) func(*raw) {
	return func(r *raw) {
		var ready struct {
			SessionID string `json:"session_id"`
		}
		_ = json.Unmarshal(r.identify(d.Token()).D, &ready)
		other := dial(r.t, d)
		other.read()
		other.send(6, map[string]any{"token": d.Token(), "session_id": ready.SessionID, "seq": 99})
		*r = *other
	}
}

func TestResumingASessionThatIsGone(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	r := dial(t, d)
	r.read()
	r.send(6, map[string]any{"token": d.Token(), "session_id": "x", "seq": 1})
	if invalid := r.read(); invalid.Op != 9 || string(invalid.D) != "false" {
		t.Errorf("got %+v %s", invalid, invalid.D)
	}
	if ready := r.identify(d.Token()); ready.T != "READY" {
		t.Errorf("identifying on the same connection gave %+v", ready)
	}
}

func TestHowASessionEnds(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		leave func(*raw, *discordtest.Discord)
		kept  bool
	}{
		"closed with 1000":      {func(r *raw, _ *discordtest.Discord) { r.close(1000) }, false},
		"closed with 4000":      {func(r *raw, _ *discordtest.Discord) { r.close(4000) }, true},
		"cut":                   {func(r *raw, _ *discordtest.Discord) { _ = r.ws.Close() }, true},
		"closed by Discord":     {func(r *raw, d *discordtest.Discord) { d.Gateway().Close(4000); r.closed() }, true},
		"timed out":             {func(r *raw, d *discordtest.Discord) { d.Gateway().Close(4009); r.closed() }, false},
		"gone for a long time":  {func(r *raw, d *discordtest.Discord) { _ = r.ws.Close(); gone(t, d); d.Advance(time.Hour) }, false},
		"silent, then replaced": {func(r *raw, d *discordtest.Discord) { d.Gateway().Silence() }, true},
		"declared invalid":      {func(r *raw, d *discordtest.Discord) { d.Gateway().Invalidate(false); r.read() }, false},
		"resumes being refused": {func(r *raw, d *discordtest.Discord) { d.Gateway().RefuseResumes(true) }, false},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			d := discordtest.New(t)
			r := dial(t, d)
			r.read()
			var ready struct {
				SessionID string `json:"session_id"`
			}
			_ = json.Unmarshal(r.identify(d.Token()).D, &ready)
			tt.leave(r, d)
			if name != "silent, then replaced" && name != "declared invalid" && name != "resumes being refused" {
				gone(t, d)
			}
			again := dial(t, d)
			again.read()
			again.send(6, map[string]any{"token": d.Token(), "session_id": ready.SessionID, "seq": 1})
			if got := again.read(); (got.T == "RESUMED") != tt.kept {
				t.Errorf("resuming gave %+v %s", got, got.D)
			}
		})
	}
}

func gone(t *testing.T, d *discordtest.Discord) {
	t.Helper()
	d.Gateway().Wait(t, "the connection's end", func(c discordtest.Count) bool { return c.Open == 0 })
}

func TestBadBeginnings(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	d.Gateway().Next(discordtest.ReconnectInstead, discordtest.InvalidInstead, discordtest.CloseInstead(4009), discordtest.NoHello)
	first := dial(t, d)
	first.read()
	if p := first.identify(d.Token()); p.Op != 7 {
		t.Errorf("instead of READY came %+v", p)
	}
	second := dial(t, d)
	second.read()
	if p := second.identify(d.Token()); p.Op != 9 {
		t.Errorf("instead of READY came %+v", p)
	}
	if p := second.identify(d.Token()); p.T != "READY" {
		t.Errorf("the second identify gave %+v", p)
	}
	if code := dial(t, d).closed(); code != 4009 {
		t.Errorf("closed with %d", code)
	}
	if data, err := dial(t, d).next(20 * time.Millisecond); err == nil {
		t.Errorf("a silent gateway said %s", data)
	}
}

func TestASilentLinkAndADeafSession(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	s := d.Session(t)
	if _, err := s.ApplicationCommandBulkOverwrite(d.ClientID(), "", commands()); err != nil {
		t.Fatal(err)
	}
	r := dial(t, d)
	r.read()
	r.identify(d.Token())
	d.Gateway().Deafen()
	d.Player(t, "maple").StartSlash("request mine")
	r.send(1, nil)
	if p := r.read(); p.Op != 11 {
		t.Errorf("a deaf session, that still answers heartbeats, gave %+v", p)
	}
	d.Gateway().Silence()
	r.send(1, nil)
	d.Gateway().Wait(t, "the heartbeat", func(c discordtest.Count) bool { return c.Heartbeats == 2 })
	if data, err := r.next(20 * time.Millisecond); err == nil {
		t.Errorf("a silent link said %s", data)
	}
}

func TestTooManyIdentifiesResetTheToken(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	d.Gateway().LimitIdentifies(1)
	r := dial(t, d)
	r.read()
	r.identify(d.Token())
	bot, err := d.Session(t).GatewayBot()
	if err != nil || bot.SessionStartLimit.Remaining != 0 || bot.SessionStartLimit.Total != 1 {
		t.Errorf("the limit is %+v, %v", bot, err)
	}
	other := dial(t, d)
	other.read()
	other.send(2, map[string]any{"token": d.Token()})
	if first, second := other.closed(), r.closed(); first != 4004 || second != 4004 {
		t.Errorf("closed with %d and %d", first, second)
	}
}

func TestALinkWithoutHeartbeatsIsClosed(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t, discordtest.Options{Heartbeat: 10 * time.Millisecond})
	r := dial(t, d)
	r.read()
	if code := r.closed(); code != 4000 {
		t.Errorf("closed with %d", code)
	}
}

func TestTwoSessionsOnOneTokenBothHearEverything(t *testing.T) {
	t.Parallel()
	d := discordtest.New(t)
	heard := make(chan string, 2)
	for range 2 {
		s := bot(t, d, nil)
		s.AddHandler(func(_ *discordgo.Session, i *discordgo.InteractionCreate) { heard <- i.ID })
	}
	id := d.Player(t, "maple").StartSlash("request mine").ID()
	if a, b := <-heard, <-heard; a != id || b != id {
		t.Errorf("heard %s and %s of %s", a, b, id)
	}
}
