//! Exchange with storage: changes and snapshots, and the parts of the world that are in storage only.

pub(super) mod absent;
pub(super) mod absent_character;
pub(super) mod asleep;
pub(super) mod comparison;
pub mod containing_part;
pub mod load;
pub mod part;
pub(super) mod part_rows;
pub mod record;
