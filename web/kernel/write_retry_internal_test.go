package kernel

import (
	"context"
	"testing"
	"time"

	"tradepost/core"
)

// claims is a transaction that only claims keys.
type claims struct{}

func (claims) OpenMailbox(context.Context, core.UserID) error         { return nil }
func (claims) Claim(context.Context, core.Claim) (*core.Claim, error) { return nil, nil }
func (claims) SaveAnswer(context.Context, core.Claim) error           { return nil }
func decideNothing(claims, time.Time) (struct{}, error)               { return struct{}{}, nil }
func runnerOf(do func(context.Context) error) core.Runner[claims] {
	return core.Runner[claims]{
		Now: time.Now, Refresh: func(context.Context) {},
		Atomically: func(ctx context.Context, _ func(claims) error) error { return do(ctx) },
	}
}

func TestAWriteIsRepeatedUntilItsRequestHasTimeForTheAnswerOnly(t *testing.T) {
	t.Parallel()
	k := &Kernel{Stopping: func() bool { return false }}
	request, cancel := context.WithTimeout(t.Context(), answerTime+300*time.Millisecond)
	defer cancel()
	runs := 0
	run := runnerOf(func(ctx context.Context) error {
		runs++
		end, _ := request.Deadline()
		if limit, ok := ctx.Deadline(); !ok || limit.After(end.Add(-answerTime)) {
			t.Errorf("a run may last until %v, the request until %v", limit, end)
		}
		return core.NewCommitUnknown()
	})
	ctx := core.WithRepeat(request, k.repeat)
	_, err := core.Write(ctx, run, core.Actor{Key: "once"}, "log sale", nil, decideNothing)
	if !core.CommitUnknown(err) || runs < 2 || request.Err() != nil {
		t.Errorf("%d runs: %v, %v", runs, err, request.Err())
	}
}

func TestAWriteThatFailedIsNotRepeated(t *testing.T) {
	t.Parallel()
	k := &Kernel{Stopping: func() bool { return false }}
	for name, failure := range map[string]error{
		"the database is away": core.NewUnavailable(core.Text{Plain: "The market cannot be reached just now."}),
		"a conflict":           core.NewError(core.Conflict, core.NewText("request_closed")),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runs := 0
			run := runnerOf(func(context.Context) error { runs++; return failure })
			ctx := core.WithRepeat(t.Context(), k.repeat)
			_, err := core.Write(ctx, run, core.Actor{Key: "once"}, "log sale", nil, decideNothing)
			if core.KindOf(err) != core.KindOf(failure) || core.CommitUnknown(err) || runs != 1 {
				t.Errorf("%d runs: %v", runs, err)
			}
		})
	}
}
