// Package bare answers requests with the rows of the same statements, read by pgx into sqlc's structs and
// written by encoding/json, and does nothing else: no rules, no limits, no log, no cache. It measures the
// least cost of a list that is written the usual way; tools/lab/bench compares the program with it.
package bare

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/sql/internal/db"
)

// Statement is an SQL statement of a request, with its parameters as PostgreSQL writes them; nil for null.
type Statement struct {
	SQL  string
	Args []*string
}

// Requests maps the Key of each request to its statements, grouped by batch.
type Requests map[string][][]Statement

// Key returns the key of a request in Requests.
func Key(uri, cookie string) string { return uri + " " + cookie }

// The rows of statements that sqlc does not read into one struct.
type (
	session struct {
		Data          []byte
		Expiry        time.Time
		PublicID      string
		Agent         string
		Since, UsedAt time.Time
		db.User
	}
	listedNotice struct {
		db.Notice
		OfferOpen     bool
		OfferAccepted int
	}
	number struct{ Count int }

	listedOrder struct {
		db.Order
		Offers    int
		Purchases []byte
	}
)

// reads maps a part of a statement's text to the function that reads its rows.
var reads = []struct {
	contains string
	read     func(pgx.Rows) (any, error)
}{
	{"-- name: UserSession :", all[session]},
	{"-- name: Session :", all[struct{ Data []byte }]},
	{"-- name: Order :", all[db.Order]},
	{"-- name: SentOffers :", all[db.SentOffer]},
	{"-- name: CountSentOffers :", all[db.CountSentOffersRow]},
	{"-- name: Notices :", all[listedNotice]},
	{"-- name: CountUnread :", all[number]},
	{"-- name: Counts :", all[db.CountsRow]},
	{"::jsonb from ", cards},
	{"from orders where id = any(", cards},
	{"select count(*) from", all[number]}, // after what holds one
}

func all[Row any](rows pgx.Rows) (any, error) {
	return pgx.CollectRows(rows, pgx.RowToStructByPos[Row])
}

// cards reads rows of a page: columns of orders, and then how many offers there are and what was bought, if
// that is asked for.
func cards(rows pgx.Rows) (any, error) {
	defer rows.Close()
	var (
		one     listedOrder
		targets []any
		found   []listedOrder
	)
	row, more := reflect.ValueOf(&one.Order).Elem(), []any{&one.Offers, &one.Purchases}
	for _, column := range rows.FieldDescriptions() {
		field := slices.IndexFunc(reflect.VisibleFields(row.Type()),
			func(f reflect.StructField) bool { return f.Tag.Get("db") == column.Name })
		switch {
		case field >= 0:
			targets = append(targets, row.Field(field).Addr().Interface())
		case len(more) > 0:
			targets, more = append(targets, more[0]), more[1:]
		default:
			return nil, fmt.Errorf("column %s is not known", column.Name)
		}
	}
	for rows.Next() {
		if err := rows.Scan(targets...); err != nil {
			return nil, err
		}
		found = append(found, one)
	}
	return found, rows.Err()
}

func reader(sql string) (func(pgx.Rows) (any, error), error) {
	for _, r := range reads {
		if strings.Contains(sql, r.contains) {
			return r.read, nil
		}
	}
	return nil, fmt.Errorf("no rows are known of the statement %.200s", sql)
}

// Open connects to a database as the program does.
func Open(ctx context.Context, dsn string) (*pgxpool.Pool, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return nil, err
	}
	config.MaxConns = 16
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	return pgxpool.NewWithConfig(ctx, config)
}

// Handler answers these requests.
func Handler(pool *pgxpool.Pool, requests Requests) (http.Handler, error) {
	for _, trips := range requests {
		for _, s := range slices.Concat(trips...) {
			if _, err := reader(s.SQL); err != nil && !silent(s.SQL) {
				return nil, err
			}
		}
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		trips, known := requests[Key(r.RequestURI, r.Header.Get("Cookie"))]
		if !known {
			http.NotFound(w, r)
			return
		}
		var answer []any
		for _, statements := range trips {
			if err := run(r.Context(), pool, statements, &answer); err != nil {
				http.Error(w, err.Error(), http.StatusInternalServerError)
				return
			}
		}
		body, err := json.Marshal(answer)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(body)))
		_, _ = w.Write(body)
	}), nil
}

func silent(sql string) bool {
	return strings.HasPrefix(sql, "begin") || strings.HasPrefix(sql, "set ") || sql == "commit"
}

func run(ctx context.Context, pool *pgxpool.Pool, statements []Statement, answer *[]any) error {
	batch := &pgx.Batch{}
	for _, s := range statements {
		args := make([]any, len(s.Args))
		for i, a := range s.Args {
			if a != nil {
				args[i] = *a
			}
		}
		queued := batch.Queue(s.SQL, args...)
		if silent(s.SQL) {
			continue
		}
		read, err := reader(s.SQL)
		if err != nil {
			return err
		}
		queued.Query(func(rows pgx.Rows) error {
			found, err := read(rows)
			*answer = append(*answer, found)
			return err
		})
	}
	return pool.SendBatch(ctx, batch).Close()
}
