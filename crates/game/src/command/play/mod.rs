//! Commands of players.

pub(crate) mod ability;
pub(crate) mod archery;
pub(crate) mod board;
pub(crate) mod chart;
pub(crate) mod errand;
pub(crate) mod expedition;
pub(crate) mod fight;
pub(crate) mod gear;
mod give;
pub(crate) mod guide;
pub(crate) mod info;
pub(crate) mod item;
pub(crate) mod look;
pub(crate) mod mail;
pub(crate) mod party;
pub(crate) mod place;
pub(crate) mod puzzle;
pub(crate) mod quest;
pub(crate) mod replay;
pub(crate) mod talk;
pub(crate) mod trade;
pub(crate) mod travel;
