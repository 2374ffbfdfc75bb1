package web

import (
	"bufio"
	"io"
	"log/slog"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/alexedwards/scs/v2/memstore"
)

func TestASilentStreamShowsThatItIsAliveAndOutlivesTheLimitsOfRequests(t *testing.T) {
	t.Parallel()
	s, err := New(nil, Options{PublicURL: "http://trade.example", Sessions: memstore.NewWithCleanupInterval(0), Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	s.front.heartbeat = 5 * time.Millisecond
	server := httptest.NewUnstartedServer(nil)
	server.Config = s.HTTP(t.Context())
	server.Config.ReadTimeout, server.Config.WriteTimeout = 20*time.Millisecond, 20*time.Millisecond
	server.Start()
	defer server.Close()
	defer s.front.hub.Close()
	response, err := server.Client().Get(server.URL + "/api/events")
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	const enough = 20 // beats: five times as long as a request may take
	beats := 0
	for lines := bufio.NewScanner(io.LimitReader(response.Body, 1<<16)); beats < enough && lines.Scan(); {
		if lines.Text() == ": still here" {
			beats++
		}
	}
	if beats != enough {
		t.Errorf("the stream ended after %d beats", beats)
	}
}
