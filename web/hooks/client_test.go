package hooks

import (
	"context"
	"encoding/binary"
	"net"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"tradepost/core/webhook"
)

// names returns a resolver of every name, with the addresses that answer returns for each question.
func names(t *testing.T, answer func() netip.Addr) *net.Resolver {
	t.Helper()
	server, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { server.Close() })
	go func() {
		question := make([]byte, 512)
		for {
			n, from, err := server.ReadFrom(question)
			if err != nil {
				return
			}
			end := 12
			for question[end] != 0 {
				end += int(question[end]) + 1
			}
			isA := binary.BigEndian.Uint16(question[end+1:]) == 1
			reply := append([]byte{}, question[:end+5]...) // the header and the question, without what may follow
			reply[2], reply[3] = 0x81, 0x80
			binary.BigEndian.PutUint16(reply[6:], 0)
			binary.BigEndian.PutUint32(reply[8:], 0)
			if n > 0 && isA {
				binary.BigEndian.PutUint16(reply[6:], 1)
				reply = append(reply, 0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4)
				reply = append(reply, answer().AsSlice()...)
			}
			_, _ = server.WriteTo(reply, from)
		}
	}()
	return &net.Resolver{PreferGo: true, Dial: func(ctx context.Context, _, _ string) (net.Conn, error) {
		return (&net.Dialer{}).DialContext(ctx, "udp", server.LocalAddr().String())
	}}
}

// receiver listens on every address of this machine and counts its requests.
func receiver(t *testing.T) (port string, requests *atomic.Int64) {
	t.Helper()
	requests = new(atomic.Int64)
	listener, err := net.Listen("tcp4", "0.0.0.0:0")
	if err != nil {
		t.Fatal(err)
	}
	server := httptest.NewUnstartedServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { requests.Add(1) }))
	server.Listener.Close()
	server.Listener = listener
	server.Start()
	t.Cleanup(server.Close)
	_, port, _ = net.SplitHostPort(listener.Addr().String())
	return port, requests
}

func post(t *testing.T, client *http.Client, url string) (int, webhook.Failure) {
	t.Helper()
	s := New(nil, client, "https://market.example", time.Now, nil)
	r := s.attempt(t.Context(), webhook.Webhook{URL: url, Secret: []byte("s")}, webhook.Delivery{Event: webhook.Event{ID: "p1", Type: webhook.Ping, Data: "{}"}})
	return r.Status, r.Failure
}

func TestANameOfAPrivateAddressIsRefused(t *testing.T) {
	port, requests := receiver(t)
	client := NewClient(false, names(t, func() netip.Addr { return netip.MustParseAddr("127.0.0.1") }))
	for _, host := range []string{"hooks.example.org", "127.0.0.1", "[::ffff:127.0.0.1]", "[::1]", "0.0.0.0", "2130706433", "0x7f.1"} {
		if status, failure := post(t, client, "http://"+host+":"+port+"/"); status != 0 || failure == "" {
			t.Errorf("%s is answered %d", host, status)
		} else if host == "hooks.example.org" && failure != webhook.NotPublic {
			t.Errorf("%s fails by %q", host, failure)
		}
	}
	if n := requests.Load(); n != 0 {
		t.Errorf("%d requests came", n)
	}
}

// The name is public when it is first looked up, and private the next time.
func TestANameThatChangesIsRefused(t *testing.T) {
	port, requests := receiver(t)
	var asked atomic.Int64
	resolver := names(t, func() netip.Addr {
		if asked.Add(1) == 1 {
			return netip.MustParseAddr("127.0.0.2") // counts as public here
		}
		return netip.MustParseAddr("127.0.0.1")
	})
	client := newClient(func(ip netip.Addr) bool { return ip == netip.MustParseAddr("127.0.0.2") }, resolver)
	if status, failure := post(t, client, "http://hooks.example.org:"+port+"/"); status != http.StatusOK {
		t.Fatalf("the first is answered %d, %q", status, failure)
	}
	client.CloseIdleConnections()
	if status, failure := post(t, client, "http://hooks.example.org:"+port+"/"); failure != webhook.NotPublic {
		t.Errorf("the second is answered %d, %q", status, failure)
	}
	if n := requests.Load(); n != 1 {
		t.Errorf("%d requests came, want 1", n)
	}
}

func TestARedirectIsNotFollowed(t *testing.T) {
	port, requests := receiver(t)
	var got http.Header
	moved := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		http.Redirect(w, r, "http://127.0.0.1:"+port+"/", http.StatusTemporaryRedirect)
	}))
	defer moved.Close()
	status, failure := post(t, NewClient(true, nil), moved.URL)
	if status != http.StatusTemporaryRedirect || failure != "" || requests.Load() != 0 {
		t.Errorf("answered %d, %q, with %d requests to the other address", status, failure, requests.Load())
	}
	if got.Get("webhook-id") != "msg_p1" || got.Get("webhook-timestamp") == "" || !strings.HasPrefix(got.Get("webhook-signature"), "v1,") {
		t.Errorf("sent with %v", got)
	}
}

func TestACertificateIsChecked(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) { t.Error("a request came") }))
	defer server.Close()
	server.Config.ErrorLog = nil
	if status, failure := post(t, NewClient(true, nil), server.URL); failure != webhook.NotTrusted {
		t.Errorf("answered %d, %q", status, failure)
	}
}

func TestOnlyTheStartOfAnAnswerIsRead(t *testing.T) {
	text, err := readAnswer(strings.NewReader("ok\x00\r\n <b>\x1b[31m \xff" + strings.Repeat("x", 1<<20)))
	if err != nil || !strings.HasPrefix(text, "ok <b>[31m �x") || len([]rune(text)) != webhook.MaxAnswer {
		t.Errorf("read %q, %v", text, err)
	}
}

func TestRetryAfter(t *testing.T) {
	now := time.Date(2027, 6, 1, 12, 0, 0, 0, time.UTC)
	for text, want := range map[string]time.Duration{
		"": 0, "120": 2 * time.Minute, "-5": 0, "soon": 0, "99999999999": 0, now.Add(time.Hour).Format(http.TimeFormat): time.Hour,
		now.Add(-time.Hour).Format(http.TimeFormat): 0,
	} {
		if got := retryAfter(http.Header{"Retry-After": {text}}, now); got != want {
			t.Errorf("%q is %v, want %v", text, got, want)
		}
	}
}
