-- Floors of branches. A floor of a branch that is older than this table is added when the world is loaded.

create table floors (
    id     integer primary key,
    data   text not null check (json_valid(data) and data ->> 'id' = id),
    branch integer generated always as (data ->> 'branch') stored not null
           references branches (id) deferrable initially deferred
) strict;
create index floors_branch on floors (branch);
