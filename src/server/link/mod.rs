//! The link between a gateway, which owns the clients' connections and sessions, and a host, which owns the game. It
//! carries what connection tasks and the game loop otherwise exchange in one process: events of clients one way,
//! deliveries the other.
//!
//! `frame` is the format of the link. `backlog` is the gateway's record of its sessions and of the requests that are not
//! handled yet; `gateway` is the task around it. `host` accepts gateways and attaches their sessions to the game.
//! `way` is how a gateway reaches the host, and `pipe` a stream of bytes over messages for a way through NATS.
//! `question` carries what the web pages of a gateway ask the game.

pub mod hand_over;
mod host_state;
pub(super) mod backlog;
pub(super) mod frame;
pub mod gateway;
#[cfg(feature = "cluster")]
pub(super) mod pipe;
pub(super) mod question;
pub mod way;

#[cfg(test)]
mod tests;
