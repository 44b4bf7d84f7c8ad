-- create table not_this (id int);
/* create view nor_this as select 1; */
CREATE TABLE IF NOT EXISTS public."User Accounts" (
  id bigint primary key,
  note text default 'it''s;
  create table fake (x int)'
);
create unique index concurrently idx_users on users (id);
CREATE OR REPLACE FUNCTION
  app.total(a int) RETURNS int AS $body$
BEGIN
  create table inner_fake (x int);
END
$body$ LANGUAGE plpgsql;
create materialized view active_users as select 1;
CREATE TYPE mood AS ENUM ('sad', 'ok');
CREATE PROCEDURE [dbo].[DoWork] AS BEGIN SELECT 1 END;
create trigger touch before update on users execute function t();
insert into users values ('create table x (y int)');
CREATE DEFINER=`root`@`localhost` VIEW `v_names` AS SELECT 1;
