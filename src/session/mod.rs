//! One client, without sockets: bytes and outputs in, bytes and actions out.
