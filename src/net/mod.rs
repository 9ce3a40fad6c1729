//! Networking: accepts connections, and copies bytes between a socket and its [`Session`](crate::session::Session). Has
//! no access to the world or the database: client actions leave as [`ClientEvent`]s, and output waits in the client's
//! [`ClientOutbox`].

pub mod admission;
pub mod alarm;
pub mod client_event;
pub mod clock;
pub mod connection;
pub mod counters;
pub mod deflate;
pub mod link_queue;
pub mod listener;
pub mod outbox;
pub mod proxy;
pub mod tls;
pub mod trusted;
pub mod websocket;
pub mod wire;

pub use admission::{Admission, AdmissionRefusal, AwaitingHeader, Pass, Patience};
pub use alarm::Alarm;
pub use client_event::{ClientEvent, RequestPermit};
pub use clock::Clock;
pub use connection::ConnectionShared;
pub use counters::{ConnectionLimit, Counters};
pub use link_queue::{LinkQueue, Receipt};
pub use listener::{
    ClientListener, ListenerContext, ListenerOptions, Reserved, raise_descriptor_limit, reserve,
};
pub use outbox::ClientOutbox;
pub use trusted::Networks;
