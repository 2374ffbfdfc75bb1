//go:build unix

package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"tradepost/bot/discordtest"
	"tradepost/tools/lab/faults/history"
)

// tally is the notices expected in a round, and the problems found.
type tally struct {
	mu         sync.Mutex
	names      map[string]string // sellers whose offer was acknowledged, and the owner who must hear of it
	accepts    map[string]int    // sellers of whose offers something was accepted, and how often
	alerts     map[alertOwed]bool
	complaints []error
	failed     int
	writes     map[writeKind]int
	strict     atomic.Bool      // no request may fail
	history    history.Recorder // of all rounds
}

func (t *tally) reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names, t.accepts, t.complaints, t.failed, t.writes = map[string]string{}, map[string]int{}, nil, 0,
		map[writeKind]int{}
	t.alerts = map[alertOwed]bool{}
	t.strict.Store(false)
}

func (t *tally) owe(seller, owner string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.names[seller] = owner
}

func (t *tally) oweAccept(seller string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.accepts[seller]++
}

// alertOwed is the alert of a reader to a request that was acknowledged.
type alertOwed struct{ item, reader string }

func (t *tally) oweAlert(item, reader string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.alerts[alertOwed{item, reader}] = true
}

// writeKind is what writes are counted by.
type writeKind struct {
	adapter   adapter
	op        op
	certainty certainty
}

func (t *tally) countWrite(w write, o outcome) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.writes[writeKind{w.adapter, w.op, o.certainty}]++
}

// writesNow returns the writes of the round so far, by kind.
func (t *tally) writesNow() map[writeKind]int {
	t.mu.Lock()
	defer t.mu.Unlock()
	return maps.Clone(t.writes)
}

func (t *tally) complain(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.complaints = append(t.complaints, err)
}

func (t *tally) requestFailed(err error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.failed++
	t.complaints = append(t.complaints, err)
}

// settled waits until no notice is pending.
func (s *scene) settled() {
	var pending int
	for {
		err := s.db.QueryRow(s.ctx, "select count(*) from notices where state = 'pending'").Scan(&pending)
		if err == nil && pending == 0 {
			return
		}
		select {
		case <-time.After(10 * time.Millisecond): // the database does not tell; this asks it again
		case <-s.ctx.Done():
			s.Fatalf("%d notices are still pending (%v): %s", pending, err, s.lying())
		}
	}
}

// lying says what is known of notices that are pending.
func (s *scene) lying() string {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), 5*time.Second)
	defer cancel()
	var what string
	err := s.db.QueryRow(ctx, `select string_agg(format('notice %s: job %s, attempt %s, due in %s, mailbox busy for %s, not for %s',
			n.id, j.state, j.attempt, j.scheduled_at - now(), m.busy_until - now(), m.not_before - now()), E'\n' order by n.id)
		from (select * from notices where state = 'pending' limit 5) n join mailboxes m on m.user_id = n.user_id
		left join river_job j on j.args @> jsonb_build_object('notice', n.id)`).Scan(&what)
	if err != nil {
		return err.Error()
	}
	return what
}

// storedNotice is a notice as the database has it.
type storedNotice struct {
	id                        int64
	kind, state, reason       string
	seller, reader, messageID string
	item                      string
	offerGone                 bool
	digest                    bool // its message is one
}

// verdict is what one round comes to.
type verdict struct {
	count
	complaints []error
	record     record
	counted    map[string]bool // messages of notices that count as doubled already
	own        map[string]int64
}

func (v *verdict) complain(format string, args ...any) {
	v.complaints = append(v.complaints, fmt.Errorf(format, args...))
}

// judge compares the expected notices with the database and with the stand-in's record.
func (s *scene) judge(ctx context.Context) (count, error) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 10*time.Second)
	defer cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	v := verdict{complaints: s.complaints, record: s.record(), counted: map[string]bool{},
		own: map[string]int64{}}
	v.failed, v.owed = s.failed, len(s.names)+len(s.alerts)
	for _, n := range s.accepts {
		v.owed += n
	}
	notices, err := s.notices(ctx)
	if err != nil {
		return v.count, errors.Join(append(v.complaints, err)...)
	}
	named := map[string]int{}
	for _, n := range notices {
		named[n.reader+" "+n.seller]++
	}
	rows := map[string]int{}
	for _, n := range notices {
		switch n.kind {
		case "offer_received":
			rows["offer of "+n.seller+" to "+n.reader]++
			if s.quotas || s.buyer != nil && n.reader == s.buyer.Username() ||
				n.reader == s.hazel.Username() || n.reader == s.basil.Username() {
				// Of an offer that is decided, and in a digest, its message says no more.
				v.judge(n, v.record.only(n.reader, n.messageID))
			} else {
				messages := v.record.tellingOf(n.reader, n.seller)
				if len(messages) <= named[n.reader+" "+n.seller] &&
					(n.offerGone || slices.Contains(messages, n.messageID)) {
					// The others tell of a withdrawal; its own says no more of an offer that is gone once
					// it is edited.
					messages = v.record.only(n.reader, n.messageID)
				}
				v.judge(n, messages)
			}
		case "offer_accepted":
			rows["accept for "+n.reader]++
			v.judge(n, v.record.only(n.reader, n.messageID))
			if !n.digest {
				v.alone(n)
			}
		case "request_watched":
			rows["alert to "+n.item+" for "+n.reader]++
			if isForged(n.item) { // a draw decides who gets a message
				if n.reason == "inbox" || n.reason == "reach" {
					v.refused++
				} else {
					v.judge(n, v.record.only(n.reader, n.messageID))
				}
				continue
			}
			if !s.alerts[alertOwed{n.item, n.reader}] {
				v.doubled++
				v.complain("notice %d alerts %s to %q, which is not owed", n.id, n.reader, n.item)
				continue
			}
			messages := v.record.tellingOf(n.reader, n.item)
			if len(messages) == 0 { // one about many names the first few
				messages = v.record.only(n.reader, n.messageID)
			}
			v.judge(n, messages)
		}
	}
	for seller, owner := range s.names {
		v.judgeRows("offer of "+seller+" to "+owner, rows, 1)
	}
	for seller, accepts := range s.accepts {
		v.judgeRows("accept for "+seller, rows, accepts)
	}
	for owed := range s.alerts {
		v.judgeRows("alert to "+owed.item+" for "+owed.reader, rows, 1)
	}
	for kind, n := range s.writes {
		v.writes += n
		if kind.certainty == unknown {
			v.inDoubt += n
		}
	}
	unknown, err := s.unknown(ctx, v.record)
	unknown = slices.DeleteFunc(unknown, func(id string) bool { return v.counted[id] })
	v.doubled += len(unknown)
	if len(unknown) > 0 {
		for reader, messages := range v.record {
			for id, text := range messages {
				if slices.Contains(unknown, id) {
					v.complain("%s has the message %s, of which the database knows nothing: %s", reader,
						id, text)
				}
			}
		}
	}
	return v.count, errors.Join(append(v.complaints, err)...)
}

// judge looks at one notice and the messages that tell of it.
func (v *verdict) judge(n storedNotice, messages []string) {
	switch {
	case len(messages) > 1:
		v.doubled++
		v.complain("notice %d was sent in %d messages", n.id, len(messages))
		for _, id := range messages {
			v.counted[id] = true
		}
	case n.state == "delivered" && len(messages) == 1 && messages[0] == n.messageID:
		v.delivered++
	case n.state == "delivered":
		v.lost++
		v.complain("notice %d (%s of %q, %q) counts as delivered in message %q, the stand-in has it in %v; that message: %q",
			n.id, n.kind, n.seller, n.reason, n.messageID, messages, v.record[n.reader][n.messageID])
	case (n.state == "refused" || n.state == "expired") && n.reason != "":
		v.refused++
	default:
		v.lost++
		v.complain("notice %d ended %s for the reason %q", n.id, n.state, n.reason)
	}
}

// alone checks that a message contains no other notice.
func (v *verdict) alone(n storedNotice) {
	if other, taken := v.own[n.messageID]; taken && n.messageID != "" {
		v.lost++
		v.complain("notices %d and %d count as delivered in the same message", other, n.id)
	}
	v.own[n.messageID] = n.id
}

// judgeRows checks the number of notices of each expected kind.
func (v *verdict) judgeRows(what string, rows map[string]int, want int) {
	switch got := rows[what]; {
	case got < want:
		v.lost += want - got
		v.complain("%s: acknowledged %d times, with %d notices", what, want, got)
	case got > want:
		v.doubled += got - want
		v.complain("%s: acknowledged %d times, with %d notices", what, want, got)
	}
}

// notices are those of this round.
func (s *scene) notices(ctx context.Context) ([]storedNotice, error) {
	rows, err := s.db.Query(ctx, `select n.id, n.kind, n.state, n.reason, n.name, n.item_name, u.username, coalesce(d.message_id, ''),
			not exists (select from offers o where o.id = n.offer_id), coalesce(d.kind = 'digest', false)
		from notices n join users u on u.id = n.user_id left join deliveries d on d.id = n.delivery_id
		where n.id > $1 order by n.id`, s.seen)
	if err != nil {
		return nil, fmt.Errorf("read notices: %w", err)
	}
	defer rows.Close()
	var notices []storedNotice
	for rows.Next() {
		var n storedNotice
		if err := rows.Scan(&n.id, &n.kind, &n.state, &n.reason, &n.seller, &n.item, &n.reader, &n.messageID,
			&n.offerGone, &n.digest); err != nil {
			return nil, fmt.Errorf("read notices: %w", err)
		}
		s.seen = n.id
		notices = append(notices, n)
	}
	return notices, rows.Err()
}

// record is what the stand-in has sent to each person, by message.
type record map[string]map[string]string

func (s *scene) record() record {
	r := record{}
	for _, p := range s.people {
		messages := map[string]string{}
		for _, m := range s.discord.DMs(p.Username()) {
			messages[m.ID] = textOf(m)
		}
		r[p.Username()] = messages
	}
	return r
}

func textOf(m discordtest.Message) string {
	text, err := json.Marshal([]any{m.Content, m.Components})
	if err != nil {
		return err.Error()
	}
	return string(text)
}

func (r record) tellingOf(owner, seller string) (messages []string) {
	for id, text := range r[owner] {
		if strings.Contains(text, seller) {
			messages = append(messages, id)
		}
	}
	return messages
}

// only is the message with an id, if a reader has it.
func (r record) only(reader, id string) []string {
	if _, there := r[reader][id]; there {
		return []string{id}
	}
	return nil
}

// unknown are messages without a delivery.
func (s *scene) unknown(ctx context.Context, r record) (ids []string, err error) {
	for _, messages := range r {
		var all []string
		for id := range messages {
			all = append(all, id)
		}
		var some []string
		err := s.db.QueryRow(ctx, `select coalesce(array_agg(m.id), '{}') from unnest($1::text[]) m (id)
			where not exists (select from deliveries where message_id = m.id)`, all).Scan(&some)
		if err != nil {
			return nil, fmt.Errorf("look for messages: %w", err)
		}
		ids = append(ids, some...)
	}
	return ids, nil
}
