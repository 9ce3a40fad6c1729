-- The world. A row is its record as JSON in `data`; what other rows refer to, what must be unique and what is
-- searched for are generated from it, so that the database itself refuses a world that contradicts itself (D7).
-- References are checked at the commit: the rows of a batch may come in any order.

pragma application_id = 0x44575031;

create table accounts (
    id       integer primary key,
    data     text not null check (json_valid(data) and data ->> 'id' = id),
    name     text generated always as (data ->> 'key') stored not null unique,
    skeleton text generated always as (data ->> 'skeleton') stored not null unique
) strict;

create table branches (
    id         integer primary key,
    data       text not null check (json_valid(data) and data ->> 'id' = id),
    start_room integer generated always as (data ->> 'start_room') stored not null
               references rooms (id) deferrable initially deferred,
    start_exit integer generated always as (data ->> 'start_exit') stored not null
               references exits (id) deferrable initially deferred
) strict;
create index branches_start_room on branches (start_room);
create index branches_start_exit on branches (start_exit);

create table rooms (
    id     integer primary key check (id between 1 and 2147483647),
    data   text not null check (json_valid(data) and data ->> 'id' = id),
    branch integer generated always as (data ->> 'branch') stored
           references branches (id) deferrable initially deferred
) strict;
-- C2: one room a place of a floor of a branch.
create unique index rooms_place
    on rooms (branch, data ->> 'floor', data ->> '$.at.x', data ->> '$.at.y') where branch is not null;

create table exits (
    id      integer primary key,
    data    text not null check (json_valid(data) and data ->> 'id' = id),
    room    integer generated always as (data ->> 'room') stored not null
            references rooms (id) deferrable initially deferred,
    to_room integer generated always as (data ->> 'to') stored
            references rooms (id) deferrable initially deferred,
    branch  integer generated always as (data ->> '$.window.branch') stored
            references branches (id) deferrable initially deferred
) strict;
create index exits_room on exits (room);
create index exits_to_room on exits (to_room) where to_room is not null;
create index exits_branch on exits (branch) where branch is not null;

create table characters (
    id       integer primary key,
    data     text not null check (json_valid(data) and data ->> 'id' = id),
    account  integer generated always as (data ->> 'account') stored
             references accounts (id) deferrable initially deferred,
    name     text generated always as (data ->> 'key') stored unique,
    skeleton text generated always as (data ->> 'skeleton') stored unique,
    room     integer generated always as (data ->> 'room') stored not null
             references rooms (id) deferrable initially deferred,
    home     integer generated always as (data ->> 'home') stored not null
             references rooms (id) deferrable initially deferred,
    branch   integer generated always as (data ->> 'branch') stored
             references branches (id) deferrable initially deferred
) strict;
create index characters_account on characters (account) where account is not null;
create index characters_room on characters (room);
create index characters_home on characters (home);
create index characters_branch on characters (branch) where branch is not null;

create table items (
    id     integer primary key,
    data   text not null check (json_valid(data) and data ->> 'id' = id),
    room   integer generated always as (data ->> '$.place.room') stored
           references rooms (id) deferrable initially deferred,
    holder integer generated always as (data ->> '$.place.holder') stored
           references characters (id) deferrable initially deferred,
    -- A thing is in one place.
    check ((room is null) <> (holder is null))
) strict;
create index items_room on items (room) where room is not null;
create index items_holder on items (holder) where holder is not null;

create table start_tasks (
    room integer primary key references rooms (id) deferrable initially deferred,
    data text not null check (json_valid(data) and data ->> 'room' = room)
) strict;

create table meta (
    id   integer primary key check (id = 1),
    data text not null check (json_valid(data))
) strict;

-- What staff did. No reference to accounts: the book outlives them.
create table audit (
    id      integer primary key autoincrement,
    at      integer not null,
    account integer not null,
    action  text not null
) strict;
