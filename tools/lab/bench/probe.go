package main

import (
	"context"
	"fmt"
	"log/slog"
	"net/http/httptest"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/web"
)

// probe hears every statement that our own store sends. It is asked for one request at a time.
type probe struct {
	mu         sync.Mutex
	trips      int
	statements []statement
}

// statement is one that was sent, with its parameters.
type statement struct {
	sql  string
	args []any
	trip int // those of a batch share one
}

var _ interface {
	pgx.QueryTracer
	pgx.BatchTracer
} = (*probe)(nil)

// TraceQueryStart notes a statement.
func (p *probe) TraceQueryStart(
	ctx context.Context, _ *pgx.Conn, data pgx.TraceQueryStartData,
) context.Context {
	p.begin()
	p.note(data.SQL, data.Args)
	return ctx
}

// TraceQueryEnd does nothing.
func (p *probe) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// TraceBatchStart begins a batch.
func (p *probe) TraceBatchStart(ctx context.Context, _ *pgx.Conn, _ pgx.TraceBatchStartData) context.Context {
	p.begin()
	return ctx
}

// TraceBatchQuery notes a statement of a batch.
func (p *probe) TraceBatchQuery(_ context.Context, _ *pgx.Conn, data pgx.TraceBatchQueryData) {
	p.note(data.SQL, data.Args)
}

// TraceBatchEnd does nothing.
func (p *probe) TraceBatchEnd(context.Context, *pgx.Conn, pgx.TraceBatchEndData) {}

func (p *probe) begin() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.trips++
}

func (p *probe) note(sql string, args []any) {
	if strings.Contains(sql, "-- name: ReadChanges ") || strings.Contains(sql, "pg_notify") {
		return // the change feed looks when its time has come
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.statements = append(p.statements, statement{sql, args, p.trips})
}

func (p *probe) take() []statement {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := p.statements
	p.statements = nil
	return taken
}

// statementsOf returns what the program sends to the database for a request that it was asked before: the
// first time there may be things to learn.
func (b *bench) statementsOf(asked ask) ([]statement, error) {
	return b.statementsWith(asked, core.Features{})
}

func (b *bench) statementsWith(asked ask, features core.Features) ([]statement, error) {
	market := market.New(b.store, market.Options{Features: features})
	server, err := web.New(market, web.Options{
		PublicURL: "http://bench", Sessions: b.store.Sessions(), Log: slog.New(slog.DiscardHandler),
		Features: features,
	})
	if err != nil {
		return nil, err
	}
	var sent []statement
	for range 2 {
		b.probe.take()
		head, body, _ := strings.Cut(string(asked), "\r\n\r\n")
		lines := strings.Split(head, "\r\n")
		first := strings.Fields(lines[0])
		r := httptest.NewRequest(first[0], first[1], strings.NewReader(body))
		for _, line := range lines[1:] {
			name, value, _ := strings.Cut(line, ": ")
			r.Header.Set(name, value)
		}
		w := httptest.NewRecorder()
		server.ServeHTTP(w, r)
		if w.Code >= 400 {
			return nil, fmt.Errorf("%s: answered %d: %s", lines[0], w.Code, w.Body)
		}
		sent = b.probe.take()
	}
	return sent, nil
}

var placeholder = regexp.MustCompile(`\$\d+`)

// written returns the statement with its parameters written into it.
func (s statement) written() string {
	return placeholder.ReplaceAllStringFunc(s.sql, func(place string) string {
		n, err := strconv.Atoi(place[1:])
		if err != nil || n > len(s.args) {
			return place
		}
		return literal(s.args[n-1])
	})
}

func literal(value any) string {
	switch v := value.(type) {
	case nil:
		return "null"
	case time.Time:
		return "'" + v.UTC().Format("2006-01-02 15:04:05.999999Z") + "'::timestamptz"
	case []byte:
		return fmt.Sprintf(`'\x%x'::bytea`, v)
	}
	v := reflect.ValueOf(value)
	switch v.Kind() {
	case reflect.Pointer:
		if v.IsNil() {
			return "null"
		}
		return literal(v.Elem().Interface())
	case reflect.Slice:
		parts := make([]string, v.Len())
		for i := range parts {
			parts[i] = literal(v.Index(i).Interface())
		}
		kind := "text"
		if v.Type().Elem().Kind() == reflect.Int64 {
			kind = "bigint"
		}
		return "array[" + strings.Join(parts, ",") + "]::" + kind + "[]"
	case reflect.String:
		return "'" + strings.ReplaceAll(v.String(), "'", "''") + "'"
	case reflect.Int, reflect.Int32, reflect.Int64: // some of them print themselves otherwise
		return strconv.FormatInt(v.Int(), 10)
	default:
		return fmt.Sprint(value)
	}
}
