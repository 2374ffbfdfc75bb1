-- Makes the market's role and database. PostgreSQL's image runs this once, as its superuser, when its folder is empty.
-- The role is no superuser: a program that is taken over can neither read files of this machine nor add roles.
\set password `cat /run/secrets/postgres_password`
create role tradepost login createdb password :'password'; -- createdb: "backup verify" restores into a database beside the market's
create database tradepost owner tradepost;
-- The superuser is reached from within the container only: docker compose exec postgres psql -U postgres
alter role postgres password null;
