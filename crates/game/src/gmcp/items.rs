//! `Char.Items`: items carried by a character, the items and creatures in its room, and the contents of containers that
//! its client has requested.

use super::commands;
use super::package::{GmcpContext, PackageSpec};
use crate::effect::data::object::{ItemInfo, ItemUpdate, ObjectChange, ObjectId};
use crate::effect::data::{Data, Package};
use crate::item::{light, stacks};
use crate::message::naming;
use crate::state::gmcp::{GmcpState, ItemsPlace, Objects};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, SessionId, Slot};
use deepwell_core::catalog::ItemClass;
use deepwell_core::world::Place;
use std::sync::Arc;

/// From this number of changes on, the whole list is sent if it is no longer than the changes.
const MANY: usize = 8;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Items).around(tell_items);

fn tell_items(look: &mut GmcpContext<'_>) {
    let (turn, who) = (look.turn, look.who);
    let room = turn.world.characters[who].room;
    let here = look.scene.items.get_or_init(|| Arc::new(items_in(turn, Place::Room(room))));
    tell_spot(look, ItemsPlace::Room, here);
    tell_spot(look, ItemsPlace::Pack, &Arc::new(items_in(turn, Place::Holder(who))));
    for container in look.sent.watched(|container| has_in_reach(turn, who, container)) {
        let inside = items_in(turn, Place::Inside(container));
        tell_spot(look, ItemsPlace::Inside(container), &Arc::new(inside));
    }
}

/// Sends the whole list of a place, or the entries added, removed and changed.
fn tell_spot(look: &mut GmcpContext<'_>, spot: ItemsPlace, now: &Arc<Objects>) {
    let before = look.sent.replace_objects(spot, Arc::clone(now));
    let location = || match spot {
        ItemsPlace::Pack => "inv".to_owned(),
        ItemsPlace::Room => "room".to_owned(),
        ItemsPlace::Inside(container) => format!("rep{container}"),
    };
    let mut changes = Vec::new();
    if let Some(before) = &before {
        let mut note = |what, object: &ItemInfo| {
            changes.push(Data::Item(ItemUpdate { what, location: location(), item: object.clone() }));
        };
        for (id, object) in &**before {
            if !now.contains_key(id) {
                note(ObjectChange::Removed, object);
            }
        }
        for (id, object) in &**now {
            match before.get(id) {
                None => note(ObjectChange::Added, object),
                Some(known) if known != object => note(ObjectChange::Updated, object),
                Some(_) => {}
            }
        }
    }
    if before.is_none() || changes.len() >= now.len().max(MANY) {
        look.news.push(Data::Items { location: location(), items: now.values().cloned().collect() });
    } else {
        look.news.append(&mut changes);
    }
}

/// Resends everything that the client's character carries.
pub(super) fn tell_pack(turn: &mut Turn, session: SessionId) {
    look_again(turn, session, |sent| sent.forget_items(ItemsPlace::Pack));
}

/// Resends everything in the room.
pub(super) fn tell_room(turn: &mut Turn, session: SessionId) {
    look_again(turn, session, |sent| sent.forget_items(ItemsPlace::Room));
}

/// Sends the contents of a container and watches it for changes. Watching ends when the container is out of reach or
/// the client has asked for too many others.
pub(super) fn tell_contents(turn: &mut Turn, session: SessionId, container: ItemId) {
    let Some(seat) = turn.seats.get(&session) else { return };
    let opens = matches!(prototypes::class_of(turn, container), ItemClass::Container | ItemClass::Corpse);
    if !opens || !has_in_reach(turn, seat.character, container) {
        return;
    }
    let most = turn.config.limits.containers_watched as usize;
    look_again(turn, session, |sent| sent.watch(container, most));
}

fn look_again(turn: &mut Turn, session: SessionId, forget: impl FnOnce(&mut GmcpState)) {
    if let Some(seat) = turn.seats.get_mut(&session).filter(|seat| seat.wants.contains(&Package::Items)) {
        forget(&mut seat.gmcp);
        turn.outbox.note_surroundings(session);
    }
}

/// Returns the items at a place, and the creatures of a room: none in a dark room or a closed container.
fn items_in(turn: &Turn, place: Place) -> Objects {
    let is_hidden = match place {
        Place::Room(room) => !light::is_lit(turn, room),
        Place::Inside(container) => turn.world.items[container].shut,
        Place::Holder(_) | Place::Mail(_) => false,
    };
    if is_hidden {
        return Objects::default();
    }
    let objects = stacks::items_at(turn, place)
        .iter()
        .map(|item| (ObjectId::Item(*item), item_told(turn, *item, place)));
    let mut objects: Objects = objects.collect();
    if let Place::Room(room) = place {
        let bodies = turn.world.occupants(room).iter().copied();
        let creatures = bodies.filter(|who| !turn.world.characters[*who].is_player());
        objects.extend(creatures.map(|who| (ObjectId::Creature(who), creature_told(turn, who))));
    }
    objects
}

fn item_told(turn: &Turn, id: ItemId, place: Place) -> ItemInfo {
    let (item, class) = (&turn.world.items[id], prototypes::class_of(turn, id));
    let kind = prototypes::kind_of(turn, id);
    let mut attrib = String::new();
    match item.worn {
        Some(_) if class == ItemClass::Weapon => attrib.push('l'),
        Some(_) => attrib.push('w'),
        None if kind.is_some_and(|kind| kind.slot.is_some()) && class != ItemClass::Weapon => {
            attrib.push('W');
        }
        None => {}
    }
    if item.count > 1 || kind.is_some_and(|kind| kind.stacks) {
        attrib.push('g');
    }
    match class {
        ItemClass::Corpse => attrib.push_str("cd"),
        ItemClass::Container => attrib.push_str("ct"),
        _ => attrib.push('t'),
    }
    ItemInfo {
        id: ObjectId::Item(id),
        name: naming::stack_words(turn, id, item.count),
        icon: class.name(),
        attrib,
        slot: kind.and_then(|kind| kind.slot).map(Slot::name),
        commands: commands::for_item(turn, id, place),
    }
}

fn creature_told(turn: &Turn, id: CharacterId) -> ItemInfo {
    let body = &turn.world.characters[id];
    let spared = body.master.is_some() || !turn.world.rooms[body.room].is_deadly();
    let attrib = if spared { "mx" } else { "m" };
    let name = naming::creature_with_article(turn, id);
    let commands = commands::for_creature(turn, id, spared);
    ItemInfo {
        id: ObjectId::Creature(id),
        name,
        icon: "creature",
        attrib: attrib.into(),
        slot: None,
        commands,
    }
}

/// Returns `true` if an item is carried by the character or is in its room, directly or inside other items.
fn has_in_reach(turn: &Turn, who: CharacterId, item: ItemId) -> bool {
    let root = turn.world.root(item);
    root == Some(Place::Holder(who)) || root == Some(Place::Room(turn.world.characters[who].room))
}
