//! `Char.Mail`: the numbers of mails of a character.

use super::package::Row;
use crate::effect::data::Package;
use crate::post::view;

pub(super) const PACKAGE: Row = Row::new(Package::Mail).at_prompt(&[view::data]);
