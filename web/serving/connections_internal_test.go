package serving

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"tradepost/web/kernel"
)

// from is a connection of which only the peer counts.
type from struct {
	net.Conn
	peer string
}

func (f from) RemoteAddr() net.Addr {
	return net.TCPAddrFromAddrPort(netip.AddrPortFrom(netip.MustParseAddr(f.peer), 1))
}

func (from) Close() error { return nil }

func TestAnIPv6NetworkIsOneClientOfConnections(t *testing.T) {
	t.Parallel()
	l := newConnections(Options{Limits: kernel.Limits{Connections: 100, ConnectionsPerClient: 2}}, time.Now, nil)
	for _, tt := range []struct {
		peer    string
		refused string
	}{
		{"2001:db8:1:2::1", ""}, {"2001:db8:1:2:ffff::2", ""}, {"2001:db8:1:2::3", refusedClient}, {"2001:db8:1:3::1", ""},
		{"203.0.113.7", ""}, {"::ffff:203.0.113.7", ""}, {"203.0.113.7", refusedClient}, {"203.0.113.8", ""},
	} {
		if _, refused := l.admit(from{peer: tt.peer}); refused != tt.refused {
			t.Errorf("%s is refused for %q, want %q", tt.peer, refused, tt.refused)
		}
	}
}

func TestAConnectionGivesItsPlaceBackOnce(t *testing.T) {
	t.Parallel()
	l := newConnections(Options{Limits: kernel.Limits{Connections: 100, ConnectionsPerClient: 2}}, time.Now, nil)
	first, _ := l.admit(from{peer: "2001:db8::1"})
	l.admit(from{peer: "2001:db8::2"})
	_, _ = first.Close(), first.Close()
	if clients, _ := l.counts(); clients != 1 || len(l.byClient) != 1 || l.byClient["2001:db8::/64"] != 1 {
		t.Errorf("%d are counted, %v", clients, l.byClient)
	}
}

func TestTheIdleTimeShrinksAsConnectionsFillUp(t *testing.T) {
	t.Parallel()
	l := newConnections(Options{Limits: kernel.Limits{Connections: 100}}, time.Now, nil)
	want := map[int]time.Duration{1: idleTime, 50: idleTime, 70: leastIdleTime + (idleTime-leastIdleTime)/2, 90: leastIdleTime, 100: leastIdleTime}
	for n := 1; n <= 100; n++ {
		l.open[&conn{}] = struct{}{}
		if allowed, checked := want[n]; checked && l.idleTime() != allowed {
			t.Errorf("with %d of 100 open, one may be idle for %s, want %s", n, l.idleTime(), allowed)
		}
	}
}
