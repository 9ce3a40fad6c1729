//! `World.Time`: the time in the town, which changes with its hours.

use super::package::PackageSpec;
use crate::effect::data::{Data, Package, WorldTime};
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::CharacterId;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Time).at_prompt(&[time]);

fn time(turn: &Turn, who: CharacterId) -> Data {
    let now = time_of_day::time_for(turn, Some(who));
    let (part, day, year) = time_of_day::parts(now);
    Data::Time(WorldTime { hour: time_of_day::hour(now), part, day, year, night: time_of_day::is_night(now) })
}
