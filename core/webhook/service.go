package webhook

import (
	"io"
	"time"

	"tradepost/core"
)

// Service keeps webhooks, and plans and settles what is sent to them.
type Service struct {
	store    Store
	run      core.Runner[Tx]
	now      func() time.Time
	random   io.Reader
	features core.Features
	anywhere bool
}

// New returns the service of a market. anywhere allows plain HTTP and addresses that are not public, for
// tests.
func New(env core.Env, store Store, run core.Runner[Tx], anywhere bool) *Service {
	return &Service{store: store, run: run, now: env.Now, random: env.Random, features: env.Features,
		anywhere: anywhere}
}
