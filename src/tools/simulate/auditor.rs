//! Looks over every step: the order of effects, deadlines, and the invariants of the world. What outlives a crash
//! is the business of `ledger` (what was told) and `rows` (what was written).

use super::Breach;
use super::builder::Builder;
use crate::base::{BranchId, CharacterId, ExitId, GameTime, RoomId, SessionId, Span};
use crate::game::{Effect, Effects, Game, GameConfig, Input};
use crate::world::{ExitKind, OpenWindow, StartTasks};
use std::collections::BTreeMap;

/// What the auditor remembers of the running process; a crash wipes it.
#[derive(Debug)]
pub(super) struct Auditor {
    config: GameConfig,
    sessions: BTreeMap<SessionId, Line>,
    deadlines: Deadlines,
}

/// Where a session stands in the order of effects.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Line {
    Asking,
    Playing,
    Closed,
}

/// Every stored deadline as it stood after the last step.
#[derive(Debug, Default)]
struct Deadlines {
    ticks: BTreeMap<RoomId, StartTasks>,
    windows: BTreeMap<ExitId, OpenWindow>,
    idle_since: BTreeMap<BranchId, GameTime>,
    link_dead: BTreeMap<CharacterId, GameTime>,
}

impl Auditor {
    pub(super) fn new(game: &Game, config: GameConfig) -> Self {
        Self { config, sessions: BTreeMap::new(), deadlines: Deadlines::of(game) }
    }

    /// After a step with this input. While the world is `halted`, because storage cannot be written, no deadline
    /// is kept.
    pub(super) fn step(
        &mut self,
        game: &Game,
        input: &Input,
        effects: &Effects,
        halted: bool,
    ) -> Result<(), Breach> {
        if let Input::Create { session, .. } | Input::Login { session, .. } = input {
            self.sessions.insert(*session, Line::Asking);
        }
        for effect in effects {
            self.order(effect)?;
        }
        // What was due before the link broke was still said to it.
        if let Input::Lost { session } = input {
            self.sessions.insert(*session, Line::Closed);
        }
        if halted {
            return Ok(());
        }
        let built = matches!(input, Input::Command { line, .. } if Builder::builds(line));
        let now = Deadlines::of(game);
        self.deadlines.kept(&now, game, &self.config, built)?;
        self.deadlines = now;
        match game.next_deadline() {
            Some(next) if next <= game.time() => {
                Err(Breach(format!("what was due at {} was not carried out", next.0)))
            }
            _ => Ok(()),
        }
    }

    /// `Entered` comes before everything else of a session, and nothing after its `Close`.
    fn order(&mut self, effect: &Effect) -> Result<(), Breach> {
        let (session, next) = match effect {
            Effect::Entered { session, .. } | Effect::Output { session, .. } => (*session, Line::Playing),
            Effect::Refused { session, .. } => (*session, Line::Asking),
            Effect::Close { session, .. } => (*session, Line::Closed),
            _ => return Ok(()),
        };
        let was = self.sessions.get(&session).copied();
        let fits = match was {
            Some(Line::Asking) => !matches!(effect, Effect::Output { .. }),
            Some(Line::Playing) => true,
            Some(Line::Closed) | None => false,
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
        let world = game.world();
        let exits = world.start_tasks.iter().flat_map(|(room, _)| world.exits_of(room));
        let until = |id| Some((id, world.characters.get(id)?.link_dead_until?));
        Self {
            ticks: world.start_tasks.iter().map(|(room, tasks)| (room, tasks.clone())).collect(),
            windows: exits
                .filter(|exit| exit.kind == ExitKind::Branch)
                .filter_map(|exit| Some((exit.id, exit.window?)))
                .collect(),
            idle_since: world.branches.iter().map(|(id, branch)| (id, branch.last_updated_at)).collect(),
            link_dead: world.awake_players().filter_map(until).collect(),
        }
    }

    /// Nothing happened before its time, twice, or not at all.
    fn kept(&self, new: &Self, game: &Game, config: &GameConfig, built: bool) -> Result<(), Breach> {
        let now = game.time();
        for (room, tasks) in &new.ticks {
            let Some(old) = self.ticks.get(room) else { continue };
            let dungeon = &config.dungeon;
            tick(old.next_reset_at, tasks.next_reset_at, dungeon.reset_interval, now, "reset (E46)")?;
            tick(old.next_check_at, tasks.next_check_at, dungeon.check_interval, now, "check (E47)")?;
        }
        for (exit, window) in &self.windows {
            let open = new.windows.get(exit) == Some(window);
            let idle = self.idle_since.get(&window.branch).copied().unwrap_or(now);
            let aged = idle + config.dungeon.max_life <= now;
            if !open && !built && !aged && window.guaranteed_until > now {
                let until = window.guaranteed_until.0;
                return Err(Breach(format!(
                    "exits {exit}: its window closed at {}, promised until {until} (E7)",
                    now.0
                )));
            }
        }
        for (id, until) in &new.link_dead {
            if *until <= now {
                return Err(Breach(format!(
                    "characters {id}: link-dead until {}, still awake at {} (N14)",
                    until.0, now.0
                )));
            }
        }
        for (id, until) in &self.link_dead {
            let asleep = game.world().characters.get(*id).is_none_or(|body| !body.awake);
            if asleep && *until > now {
                return Err(Breach(format!(
                    "characters {id}: asleep at {}, link-dead until {} (N14)",
                    now.0, until.0
                )));
            }
        }
        Ok(())
    }
}

/// A repeating tick: the next one lies ahead, and it moves only when it was due, by whole intervals.
fn tick(old: GameTime, new: GameTime, interval: Span, now: GameTime, what: &str) -> Result<(), Breach> {
    let moved = new != old;
    let right = new > now && (!moved || (old <= now && (new.0 - old.0) % interval.0 == 0));
    if right {
        Ok(())
    } else {
        Err(Breach(format!("the {what} due at {} became {} at {}", old.0, new.0, now.0)))
    }
}
