//! Auditor of every step: the order of effects, deadlines, and the invariants of the world. Guarantees across a crash
//! are checked by `ledger` (messages sent to clients) and `rows` (rows written).

use super::Breach;
use super::builder::BuilderBot;
use deepwell_core::base::{BranchId, CharacterId, ExitId, GameTime, RoomId, SessionId, Span};
use deepwell_core::world::{ExitKind, OpenWindow, StartTasks};
use deepwell_game::{Effect, Effects, FileKind, Game, GameConfig, Input};
use std::collections::{BTreeMap, BTreeSet};

/// State of the auditor for the running process; discarded by a crash.
#[derive(Debug)]
pub(super) struct Auditor {
    config: GameConfig,
    sessions: BTreeMap<SessionId, SessionState>,
    deadlines: Deadlines,
    /// Set if storage was read-only after the last step, so that deadlines were not checked.
    halted: bool,
}

/// State of a session, for the order of its effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum SessionState {
    Asking,
    Playing,
    Closed,
}

/// Stored deadlines as of the last step.
#[derive(Debug, Default)]
struct Deadlines {
    ticks: BTreeMap<RoomId, StartTasks>,
    windows: BTreeMap<ExitId, OpenWindow>,
    idle_since: BTreeMap<BranchId, GameTime>,
    link_dead: BTreeMap<CharacterId, GameTime>,
}

/// Ids of rows that may have a deadline.
struct DeadlineRows {
    ticks: BTreeSet<RoomId>,
    exits: BTreeSet<ExitId>,
    branches: BTreeSet<BranchId>,
    bodies: BTreeSet<CharacterId>,
}

impl Auditor {
    pub(super) fn new(game: &Game, config: GameConfig) -> Self {
        Self { config, sessions: BTreeMap::new(), deadlines: Deadlines::of(game), halted: false }
    }

    /// Audits a step with this input. While the world is `halted`, because storage is read-only, deadlines are not
    /// checked.
    pub(super) fn step(
        &mut self,
        game: &Game,
        input: &Input,
        effects: &Effects,
        halted: bool,
    ) -> Result<(), Breach> {
        if let Input::Create { session, .. } | Input::Login { session, .. } = input {
            self.sessions.insert(*session, SessionState::Asking);
        }
        for effect in effects {
            self.order(effect)?;
        }
        // The effects of timers that expired before the link broke are still sent to the session.
        if let Input::Lost { session } = input {
            self.sessions.insert(*session, SessionState::Closed);
        }
        let was_halted = std::mem::replace(&mut self.halted, halted);
        if halted {
            return Ok(());
        }
        let built = match input {
            Input::Command { line, .. } => BuilderBot::builds(line),
            Input::FilesRead { kind: FileKind::Zone, .. } => true,
            _ => false,
        };
        let rows = if was_halted {
            DeadlineRows::with_deadlines(game, &self.deadlines)
        } else {
            DeadlineRows::touched(game)
        };
        self.deadlines.follow(game, &self.config, &rows, built)?;
        match game.next_deadline() {
            Some(next) if next <= game.time() => {
                Err(Breach(format!("what was due at {} was not carried out", next.0)))
            }
            _ => Ok(()),
        }
    }

    /// Checks that `Entered` is the first effect of a session and `Close` the last.
    fn order(&mut self, effect: &Effect) -> Result<(), Breach> {
        let (session, next) = match effect {
            Effect::Entered { session, .. } | Effect::Output { session, .. } => {
                (*session, SessionState::Playing)
            }
            Effect::Refused { session, .. } => (*session, SessionState::Asking),
            Effect::Close { session, .. } => (*session, SessionState::Closed),
            _ => return Ok(()),
        };
        let was = self.sessions.get(&session).copied();
        let fits = match was {
            Some(SessionState::Asking) => !matches!(effect, Effect::Output { .. }),
            Some(SessionState::Playing) => true,
            Some(SessionState::Closed) | None => false,
        };
        if !fits {
            return Err(Breach(format!("session {session}: {effect:?} out of order; it was {was:?}")));
        }
        self.sessions.insert(session, next);
        Ok(())
    }
}

impl Deadlines {
    fn of(game: &Game) -> Self {
        let mut deadlines = Self::default();
        let rows = DeadlineRows::with_deadlines(game, &deadlines);
        for room in rows.ticks {
            deadlines.take_tick(game, room);
        }
        for exit in rows.exits {
            deadlines.take_window(game, exit);
        }
        for branch in rows.branches {
            deadlines.take_branch(game, branch);
        }
        for body in rows.bodies {
            deadlines.take_link(game, body);
        }
        deadlines
    }

    /// Checks the deadlines of rows that the step may have changed: no timer ran early, twice or not at all. All other
    /// rows must merely not be overdue.
    fn follow(
        &mut self,
        game: &Game,
        config: &GameConfig,
        rows: &DeadlineRows,
        built: bool,
    ) -> Result<(), Breach> {
        let (dungeon, now) = (&config.dungeon, game.time());
        for room in &rows.ticks {
            let old = self.ticks.get(room).cloned();
            if let (Some(old), Some(new)) = (old, self.take_tick(game, *room)) {
                check_moved_by_intervals(
                    old.next_reset_at,
                    new.next_reset_at,
                    dungeon.reset_interval,
                    now,
                    "reset (E46)",
                )?;
                check_moved_by_intervals(
                    old.next_check_at,
                    new.next_check_at,
                    dungeon.check_interval,
                    now,
                    "check (E47)",
                )?;
            }
        }
        for tasks in self.ticks.values() {
            check_not_overdue(tasks.next_reset_at, now, "reset (E46)")?;
            check_not_overdue(tasks.next_check_at, now, "check (E47)")?;
        }
        // A window may close early if its branch had reached its maximum age before this step.
        for exit in &rows.exits {
            let Some(window) = self.windows.get(exit).copied() else {
                self.take_window(game, *exit);
                continue;
            };
            let open = self.take_window(game, *exit) == Some(window);
            let idle = self.idle_since.get(&window.branch).copied().unwrap_or(now);
            let aged = idle + dungeon.max_life <= now;
            if !open && !built && !aged && window.guaranteed_until > now {
                let until = window.guaranteed_until.0;
                return Err(Breach(format!(
                    "exits {exit}: its window closed at {}, guaranteed until {until} (E7)",
                    now.0
                )));
            }
        }
        for branch in &rows.branches {
            self.take_branch(game, *branch);
        }
        self.follow_links(game, &rows.bodies)
    }

    /// Checks that no link-dead character falls asleep before its deadline or stays awake after it.
    fn follow_links(&mut self, game: &Game, bodies: &BTreeSet<CharacterId>) -> Result<(), Breach> {
        let (world, now) = (game.world(), game.time());
        for (id, until) in &self.link_dead {
            let asleep = world.characters.get(*id).is_none_or(|body| !body.awake);
            if asleep && *until > now {
                return Err(Breach(format!(
                    "characters {id}: asleep at {}, link-dead until {} (N14)",
                    now.0, until.0
                )));
            }
        }
        for body in bodies {
            self.take_link(game, *body);
        }
        for (id, until) in &self.link_dead {
            if *until <= now {
                return Err(Breach(format!(
                    "characters {id}: link-dead until {}, still awake at {} (N14)",
                    until.0, now.0
                )));
            }
        }
        Ok(())
    }

    fn take_tick(&mut self, game: &Game, room: RoomId) -> Option<StartTasks> {
        let new = game.world().start_tasks.get(room).cloned();
        keep(&mut self.ticks, room, new.clone());
        new
    }

    fn take_window(&mut self, game: &Game, id: ExitId) -> Option<OpenWindow> {
        let world = game.world();
        let exit = world.exits.get(id).filter(|exit| exit.kind == ExitKind::Branch);
        let new =
            exit.filter(|exit| world.start_tasks.get(exit.room).is_some()).and_then(|exit| *exit.window);
        keep(&mut self.windows, id, new);
        new
    }

    fn take_branch(&mut self, game: &Game, id: BranchId) {
        let branch = game.world().branches.get(id);
        keep(&mut self.idle_since, id, branch.map(|branch| branch.last_updated_at));
    }

    fn take_link(&mut self, game: &Game, id: CharacterId) {
        let body = game.world().characters.get(id).filter(|body| body.awake && body.is_player());
        keep(&mut self.link_dead, id, body.and_then(|body| body.link_dead_until));
    }
}

impl DeadlineRows {
    /// Returns the rows changed by the current batch; no other row can have changed.
    fn touched(game: &Game) -> Self {
        let world = game.world();
        let ticks: BTreeSet<RoomId> = world.start_tasks.touched().collect();
        let near = ticks.iter().flat_map(|room| world.exits.of(*room)).map(|exit| exit.id);
        Self {
            exits: world.exits.touched().chain(near).collect(),
            branches: world.branches.touched().collect(),
            bodies: world.characters.touched().collect(),
            ticks,
        }
    }

    /// Returns all rows that have a deadline, or had one at the last check.
    fn with_deadlines(game: &Game, known: &Deadlines) -> Self {
        let world = game.world();
        let start_rooms = || world.start_tasks.iter().map(|(room, _)| room);
        let exits = start_rooms().flat_map(|room| world.exits.of(room)).map(|exit| exit.id);
        Self {
            ticks: start_rooms().chain(known.ticks.keys().copied()).collect(),
            exits: exits.chain(known.windows.keys().copied()).collect(),
            branches: world
                .branches
                .iter()
                .map(|(id, _)| id)
                .chain(known.idle_since.keys().copied())
                .collect(),
            bodies: world.awake_players().chain(known.link_dead.keys().copied()).collect(),
        }
    }
}

/// Replaces the known value for `id`, or removes it if `new` is `None`.
fn keep<K: Ord, V>(known: &mut BTreeMap<K, V>, id: K, new: Option<V>) {
    match new {
        Some(new) => drop(known.insert(id, new)),
        None => drop(known.remove(&id)),
    }
}

/// Checks that a repeating timer moves only when it has expired, and by whole intervals.
fn check_moved_by_intervals(
    old: GameTime,
    new: GameTime,
    interval: Span,
    now: GameTime,
    what: &str,
) -> Result<(), Breach> {
    if new == old || (old <= now && (new.0 - old.0) % interval.0 == 0) {
        Ok(())
    } else {
        Err(Breach(format!("the {what} due at {} became {} at {}", old.0, new.0, now.0)))
    }
}

/// Checks that an expired repeating timer has run.
fn check_not_overdue(next: GameTime, now: GameTime, what: &str) -> Result<(), Breach> {
    if next > now {
        Ok(())
    } else {
        Err(Breach(format!("the {what} due at {} is still due at {}", next.0, now.0)))
    }
}
