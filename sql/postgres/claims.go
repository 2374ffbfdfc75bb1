package postgres

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/postgres/internal/db"
)

// Most keys are new, so Claim takes that for granted: whether the key was taken before is asked together with the first
// read of the write itself. When it was, that read fails with errKept, the transaction is rolled back, and the next attempt
// knows what was kept.

var errKept = errors.New("this write has happened before")

// keptClaim is what an earlier attempt has found under the key of the write.
type keptClaim struct {
	found          bool
	digest, answer []byte
}

const askForClaim = "select digest, answer from claims where name = $1"

func (t *tx) Claim(ctx context.Context, c core.Claim) (*core.Claim, error) {
	if t.known.found {
		c.Digest, c.Answer = t.known.digest, t.known.answer
		return &c, nil
	}
	t.claimed = true
	name := claimName(c)
	if err := t.q.WaitForClaim(ctx, lockNumber(name)); err != nil {
		return nil, translate(err)
	}
	t.batch().Queue(askForClaim, name).Query(func(rows pgx.Rows) error {
		var kept keptClaim
		_, err := pgx.ForEachRow(rows, []any{&kept.digest, &kept.answer}, func() error {
			kept.found = true
			return nil
		})
		if err == nil && kept.found {
			*t.known = kept
			err = errKept
		}
		return err
	})
	t.asked = true
	return nil, nil
}

func (t *tx) Keep(ctx context.Context, c core.Claim) error {
	return t.q.Keep(ctx, db.KeepParams{Name: claimName(c), Digest: c.Digest, Answer: c.Answer, CreatedAt: c.CreatedAt})
}

// claimName hides whose key it is: a visitor's scope holds their address.
func claimName(c core.Claim) []byte {
	sum := sha256.Sum256([]byte(c.Scope + "\x00" + c.Key))
	return sum[:]
}

func lockNumber(name []byte) int64 { return int64(binary.BigEndian.Uint64(name)) }
