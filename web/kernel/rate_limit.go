package kernel

import (
	"fmt"
	"net/http"
	"time"

	"tradepost/core"
)

// Responses say what is left of a limit in the headers RateLimit and RateLimit-Policy, as
// draft-ietf-httpapi-ratelimit-headers-11 has them: lists of quoted names of policies with parameters. A
// policy has its quota q and its window w in seconds. What is left of it is r, for the next t seconds. The
// window slides, so t is always the whole window: who makes r requests within it stays below the limit.
const (
	rateLimit       = "Ratelimit" // as net/http spells them
	rateLimitPolicy = "Ratelimit-Policy"
)

// maxPreparedLeft limits the values of a header that are made ahead. Higher ones are made when asked for.
const maxPreparedLeft = 5000

// advertised are the headers of a limit. Every response shares their lists.
type advertised struct {
	limit  core.Limit
	policy []string
	left   [][]string // by what is left
}

func advertise(l core.Limit) *advertised {
	a := &advertised{limit: l, policy: []string{
		fmt.Sprintf("%q;q=%d;w=%d", l.Name, l.Limit, l.Per/time.Second)}}
	for left := range min(l.Limit, maxPreparedLeft) + 1 {
		a.left = append(a.left, a.leftValue(left))
	}
	return a
}

func (a *advertised) leftValue(left int) []string {
	return []string{fmt.Sprintf("%q;r=%d;t=%d", a.limit.Name, left, a.limit.Per/time.Second)}
}

// HideLimits removes the headers from a response that a cache in front of the program keeps: what is left
// for one client is no business of the next.
func HideLimits(h http.Header) {
	delete(h, rateLimit)
	delete(h, rateLimitPolicy)
}
