//! Structured data already sent to a client, so that only changes are sent.

use crate::effect::data::character::{AffectInfo, AffectSign};
use crate::effect::data::object::{ItemInfo, ObjectId};
use crate::effect::data::{Data, PartyMember};
use deepwell_core::base::{CharacterId, ItemId, RoomId};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Names and states of the players in a room.
pub(crate) type People = BTreeMap<CharacterId, (String, &'static str)>;

/// Place whose items are sent to a client.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(crate) enum ItemsPlace {
    /// Items carried by the character.
    Pack,
    /// Items and creatures in its room.
    Room,
    /// Contents of a container.
    Inside(ItemId),
}

/// Items and creatures at a place.
pub(crate) type Objects = BTreeMap<ObjectId, ItemInfo>;

/// Affects of a character, by key.
pub(crate) type Affects = BTreeMap<String, AffectInfo>;

/// Data sent to one client. Data that is missing here is sent in full.
#[derive(Clone, Debug, Default)]
pub(crate) struct GmcpState {
    /// Last messages that are replaced as a whole, by name.
    messages: BTreeMap<&'static str, Data>,
    /// Room of the character at that time.
    room: Option<RoomId>,
    /// Players in the room, including the client's own; shared by all clients there.
    people: Option<Arc<People>>,
    /// Items by place; those of a room are shared by all clients there.
    items: BTreeMap<ItemsPlace, Arc<Objects>>,
    /// Requested containers, the latest last.
    watched: Vec<ItemId>,
    affects: BTreeMap<AffectSign, Affects>,
    /// Members of the party.
    members: BTreeMap<CharacterId, PartyMember>,
    /// Areas whose known rooms were sent, the latest last.
    mapped: Vec<String>,
}

/// Number of areas whose maps a client is assumed to keep.
const AREAS_MAPPED: usize = 12;

impl GmcpState {
    /// Stores a message that is replaced as a whole. Returns the changes to send; `None` if there are no changes.
    pub(crate) fn replace_message(&mut self, now: Data) -> Option<Data> {
        let (_, message) = now.address();
        let before = self.messages.insert(message, now.clone());
        (before.as_ref() != Some(&now)).then(|| now.since(before))
    }

    /// Sets the character's room and drops the data of another room.
    pub(crate) fn enter_room(&mut self, room: RoomId) {
        if self.room.replace(room) != Some(room) {
            self.people = None;
            self.forget_items(ItemsPlace::Room);
        }
    }

    /// Stores the players of the room. Returns the previous ones.
    pub(crate) fn replace_people(&mut self, now: Arc<People>) -> Option<Arc<People>> {
        self.people.replace(now)
    }

    /// Stores the items at a place. Returns the previous ones.
    pub(crate) fn replace_objects(&mut self, spot: ItemsPlace, now: Arc<Objects>) -> Option<Arc<Objects>> {
        self.items.insert(spot, now)
    }

    /// Drops the items at a place, so that they are sent in full.
    pub(crate) fn forget_items(&mut self, spot: ItemsPlace) {
        self.items.remove(&spot);
    }

    /// Subscribes to the contents of a container. Beyond `most` containers, the one requested longest ago is dropped.
    pub(crate) fn watch(&mut self, container: ItemId, most: usize) {
        self.watched.retain(|known| *known != container);
        if self.watched.len() >= most {
            let oldest = self.watched.remove(0);
            self.forget_items(ItemsPlace::Inside(oldest));
        }
        self.watched.push(container);
        self.forget_items(ItemsPlace::Inside(container));
    }

    /// Drops containers out of reach and returns the others.
    pub(crate) fn watched(&mut self, is_in_reach: impl Fn(ItemId) -> bool) -> Vec<ItemId> {
        let gone: Vec<ItemId> = self.watched.extract_if(.., |container| !is_in_reach(*container)).collect();
        for container in gone {
            self.forget_items(ItemsPlace::Inside(container));
        }
        self.watched.clone()
    }

    /// Stores the harmful or the helpful affects of the character. Returns the previous ones.
    pub(crate) fn replace_affects(&mut self, side: AffectSign, now: Affects) -> Option<Affects> {
        self.affects.insert(side, now)
    }

    /// Marks the map of an area as sent. Returns `false` if it was sent before.
    pub(crate) fn map_area(&mut self, area: &str) -> bool {
        let is_new = self.mapped.iter().all(|known| known != area);
        if is_new {
            self.mapped.push(area.to_owned());
            let too_many = self.mapped.len().saturating_sub(AREAS_MAPPED);
            self.mapped.drain(..too_many);
        }
        is_new
    }

    /// Stores all members of the party.
    pub(crate) fn replace_members(&mut self, members: BTreeMap<CharacterId, PartyMember>) {
        self.members = members;
    }

    /// Stores one member of the party. Returns `false` if nothing changed.
    pub(crate) fn replace_member(&mut self, who: CharacterId, now: &PartyMember) -> bool {
        self.members.insert(who, now.clone()).as_ref() != Some(now)
    }
}
