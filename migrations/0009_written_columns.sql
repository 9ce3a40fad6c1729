-- Columns are written by the server, not computed from `data`, and only where the database itself needs them: for unique
-- names and places, and to find the rows of one branch. The server checks the references between rows when it loads
-- them. SQLite cannot change columns or constraints, so the tables are made anew.

create table accounts_new (
    id       integer primary key,
    name     text not null,
    skeleton text not null,
    data     text not null
) strict;
insert into accounts_new (id, name, skeleton, data) select id, name, skeleton, data from accounts;

create table rooms_new (
    id     integer primary key check (id between 1 and 2147483647),
    branch integer,
    -- Place in the branch; null outside of branches.
    floor  integer,
    x      integer,
    y      integer,
    data   text not null
) strict;
insert into rooms_new (id, branch, floor, x, y, data)
select id, branch, iif(branch is null, null, data ->> 'floor'), iif(branch is null, null, data ->> '$.at.x'),
    iif(branch is null, null, data ->> '$.at.y'), data
from rooms;

create table exits_new (
    id     integer primary key,
    branch integer,
    data   text not null
) strict;
insert into exits_new (id, branch, data)
select exits.id, rooms.branch, exits.data from exits join rooms on rooms.id = exits.room order by exits.id;

create table characters_new (
    id       integer primary key,
    branch   integer,
    name     text,
    skeleton text,
    data     text not null
) strict;
insert into characters_new (id, branch, name, skeleton, data)
select characters.id, iif(account is null, rooms.branch, null), name, skeleton, characters.data
from characters join rooms on rooms.id = characters.room order by characters.id;

create table items_new (
    id     integer primary key,
    branch integer,
    data   text not null
) strict;
with recursive held (id, branch) as (
    select items.id, rooms.branch from items join rooms on rooms.id = items.room where rooms.branch is not null
    union all
    select items.id, characters_new.branch from items join characters_new on characters_new.id = items.holder
        where characters_new.branch is not null
    union all
    select items.id, held.branch from held join items on items.container = held.id
)
insert into items_new (id, branch, data)
select items.id, held.branch, items.data from items left join held on held.id = items.id order by items.id;

create table branches_new (id integer primary key, data text not null) strict;
insert into branches_new (id, data) select id, data from branches;
create table floors_new (id integer primary key, data text not null) strict;
insert into floors_new (id, data) select id, data from floors;
create table start_tasks_new (room integer primary key, data text not null) strict;
insert into start_tasks_new (room, data) select room, data from start_tasks;
create table parties_new (id integer primary key, data text not null) strict;
insert into parties_new (id, data) select id, data from parties;
create table bans_new (id integer primary key, data text not null) strict;
insert into bans_new (id, data) select id, data from bans;
create table meta_new (id integer primary key check (id = 1), data text not null) strict;
insert into meta_new (id, data) select id, data from meta;

-- A number is not used again while a later one exists, and the oldest rows are deleted first.
create table ledger_new (
    id     integer primary key,
    at     integer not null,
    what   text not null,
    amount integer not null,
    why    text not null,
    who    integer
) strict;
insert into ledger_new (id, at, what, amount, why, who) select id, at, what, amount, why, who from ledger order by id;

drop table bans;
drop table parties;
drop table start_tasks;
drop table floors;
drop table items;
drop table characters;
drop table exits;
drop table branches;
drop table rooms;
drop table accounts;
drop table meta;
drop table ledger;
alter table accounts_new rename to accounts;
alter table rooms_new rename to rooms;
alter table exits_new rename to exits;
alter table characters_new rename to characters;
alter table items_new rename to items;
alter table branches_new rename to branches;
alter table floors_new rename to floors;
alter table start_tasks_new rename to start_tasks;
alter table parties_new rename to parties;
alter table bans_new rename to bans;
alter table meta_new rename to meta;
alter table ledger_new rename to ledger;

create unique index accounts_name on accounts (name);
create unique index accounts_skeleton on accounts (skeleton);
create unique index characters_name on characters (name) where name is not null;
create unique index characters_skeleton on characters (skeleton) where skeleton is not null;
-- C2: one room a place of a floor of a branch. Also finds the rooms of a branch.
create unique index rooms_place on rooms (branch, floor, x, y) where branch is not null;
create index rooms_outside on rooms (id) where branch is null;
-- Find the rows of a branch, and those outside of branches. A change that leaves the branch of a row alone does not write
-- these indices.
create index exits_branch on exits (branch);
create index characters_branch on characters (branch);
create index items_branch on items (branch);

-- Every batch writes the time of the world into the row that it requires in any case.
alter table lease add column time integer not null default 0;
update lease set time = coalesce((select data ->> 'time' from meta), 0);
