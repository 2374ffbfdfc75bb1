package discordtest

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"time"

	"github.com/gorilla/websocket"
)

// conn is one websocket connection.
type conn struct {
	g        *Gateway
	ws       *websocket.Conn
	session  *session
	compress bool
	silent   bool // neither events nor ACKs: a dead link that looks alive
	welcome  Welcome

	out    [][]byte
	wake   chan struct{}
	cancel context.CancelFunc
	ending *websocket.CloseError // how we close it, when we do
	sends  []time.Time           // of the client, in the last minute
	beat   time.Time             // the last heartbeat, real time
}

// packet is a message of the gateway.
type packet struct {
	Op int             `json:"op"`
	D  json.RawMessage `json:"d"`
}

// Operations of the gateway.
const (
	opHeartbeat      = 1
	opIdentify       = 2
	opPresence       = 3
	opVoiceState     = 4
	opResume         = 6
	opReconnect      = 7
	opRequestMembers = 8
	opInvalidSession = 9
	opHello          = 10
	opAck            = 11
)

// maxSend is the size in bytes of what a client may send, and sendsAMinute how often.
const (
	maxSend      = 4096
	sendsAMinute = 120
)

// closeAnswer is how long a client has to answer a close, and how long a close may take to be sent.
const closeAnswer = 5 * time.Second

// serve handles one connection from its handshake to its end.
func (g *Gateway) serve(w http.ResponseWriter, r *http.Request) {
	q := r.URL.Query()
	ws, err := new(websocket.Upgrader).Upgrade(w, r, nil)
	if err != nil {
		return // Upgrade has answered
	}
	ws.SetReadLimit(1 << 20)
	ctx, cancel := context.WithCancel(g.d.ctx)
	context.AfterFunc(ctx, func() { _ = ws.Close() }) // ends both the reader and the writer
	c := &conn{g: g, ws: ws, wake: make(chan struct{}, 1), cancel: cancel, beat: time.Now()}
	g.d.mu.Lock()
	if g.closed {
		g.d.mu.Unlock()
		cancel()
		return
	}
	g.conn.Add(1)
	defer g.conn.Done()
	g.dials++
	g.conns = append(g.conns, c)
	if len(g.nextConn) > 0 {
		c.welcome, g.nextConn = g.nextConn[0], g.nextConn[1:]
	} else if g.everyConn != nil {
		c.welcome = *g.everyConn
	}
	switch {
	case q.Get("v") != "9" && q.Get("v") != "10":
		c.end(4012, "Invalid API version.")
	case q.Get("encoding") != "" && q.Get("encoding") != "json", q.Get("compress") != "":
		c.end(4002, "the stand-in speaks plain JSON")
	case c.welcome.hang:
	case c.welcome.closeCode != 0:
		c.end(c.welcome.closeCode, "as scripted")
	default:
		c.tell(opHello, map[string]any{"heartbeat_interval": g.d.opts.Heartbeat.Milliseconds(),
			"_trace": []string{"stand-in"}})
	}
	g.d.mu.Unlock()

	go c.write(ctx)
	code := c.read()
	cancel()
	g.d.mu.Lock()
	if c.ending != nil {
		code = c.ending.Code
	}
	// A normal end by the client gives the session up; any other keeps it for a resume, unless the code
	// forbids that.
	keep := code != websocket.CloseNormalClosure && code != websocket.CloseGoingAway && resumable(code)
	g.leave(c, keep)
	g.d.mu.Unlock()
}

// resumable is false for the codes after which a client must begin a new session or give up.
func resumable(code int) bool {
	switch code {
	case 4003, 4004, 4007, 4009, 4010, 4011, 4012, 4013, 4014:
		return false
	}
	return true
}

// queue hands a payload to the writer. The queue is unbounded, so that no caller waits for a slow
// client while it has the lock.
func (c *conn) queue(payload []byte) {
	c.out = append(c.out, payload)
	select {
	case c.wake <- struct{}{}:
	default:
	}
}

// tell sends a message that is not an event.
func (c *conn) tell(op int, data any) {
	payload, _ := json.Marshal(map[string]any{"op": op, "d": data, "s": nil, "t": nil}) // our own shapes
	c.queue(payload)
}

// end closes the connection with a code, after what is queued.
func (c *conn) end(code int, reason string) {
	if c.ending == nil {
		c.ending = &websocket.CloseError{Code: code, Text: reason}
		c.queue(nil)
	}
}

// cut ends the connection without a word.
func (c *conn) cut() {
	if c.ending == nil {
		c.ending = &websocket.CloseError{Code: -1}
	}
	c.cancel()
}

// compressFrom is the size from which payloads go out compressed to a client that asked for it.
const compressFrom = 1024

func (c *conn) write(ctx context.Context) {
	for {
		c.g.d.mu.Lock()
		var next []byte
		closing, got := false, len(c.out) > 0
		if got {
			next, c.out = c.out[0], c.out[1:]
			closing = next == nil
		}
		zip := c.compress && len(next) >= compressFrom
		ending := c.ending
		c.g.d.mu.Unlock()
		switch {
		case closing:
			until := time.Now().Add(closeAnswer)
			_ = c.ws.SetReadDeadline(until) // the reader waits for the client's answer
			_ = c.ws.WriteControl(websocket.CloseMessage,
				websocket.FormatCloseMessage(ending.Code, ending.Text), until)
			return
		case !got:
			select {
			case <-c.wake:
			case <-ctx.Done():
				return
			}
		case zip:
			var small bytes.Buffer
			z := zlib.NewWriter(&small)
			_, _ = z.Write(next)
			_ = z.Close()
			_ = c.ws.WriteMessage(websocket.BinaryMessage, small.Bytes())
		default:
			_ = c.ws.WriteMessage(websocket.TextMessage, next)
		}
	}
}

// read handles what the client sends, until the connection ends, and gives the client's close code.
func (c *conn) read() int {
	for {
		_, data, err := c.ws.ReadMessage()
		if err != nil {
			var closed *websocket.CloseError
			if errors.As(err, &closed) {
				return closed.Code
			}
			return -1
		}
		c.g.d.mu.Lock()
		c.handle(data)
		c.g.d.mu.Unlock()
	}
}

func (c *conn) handle(data []byte) {
	now := c.g.d.now()
	c.sends = append(c.sends, now)
	for now.Sub(c.sends[0]) > time.Minute {
		c.sends = c.sends[1:]
	}
	var p packet
	switch err := json.Unmarshal(data, &p); {
	case len(data) > maxSend, err != nil:
		c.end(4002, "Error while decoding payload.")
	case len(c.sends) > sendsAMinute:
		c.end(4008, "Rate limited.")
	case p.Op == opHeartbeat:
		c.g.heartbeats++
		c.beat = time.Now()
		if !c.silent {
			c.tell(opAck, nil)
		}
		c.g.d.announce()
	case p.Op == opIdentify:
		c.identify(p.D)
	case p.Op == opResume:
		c.resume(p.D)
	case p.Op != opPresence && p.Op != opVoiceState && p.Op != opRequestMembers:
		c.end(4001, "Unknown opcode.")
	case c.session == nil:
		c.end(4003, "Not authenticated.")
	}
}

func (c *conn) identify(data json.RawMessage) {
	g := c.g
	var id Identify
	if err := json.Unmarshal(data, &id); err != nil {
		c.end(4002, "Error while decoding payload.")
		return
	}
	g.forgetStarts()
	switch {
	case c.session != nil:
		c.end(4005, "Already authenticated.")
	case !g.d.goodToken(id.Token):
		g.identifies = append(g.identifies, id)
		c.end(4004, "Authentication failed.")
	case id.Intents&^intentsKnown != 0 || id.Intents < 0:
		c.end(4013, "Invalid intent(s).")
	case id.Intents&intentsPrivileged != 0:
		c.end(4014, "Disallowed intent(s).")
	case c.welcome.script(c):
	case len(g.starts) > 0 && g.d.now().Sub(g.starts[len(g.starts)-1]) < g.d.limits.identify:
		c.tell(opInvalidSession, false) // too soon after the last one
	case len(g.starts) >= g.startsLimit:
		g.d.revokeToken()
	default:
		g.begin(c, id)
	}
}

// goodToken takes the token with or without the word that REST puts before it, as Discord does.
func (d *Discord) goodToken(token string) bool {
	return !d.world.App.Revoked && (token == d.world.App.Token || token == "Bot "+d.world.App.Token)
}

func (c *conn) resume(data json.RawMessage) {
	var r struct {
		Token     string `json:"token"`
		SessionID string `json:"session_id"`
		Seq       int    `json:"seq"`
	}
	if err := json.Unmarshal(data, &r); err != nil {
		c.end(4002, "Error while decoding payload.")
		return
	}
	if !c.g.d.goodToken(r.Token) {
		c.end(4004, "Authentication failed.")
		return
	}
	if c.welcome.script(c) {
		return
	}
	ok, ahead := c.g.resume(c, r.SessionID, r.Seq)
	switch {
	case ahead:
		c.end(4007, "Invalid seq.")
	case !ok:
		c.tell(opInvalidSession, false)
	}
}

// watch closes connections whose client has stopped beating, as Discord does some time after a beat is
// overdue.
func (g *Gateway) watch() {
	for _, c := range g.conns {
		if c.ending == nil && time.Since(c.beat) > 2*g.d.opts.Heartbeat {
			c.end(4000, "no heartbeat")
		}
	}
}
