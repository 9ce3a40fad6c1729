//! Definitions loaded from `content/`, cross-checked, then read-only.
