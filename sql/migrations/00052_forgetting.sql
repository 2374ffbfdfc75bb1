-- +goose Up
-- What retention walks along: the texts of visitors, and reports that are settled.
create index order_updates_of_visitors on order_updates (created_at) where seller_id is null and seller_name is not null;
create index offer_links_by_age on offer_links (created_at);
create index reports_settled on reports (settled_at) where settled_at is not null;
