-- Creatures, things and what else of the content is made in the game, as the text of their files. No reference to
-- accounts: what somebody made outlives them.

create table definitions (
    id   integer primary key,
    data text not null check (json_valid(data) and data ->> 'id' = id)
) strict;
