-- name: AddAuditEntry :exec
-- A distributed PostgreSQL takes the number where the table is, because the condition names the table; none is 0. What is kept of a removal
-- asks there for the number that was taken last.
insert into audit_entries (at, moderator_id, action, order_id, offer_id, report_id, subject_id, item_name, reason)
select @at, @moderator_id, @action, @order_id, @offer_id, @report_id, @subject_id, @item_name, @reason
where not exists (select from audit_entries where audit_entries.id = 0);

-- name: AuditEntries :many
select sqlc.embed(audit_entries), coalesce(moderators.username, '')::text as moderator_name,
    coalesce(subjects.username, '')::text as subject_name,
    (removals.audit_id is not null or exists (select from allowed_names a where a.audit_id = audit_entries.id)
        or exists (select from handovers h where h.ruling_entry = audit_entries.id))::boolean as kept
from audit_entries
left join removals on removals.audit_id = audit_entries.id
left join users moderators on moderators.id = audit_entries.moderator_id
left join users subjects on subjects.id = audit_entries.subject_id
where audit_entries.id < @before order by audit_entries.id desc limit @most;

-- name: LockModerator :exec
select from users where id = @id for no key update;

-- name: CountRemovals :one
select count(*) from audit_entries
where moderator_id = @moderator_id and action in ('order_removed', 'offer_removed', 'listing_removed') and at > @since;

-- name: ModeratorsToAlert :many
select users.id from users
where (discord_id = any(@accounts::text[])
        or moderator_role <> '' and moderator_role = any(@roles::text[]) and moderator_role_at > @role_since::timestamptz)
    and id <> @remover::bigint and not exists (
    select from notices
    where notices.user_id = users.id and kind = 'many_removals' and caused_by = @remover::bigint and created_at > @notice_since::timestamptz)
order by users.id;

-- name: ModeratorsToTell :many
select id from users
where (discord_id = any(@accounts::text[])
        or moderator_role <> '' and moderator_role = any(@roles::text[]) and moderator_role_at > @role_since::timestamptz)
    and id <> all(@except_users::bigint[])
order by id;

-- name: AuditEntry :one
select * from audit_entries where id = @id;
