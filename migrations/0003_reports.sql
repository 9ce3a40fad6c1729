-- What players report: mistakes, misspellings, wishes. No reference to accounts or rooms: a report outlives them.

create table reports (
    id   integer primary key,
    data text not null check (json_valid(data) and data ->> 'id' = id)
) strict;
