package main

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"tradepost/core/match"
)

// A page could be read faster if each order had the text of its card in its row: the database would send
// one column, and nobody would write JSON. This peer does so and nothing else, without limits, sessions,
// log or counting, on a table of its own. It shows what there is to be won that way.

// serveTexts is the first argument with which this program runs as that peer.
const serveTexts = "serve-texts"

const makeTexts = `
create table bench_texts as
select id, created_at, expires_at, (select row_to_json(card) from (select id, user_id, version, item_name, quantity, sold, progress,
    max_price_per_unit, total_value, total_value as remaining_value, description, buyer_contact, ign, level_requirement, category,
    importance, signed_in_only, status, close_reason, false as expired, hidden, created_at, updated_at, expires_at, closed_at) card)::text as card
from orders where status = 'active' and not hidden;
create index on bench_texts (created_at desc, id desc);
analyze bench_texts`

const readTexts = `
select id, created_at, card from bench_texts
where expires_at > $1 and (created_at, id) < ($2, $3) order by created_at desc, id desc limit 61`

func runTexts(args []string) error {
	dsn := args[0]
	config, err := pgxpool.ParseConfig(dsn)
	if err != nil {
		return err
	}
	config.MaxConns = 16
	config.ConnConfig.RuntimeParams["plan_cache_mode"] = "force_generic_plan"
	pool, err := pgxpool.NewWithConfig(context.Background(), config)
	if err != nil {
		return err
	}
	return serveAsPeer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		at, err := match.ParseCursor(r.URL.Query().Get("cursor"))
		if err != nil || at == nil {
			http.Error(w, "no cursor", http.StatusBadRequest)
			return
		}
		rows, err := pool.Query(r.Context(), readTexts, time.Now(), time.UnixMicro(at.Key), at.ID)
		if err != nil {
			http.Error(w, err.Error(), http.StatusInternalServerError)
			return
		}
		page := append(make([]byte, 0, 48<<10), `{"orders":[`...)
		for n := 0; rows.Next(); n++ {
			if n > 0 {
				page = append(page, ',')
			}
			page = append(page, rows.RawValues()[2]...)
		}
		if rows.Err() != nil {
			http.Error(w, rows.Err().Error(), http.StatusInternalServerError)
			return
		}
		page = append(page, `]}`...)
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Length", strconv.Itoa(len(page)))
		_, _ = w.Write(page)
	}))
}

// againstReadyTexts compares a page with that peer. At a larger market its table would drive the market's
// own out of memory.
func (b *bench) againstReadyTexts(ctx context.Context, paths []string) error {
	const name = "any page, against texts that are ready"
	if !b.wanted(name) || b.size > 100_000 {
		return nil
	}
	conn := b.store.Pool()
	if _, err := conn.Exec(ctx, makeTexts, pgx.QueryExecModeSimpleProtocol); err != nil {
		return fmt.Errorf("make the texts: %w", err)
	}
	texts, err := startPeer(ctx, serveTexts, b.dsn)
	if err != nil {
		return err
	}
	c := contest{name: name, asks: repeated(paths), peer: "a bare handler, ready texts", costs: -1,
		against: texts}
	err = b.hold(ctx, c)
	texts.stop()
	if _, dropErr := conn.Exec(ctx, "drop table bench_texts"); dropErr != nil {
		return errors.Join(err, fmt.Errorf("drop the texts: %w", dropErr))
	}
	return err
}
