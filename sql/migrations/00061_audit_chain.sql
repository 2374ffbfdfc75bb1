-- +goose Up
-- Each entry of the log of moderation has a hash of its content and of the entry before it, so that one which was changed, taken out
-- or moved by hand does not fit any more. The database makes it, also for entries that an older program writes.
alter table audit_entries add column place bigint, add column hash bytea;

-- Of numbers and texts only: nothing in it depends on the settings of a session.
-- +goose StatementBegin
create function audit_entry_hash(
    place bigint, id bigint, at timestamptz, moderator_id bigint, action text, order_id bigint, offer_id bigint, report_id bigint,
    subject_id bigint, item_name text, reason text, before bytea
) returns bytea language sql immutable as $$
    select sha256(before || convert_to(jsonb_build_array(place, id, (extract(epoch from at) * 1000000)::bigint,
        moderator_id, action, order_id, offer_id, report_id, subject_id, item_name, reason)::text, 'UTF8'))
$$;
-- +goose StatementEnd

-- One writer at a time until its transaction ends: two may not follow the same entry.
-- +goose StatementBegin
create function audit_entries_chain() returns trigger language plpgsql as $$
declare
    latest record;
begin
    perform pg_advisory_xact_lock(hashtext('audit_entries'));
    select audit_entries.place, audit_entries.hash into latest from audit_entries order by audit_entries.place desc limit 1;
    new.place := coalesce(latest.place, 0) + 1;
    new.hash := audit_entry_hash(new.place, new.id, new.at, new.moderator_id, new.action, new.order_id, new.offer_id, new.report_id,
        new.subject_id, new.item_name, new.reason, coalesce(latest.hash, ''));
    return new;
end $$;
-- +goose StatementEnd

alter table audit_entries disable trigger audit_entries_append_only;
-- +goose StatementBegin
do $$
declare
    entry audit_entries;
    before bytea := '';
    seat bigint := 0;
begin
    for entry in select * from audit_entries order by id loop
        seat := seat + 1;
        entry.place := seat;
        before := audit_entry_hash(entry.place, entry.id, entry.at, entry.moderator_id, entry.action, entry.order_id, entry.offer_id, entry.report_id,
        entry.subject_id, entry.item_name, entry.reason, before);
        update audit_entries set place = seat, hash = before where id = entry.id;
    end loop;
end $$;
-- +goose StatementEnd
alter table audit_entries enable trigger audit_entries_append_only;

alter table audit_entries alter column place set not null, alter column hash set not null;
create unique index audit_entries_place on audit_entries (place);

create trigger audit_entries_chain before insert on audit_entries for each row execute function audit_entries_chain();
create trigger audit_entries_not_truncated before truncate on audit_entries
    for each statement execute function audit_entries_refuse_to_change();
