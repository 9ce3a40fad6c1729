//! `Char.Mail` and `Room.Notes`: what a character has been sent, and what hangs on the board of its room.

use super::package::PackageSpec;
use crate::effect::data::Package;
use crate::post::{notes, view};

pub(super) const PACKAGE: PackageSpec =
    PackageSpec::new(Package::Mail).at_prompt(&[view::data, view::listed]);

pub(super) const NOTES: PackageSpec = PackageSpec::new(Package::Notes).at_prompt(&[notes::listed]);
