package scheduletest

import (
	"context"
	"fmt"
	"slices"

	"github.com/jackc/pgx/v5"
)

// excluding are writes of which one bars the other, in whatever order they come. A serial order of a market
// that has forgotten its rule would do both.
var excluding = []struct {
	one    string
	others []string
	unless string // takes one of them back
}{
	{"undo sale of bob", []string{"ann met bob", "bob met ann", "bob did not meet ann", "ann did not meet bob"},
		"bob takes it back"},
}

// heardTwice reads who was alerted of one request more than once.
const heardTwice = `select format('user %s was alerted %s times of order %s', user_id, count(*), order_id) from notices
where kind = 'request_watched' group by user_id, order_id having count(*) > 1`

// turnForNothing reads users who had a turn among the first readers and got no alert. A round that alerts a user
// to a request again has this effect: the table of notices does not take the second alert.
const turnForNothing = `select format('user %s had a turn at %s without an alert', user_id, alerted_at) from watch_turns
where alerted_at is not null and not exists (select from notices where notices.user_id = watch_turns.user_id
	and kind = 'request_watched' and notices.created_at = watch_turns.alerted_at)`

// rules returns what is wrong with a schedule, whatever a serial order comes to.
func (h *host) rules(ctx context.Context, s scenario, of outcome) ([]string, error) {
	rows, err := h.tables.conn.Query(ctx, heardTwice+" union all "+turnForNothing)
	if err != nil {
		return nil, err
	}
	wrong, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	done := map[string]bool{}
	for i, w := range s.writers {
		done[w.name] = done[w.name] || of.answers[i].done
	}
	for _, e := range excluding {
		at := slices.IndexFunc(e.others, func(other string) bool { return done[other] })
		if done[e.one] && at >= 0 && !done[e.unless] {
			wrong = append(wrong, fmt.Sprintf("both were done: %s, %s", e.one, e.others[at]))
		}
	}
	return wrong, nil
}
