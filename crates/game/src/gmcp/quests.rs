//! `Char.Quests`: the active quests of a character.

use super::package::PackageSpec;
use crate::effect::data::Package;
use crate::quest::view;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Quests).at_prompt(&[view::data]);
