//! State of scripts: their budgets, their failures and their log.

pub(crate) mod script_budget;
pub(crate) mod script_faults;
pub(crate) mod script_log;
