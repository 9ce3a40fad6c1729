//! The start and the end of the server: sockets, signals, the service manager and the next start.

pub mod certificate;
pub mod clock;
pub mod lifecycle;
pub(super) mod listeners;
pub(super) mod next_start;
pub(super) mod service_manager;
pub(super) mod sockets;
