package web

import (
	"fmt"
	"net/netip"
	"net/url"
	"strings"
)

// CheckPublicURL returns an error when an address cannot belong to a site, or would send sessions over the
// network unencrypted.
func CheckPublicURL(address string) error {
	public, err := parsePublicURL(address)
	if err == nil && public.Scheme == "http" && !IsThisMachine(public.Hostname()) {
		return fmt.Errorf("%q sends sessions over the network unencrypted: "+
			"put a reverse proxy with TLS in front (docs/operations.md has one in three lines) "+
			"and set https://%s. http:// is for this machine only: localhost or 127.0.0.1",
			address, public.Host)
	}
	return err
}

// IsThisMachine reports whether a host is a name or an address of the machine that asks.
func IsThisMachine(host string) bool {
	host = strings.TrimSuffix(strings.ToLower(host), ".")
	ip, err := netip.ParseAddr(host)
	return host == "localhost" || strings.HasSuffix(host, ".localhost") || err == nil &&
		ip.Unmap().IsLoopback()
}

func parsePublicURL(address string) (*url.URL, error) {
	public, err := url.Parse(address)
	if err != nil || public.Host == "" || public.Scheme != "http" && public.Scheme != "https" ||
		public.User != nil ||
		(public.Path != "" && public.Path != "/") || public.RawQuery != "" || public.Fragment != "" {
		return nil, fmt.Errorf("%q is no address of a site: want something like https://trade.example",
			address)
	}
	public.Path = ""
	return public, nil
}
