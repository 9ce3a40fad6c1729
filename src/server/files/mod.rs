//! Files, sockets and programs of the server: how they are replaced, locked and limited.

pub(super) mod atomic_file;
pub mod builder_files;
pub(super) mod child;
pub(super) mod descriptors;
pub mod lock;
pub(super) mod socket_file;
pub(super) mod state_folder;
