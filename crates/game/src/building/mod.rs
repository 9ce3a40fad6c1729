//! Building while the game runs: zones, content, journal, undo, hot reload, and the initial areas.

pub(crate) mod branch_dump;
pub(crate) mod built_rooms;
pub(crate) mod definitions;
pub(crate) mod draft_content;
pub(crate) mod draft_versions;
pub(crate) mod file_rooms;
pub mod initial_areas;
pub(crate) mod journal;
pub(crate) mod keys;
pub(crate) mod map_export;
pub(crate) mod pace;
pub(crate) mod rebuild_branch;
pub(crate) mod reload;
pub(crate) mod renamed_rows;
pub(crate) mod undo;
pub(crate) mod zones;
