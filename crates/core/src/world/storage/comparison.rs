//! Comparison of the world with storage, row by row. The world clock is excluded, as it advances between batches.

use crate::world::tables::{Row, for_each_table};
use crate::world::{AbsentCharacter, Changes, Meta, Snapshot, World};

macro_rules! declare_comparison {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
        impl World {
            /// Returns the first table whose rows differ from the stored rows. Rows of parts that are asleep are left
            /// out; of absent characters the fields in memory are compared.
            pub fn difference(&self, stored: &Snapshot) -> Option<&'static str> {
                let asleep = self.asleep.rows();
                let of_row = |who| stored.characters.get(who).and_then(AbsentCharacter::of);
                if asleep.absent.iter().any(|(who, absent)| of_row(who).as_ref() != Some(absent)) {
                    return Some("characters");
                }
                let awake = (!asleep.is_empty()).then(|| stored.without(asleep));
                let stored = awake.as_ref().unwrap_or(stored);
                $(if !stored.$table.iter().map(|(id, row)| (*id, row)).eq(self.$table.iter()) {
                    return Some(stringify!($table));
                })*
                differs_in_meta(self, stored).then_some("meta")
            }

            /// Returns the first table with a difference among the rows that a batch has written. Other differences are
            /// older than the batch, or come from changes that were not tracked.
            pub fn difference_in(&self, batch: &Changes, stored: &Snapshot) -> Option<&'static str> {
                $({
                    let (put, gone) = (batch.$table.put.iter().map(Row::id), batch.$table.gone.iter().copied());
                    if put.chain(gone).any(|id| stored.$table.get(&id) != self.$table.get(id)) {
                        return Some(stringify!($table));
                    }
                })*
                (batch.meta.is_some() && differs_in_meta(self, stored)).then_some("meta")
            }
        }

        impl Snapshot {
            /// Returns the total number of rows in all tables.
            pub fn rows(&self) -> usize {
                0 $(+ self.$table.len())*
            }
        }
    };
}
for_each_table!(declare_comparison);

fn differs_in_meta(world: &World, stored: &Snapshot) -> bool {
    stored.meta.as_ref().is_none_or(|stored| *stored != Meta { time: stored.time, ..world.meta.clone() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{RoomId, Seed};
    use crate::catalog::{RoomKind, RoomSheet};
    use crate::world::Room;

    #[test]
    fn differences_are_found_in_a_batch_and_in_all_rows() {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        world.add_room(Room::new(RoomId(1), RoomSheet::new(RoomKind::Room, "Cellar".into())));
        let mut stored = Snapshot { meta: Some(world.meta().clone()), ..Snapshot::default() };
        let batch = world.cut();
        assert_eq!(world.difference_in(&batch, &stored), Some("rooms"));
        stored.apply(&batch);
        assert_eq!((world.difference_in(&batch, &stored), world.difference(&stored)), (None, None));
        stored.rooms.get_mut(&RoomId(1)).unwrap().sheet.name = "Attic".into();
        assert_eq!(world.difference_in(&world.clone().cut(), &stored), None, "nothing was written");
        assert_eq!((world.difference(&stored), stored.rows()), (Some("rooms"), 1));
    }
}
