package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"syscall"
	"time"

	"tradepost/cmd/tradepost/install"
)

// reachable returns an address to call for a listen address: the loopback address where it listens on any.
func reachable(address string) string {
	host, port, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	if ip := net.ParseIP(host); host == "" || ip != nil && ip.IsUnspecified() {
		host = "127.0.0.1"
	}
	return net.JoinHostPort(host, port)
}

// Await waits until the market answers, on the address that it serves on and then where people open it, for
// half a minute each: the first start makes tables, and a web server gets a certificate.
func Await(ctx context.Context, listen, public string) {
	for _, answers := range []func(context.Context) error{
		func(ctx context.Context) error { return marketRuns(ctx, listen) },
		func(ctx context.Context) error { return answersAt(ctx, public) },
	} {
		ctx, cancel := context.WithTimeout(ctx, 30*time.Second)
		for answers(ctx) != nil && ctx.Err() == nil {
			select {
			case <-ctx.Done():
			case <-time.After(500 * time.Millisecond):
			}
		}
		cancel()
	}
}

// marketRuns reports whether the market answers on the address that it serves on.
func marketRuns(ctx context.Context, address string) error {
	ctx, cancel := context.WithTimeout(ctx, 4*time.Second)
	defer cancel()
	address = reachable(address)
	status, health, err := askHealth(ctx, "http://"+address+"/healthz")
	switch {
	case errors.Is(err, syscall.ECONNREFUSED):
		return fmt.Errorf("nothing answers at %s, so the market is not running: %s", address, startIt())
	case err != nil && ctx.Err() != nil:
		return fmt.Errorf("%s takes connections and does not answer: %s", address, logOfIt())
	case err != nil || status != http.StatusOK || health != "up":
		_, port, _ := net.SplitHostPort(address)
		return fmt.Errorf("another program answers at %s. It holds the market's port: "+
			"find it with sudo ss -ltnp 'sport = :%s' and stop it, or choose another port with LISTEN, "+
			"here and in the reverse proxy", address, port)
	}
	if status, health, err = askHealth(ctx, "http://"+address+"/readyz"); err != nil ||
		status != http.StatusOK || health != "ready" {
		return fmt.Errorf("the market runs and is not ready. Mostly the database is away, "+
			"or it is stopping: %s", logOfIt())
	}
	return nil
}

// askHealth returns the answer of the market's health check.
func askHealth(ctx context.Context, address string) (status int, health string, err error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return 0, "", err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, "", err
	}
	defer resp.Body.Close()
	var view struct{ Status string }
	// Another program answers something else: that has no status.
	_ = json.NewDecoder(io.LimitReader(resp.Body, 1000)).Decode(&view)
	return resp.StatusCode, view.Status, nil
}

// startIt returns the instructions for starting the market in this environment.
func startIt() string {
	if _, unit := install.UnitHome(); unit != "" {
		return "sudo systemctl restart tradepost; if it ends again, journalctl -u tradepost -n 50 says why"
	}
	if inContainer() {
		return "docker compose up -d; if it ends again, docker compose logs tradepost says why"
	}
	return "start it with tradepost serve, or with containers docker compose up -d; its log says why it ends"
}

// logOfIt is where the log of the market is.
func logOfIt() string {
	if _, unit := install.UnitHome(); unit != "" {
		return "journalctl -u tradepost -n 50 says why"
	}
	return "its log says why (docker compose logs tradepost)"
}

// inContainer reports whether the program is the image's, which lies at the root.
func inContainer() bool {
	program, err := os.Executable()
	return err == nil && program == "/tradepost"
}
