//! Faults that tests plant into the program.

/// A fault in the program itself, which the simulation must find.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) enum Planted {
    /// None.
    #[default]
    Nothing,
    /// A leader appends after whatever is last in the log.
    NoFence,
    /// A batch counts as committed before it is in the log.
    AcknowledgeBeforePublish,
    /// A lease is free only when it is released.
    LeaseWithoutExpiry,
}
