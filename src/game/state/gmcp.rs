//! What one client was told as data, so that it is told only what is different.

use crate::base::{CharacterId, ItemId, RoomId};
use crate::game::data::character::{AffectInfo, AffectSide};
use crate::game::data::thing::{Thing, ThingId};
use crate::game::data::{Data, PartyMember};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Players of a room.
pub(crate) type People = BTreeMap<CharacterId, String>;

/// A place where a client knows the things.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum Spot {
    /// On its body.
    Pack,
    /// Around it.
    Room,
    /// In a container.
    Inside(ItemId),
}

/// Things and creatures at a place.
pub(crate) type Things = BTreeMap<ThingId, Thing>;

/// What hangs on a body, by key.
pub(crate) type Affects = BTreeMap<String, AffectInfo>;

/// What one client was told. What is not here was not told yet, and is told whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct GmcpState {
    /// Messages that tell all of something, by their names.
    messages: BTreeMap<&'static str, Data>,
    /// Where its body was then.
    room: Option<RoomId>,
    /// Players there, its own body among them; shared by all who are there.
    people: Option<Arc<People>>,
    /// Things where they are; those of a room are shared, too.
    things: BTreeMap<Spot, Arc<Things>>,
    /// The containers it asked about, the last one last.
    watched: Vec<ItemId>,
    affects: BTreeMap<AffectSide, Affects>,
    /// Each member of its party.
    members: BTreeMap<CharacterId, PartyMember>,
    /// Areas of which it was told what its body knows, the last one last.
    mapped: Vec<String>,
}

/// Areas of which a client is believed to have kept the map.
const AREAS_MAPPED: usize = 12;

impl GmcpState {
    /// Notes a message that tells all of something; gives what of it is news.
    pub(crate) fn replace_message(&mut self, now: Data) -> Option<Data> {
        let (_, message) = now.address();
        let told = self.messages.insert(message, now.clone());
        (told.as_ref() != Some(&now)).then(|| now.since(told))
    }

    /// The body is in this room: what was told of another counts no more.
    pub(crate) fn stand_in(&mut self, room: RoomId) {
        if self.room.replace(room) != Some(room) {
            self.people = None;
            self.forget_things(Spot::Room);
        }
    }

    /// Notes the players of the room; gives those that were known.
    pub(crate) fn replace_people(&mut self, now: Arc<People>) -> Option<Arc<People>> {
        self.people.replace(now)
    }

    /// Notes the things at a place; gives those that were known.
    pub(crate) fn replace_things(&mut self, spot: Spot, now: Arc<Things>) -> Option<Arc<Things>> {
        self.things.insert(spot, now)
    }

    /// All at a place is to be told again.
    pub(crate) fn forget_things(&mut self, spot: Spot) {
        self.things.remove(&spot);
    }

    /// What is in a container is told from now on; what is in the one asked about longest ago no more, if there are
    /// too many.
    pub(crate) fn watch(&mut self, container: ItemId, most: usize) {
        self.watched.retain(|known| *known != container);
        if self.watched.len() >= most {
            let oldest = self.watched.remove(0);
            self.forget_things(Spot::Inside(oldest));
        }
        self.watched.push(container);
        self.forget_things(Spot::Inside(container));
    }

    /// The containers whose contents are told, once those out of reach are forgotten.
    pub(crate) fn watched(&mut self, is_in_reach: impl Fn(ItemId) -> bool) -> Vec<ItemId> {
        let gone: Vec<ItemId> = self.watched.extract_if(.., |container| !is_in_reach(*container)).collect();
        for container in gone {
            self.forget_things(Spot::Inside(container));
        }
        self.watched.clone()
    }

    /// Notes what hangs on the body and does harm, or helps; gives what was known.
    pub(crate) fn replace_affects(&mut self, side: AffectSide, now: Affects) -> Option<Affects> {
        self.affects.insert(side, now)
    }

    /// Notes that the client is told the map of an area; false if it was before.
    pub(crate) fn map_area(&mut self, area: &str) -> bool {
        let is_new = self.mapped.iter().all(|known| known != area);
        if is_new {
            self.mapped.push(area.to_owned());
            let too_many = self.mapped.len().saturating_sub(AREAS_MAPPED);
            self.mapped.drain(..too_many);
        }
        is_new
    }

    /// Notes the whole party.
    pub(crate) fn replace_members(&mut self, members: BTreeMap<CharacterId, PartyMember>) {
        self.members = members;
    }

    /// Notes one member of the party; false if that is known.
    pub(crate) fn replace_member(&mut self, who: CharacterId, now: &PartyMember) -> bool {
        self.members.insert(who, now.clone()).as_ref() != Some(now)
    }
}
