//! Gates of puzzles: drawn and built when somebody first goes in, guarded, and plain where no puzzle can be made.

use crate::base::{BranchId, CharacterId, Direction, FloorId, RoomId, Seed};
use crate::dungeon::gate::{puzzle_guard, puzzle_reward, puzzle_seed};
use crate::game::command::Refusal;
use crate::game::{Class, Effect, Game};
use crate::puzzle::{self, CellId, Entry, Layout, Verb};
use crate::text::{Markup, Style};
use crate::world::puzzle::room_kind;
use crate::world::{Exit, ExitState, Floor, PuzzleRun, Role, Room};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Where a puzzle is built.
#[derive(Clone, Copy)]
pub(super) struct Site {
    /// The branch it belongs to.
    pub(super) branch: BranchId,
    /// The room outside.
    pub(super) gate: RoomId,
    /// Where its draws began.
    pub(super) seed: Seed,
    /// Whether it is a builder's trial.
    pub(super) test: bool,
}

impl Game {
    /// Puts the gate of a puzzle into a new room. It leads nowhere until somebody goes in. If the puzzle cannot be
    /// made with its settings, the room is an ordinary one.
    pub(in crate::game) fn place_gate(&mut self, room: RoomId, number: u32) {
        let refusal = match self.entry(room, number) {
            Some(entry) => entry.puzzle.accepts(&entry.config).err().map(|reason| {
                format!("{}: {} does not accept its settings: {reason}", line_of(entry), entry.puzzle.name())
            }),
            None => Some(format!("the theme has no puzzle {number}")),
        };
        if let Some(reason) = refusal {
            return self.waive_puzzle(room, &reason);
        }
        if let Some(row) = self.world.rooms.edit(room) {
            row.challenge.puzzle = Some(number);
        }
        self.new_exit(room, Direction::In, ExitState::Open, None, false);
    }

    /// A line of the list of the theme that a room was made by.
    fn entry(&self, room: RoomId, number: u32) -> Option<&Entry> {
        let theme = self.catalog.themes.get(&self.world.rooms[room].area)?;
        theme.puzzles.get(number as usize)
    }

    /// What the puzzle behind a gate sounds like.
    pub(super) fn sound_behind(&self, gate: RoomId) -> Option<String> {
        let number = self.world.rooms.get(gate)?.challenge.puzzle?;
        self.entry(gate, number)?.config.sound.clone()
    }

    /// No puzzle can be made here: the room is clear and plain, and those who write the content are told.
    fn waive_puzzle(&mut self, room: RoomId, reason: &str) {
        self.warn_builders(&format!("No puzzle in room {room}: {reason}."));
        if let Some(row) = self.world.rooms.edit(room) {
            row.challenge.puzzle = None;
            row.kind = crate::base::RoomKind::Dungeon;
        }
        self.check_clear(room);
    }

    /// Something is wrong with the content: it goes to the log, and to builders who play.
    fn warn_builders(&mut self, words: &str) {
        self.outbox.push(Effect::Warning { text: words.to_owned() });
        let builders: Vec<_> = self
            .seats
            .values()
            .filter(|seat| self.world.accounts[seat.account].role >= Role::Builder)
            .map(|seat| seat.character)
            .collect();
        for builder in builders {
            self.tell(builder, Class::System, format!("Warning: {words}"));
        }
    }

    /// Through the gate of a puzzle: the room inside, which comes to be if nobody was there before.
    pub(in crate::game) fn pass_gate(&mut self, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
        match exit.to {
            Some(to) => Ok(to),
            None => self.open_puzzle(who, exit),
        }
    }

    fn open_puzzle(&mut self, who: CharacterId, exit: &Exit) -> Result<RoomId, Refusal> {
        let room = &self.world.rooms[exit.room];
        let (gate, floor, at) = (room.id, room.floor, room.at);
        let branch = room.branch.ok_or(Refusal::NoWay)?;
        let fallen =
            || Refusal::Because("Behind the gate the roof has come down. There is nothing to solve.".into());
        let entry = room.challenge.puzzle.and_then(|number| self.entry(gate, number)).cloned();
        let Some(entry) = entry else {
            self.waive_puzzle(gate, "the theme no longer has it");
            return Err(fallen());
        };
        let seed = puzzle_seed(self.world.branches[branch].seed, floor, at);
        let drawn = puzzle::draw(&entry, seed);
        if let Some(reason) = &drawn.plain {
            self.warn_builders(&format!("A plain puzzle in room {gate}: {}: {reason}.", line_of(&entry)));
        }
        let rooms = self.world.branch_index(branch).map_or(0, |index| index.rooms.len());
        if rooms + drawn.layout.cells.len() > self.config.limits.rooms_per_branch as usize {
            self.waive_puzzle(gate, "the branch has as many rooms as it may");
            return Err(fallen());
        }
        let entrance = self.build_puzzle(Site { branch, gate, seed, test: false }, drawn.layout);
        let run = self.world.puzzle_at(entrance).map(|(_, run, _)| run.rooms.clone());
        for room in run.unwrap_or_default() {
            self.scale_room(room, who);
        }
        Ok(entrance)
    }

    /// Makes the rooms of a puzzle real, all at once, on a floor of their own. The room one comes in by.
    pub(super) fn build_puzzle(&mut self, site: Site, mut layout: Layout) -> RoomId {
        let level = self.world.floor_of(site.gate).map_or(1, |floor| floor.level);
        let number = self.world.next_floor_number(site.branch);
        let row = Floor::new(site.branch, number, level, layout.kind.clone());
        let floor = row.id;
        self.world.floors.put(floor, Floor { budgeted: false, ..row });
        let outside = self.world.rooms[site.gate].clone();
        let area = self.world.branches[site.branch].theme.clone();
        let mut rooms = Vec::new();
        for cell in &mut layout.cells {
            let id = self.world.new_room_id();
            rooms.push(id);
            self.world.add_room(Room {
                description: std::mem::take(&mut cell.description),
                environment: outside.environment.clone(),
                area: if outside.branch.is_some() { outside.area.clone() } else { area.clone() },
                branch: Some(site.branch),
                floor: number,
                at: cell.at,
                depth: outside.depth,
                difficulty: outside.difficulty,
                ..Room::new(id, room_kind(cell.kind), std::mem::take(&mut cell.name))
            });
        }
        let state = puzzle::start(&layout);
        let Site { gate, seed, test, .. } = site;
        let run = PuzzleRun { gate, seed, layout, state, rooms, guards: BTreeMap::new(), test };
        let entrance = run.room_of(run.layout.entrance).unwrap_or(gate);
        self.lay_ways(&run, entrance);
        if let Some(row) = self.world.floors.edit(floor) {
            row.puzzle = Some(Box::new(run));
        }
        self.reset_guards(floor);
        entrance
    }

    /// The exits of a new puzzle, and its gate.
    fn lay_ways(&mut self, run: &PuzzleRun, entrance: RoomId) {
        for (cell, plan) in run.layout.ids() {
            for (direction, passage) in &plan.exits {
                let ends = run.room_of(cell).zip(run.room_of(passage.to));
                if let Some(((from, to), state)) = ends.zip(run.exit_state(cell, *direction)) {
                    self.new_exit(from, *direction, state, Some(to), false);
                }
            }
        }
        self.new_exit(entrance, Direction::Out, ExitState::Open, Some(run.gate), true);
        let way_in = self.world.exits_of(run.gate).find(|exit| exit.is_gate()).map(|exit| exit.id);
        let way_in =
            way_in.unwrap_or_else(|| self.new_exit(run.gate, Direction::In, ExitState::Open, None, false));
        if let Some(exit) = self.world.exits.edit(way_in) {
            exit.to = Some(entrance);
        }
    }

    /// Sets a creature wherever one guards something that is still there, and sends away those that are left.
    pub(super) fn reset_guards(&mut self, floor: FloorId) {
        let Some(run) = self.world.edit_puzzle(floor) else { return };
        let old = std::mem::take(&mut run.guards);
        for mob in old.into_keys().filter(|mob| self.world.characters.get(*mob).is_some()).collect::<Vec<_>>()
        {
            self.stop_fights_of(mob);
            self.forgets(mob);
            self.world.remove_character(mob);
        }
        let Some(run) = self.run(floor) else { return };
        let mut posts: Vec<(CellId, usize, String, String)> = Vec::new();
        for (cell, _) in run.layout.ids() {
            let sights = puzzle::sights(&run.layout, &run.state, cell);
            let posted = sights.iter().filter(|sight| sight.verb == Some(Verb::Beat) && !sight.done);
            posts.extend(
                posted.map(|sight| (cell, sight.number, sight.thing.name.clone(), sight.thing.seen.clone())),
            );
        }
        for post in posts {
            self.post_guard(floor, post);
        }
    }

    fn post_guard(&mut self, floor: FloorId, (cell, number, name, seen): (CellId, usize, String, String)) {
        let Some((branch, run)) =
            self.world.floors.get(floor).and_then(|f| Some((f.branch, f.puzzle.as_deref()?)))
        else {
            return;
        };
        let Some(room) = run.room_of(cell) else { return };
        let dice = run.seed.named("guard").numbered(cell.0.into());
        let catalog = Arc::clone(&self.catalog);
        let row = &self.world.rooms[room];
        let key = catalog
            .themes
            .get(&row.area)
            .and_then(|theme| puzzle_guard(theme, &catalog, row.difficulty, dice));
        let guard = key.and_then(|key| self.spawn_mob(&key, room, Some(branch)));
        match guard {
            Some(guard) => {
                if let Some(body) = self.world.characters.edit(guard) {
                    (body.name, body.description) = (name, seen);
                }
                if let Some(run) = self.world.edit_puzzle(floor) {
                    run.guards.insert(guard, (cell, number));
                }
            }
            // Where nothing lives that could stand guard, what was guarded lies open.
            None => self.work_at(floor, None, cell, number),
        }
    }

    /// A creature has died in a room: if it guarded something in a puzzle, that is free now.
    pub(in crate::game) fn guards_fall(&mut self, room: RoomId) {
        let Some((floor, run, _)) = self.world.puzzle_at(room) else { return };
        let gone = |mob: &CharacterId| self.world.characters.get(*mob).is_none();
        let fallen: Vec<_> =
            run.guards.iter().filter(|(mob, _)| gone(mob)).map(|(mob, post)| (*mob, *post)).collect();
        for (mob, (cell, number)) in fallen {
            if let Some(run) = self.world.edit_puzzle(floor) {
                run.guards.remove(&mob);
            }
            if let Some(room) = self.run(floor).and_then(|run| run.room_of(cell)) {
                self.tell_guarded(floor, room, number, cell);
            }
            self.work_at(floor, None, cell, number);
        }
    }

    /// What waits outside for whoever has solved the puzzle: things and coins of the theme's hoards, by tier.
    pub(super) fn lay_reward(&mut self, floor: FloorId, gate: RoomId) {
        let Some(run) = self.run(floor) else { return };
        let (seed, losses) = (run.seed, run.state.losses);
        let row = &self.world.rooms[gate];
        let Some(theme) = self.catalog.themes.get(&row.area) else { return };
        let reward = puzzle_reward(theme, &self.catalog, row.difficulty, losses, seed);
        if let Some(row) = self.world.rooms.edit(gate) {
            row.challenge.reward.extend(reward.items);
            row.challenge.coins = row.challenge.coins.saturating_add(reward.coins);
        }
    }

    /// What one reads when what a creature guarded comes free.
    fn tell_guarded(&mut self, floor: FloorId, room: RoomId, number: usize, cell: CellId) {
        let told = self.run(floor).and_then(|run| {
            let thing = run.layout.cell(cell)?.mechanisms.get(number)?.thing()?;
            Some(thing.told.clone())
        });
        if let Some(told) = told {
            self.tell_room(room, &[], Class::Notice, Markup::styled(Style::Boon, &told));
        }
    }
}

/// Where an entry stands: "themes/well.toml:210".
fn line_of(entry: &Entry) -> String {
    format!("{}:{}", entry.place.file, entry.place.line)
}
