-- Position of this copy of the world in the log of a cluster: the history that it belongs to, null without a cluster, and
-- the sequence number of the last entry with the number of its writer. In the row that every batch writes, and in the
-- same transaction as the batch.

alter table lease add column history text;
alter table lease add column sequence integer not null default 0;
alter table lease add column writer integer not null default 0;
