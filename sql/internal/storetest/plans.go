package storetest

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Plan is how PostgreSQL ran a statement.
type Plan struct {
	Type    string  `json:"Node Type"`
	Index   string  `json:"Index Name"`
	Subplan string  `json:"Subplan Name"`
	Rows    float64 `json:"Actual Rows"`
	Loops   float64 `json:"Actual Loops"`
	Removed float64 `json:"Rows Removed by Filter"`
	Plans   []Plan  `json:"Plans"`
}

// PlanOf runs a statement and returns its plan.
func PlanOf(t *testing.T, conn *pgx.Conn, statement string) Plan {
	t.Helper()
	var answer string
	Must(t, conn.QueryRow(
		t.Context(), "explain (analyze, format json, timing off) "+statement, pgx.QueryExecModeSimpleProtocol,
	).Scan(&answer))
	var plans []struct{ Plan Plan }
	Must(t, json.Unmarshal([]byte(answer), &plans))
	return plans[0].Plan
}

// Each calls f for every node.
func (p Plan) Each(f func(Plan)) {
	f(p)
	for _, below := range p.Plans {
		below.Each(f)
	}
}

// Read returns how many rows of the table and entries of its indexes the plan looked at.
func (p Plan) Read() (n float64) {
	p.Each(func(p Plan) {
		if strings.HasSuffix(p.Type, "Scan") {
			n += (p.Rows + p.Removed) * p.Loops
		}
	})
	return n
}

func (p Plan) String() string {
	var nodes []string
	p.Each(func(p Plan) { nodes = append(nodes, strings.TrimSpace(p.Type+" "+p.Index)) })
	return strings.Join(nodes, " > ")
}

// Exec runs a statement without preparing it.
func Exec(t *testing.T, conn *pgx.Conn, sql string) error {
	t.Helper()
	_, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
	return err
}

// LastPage is a tracer that keeps the last statement that read a page.
type LastPage struct{ SQL string }

// TraceQueryStart sees a statement.
func (l *LastPage) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	l.note(data.SQL)
	return ctx
}

// TraceQueryEnd does nothing.
func (l *LastPage) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart sees the statements of a batch.
func (l *LastPage) TraceBatchStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceBatchStartData,
) context.Context {
	for _, q := range data.Batch.QueuedQueries {
		l.note(q.SQL)
	}
	return ctx
}

// TraceBatchQuery does nothing.
func (l *LastPage) TraceBatchQuery(context.Context, *pgx.Conn, pgx.TraceBatchQueryData) {}

// TraceBatchEnd does nothing.
func (l *LastPage) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (l *LastPage) note(sql string) {
	if strings.Contains(sql, " limit ") && !strings.HasSuffix(sql, " limit 1") ||
		strings.Contains(sql, " offset 0") {
		l.SQL = sql
	}
}
