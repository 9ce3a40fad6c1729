-- Notes on boards, a row for each.

create table notes (
    id   integer primary key,
    data text not null
) strict;
