-- What builders changed, with the rows as they were before and after. No reference to accounts or to what is built: the
-- journal outlives them.

create table journal (
    id   integer primary key,
    data text not null check (json_valid(data) and data ->> 'id' = id)
) strict;
