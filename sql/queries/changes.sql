-- name: NoteChange :exec
insert into changes (orders, users, lists) values (@orders::bigint[], @users::bigint[], @lists);
