//! SQLite: open, migrate, load, and one writer that commits a batch at a time.
