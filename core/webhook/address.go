package webhook

import "net/netip"

// special lists the networks that are no public part of the internet (RFC 6890 and its registries), beside
// those that net/netip knows.
var special = prefixes("0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24",
	"198.18.0.0/15", "198.51.100.0/24", "203.0.113.0/24", "240.0.0.0/4",
	"2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20")

var (
	global = netip.MustParsePrefix("2000::/3")     // all public addresses of IPv6
	nat64  = netip.MustParsePrefix("64:ff9b::/96") // ends with an address of IPv4 (RFC 6052)
)

func prefixes(texts ...string) []netip.Prefix {
	var list []netip.Prefix
	for _, text := range texts {
		list = append(list, netip.MustParsePrefix(text))
	}
	return list
}

// IsPublic reports whether an address is one of the public internet. An address of IPv6 that stands for one
// of IPv4 counts as that address.
func IsPublic(ip netip.Addr) bool {
	if ip.Zone() != "" {
		return false
	}
	if ip = ip.Unmap(); nat64.Contains(ip) {
		last := ip.As16()
		ip = netip.AddrFrom4([4]byte(last[12:]))
	}
	if !ip.IsGlobalUnicast() || ip.IsPrivate() || ip.Is6() && !global.Contains(ip) {
		return false
	}
	for _, network := range special {
		if network.Contains(ip) {
			return false
		}
	}
	return true
}
