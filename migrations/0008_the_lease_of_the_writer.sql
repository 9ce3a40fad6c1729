-- The one server that may write. A start takes the lease; a batch of a server that has lost it, and one behind which
-- another program has written, would put null here, and fails.

create table lease (
    id          integer primary key check (id = 1),
    holder      text not null,
    undisturbed integer not null
) strict;

insert into lease (id, holder, undisturbed) values (1, '', 1);
