//! `Group`: the party in the form that scripts for Aardwolf read. `Party` says more.

use super::package::PackageSpec;
use crate::character::{experience, stats};
use crate::effect::data::{Data, Group, GroupMember, Package};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use std::collections::BTreeMap;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Group).at_prompt(&[group]);

fn group(turn: &Turn, who: CharacterId) -> Data {
    let Some(party) = turn.world.parties.of(who).map(|id| &turn.world.parties[id]) else {
        return Data::Group(Group::default());
    };
    let room = turn.world.characters[who].room;
    let member = |id: CharacterId| {
        let body = &turn.world.characters[id];
        let info = BTreeMap::from([
            ("here", i64::from(body.room == room)),
            ("hp", stats::hp(turn, id).into()),
            ("lvl", body.level.into()),
            ("mhp", stats::max_hp_of(turn, id).into()),
            ("tnl", experience::missing_experience(turn, id)),
        ]);
        GroupMember { name: body.name.clone(), info }
    };
    let leader = turn.world.characters[party.leader].name.clone();
    Data::Group(Group {
        groupname: format!("The party of {leader}"),
        leader,
        count: party.members.len(),
        members: party.members.iter().copied().map(member).collect(),
    })
}
