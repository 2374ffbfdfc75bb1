package upkeep

import (
	"context"
	"fmt"
	"math"

	"github.com/jackc/pgx/v5"

	"tradepost/core"
	"tradepost/core/market"
	"tradepost/sql/internal/db"
	channelsstore "tradepost/sql/postgres/channels"
	"tradepost/sql/postgres/kernel"
	moderationstore "tradepost/sql/postgres/moderation"
	peoplestore "tradepost/sql/postgres/people"
	tradestore "tradepost/sql/postgres/trade"
	truststore "tradepost/sql/postgres/trust"
)

// ExportRest returns the stored data about a user that no other part of the export reads.
func (s *Store) ExportRest(ctx context.Context, id core.UserID) (market.ExportedRest, error) {
	return kernel.Read(ctx, s.DB, func(
		ctx context.Context, q *db.Queries,
	) (rest market.ExportedRest, err error) {
		boards, err := q.BoardsOf(ctx, id)
		if err != nil {
			return rest, err
		}
		drafts, err := q.DraftsOf(ctx, id)
		if err != nil {
			return rest, err
		}
		reports, err := q.ReportsAbout(ctx, int64(id))
		if err != nil {
			return rest, err
		}
		if rest.Trader, err = truststore.Established(ctx, q, id); err != nil {
			return rest, err
		}
		allowed, err := q.AllowedNamesOf(ctx, int64(id))
		if err != nil {
			return rest, err
		}
		rest.Allowed = kernel.Convert(allowed, func(a db.AllowedNamesOfRow) market.ExportedAllowed {
			return market.ExportedAllowed{Skeleton: a.Skeleton, ByModerator: a.ByModerator, At: a.AllowedAt}
		})
		if rest.Lists, err = tradestore.PostedLists(ctx, q, id, math.MaxInt32, true); err != nil {
			return rest, err
		}
		if rest.Places, err = tradestore.ExportedPlaces(ctx, q, id); err != nil {
			return rest, err
		}
		if rest.Memberships, err = peoplestore.ExportedMemberships(ctx, q, id); err != nil {
			return rest, err
		}
		entries, err := q.AuditEntriesAbout(ctx, int64(id))
		rest.Boards, rest.Log = kernel.Convert(boards, channelsstore.Board), kernel.Convert(
			entries, moderationstore.AuditEntry,
		)
		rest.Drafts = kernel.Convert(drafts, func(d db.DraftsOfRow) market.ExportedDraft {
			return market.ExportedDraft{Content: string(d.Content), CreatedAt: d.CreatedAt}
		})
		rest.ReportsAbout = kernel.Convert(reports, moderationstore.Report)
		return rest, err
	})
}

// forgottenOf lists the places where the texts of visitors are, each with the statement that removes the
// texts of one visitor, $1: a name or a contact in lower case. A statement returns one row for each row that
// it changed. Links, which have no contact, are found by the others.
var forgottenOf = []struct{ what, statement string }{
	{"private links", `delete from offer_links where lower(seller_name) = $1 or offer_id in (
        select id from offers where seller_id is null and $1 in (lower(seller_name), lower(seller_contact))
        union all select id from ended_offers
            where content ->> 'seller_id' is null and $1 = lower(content ->> 'seller_contact')
        union all select id from lapsed_offers
            where content ->> 'seller_id' is null and $1 = lower(content ->> 'seller_contact')
        union all select offer_id from notices where caused_by is null
            and kind in ('offer_received', 'offer_withdrawn') and $1 in (lower(name), lower(contact))
        union all select offer_id from order_updates
            where seller_id is null and $1 in (lower(seller_name), lower(seller_contact)))
        returning offer_id`},
	{"open offers, which are withdrawn", `delete from offers where seller_id is null
        and $1 in (lower(seller_name), lower(seller_contact)) returning id`},
	{"offers that can still be undone", `delete from ended_offers where content ->> 'seller_id' is null
        and $1 in (lower(content ->> 'seller_name'), lower(content ->> 'seller_contact')) returning id`},
	{"offers that lapsed", `delete from lapsed_offers where content ->> 'seller_id' is null
        and $1 in (lower(content ->> 'seller_name'), lower(content ->> 'seller_contact')) returning id`},
	{"notices, in which they are not named any more", `update notices set name = '', contact = '',
        message = '' where caused_by is null and kind in ('offer_received', 'offer_withdrawn', 'look_alike')
        and $1 in (lower(name), lower(contact)) returning id`},
	{"removed offers that could be restored", `delete from removals where subject_id is null
        and content::text <> '' and exists (
            select from jsonb_path_query(content, '$.**.seller_name') n where lower(n #>> '{}') = $1 union all
            select from jsonb_path_query(content, '$.**.seller_contact') c where lower(c #>> '{}') = $1)
        returning audit_id`},
	{"sales, which stay without their name", `update order_updates set
        seller_name = null, seller_contact = null, notes = case
            when notes like 'Accepted offer from %' then 'Accepted offer from a visitor' else notes end
        where seller_id is null and $1 in (lower(seller_name), lower(seller_contact)) returning id`},
}

// Forgotten counts the changed rows of a kind.
type Forgotten struct {
	What string
	Rows int
}

// ForgetVisitor removes everything that a visitor typed under a name or contact, in lower case. With dryRun
// it changes nothing.
func (s *Store) ForgetVisitor(ctx context.Context, name string, dryRun bool) (done []Forgotten, err error) {
	tx, err := s.Pool().Begin(ctx)
	if err != nil {
		return nil, fmt.Errorf("begin: %w", err)
	}
	defer func() { _ = tx.Rollback(ctx) }() // nothing is left to roll back after the commit
	for _, f := range forgottenOf {
		rows, err := tx.Query(ctx, f.statement, name)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.what, err)
		}
		changed, err := pgx.CollectRows(rows, pgx.RowTo[int64])
		if err != nil {
			return nil, fmt.Errorf("%s: %w", f.what, err)
		}
		done = append(done, Forgotten{What: f.what, Rows: len(changed)})
	}
	if dryRun {
		return done, nil
	}
	return done, tx.Commit(ctx)
}

// ForgetAnswers removes the answers that are kept for repeats of writes, of all users: they are stored under
// hashes of keys, which do not tell whose they are. It returns how many there were.
func (s *Store) ForgetAnswers(ctx context.Context) (int, error) {
	rows, err := s.Primary().EmptyAllClaims(ctx)
	return int(rows), kernel.Translate(err)
}
