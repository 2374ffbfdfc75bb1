package kernel

import (
	"context"
	"math"
	"net/http"
	"time"

	"github.com/go-chi/httprate"

	"tradepost/core"
)

// SharedLimits counts what clients do over all replicas. *postgres.Store is one.
type SharedLimits interface {
	// CountUses counts uses and returns how often each limit was used within the window that ends now.
	CountUses(context.Context, []core.LimitUse) ([]float64, error)
}

// TellTime is how long one exchange of counts with other replicas may take.
const TellTime = 500 * time.Millisecond

// Exactly has a limiter ask for each use how often all replicas have seen the client. It is for what is
// rare and asks the database anyway. While that does not answer, each replica limits by itself.
func (l Limiter) Exactly(shared SharedLimits) Limiter {
	if shared != nil && l.Limit.Limit < noLimit {
		l.shared = shared
	}
	return l
}

// noLimit is a limit so high that nothing is counted exactly.
const noLimit = math.MaxInt32 / 5

// sharedExceeds counts a use and reports whether all replicas together have seen too many.
func (l Limiter) sharedExceeds(ctx context.Context, client string) bool {
	if l.shared == nil {
		return false
	}
	all, err := l.count(ctx, client, 1)
	if err != nil || math.Round(all) <= float64(l.Limit.Limit) {
		return false
	}
	l.giveBack(ctx, client)
	return true
}

func (l Limiter) count(ctx context.Context, client string, by int) (float64, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), TellTime)
	defer cancel()
	counts, err := l.shared.CountUses(ctx,
		[]core.LimitUse{{Limit: l.Limit.Name, Client: client, Window: l.Limit.Per, By: by}})
	if err != nil {
		return 0, err
	}
	return counts[0], nil
}

// giveBack takes a use off the limit.
func (l Limiter) giveBack(ctx context.Context, client string) {
	// the limiter wants one, for its context
	r := (&http.Request{}).WithContext(httprate.WithIncrement(ctx, -1))
	l.OnLimit(nil, r, client)
	if l.shared != nil {
		_, _ = l.count(ctx, client, -1) // it is forgotten with its window
	}
}
