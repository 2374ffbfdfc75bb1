package scheduletest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"

	"tradepost/sql/internal/storetest"
)

var must = storetest.Must

// tables knows the tables of a database: it keeps the rows of set-ups, brings them back, and reads what users
// see.
type tables struct {
	conn    *pgx.Conn
	names   []string            // whose rows are kept
	columns map[string][]string // by table, but the generated ones
	seen    string              // reads every row of what users see
}

// These tables are the server's or the queue's own.
var ownTables = []string{"goose_db_version", "river_migration", "lives", "river_leader", "river_queue",
	"river_client", "river_client_queue"}

// These hold no rows that users see: what tells other processes of a change, answers under keys, and limits of
// a process.
var unseenTables = []string{"changes", "claims", "sessions", "limit_uses", "call_turns", "nonce_prefixes",
	"identity_keys", "report_keys", "public_changes", "public_changes_removed"}

// These columns differ between runs, or are for the program alone.
var unseenColumns = map[string][]string{
	"river_job": {"id", "attempted_at", "created_at", "finalized_at", "scheduled_at", "unique_key",
		"unique_states", "metadata", "attempted_by", "errors", "tags", "priority", "max_attempts"},
	"offer_links":   {"token_hash"},
	"tokens":        {"hash"},
	"webhooks":      {"secret", "old_secret"},
	"removals":      {"content"},
	"audit_entries": {"hash", "previous"},
}

func tablesOf(t *testing.T, conn *pgx.Conn) *tables {
	t.Helper()
	all := &tables{conn: conn, columns: map[string][]string{}}
	rows, err := conn.Query(t.Context(), `
select c.table_name::text, c.column_name::text from information_schema.columns c
join pg_class r on r.relname = c.table_name and r.relnamespace = current_schema()::regnamespace and r.relkind = 'r'
where c.table_schema = current_schema() and c.is_generated = 'NEVER' order by 1, c.ordinal_position`)
	must(t, err)
	var table, column string
	_, err = pgx.ForEachRow(rows, []any{&table, &column}, func() error {
		if !slices.Contains(ownTables, table) {
			all.columns[table] = append(all.columns[table], `"`+column+`"`)
		}
		return nil
	})
	must(t, err)
	var parts []string
	for table := range all.columns {
		all.names = append(all.names, table)
	}
	slices.Sort(all.names)
	for _, table := range all.names {
		if slices.Contains(unseenTables, table) {
			continue
		}
		without := ""
		for _, column := range unseenColumns[table] {
			without += " - '" + column + "'"
		}
		parts = append(parts, fmt.Sprintf("select '%s ' || (to_jsonb(r)%s)::text from %s r", table, without, table))
	}
	all.seen = strings.Join(parts, " union all ")
	return all
}

// statements runs statements in one transaction, without triggers and foreign keys.
func (a *tables) statements(ctx context.Context, sql string) error {
	_, err := a.conn.Exec(ctx, "begin; set local session_replication_role = replica; "+sql+" commit;",
		pgx.QueryExecModeSimpleProtocol)
	if err != nil {
		_, _ = a.conn.Exec(ctx, "rollback", pgx.QueryExecModeSimpleProtocol)
	}
	return err
}

// firstNew is the number of the first row that a schedule adds. Nothing else in a row is as high.
const firstNew = 1_000_000

// keep copies all rows, and returns the statement that brings them back. New rows are numbered from first on.
func (a *tables) keep(ctx context.Context, name string, first int) (string, error) {
	copies := "create schema kept_" + name + "; "
	var restore strings.Builder
	for _, table := range a.names {
		fmt.Fprintf(&restore, "delete from %s; ", table)
	}
	for _, table := range a.names {
		var rows int
		if err := a.conn.QueryRow(ctx, "select count(*) from "+table).Scan(&rows); err != nil {
			return "", err
		}
		if rows == 0 {
			continue
		}
		columns := strings.Join(a.columns[table], ", ")
		copies += fmt.Sprintf("create table kept_%s.%s as select %s from %s; ", name, table, columns, table)
		fmt.Fprintf(&restore, "insert into %s (%s) overriding system value select * from kept_%s.%s; ", table, columns,
			name, table)
	}
	sequences, err := a.sequences(ctx)
	if err != nil {
		return "", err
	}
	for _, sequence := range sequences {
		fmt.Fprintf(&restore, "perform setval('%s', %d, false); ", sequence, first)
	}
	copies += fmt.Sprintf("create function kept_%s.restore() returns void language plpgsql as $$ begin %s end $$; ",
		name, &restore)
	return fmt.Sprintf("select kept_%s.restore();", name), a.statements(ctx, copies)
}

func (a *tables) sequences(ctx context.Context) ([]string, error) {
	rows, err := a.conn.Query(ctx, "select oid::regclass::text from pg_class where relkind = 'S' and "+
		"relnamespace = current_schema()::regnamespace order by 1")
	if err != nil {
		return nil, err
	}
	return pgx.CollectRows(rows, pgx.RowTo[string])
}

// read returns what users see, sorted, with the numbers of new rows left out.
func (a *tables) read(ctx context.Context) ([]string, error) {
	rows, err := a.conn.Query(ctx, a.seen)
	if err != nil {
		return nil, err
	}
	all, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return nil, err
	}
	for i, row := range all {
		table, text, _ := strings.Cut(row, " ")
		all[i] = table + " " + masked([]byte(text))
	}
	slices.Sort(all)
	return withoutCopies(all), nil
}

// withoutCopies leaves out links to an offer but one: a visitor who repeats an offer gets another one.
func withoutCopies(sorted []string) (rows []string) {
	for i, row := range sorted {
		if i == 0 || row != sorted[i-1] || !strings.HasPrefix(row, "offer_links ") {
			rows = append(rows, row)
		}
	}
	return rows
}

// masked returns JSON without the numbers of new rows and unseenAnswers, and with its keys sorted.
func masked(text []byte) string {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.UseNumber()
	var value any
	if err := decoder.Decode(&value); err != nil {
		return "not JSON: " + string(text)
	}
	out, _ := json.Marshal(withoutNew(value)) // it was JSON
	return string(out)
}

func withoutNew(value any) any {
	switch v := value.(type) {
	case json.Number:
		if n, err := v.Int64(); err == nil && n >= firstNew {
			return "new"
		}
	case map[string]any:
		for key := range v {
			v[key] = withoutNew(v[key])
		}
		if event, ok := v["event"].(string); ok { // of a ping, which is named by its row
			if n, err := strconv.ParseInt(strings.TrimPrefix(event, "p"), 10, 64); err == nil && n >= firstNew {
				v["event"] = "new"
			}
		}
		for _, key := range unseenAnswers {
			delete(v, key)
		}
	case []any:
		for i := range v {
			v[i] = withoutNew(v[i])
		}
	}
	return value
}
