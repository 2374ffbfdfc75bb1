-- +goose Up
-- Until when a visitor's offer stands, as they said. It outlives the offer, so that their link says when it lapsed.
alter table offer_links add column good_until timestamptz;
