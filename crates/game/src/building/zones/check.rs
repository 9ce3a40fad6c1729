//! Checks of hand-built rooms for mistakes and doubtful settings, reported to builders with the room and the nearest
//! known name. Read-only; rejects nothing.

use super::room_scripts::scripts;
use super::{check_definitions, check_routes};
use crate::access::drafts;
use crate::branch::{built_gate, start_room};
use crate::building::built_rooms;
use crate::character::variables;
use crate::exit::doors;
pub(crate) use crate::state::sweeps::{Remark, Severity};
use crate::state::sweeps::{SearchStage, SearchTarget, Sweep};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, RoomId};
use deepwell_core::catalog::script::variable::VariableUse;
use deepwell_core::catalog::script::{Condition, ScriptDeed, ScriptLine, ScriptRoomName, Test, UnknownName};
use deepwell_core::catalog::{Script, draft_key};
use deepwell_core::text::nearest;
use deepwell_core::world::{Exit, ExitKind, Room, RoomKind, Spawned, TriggerEvent};
use std::collections::{BTreeMap, BTreeSet};

/// Check of one room.
struct RoomCheck<'t, 's> {
    turn: &'t Turn,
    sweep: &'s mut Sweep,
}

/// Checks a room of the selected zones.
pub(super) fn look_at(turn: &Turn, sweep: &mut Sweep, room: &Room) {
    note_unreachable(turn, sweep, room);
    let mut survey = RoomCheck { turn, sweep };
    survey.look_at_room(room);
    survey.look_at_ways(room);
    survey.look_at_life(room);
}

/// Adds a doubt, unless the room was deleted while the search ran.
pub(super) fn doubt(turn: &Turn, sweep: &mut Sweep, room: RoomId, problem: String) {
    if turn.world.rooms.get(room).is_some() {
        sweep.remarks.add(sweep.page, Remark { weight: Severity::Doubt, room, words: problem });
    }
}

/// Records which of the wanted keys definitions hand out. A script in Luau that names a key may give it.
pub(super) fn note_keys_of_content(turn: &Turn, sweep: &mut Sweep) {
    let given = check_definitions::given_items(turn);
    let is_in_program = |key: &String| {
        turn.catalog.scripts.values().any(|program| program.source().contains(draft_key::plain(key)))
    };
    let wanted = sweep.locked.keys().filter(|key| given.contains(*key) || is_in_program(key));
    sweep.given.extend(wanted.cloned());
}

/// Assigns the next unreachable room to its group.
pub(super) fn count_cut_off(sweep: &mut Sweep) {
    // The other rooms of a group have lower numbers, so they are still in the map.
    match sweep.cut_off.pop_last() {
        Some((room, other)) => {
            let first = if other == room { room } else { group_of(&mut sweep.cut_off, other) };
            *sweep.groups.entry(first).or_default() += 1;
        }
        None => sweep.stage = SearchStage::Unreachable,
    }
}

/// Reports the next group of unreachable rooms.
pub(super) fn report_unreachable(turn: &Turn, sweep: &mut Sweep) {
    let Some((room, number)) = sweep.groups.pop_first() else {
        sweep.stage = SearchStage::Doors;
        return;
    };
    let problem = match number {
        0 | 1 => "nobody can walk here from the town.".to_owned(),
        2 => "nobody can walk from the town here, nor to the room that is joined to it.".to_owned(),
        _ => format!("nobody can walk from the town here, nor to the {} rooms joined to it.", number - 1),
    };
    doubt(turn, sweep, room, problem);
}

/// Reports the next locked door whose key cannot be obtained.
pub(super) fn report_locked(turn: &Turn, sweep: &mut Sweep) {
    let Some(mut doors) = sweep.locked.first_entry() else {
        sweep.stage = SearchStage::Prices;
        return;
    };
    let reported = if sweep.given.contains(doors.key()) { None } else { doors.get_mut().pop() };
    let Some((room, door)) = reported else {
        doors.remove();
        return;
    };
    let message = format!("the {door} needs {}, which nobody can come by.", doors.key());
    doubt(turn, sweep, room, message);
}

/// Groups rooms that cannot be reached from the town, so that one missing exit yields one remark. Drafts are exempt, as
/// they are not entered on foot.
fn note_unreachable(turn: &Turn, sweep: &mut Sweep, room: &Room) {
    let SearchTarget::Mistakes { zones, .. } = &sweep.sought else { return };
    let is_cut_off = |id: RoomId| {
        let is_meant = |row: &Room| row.branch.is_none() && zones.contains(&row.area);
        !sweep.walkable.contains(&id)
            && turn.world.rooms.get(id).is_some_and(is_meant)
            && drafts::draft_around(turn, id).is_none()
    };
    if !is_cut_off(room.id) {
        return;
    }
    let ways = turn.world.exits.of(room.id).filter(|exit| exit.kind == ExitKind::Exit);
    let joined: Vec<RoomId> = ways.filter_map(|exit| exit.to).filter(|to| is_cut_off(*to)).collect();
    let own = group_of(&mut sweep.cut_off, room.id);
    joined.into_iter().fold(own, |own, to| {
        let other = group_of(&mut sweep.cut_off, to);
        sweep.cut_off.insert(own.max(other), own.min(other));
        own.min(other)
    });
}

/// Returns the representative room of a group (union-find with path shortening).
fn group_of(groups: &mut BTreeMap<RoomId, RoomId>, mut room: RoomId) -> RoomId {
    loop {
        let parent = *groups.entry(room).or_insert(room);
        if parent == room {
            return room;
        }
        let above = groups.get(&parent).copied().unwrap_or(parent);
        groups.insert(room, above);
        room = above;
    }
}

/// Records which of the wanted keys a room provides: as stock, supplies, spawns, or by a script.
pub(super) fn note_provided_keys(turn: &Turn, sweep: &mut Sweep, room: RoomId) {
    let room = &turn.world.rooms[room];
    let mut given: Vec<String> = room.stock.iter().chain(&room.supplies).cloned().collect();
    given.extend(room.spawns.iter().filter_map(|rule| match &rule.what {
        Spawned::Item(key) => Some(key.clone()),
        Spawned::Creature(_) => None,
    }));
    for (_, script) in scripts(turn, room) {
        given.extend(script.iter().flat_map(check_definitions::items_given).cloned());
    }
    sweep.given.extend(given.into_iter().filter(|key| sweep.locked.contains_key(key)));
}

/// Returns the problems of a room's ordinary exits: dangling destinations, and rooms without a way back.
pub(crate) fn exit_problems(turn: &Turn, room: &Room) -> Vec<(Severity, String)> {
    let is_draft = drafts::draft_around(turn, room.id).is_some();
    let mut amiss = Vec::new();
    for exit in turn.world.exits.of(room.id).filter(|exit| exit.kind == ExitKind::Exit) {
        let Some(to) = exit.to.and_then(|to| turn.world.rooms.get(to)) else {
            amiss.push((Severity::Mistake, format!("the exit {} leads nowhere.", exit.name)));
            continue;
        };
        let is_back = |back: &Exit| back.to == Some(room.id);
        let leaves_draft = is_draft && to.area != room.area;
        if !leaves_draft && to.branch.is_none() && !turn.world.exits.of(to.id).any(is_back) {
            let message =
                format!("the exit {} leads to {}, and no exit leads back.", exit.name, to.sheet.name);
            amiss.push((Severity::Doubt, message));
        }
    }
    amiss
}

/// Number of remarks after which suggestions are omitted; each suggestion searches all names of a kind.
const SUGGESTED_MAX: usize = 200;

impl RoomCheck<'_, '_> {
    /// Returns the suggestion for an unknown name; empty if no name is near or there are too many remarks.
    fn asking<'n>(&self, name: &str, known: impl IntoIterator<Item = &'n str>) -> String {
        let known = known.into_iter().inspect(|_| self.turn.world.note_work(1));
        let meant = (self.sweep.remarks.count() < SUGGESTED_MAX).then(|| nearest(name, known)).flatten();
        meant.map_or_else(String::new, |meant| format!(" Did you mean {meant}?"))
    }

    fn mistake(&mut self, room: &Room, problem: String) {
        self.remark(room, Severity::Mistake, problem);
    }

    fn doubt(&mut self, room: &Room, problem: impl Into<String>) {
        self.remark(room, Severity::Doubt, problem.into());
    }

    fn remark(&mut self, room: &Room, weight: Severity, problem: String) {
        self.sweep.remarks.add(self.sweep.page, Remark { weight, room: room.id, words: problem });
    }

    /// Checks the room's text and purpose.
    fn look_at_room(&mut self, room: &Room) {
        if room.sheet.description.is_empty() || room.sheet.description == built_rooms::BARE {
            self.doubt(room, "nobody has said yet what one sees here.");
        }
        if room.sheet.kind == RoomKind::Shop && room.stock.is_empty() {
            self.doubt(room, "this shop sells nothing.");
        }
        if room.sheet.kind != RoomKind::Start {
            return;
        }
        let branches: Vec<_> =
            self.turn.world.exits.of(room.id).filter(|exit| exit.kind == ExitKind::Branch).collect();
        if branches.is_empty() {
            self.doubt(room, "this start room has no branch exit, so nobody can go down here.");
        }
        let own = self.turn.world.start_tasks.get(room.id).map(|tasks| &tasks.settings.exits);
        let settings = branches.iter().map(|exit| &*exit.settings).chain(own);
        let themes: BTreeSet<&String> = settings.filter_map(|settings| settings.theme.as_ref()).collect();
        let known = &self.turn.catalog.level_types;
        for theme in themes.into_iter().filter(|theme| !known.contains_key(*theme)) {
            let meant = self.asking(theme, known.keys().map(String::as_str));
            self.mistake(room, format!("there is no level type {theme}.{meant}"));
        }
    }

    /// Checks the room's exits.
    fn look_at_ways(&mut self, room: &Room) {
        let exits: Vec<&Exit> = self.turn.world.exits.of(room.id).collect();
        if exits.is_empty() {
            self.doubt(room, "no exit leads out of here.");
        }
        for (weight, problem) in exit_problems(self.turn, room) {
            self.remark(room, weight, problem);
        }
        for problem in start_room::unfit_puzzles(self.turn, room.id) {
            self.doubt(room, problem);
        }
        for exit in exits.into_iter().filter(|exit| exit.kind == ExitKind::Exit && exit.to.is_some()) {
            self.look_at_door(room, exit);
            if let Some(problem) = built_gate::problem(self.turn, exit) {
                self.mistake(room, format!("nothing is to be solved on the way {}. {problem}", exit.name));
            }
        }
    }

    fn look_at_door(&mut self, room: &Room, exit: &Exit) {
        let Some(door) = &*exit.door else { return };
        let items = &self.turn.catalog.items;
        match &door.key {
            Some(key) if !items.contains_key(key) => {
                let meant = self.asking(key, items.keys().map(String::as_str));
                self.mistake(
                    room,
                    format!("the {} needs the key {key}, which is no item.{meant}", door.name),
                );
            }
            Some(key) => {
                self.sweep.locked.entry(key.clone()).or_default().push((room.id, door.name.clone()));
            }
            None => {}
        }
        let far: Vec<ExitId> = doors::sides(self.turn, exit.id).into_iter().skip(1).collect();
        if far.iter().any(|side| self.turn.world.exits[*side].door != exit.door) {
            self.doubt(room, format!("the {} is another door, or none, from the other side.", door.name));
        }
    }

    /// Checks the room's stock, spawns and scripts.
    fn look_at_life(&mut self, room: &Room) {
        let (creatures, items) = (&self.turn.catalog.creatures, &self.turn.catalog.items);
        for key in room.offered_items().filter(|key| !items.contains_key(*key)) {
            let meant = self.asking(key, items.keys().map(String::as_str));
            self.mistake(room, format!("{key} is sold, bought or laid out, which is no item.{meant}"));
        }
        for rule in &room.spawns {
            let (what, meant) = match &rule.what {
                Spawned::Creature(key) if !creatures.contains_key(key) => {
                    ("creature", self.asking(key, creatures.keys().map(String::as_str)))
                }
                Spawned::Item(key) if !items.contains_key(key) => {
                    ("item", self.asking(key, items.keys().map(String::as_str)))
                }
                Spawned::Creature(_) | Spawned::Item(_) => continue,
            };
            self.mistake(room, format!("{} is to come here, which is no {what}.{meant}", rule.what.key()));
        }
        for rule in &room.spawns {
            let asked = rule.bounds.only_if.iter().flat_map(|asked| asked.0.variables());
            asked
                .for_each(|of| self.look_at_variable(room, &format!("the spawn of {}", rule.what.key()), of));
        }
        for (weight, problem) in check_routes::route_problems(self.turn, room) {
            self.remark(room, weight, problem);
        }
        if !room.is_deadly() && room.triggers.iter().any(|trigger| trigger.on == TriggerEvent::Death) {
            self.doubt(room, "the trigger death waits for a death where nobody fights.");
        }
        let counted: BTreeSet<String> = scripts(self.turn, room)
            .filter_map(|(_, script)| script)
            .flat_map(|script| {
                let counts = |line: &ScriptLine| match &line.deed {
                    ScriptDeed::Count(what) => Some(what.clone()),
                    _ => None,
                };
                script.lines().iter().filter_map(counts).collect::<Vec<_>>()
            })
            .collect();
        for (on, script) in scripts(self.turn, room) {
            match script {
                None => self.mistake(room, format!("the trigger {on} has lines that no script has.")),
                Some(script) => self.look_at_script(room, &on, &script, &counted),
            }
        }
    }

    fn look_at_variable(&mut self, room: &Room, place: &str, of: VariableUse<'_>) {
        let (turn, name) = (self.turn, of.name());
        match variables::kind_of(turn, room.id, name) {
            None => {
                let known = variables::known_names(turn, room.id);
                let meant = self.asking(name, known.iter().map(String::as_str));
                let message = format!("{place} names {name}, which no zone declares as a variable.{meant}");
                self.mistake(room, message);
            }
            Some(kind) => {
                if let Some(mismatch) = of.mismatch(kind) {
                    self.mistake(room, format!("{place}: the variable {name} {mismatch}."));
                }
            }
        }
    }

    fn look_at_script(&mut self, room: &Room, on: &str, script: &Script, counted: &BTreeSet<String>) {
        let turn = self.turn;
        for UnknownName { line, what, key, valid } in script.unknown_names(&turn.catalog) {
            let meant = self.asking(key, valid);
            self.mistake(
                room,
                format!("line {line} of the trigger {on} names {key}, which is no {what}.{meant}"),
            );
        }
        for (line, of) in script.variables() {
            self.look_at_variable(room, &format!("line {line} of the trigger {on}"), of);
        }
        for (number, line) in (1..).zip(script.lines()) {
            let place = format!("line {number} of the trigger {on}");
            for test in line.guard.condition().into_iter().flat_map(Condition::tests) {
                if let Test::Count(what, _) = test
                    && !counted.contains(what)
                {
                    let meant = self.asking(what, counted.iter().map(String::as_str));
                    self.doubt(room, format!("{place} asks for {what}, which nothing here counts.{meant}"));
                }
            }
            match &line.deed {
                ScriptDeed::Open(exit) | ScriptDeed::Shut(exit)
                    if doors::door_named(turn, room.id, exit).is_none() =>
                {
                    let known = turn.world.exits.of(room.id).filter(|exit| exit.door.is_some());
                    let meant = self.asking(exit, known.map(|exit| exit.name.as_str()));
                    self.mistake(
                        room,
                        format!("{place} moves the door of {exit}, where there is none.{meant}"),
                    );
                }
                ScriptDeed::Move(name) => {
                    let is_there = match name {
                        ScriptRoomName::Number(number) => {
                            turn.world.rooms.get(RoomId(*number)).is_some_and(|row| row.branch.is_none())
                        }
                        ScriptRoomName::Key(key) => super::room_called(turn, &room.area, key).is_some(),
                    };
                    if !is_there {
                        self.mistake(room, format!("{place} leads to room {name}, which is not there."));
                    }
                }
                _ => {}
            }
        }
    }
}
