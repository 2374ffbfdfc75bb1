-- +goose Up
-- What clients do, counted over all replicas (decision 254): by a hash of the limit and the client, in windows of the limit's length. A
-- crash empties it, and then counting begins again.
create unlogged table limit_uses (
    client bytea not null,
    began timestamptz not null,
    uses int not null,
    primary key (client, began)
);
create index limit_uses_by_window on limit_uses (began);

-- When the next call of something that all replicas share may be made.
create unlogged table call_turns (
    name text primary key,
    free_at timestamptz not null
);
