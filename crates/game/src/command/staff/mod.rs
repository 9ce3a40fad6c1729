//! Commands of staff and of the operator.

pub(crate) mod from_web;
pub(crate) mod account_list;
pub(crate) mod audit;
pub(crate) mod ban;
pub(crate) mod branches;
pub(crate) mod general;
pub(crate) mod grant;
pub(crate) mod moderation;
pub(crate) mod operator;
pub(crate) mod people;
pub(crate) mod report;
