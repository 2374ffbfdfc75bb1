package serving

import (
	"log/slog"
	"net/http"
	"net/netip"
	"slices"
	"strings"
	"sync"

	"tradepost/web/kernel"
)

// clients finds out which address a request comes from. The address is used for limits only.
type clients struct {
	trusted []netip.Prefix // the reverse proxies with a trusted X-Forwarded-For
	log     *slog.Logger
	warned  sync.Once
}

// of returns the client: the peer, or the address that a trusted proxy forwards for. X-Forwarded-For is
// read from the right, past trusted proxies, up to the first other address: the client wrote everything to
// the left of it. An entry that is not an address ends the search as well.
func (c *clients) of(r *http.Request) kernel.Client {
	peer := peerOf(r)
	chain := r.Header["X-Forwarded-For"]
	if !c.trusts(peer) {
		if len(chain) == 0 && len(r.Header["Forwarded"]) == 0 {
			return kernel.Client{Address: peer, Forwarded: kernel.NotForwarded}
		}
		c.warned.Do(func() {
			c.log.Warn("web: ignored a forwarded header of an untrusted peer, "+
				"so its visitors share one visitor's limits; if it is a reverse proxy, "+
				"name it in TRUSTED_PROXIES", "peer", peer.String())
		})
		return kernel.Client{Address: peer, Forwarded: kernel.ForwardedIgnored}
	}
	found := kernel.Client{Address: peer, Forwarded: kernel.NotForwarded}
	for _, line := range slices.Backward(chain) {
		for rest := line; rest != ""; {
			var entry string
			if i := strings.LastIndexByte(rest, ','); i >= 0 {
				rest, entry = rest[:i], rest[i+1:]
			} else {
				rest, entry = "", rest
			}
			if entry = strings.TrimSpace(entry); entry == "" {
				continue
			}
			hop := addressIn(entry)
			if !hop.IsValid() {
				return found
			}
			found = kernel.Client{Address: hop, Forwarded: kernel.ForwardBelieved}
			if !c.trusts(hop) {
				return found
			}
		}
	}
	return found
}

func (c *clients) trusts(ip netip.Addr) bool {
	ip = ip.WithZone("")
	return slices.ContainsFunc(c.trusted, func(p netip.Prefix) bool { return p.Contains(ip) })
}

// peerOf returns the address of the connection. It costs no allocation where addressIn makes an error first.
func peerOf(r *http.Request) netip.Addr {
	if both, err := netip.ParseAddrPort(r.RemoteAddr); err == nil {
		return both.Addr().Unmap().WithZone("")
	}
	return addressIn(r.RemoteAddr)
}

// addressIn reads an address with or without a port, as proxies write it. It returns the zero address for
// anything else.
func addressIn(text string) netip.Addr {
	if ip, err := netip.ParseAddr(strings.TrimSuffix(strings.TrimPrefix(text, "["), "]")); err == nil {
		return ip.Unmap().WithZone("")
	}
	both, _ := netip.ParseAddrPort(text)
	return both.Addr().Unmap().WithZone("")
}
