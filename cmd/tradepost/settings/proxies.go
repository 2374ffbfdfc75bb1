package settings

import (
	"errors"
	"fmt"
	"net/netip"
	"slices"
	"strings"

	"github.com/alecthomas/kong"
)

// TrustedProxies are the networks of the reverse proxies that may set X-Forwarded-For.
type TrustedProxies []netip.Prefix

// Names of networks that are unreachable from outside.
var (
	loopbackNetworks = networks("127.0.0.0/8", "::1/128")
	privateNetworks  = append(networks("10.0.0.0/8", "172.16.0.0/12", "192.168.0.0/16", "fc00::/7"),
		loopbackNetworks...)
)

func networks(texts ...string) (list []netip.Prefix) {
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// Loopback has the proxies of this machine, as without a setting.
func Loopback() TrustedProxies { return loopbackNetworks }

// Decode is part of kong.MapperValue.
func (t *TrustedProxies) Decode(ctx *kong.DecodeContext) error {
	var text string
	if err := ctx.Scan.PopValueInto("networks", &text); err != nil {
		return err
	}
	parsed, err := ParseProxies(text)
	*t = parsed
	return err
}

// ParseProxies reads a list of addresses, networks and names of networks.
func ParseProxies(text string) (list TrustedProxies, err error) {
	words := Trimmed(strings.Split(text, ","))
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
			return nil, fmt.Errorf("%q is no network: want loopback, private, none, "+
				"or addresses and networks such as 10.0.0.1 or 10.0.0.0/8, separated by commas", word)
		}
		list = append(list, network.Masked())
	}
	return list, nil
}

// Trusts reports whether an address is one of a trusted proxy.
func (t TrustedProxies) Trusts(ip netip.Addr) bool {
	return slices.ContainsFunc(t, func(p netip.Prefix) bool { return p.Contains(ip) })
}
