//! Messages that wait for players and staff: mail, notes on boards, notices and reports.

pub mod mail;
pub(super) mod note;
pub(super) mod notice;
pub mod report;
pub(super) mod untold;
