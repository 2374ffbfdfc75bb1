-- name: MarketRules :one
select signed_in_only_since, programs_trade_since from market_rules;

-- name: LockMarketRules :one
select signed_in_only_since, programs_trade_since from market_rules for update;

-- name: SaveMarketRules :exec
update market_rules set signed_in_only_since = @signed_in_only_since, programs_trade_since = @programs_trade_since;

-- name: LockVisitors :one
-- The row is shared until the offer is stored: once a change of the rules is committed, no offer that it forbids is on its way.
with rules as materialized (select market_rules.signed_in_only_since from market_rules for share)
select rules.signed_in_only_since, (select count(*) from offers where offers.order_id = @order_id and offers.seller_id is null) as standing,
    coalesce((select l.sellers from least_records l where l.order_id = @order_id), '')::text as least_sellers,
    coalesce((select l.new_up_to from least_records l where l.order_id = @order_id), 0)::integer as new_up_to
from rules;
