//! Logins: verification of passwords and codes, and limits on attempts.

pub(super) mod fair_queue;
pub(super) mod login;
pub(super) mod login_limits;
pub mod password_hashing;
pub(super) mod passwords;
pub(super) mod seat_token;
pub(super) mod verification;
