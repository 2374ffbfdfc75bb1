package schema

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// MayChangeLog reports whether the role of the connections may change the log of moderation: because it
// owns the table, may become who does, or was given the right.
func MayChangeLog(ctx context.Context, pool *pgxpool.Pool) (may bool, err error) {
	err = pool.QueryRow(ctx, `
select pg_has_role(current_user, c.relowner, 'MEMBER')
    or has_table_privilege(c.oid, 'UPDATE') or has_table_privilege(c.oid, 'DELETE')
    or has_table_privilege(c.oid, 'TRUNCATE')
from pg_class c where c.oid = 'audit_entries'::regclass`).Scan(&may)
	if err != nil {
		return false, fmt.Errorf("read the rights on the log of moderation: %w", err)
	}
	return may, nil
}

// Grant gives the role of the serving connections the rights that a running market needs: to every table's
// rows, but only to read and append to the log of moderation, and only to read the list of migrations. Owner
// connects as the tables' owner.
func Grant(ctx context.Context, owner, serving *pgxpool.Pool) error {
	var role, ownRole string
	if err := serving.QueryRow(ctx, "select current_user").Scan(&role); err != nil {
		return fmt.Errorf("ask for the role of DATABASE_URL: %w", err)
	}
	err := pgx.BeginFunc(ctx, owner, func(tx pgx.Tx) error {
		var schema string
		if err := tx.QueryRow(ctx, "select current_user, current_schema()").Scan(&ownRole,
			&schema); err != nil {
			return err
		}
		if role == ownRole {
			return nil
		}
		to, in := pgx.Identifier{role}.Sanitize(), pgx.Identifier{schema}.Sanitize()
		_, err := tx.Exec(ctx, fmt.Sprintf(`
grant usage on schema %[1]s to %[2]s;
grant select, insert, update, delete on all tables in schema %[1]s to %[2]s;
grant usage, select, update on all sequences in schema %[1]s to %[2]s;
revoke update, delete, truncate, references, trigger on audit_entries from %[2]s;
revoke insert, update, delete, truncate on goose_db_version from %[2]s`, in, to))
		return err
	})
	if err != nil {
		return fmt.Errorf("give the role %s its rights: %w", role, err)
	}
	return nil
}
