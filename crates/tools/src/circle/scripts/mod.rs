//! Scripts of area files as triggers of creatures, items and rooms. Events of creatures that only rooms have here become
//! triggers of the rooms in which these creatures spawn.

mod commands;
mod condition;
mod events;
mod translator;
mod tree;

use std::collections::{BTreeMap, BTreeSet};

use crate::circle::creatures::Creatures;
use crate::circle::items::Items;
use crate::circle::place::FileLine;
use crate::circle::records::trigger::TriggerRecord;
use crate::circle::report::{ImportReport, NoteKind};
use crate::circle::resets::{Resets, SpawnKind};
use crate::circle::{ImportPlan, SourceRecords, homes, words};
use commands::ScriptOwner;
use condition::AskedTerm;
use deepwell_core::catalog::TriggerEvent;
use deepwell_core::data::edit::quoted;
use deepwell_core::world;
use events::{ConvertedEvent, EVENTS, NAMES, chance, event_words, has_chance, word_of};
use translator::Translator;
use tree::ScriptNode;

/// Trigger of a prototype: its event and its lines.
pub(in crate::circle) type Reaction = (String, Vec<String>);

/// Triggers by owner.
#[derive(Debug, Default)]
pub(in crate::circle) struct TriggersByOwner {
    pub(in crate::circle) rooms: BTreeMap<i64, Vec<world::Trigger>>,
    mobs: BTreeMap<i64, Vec<Reaction>>,
    items: BTreeMap<i64, Vec<Reaction>>,
}

/// State of the conversion.
struct Attach<'a, 'r> {
    source: &'a SourceRecords,
    items: &'a Items,
    creatures: &'a Creatures,
    homes: BTreeMap<i64, homes::Home>,
    /// Rooms in which each creature spawns.
    haunts: BTreeMap<i64, BTreeSet<i64>>,
    plan: ImportPlan<'a>,
    scripts: TriggersByOwner,
    report: &'r mut ImportReport,
}

/// Owner of a script: a creature, an item or a room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Owner {
    Creature(i64),
    Item(i64),
    Room(i64),
}

impl Owner {
    const fn attach(self) -> i64 {
        match self {
            Self::Creature(_) => 0,
            Self::Item(_) => 1,
            Self::Room(_) => 2,
        }
    }
}

/// Converts all scripts.
pub(in crate::circle) fn convert(
    source: &SourceRecords,
    resets: &Resets,
    items: &Items,
    creatures: &Creatures,
    plan: ImportPlan<'_>,
    report: &mut ImportReport,
) -> TriggersByOwner {
    let mut haunts = BTreeMap::<i64, BTreeSet<i64>>::new();
    for (room, comings) in &resets.comings {
        for comer in comings.keys() {
            if let SpawnKind::Creature(mob) = comer {
                haunts.entry(*mob).or_default().insert(*room);
            }
        }
    }
    let homes = homes::of_rooms(source, plan);
    let scripts = TriggersByOwner::default();
    let mut attach = Attach { source, items, creatures, homes, haunts, plan, scripts, report };
    let mut used = BTreeSet::new();
    for (owner, numbers, place) in owners(source, resets) {
        for number in numbers {
            used.insert(number);
            attach.attach(owner, number, &place);
        }
    }
    for (number, trigger) in source.triggers.iter().filter(|(number, _)| !used.contains(number)) {
        let whose = format!("script {number}, {}", words::line(&trigger.name));
        attach.report.note(
            NoteKind::Script,
            &trigger.place,
            &whose,
            "left out: nothing that was read has it",
        );
    }
    attach.scripts
}

/// Returns all owners with the numbers of their scripts, in the order of the files.
fn owners(source: &SourceRecords, resets: &Resets) -> Vec<(Owner, Vec<i64>, FileLine)> {
    let mut all = Vec::new();
    for (number, mob) in &source.mobs {
        all.push((Owner::Creature(*number), mob.triggers.clone(), mob.place.clone()));
    }
    for (number, object) in &source.objects {
        all.push((Owner::Item(*number), object.triggers.clone(), object.place.clone()));
    }
    for (number, room) in &source.rooms {
        all.push((Owner::Room(*number), room.triggers.clone(), room.place.clone()));
    }
    for (kind, owner, trigger, place) in &resets.scripts {
        let owner = match kind {
            0 => Owner::Creature(*owner),
            1 => Owner::Item(*owner),
            _ => Owner::Room(*owner),
        };
        all.push((owner, vec![*trigger], place.clone()));
    }
    all
}

impl Attach<'_, '_> {
    fn attach(&mut self, owner: Owner, number: i64, place: &FileLine) {
        let Some(trigger) = self.source.triggers.get(&number) else {
            let whose = format!("script {number}");
            return self.report.note(NoteKind::Script, place, &whose, "left out: no .trg file has it");
        };
        let whose = format!("script {number}, {}", words::line(&trigger.name));
        let known = match owner {
            Owner::Creature(mob) => self.creatures.contains_key(&mob),
            Owner::Item(item) => self.items.contains_key(&item),
            Owner::Room(room) => self.homes.contains_key(&room),
        };
        let why = if trigger.attach != owner.attach() {
            Some("left out: it is for another kind of owner")
        } else if !known {
            Some("left out: its owner was left out")
        } else {
            None
        };
        if let Some(why) = why {
            return self.report.note(NoteKind::Script, &trigger.place, &whose, why);
        }
        let names =
            usize::try_from(trigger.attach).ok().and_then(|at| NAMES.get(at)).copied().unwrap_or_default();
        let is_event =
            |place: &u32| EVENTS.iter().any(|(attach, at, _)| (*attach, at) == (trigger.attach, place));
        let known: Vec<u32> = (0..20).filter(is_event).chain([0]).collect();
        let unknown = trigger.events.named(names, &known);
        if !unknown.is_empty() {
            let remark = format!("left out: there is no event for {}", unknown.join(", "));
            self.report.note(NoteKind::Script, &trigger.place, &whose, &remark);
        }
        let nodes = tree::parse(&trigger.commands);
        let mut done = BTreeSet::new();
        for (attach, at, event) in EVENTS {
            let is_meant = attach == trigger.attach && trigger.events.has(at);
            if is_meant && done.insert(format!("{event:?}")) {
                self.event(owner, number, trigger, event, &nodes);
            }
        }
    }

    /// Adds a script for one of its events.
    fn event(
        &mut self,
        owner: Owner,
        number: i64,
        trigger: &TriggerRecord,
        event: ConvertedEvent,
        nodes: &[ScriptNode],
    ) {
        let whose = format!("script {number}, {}", words::line(&trigger.name));
        if has_chance(event) && trigger.number <= 0 {
            let remark = "left out: its chance is 0 percent";
            return self.report.note(NoteKind::Script, &trigger.place, &whose, remark);
        }
        let rooms = self.rooms_of(owner);
        let voice = self.voice(owner, event);
        let is_of_room = matches!(owner, Owner::Room(_)) || voice.is_some();
        let zones: BTreeSet<&str> =
            rooms.iter().filter_map(|room| self.homes.get(room)).map(|home| home.zone.as_str()).collect();
        let zone = zones.first().copied().filter(|_| is_of_room && zones.len() == 1);
        let mob = match owner {
            Owner::Creature(mob) if voice.is_none() => Some(mob),
            _ => None,
        };
        let mut translator = Translator {
            scene: ScriptOwner {
                source: self.source,
                items: self.items,
                creatures: self.creatures,
                homes: &self.homes,
                mob,
                voice: voice.as_deref(),
                rooms: &rooms,
                zone,
                takes_gift: event == ConvertedEvent::Receive,
            },
            whose: whose.clone(),
            report: self.report,
        };
        let first = if voice.is_some() {
            let Owner::Creature(mob) = owner else { return };
            self.creatures.get(&mob).map(|key| format!("if not here {key}: stop"))
        } else {
            chance(trigger, event)
        };
        let mut made: Vec<(String, Vec<String>)> = Vec::new();
        let by_choice = matches!(event, ConvertedEvent::Speech | ConvertedEvent::Receive)
            .then(|| translator.split_by_choice(nodes))
            .flatten();
        if let Some(choices) = by_choice {
            for (choice, branch) in choices {
                let words = match (choice, event) {
                    (AskedTerm::Words(words), ConvertedEvent::Speech) => words,
                    (AskedTerm::Items(items), ConvertedEvent::Receive) => items,
                    _ => continue,
                };
                let lines = translator.translate_script(&branch.place, first.clone(), &branch.nodes);
                made.push((format!("{} {}", word_of(event), words.join(";")), lines));
            }
        } else {
            match event_words(trigger, event, self.plan) {
                Ok(on) => made.push((on, translator.translate_script(&trigger.place, first, nodes))),
                Err(why) => {
                    let remark = format!("left out: {why}");
                    self.report.note(NoteKind::Script, &trigger.place, &whose, &remark);
                }
            }
        }
        for (on, lines) in made.into_iter().filter(|(_, lines)| !lines.is_empty()) {
            self.keep(owner, &rooms, &trigger.place, &whose, &on, lines);
        }
    }

    /// Returns the rooms in which a script of the owner runs.
    fn rooms_of(&self, owner: Owner) -> BTreeSet<i64> {
        match owner {
            Owner::Creature(mob) => self.haunts.get(&mob).cloned().unwrap_or_default(),
            Owner::Item(_) => BTreeSet::new(),
            Owner::Room(room) => BTreeSet::from([room]),
        }
    }

    /// Returns the name of a creature whose rooms run the script for it.
    fn voice(&self, owner: Owner, event: ConvertedEvent) -> Option<String> {
        let Owner::Creature(mob) = owner else { return None };
        let mob = self
            .source
            .mobs
            .get(&mob)
            .filter(|_| matches!(event, ConvertedEvent::Command | ConvertedEvent::Random))?;
        let name =
            words::name_or_keywords(&mob.short, &mob.keywords, "creature", self.plan.limits.name_chars);
        let usual = deepwell_core::text::grammar::with_article(&name.name, None);
        Some(name.with_article.unwrap_or(usual))
    }

    /// Stores a trigger, and reports where it is.
    fn keep(
        &mut self,
        owner: Owner,
        rooms: &BTreeSet<i64>,
        place: &FileLine,
        whose: &str,
        on: &str,
        lines: Vec<String>,
    ) {
        let most = self.plan.limits.triggers_per_room as usize;
        let count = lines.len();
        let is_of_room =
            matches!(owner, Owner::Room(_)) || on.starts_with("timer ") || on.starts_with("command ");
        let mut at = Vec::new();
        if is_of_room {
            for room in rooms {
                if self.keep_in_room(*room, on, &lines, most) {
                    at.extend(self.homes.get(room).map(|home| format!("{}/{}", home.zone, home.key)));
                }
            }
        } else {
            let (list, key, folder) = match owner {
                Owner::Creature(mob) => {
                    (self.scripts.mobs.entry(mob).or_default(), self.creatures.get(&mob), "mobs")
                }
                Owner::Item(item) => {
                    (self.scripts.items.entry(item).or_default(), self.items.get(&item), "items")
                }
                Owner::Room(_) => return,
            };
            if list.len() < most {
                list.push((on.to_owned(), lines));
                at.extend(key.map(|key| format!("{folder}/{key}")));
            }
        }
        if at.is_empty() {
            return self.report.note(
                NoteKind::Script,
                place,
                whose,
                "left out: there is no room, or no space, for it",
            );
        }
        for at in at {
            let remark = format!("`{on}` of {at}, {}", deepwell_core::text::grammar::counted(count, "line"));
            self.report.note(NoteKind::KeptScript, place, whose, &remark);
        }
    }

    /// Stores a trigger of a room. Returns `false` if there is no space.
    fn keep_in_room(&mut self, room: i64, on: &str, lines: &[String], most: usize) -> bool {
        let there = self.scripts.rooms.entry(room).or_default();
        match TriggerEvent::parse(on, self.plan.limits.name_chars as usize) {
            Ok(event) if there.len() < most => {
                world::Trigger::append(event, lines.to_vec(), there);
                true
            }
            _ => false,
        }
    }
}

impl TriggersByOwner {
    /// Adds a trigger of a creature after those of its scripts.
    pub(in crate::circle) fn add_to_creature(&mut self, mob: i64, reaction: Reaction) {
        self.mobs.entry(mob).or_default().push(reaction);
    }

    /// Appends the triggers of prototypes to their files.
    pub(in crate::circle) fn write(
        &self,
        items: &Items,
        creatures: &Creatures,
        written: &mut [(String, String)],
    ) {
        let of_mobs = self
            .mobs
            .iter()
            .filter_map(|(mob, all)| Some((format!("content/mobs/{}.toml", creatures.get(mob)?), all)));
        let of_things = self
            .items
            .iter()
            .filter_map(|(item, all)| Some((format!("content/items/{}.toml", items.get(item)?), all)));
        for (path, reactions) in of_mobs.chain(of_things) {
            let Some((_, text)) = written.iter_mut().find(|(own, _)| *own == path) else { continue };
            for (on, lines) in reactions {
                let lines: Vec<String> = lines.iter().map(|line| format!("  {},\n", quoted(line))).collect();
                text.extend(["\n[[triggers]]\non = ", &quoted(on), "\nlines = [\n", &lines.concat(), "]\n"]);
            }
        }
    }
}
