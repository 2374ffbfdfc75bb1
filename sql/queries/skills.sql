-- name: Skills :many
select category, level from skills where user_id = @user_id;

-- name: DeleteSkills :exec
delete from skills where user_id = @user_id;

-- name: AddSkills :exec
insert into skills (user_id, category, level)
select @user_id::bigint, unnest(@categories::text[]), unnest(@levels::integer[]);
