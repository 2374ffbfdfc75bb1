-- name: AddDraft :one
-- Old drafts of the same person go with it: nobody presses their buttons any more.
with old as (
    delete from drafts where user_id = @user_id and created_at < sqlc.arg(now)::timestamptz - interval '7 days'
)
insert into drafts (user_id, content, created_at) values (@user_id, @content, @now) returning id;

-- name: Draft :one
select content from drafts where id = @id and user_id = @user_id;
