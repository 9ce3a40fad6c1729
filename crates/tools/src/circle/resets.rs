//! Evaluation of the reset commands of zones: spawns of creatures and items, carried items, and states of doors.

use std::collections::BTreeMap;

use super::place::FileLine;
use super::report::{ImportReport, NoteKind};
use super::{ImportPlan, SourceRecords, bounded, items};
use crate::circle::records::flags;
use crate::circle::records::object::ObjectRecord;
use crate::circle::records::room::DIRECTIONS;
use crate::circle::records::zone::{ResetCommand, ZoneRecord};
use deepwell_core::catalog::area::script::RESPAWN_SECS;

/// Creature or item that spawns in a room, by number.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub(super) enum SpawnKind {
    Creature(i64),
    Item(i64),
}

/// Spawn count and respawn interval in seconds.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct SpawnRate {
    pub(super) count: u32,
    pub(super) every_secs: u32,
}

/// Result of all reset commands.
#[derive(Debug, Default)]
pub(super) struct Resets {
    /// Spawns, by room.
    pub(super) comings: BTreeMap<i64, BTreeMap<SpawnKind, SpawnRate>>,
    /// Items that cannot be taken, by room.
    pub(super) fixed: BTreeMap<i64, Vec<i64>>,
    /// Items carried by creatures, by creature.
    pub(super) carried: BTreeMap<i64, Vec<i64>>,
    /// Number of each item that each creature carries, by creature and item.
    pub(super) carried_count: BTreeMap<(i64, i64), u32>,
    /// Scripts that commands attach: kind of owner, owner, script and place.
    pub(super) scripts: Vec<(i64, i64, i64, FileLine)>,
    /// States of doors, by room and direction: 0 open, 1 shut, 2 locked.
    pub(super) doors: BTreeMap<(i64, usize), i64>,
}

/// Location of the most recent instance of an item.
#[derive(Clone, Copy, Debug)]
enum At {
    Room(i64),
    Creature(i64),
}

/// State of the evaluation.
struct ResetRun<'a, 'r> {
    source: &'a SourceRecords,
    plan: ImportPlan<'a>,
    report: &'r mut ImportReport,
    resets: Resets,
    every_secs: u32,
    last_mob: Option<i64>,
    last_item: Option<i64>,
    /// Location of the most recent instance, by item.
    places: BTreeMap<i64, At>,
    /// Number of instances created, by creature or item.
    made: BTreeMap<SpawnKind, i64>,
}

impl Resets {
    /// Runs the commands of all zones, in order of zone number.
    pub(super) fn run(source: &SourceRecords, plan: ImportPlan<'_>, report: &mut ImportReport) -> Self {
        let mut run = ResetRun {
            source,
            plan,
            report,
            resets: Self::default(),
            every_secs: *RESPAWN_SECS.end(),
            last_mob: None,
            last_item: None,
            places: BTreeMap::new(),
            made: BTreeMap::new(),
        };
        for zone in source.zones.values() {
            run.begin(zone);
            for command in &zone.commands {
                run.carry_out(command);
            }
        }
        run.resets
    }
}

impl ResetRun<'_, '_> {
    fn begin(&mut self, zone: &ZoneRecord) {
        let longest = *RESPAWN_SECS.end();
        self.every_secs = if zone.mode == 0 {
            longest
        } else {
            bounded(zone.lifespan.saturating_mul(60), *RESPAWN_SECS.start(), longest)
        };
        if zone.mode == 0 {
            let remark = format!("creatures and items respawn after {longest} seconds");
            self.report.note(NoteKind::Reset, &zone.place, "the zone is never reset", &remark);
        } else if zone.mode == 1 {
            let remark = "creatures and items respawn even while players are in the zone";
            self.report.note(
                NoteKind::Reset,
                &zone.place,
                "the zone is reset only while no player is in it",
                remark,
            );
        }
        self.last_mob = None;
    }

    fn left_out(&mut self, command: &ResetCommand, why: &str) {
        let letter = command.letter;
        self.report.note(
            NoteKind::Reset,
            &command.place,
            &format!("command {letter}"),
            &format!("left out: {why}"),
        );
    }

    fn carry_out(&mut self, command: &ResetCommand) {
        let [first, second, third] = command.numbers;
        match command.letter {
            'M' => {
                self.last_mob = None;
                if !self.source.mobs.contains_key(&first) {
                    self.left_out(command, &format!("creature {first} was not read"));
                } else if self.add_spawn(command, SpawnKind::Creature(first), second, third) {
                    self.last_mob = Some(first);
                }
            }
            'O' => {
                if self.item(command, first).is_some()
                    && self.add_spawn(command, SpawnKind::Item(first), second, third)
                {
                    self.places.insert(first, At::Room(third));
                }
            }
            'G' | 'E' => match (self.item(command, first), self.last_mob) {
                (Some(_), Some(mob)) => self.give(first, mob),
                (Some(_), None) => self.left_out(command, "there is no creature that it is for"),
                (None, _) => {}
            },
            'P' => self.put(command, first, third),
            'D' => self.set_door(command, first, second, third),
            'R' => self.left_out(command, &format!("item {second} stays in room {first}, if it is there")),
            'T' => self.attach(command, first, second, third),
            _ => {
                let what = format!("command {}", command.letter);
                self.report.note(
                    NoteKind::Script,
                    &command.place,
                    &what,
                    "left out: it sets a variable of a script",
                );
            }
        }
    }

    /// Returns an item by number; missing items and money are reported.
    fn item(&mut self, command: &ResetCommand, number: i64) -> Option<ObjectRecord> {
        let object = self.source.objects.get(&number).cloned();
        match object {
            None => self.left_out(command, &format!("item {number} was not read")),
            Some(object) if object.kind == items::MONEY => {
                self.left_out(command, "money does not lie about");
            }
            known => {
                self.last_item = Some(number);
                return known;
            }
        }
        None
    }

    /// Attaches a script to the room that is named, or to the last creature or item.
    fn attach(&mut self, command: &ResetCommand, kind: i64, trigger: i64, room: i64) {
        let owner = match kind {
            0 => self.last_mob,
            1 => self.last_item,
            2 => Some(room),
            _ => None,
        };
        if let Some(owner) = owner {
            self.resets.scripts.push((kind, owner, trigger, command.place.clone()));
        } else {
            let what = format!("command {}", command.letter);
            self.report.note(NoteKind::Script, &command.place, &what, "left out: it has no owner");
        }
    }

    fn give(&mut self, item: i64, mob: i64) {
        let count = self.resets.carried_count.entry((mob, item)).or_default();
        *count = count.saturating_add(1);
        let carried = self.resets.carried.entry(mob).or_default();
        if !carried.contains(&item) {
            carried.push(item);
        }
        self.places.insert(item, At::Creature(mob));
    }

    /// Adds an instance to a room and returns `true`, unless a limit is reached; the limit is then reported.
    fn add_spawn(&mut self, command: &ResetCommand, comer: SpawnKind, most: i64, room: i64) -> bool {
        if !self.source.rooms.contains_key(&room) {
            self.left_out(command, &format!("room {room} was not read"));
            return false;
        }
        let made = self.made.entry(comer).or_default();
        if *made >= most.max(1) {
            self.left_out(command, &format!("the limit of {most} is reached"));
            return false;
        }
        *made += 1;
        if let SpawnKind::Item(number) = comer
            && self.source.objects.get(&number).is_some_and(|object| !object.worn.has(flags::TAKE))
        {
            let fixed = self.resets.fixed.entry(room).or_default();
            if !fixed.contains(&number) {
                fixed.push(number);
            }
            return true;
        }
        let (kinds, most) =
            (self.plan.limits.spawns_per_room, self.plan.catalog.rules.roaming.creatures_in_room);
        let every_secs = self.every_secs;
        let comings = self.resets.comings.entry(room).or_default();
        let full = comings.len() >= kinds as usize && !comings.contains_key(&comer);
        let coming = (!full).then(|| comings.entry(comer).or_insert(SpawnRate { count: 0, every_secs }));
        let has_place = coming.filter(|coming| coming.count < most).map(|coming| coming.count += 1).is_some();
        if !has_place {
            self.left_out(command, &format!("room {room} has reached its spawn limit"));
        }
        has_place
    }

    /// Puts an item that was inside another item beside that item, or gives it to the creature that carries that item.
    fn put(&mut self, command: &ResetCommand, item: i64, into: i64) {
        if self.item(command, item).is_none() {
            return;
        }
        match self.places.get(&into).copied() {
            Some(At::Creature(mob)) => self.give(item, mob),
            Some(At::Room(room)) => {
                if self.add_spawn(command, SpawnKind::Item(item), i64::MAX, room) {
                    let remark = format!("lies beside item {into} in room {room}");
                    self.report.note(
                        NoteKind::Reset,
                        &command.place,
                        &format!("item {item} in item {into}"),
                        &remark,
                    );
                    self.places.insert(item, At::Room(room));
                }
            }
            None => self.left_out(command, &format!("item {into} is nowhere")),
        }
    }

    fn set_door(&mut self, command: &ResetCommand, room: i64, direction: i64, state: i64) {
        let exits = self.source.rooms.get(&room).map(|room| &room.exits);
        let exit =
            exits.and_then(|exits| exits.iter().find(|exit| i64::try_from(exit.direction) == Ok(direction)));
        match exit.map(|exit| (exit.direction, exit.door)) {
            Some((direction, 1..=4)) if (0..=2).contains(&state) => {
                self.resets.doors.insert((room, direction), state);
            }
            Some((direction, _)) => {
                let name = DIRECTIONS.get(direction).map_or("", |(name, _)| name);
                self.left_out(
                    command,
                    &format!("exit {name} of room {room} has no door, or {state} is not a door state"),
                );
            }
            None => self.left_out(command, &format!("room {room} has no exit {direction}")),
        }
    }
}
