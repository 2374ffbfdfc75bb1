-- +goose Up
-- Who is signed in where: users see and end their own sessions. A program that does not know these columns leaves them empty.
alter table sessions
    add column user_id   bigint, -- null before the sign-in, and for a session of an earlier version until it is next used
    add column public_id text,   -- names the session to its user; says nothing about the token
    add column agent     text not null default '', -- the browser and the system, such as "Firefox on Windows"
    add column since     timestamptz,
    add column used_at   timestamptz;
create index sessions_of_user on sessions (user_id) where user_id is not null;

-- A session that began before this has ended, also where its row does not say whose it is.
alter table users add column signed_out_at timestamptz;

-- Users of whom a session has ended: their event streams ask whether it was theirs.
alter table changes add column signed_out bigint[] not null default '{}';

-- +goose StatementBegin
create function users_end_sessions() returns trigger language plpgsql as $$
begin
    delete from sessions where user_id = old.id;
    return null;
end $$;
-- +goose StatementEnd

create trigger users_end_sessions after delete on users
    for each row execute function users_end_sessions();
