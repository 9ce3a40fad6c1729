//! Accounts: login, sign-up, guests, sessions that resume, deletion, data export, the guide for newcomers.

pub(crate) mod absent;
pub(crate) mod deletion;
pub(crate) mod export;
pub(crate) mod friends;
pub(crate) mod guests;
pub(crate) mod guide;
pub(crate) mod login;
pub(crate) mod news;
pub(crate) mod profile;
pub(crate) mod records;
pub(crate) mod resume;
pub(crate) mod seats;
pub(crate) mod signup;
pub(crate) mod unused;
pub(crate) mod welcome_back;
