package discord

import (
	"bufio"
	"bytes"
	"crypto/tls"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"time"
)

// maxMessage is the size in bytes of a gateway message above which the connection is closed.
const maxMessage = 16 << 20

// Heartbeat intervals outside of this range would make the library's ticker panic, or never tick.
const (
	minHeartbeat = time.Millisecond
	maxHeartbeat = time.Hour
)

// eventPrefix hides an event's name from the library: it passes an event that it does not know to the
// handler of all events without decoding it.
const eventPrefix = "tradepost:"

// gatewayMessage is a message of the gateway, in the form in which the library decodes it.
type gatewayMessage struct {
	Op   int             `json:"op"`
	Seq  int64           `json:"s"`
	Type string          `json:"t,omitempty"`
	Data json.RawMessage `json:"d,omitempty"`
}

// safeMessage checks a gateway message and rewrites it for discordgo 0.29, which dereferences nil for the
// message null, for a guild or channel that is null, and panics for a heartbeat interval that is not
// positive. It does so in its own goroutine, where nothing can recover. It gets only the fields that it
// needs; events reach the bot undecoded.
func safeMessage(data []byte) ([]byte, error) {
	var m *gatewayMessage
	if err := json.Unmarshal(data, &m); err != nil {
		return nil, fmt.Errorf("decode message: %w", err)
	}
	switch {
	case m == nil:
		return nil, errors.New("message is null")
	case m.Op == 10:
		var hello struct {
			Interval int64 `json:"heartbeat_interval"`
		}
		if err := json.Unmarshal(m.Data, &hello); err != nil {
			return nil, fmt.Errorf("decode hello: %w", err)
		}
		if hello.Interval < minHeartbeat.Milliseconds() || hello.Interval > maxHeartbeat.Milliseconds() {
			return nil, fmt.Errorf("heartbeat_interval %d is out of range", hello.Interval)
		}
		return rewritten(*m, hello)
	case m.Op != 0:
		return json.Marshal(gatewayMessage{Op: m.Op})
	case m.Type == "READY":
		var ready struct {
			SessionID string `json:"session_id"`
			ResumeURL string `json:"resume_gateway_url"`
		}
		if err := json.Unmarshal(m.Data, &ready); err != nil {
			return nil, fmt.Errorf("decode READY: %w", err)
		}
		if ready.SessionID == "" {
			return nil, errors.New("READY has no session_id")
		}
		return rewritten(*m, ready)
	case m.Type == "RESUMED":
		return rewritten(*m, struct{}{})
	}
	m.Type = eventPrefix + m.Type
	return json.Marshal(m)
}

// invalidSession is the beginning of a message about an invalid session, as safeMessage writes it.
var invalidSession = []byte(`{"op":9,`)

func rewritten(m gatewayMessage, data any) ([]byte, error) {
	var err error
	if m.Data, err = json.Marshal(data); err != nil {
		return nil, err
	}
	return json.Marshal(m)
}

// frameConn is a connection to the gateway that gives its reader each text message as safeMessage rewrites
// it, and drops those that safeMessage rejects. It starts TLS itself, since the websocket library has no
// place above its own TLS.
type frameConn struct {
	net.Conn
	tls *tls.Config // nil for a connection without TLS
	log *slog.Logger
	// again is the delay before the library receives the news of an invalid session. The library begins a new
	// session at once, and Discord, which takes one in five seconds, would answer that the new one is invalid
	// too, until it closes the connection.
	again time.Duration

	in      *bufio.Reader // nil before the websocket handshake
	inHTTP  bool          // until the end of the handshake's answer
	status  []byte        // the answer's first line
	ready   []byte        // checked and not read yet
	message bytes.Buffer  // the fragments of a message so far
	kind    byte          // the opcode of that message; 0 for none
}

// Opcodes of websocket frames.
const (
	frameContinues = 0
	frameText      = 1
	frameBinary    = 2
	frameControl   = 8 // and above
)

var errFrame = errors.New("the gateway sent a websocket frame that is not valid")

// Write starts TLS before the websocket's GET request. Earlier bytes go to a proxy.
func (c *frameConn) Write(p []byte) (int, error) {
	if c.in == nil && bytes.HasPrefix(p, []byte("GET ")) {
		if c.tls != nil {
			secure := tls.Client(c.Conn, c.tls)
			if err := secure.Handshake(); err != nil {
				return 0, fmt.Errorf("TLS handshake with the gateway: %w", err)
			}
			c.Conn = secure
		}
		c.in, c.inHTTP = bufio.NewReaderSize(c.Conn, 16<<10), true
	}
	return c.Conn.Write(p)
}

func (c *frameConn) Read(p []byte) (int, error) {
	if c.in == nil {
		return c.Conn.Read(p)
	}
	for len(c.ready) == 0 {
		var err error
		switch {
		case c.inHTTP:
			err = c.readHeader()
		case !bytes.Contains(c.status, []byte(" 101 ")):
			return c.in.Read(p) // the body of an error
		default:
			err = c.readFrame()
		}
		if err != nil {
			return 0, err
		}
	}
	n := copy(p, c.ready)
	c.ready = c.ready[n:]
	return n, nil
}

// readHeader reads a line of the handshake's answer.
func (c *frameConn) readHeader() error {
	line, err := c.in.ReadSlice('\n')
	if err != nil {
		return err
	}
	c.ready = bytes.Clone(line)
	if c.status == nil {
		c.status = c.ready
	}
	c.inHTTP = len(bytes.TrimSpace(line)) > 0
	return nil
}

// readFrame reads a frame. It leaves ready empty for a fragment and for a message that is dropped.
func (c *frameConn) readFrame() error {
	var head [10]byte
	if _, err := io.ReadFull(c.in, head[:2]); err != nil {
		return err
	}
	final, reserved, opcode := head[0]&0x80 != 0, head[0]&0x70 != 0, head[0]&0x0f
	masked, size := head[1]&0x80 != 0, uint64(head[1]&0x7f)
	begins := opcode == frameText || opcode == frameBinary
	switch {
	case reserved, masked,
		begins && c.kind != 0, opcode == frameContinues && c.kind == 0,
		opcode > frameBinary && opcode < frameControl,
		opcode >= frameControl && (size > 125 || !final):
		return errFrame
	case opcode >= frameControl:
		frame := make([]byte, 2+size)
		copy(frame, head[:2])
		_, err := io.ReadFull(c.in, frame[2:])
		c.ready = frame
		return err
	case size == 126:
		if _, err := io.ReadFull(c.in, head[2:4]); err != nil {
			return err
		}
		size = uint64(binary.BigEndian.Uint16(head[2:4]))
	case size == 127:
		if _, err := io.ReadFull(c.in, head[2:10]); err != nil {
			return err
		}
		size = binary.BigEndian.Uint64(head[2:10])
	}
	if size > maxMessage || c.message.Len()+int(size) > maxMessage {
		return fmt.Errorf("the gateway sent a message of more than %d bytes", maxMessage)
	}
	if begins {
		c.kind = opcode
	}
	if _, err := io.CopyN(&c.message, c.in, int64(size)); err != nil {
		return err
	}
	if final {
		c.pass()
	}
	return nil
}

// pass makes a complete message ready to be read, or drops it.
func (c *frameConn) pass() {
	data, kind := c.message.Bytes(), c.kind
	c.message, c.kind = bytes.Buffer{}, 0
	safe, err := []byte(nil), errors.New("message is binary")
	if kind == frameText {
		safe, err = safeMessage(data)
	}
	if err != nil {
		c.log.Warn("gateway: message dropped", "error", err, "bytes", len(data))
		return
	}
	if bytes.HasPrefix(safe, invalidSession) {
		time.Sleep(c.again)
	}
	c.ready = binary.BigEndian.AppendUint64([]byte{0x80 | frameText, 127}, uint64(len(safe)))
	c.ready = append(c.ready, safe...)
}
