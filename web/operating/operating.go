// Package operating has what the operators of a market read of the machine that it runs on.
package operating

import (
	"context"
	"time"

	"tradepost/core"
	"tradepost/web/kernel"
)

// State is how a check ended.
type State string

// States of a check.
const (
	Good       State = "good"
	Careful    State = "careful"    // the market runs, and the operator should know
	NotChecked State = "notChecked" // there is nothing to look at, or it cannot be looked at
	Wrong      State = "wrong"
)

// MachineCheck is one thing that was looked at.
type MachineCheck struct {
	ID    string `json:"id" doc:"Its name for programs, which stays" example:"backup"`
	What  string `json:"what" doc:"What was looked at, in English" example:"the last backup"`
	State State  `json:"state" enum:"good,careful,notChecked,wrong" doc:"careful is a warning: the market runs"`
	Says  string `json:"says,omitempty" doc:"What was found, or what helps, in English"`
}

// MachineFigures are what an operator looks at every day. What is not known is left out.
type MachineFigures struct {
	BackupAgeSeconds *int64 `json:"backupAgeSeconds,omitempty" doc:"The age of the last backup"`
	DiskFreePercent  *int   `json:"diskFreePercent,omitempty" doc:"The share of the disk that is free"`
	CertificateDays  *int   `json:"certificateDays,omitempty" doc:"How many days the certificate is valid"`
}

// Machine is everything that was looked at.
type Machine struct {
	Version string         `json:"version" doc:"Of the program" example:"0.9.0"`
	At      time.Time      `json:"at" doc:"When it was looked at"`
	Wrong   int            `json:"wrong" doc:"How many checks are wrong" example:"0"`
	Careful int            `json:"careful" doc:"How many checks are warnings" example:"1"`
	Figures MachineFigures `json:"figures"`
	Checks  []MachineCheck `json:"checks" nullable:"false"`
}

const (
	keptFor  = time.Minute     // so that reloading a page asks Discord and the database no more often
	lookTime = 2 * time.Minute // longer than all checks take together
	waitTime = 8 * time.Second // below what a request may take
)

// operations has the operation of operators.
type operations struct {
	*kernel.API
	look func(context.Context) Machine
	turn chan struct{} // who looks has taken from it
	last Machine       // to be read and written by who has the turn
	till time.Time     // until when last is shown
}

// Register adds the operation of operators. look examines the market's machine; nil where nothing can.
func Register(a *kernel.API, look func(context.Context) Machine) {
	o := &operations{API: a, look: look, turn: make(chan struct{}, 1)}
	o.turn <- struct{}{}
	kernel.Get(a, "/api/operation", o.getReport, "get-operation",
		"Get what is known of the market's machine, as an operator: backup, disk, certificate and all checks")
}

func (o *operations) getReport(ctx context.Context, _ *struct{}) (*kernel.Answer[Machine], error) {
	user, err := o.User(ctx)
	switch {
	case err != nil:
		return nil, err
	case user == nil:
		return nil, core.Actor{}.MustBeUser()
	case !o.IsOperator(user):
		return nil, core.NewError(core.Forbidden, core.NewText("operator_only"))
	case o.look == nil:
		return nil, core.NewUnavailable(core.NewText("still_looking"))
	}
	found := make(chan Machine, 1)
	go o.examine(context.WithoutCancel(ctx), found)
	select {
	case report := <-found:
		return &kernel.Answer[Machine]{Body: report}, nil
	case <-time.After(waitTime):
	case <-ctx.Done():
	}
	return nil, core.NewUnavailable(core.NewText("still_looking"))
}

// examine looks, one request at a time, or sends what was found within the last minute. It goes on when
// its request ends: the next one has the answer.
func (o *operations) examine(ctx context.Context, found chan<- Machine) {
	<-o.turn
	defer func() { o.turn <- struct{}{} }()
	if !o.Now().Before(o.till) {
		ctx, cancel := context.WithTimeout(ctx, lookTime)
		defer cancel()
		o.last = o.look(ctx)
		o.till = o.Now().Add(keptFor)
	}
	found <- o.last
}
