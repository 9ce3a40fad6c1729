//! The `deepwell` binary.
fn main() {}
