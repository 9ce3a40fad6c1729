//! Parties: members, leader and loot rules.

use crate::base::{CharacterId, GameTime, ItemId, PartyId};
use crate::world::indexed::{Indexed, TableIndex, remove_from};
use crate::world::{Place, World};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Loot rule of a party.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LootRule {
    /// Members take turns.
    #[default]
    RoundRobin,
    /// First come, first served.
    Free,
    /// Dice rolls: need before greed.
    Roll,
}

/// A member's response to a loot roll.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Claim {
    /// Declines.
    Pass,
    /// Would sell the item.
    Greed,
    /// Would use the item.
    Need,
}

/// Loot roll for an item.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Roll {
    /// Item on the ground.
    pub item: ItemId,
    /// Deadline.
    pub until: GameTime,
    /// Eligible characters with their responses so far.
    pub claims: BTreeMap<CharacterId, Option<Claim>>,
}

/// Party, stored as one row.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Party {
    /// Unique id, never reused.
    pub id: PartyId,
    /// Leader; one of the members.
    pub leader: CharacterId,
    /// Members, in the order of joining.
    pub members: Vec<CharacterId>,
    /// Invited characters, each with the expiry of the invitation.
    pub invited: BTreeMap<CharacterId, GameTime>,
    /// Loot rule of a party.
    pub loot: LootRule,
    /// Counter for round-robin loot; modulo the number of members, the position of the next recipient.
    pub turn: u64,
    /// The same for coins that remain after an even split.
    #[serde(default)]
    pub coin_turn: u64,
    /// Open loot rolls.
    pub rolls: Vec<Roll>,
    /// Creation time.
    pub created_at: GameTime,
}

/// Look-ups over parties.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct PartyIndex {
    /// Party of each character.
    members: BTreeMap<CharacterId, PartyId>,
    /// Parties that have invited a character, oldest first.
    invited: BTreeMap<CharacterId, BTreeSet<PartyId>>,
    /// Party that is rolling for an item.
    rolled: BTreeMap<ItemId, PartyId>,
}

impl TableIndex<Party> for PartyIndex {
    fn note(&mut self, party: &Party) {
        self.members.extend(party.members.iter().map(|member| (*member, party.id)));
        for asked in party.invited.keys() {
            self.invited.entry(*asked).or_default().insert(party.id);
        }
        self.rolled.extend(party.rolls.iter().map(|roll| (roll.item, party.id)));
    }

    fn forget(&mut self, party: &Party) {
        party.members.iter().for_each(|member| _ = self.members.remove(member));
        party.invited.keys().for_each(|asked| remove_from(&mut self.invited, asked, &party.id));
        party.rolls.iter().for_each(|roll| _ = self.rolled.remove(&roll.item));
    }
}

/// Parties; a character is in at most one. [`World::leave_party`] and [`World::remove_party`] also end
/// following.
pub type Parties = Indexed<Party, PartyIndex>;

impl Parties {
    /// Returns the party of a character.
    pub fn of(&self, who: CharacterId) -> Option<PartyId> {
        self.index.members.get(&who).copied()
    }

    /// Adds a character, who must not be in a party, to a party.
    pub fn join(&mut self, id: PartyId, who: CharacterId) {
        if self.of(who).is_none()
            && let Some(party) = self.rows.edit(id)
        {
            party.members.push(who);
            self.index.members.insert(who, id);
            self.uninvite(id, who);
        }
    }

    /// Invites a character until a moment.
    pub fn invite(&mut self, id: PartyId, whom: CharacterId, until: GameTime) {
        if let Some(party) = self.rows.edit(id) {
            party.invited.insert(whom, until);
            self.index.invited.entry(whom).or_default().insert(id);
        }
    }

    /// Withdraws an invitation.
    pub fn uninvite(&mut self, id: PartyId, whom: CharacterId) {
        if self.get(id).is_some_and(|party| party.invited.contains_key(&whom))
            && let Some(party) = self.rows.edit(id)
        {
            party.invited.remove(&whom);
            remove_from(&mut self.index.invited, &whom, &id);
        }
    }

    /// Returns the parties that have invited a character, oldest first.
    pub fn invitations(&self, whom: CharacterId) -> impl Iterator<Item = PartyId> {
        self.index.invited.get(&whom).into_iter().flatten().copied()
    }

    /// Returns all items with an open roll.
    pub fn rolled(&self) -> impl Iterator<Item = ItemId> {
        self.index.rolled.keys().copied()
    }

    /// Returns the party that is rolling for an item.
    pub fn rolled_for(&self, item: ItemId) -> Option<PartyId> {
        self.index.rolled.get(&item).copied()
    }

    /// Starts a roll for an item on the ground.
    pub fn add_roll(&mut self, id: PartyId, roll: Roll) {
        if let Some(party) = self.rows.edit(id) {
            self.index.rolled.insert(roll.item, id);
            party.rolls.push(roll);
        }
    }

    /// Ends the roll for an item, if there is one. Moving or removing an item also ends its roll, so that only present
    /// items can be won.
    pub fn end_roll(&mut self, item: ItemId) -> Option<Roll> {
        let party = self.index.rolled.remove(&item).and_then(|id| self.rows.edit(id))?;
        let at = party.rolls.iter().position(|roll| roll.item == item)?;
        Some(party.rolls.remove(at))
    }
}

impl World {
    /// Removes a character from a party and ends following in both directions between them and its members. The caller
    /// appoints a new leader if needed.
    pub fn leave_party(&mut self, who: CharacterId) {
        let Some(id) = self.parties.index.members.remove(&who) else { return };
        self.parties.change(id, |party| party.members.retain(|member| *member != who));
        stop_following(self, who);
        let members = self.parties.get(id).map(|party| party.members.clone()).unwrap_or_default();
        for member in members {
            if self.characters[member].following == Some(who) {
                stop_following(self, member);
            }
        }
    }

    /// Dissolves a party: its members stop following and its rolls end.
    pub fn remove_party(&mut self, id: PartyId) {
        let members = self.parties.remove(id).into_iter().flat_map(|party| party.members);
        members.for_each(|member| stop_following(self, member));
    }

    /// Returns `true` if `who` follows `whom`, directly or through other characters.
    pub fn leads_to(&self, who: CharacterId, whom: CharacterId) -> bool {
        let mut seen = BTreeSet::new();
        let mut at = Some(who);
        while let Some(one) = at.filter(|one| seen.insert(*one)) {
            if one == whom {
                return true;
            }
            at = self.characters.get(one).and_then(|body| body.following);
        }
        false
    }
}

fn stop_following(world: &mut World, who: CharacterId) {
    if world.characters.get(who).is_some_and(|body| body.following.is_some()) {
        world.characters.change(who, |body| body.following = None);
    }
}

/// Checks that members are players and in one party only, that the leader is a member, and that following stays within
/// the party and has no cycles. Items with a roll are on the ground, and eligible characters are players.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut index = PartyIndex::default();
    for (id, party) in world.parties.iter() {
        index.note(party);
        let known = |member: &CharacterId| world.parties.of(*member) == Some(id);
        let unique: BTreeSet<&CharacterId> = party.members.iter().collect();
        if unique.len() != party.members.len() || !party.members.iter().all(known) {
            violations.push(format!("parties {id}: a member is in it twice, or in another one too"));
        }
        if !party.members.contains(&party.leader) {
            violations.push(format!("parties {id}: its leader {} is no member", party.leader));
        }
        let player =
            |who: &CharacterId| world.characters.get(*who).is_some_and(crate::world::Character::is_player);
        if !party.members.iter().chain(party.invited.keys()).all(player) {
            violations.push(format!("parties {id}: somebody in it or asked into it is no player"));
        }
        if !party.invited.keys().all(|asked| world.parties.invitations(*asked).any(|asking| asking == id)) {
            violations.push(format!("parties {id}: somebody it asks would not find it"));
        }
        for roll in &party.rolls {
            let lies = |item: &crate::world::Item| matches!(item.place, Place::Room(_));
            if world.parties.rolled_for(roll.item) != Some(id)
                || !world.items.get(roll.item).is_some_and(lies)
            {
                violations
                    .push(format!("parties {id}: rolls for item {}, which does not lie there", roll.item));
            }
            if roll.claims.is_empty() || !roll.claims.keys().all(player) {
                violations.push(format!("parties {id}: nobody may claim item {}", roll.item));
            }
        }
    }
    if index != world.parties.index {
        violations.push("parties: the index has members, invitations or rolls that no party has".into());
    }
    check_following(world, violations);
}

fn check_following(world: &World, violations: &mut Vec<String>) {
    for (id, body) in world.characters.iter() {
        if body.master.is_some_and(|master| !world.is_players(master)) {
            violations.push(format!("characters {id}: its master does not exist"));
        }
        let Some(ahead) = body.following else { continue };
        let party = world.parties.of(id);
        if party.is_none() || world.parties.of(ahead) != party {
            violations.push(format!("characters {id}: follows {ahead}, who is not of its party"));
        } else if world.leads_to(ahead, id) {
            violations.push(format!("characters {id}: follows in a circle"));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{AccountId, RoomId, Seed};
    use crate::catalog::{RoomKind, RoomSheet};
    use crate::world::{Character, Item, Meta, Room, Snapshot};

    const ONE: CharacterId = CharacterId(1);
    const TWO: CharacterId = CharacterId(2);
    const THREE: CharacterId = CharacterId(3);
    const FIRST: PartyId = PartyId(1);
    const LAMP: ItemId = ItemId(1);

    fn party(members: &[CharacterId]) -> Party {
        Party {
            id: FIRST,
            leader: ONE,
            members: members.to_vec(),
            invited: BTreeMap::new(),
            loot: LootRule::Roll,
            turn: 0,
            coin_turn: 0,
            rolls: Vec::new(),
            created_at: GameTime(0),
        }
    }

    /// Three players and a lamp in a room, two of the players in a party.
    fn three() -> World {
        let mut world = World::load(Snapshot::default(), Meta::fresh(Seed(1))).unwrap();
        let room = RoomId(1);
        world.add_room(Room::new(room, RoomSheet::new(RoomKind::Room, "Yard".into())));
        for id in [ONE, TWO, THREE] {
            let body = Character::new(id, format!("P{id}"), room, GameTime(0));
            world.add_character(Character { account: Some(AccountId(1)), awake: true, ..body });
        }
        world.add_item(Item::new(LAMP, "lamp", Place::Room(room), GameTime(0)), "test");
        world.parties.add(party(&[ONE, TWO]));
        world
    }

    fn wrong(world: &World) -> String {
        let mut violations = Vec::new();
        check(world, &mut violations);
        violations.join("\n")
    }

    fn roll() -> Roll {
        Roll { item: LAMP, until: GameTime(30), claims: BTreeMap::from([(ONE, None), (TWO, None)]) }
    }

    #[test]
    fn leaving_a_party_ends_following_in_both_directions() {
        let mut world = three();
        world.parties.join(FIRST, THREE);
        world.characters.edit(TWO).unwrap().following = Some(ONE);
        world.characters.edit(THREE).unwrap().following = Some(TWO);
        assert_eq!(wrong(&world), "");
        world.leave_party(TWO);
        assert_eq!(wrong(&world), "");
        assert_eq!((world.characters[TWO].following, world.characters[THREE].following), (None, None));
        world.remove_party(FIRST);
        assert_eq!((wrong(&world).as_str(), world.parties.of(ONE)), ("", None));
    }

    #[test]
    fn roll_ends_when_its_item_is_moved_or_removed() {
        let mut world = three();
        world.parties.add_roll(FIRST, roll());
        assert_eq!((world.parties.rolled_for(LAMP), wrong(&world).as_str()), (Some(FIRST), ""));
        world.move_item(LAMP, Place::Holder(ONE));
        assert!(world.parties.rolled_for(LAMP).is_none() && world.parties[FIRST].rolls.is_empty());
        world.move_item(LAMP, Place::Room(RoomId(1)));
        world.parties.add_roll(FIRST, roll());
        world.remove_item(LAMP, "test");
        assert!(world.parties[FIRST].rolls.is_empty());
        assert_eq!(wrong(&world), "");
    }

    #[test]
    fn check_finds_invalid_parties() {
        let broken = |spoil: &dyn Fn(&mut World), word: &str| {
            let mut world = three();
            spoil(&mut world);
            assert!(wrong(&world).contains(word), "{word}: {}", wrong(&world));
        };
        broken(&|w| w.parties.edit(FIRST).unwrap().leader = THREE, "no member");
        broken(&|w| w.parties.edit(FIRST).unwrap().members.push(ONE), "twice");
        broken(&|w| w.parties.edit(FIRST).unwrap().members.push(THREE), "in another");
        broken(&|w| w.parties.edit(FIRST).unwrap().rolls.push(roll()), "does not lie there");
        broken(&|w| w.characters.edit(THREE).unwrap().following = Some(ONE), "not of its party");
        broken(&|w| w.characters.edit(THREE).unwrap().master = Some(CharacterId(9)), "master");
        let circle = |w: &mut World| {
            w.characters.edit(ONE).unwrap().following = Some(TWO);
            w.characters.edit(TWO).unwrap().following = Some(ONE);
        };
        broken(&circle, "circle");
        broken(&|w| w.parties.edit(FIRST).unwrap().invited.extend([(THREE, GameTime(9))]), "not find it");
        broken(&|w| drop(w.parties.index.invited.insert(THREE, BTreeSet::from([FIRST]))), "no party has");
    }

    /// Invitations are indexed, and removed with the answer or the party.
    #[test]
    fn invitations_are_indexed_and_removed() {
        let mut world = three();
        let asking = |world: &World| world.parties.invitations(THREE).collect::<Vec<_>>();
        world.parties.invite(FIRST, THREE, GameTime(9));
        assert_eq!((asking(&world), wrong(&world).as_str()), (vec![FIRST], ""));
        world.parties.uninvite(FIRST, THREE);
        assert_eq!((asking(&world), wrong(&world).as_str()), (vec![], ""));
        world.parties.invite(FIRST, THREE, GameTime(9));
        world.parties.join(FIRST, THREE);
        assert_eq!((asking(&world), wrong(&world).as_str()), (vec![], ""));
        world.leave_party(THREE);
        world.parties.invite(FIRST, THREE, GameTime(9));
        world.remove_party(FIRST);
        assert_eq!((asking(&world), wrong(&world).as_str()), (vec![], ""));
    }
}
