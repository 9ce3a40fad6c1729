//! Expeditions: branches that belong to their members. Such a branch has no window and outlives the departure of its last
//! member. It expires as any branch does, or when its leader ends the expedition.

use crate::base::{BranchId, CharacterId, GameTime, RoomId, listed};
use crate::world::World;
use crate::world::indexed::{Indexed, TableIndex, remove_from};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

listed! {
    /// Aim of an expedition.
    #[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "lowercase")]
    pub enum Aim {
        /// Open a number of rooms.
        Map = "map",
        /// Enter a room of a depth.
        Reach = "reach",
        /// Clear a room of a difficulty.
        Clear = "clear",
        /// Open a hoard at a depth.
        Recover = "recover",
        /// Bring home captives.
        Rescue = "rescue",
    }
}

/// Expedition, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Expedition {
    /// Branch that belongs to the expedition. Also the id of the row.
    pub branch: BranchId,
    /// Name, as typed by the founder.
    pub name: String,
    /// Kind of the expedition.
    pub aim: Aim,
    /// Number that completes the aim: rooms, depth, difficulty or captives.
    pub target: u32,
    /// Progress towards the target.
    #[serde(default)]
    pub progress: u32,
    /// Set when the reward has been given.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_accomplished: bool,
    /// Leader; one of the members. That of a weekly expedition leads nobody, and may be the last who has left it.
    pub leader: CharacterId,
    /// Characters that may enter the branch, in the order of joining.
    pub members: Vec<CharacterId>,
    /// Invited characters.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub invited: BTreeSet<CharacterId>,
    /// Rooms of the branch with a camp, in the order of pitching.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub camps: Vec<RoomId>,
    /// Time of the founding.
    pub made_at: GameTime,
    /// Set for the expedition of a week, which every player may join.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub weekly: Option<Weekly>,
}

impl Expedition {
    /// Creates an expedition that its leader has just founded, the only member so far.
    pub fn new(branch: BranchId, name: String, aim: (Aim, u32), leader: CharacterId, now: GameTime) -> Self {
        Self {
            branch,
            name,
            aim: aim.0,
            target: aim.1,
            progress: 0,
            is_accomplished: false,
            leader,
            members: vec![leader],
            invited: BTreeSet::new(),
            camps: Vec::new(),
            made_at: now,
            weekly: None,
        }
    }
}

/// Expedition of a week: all members uncover one map, each by a few rooms on a day.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct Weekly {
    /// Number of the week, from 1970 on.
    pub week: i64,
    /// Rooms that each has opened. Who leaves keeps the count of the day.
    #[serde(default)]
    pub opened: BTreeMap<CharacterId, OpenedRooms>,
}

/// Share of a character in a weekly expedition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct OpenedRooms {
    /// Number of the last day on which it has opened one, from 1970 on.
    pub day: i64,
    /// Rooms of that day.
    pub on_day: u32,
    /// Rooms of all days.
    pub in_all: u32,
    /// Set when the character has pitched a camp.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub has_camp: bool,
}

impl Weekly {
    /// Returns the number of rooms that a member has opened on a day.
    pub fn opened_on(&self, day: i64, who: CharacterId) -> u32 {
        self.opened.get(&who).filter(|opened| opened.day == day).map_or(0, |opened| opened.on_day)
    }
}

/// Look-ups over expeditions.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ExpeditionIndex {
    /// Expeditions of each member.
    members: BTreeMap<CharacterId, BTreeSet<BranchId>>,
    /// Expeditions that have invited a character.
    invited: BTreeMap<CharacterId, BTreeSet<BranchId>>,
}

impl TableIndex<Expedition> for ExpeditionIndex {
    fn note(&mut self, row: &Expedition) {
        for member in &row.members {
            self.members.entry(*member).or_default().insert(row.branch);
        }
        for asked in &row.invited {
            self.invited.entry(*asked).or_default().insert(row.branch);
        }
    }

    fn forget(&mut self, row: &Expedition) {
        row.members.iter().for_each(|member| remove_from(&mut self.members, member, &row.branch));
        row.invited.iter().for_each(|asked| remove_from(&mut self.invited, asked, &row.branch));
    }
}

/// Expeditions, by branch. A character can be a member of several.
pub type Expeditions = Indexed<Expedition, ExpeditionIndex>;

impl Expeditions {
    /// Returns the expeditions of a member, oldest first.
    pub fn of(&self, who: CharacterId) -> impl Iterator<Item = &Expedition> {
        self.index.members.get(&who).into_iter().flatten().filter_map(|id| self.get(*id))
    }

    /// Returns the expeditions that have invited a character, oldest first.
    pub fn invitations(&self, who: CharacterId) -> impl Iterator<Item = &Expedition> {
        self.index.invited.get(&who).into_iter().flatten().filter_map(|id| self.get(*id))
    }

    /// Returns `true` if a character is a member of the expedition of a branch.
    pub fn has_member(&self, id: BranchId, who: CharacterId) -> bool {
        self.index.members.get(&who).is_some_and(|all| all.contains(&id))
    }

    /// Invites a character, who is no member.
    pub fn invite(&mut self, id: BranchId, whom: CharacterId) {
        if let Some(row) = self.rows.edit(id) {
            row.invited.insert(whom);
            self.index.invited.entry(whom).or_default().insert(id);
        }
    }

    /// Withdraws an invitation.
    pub fn uninvite(&mut self, id: BranchId, whom: CharacterId) {
        if self.get(id).is_some_and(|row| row.invited.contains(&whom))
            && let Some(row) = self.rows.edit(id)
        {
            row.invited.remove(&whom);
            remove_from(&mut self.index.invited, &whom, &id);
        }
    }

    /// Adds a member, whose invitation ends.
    pub fn join(&mut self, id: BranchId, who: CharacterId) {
        self.uninvite(id, who);
        if !self.has_member(id, who)
            && let Some(row) = self.rows.edit(id)
        {
            row.members.push(who);
            if row.members.len() == 1 {
                row.leader = who;
            }
            self.index.members.entry(who).or_default().insert(id);
        }
    }

    /// Removes a member. The next member becomes the leader in place of one that leaves. Returns `false` if no member
    /// remains, and the caller ends the expedition. A weekly one stays without members.
    pub fn leave(&mut self, id: BranchId, who: CharacterId) -> bool {
        let Some(row) = self.rows.edit(id) else { return false };
        row.members.retain(|member| *member != who);
        let next = row.members.first().copied();
        if let Some(next) = next.filter(|_| row.leader == who) {
            row.leader = next;
        }
        let stays = next.is_some() || row.weekly.is_some();
        remove_from(&mut self.index.members, &who, &id);
        stays
    }

    /// Returns the expedition of a week.
    pub fn of_week(&self, week: i64) -> Option<&Expedition> {
        self.iter().map(|(_, row)| row).find(|row| row.weekly.as_ref().is_some_and(|of| of.week == week))
    }

    /// Returns the part of a branch's expedition that concerns a weekly one; `None` for all other branches.
    pub fn weekly(&self, branch: BranchId) -> Option<&Weekly> {
        self.get(branch)?.weekly.as_ref()
    }

    /// Counts a room that a member of a weekly expedition has opened.
    pub fn note_opened(&mut self, branch: BranchId, who: CharacterId, day: i64) {
        if self.weekly(branch).is_none() {
            return;
        }
        if let Some(weekly) = self.rows.edit(branch).and_then(|row| row.weekly.as_mut()) {
            let on_day = weekly.opened_on(day, who) + 1;
            let opened = weekly.opened.entry(who).or_default();
            *opened = OpenedRooms { day, on_day, in_all: opened.in_all + 1, ..*opened };
        }
    }

    /// Adds a camp that a member has pitched.
    pub fn pitch(&mut self, id: BranchId, who: CharacterId, room: RoomId) {
        let Some(row) = self.rows.edit(id) else { return };
        row.camps.push(room);
        if let Some(share) = row.weekly.as_mut().and_then(|weekly| weekly.opened.get_mut(&who)) {
            share.has_camp = true;
        }
    }

    /// Returns `true` if a branch belongs to an expedition that a character is no member of.
    pub fn is_closed_to(&self, branch: BranchId, who: CharacterId) -> bool {
        self.get(branch).is_some() && !self.has_member(branch, who)
    }

    /// Ends the invitations of characters, and forgets their shares in weekly expeditions.
    pub(in crate::world) fn forget_bodies(&mut self, bodies: &[CharacterId]) {
        let weekly: Vec<BranchId> =
            self.iter().filter(|(_, row)| row.weekly.is_some()).map(|(id, _)| id).collect();
        for id in weekly {
            let Some(row) = self.rows.edit(id) else { continue };
            if let Some(weekly) = &mut row.weekly {
                weekly.opened.retain(|who, _| !bodies.contains(who));
            }
            if bodies.contains(&row.leader) {
                row.leader = CharacterId(0);
            }
        }
        for whom in bodies {
            let asking: Vec<BranchId> = self.invitations(*whom).map(|row| row.branch).collect();
            for id in asking {
                self.uninvite(id, *whom);
            }
        }
    }
}

/// Checks that members are players, that the leader is a member, that the branch is active and has no window, and that
/// camps are cleared rooms of the branch.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut index = ExpeditionIndex::default();
    for (id, row) in world.expeditions.iter() {
        index.note(row);
        let unique: BTreeSet<&CharacterId> = row.members.iter().collect();
        if unique.len() != row.members.len() || row.members.iter().any(|who| row.invited.contains(who)) {
            violations.push(format!("expeditions {id}: a member twice, or asked to join"));
        }
        if row.weekly.as_ref().is_some_and(|of| of.opened.keys().any(|who| !world.is_players(*who))) {
            violations.push(format!("expeditions {id}: counts the rooms of a character who is no player"));
        }
        let is_empty = row.weekly.is_some() && row.members.is_empty();
        if !is_empty && !row.members.contains(&row.leader) {
            violations.push(format!("expeditions {id}: its leader {} is no member", row.leader));
        }
        if !row.members.iter().chain(&row.invited).all(|who| world.is_players(*who)) {
            violations.push(format!("expeditions {id}: a member or an invited character is no player"));
        }
        if world.branches.active(id).is_none_or(|branch| branch.window_open || !branch.outlives_members) {
            violations
                .push(format!("expeditions {id}: its branch is open, expired, or ends with its last member"));
        }
        let is_camp =
            |room: &RoomId| world.rooms.get(*room).is_some_and(|room| room.branch == Some(id) && room.clear);
        if !world.asleep.has(id) && !row.camps.iter().all(is_camp) {
            violations.push(format!("expeditions {id}: a camp in no cleared room of its branch"));
        }
    }
    if index != world.expeditions.index {
        violations.push("expeditions: the index has members or invitations that no expedition has".into());
    }
    for (id, branch) in world.branches.iter() {
        if branch.lives() && branch.outlives_members && world.expeditions.get(id).is_none() {
            violations.push(format!("branches {id}: outlives its members, and belongs to no expedition"));
        }
    }
}
