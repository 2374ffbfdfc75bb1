package postgres

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

// pipeline is a transaction that makes as few round trips as it can. Statements without an answer are held back and go out
// with the next one that has an answer, or with COMMIT; BEGIN goes out with the first.
//
// It is the pgx.Tx that River is given and the DBTX of the generated queries. Exec therefore answers with an empty tag
// and never fails: what is wrong with a held statement is said by the next read or by the commit.
//
// It lives in the context of Atomically, which has a deadline, whatever context its methods are given: those of the
// market's closures know of none.
type pipeline struct {
	ctx   context.Context
	conn  *pgxpool.Conn
	held  *pgx.Batch
	begun bool
	// number is what the server can be asked by later what became of the transaction; empty before the first answer.
	number xactNumber
	// asked means that the answer to a held statement may end the transaction: it must not go out with COMMIT.
	asked bool
}

var _ pgx.Tx = (*pipeline)(nil)

func (p *pipeline) batch() *pgx.Batch {
	if p.held == nil {
		p.held = &pgx.Batch{}
		if !p.begun {
			p.begun = true
			p.held.Queue("begin")
			p.held.Queue(askForNumber).QueryRow(p.number.scan)
		}
	}
	return p.held
}

// flush sends everything that is held, in one round trip.
func (p *pipeline) flush() error {
	if p.held == nil {
		return nil
	}
	batch := p.held
	p.held, p.asked = nil, false
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
	p.held, p.asked = nil, false
	results := p.conn.SendBatch(p.ctx, batch)
	for _, held := range batch.QueuedQueries[:batch.Len()-1] {
		if err := answerTo(held, results); err != nil {
			return nil, errors.Join(err, results.Close())
		}
	}
	rows, err := results.Query()
	if err != nil {
		return nil, errors.Join(err, results.Close())
	}
	return &pipelineRows{Rows: rows, results: results}, nil
}

func answerTo(held *pgx.QueuedQuery, results pgx.BatchResults) error {
	if held.Fn != nil {
		return held.Fn(results)
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

// CopyFrom inserts row by row, held back: River copies, but for the few rows of one transaction COPY's own round trips
// cost more than its speed gains.
func (p *pipeline) CopyFrom(_ context.Context, table pgx.Identifier, columns []string, source pgx.CopyFromSource) (int64, error) {
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

// SendBatch, Prepare and the rest are no part of what the queries or River need here.

func (p *pipeline) SendBatch(_ context.Context, b *pgx.Batch) pgx.BatchResults {
	return pgx.FailedBatchResults(b, errors.ErrUnsupported)
}

func (p *pipeline) Prepare(context.Context, string, string) (*pgconn.StatementDescription, error) {
	return nil, errors.ErrUnsupported
}

func (p *pipeline) LargeObjects() pgx.LargeObjects { return pgx.LargeObjects{} }

func (p *pipeline) Conn() *pgx.Conn { return p.conn.Conn() }

func (p *pipeline) Begin(context.Context) (pgx.Tx, error) { return nil, errors.ErrUnsupported }

// Commit sends what is held together with COMMIT.
func (p *pipeline) Commit(context.Context) error {
	if !p.begun {
		return nil
	}
	if p.asked {
		if err := p.flush(); err != nil {
			return err
		}
	}
	p.batch().Queue("commit")
	return p.flush()
}

// Rollback forgets what is held and ends the transaction. It works past the end of the context, as long as the server
// answers soon; a connection that does not is thrown away.
func (p *pipeline) Rollback(context.Context) error {
	p.held = nil
	if !p.begun || p.conn.Conn().IsClosed() || p.conn.Conn().PgConn().TxStatus() == 'I' {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(p.ctx), time.Second)
	defer cancel()
	_, err := p.conn.Exec(ctx, "rollback")
	return err
}
