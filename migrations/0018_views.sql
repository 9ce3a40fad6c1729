-- Views for operators who query a copy of the world; no program reads them. Times are text in UTC, where rows have
-- milliseconds since 1970. A later migration that changes what they read drops them and creates them again.

create view players as
select c.id,
       c.data ->> 'name' as name,
       a.data ->> 'name' as account,
       a.data ->> 'role' as role,
       c.data ->> 'level' as level,
       coalesce(c.data ->> 'xp', 0) as experience,
       coalesce(c.data ->> '$.money.purse', 0) as purse,
       coalesce(c.data ->> '$.money.bank', 0) as bank,
       c.data ->> 'awake' as in_world,
       c.data ->> 'branch' as branch,
       r.id as room,
       r.data ->> 'name' as room_name,
       coalesce(c.data ->> '$.records.deepest.depth', 0) as deepest,
       datetime((c.data ->> 'created_at') / 1000, 'unixepoch') as created,
       datetime((c.data ->> 'seen_at') / 1000, 'unixepoch') as seen
from characters c
join accounts a on a.id = c.data ->> 'account'
left join rooms r on r.id = c.data ->> 'room';

create view accounts_seen as
select a.id,
       a.data ->> 'name' as name,
       a.data ->> 'role' as role,
       count(c.id) as characters,
       max(c.data ->> 'level') as level,
       datetime((a.data ->> 'created_at') / 1000, 'unixepoch') as created,
       datetime(max(c.data ->> 'seen_at') / 1000, 'unixepoch') as seen
from accounts a
left join characters c on c.data ->> 'account' = a.id
group by a.id;

create view branches_open as
select b.id,
       b.data ->> 'theme' as theme,
       r.data ->> 'name' as start_room,
       coalesce(e.data ->> 'direction', e.data ->> 'name') as exit,
       b.data ->> 'window_open' as window_open,
       b.data ->> 'rooms_made' as rooms_made,
       b.data ->> 'greatest_depth' as depth,
       (select count(*) from characters c where c.data ->> 'branch' = b.id and c.data ->> 'account' is not null) as players,
       datetime((b.data ->> 'opened_at') / 1000, 'unixepoch') as opened,
       datetime((b.data ->> 'last_updated_at') / 1000, 'unixepoch') as active,
       datetime((b.data ->> 'last_updated_at') / 1000 + (b.data ->> 'max_life') / 1000, 'unixepoch') as ends
from branches b
left join rooms r on r.id = b.data ->> 'start_room'
left join exits e on e.id = b.data ->> 'start_exit';

-- Rooms of branches with exits that nobody has taken.
create view rooms_open as
select r.id,
       r.branch,
       r.floor,
       r.x,
       r.y,
       r.data ->> 'name' as name,
       r.data ->> 'depth' as depth,
       r.data ->> 'clear' as clear,
       count(*) as unexplored
from rooms r
join exits e on e.branch = r.branch and e.data ->> 'room' = r.id
where e.data ->> 'state' = 'unexplored'
group by r.id;
