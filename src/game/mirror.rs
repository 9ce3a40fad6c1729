//! What a client knows of the things, creatures and players around its body and of what hangs on it (protocols 6.2,
//! 6.3), so that it is told only what is different. Rules change the world and tell nobody; at the end of a step the
//! places where something changed are looked at from each client that asked. While none did, nothing is noted or done.

use crate::base::{CharacterId, ItemId, RoomId, SessionId};
use crate::catalog::{AffectPrototype, ItemClass};
use crate::game::data::{
    AffectAdded, AffectInfo, AffectList, AffectSide, AffectsRemoved, Change, ItemNews, PlayerHere, Thing,
    ThingId,
};
use crate::game::{Data, Game, Wants};
use crate::world::Place;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// From so many differences on, a list that is no longer than them is sent instead.
const MANY: usize = 8;

type Things = BTreeMap<ThingId, Thing>;
type People = BTreeMap<CharacterId, String>;
type Affects = BTreeMap<(AffectSide, String), AffectInfo>;

/// What one client was told. What is none was not told yet, and is told whole.
#[derive(Clone, Debug, Default)]
pub(super) struct Mirror {
    /// Where its body was then.
    room: Option<RoomId>,
    /// Players there, its own body among them; shared by all who are there.
    people: Option<Arc<People>>,
    /// Things and creatures there; shared, too.
    things: Option<Arc<Things>>,
    /// What it carries.
    pack: Option<Things>,
    /// What is in the containers it asked about, the last one last.
    containers: Vec<(ItemId, Option<Things>)>,
    /// What hangs on it.
    affects: Option<Affects>,
}

/// What is in a room, the same for all who are there.
struct Scene {
    people: Arc<People>,
    things: Arc<Things>,
}

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

impl Game {
    /// A client came, went, or wants something else: from now on only what somebody wants is noted.
    pub(super) fn count_wants(&mut self) {
        let before = self.wanted.room || self.wanted.items;
        self.wanted = self.seats.values().fold(Wants::default(), |all, seat| all.or(seat.wants));
        let now = self.wanted.room || self.wanted.items;
        if now != before {
            self.world.keep_trail(now);
        }
    }

    /// What hangs on a body is not what it was.
    pub(super) fn note_affects(&mut self, who: CharacterId) {
        if (self.wanted.afflictions || self.wanted.defences)
            && let Some(session) = self.seated.get(&who)
        {
            self.outbox.mirrors.insert(*session);
        }
    }

    /// A client wants to be told all of what it carries.
    pub(super) fn tell_pack(&mut self, session: SessionId) {
        self.forget(session, |mirror| mirror.pack = None);
    }

    /// A client wants to be told all that is in the room.
    pub(super) fn tell_things(&mut self, session: SessionId) {
        self.forget(session, |mirror| mirror.things = None);
    }

    /// A client wants to be told what is in a container. From now on it is told what changes there, until the
    /// container is out of reach or it has asked about too many others.
    pub(super) fn tell_contents(&mut self, session: SessionId, container: ItemId) {
        let Some(seat) = self.seats.get(&session) else { return };
        let opens = matches!(self.class_of(container), ItemClass::Container | ItemClass::Corpse);
        if !opens || !self.has_in_reach(seat.character, container) {
            return;
        }
        let most = self.config.limits.containers_watched as usize;
        self.forget(session, |mirror| {
            mirror.containers.retain(|(known, _)| *known != container);
            if mirror.containers.len() >= most {
                mirror.containers.remove(0);
            }
            mirror.containers.push((container, None));
        });
    }

    fn forget(&mut self, session: SessionId, forget: impl FnOnce(&mut Mirror)) {
        if let Some(seat) = self.seats.get_mut(&session).filter(|seat| seat.wants.items) {
            forget(&mut seat.mirror);
            self.outbox.mirrors.insert(session);
        }
    }

    /// At the end of a step: clients are told what is different around them.
    pub(super) fn finish_mirrors(&mut self) {
        let mut sessions = std::mem::take(&mut self.outbox.mirrors);
        for place in self.world.take_trail() {
            self.watchers(place, &mut sessions);
        }
        let mut scenes = BTreeMap::new();
        for session in sessions {
            self.tell_differences(session, &mut scenes);
        }
    }

    /// The clients whose bodies see a place.
    fn watchers(&self, place: Place, sessions: &mut BTreeSet<SessionId>) {
        let place = match place {
            Place::Inside(container) => self.world.root(container),
            place => Some(place),
        };
        let holder;
        let bodies = match place {
            Some(Place::Room(room)) => self.world.occupants(room),
            Some(Place::Holder(who)) => {
                holder = [who];
                &holder
            }
            Some(Place::Inside(_)) | None => &[],
        };
        let seated = bodies.iter().filter_map(|who| self.seated.get(who));
        let wants = |session: &SessionId| {
            self.seats.get(session).is_some_and(|seat| seat.wants.room || seat.wants.items)
        };
        sessions.extend(seated.copied().filter(wants));
    }

    fn tell_differences(&mut self, session: SessionId, scenes: &mut BTreeMap<RoomId, Scene>) {
        let Some(seat) = self.seats.get_mut(&session) else { return };
        let (who, wants, mut mirror) = (seat.character, seat.wants, std::mem::take(&mut seat.mirror));
        let mut news = Vec::new();
        if wants.room || wants.items {
            let room = self.world.characters[who].room;
            let scene = scenes.entry(room).or_insert_with(|| self.scene(room));
            mirror.stands_in(room, scene, who, wants, &mut news);
        }
        if wants.items {
            let pack = self.things_in(Place::Holder(who));
            tell_things("inv", mirror.pack.as_ref(), &pack, &mut news);
            mirror.pack = Some(pack);
            mirror.containers.retain(|(container, _)| self.has_in_reach(who, *container));
            for (container, told) in &mut mirror.containers {
                let inside = self.things_in(Place::Inside(*container));
                tell_things(&format!("rep{container}"), told.as_ref(), &inside, &mut news);
                *told = Some(inside);
            }
        }
        if wants.afflictions || wants.defences {
            let affects = self.affects_told(who, wants);
            tell_affects(mirror.affects.as_ref(), &affects, wants, &mut news);
            mirror.affects = Some(affects);
        }
        for data in news {
            self.outbox.data(session, data);
        }
        if let Some(seat) = self.seats.get_mut(&session) {
            seat.mirror = mirror;
        }
    }

    fn scene(&self, room: RoomId) -> Scene {
        let people = self.world.occupants(room).iter().map(|who| (*who, &self.world.characters[*who]));
        let people = people.filter(|(_, body)| body.is_player()).map(|(who, body)| (who, body.name.clone()));
        let things = if self.wanted.items { self.things_in(Place::Room(room)) } else { Things::new() };
        Scene { people: Arc::new(people.collect()), things: Arc::new(things) }
    }

    /// Things at a place, and the creatures of a room.
    fn things_in(&self, place: Place) -> Things {
        let things = self.things_at(place).iter().map(|item| (ThingId::Item(*item), self.item_told(*item)));
        let mut things: Things = things.collect();
        if let Place::Room(room) = place {
            let bodies = self.world.occupants(room).iter().copied();
            let creatures = bodies.filter(|who| !self.world.characters[*who].is_player());
            things.extend(creatures.map(|who| (ThingId::Creature(who), self.creature_told(who))));
        }
        things
    }

    fn item_told(&self, id: ItemId) -> Thing {
        let (item, class) = (&self.world.items[id], self.class_of(id));
        let kind = self.kind_of(id);
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
        Thing { id: ThingId::Item(id), name: self.thing_words(id, item.count), icon: class.name(), attrib }
    }

    fn creature_told(&self, id: CharacterId) -> Thing {
        let body = &self.world.characters[id];
        let spared = body.master.is_some() || !self.world.rooms[body.room].kind.is_dungeon();
        let attrib = if spared { "mx" } else { "m" };
        let name = self.mob_with_article(id);
        Thing { id: ThingId::Creature(id), name, icon: "creature", attrib: attrib.into() }
    }

    /// Whether a thing is carried by a body or lies where it stands, in other things or not.
    fn has_in_reach(&self, who: CharacterId, item: ItemId) -> bool {
        let root = self.world.root(item);
        root == Some(Place::Holder(who)) || root == Some(Place::Room(self.world.characters[who].room))
    }

    fn affects_told(&self, who: CharacterId, wants: Wants) -> Affects {
        let keys = self.world.characters[who].affects.iter().map(|affect| affect.key.as_str());
        let known = keys.filter_map(|key| self.catalog.affects.get(key));
        let told = known.map(|kind| ((side_of(kind), kind.key.clone()), kind));
        told.filter(|((side, _), _)| wants.tells(*side))
            .map(|(key, kind)| (key, AffectInfo { name: kind.name.clone(), desc: kind.description.clone() }))
            .collect()
    }
}

impl Mirror {
    /// The body is in a room that looks like this: tells what is new to its client.
    fn stands_in(
        &mut self,
        room: RoomId,
        scene: &Scene,
        who: CharacterId,
        wants: Wants,
        news: &mut Vec<Data>,
    ) {
        if self.room != Some(room) {
            (self.room, self.people, self.things) = (Some(room), None, None);
        }
        if wants.room {
            tell_people(self.people.as_deref(), &scene.people, who, news);
            self.people = Some(Arc::clone(&scene.people));
        }
        if wants.items {
            tell_things("room", self.things.as_deref(), &scene.things, news);
            self.things = Some(Arc::clone(&scene.things));
        }
    }
}

impl Wants {
    const fn tells(self, side: AffectSide) -> bool {
        match side {
            AffectSide::Bad => self.afflictions,
            AffectSide::Good => self.defences,
        }
    }
}

/// What helps in one way and harms in another was chosen for what it helps.
const fn side_of(affect: &AffectPrototype) -> AffectSide {
    let AffectPrototype { attack, defence, max_hp, hp_per_round, holds, stuns, .. } = affect;
    let helps = *attack > 0 || *defence > 0 || *max_hp > 0 || *hp_per_round > 0;
    let harms = *attack < 0 || *defence < 0 || *max_hp < 0 || *hp_per_round < 0;
    if *holds || *stuns || (harms && !helps) { AffectSide::Bad } else { AffectSide::Good }
}

/// All players in a room but oneself; or who came and who went.
fn tell_people(told: Option<&People>, now: &People, but: CharacterId, news: &mut Vec<Data>) {
    let here = |name: &String| PlayerHere { name: name.clone(), fullname: name.clone() };
    let others = now.iter().filter(|(who, _)| **who != but);
    let Some(told) = told else {
        return news.push(Data::RoomPlayers(others.map(|(_, name)| here(name)).collect()));
    };
    let gone = told.iter().filter(|(who, _)| **who != but && !now.contains_key(who));
    news.extend(gone.map(|(_, name)| Data::RoomRemovePlayer(name.clone())));
    let come = others.filter(|(who, _)| !told.contains_key(who));
    news.extend(come.map(|(_, name)| Data::RoomAddPlayer(here(name))));
}

/// Everything at a place; or what came, went and changed.
fn tell_things(location: &str, told: Option<&Things>, now: &Things, news: &mut Vec<Data>) {
    let location = || location.to_owned();
    let mut changes = Vec::new();
    if let Some(told) = told {
        let mut note = |what, thing: &Thing| {
            changes.push(Data::Item(ItemNews { what, location: location(), item: thing.clone() }));
        };
        for (id, thing) in told {
            if !now.contains_key(id) {
                note(Change::Removed, thing);
            }
        }
        for (id, thing) in now {
            match told.get(id) {
                None => note(Change::Added, thing),
                Some(known) if known != thing => note(Change::Updated, thing),
                Some(_) => {}
            }
        }
    }
    if told.is_none() || changes.len() >= now.len().max(MANY) {
        news.push(Data::Items { location: location(), items: now.values().cloned().collect() });
    } else {
        news.append(&mut changes);
    }
}

/// Everything that hangs on a body; or what came and what went.
fn tell_affects(told: Option<&Affects>, now: &Affects, wants: Wants, news: &mut Vec<Data>) {
    for side in [AffectSide::Bad, AffectSide::Good].into_iter().filter(|side| wants.tells(*side)) {
        let of = |affects: &Affects, but: &Affects| -> Vec<AffectInfo> {
            let affects = affects.iter().filter(|(key, _)| key.0 == side && !but.contains_key(key));
            affects.map(|(_, affect)| affect.clone()).collect()
        };
        let Some(told) = told else {
            news.push(Data::Affects(AffectList { side, list: of(now, &Affects::new()) }));
            continue;
        };
        let gone: Vec<String> = of(told, now).into_iter().map(|affect| affect.name).collect();
        if !gone.is_empty() {
            news.push(Data::AffectsRemoved(AffectsRemoved { side, names: gone }));
        }
        let come = of(now, told).into_iter();
        news.extend(come.map(|affect| Data::AffectAdded(AffectAdded { side, affect })));
    }
}
