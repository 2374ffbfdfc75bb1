package core

import (
	"io"
	"time"
)

// Env holds the dependencies of every service of a market.
type Env struct {
	Now      func() time.Time // cut to microseconds, as the store keeps them
	Forms    TextForms
	Features Features
	Quotas   Quotas
	Random   io.Reader // source of secrets and draws
}
