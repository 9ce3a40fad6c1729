//! State and its invariants; no rules.
