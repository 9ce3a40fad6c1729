//! Work of builders: zones, definitions and variables, and the record of changes to them.

pub mod definition;
pub(super) mod dry_run;
pub(super) mod former_zones;
pub mod image;
pub(super) mod invariants;
pub mod journal;
pub(super) mod pending_import;
pub(super) mod variable;
pub(super) mod variables;
pub mod watch;
pub mod zone;
pub(super) mod zone_keys;
