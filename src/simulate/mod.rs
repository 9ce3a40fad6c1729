//! Bots that play in virtual time, and the auditor that watches them.
