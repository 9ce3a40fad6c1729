-- Expeditions, by the branch that belongs to each.

create table expeditions (
    branch integer primary key,
    data   text not null
) strict;
