-- name: ForgetVisitorSales :one
-- The texts that visitors typed into offers which were accepted. A seller who has left has none any more.
with gone as (
    update order_updates set seller_name = null, seller_contact = null,
        notes = case when notes like 'Accepted offer from %' then 'Accepted offer from a visitor' else notes end
    where id = any(array(
        select due.id from order_updates due where due.seller_id is null and due.seller_name is not null and due.created_at < @before
        order by due.created_at limit @most))
    returning id
)
select count(*) from gone;

-- name: ForgetVisitorLinks :one
-- Links of offers that are still open stay.
with gone as (
    delete from offer_links where token_hash = any(array(
        select due.token_hash from offer_links due
        where due.created_at < @before and not exists (select from offers where offers.id = due.offer_id)
        order by due.created_at limit @most))
    returning token_hash
)
select count(*) from gone;

-- name: RemoveSettledReports :one
with gone as (
    delete from reports where id = any(array(
        select due.id from reports due where due.settled_at < @before::timestamptz order by due.settled_at limit @most))
    returning id
)
select count(*) from gone;

-- name: BoardsOf :many
select * from boards where user_id = @user_id order by created_at, channel_id;

-- name: DraftsOf :many
select content, created_at from drafts where user_id = @user_id order by id desc;

-- name: ReportsAbout :many
select * from reports where subject_id = @subject_id::bigint order by id desc;

-- name: AuditEntriesAbout :many
-- What was done about a user, and what they did as a moderator.
select * from audit_entries where subject_id = @user_id::bigint or moderator_id = @user_id::bigint order by id desc;
