package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/netip"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// trustedProxies are the networks of the reverse proxies whose X-Forwarded-For is believed.
type trustedProxies []netip.Prefix

// Names of networks that are unreachable from outside.
var (
	loopbackNetworks = networks("127.0.0.0/8", "::1/128")
	privateNetworks  = append(networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"), loopbackNetworks...)
)

func networks(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// Decode is part of kong.MapperValue.
func (t *trustedProxies) Decode(ctx *kong.DecodeContext) error {
	var text string
	if err := ctx.Scan.PopValueInto("networks", &text); err != nil {
		return err
	}
	parsed, err := parseProxies(text)
	*t = parsed
	return err
}

func parseProxies(text string) (list trustedProxies, err error) {
	words := trimmed(strings.Split(text, ","))
	for _, word := range words {
		switch word {
		case "loopback":
			list = append(list, loopbackNetworks...)
			continue
		case "private":
			list = append(list, privateNetworks...)
			continue
		case "none":
			if len(words) == 1 {
				return nil, nil
			}
			return nil, errors.New(`"none" stands alone`)
		}
		network, err := netip.ParsePrefix(word)
		if ip, wrong := netip.ParseAddr(word); wrong == nil {
			network, err = ip.Prefix(ip.BitLen())
		}
		if err != nil || network.Addr().Is4In6() || network.Addr().Zone() != "" {
			return nil, fmt.Errorf("%q is no network: want loopback, private, none, or addresses and networks such as 10.0.0.1 or 10.0.0.0/8, separated by commas", word)
		}
		list = append(list, network.Masked())
	}
	return list, nil
}

func (t trustedProxies) trusts(ip netip.Addr) bool {
	return slices.ContainsFunc(t, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// seenFrom asks the market at its public address which address it sees, and says what that means for limits.
func seenFrom(ctx context.Context, public string, trusted trustedProxies) error {
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
		return errors.New("the market cannot read the address of its peer, so all visitors share one visitor's limits")
	case seen.Forwarded == "ignored":
		return fmt.Errorf("the market sees %s. That is a proxy which TRUSTED_PROXIES does not name, so all visitors share one visitor's limits: "+
			"set TRUSTED_PROXIES to its address or network, or to private when it is in a private network of yours", ip)
	case seen.Forwarded == "believed":
		return found(fmt.Sprintf("%s, through a trusted proxy", ip))
	case strings.HasPrefix(public, "https://"):
		return fmt.Errorf("the market sees %s. That is a proxy which sends no X-Forwarded-For, so all visitors share one visitor's limits: "+
			"make it send one, as under \"A reverse proxy\" in docs/operations.md", ip)
	case trusted.trusts(ip):
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
