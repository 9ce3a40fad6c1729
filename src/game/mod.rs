//! The state machine and the rules.
