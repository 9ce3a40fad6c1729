//! State of scripts: their budgets, their failures and their log.

pub(crate) mod budget;
pub(crate) mod faults;
pub(crate) mod log;
