package kernel

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/sql/internal/db"
)

// Most keys are new, so Claim assumes it: whether the key is known is asked together with the first read of
// the write itself. If it is, that read fails with errRepeated, the transaction is rolled back, and the next
// attempt has the stored answer.

var errRepeated = errors.New("this write has happened before")

// storedClaim is the stored digest and answer of an earlier attempt under the key of the write.
type storedClaim struct {
	found          bool
	digest, answer []byte
	replicated     bool // the server has synchronous standbys, see Store.confirm
}

// readClaim is sent with the next read. It is not among the generated queries: those cannot be sent together
// with others.
const readClaim = "select digest, answer, current_setting('synchronous_standby_names') <> '' from claims" +
	" where name = any($1) limit 1"

// Claim claims the keys of a write. It returns the stored answer of a write that has happened under one of
// them.
func (t *Tx) Claim(ctx context.Context, c core.Claim) (*core.Claim, error) {
	if t.known.found {
		c.Digest, c.Answer = t.known.digest, t.known.answer
		return &c, nil
	}
	t.claimed = true
	names := claimNames(c)
	for _, name := range names {
		if err := t.Q.WaitForClaim(ctx, lockNumber(name)); err != nil {
			return nil, Translate(err)
		}
	}
	t.batch().Queue(readClaim, names).Query(func(rows pgx.Rows) error {
		var stored storedClaim
		_, err := pgx.ForEachRow(rows, []any{
			&stored.digest, &stored.answer, &stored.replicated,
		}, func() error {
			stored.found = true
			return nil
		})
		if err == nil && stored.found {
			*t.known = stored
			err = errRepeated
		}
		return err
	})
	t.asked = true
	return nil, nil
}

// SaveAnswer stores the answer of a write under its keys.
func (t *Tx) SaveAnswer(ctx context.Context, c core.Claim) error {
	for _, name := range claimNames(c) {
		err := t.Q.Keep(ctx, db.KeepParams{
			Name: name, Digest: c.Digest, Answer: c.Answer, CreatedAt: c.CreatedAt,
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// claimNames hashes the keys: a visitor's scope may contain their address. The names are sorted, so that two
// transactions lock them in the same order.
func claimNames(c core.Claim) [][]byte {
	names := make([][]byte, len(c.Names))
	for i, n := range c.Names {
		sum := sha256.Sum256([]byte(n.Scope + "\x00" + n.Key))
		names[i] = sum[:]
	}
	slices.SortFunc(names, bytes.Compare)
	return names
}

func lockNumber(name []byte) int64 { return int64(binary.BigEndian.Uint64(name)) }
