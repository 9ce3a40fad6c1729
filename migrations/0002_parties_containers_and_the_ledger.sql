-- Things may be in other things: SQLite cannot change a check, so the table is made anew.

create table items_new (
    id        integer primary key,
    data      text not null check (json_valid(data) and data ->> 'id' = id),
    room      integer generated always as (data ->> '$.place.room') stored
              references rooms (id) deferrable initially deferred,
    holder    integer generated always as (data ->> '$.place.holder') stored
              references characters (id) deferrable initially deferred,
    container integer generated always as (data ->> '$.place.inside') stored
              references items_new (id) deferrable initially deferred,
    -- A thing is in one place.
    check ((room is not null) + (holder is not null) + (container is not null) = 1)
) strict;
insert into items_new (id, data) select id, data from items;
drop table items;
alter table items_new rename to items;
create index items_room on items (room) where room is not null;
create index items_holder on items (holder) where holder is not null;
create index items_container on items (container) where container is not null;

create table parties (
    id     integer primary key,
    data   text not null check (json_valid(data) and data ->> 'id' = id),
    leader integer generated always as (data ->> 'leader') stored not null
           references characters (id) deferrable initially deferred
) strict;
create index parties_leader on parties (leader);

-- Sources and sinks of money and things. No reference to characters: the book outlives them.
create table ledger (
    id     integer primary key autoincrement,
    at     integer not null,
    what   text not null,
    amount integer not null,
    why    text not null,
    who    integer
) strict;
