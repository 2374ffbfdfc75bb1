package discord

import (
	"bytes"
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/binary"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"testing"

	"github.com/gorilla/websocket"
)

func TestSafeMessageKeepsWhatTheLibraryNeeds(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"op":10,"d":{"heartbeat_interval":41250,"_trace":[]},"s":null,"t":null}`:                         `{"op":10,"s":0,"d":{"heartbeat_interval":41250}}`,
		`{"op":0,"s":1,"t":"READY","d":{"session_id":"a","resume_gateway_url":"wss://b","guilds":[null]}}`: `{"op":0,"s":1,"t":"READY","d":{"session_id":"a","resume_gateway_url":"wss://b"}}`,
		`{"op":0,"s":2,"t":"RESUMED","d":null}`:                                                            `{"op":0,"s":2,"t":"RESUMED","d":{}}`,
		`{"op":0,"s":3,"t":"INTERACTION_CREATE","d":{"id":"1"}}`:                                           `{"op":0,"s":3,"t":"tradepost:INTERACTION_CREATE","d":{"id":"1"}}`,
		`{"op":0,"s":3,"t":"GUILD_CREATE","d":null}`:                                                       `{"op":0,"s":3,"t":"tradepost:GUILD_CREATE","d":null}`,
		`{"op":9,"d":true}`:  `{"op":9,"s":0}`,
		`null`:               "",
		`{`:                  "",
		`{"op":10,"d":null}`: "",
		`{"op":10,"d":{"heartbeat_interval":9223372036854775807}}`: "",
		`{"op":0,"s":1,"t":"READY","d":null}`:                      "",
		`{"op":0,"s":1,"t":"READY"}`:                               "",
	} {
		got, err := safeMessage([]byte(in))
		if string(got) != want || (err == nil) != (want != "") {
			t.Errorf("%s becomes %s (%v), want %s", in, got, err, want)
		}
	}
}

// frame is a frame as a server sends it.
func frame(first byte, payload string) []byte {
	head := []byte{first, 126}
	return append(binary.BigEndian.AppendUint16(head, uint16(len(payload))), payload...)
}

func TestFrameConnChecksFragmentedMessagesAndPassesControlFrames(t *testing.T) {
	t.Parallel()
	const answer = "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\n\r\n"
	in := []byte(answer)
	in = append(in, frame(0x01, `{"op":`)...)
	in = append(in, 0x89, 2, 'h', 'i') // a ping between two fragments
	in = append(in, frame(0x80, `11,"d":null}`)...)
	in = append(in, frame(0x01, "nu")...)
	in = append(in, frame(0x80, "ll")...)
	in = append(in, frame(0x82, "zlib")...)
	in = append(in, frame(0x81, `{"op":7}`)...)
	in = append(in, 0x88, 2, 0x0f, 0xa0)
	near, far := net.Pipe()
	go func() {
		_, _ = io.ReadFull(far, make([]byte, len("GET / HTTP/1.1\r\n\r\n")))
		_, _ = far.Write(in)
		_ = far.Close()
	}()
	c := &frameConn{Conn: near, log: slog.New(slog.DiscardHandler)}
	if _, err := c.Write([]byte("GET / HTTP/1.1\r\n\r\n")); err != nil {
		t.Fatal(err)
	}
	got, err := io.ReadAll(c)
	if err != nil {
		t.Fatal(err)
	}
	long := func(payload string) string {
		return string(binary.BigEndian.AppendUint64([]byte{0x81, 127}, uint64(len(payload)))) + payload
	}
	want := answer + "\x89\x02hi" + long(`{"op":11,"s":0}`) + long(`{"op":7,"s":0}`) + "\x88\x02\x0f\xa0"
	if string(got) != want {
		t.Errorf("read %q, want %q", got, want)
	}
}

func TestFrameConnEndsAtFramesThatAreNotValid(t *testing.T) {
	t.Parallel()
	for name, in := range map[string][]byte{
		"masked":               {0x81, 0x80, 0, 0, 0, 0},
		"reserved bit":         {0xc1, 0},
		"unknown opcode":       {0x83, 0},
		"continues nothing":    {0x80, 0},
		"long control frame":   {0x89, 126, 0, 200},
		"too large":            {0x81, 127, 0, 0, 0, 0, 2, 0, 0, 0},
		"absurdly large":       {0x81, 127, 255, 255, 255, 255, 255, 255, 255, 255},
		"message in a message": {0x01, 0, 0x81, 0},
	} {
		near, far := net.Pipe()
		go func() {
			_, _ = io.ReadFull(far, make([]byte, len("GET /")))
			_, _ = far.Write(append([]byte("HTTP/1.1 101 x\r\n\r\n"), in...))
			_ = far.Close()
		}()
		c := &frameConn{Conn: near, log: slog.New(slog.DiscardHandler)}
		if _, err := c.Write([]byte("GET /")); err != nil {
			t.Fatal(err)
		}
		if _, err := io.ReadAll(c); err == nil {
			t.Errorf("%s: read without an error", name)
		}
		_ = near.Close()
	}
}

// tunnel is a proxy that knows CONNECT.
func tunnel(t *testing.T, connected chan<- string) *url.URL {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		connected <- r.Method + " " + r.Host
		to, err := net.Dial("tcp", r.Host)
		if err != nil {
			t.Error(err)
			return
		}
		from, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			t.Error(err)
			return
		}
		_, _ = io.WriteString(from, "HTTP/1.1 200 OK\r\n\r\n")
		go func() { _, _ = io.Copy(to, from); _ = to.Close() }()
		go func() { _, _ = io.Copy(from, to); _ = from.Close() }()
	}))
	t.Cleanup(server.Close)
	address, _ := url.Parse(server.URL)
	return address
}

func TestTheGatewayIsReachedOverTLSAndThroughAProxy(t *testing.T) {
	t.Parallel()
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		ws, err := (&websocket.Upgrader{}).Upgrade(w, r, nil)
		if err != nil {
			return
		}
		defer ws.Close()
		_ = ws.WriteMessage(websocket.TextMessage, []byte("null"))
		_ = ws.WriteMessage(websocket.TextMessage, []byte(`{"op":11}`))
	}))
	server.Config.ErrorLog = slog.NewLogLogger(slog.DiscardHandler, slog.LevelError)
	server.StartTLS()
	t.Cleanup(server.Close)
	address := "wss" + strings.TrimPrefix(server.URL, "https")
	roots := x509.NewCertPool()
	roots.AddCert(server.Certificate())
	connected := make(chan string, 1)
	proxy := tunnel(t, connected)
	log := slog.New(slog.DiscardHandler)

	for name, through := range map[string]*url.URL{"directly": nil, "through a proxy": proxy} {
		l := &link{tls: &tls.Config{RootCAs: roots}, proxy: http.ProxyURL(through)}
		ws, resp, err := l.dialer(log).DialContext(context.Background(), address, nil)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		_ = resp.Body.Close()
		if _, got, err := ws.ReadMessage(); err != nil || !bytes.Equal(got, []byte(`{"op":11,"s":0}`)) {
			t.Errorf("%s: read %s, %v", name, got, err)
		}
		_ = ws.Close()
	}
	if got, want := <-connected, "CONNECT "+strings.TrimPrefix(server.URL, "https://"); got != want {
		t.Errorf("the proxy was asked %q, want %q", got, want)
	}

	l := &link{tls: &tls.Config{}, proxy: http.ProxyURL(nil)}
	if _, resp, err := l.dialer(log).DialContext(context.Background(), address, nil); err == nil {
		_ = resp.Body.Close()
		t.Error("a certificate of an unknown authority is accepted")
	}
}
