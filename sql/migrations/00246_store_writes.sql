-- +goose Up
-- What these triggers write to other tables, the program writes itself: then the tables may lie on several servers. They stay for a
-- program before this one beside it, and do nothing in a transaction that says that its program writes all of it. A later migration
-- drops them. See decision 258.

-- In the order in which trades lock them.
lock table users, orders, sale_reversals, handovers in share row exclusive mode;

create or replace trigger items_count_new after insert on orders
    referencing new table as ordered for each statement
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function items_count_new();
create or replace trigger items_count_gone after delete on orders
    referencing old table as deleted for each statement
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function items_count_gone();
create or replace trigger items_count_renamed after update of item_name on orders for each row
    when (old.item_name <> new.item_name and current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function items_count_renamed();
create or replace trigger orders_keep_history before delete on orders for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function orders_keep_history();
create or replace trigger orders_end_links after update of archived_at on orders for each row
    when (new.archived_at is not null and current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function orders_end_links();
create or replace trigger sale_reversals_end_handover after insert on sale_reversals for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function sale_reversals_end_handover();
create or replace trigger handovers_due_thread after update or delete on handovers for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function handovers_due_thread();

create or replace trigger users_leave_handovers before delete on users for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function users_leave_handovers();
create or replace trigger users_leave_no_look_alike before delete on users for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function users_leave_no_look_alike();
create or replace trigger users_leave_no_name before delete on users for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function users_leave_no_name();
create or replace trigger users_take_lapsed_offers before delete on users for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function users_take_lapsed_offers();
create or replace trigger users_take_what_is_theirs before delete on users for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function users_take_what_is_theirs();
create or replace trigger users_end_sessions after delete on users for each row
    when (current_setting('tradepost.store_writes', true) is distinct from 'on')
    execute function users_end_sessions();
