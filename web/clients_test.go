package web_test

import (
	"bytes"
	"log/slog"
	"net/http"
	"net/netip"
	"strings"
	"sync"
	"testing"

	"tradepost/web"
)

func trusting(networks ...string) func(*web.Options) {
	return func(o *web.Options) {
		for _, n := range networks {
			o.TrustedProxies = append(o.TrustedProxies, netip.MustParsePrefix(n))
		}
	}
}

func TestTheAddressThatACallerIsSeenFrom(t *testing.T) {
	t.Parallel()
	private := []string{"127.0.0.0/8", "::1/128", "10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"}
	for name, tt := range map[string]struct {
		trusted   []string
		headers   []string
		address   string
		forwarded string
	}{
		"without a proxy":                    {private, nil, "127.0.0.1", "none"},
		"through a proxy":                    {private, []string{"X-Forwarded-For", "203.0.113.7"}, "203.0.113.7", "believed"},
		"through two proxies":                {private, []string{"X-Forwarded-For", "203.0.113.7, 10.0.0.3"}, "203.0.113.7", "believed"},
		"forged entries to the left":         {private, []string{"X-Forwarded-For", "198.51.100.1, 10.0.0.1, 203.0.113.7"}, "203.0.113.7", "believed"},
		"forged entries of trusted networks": {private, []string{"X-Forwarded-For", "10.0.0.9, 203.0.113.7, 10.0.0.3"}, "203.0.113.7", "believed"},
		"a header that is sent twice":        {private, []string{"X-Forwarded-For", "198.51.100.1", "X-Forwarded-For", "203.0.113.7"}, "203.0.113.7", "believed"},
		"a visitor of the own network":       {private, []string{"X-Forwarded-For", "192.168.1.20"}, "192.168.1.20", "believed"},
		"an entry that is no address":        {private, []string{"X-Forwarded-For", "203.0.113.7, unknown, 10.0.0.3"}, "10.0.0.3", "believed"},
		"no valid address":                   {private, []string{"X-Forwarded-For", "unknown"}, "127.0.0.1", "none"},
		"empty entries":                      {private, []string{"X-Forwarded-For", "203.0.113.7, ,"}, "203.0.113.7", "believed"},
		"a port":                             {private, []string{"X-Forwarded-For", "203.0.113.7:4711"}, "203.0.113.7", "believed"},
		"IPv6 with a port":                   {private, []string{"X-Forwarded-For", "[2001:db8::1]:4711"}, "2001:db8::1", "believed"},
		"IPv4 written as IPv6":               {private, []string{"X-Forwarded-For", "::ffff:203.0.113.7"}, "203.0.113.7", "believed"},
		"only Forwarded":                     {private, []string{"Forwarded", "for=203.0.113.7"}, "127.0.0.1", "none"},
		"a proxy that is not trusted":        {nil, []string{"X-Forwarded-For", "203.0.113.7"}, "127.0.0.1", "ignored"},
		"Forwarded of one not trusted":       {nil, []string{"Forwarded", "for=203.0.113.7"}, "127.0.0.1", "ignored"},
		"another proxy than the trusted one": {[]string{"10.0.0.0/8"}, []string{"X-Forwarded-For", "203.0.113.7"}, "127.0.0.1", "ignored"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t, trusting(tt.trusted...))
			answer := s.visitor().get("/api/address", tt.headers...)
			seen := answer.json()
			if seen["address"] != tt.address || seen["forwarded"] != tt.forwarded || len(seen) != 2 {
				t.Errorf("seen %v, want %s, %s", seen, tt.address, tt.forwarded)
			}
			if control := answer.header.Get("Cache-Control"); control != "no-store" {
				t.Errorf("a cache may show it to others: Cache-Control is %q", control)
			}
		})
	}
}

func TestAnUntrustedProxyIsLoggedOnce(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		trusted  []string
		headers  []string
		warnings int
	}{
		"X-Forwarded-For":   {nil, []string{"X-Forwarded-For", "203.0.113.7"}, 1},
		"Forwarded":         {nil, []string{"Forwarded", "for=203.0.113.7"}, 1},
		"a trusted proxy":   {[]string{"127.0.0.0/8"}, []string{"X-Forwarded-For", "203.0.113.7"}, 0},
		"no such header":    {nil, nil, 0},
		"any other headers": {nil, []string{"X-Real-IP", "203.0.113.7"}, 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			log := &logText{}
			s := open(t, trusting(tt.trusted...), func(o *web.Options) { o.Log = slog.New(slog.NewTextHandler(log, nil)) })
			for range 3 {
				s.visitor().get("/api/orders", tt.headers...).wants(http.StatusOK)
				s.visitor().get("/", tt.headers...)
			}
			text := log.String()
			if n := strings.Count(text, "level=WARN"); n != tt.warnings {
				t.Errorf("%d warnings, want %d:\n%s", n, tt.warnings, text)
			}
			if tt.warnings > 0 && (!strings.Contains(text, "TRUSTED_PROXIES") || !strings.Contains(text, "peer=127.0.0.1")) {
				t.Errorf("the warning names neither the setting nor the peer:\n%s", text)
			}
		})
	}
}

// logText keeps what is logged.
type logText struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logText) Write(line []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(line)
}

func (l *logText) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}
