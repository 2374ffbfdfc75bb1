package kernel

import "testing"

func TestTheNetworkOfAVisitor(t *testing.T) {
	t.Parallel()
	for client, want := range map[string]string{
		"203.0.113.77":       "203.0.113.0/24",
		"2001:db8:1:2::/64":  "2001:db8:1::/48",
		"2001:db8:1:fe::/64": "2001:db8:1::/48",
		"2001:db8:2:2::/64":  "2001:db8:2::/48",
		"unknown":            "unknown",
	} {
		if got := networkOf(client); got != want {
			t.Errorf("the network of %q is %q, want %q", client, got, want)
		}
	}
}
