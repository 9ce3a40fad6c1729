-- The rows of one account are found like those of one branch: the column of the containing part has the number of the
-- branch, or minus the number of the account. Characters that may be absent have in a column the fields that a start reads
-- instead of their rows.

alter table characters rename column branch to part;
alter table items rename column branch to part;
alter table characters add column absent text;
drop index characters_branch;
drop index items_branch;

update characters set part = -(data ->> 'account') where data ->> 'account' is not null;
update characters set absent = json_object(
    'account', data ->> 'account',
    'name', data ->> 'name',
    'room', data ->> 'room',
    'home', data ->> 'home',
    'level', data ->> 'level',
    'xp', coalesce(data ->> 'xp', 0),
    'seen_at', data ->> 'seen_at'
)
where part < 0
    and not data ->> 'awake'
    and coalesce(data ->> 'posture', 'standing') = 'standing'
    and coalesce(data ->> 'mood', 'idle') = 'idle'
    and coalesce(data ->> 'affects', '[]') = '[]'
    and coalesce(data ->> 'link_dead_until', data ->> 'down_until', data ->> 'draft', data ->> 'branch',
        data ->> 'target', data ->> 'following', data ->> 'master') is null
    and data ->> 'key' = lower(data ->> 'name');

create table places (id integer primary key, holder integer, container integer) strict;
insert into places (id, holder, container) select id, data ->> '$.place.holder', data ->> '$.place.inside' from items;
create index places_container on places (container) where container is not null;
create table carried (id integer primary key, part integer not null) strict;
with recursive held (id, part) as (
    select places.id, characters.part from places join characters on characters.id = places.holder
        where characters.part < 0
    union all
    select places.id, held.part from held join places on places.container = held.id
)
insert into carried (id, part) select id, part from held;
update items set part = (select part from carried where carried.id = items.id)
where id in (select id from carried);
drop table carried;
drop table places;

create index characters_part on characters (part);
create index items_part on items (part);
create index characters_absent on characters (id, part, absent) where part < 0;
