-- Whom staff keep out, and the book of what staff did as rows that can be read in the game and leave it one by one.

create table bans (
    id      integer primary key,
    data    text not null check (json_valid(data) and data ->> 'id' = id),
    account integer generated always as (data ->> '$.banned.account') stored unique
            references accounts (id) deferrable initially deferred,
    network text generated always as (data ->> '$.banned.network') stored unique,
    check ((account is null) <> (network is null))
) strict;

-- No reference to accounts: the book outlives them, so that each line has the name.
create table audit_new (
    id   integer primary key,
    data text not null check (json_valid(data) and data ->> 'id' = id)
) strict;
insert into audit_new (id, data)
select id, json_object(
    'id', id, 'at', at, 'account', account,
    'name', coalesce((select accounts.data ->> 'name' from accounts where accounts.id = audit.account), 'account ' || account),
    'action', action)
from audit;
update meta set data = json_set(data, '$.next_audit', (select coalesce(max(id), 0) + 1 from audit));
drop table audit;
alter table audit_new rename to audit;
