-- name: AddAuditEntry :exec
insert into audit_entries (at, moderator_id, action, order_id, offer_id, report_id, subject_id, item_name, reason)
values (@at, @moderator_id, @action, @order_id, @offer_id, @report_id, @subject_id, @item_name, @reason);

-- name: AuditEntries :many
select sqlc.embed(audit_entries), coalesce(moderators.username, '')::text as moderator_name,
    coalesce(subjects.username, '')::text as subject_name
from audit_entries
left join users moderators on moderators.id = audit_entries.moderator_id
left join users subjects on subjects.id = audit_entries.subject_id
where audit_entries.id < @before order by audit_entries.id desc limit @most;
