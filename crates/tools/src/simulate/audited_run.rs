//! A world under audit: each move is played and checked by the audits of steps, commits and restarts. Effects of a
//! batch are delivered after its commit. The moves come from bots or from a recording.

use super::auditor::Auditor;
use super::gate::Gates;
use super::ledger::Ledger;
use super::report::take_world;
use super::rows::{self, Retired};
use super::stage::{SimulatedGame, guarded};
use super::{Breach, Case, RunViolation, SimulatedStorage, SimulationReport, bounds};
use deepwell_core::base::limits::Limits;
use deepwell_core::base::{CharacterId, Digest, GameTime, SessionId};
use deepwell_core::world::{
    Changes, Character, Meta, Room, RoomKind, Snapshot, World, WorldPart, untold_changes,
};
use deepwell_game::input::recording::{Recorded, RecordedMove};
use deepwell_game::{Class, CloseReason, Effect, Effects, Envelope, Input, Output};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// A run in progress.
pub(super) struct AuditedRun<'a> {
    pub(super) stage: SimulatedGame,
    storage: &'a mut dyn SimulatedStorage,
    /// Effects of the current batch.
    batch_effects: Effects,
    /// Set while storage is read-only.
    halted: bool,
    auditor: Auditor,
    limits: Limits,
    ledger: Ledger,
    retired: Retired,
    gates: Gates,
    /// Set if the rows of a part are supplied in the same moment in which they are requested.
    reads_at_once: bool,
    is_committed: bool,
    /// Character of each session, and those that were connected since the last commit.
    seated: BTreeMap<SessionId, CharacterId>,
    connected: BTreeSet<CharacterId>,
    /// Digests of the effects for each session, and of those for no session.
    digests: BTreeMap<Option<SessionId>, Digest>,
    /// All moves so far.
    moves: Vec<Recorded>,
    pub(super) report: SimulationReport,
}

type AuditResult = Result<(), Breach>;

impl<'a> AuditedRun<'a> {
    /// Creates a run with a new world.
    pub(super) fn new(case: &Case, storage: &'a mut dyn SimulatedStorage) -> Result<Self, Breach> {
        let (catalog, mut config) = (Arc::clone(&case.catalog), case.config.clone());
        storage.forget(&mut config);
        let stage = SimulatedGame::new(catalog, config, Snapshot::default())?;
        storage.lose();
        Ok(Self {
            auditor: Auditor::new(&stage.game, case.config.clone()),
            gates: Gates::new(Arc::clone(&case.catalog), &case.config),
            ledger: Ledger::default(),
            retired: Retired::default(),
            batch_effects: Effects::new(),
            halted: false,
            reads_at_once: case.reads_at_once,
            is_committed: false,
            seated: BTreeMap::new(),
            connected: BTreeSet::new(),
            digests: BTreeMap::new(),
            moves: Vec::new(),
            report: SimulationReport::default(),
            limits: case.config.limits.clone(),
            stage,
            storage,
        })
    }

    /// Plays a move and returns the effects delivered to clients.
    pub(super) fn play(&mut self, at: GameTime, what: RecordedMove) -> Result<Effects, Breach> {
        self.stage.now = at;
        self.moves.push(Recorded { at, what: what.clone() });
        match what {
            RecordedMove::Input(envelope) => self.step(&envelope).map(|()| Effects::new()),
            RecordedMove::Commit => self.commit(),
            RecordedMove::Crash => self.crash().map(|()| Effects::new()),
        }
    }

    /// Ends the run with a final check of everything.
    pub(super) fn end(mut self) -> Result<SimulationReport, Box<RunViolation>> {
        let looked = self.check(true).and_then(|()| self.commit_all()).and_then(|()| self.compare(true));
        self.digests.iter().for_each(|digest| self.report.digest.take(&digest));
        match looked.and_then(|()| take_world(&mut self.report.world, &self.stage.stored)) {
            Ok(()) => Ok(self.report),
            Err(breach) => Err(self.violation(breach).into()),
        }
    }

    /// Commits until no step is uncommitted: a commit supplies rows that have been requested, and so plays inputs.
    fn commit_all(&mut self) -> AuditResult {
        self.commit()?;
        while !self.is_committed {
            self.commit()?;
        }
        Ok(())
    }

    /// Returns `true` if no step has been played since the last commit.
    pub(super) const fn is_committed(&self) -> bool {
        self.is_committed
    }

    /// Converts a breach at the last move to a violation.
    pub(super) fn violation(self, breach: Breach) -> RunViolation {
        let (step, at) = (self.report.steps, self.stage.now);
        RunViolation { breach, step, at, moves: self.moves, again: String::new() }
    }

    fn step(&mut self, envelope: &Envelope) -> AuditResult {
        let input = &envelope.input;
        self.is_committed = false;
        self.report.steps += 1;
        self.report.commands += u64::from(matches!(input, Input::Command { .. }));
        self.halted |= *input == Input::StorageReadOnly(true);
        let mut effects = guarded(|| self.stage.step(envelope.clone()))?;
        // These are not sent to clients.
        let is_for_server = |effect: &&Effect| matches!(effect, Effect::Counted(_) | Effect::ReadPart { .. });
        for effect in effects.iter().filter(|effect| !is_for_server(effect)) {
            self.digests.entry(effect.session()).or_default().take(effect);
            self.report.effects += 1;
        }
        bounds::audit_step(&self.stage, &self.limits)?;
        self.auditor.step(&self.stage.game, input, &effects, self.halted)?;
        self.halted &= *input != Input::StorageReadOnly(false);
        if let Input::Lost { session } = input {
            self.report.links_lost += 1;
            self.ledger.hang_up(*session);
        }
        self.note_presence(input, &effects);
        let parts: Vec<WorldPart> = effects.iter().filter_map(to_read).collect();
        self.batch_effects.append(&mut effects);
        self.check(false)?;
        if self.reads_at_once {
            parts.into_iter().try_for_each(|part| self.wake(part))?;
        }
        Ok(())
    }

    /// Notes which characters are connected after a step, and which were before it.
    fn note_presence(&mut self, input: &Input, effects: &Effects) {
        let mut leaves = |seated: &mut BTreeMap<SessionId, CharacterId>, session: SessionId| {
            self.connected.extend(seated.remove(&session));
        };
        if let Input::Lost { session } = input {
            leaves(&mut self.seated, *session);
        }
        for effect in effects {
            match effect {
                Effect::Entered { session, character, .. } => {
                    leaves(&mut self.seated, *session);
                    self.seated.insert(*session, *character);
                }
                Effect::Close { session, .. } => leaves(&mut self.seated, *session),
                _ => {}
            }
        }
    }

    /// Supplies the stored rows of a part, which the game has requested.
    fn wake(&mut self, part: WorldPart) -> AuditResult {
        self.report.woken += u64::from(part.branch().is_some());
        self.report.returned += u64::from(part.branch().is_none());
        self.step(&self.stage.rows_of(part).into())
    }

    /// Checks the rows touched by the batch after every step. All invariants are checked less often as the world grows,
    /// so that run time is linear in the number of steps. A lasting defect is found by the next full check, at the
    /// latest at a crash or at the end.
    fn check(&mut self, always: bool) -> AuditResult {
        let size = self.stage.world().rooms.len() + self.stage.world().characters.len();
        let every = u64::try_from(size / 16 + 1).unwrap_or(1);
        if !always && !self.report.steps.is_multiple_of(every) {
            return Breach::none(&self.stage.world().check_touched());
        }
        self.report.checks += 1;
        self.stage.check()
    }

    /// Stores the changes of the batch, then delivers its effects.
    fn commit(&mut self) -> Result<Effects, Breach> {
        self.report.commits += 1;
        self.is_committed = true;
        let mut changes = guarded(|| self.stage.game.cut())?;
        if self.halted {
            rows::check_read_only(&changes, &self.stage.stored)?;
        }
        let cause = self.stage.cost.map_or("", |cost| cost.cause);
        bounds::audit(&changes, self.stage.world(), &self.limits)
            .map_err(|Breach(message)| Breach(format!("{message} (after {cause})")))?;
        self.retired.audit(&changes, &self.stage.stored, &self.gates)?;
        let connected = |who: CharacterId| {
            self.connected.contains(&who) || self.seated.values().any(|seated| *seated == who)
        };
        Breach::none(&untold_changes(&self.stage.stored, &changes, connected))?;
        self.connected.clear();
        self.tally_rows(&changes);
        self.storage.write(&mut changes, &self.stage.stored);
        rows::check_owner_deadlines(&changes)?;
        self.stage.stored.apply(&changes);
        let effects = std::mem::take(&mut self.batch_effects);
        for effect in &effects {
            self.ledger.note(effect)?;
            self.tally(effect);
        }
        self.ledger.check_agreement(&self.stage.game)?;
        if self.storage.is_faithful() {
            check_stored(self.stage.world().difference_in(&changes, &self.stage.stored))?;
        }
        self.compare(false)?;
        if !self.reads_at_once {
            effects.iter().filter_map(to_read).try_for_each(|part| self.wake(part))?;
        }
        Ok(effects)
    }

    /// Compares every row of the world with storage. Rows written by a batch are compared immediately. Other rows can
    /// differ only if a change was not recorded, and that can be detected later, so large worlds are compared less
    /// often.
    pub(super) fn compare(&mut self, always: bool) -> AuditResult {
        let every = u64::try_from(self.stage.stored.rows() / 16 + 1).unwrap_or(1);
        if !self.storage.is_faithful() || !(always || self.report.commits.is_multiple_of(every)) {
            return Ok(());
        }
        self.report.comparisons += 1;
        check_stored(self.stage.world().difference(&self.stage.stored))?;
        if always { self.check_all_rows() } else { Ok(()) }
    }

    /// Checks the stored world as a whole, with the parts that are asleep.
    fn check_all_rows(&self) -> AuditResult {
        let stored = &self.stage.stored;
        let loaded = World::load(stored.clone(), Meta::fresh(self.stage.config.seed));
        check_stored(loaded.map_err(|error| Breach(error.0.join("; ")))?.difference(stored))
    }

    fn tally(&mut self, effect: &Effect) {
        match effect {
            Effect::Close { why: CloseReason::TakenOver, .. } => self.report.takeovers += 1,
            // A character without a party is out in the same step, so the rows do not show its fall.
            Effect::Output { output: Output::Text(Class::Combat, text), .. } => {
                self.report.deaths += u64::from(text.text().starts_with("You fall."));
            }
            _ => {}
        }
    }

    /// Updates the figures from the rows that a batch writes.
    fn tally_rows(&mut self, changes: &Changes) {
        let stored = &self.stage.stored;
        let new_branches = changes.branches.put.iter().filter(|b| !stored.branches.contains_key(&b.id));
        self.report.branches_opened += count(new_branches);
        self.report.branches_collapsed +=
            count(changes.branches.gone.iter().filter(|id| stored.branches.contains_key(id)));
        self.report.rooms += count(changes.rooms.put.iter().filter(|r| !stored.rooms.contains_key(&r.id)));
        let lives = |id: &&CharacterId| {
            let branch = stored.characters.get(id).and_then(|creature| creature.branch);
            branch.is_some_and(|branch| !rows::has_collapsed(branch, changes, stored))
        };
        self.report.kills += count(changes.characters.gone.iter().filter(lives));
        self.report.gifts += count(changes.items.put.iter().filter(|item| rows::is_given(stored, item)));
        let grown =
            |row: &&Character| stored.characters.get(&row.id).is_some_and(|old| old.level < row.level);
        self.report.levels += count(changes.characters.put.iter().filter(grown));
        self.report.parties +=
            count(changes.parties.put.iter().filter(|p| !stored.parties.contains_key(&p.id)));
        let freed = |row: &&Room| {
            let old = stored.rooms.get(&row.id).and_then(|room| room.challenge.puzzle());
            old.is_some() && row.challenge.puzzle().is_none()
        };
        let freed: Vec<&Room> = changes.rooms.put.iter().filter(freed).collect();
        let solved = count(freed.iter().filter(|row| row.sheet.kind == RoomKind::Puzzle));
        self.report.puzzles += solved;
        self.report.puzzles_waived += count(freed.iter()) - solved;
        let floors = changes.rooms.put.iter().filter(|r| !stored.rooms.contains_key(&r.id) && r.floor > 1);
        self.report.floors += count(floors.filter(|room| room.at == deepwell_core::base::Point::ORIGIN));
    }

    /// Crashes the process and restarts it from the stored state.
    fn crash(&mut self) -> AuditResult {
        self.report.crashes += 1;
        let lost = std::mem::take(&mut self.batch_effects);
        if self.storage.replies_early() {
            lost.iter().try_for_each(|effect| self.ledger.note(effect))?;
        }
        self.halted = false;
        self.seated.clear();
        self.connected.clear();
        self.storage.lose();
        self.retired.check_deleted(&self.stage.stored)?;
        self.check_all_rows()?;
        self.stage.restart()?;
        self.ledger.check_survival(&self.stage.game_of_all_rows()?)?;
        self.auditor = Auditor::new(&self.stage.game, self.stage.config.clone());
        self.step(&Input::Wake.into())?;
        self.check(true)
    }
}

/// Returns the part whose rows an effect requests.
fn to_read(effect: &Effect) -> Option<WorldPart> {
    match effect {
        Effect::ReadPart { part } => Some(*part),
        _ => None,
    }
}

fn count<T>(of: impl Iterator<Item = T>) -> u64 {
    u64::try_from(of.count()).unwrap_or(u64::MAX)
}

/// Returns a breach if a table in storage differs from the world.
fn check_stored(table: Option<&str>) -> AuditResult {
    match table {
        Some(table) => Err(Breach(format!("{table}: storage differs from the world (D2)"))),
        None => Ok(()),
    }
}
