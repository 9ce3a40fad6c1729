//! `Char.Quests`: the active quests of a character.

use super::package::Row;
use crate::effect::data::Package;
use crate::quest::view;

pub(super) const PACKAGE: Row = Row::new(Package::Quests).at_prompt(&[view::data]);
