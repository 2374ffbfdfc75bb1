package doctor

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"strings"

	"tradepost/cmd/tradepost/settings"
)

// seenFrom asks the market at its public address which address it sees, and reports the effect on limits.
func seenFrom(ctx context.Context, public string, trusted settings.TrustedProxies) error {
	if public == "" {
		return notNeeded("PUBLIC_URL is not set")
	}
	var seen struct{ Address, Forwarded string }
	if err := getJSON(ctx, strings.TrimRight(public, "/")+"/api/address", &seen); err != nil {
		return fmt.Errorf("the market does not say which address it sees: %w", err)
	}
	ip, err := netip.ParseAddr(seen.Address)
	switch {
	case err != nil:
		return errors.New("the market cannot read the address of its peer, " +
			"so all visitors share one visitor's limits")
	case seen.Forwarded == "ignored":
		return fmt.Errorf("the market sees %s. That is a proxy which TRUSTED_PROXIES does not name, "+
			"so all visitors share one visitor's limits: set TRUSTED_PROXIES to its address or network, "+
			"or to private when it is in a private network of yours", ip)
	case seen.Forwarded == "believed":
		return found(fmt.Sprintf("%s, through a trusted proxy", ip))
	case strings.HasPrefix(public, "https://"):
		return fmt.Errorf("the market sees %s. That is a proxy which sends no X-Forwarded-For, "+
			"so all visitors share one visitor's limits: make it send one, "+
			"as under \"A reverse proxy\" in docs/operations.md", ip)
	case trusted.Trusts(ip):
		return found(fmt.Sprintf("%s, without a proxy that says more", ip))
	}
	return found(fmt.Sprintf("%s, without a proxy", ip))
}

func getJSON(ctx context.Context, address string, into any) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return fmt.Errorf("%s answers %s", address, resp.Status)
	}
	if err := json.NewDecoder(io.LimitReader(resp.Body, 1000)).Decode(into); err != nil {
		return fmt.Errorf("%s answers something else: %w", address, err)
	}
	return nil
}
