-- Mail between characters, a row for each. Attached items are rows of items, at the place of the mail.

create table mails (
    id   integer primary key,
    data text not null
) strict;
