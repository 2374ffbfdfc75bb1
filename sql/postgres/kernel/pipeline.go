package kernel

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// pipeline is a transaction that makes as few round trips as it can. Statements without a result are buffered
// and sent with the next one that has a result, or with COMMIT; BEGIN is sent with the first.
//
// It is the pgx.Tx of River's inserts and the DBTX of the generated queries. Exec therefore returns an empty
// tag and never fails: the error of a buffered statement is returned by the next read or by the commit.
//
// It uses the context of Atomically, which has a deadline, and ignores those that its methods are given.
type pipeline struct {
	ctx      context.Context
	conn     *pgxpool.Conn
	buffered *pgx.Batch
	begun    bool
	// id identifies the transaction when the answer to its COMMIT is lost.
	id transactionID
	// asked means that the result of a buffered statement may end the transaction: it must not be sent with
	// COMMIT.
	asked bool

	locate bool  // whether Commit asks where in the log the transaction is
	place  int64 // where it is; zero when that is not known
}

var _ pgx.Tx = (*pipeline)(nil)

func (p *pipeline) batch() *pgx.Batch {
	if p.buffered == nil {
		p.buffered = &pgx.Batch{}
		if !p.begun {
			p.begun = true
			p.buffered.Queue("begin")
			p.buffered.Queue(readTransactionID).QueryRow(p.id.scan)
		}
	}
	return p.buffered
}

// flush sends everything that is buffered, in one round trip.
func (p *pipeline) flush() error {
	if p.buffered == nil {
		return nil
	}
	batch := p.buffered
	p.buffered, p.asked = nil, false
	return p.conn.SendBatch(p.ctx, batch).Close()
}

func (p *pipeline) Exec(_ context.Context, sql string, args ...any) (pgconn.CommandTag, error) {
	p.batch().Queue(sql, args...)
	return pgconn.CommandTag{}, nil
}

func (p *pipeline) QueryRow(_ context.Context, sql string, args ...any) pgx.Row {
	return &pipelineRow{p: p, sql: sql, args: args}
}

type pipelineRow struct {
	p    *pipeline
	sql  string
	args []any
}

func (r *pipelineRow) Scan(dest ...any) error {
	r.p.batch().Queue(r.sql, r.args...).QueryRow(func(row pgx.Row) error { return row.Scan(dest...) })
	return r.p.flush()
}

func (p *pipeline) Query(_ context.Context, sql string, args ...any) (pgx.Rows, error) {
	batch := p.batch()
	batch.Queue(sql, args...)
	p.buffered, p.asked = nil, false
	results := p.conn.SendBatch(p.ctx, batch)
	for _, before := range batch.QueuedQueries[:batch.Len()-1] {
		if err := readResult(before, results); err != nil {
			return nil, errors.Join(err, results.Close())
		}
	}
	rows, err := results.Query()
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return &pipelineRows{Rows: rows, results: results}, nil
}

func readResult(of *pgx.QueuedQuery, results pgx.BatchResults) error {
	if of.Fn != nil {
		return of.Fn(results)
	}
	_, err := results.Exec()
	return err
}

type pipelineRows struct {
	pgx.Rows
	results pgx.BatchResults
	err     error
}

func (r *pipelineRows) Close() {
	r.Rows.Close()
	r.err = r.results.Close()
}

func (r *pipelineRows) Err() error { return errors.Join(r.Rows.Err(), r.err) }

// CopyFrom inserts row by row, buffered: River copies, but for the few rows of one transaction COPY's own
// round trips cost more than its speed gains.
func (p *pipeline) CopyFrom(
	_ context.Context, table pgx.Identifier, columns []string, source pgx.CopyFromSource,
) (int64, error) {
	var names, places strings.Builder
	for i, column := range columns {
		if i > 0 {
			names.WriteString(", ")
			places.WriteString(", ")
		}
		names.WriteString(pgx.Identifier{column}.Sanitize())
		fmt.Fprintf(&places, "$%d", i+1)
	}
	sql := fmt.Sprintf("insert into %s (%s) values (%s)", table.Sanitize(), &names, &places)
	var count int64
	for source.Next() {
		values, err := source.Values()
		if err != nil {
			return 0, fmt.Errorf("row %d to insert: %w", count, err)
		}
		p.batch().Queue(sql, values...)
		count++
	}
	return count, source.Err()
}

// SendBatch, Prepare and the rest are not used by the queries or River.

func (p *pipeline) SendBatch(_ context.Context, b *pgx.Batch) pgx.BatchResults {
	return pgx.FailedBatchResults(b, errors.ErrUnsupported)
}

func (p *pipeline) Prepare(context.Context, string, string) (*pgconn.StatementDescription, error) {
	return nil, errors.ErrUnsupported
}

func (p *pipeline) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

func (p *pipeline) Conn() *pgx.Conn { return p.conn.Conn() }

func (p *pipeline) Begin(context.Context) (pgx.Tx, error) { return nil, errors.ErrUnsupported }

// Commit sends what is buffered together with COMMIT.
func (p *pipeline) Commit(context.Context) error {
	if !p.begun {
		return nil
	}
	if p.asked {
		if err := p.flush(); err != nil {
			return err
		}
	}
	batch := p.batch()
	if !p.locate {
		batch.Queue("commit")
		return p.flush()
	}
	committed := false
	batch.Queue("commit").Exec(func(pgconn.CommandTag) error {
		committed = true
		return nil
	})
	batch.Queue(readPlace).QueryRow(func(row pgx.Row) error { return row.Scan(&p.place) })
	err := p.flush()
	if committed { // the place is not worth an error
		return nil
	}
	return err
}

// readPlace returns a place in the log that includes everything that is committed. See replicas.
const readPlace = "select (pg_current_wal_flush_lsn() - '0/0')::bigint"

// Rollback discards what is buffered and ends the transaction. It works past the end of the context, as long
// as the server answers soon; otherwise the connection is closed.
func (p *pipeline) Rollback(context.Context) error {
	p.buffered = nil
	if !p.begun || p.conn.Conn().IsClosed() || p.conn.Conn().PgConn().TxStatus() == 'I' {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), time.Second)
	defer cancel()
	_, err := p.conn.Exec(ctx, "rollback")
	return err
}
