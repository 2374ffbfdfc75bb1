-- name: PlayHours :one
select said, learns, coalesce(learned, '{}')::smallint[] as learned from play_hours where user_id = @user_id;

-- name: AnsweredPlayHours :one
-- Whether a user has said when they play, or that they do not say it.
select exists (select from play_hours where user_id = @user_id)::boolean;

-- name: SavePlayHours :exec
insert into play_hours (user_id, said, saved_at) values (@user_id, @said, @saved_at)
on conflict (user_id) do update set said = excluded.said, saved_at = excluded.saved_at;

-- name: SaveLearning :exec
-- What was learned goes with the consent to it.
insert into play_hours (user_id, learns, learned, saved_at)
values (@user_id, @learns::boolean, case when @learns::boolean then array_fill(0::smallint, array[168]) end, @saved_at)
on conflict (user_id) do update set learns = excluded.learns, saved_at = excluded.saved_at,
    learned = case when excluded.learns then coalesce(play_hours.learned, excluded.learned) end;

-- name: ErasePlayHours :exec
-- That the user was asked about learning stays known: they are not asked again.
update play_hours set said = default, learned = null, learns = case when learns is not null then false end, saved_at = @saved_at
where user_id = @user_id;

-- name: LearnPlayHours :exec
-- One more meeting in an hour of the week (from 1), of those who want that counted; in the order of their numbers, as all who lock several
-- users do.
with mine as (
    select p.user_id, t.hour from (select unnest(@users::bigint[]) as user_id, unnest(@hours::integer[]) as hour) t
    join play_hours p on p.user_id = t.user_id where p.learns order by p.user_id for update of p
)
update play_hours set learned[mine.hour] = least(play_hours.learned[mine.hour] + 1, 1000)::smallint
from mine where play_hours.user_id = mine.user_id;

-- name: Players :many
-- When users play, and their quiet hours.
select u.id, p.said, coalesce(p.learned, '{}')::smallint[] as learned,
    coalesce(m.quiet_from, 0)::integer as quiet_from, coalesce(m.quiet_to, 0)::integer as quiet_to, coalesce(m.time_zone, '')::text as time_zone
from users u left join play_hours p on p.user_id = u.id left join mailboxes m on m.user_id = u.id
where u.id = any(@users::bigint[]);

-- name: PlayWeeks :many
select user_id::bigint as user_id, said, coalesce(learned, '{}')::smallint[] as learned from play_hours where user_id = any(@users::bigint[]);

-- name: LockMeeting :exec
-- A time that is chosen holds for all that is open between two, also for an accept at the same time.
select pg_advisory_xact_lock(hashtext('meeting ' || least(@a::bigint, @b::bigint) || ' ' || greatest(@a::bigint, @b::bigint)));

-- name: OpenWithSameSides :many
-- The open handovers between the sides of one. Each half walks an index.
with pair as (select h.buyer_id, h.seller_id from handovers h where h.sale_id = @sale_id)
select h.sale_id from pair join handovers h on h.buyer_id = pair.buyer_id and h.seller_id = pair.seller_id and h.state in ('agreed', 'disputed')
union
select h.sale_id from pair join handovers h on h.buyer_id = pair.seller_id and h.seller_id = pair.buyer_id and h.state in ('agreed', 'disputed')
order by sale_id limit @most;

-- name: MeetingBetween :many
-- The latest time that two who have something open are to meet at.
select h.meet_at::timestamptz as meet_at from handovers h
where h.buyer_id = @user_id::bigint and h.seller_id = @partner_id::bigint and h.state = 'agreed' and h.meet_at > @now::timestamptz
union all
select h.meet_at::timestamptz as meet_at from handovers h
where h.buyer_id = @partner_id::bigint and h.seller_id = @user_id::bigint and h.state = 'agreed' and h.meet_at > @now::timestamptz
order by meet_at limit 1;
