-- +goose Up
-- A buyer is told when their standing acceptance has accepted an offer. The kinds of notice are those that there are, and this one. All
-- stored values satisfy the wider constraint, so it needs no scan.
-- +goose StatementBegin
do $$
declare kinds text;
begin
    select replace(pg_get_constraintdef(oid), 'ARRAY[', 'ARRAY[''standing_accepted''::text, ') into strict kinds
    from pg_constraint where contypid = 'notice_kind'::regtype and conname = 'notices_kind_known';
    kinds := replace(kinds, ' NOT VALID', '');
    alter domain notice_kind drop constraint notices_kind_known;
    execute 'alter domain notice_kind add constraint notices_kind_known ' || kinds || ' not valid';
end $$;
-- +goose StatementEnd
