package main_test

import (
	"encoding/pem"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/joho/godotenv"

	"tradepost/sql/pgtest"
)

// reverseProxy speaks HTTPS in front of a market. It returns its address and a file with its certificate.
func reverseProxy(t *testing.T, market string, forwards bool) (public, certificate string) {
	t.Helper()
	to := &url.URL{Scheme: "http", Host: market}
	proxy := httptest.NewTLSServer(&httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) {
		r.SetURL(to)
		if forwards {
			r.SetXForwarded()
		}
	}})
	t.Cleanup(proxy.Close)
	certificate = filepath.Join(t.TempDir(), "proxy.pem")
	block := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: proxy.Certificate().Raw})
	if err := os.WriteFile(certificate, block, 0o600); err != nil {
		t.Fatal(err)
	}
	return proxy.URL, certificate
}

func TestDoctorReportsTheClientAddress(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	for name, tt := range map[string]struct {
		settings []string // of the market
		forwards bool
		want     string
	}{
		"a proxy on this machine, with nothing set": {nil, true, "✓ the address that visitors are seen from: 127.0.0.1, through a trusted proxy"},
		"an address":                          {[]string{"--trusted-proxies", "127.0.0.1"}, true, "✓ the address that visitors are seen from"},
		"private":                             {[]string{"--trusted-proxies", "private"}, true, "✓ the address that visitors are seen from"},
		"a proxy that is not trusted":         {[]string{"--trusted-proxies", "none"}, true, "the market sees 127.0.0.1. That is a proxy which TRUSTED_PROXIES does not name"},
		"another than the one that is":        {[]string{"--trusted-proxies", "10.0.0.0/8"}, true, "which TRUSTED_PROXIES does not name"},
		"a proxy that says nothing of others": {nil, false, "the market sees 127.0.0.1. That is a proxy which sends no X-Forwarded-For"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			address := freeAddress(t)
			public, certificate := reverseProxy(t, address, tt.forwards)
			args := append([]string{"--only", "web", "--listen", address, "--public-url", public, "--database-url", pgtest.New(t)}, tt.settings...)
			m := h.serve(args...)
			waitFor(t, "http://"+address+"/readyz")
			_, out := attempt(t, t.TempDir(), []string{"PUBLIC_URL=" + public, "LISTEN=" + address, "SSL_CERT_FILE=" + certificate}, "doctor")
			says(t, out, tt.want)
			m.end(t)
		})
	}
}

func TestDoctorReportsAMissingProxy(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	address := freeAddress(t)
	m := h.serve("--only", "web", "--listen", address, "--database-url", pgtest.New(t))
	waitFor(t, "http://"+address+"/readyz")
	_, out := attempt(t, t.TempDir(), []string{"PUBLIC_URL=http://" + address, "LISTEN=" + address}, "doctor")
	says(t, out, "✓ the address that visitors are seen from: 127.0.0.1, without a proxy")
	m.end(t)
}

func TestSetupAsksForTheProxy(t *testing.T) {
	t.Parallel()
	for name, tt := range map[string]struct {
		public, database string
		answers          []string // about the proxy
		want             string
	}{
		"on this machine":  {"https://trade.example", "private", []string{""}, "loopback"},
		"in a container":   {"https://trade.example", "compose", []string{""}, "private"},
		"elsewhere":        {"https://trade.example", "private", []string{"caddy", "203.0.113.5, 198.51.100.0/24"}, "203.0.113.5, 198.51.100.0/24"},
		"none, to try out": {"http://localhost:8080", "private", nil, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			h := newHost(t)
			h.discord.AllowRedirect(tt.public + "/auth/discord/callback")
			lines := append([]string{"", tt.public, h.discord.Token(), h.discord.ClientSecret(), "", tt.database}, tt.answers...)
			out, err := h.types("setup", append(lines, "", "later")...)
			if err != nil {
				t.Fatalf("%v\n%s", err, out)
			}
			settings, err := godotenv.Read(filepath.Join(h.dir, ".env"))
			if err != nil {
				t.Fatal(err)
			}
			if settings["TRUSTED_PROXIES"] != tt.want {
				t.Errorf("TRUSTED_PROXIES=%q, want %q", settings["TRUSTED_PROXIES"], tt.want)
			}
			if asked := strings.Contains(out, "reverse proxy"); asked != (tt.answers != nil) {
				t.Errorf("it asked for the proxy: %t\n%s", asked, out)
			}
			if len(tt.answers) > 1 {
				says(t, out, `"caddy" is no network`)
			}
		})
	}
}

func TestTheContainersTrustTheProxyBesideThem(t *testing.T) {
	t.Parallel()
	compose, err := os.ReadFile("../../compose.yaml")
	if err != nil {
		t.Fatal(err)
	}
	for _, line := range []string{"TRUSTED_PROXIES: ${TRUSTED_PROXIES:-private}", `"127.0.0.1:8080:8080"`} { // and only this machine reaches the port
		if !strings.Contains(string(compose), line) {
			t.Errorf("compose.yaml does not say %s", line)
		}
	}
}

// The page of a market behind a trusted proxy is limited by visitor.
func TestVisitorsBehindAProxyHaveLimitsOfTheirOwn(t *testing.T) {
	t.Parallel()
	h := newHost(t)
	address := freeAddress(t)
	m := h.serve("--only", "web", "--listen", address, "--request-limit", "3", "--database-url", pgtest.New(t))
	waitFor(t, "http://"+address+"/readyz")
	ask := func(visitor string) int {
		req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, "http://"+address+"/api/orders", nil)
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("X-Forwarded-For", visitor)
		resp, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		_ = resp.Body.Close()
		return resp.StatusCode
	}
	for range 3 {
		ask("203.0.113.1")
	}
	if got := ask("198.51.100.9, 203.0.113.1"); got != http.StatusTooManyRequests { // the left entry is forged
		t.Errorf("the fourth request of a visitor is answered with %d", got)
	}
	if got := ask("203.0.113.2"); got != http.StatusOK {
		t.Errorf("another visitor's first request is answered with %d", got)
	}
	m.end(t)
}
