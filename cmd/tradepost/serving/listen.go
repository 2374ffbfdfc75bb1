package serving

import (
	"errors"
	"fmt"
	"net"
	"syscall"
)

// Listen opens an address, and says in plain words why it cannot.
func Listen(address, flag string) (net.Listener, error) {
	listener, err := net.Listen("tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is taken by another program: stop it, or choose another address with %s",
			address, flag)
	case err != nil:
		return nil, fmt.Errorf("cannot listen on %q: %w: choose another address with %s", address, err, flag)
	}
	return drainAcceptQueue(listener), nil
}
