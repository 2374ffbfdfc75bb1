-- +goose Up
-- What everybody has of the community's trust, as the job computed it last. See trust.Flow in core. People without a settled trade have no
-- row. An older program knows of it by the traders, who are those trusted.
create table trust_shares (
    user_id bigint primary key constraint trust_shares_user_known references users (id) on delete cascade,
    amount  double precision not null, -- one: trusted
    circle  bigint not null            -- the number of a person in their circle, the same for all of it
);

-- When it was computed, from what, and what it says of the whole market. The first computation adds the row.
create table trust_market (
    current     boolean primary key default true check (current), -- one row
    computed_at timestamptz not null,
    of          text not null, -- what it was computed from: the same again needs no computation
    trusted     integer not null,
    circles     integer not null, -- of those who are trusted
    active      integer not null, -- who traded within a month
    young       boolean not null
);

-- Whether a handover was settled since.
create index handovers_settled on handovers (settled_at) where settled_at is not null;
