-- Values of the variables that builders declare, a row for each value of each object. The column of the containing part is
-- that of characters and items.

create table variables (
    id   integer primary key,
    part integer,
    data text not null
) strict;
create index variables_part on variables (part);
