package pgconnect

import (
	"net"
	"testing"
)

func TestADatabaseElsewhereWithoutTLSIsNotEncrypted(t *testing.T) {
	t.Parallel()
	at := func(ip string) net.Addr { return &net.TCPAddr{IP: net.ParseIP(ip), Port: 5432} }
	for what, tt := range map[string]struct {
		server   net.Addr
		disabled bool
		safe     bool
	}{
		"a socket":                           {&net.UnixAddr{Name: "/run/postgresql/.s.PGSQL.5432"}, false, true},
		"this machine":                       {at("127.0.0.1"), false, true},
		"this machine, IPv6":                 {at("::1"), false, true},
		"another one":                        {at("203.0.113.7"), false, false},
		"another one, whatever is said":      {at("203.0.113.7"), true, false},
		"in a private network":               {at("10.1.2.3"), false, false},
		"in one that is said to be safe":     {at("10.1.2.3"), true, true},
		"in a container's network":           {at("172.18.0.2"), true, true},
		"in a private network of IPv6":       {at("fd00::5"), true, true},
		"in a private network, nothing said": {at("fd00::5"), false, false},
	} {
		if got := staysPrivate(tt.server, tt.disabled); got != tt.safe {
			t.Errorf("%s: safe %t, want %t", what, got, tt.safe)
		}
	}
}
