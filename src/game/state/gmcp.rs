//! What one client was told of what is around its body and of what hangs on it, and what is different now.

use crate::base::{CharacterId, ItemId, RoomId};
use crate::game::data::Data;
use crate::game::data::character::{AffectAdded, AffectInfo, AffectList, AffectSide, AffectsRemoved};
use crate::game::data::room::PlayerHere;
use crate::game::data::thing::{Change, ItemNews, Thing, ThingId};
use crate::game::input::Wants;
use std::collections::BTreeMap;
use std::sync::Arc;

/// From so many differences on, a list that is no longer than them is sent instead.
const MANY: usize = 8;

pub(crate) type Things = BTreeMap<ThingId, Thing>;

pub(crate) type People = BTreeMap<CharacterId, String>;

pub(crate) type Affects = BTreeMap<(AffectSide, String), AffectInfo>;

/// What one client was told. What is none was not told yet, and is told whole.
#[derive(Clone, Debug, Default)]
pub(crate) struct GmcpState {
    /// Where its body was then.
    pub(crate) room: Option<RoomId>,
    /// Players there, its own body among them; shared by all who are there.
    pub(crate) people: Option<Arc<People>>,
    /// Things and creatures there; shared, too.
    pub(crate) things: Option<Arc<Things>>,
    /// What it carries.
    pub(crate) pack: Option<Things>,
    /// What is in the containers it asked about, the last one last.
    pub(crate) containers: Vec<(ItemId, Option<Things>)>,
    /// What hangs on it.
    pub(crate) affects: Option<Affects>,
}

/// What is in a room, the same for all who are there.
pub(crate) struct Scene {
    pub(crate) people: Arc<People>,
    pub(crate) things: Arc<Things>,
}

impl GmcpState {
    /// The body is in a room that looks like this: tells what is new to its client.
    pub(crate) fn stand_in(
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
            compare_people(self.people.as_deref(), &scene.people, who, news);
            self.people = Some(Arc::clone(&scene.people));
        }
        if wants.items {
            compare_things("room", self.things.as_deref(), &scene.things, news);
            self.things = Some(Arc::clone(&scene.things));
        }
    }
}

impl Wants {
    pub(crate) const fn tells(self, side: AffectSide) -> bool {
        match side {
            AffectSide::Bad => self.afflictions,
            AffectSide::Good => self.defences,
        }
    }
}

/// All players in a room but oneself; or who came and who went.
pub(crate) fn compare_people(told: Option<&People>, now: &People, but: CharacterId, news: &mut Vec<Data>) {
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
pub(crate) fn compare_things(location: &str, told: Option<&Things>, now: &Things, news: &mut Vec<Data>) {
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
pub(crate) fn compare_affects(told: Option<&Affects>, now: &Affects, wants: Wants, news: &mut Vec<Data>) {
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
