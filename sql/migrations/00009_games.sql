-- +goose Up
-- Which professions there are is for the game to say, and the core holds every door to it. What was saved under another game
-- stays. The promise is widened: all that is stored keeps the new one, so nothing needs to be read again.
alter domain category drop constraint orders_category_known;
alter domain category add constraint orders_category_short check (char_length(value) between 1 and 32) not valid;
