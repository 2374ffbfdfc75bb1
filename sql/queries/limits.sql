-- name: PruneLimitUses :execrows
delete from limit_uses where began < @before;
