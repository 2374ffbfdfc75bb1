-- name: Searches :many
select * from saved_searches where user_id = @user_id order by lower(name), id;

-- name: AddSearch :one
insert into saved_searches (user_id, name, categories, words, importance, level, min_price, max_price, for_me, sort, view, created_at, updated_at)
values (@user_id, @name, @categories, @words, @importance, @level, @min_price, @max_price, @for_me, @sort, @view, @created_at, @updated_at)
returning id;

-- name: SaveSearch :exec
update saved_searches set name = @name, categories = @categories, words = @words, importance = @importance, level = @level,
    min_price = @min_price, max_price = @max_price, for_me = @for_me, sort = @sort, view = @view, updated_at = @updated_at
where id = @id and user_id = @user_id;

-- name: DeleteSearch :many
delete from saved_searches where id = @id and user_id = @user_id returning id;
