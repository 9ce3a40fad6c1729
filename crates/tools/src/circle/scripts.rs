//! Scripts of area files as triggers of creatures, items and rooms. Events of creatures that only rooms have here become
//! triggers of the rooms in which these creatures spawn.

use std::collections::{BTreeMap, BTreeSet};

use super::creatures::Creatures;
use super::place::Place;
use super::report::{Kind, Report};
use super::resets::{Resets, SpawnKind};
use super::script::{Scene, Translator};
use super::script_condition::Choice;
use super::script_tree::{self, Node};
use super::things::Things;
use super::{Plan, Source, homes, words};
use crate::circle::records::trigger::Trigger;
use deepwell_core::catalog::TriggerEvent;
use deepwell_core::catalog::script::trigger::TIMER_SECS;
use deepwell_core::data::edit::quoted;
use deepwell_core::world;
use deepwell_game::command::can_be_typed;

/// Seconds between two rolls for a random script.
const ROLL_SECS: i64 = 13;

/// Trigger of a prototype: its event and its lines.
pub(super) type Reaction = (String, Vec<String>);

/// Triggers of a room.
#[derive(Debug, Default)]
pub(super) struct RoomScripts {
    /// Lines for players who enter.
    pub(super) enter: Vec<String>,
    pub(super) triggers: Vec<world::Trigger>,
}

/// Triggers by owner.
#[derive(Debug, Default)]
pub(super) struct Scripts {
    pub(super) rooms: BTreeMap<i64, RoomScripts>,
    mobs: BTreeMap<i64, Vec<Reaction>>,
    things: BTreeMap<i64, Vec<Reaction>>,
}

/// Event of a trigger here, before its words are known.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Event {
    /// Event of a creature or an item.
    Own(&'static str),
    /// Words that a player says.
    Speech,
    /// Item that a creature receives.
    Receive,
    /// Coins that a creature receives.
    Bribe,
    /// Share of hit points.
    Hurt,
    /// A player enters the room.
    Enter,
    /// Event of a room.
    Room(&'static str),
    /// Line that begins with a word; of a creature, in its rooms.
    Command,
    /// Now and then; of a creature, in its rooms.
    Random,
}

/// Events by kind of owner and position of their flag; the others have no counterpart.
const EVENTS: [(i64, u32, Event); 18] = [
    (0, 1, Event::Random),
    (0, 2, Event::Command),
    (0, 3, Event::Speech),
    (0, 5, Event::Own("killed")),
    (0, 6, Event::Own("greet")),
    (0, 7, Event::Own("greet")),
    (0, 9, Event::Receive),
    (0, 11, Event::Hurt),
    (0, 12, Event::Bribe),
    (0, 16, Event::Own("leave")),
    (1, 6, Event::Own("get")),
    (1, 7, Event::Own("drop")),
    (1, 9, Event::Own("wear")),
    (2, 1, Event::Random),
    (2, 2, Event::Command),
    (2, 3, Event::Speech),
    (2, 6, Event::Enter),
    (2, 16, Event::Room("leave")),
];

/// Names of the events, by kind of owner and position.
const NAMES: [&str; 3] = [
    "GLOBAL RANDOM COMMAND SPEECH ACT DEATH GREET GREET_ALL ENTRY RECEIVE FIGHT HITPRCNT BRIBE LOAD MEMORY CAST LEAVE DOOR - TIME",
    "GLOBAL RANDOM COMMAND - - TIMER GET DROP GIVE WEAR - REMOVE - LOAD - CAST LEAVE - CONSUME TIME",
    "GLOBAL RANDOM COMMAND SPEECH - RESET ENTER DROP - - - - - - - CAST LEAVE DOOR - TIME",
];

/// State of the conversion.
struct Attach<'a, 'r> {
    source: &'a Source,
    things: &'a Things,
    creatures: &'a Creatures,
    homes: BTreeMap<i64, homes::Home>,
    /// Rooms in which each creature spawns.
    haunts: BTreeMap<i64, BTreeSet<i64>>,
    plan: Plan<'a>,
    scripts: Scripts,
    report: &'r mut Report,
}

/// Owner of a script: a creature, an item or a room.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
enum Owner {
    Mob(i64),
    Thing(i64),
    Room(i64),
}

impl Owner {
    const fn attach(self) -> i64 {
        match self {
            Self::Mob(_) => 0,
            Self::Thing(_) => 1,
            Self::Room(_) => 2,
        }
    }
}

/// Converts all scripts.
pub(super) fn convert(
    source: &Source,
    resets: &Resets,
    things: &Things,
    creatures: &Creatures,
    plan: Plan<'_>,
    report: &mut Report,
) -> Scripts {
    let mut haunts = BTreeMap::<i64, BTreeSet<i64>>::new();
    for (room, comings) in &resets.comings {
        for comer in comings.keys() {
            if let SpawnKind::Mob(mob) = comer {
                haunts.entry(*mob).or_default().insert(*room);
            }
        }
    }
    let homes = homes::of_rooms(source, plan);
    let scripts = Scripts::default();
    let mut attach = Attach { source, things, creatures, homes, haunts, plan, scripts, report };
    let mut used = BTreeSet::new();
    for (owner, numbers, place) in owners(source, resets) {
        for number in numbers {
            used.insert(number);
            attach.attach(owner, number, &place);
        }
    }
    for (number, trigger) in source.triggers.iter().filter(|(number, _)| !used.contains(number)) {
        let whose = format!("script {number}, {}", words::line(&trigger.name));
        attach.report.note(Kind::Script, &trigger.place, &whose, "left out: nothing that was read has it");
    }
    attach.scripts
}

/// Returns all owners with the numbers of their scripts, in the order of the files.
fn owners(source: &Source, resets: &Resets) -> Vec<(Owner, Vec<i64>, Place)> {
    let mut all = Vec::new();
    for (number, mob) in &source.mobs {
        all.push((Owner::Mob(*number), mob.triggers.clone(), mob.place.clone()));
    }
    for (number, object) in &source.objects {
        all.push((Owner::Thing(*number), object.triggers.clone(), object.place.clone()));
    }
    for (number, room) in &source.rooms {
        all.push((Owner::Room(*number), room.triggers.clone(), room.place.clone()));
    }
    for (kind, owner, trigger, place) in &resets.scripts {
        let owner = match kind {
            0 => Owner::Mob(*owner),
            1 => Owner::Thing(*owner),
            _ => Owner::Room(*owner),
        };
        all.push((owner, vec![*trigger], place.clone()));
    }
    all
}

impl Attach<'_, '_> {
    fn attach(&mut self, owner: Owner, number: i64, place: &Place) {
        let Some(trigger) = self.source.triggers.get(&number) else {
            let whose = format!("script {number}");
            return self.report.note(Kind::Script, place, &whose, "left out: no .trg file has it");
        };
        let whose = format!("script {number}, {}", words::line(&trigger.name));
        let known = match owner {
            Owner::Mob(mob) => self.creatures.contains_key(&mob),
            Owner::Thing(thing) => self.things.contains_key(&thing),
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
            return self.report.note(Kind::Script, &trigger.place, &whose, why);
        }
        let names =
            usize::try_from(trigger.attach).ok().and_then(|at| NAMES.get(at)).copied().unwrap_or_default();
        let is_event =
            |place: &u32| EVENTS.iter().any(|(attach, at, _)| (*attach, at) == (trigger.attach, place));
        let known: Vec<u32> = (0..20).filter(is_event).chain([0]).collect();
        let unknown = trigger.events.named(names, &known);
        if !unknown.is_empty() {
            let told = format!("left out: there is no event for {}", unknown.join(", "));
            self.report.note(Kind::Script, &trigger.place, &whose, &told);
        }
        let nodes = script_tree::parse(&trigger.commands);
        let mut done = BTreeSet::new();
        for (attach, at, event) in EVENTS {
            let is_meant = attach == trigger.attach && trigger.events.has(at);
            if is_meant && done.insert(format!("{event:?}")) {
                self.event(owner, number, trigger, event, &nodes);
            }
        }
    }

    /// Adds a script for one of its events.
    fn event(&mut self, owner: Owner, number: i64, trigger: &Trigger, event: Event, nodes: &[Node]) {
        let whose = format!("script {number}, {}", words::line(&trigger.name));
        if has_chance(event) && trigger.number <= 0 {
            let told = "left out: its chance is 0 percent";
            return self.report.note(Kind::Script, &trigger.place, &whose, told);
        }
        let rooms = self.rooms_of(owner);
        let voice = self.voice(owner, event);
        let is_of_room = matches!(owner, Owner::Room(_)) || voice.is_some();
        let zones: BTreeSet<&str> =
            rooms.iter().filter_map(|room| self.homes.get(room)).map(|home| home.zone.as_str()).collect();
        let zone = zones.first().copied().filter(|_| is_of_room && zones.len() == 1);
        let mob = match owner {
            Owner::Mob(mob) if voice.is_none() => Some(mob),
            _ => None,
        };
        let mut translator = Translator {
            scene: Scene {
                source: self.source,
                things: self.things,
                creatures: self.creatures,
                homes: &self.homes,
                mob,
                voice: voice.as_deref(),
                rooms: &rooms,
                zone,
                takes_gift: event == Event::Receive,
            },
            whose: whose.clone(),
            report: self.report,
        };
        let first = if voice.is_some() {
            let Owner::Mob(mob) = owner else { return };
            self.creatures.get(&mob).map(|key| format!("if not here {key}: stop"))
        } else {
            chance(trigger, event)
        };
        let mut made: Vec<(String, Vec<String>)> = Vec::new();
        let by_choice =
            matches!(event, Event::Speech | Event::Receive).then(|| translator.by_choice(nodes)).flatten();
        if let Some(choices) = by_choice {
            for (choice, branch) in choices {
                let words = match (choice, event) {
                    (Choice::Words(words), Event::Speech) => words,
                    (Choice::Items(items), Event::Receive) => items,
                    _ => continue,
                };
                let lines = translator.script(&branch.place, first.clone(), &branch.nodes);
                made.push((format!("{} {}", word_of(event), words.join(";")), lines));
            }
        } else {
            match event_words(trigger, event, self.plan) {
                Ok(on) => made.push((on, translator.script(&trigger.place, first, nodes))),
                Err(why) => {
                    let told = format!("left out: {why}");
                    self.report.note(Kind::Script, &trigger.place, &whose, &told);
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
            Owner::Mob(mob) => self.haunts.get(&mob).cloned().unwrap_or_default(),
            Owner::Thing(_) => BTreeSet::new(),
            Owner::Room(room) => BTreeSet::from([room]),
        }
    }

    /// Returns the name of a creature whose rooms run the script for it.
    fn voice(&self, owner: Owner, event: Event) -> Option<String> {
        let Owner::Mob(mob) = owner else { return None };
        let mob = self.source.mobs.get(&mob).filter(|_| matches!(event, Event::Command | Event::Random))?;
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
        place: &Place,
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
                Owner::Mob(mob) => {
                    (self.scripts.mobs.entry(mob).or_default(), self.creatures.get(&mob), "mobs")
                }
                Owner::Thing(thing) => {
                    (self.scripts.things.entry(thing).or_default(), self.things.get(&thing), "items")
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
                Kind::Script,
                place,
                whose,
                "left out: there is no room, or no space, for it",
            );
        }
        for at in at {
            let told = format!("`{on}` of {at}, {}", deepwell_core::text::grammar::counted(count, "line"));
            self.report.note(Kind::KeptScript, place, whose, &told);
        }
    }

    /// Stores a trigger of a room. Returns `false` if there is no space.
    fn keep_in_room(&mut self, room: i64, on: &str, lines: &[String], most: usize) -> bool {
        let there = self.scripts.rooms.entry(room).or_default();
        if on == "enter" {
            let is_free = there.enter.is_empty();
            if is_free {
                there.enter = lines.to_vec();
            }
            return is_free;
        }
        match TriggerEvent::parse(on, self.plan.limits.name_chars as usize) {
            Ok(event) if there.triggers.len() < most => {
                world::Trigger::append(event, lines.to_vec(), &mut there.triggers);
                true
            }
            _ => false,
        }
    }
}

/// Returns `true` if the number of a trigger is the chance of its event in percent.
fn has_chance(event: Event) -> bool {
    matches!(event, Event::Receive | Event::Enter | Event::Room(_) | Event::Random)
        || matches!(event, Event::Own(word) if word != "wear")
}

/// Returns the line that ends a script in some cases, if its event has a chance.
fn chance(trigger: &Trigger, event: Event) -> Option<String> {
    let percent = trigger.number;
    let is_rolled = has_chance(event) && event != Event::Random && (1..100).contains(&percent);
    is_rolled.then(|| format!("if not chance {percent}%: stop"))
}

fn word_of(event: Event) -> &'static str {
    match event {
        Event::Own(word) | Event::Room(word) => word,
        Event::Speech => "say",
        Event::Receive | Event::Bribe => "receive",
        Event::Hurt => "hurt",
        Event::Enter => "enter",
        Event::Command => "command",
        Event::Random => "timer",
    }
}

/// Returns the event as it is typed.
///
/// # Errors
/// The reason, if there is no such event here.
fn event_words(trigger: &Trigger, event: Event, plan: Plan<'_>) -> Result<String, String> {
    let argument = words::line(&trigger.argument).to_lowercase().replace([';', '~'], " ");
    let word = word_of(event);
    let fits = |words: String| {
        let most = plan.limits.name_chars as usize;
        if words.chars().count() > most {
            Err(format!("its words have more than {most} letters"))
        } else {
            Ok(words)
        }
    };
    match event {
        Event::Own(_) | Event::Room(_) | Event::Receive | Event::Enter => Ok(word.to_owned()),
        Event::Speech if argument.is_empty() || argument.contains('*') => {
            Err("there is no event for all that is said".to_owned())
        }
        // With a number, each word counts for itself; otherwise the whole text.
        Event::Speech if trigger.number != 0 => fits(words::keywords(&argument.replace('"', " ")).join(";"))
            .map(|words| format!("{word} {words}")),
        Event::Speech => fits(argument).map(|words| format!("{word} {words}")),
        Event::Bribe if trigger.number <= 1 => Ok("receive coins".to_owned()),
        Event::Bribe => Err(format!("no event asks for {} coins", trigger.number)),
        Event::Hurt if (1..100).contains(&trigger.number) => Ok(format!("hurt {}", trigger.number)),
        Event::Hurt => Err("its share of hit points is none from 1 to 99".to_owned()),
        Event::Command if argument.is_empty() || argument.contains('*') => {
            Err("there is no event for all commands".to_owned())
        }
        Event::Command => {
            let typed = words::keywords(&argument);
            match typed.iter().find(|word| can_be_typed(plan.catalog, word)) {
                Some(word) => Err(format!("{word} is a command or an exit of the game")),
                None => fits(typed.join(";")).map(|words| format!("{word} {words}")),
            }
        }
        Event::Random => {
            let percent = trigger.number.clamp(1, 100);
            let secs =
                (ROLL_SECS * 100 / percent).clamp((*TIMER_SECS.start()).into(), (*TIMER_SECS.end()).into());
            Ok(format!("{word} {secs}"))
        }
    }
}

impl Scripts {
    /// Adds a trigger of a creature after those of its scripts.
    pub(super) fn add_to_mob(&mut self, mob: i64, reaction: Reaction) {
        self.mobs.entry(mob).or_default().push(reaction);
    }

    /// Appends the triggers of prototypes to their files.
    pub(super) fn write(&self, things: &Things, creatures: &Creatures, written: &mut [(String, String)]) {
        let of_mobs = self
            .mobs
            .iter()
            .filter_map(|(mob, all)| Some((format!("content/mobs/{}.toml", creatures.get(mob)?), all)));
        let of_things = self
            .things
            .iter()
            .filter_map(|(thing, all)| Some((format!("content/items/{}.toml", things.get(thing)?), all)));
        for (path, reactions) in of_mobs.chain(of_things) {
            let Some((_, text)) = written.iter_mut().find(|(own, _)| *own == path) else { continue };
            for (on, lines) in reactions {
                let lines: Vec<String> = lines.iter().map(|line| format!("  {},\n", quoted(line))).collect();
                text.extend(["\n[[triggers]]\non = ", &quoted(on), "\nlines = [\n", &lines.concat(), "]\n"]);
            }
        }
    }
}
