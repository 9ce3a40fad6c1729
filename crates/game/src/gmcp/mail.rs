//! `Char.Mail`: the numbers of mails of a character.

use super::package::PackageSpec;
use crate::effect::data::Package;
use crate::post::view;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Mail).at_prompt(&[view::data]);
