package discordtest

import (
	"encoding/json"
	"slices"
	"sync"
	"time"
)

// Gateway is the websocket side of the stand-in: its connections, its sessions and what can go wrong with
// them.
type Gateway struct {
	d *Discord

	sessions    []*session
	conns       []*conn
	identifies  []Identify
	resumes     int
	dials       int
	heartbeats  int
	starts      []time.Time // identifies of the last day
	nextConn    []Welcome
	everyConn   *Welcome // where nextConn is empty; nil for as usual
	duplicate   int
	drop        int
	noResume    bool
	startsLimit int
	closed      bool
	conn        sync.WaitGroup
}

// Identify is what a client said when it began a session.
type Identify struct {
	Token      string            `json:"token"`
	Intents    int               `json:"intents"`
	Compress   bool              `json:"compress"`
	Properties map[string]string `json:"properties"`
	Shard      *[2]int           `json:"shard"`
}

// session is what outlives a connection: its events can be had again by resuming.
type session struct {
	id       string
	intents  int
	compress bool
	seq      int
	sent     []event // since the beginning, for replay
	conn     *conn   // nil while no client is connected
	lost     time.Time
	deaf     bool // stays up without events
}

type event struct {
	seq     int
	payload []byte
}

// sessionLife is how long a session can be resumed after its connection is closed.
const sessionLife = 5 * time.Minute

// Gateway gives access to the websocket side.
func (d *Discord) Gateway() *Gateway { return &d.gateway }

func (g *Gateway) init(d *Discord) {
	g.d = d
	g.startsLimit = 1000
}

func (g *Gateway) url() string { return "ws://" + g.d.addr + "/gateway" }

func (g *Gateway) startLimit() map[string]any {
	g.forgetStarts()
	reset := 0
	if len(g.starts) > 0 {
		reset = int((24*time.Hour - g.d.now().Sub(g.starts[0])).Milliseconds())
	}
	return map[string]any{"total": g.startsLimit, "remaining": max(0, g.startsLimit-len(g.starts)),
		"reset_after": reset, "max_concurrency": 1}
}

func (g *Gateway) forgetStarts() {
	g.starts = slices.DeleteFunc(g.starts,
		func(at time.Time) bool { return g.d.now().Sub(at) > 24*time.Hour })
}

// dispatch sends an event to every session that asked for it (any of the intents; 0: everybody) and counts
// them. Sessions whose connection is gone keep it for the resume.
func (g *Gateway) dispatch(name string, intents int, data any) int {
	times := 1
	if name == "INTERACTION_CREATE" {
		if g.drop > 0 {
			g.drop--
			return 0
		}
		if g.duplicate > 0 {
			g.duplicate--
			times = 2
		}
	}
	reached := 0
	for _, s := range g.sessions {
		if intents != 0 && s.intents&intents == 0 || s.deaf || s.conn == nil &&
			g.d.now().Sub(s.lost) > sessionLife {
			continue
		}
		for range times {
			s.send(name, data)
		}
		reached++
	}
	return reached
}

func (s *session) send(name string, data any) {
	s.seq++
	payload, _ := json.Marshal(map[string]any{"op": 0, "t": name, "s": s.seq, "d": data}) // our own shapes
	s.sent = append(s.sent, event{s.seq, payload})
	if len(s.sent) > 4096 {
		s.sent = s.sent[2048:]
	}
	if s.conn != nil && !s.conn.silent {
		s.conn.queue(payload)
	}
}

// Intents for which the stand-in sends events.
const (
	intentGuilds         = 1 << 0
	intentGuildMessages  = 1 << 9
	intentDirectMessages = 1 << 12
	intentMessageContent = 1 << 15
	intentsPrivileged    = 1<<1 | 1<<8 | 1<<15
	intentsKnown         = 1<<26 - 1
)

// messageEvent sends a message event to sessions with the intent. Ephemeral messages have no
// event.
func (g *Gateway) messageEvent(name string, m *message) {
	c := g.d.world.channel(m.ChannelID)
	if m.Reader != "" || c == nil || g.d.world.permissionsIn(g.d.world.bot(), c)&permViewChannel == 0 {
		return
	}
	intent := intentDirectMessages
	if c.GuildID != "" {
		intent = intentGuildMessages
	}
	if name == "MESSAGE_DELETE" {
		gone := map[string]any{"id": m.ID, "channel_id": m.ChannelID}
		if c.GuildID != "" {
			gone["guild_id"] = c.GuildID
		}
		g.dispatch(name, intent, gone)
		return
	}
	full := struct {
		Message
		GuildID string `json:"guild_id,omitempty"`
	}{Message: m.Message}
	full.GuildID = c.GuildID
	g.dispatch(name, intent, full)
}

// begin makes a session on a connection and greets it.
func (g *Gateway) begin(c *conn, id Identify) {
	g.identifies = append(g.identifies, id)
	g.starts = append(g.starts, g.d.now())
	s := &session{id: secret(), intents: id.Intents, compress: id.Compress, conn: c}
	c.session, c.compress = s, id.Compress
	g.sessions = append(g.sessions, s)
	guilds := []any{}
	for _, server := range g.d.world.Guilds {
		if g.d.world.botIn(server.ID) {
			guilds = append(guilds, map[string]any{"id": server.ID, "unavailable": true})
		}
	}
	s.send("READY", map[string]any{
		"v": 10, "user": g.d.world.bot().self(false), "guilds": guilds, "session_id": s.id,
		"session_type":       "normal",
		"resume_gateway_url": g.url() + "/resume", "shard": []int{0, 1}, "private_channels": []any{},
		"user_settings": map[string]any{},
		"application":   map[string]any{"id": g.d.world.App.ID, "flags": 0}, "_trace": []string{"stand-in"},
	})
	if id.Intents&intentGuilds != 0 {
		for _, server := range g.d.world.Guilds {
			if g.d.world.botIn(server.ID) {
				s.send("GUILD_CREATE", g.d.guildEvent(server))
			}
		}
	}
	g.d.announce()
}

// guildEvent is a guild as the event of one that the bot is in.
func (d *Discord) guildEvent(server *guild) map[string]any {
	full := d.guildWire(server)
	channels, threads := []any{}, []any{}
	for _, ch := range d.world.Channels {
		switch {
		case ch.GuildID != server.ID || d.world.permissionsIn(d.world.bot(), ch)&permViewChannel == 0:
		case ch.Thread == nil:
			channels = append(channels, d.channelWire(ch))
		case !ch.Thread.Archived:
			threads = append(threads, d.channelWire(ch))
		}
	}
	full["channels"], full["threads"], full["member_count"] = channels, threads, len(d.world.Users)
	full["joined_at"] = stamp(d.world.member(d.world.bot(), server.ID).Joined)
	full["large"], full["unavailable"], full["members"], full["presences"] = false, false, []any{}, []any{}
	full["voice_states"], full["stage_instances"], full["guild_scheduled_events"] = []any{}, []any{}, []any{}
	return full
}

// resume resumes a session and sends the events it missed. It returns false when the session no
// longer exists.
func (g *Gateway) resume(c *conn, id string, seq int) (ok, ahead bool) {
	i := slices.IndexFunc(g.sessions, func(s *session) bool { return s.id == id })
	if i < 0 || g.noResume {
		return false, false
	}
	s := g.sessions[i]
	if s.conn == nil && g.d.now().Sub(s.lost) > sessionLife {
		return false, false
	}
	if seq > s.seq {
		return false, true
	}
	if s.conn != nil {
		s.conn.session = nil
		s.conn.end(4000, "taken over")
	}
	s.conn, c.session, c.compress = c, s, s.compress
	for _, e := range s.sent {
		if e.seq > seq {
			c.queue(e.payload)
		}
	}
	g.resumes++
	s.send("RESUMED", map[string]any{"_trace": []string{"stand-in"}})
	g.d.announce()
	return true, false
}

// leave notes that a connection is gone. Only some ways of leaving keep the session.
func (g *Gateway) leave(c *conn, keep bool) {
	g.conns = slices.DeleteFunc(g.conns, func(other *conn) bool { return other == c })
	s := c.session
	if s == nil || s.conn != c {
		g.d.announce()
		return
	}
	s.conn, s.lost = nil, g.d.now()
	if !keep {
		g.sessions = slices.DeleteFunc(g.sessions, func(other *session) bool { return other == s })
	}
	g.d.announce()
}

// shut ends all connections and refuses new ones.
func (g *Gateway) shut() {
	g.d.mu.Lock()
	g.closed = true
	for _, c := range g.conns {
		c.cut()
	}
	g.d.mu.Unlock()
	g.conn.Wait()
}

// ready counts the sessions that a bot is connected to.
func (g *Gateway) ready() int {
	n := 0
	for _, s := range g.sessions {
		if s.conn != nil && s.conn.ending == nil {
			n++
		}
	}
	return n
}
