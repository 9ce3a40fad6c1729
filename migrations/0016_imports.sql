-- Imports of zone files that are not complete, a row for each.

create table imports (
    id   integer primary key,
    data text not null
) strict;
