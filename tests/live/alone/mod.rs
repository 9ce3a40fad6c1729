//! Tests that measure time, each alone on the machine. The test runner goes by name, so they come first: if they came
//! later, each would wait for the tests that run, and the others for it.

/// Bursts, silence and clients that never read, next to honest players: N2, N4, N6, N13, O4.
mod load;
/// Descriptors, memory and processor time of a long-running server: N13, O9.
mod resources;
/// Storage that is locked, fails or hangs: D1, D5, D12, O3, O4.
mod storage;
