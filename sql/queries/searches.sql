-- name: Searches :many
select * from searches where user_id = @user_id order by lower(name), id;

-- name: AddSearch :one
insert into searches (id, bell, user_id, name, items, kind, categories, words, terms, importance, level, min_price, max_price, for_me,
    min_quantity, sort, view, way, pause_minutes, texts, side, created_at, updated_at)
values (nextval((case when @bell then 'watches_id_seq' else 'saved_searches_id_seq' end)::regclass), @bell, @user_id, @name, @items, @kind,
    @categories, @words, @terms, @importance, @level, @min_price, @max_price, @for_me, @min_quantity, @sort, @view, @way, @pause_minutes,
    @texts, @side, @created_at, @updated_at)
returning id;

-- name: SaveSearch :exec
update searches set name = @name, items = @items, kind = @kind, categories = @categories, words = @words, terms = @terms,
    importance = @importance, level = @level, min_price = @min_price, max_price = @max_price, for_me = @for_me,
    min_quantity = @min_quantity, sort = @sort, view = @view, way = @way, pause_minutes = @pause_minutes, texts = @texts, side = @side,
    paused_at = sqlc.narg(paused_at), snoozed_until = sqlc.narg(snoozed_until), updated_at = @updated_at
where bell = @bell and id = @id and user_id = @user_id;

-- name: SaveSearchKeys :exec
-- The keys of a search with a bell.
with gone as (delete from watch_keys where watch_id = @watch_id and key <> all(@keys::text[]))
insert into watch_keys (key, watch_id) select unnest(@keys::text[]), @watch_id on conflict do nothing;

-- name: DeleteSearch :many
delete from searches where bell = @bell and id = @id and user_id = @user_id returning id;
