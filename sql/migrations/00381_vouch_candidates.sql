-- +goose Up
-- The users moderators could vouch for while the market is young, as the job computed it with trust. See trust.Candidate in core.
create table vouch_candidates (
    user_id  bigint primary key constraint vouch_candidates_user_known references users (id) on delete cascade,
    place    integer not null, -- 1: the best
    partners integer not null,
    apart    integer not null,
    since    timestamptz not null
);
