//! What a client knows of the things, creatures and players around its body and of what hangs on it, so
//! that it is told only what is different. Rules change the world and tell nobody; at the end of a step the places where
//! something changed are looked at from each client that asked. While none did, nothing is noted or done.

use crate::base::{CharacterId, ItemId, RoomId, SessionId};
use crate::catalog::{AffectPrototype, ItemClass};
use crate::game::data::character::{AffectInfo, AffectSide};
use crate::game::data::thing::{Thing, ThingId};
use crate::game::input::Wants;
use crate::game::state::gmcp::{Affects, GmcpState, Scene, Things, compare_affects, compare_things};
use crate::game::turn::Turn;
use crate::game::{naming, prototypes, stacks};
use crate::world::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

impl Wants {
    /// Everything that one or the other wants.
    const fn or(self, other: Self) -> Self {
        Self {
            character: self.character || other.character,
            room: self.room || other.room,
            channels: self.channels || other.channels,
            party: self.party || other.party,
            items: self.items || other.items,
            afflictions: self.afflictions || other.afflictions,
            defences: self.defences || other.defences,
            media: self.media || other.media,
        }
    }
}

/// A client came, went, or wants something else: from now on only what somebody wants is noted.
pub(crate) fn count_wants(turn: &mut Turn) {
    let before = turn.wanted.room || turn.wanted.items;
    turn.wanted = turn.seats.values().fold(Wants::default(), |all, seat| all.or(seat.wants));
    let now = turn.wanted.room || turn.wanted.items;
    if now != before {
        turn.world.track_touched(now);
    }
}

/// What hangs on a body is not what it was.
pub(crate) fn note_affects(turn: &mut Turn, who: CharacterId) {
    if (turn.wanted.afflictions || turn.wanted.defences)
        && let Some(session) = turn.seated.get(&who)
    {
        turn.outbox.surroundings.insert(*session);
    }
}

/// A client wants to be told all of what it carries.
pub(crate) fn tell_pack(turn: &mut Turn, session: SessionId) {
    forget(turn, session, |told| told.pack = None);
}

/// A client wants to be told all that is in the room.
pub(crate) fn tell_things(turn: &mut Turn, session: SessionId) {
    forget(turn, session, |told| told.things = None);
}

/// A client wants to be told what is in a container. From now on it is told what changes there, until the
/// container is out of reach or it has asked about too many others.
pub(crate) fn tell_contents(turn: &mut Turn, session: SessionId, container: ItemId) {
    let Some(seat) = turn.seats.get(&session) else { return };
    let opens = matches!(prototypes::class_of(turn, container), ItemClass::Container | ItemClass::Corpse);
    if !opens || !has_in_reach(turn, seat.character, container) {
        return;
    }
    let most = turn.config.limits.containers_watched as usize;
    forget(turn, session, |told| {
        told.containers.retain(|(known, _)| *known != container);
        if told.containers.len() >= most {
            told.containers.remove(0);
        }
        told.containers.push((container, None));
    });
}

fn forget(turn: &mut Turn, session: SessionId, forget: impl FnOnce(&mut GmcpState)) {
    if let Some(seat) = turn.seats.get_mut(&session).filter(|seat| seat.wants.items) {
        forget(&mut seat.gmcp);
        turn.outbox.surroundings.insert(session);
    }
}

/// At the end of a step: clients are told what is different around them.
pub(crate) fn finish_surroundings(turn: &mut Turn) {
    let mut sessions = std::mem::take(&mut turn.outbox.surroundings);
    for place in turn.world.take_touched() {
        watchers(turn, place, &mut sessions);
    }
    let mut scenes = BTreeMap::new();
    for session in sessions {
        tell_differences(turn, session, &mut scenes);
    }
}

/// The clients whose bodies see a place.
fn watchers(turn: &Turn, place: Place, sessions: &mut BTreeSet<SessionId>) {
    let place = match place {
        Place::Inside(container) => turn.world.root(container),
        place => Some(place),
    };
    let holder;
    let bodies = match place {
        Some(Place::Room(room)) => turn.world.occupants(room),
        Some(Place::Holder(who)) => {
            holder = [who];
            &holder
        }
        Some(Place::Inside(_)) | None => &[],
    };
    let seated = bodies.iter().filter_map(|who| turn.seated.get(who));
    let wants =
        |session: &SessionId| turn.seats.get(session).is_some_and(|seat| seat.wants.room || seat.wants.items);
    sessions.extend(seated.copied().filter(wants));
}

fn tell_differences(turn: &mut Turn, session: SessionId, scenes: &mut BTreeMap<RoomId, Scene>) {
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    let (who, wants, mut told) = (seat.character, seat.wants, std::mem::take(&mut seat.gmcp));
    let mut news = Vec::new();
    if wants.room || wants.items {
        let room = turn.world.characters[who].room;
        let scene = scenes.entry(room).or_insert_with(|| scene(turn, room));
        told.stand_in(room, scene, who, wants, &mut news);
    }
    if wants.items {
        let pack = things_in(turn, Place::Holder(who));
        compare_things("inv", told.pack.as_ref(), &pack, &mut news);
        told.pack = Some(pack);
        told.containers.retain(|(container, _)| has_in_reach(turn, who, *container));
        for (container, told) in &mut told.containers {
            let inside = things_in(turn, Place::Inside(*container));
            compare_things(&format!("rep{container}"), told.as_ref(), &inside, &mut news);
            *told = Some(inside);
        }
    }
    if wants.afflictions || wants.defences {
        let affects = affects_told(turn, who, wants);
        compare_affects(told.affects.as_ref(), &affects, wants, &mut news);
        told.affects = Some(affects);
    }
    for data in news {
        turn.outbox.data(session, data);
    }
    if let Some(seat) = turn.seats.get_mut(&session) {
        seat.gmcp = told;
    }
}

fn scene(turn: &Turn, room: RoomId) -> Scene {
    let people = turn.world.occupants(room).iter().map(|who| (*who, &turn.world.characters[*who]));
    let people = people.filter(|(_, body)| body.is_player()).map(|(who, body)| (who, body.name.clone()));
    let things = if turn.wanted.items { things_in(turn, Place::Room(room)) } else { Things::new() };
    Scene { people: Arc::new(people.collect()), things: Arc::new(things) }
}

/// Things at a place, and the creatures of a room.
fn things_in(turn: &Turn, place: Place) -> Things {
    let things =
        stacks::things_at(turn, place).iter().map(|item| (ThingId::Item(*item), item_told(turn, *item)));
    let mut things: Things = things.collect();
    if let Place::Room(room) = place {
        let bodies = turn.world.occupants(room).iter().copied();
        let creatures = bodies.filter(|who| !turn.world.characters[*who].is_player());
        things.extend(creatures.map(|who| (ThingId::Creature(who), creature_told(turn, who))));
    }
    things
}

fn item_told(turn: &Turn, id: ItemId) -> Thing {
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
    Thing {
        id: ThingId::Item(id),
        name: naming::thing_words(turn, id, item.count),
        icon: class.name(),
        attrib,
    }
}

fn creature_told(turn: &Turn, id: CharacterId) -> Thing {
    let body = &turn.world.characters[id];
    let spared = body.master.is_some() || !turn.world.rooms[body.room].kind.is_dungeon();
    let attrib = if spared { "mx" } else { "m" };
    let name = naming::mob_with_article(turn, id);
    Thing { id: ThingId::Creature(id), name, icon: "creature", attrib: attrib.into() }
}

/// Whether a thing is carried by a body or lies where it stands, in other things or not.
fn has_in_reach(turn: &Turn, who: CharacterId, item: ItemId) -> bool {
    let root = turn.world.root(item);
    root == Some(Place::Holder(who)) || root == Some(Place::Room(turn.world.characters[who].room))
}

fn affects_told(turn: &Turn, who: CharacterId, wants: Wants) -> Affects {
    let keys = turn.world.characters[who].affects.iter().map(|affect| affect.key.as_str());
    let known = keys.filter_map(|key| turn.catalog.affects.get(key));
    let told = known.map(|kind| ((side_of(kind), kind.key.clone()), kind));
    told.filter(|((side, _), _)| wants.tells(*side))
        .map(|(key, kind)| (key, AffectInfo { name: kind.name.clone(), desc: kind.description.clone() }))
        .collect()
}

/// What helps in one way and harms in another was chosen for what it helps.
const fn side_of(affect: &AffectPrototype) -> AffectSide {
    let AffectPrototype { attack, defence, max_hp, hp_per_round, holds, stuns, .. } = affect;
    let helps = *attack > 0 || *defence > 0 || *max_hp > 0 || *hp_per_round > 0;
    let harms = *attack < 0 || *defence < 0 || *max_hp < 0 || *hp_per_round < 0;
    if *holds || *stuns || (harms && !helps) { AffectSide::Bad } else { AffectSide::Good }
}
