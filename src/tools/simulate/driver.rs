//! The loop: virtual time, batches, storage, crashes. Everything a batch says is delivered after its commit.

use super::auditor::Auditor;
use super::bot::{Act, Bot};
use super::builder::TOKEN;
use super::gate::Gates;
use super::ledger::Ledger;
use super::rows::{self, Retired};
use super::{Breach, Plan, Report, Storage, Violation};
use crate::base::{CharacterId, Dice, GameTime, Rng, SessionId, Span};
use crate::catalog::Catalog;
use crate::game::{Class, Closed, Effect, Effects, Game, Input, Output};
use crate::world::{Changes, Character, Meta, Room, RoomKind, Snapshot, World};
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// When the first bot comes: some day.
const BEGIN: GameTime = GameTime(1_800_000_000_000);

/// How many inputs a violation shows.
const RECENT: usize = 12;

/// A run in progress.
pub(super) struct Driver<'a> {
    plan: &'a Plan,
    storage: &'a mut dyn Storage,
    catalog: Arc<Catalog>,
    game: Game,
    stored: Snapshot,
    bots: Vec<Bot>,
    /// When each bot acts next.
    agenda: BTreeSet<(GameTime, usize)>,
    owners: BTreeMap<SessionId, usize>,
    sessions: u64,
    dice: Rng,
    now: GameTime,
    /// Moments of the crashes to come, the next one last.
    crashes: Vec<GameTime>,
    /// Until when storage refuses to write, if it does.
    read_only_until: Option<GameTime>,
    /// What the batch has said so far, and how many more steps it takes.
    batch: (Effects, u32),
    auditor: Auditor,
    ledger: Ledger,
    retired: Retired,
    gates: Gates,
    recent: VecDeque<String>,
    report: Report,
}

type Outcome = Result<(), Breach>;

impl<'a> Driver<'a> {
    pub(super) fn new(
        plan: &'a Plan,
        catalog: Arc<Catalog>,
        storage: &'a mut dyn Storage,
    ) -> Result<Self, Box<Violation>> {
        let mut dice = plan.seed.named("driver").rng();
        let loaded = Game::load(Arc::clone(&catalog), plan.config.clone(), Snapshot::default());
        let game = loaded.map_err(|wrong| {
            let (breach, replay) = (Breach(wrong.mistakes().join("; ")), plan.command_line());
            Box::new(Violation { breach, step: 0, at: BEGIN, recent: Vec::new(), replay })
        })?;
        let seconds = plan.minutes.saturating_mul(60);
        let mut crashes: Vec<GameTime> =
            (0..plan.crashes).map(|_| BEGIN + Span::secs(i64::from(dice.between(1, seconds)))).collect();
        crashes.sort_unstable_by(|a, b| b.cmp(a));
        let bots: Vec<Bot> = (0..plan.players).map(|n| Bot::new(plan.seed, n)).collect();
        let mut driver = Self {
            auditor: Auditor::new(&game, plan.config.clone()),
            plan,
            storage,
            ledger: Ledger::default(),
            gates: Gates::new(Arc::clone(&catalog), &plan.config),
            catalog,
            game,
            stored: Snapshot::default(),
            agenda: BTreeSet::new(),
            owners: BTreeMap::new(),
            sessions: 0,
            now: BEGIN,
            crashes,
            read_only_until: None,
            batch: (Effects::new(), 0),
            retired: Retired::default(),
            recent: VecDeque::new(),
            report: Report::default(),
            dice,
            bots,
        };
        for bot in 0..driver.bots.len() {
            let at = BEGIN + Span::millis(i64::from(driver.dice.between(1, 60_000)));
            driver.agenda.insert((at, bot));
        }
        Ok(driver)
    }

    /// Plays to the end of the plan.
    pub(super) fn run(mut self) -> Result<Report, Box<Violation>> {
        let end = BEGIN + Span::mins(i64::from(self.plan.minutes));
        let outcome = self.play(end);
        outcome.map_err(|breach| {
            let recent = self.recent.iter().cloned().collect();
            let (step, at, replay) = (self.report.steps, self.now, self.plan.command_line());
            Box::new(Violation { breach, step, at, recent, replay })
        })?;
        Ok(self.report)
    }

    fn play(&mut self, end: GameTime) -> Outcome {
        self.step(&Input::OwnerToken { token: TOKEN.into() })?;
        self.commit(true)?;
        while let Some((at, bot)) = self.next(end) {
            self.now = self.now.max(at);
            if self.crashes.last().is_some_and(|crash| *crash <= self.now) {
                self.crashes.pop();
                self.crash()?;
                continue;
            }
            match bot {
                None => self.step(&Input::Wake)?,
                Some(bot) => self.turn(at, bot)?,
            }
            if self.batch.1 == 0 {
                self.commit(false)?;
                self.weather()?;
            }
        }
        self.now = end;
        if self.read_only_until.is_some() {
            self.clear_up()?;
        }
        self.step(&Input::Wake)?;
        self.commit(true)?;
        self.report.world.take_world(&self.stored)?;
        self.check(true)
    }

    /// Now and then storage cannot be written for a while: until it can, nothing changes.
    fn weather(&mut self) -> Outcome {
        match self.read_only_until {
            None if self.dice.up_to(299) == 0 => {
                self.read_only_until = Some(self.now + Span::secs(i64::from(self.dice.between(5, 120))));
                self.report.read_only += 1;
                self.step(&Input::StorageReadOnly(true))?;
                self.commit(false)
            }
            Some(until) if until <= self.now => self.clear_up(),
            _ => Ok(()),
        }
    }

    /// Storage can be written again: what came due meanwhile is carried out.
    fn clear_up(&mut self) -> Outcome {
        self.commit(false)?;
        self.step(&Input::StorageReadOnly(false))?;
        self.read_only_until = None;
        self.step(&Input::Wake)?;
        self.commit(false)
    }

    /// What comes next: a bot, or a deadline of the game. Now and then a deadline is overslept.
    fn next(&mut self, end: GameTime) -> Option<(GameTime, Option<usize>)> {
        let bot = self.agenda.first().copied();
        let deadline = self.game.next_deadline();
        let oversleeps = self.dice.percent(5);
        let next = match (bot, deadline) {
            (Some((at, bot)), Some(due)) if at < due || oversleeps => (at, Some(bot)),
            (Some((at, bot)), None) => (at, Some(bot)),
            (_, Some(due)) => (due, None),
            (None, None) => return None,
        };
        (next.0 <= end).then_some(next)
    }

    /// One bot does one thing, and decides when it does the next.
    fn turn(&mut self, at: GameTime, bot: usize) -> Outcome {
        self.agenda.remove(&(at, bot));
        let session = SessionId(self.sessions + 1);
        let game = &self.game;
        if let Act::Do(input) = self.bots[bot].act(session, |who| game.puzzle_hint(who)) {
            if let Input::Create { session, .. } | Input::Login { session, .. } = &input {
                self.sessions = session.0;
                self.owners.insert(*session, bot);
            }
            self.step(&input)?;
        }
        self.schedule(bot);
        Ok(())
    }

    fn schedule(&mut self, bot: usize) {
        let who = &mut self.bots[bot];
        let pause = if who.is_away() { who.absence() } else { who.pause() };
        self.agenda.insert((self.now + pause, bot));
    }

    fn step(&mut self, input: &Input) -> Outcome {
        while self.recent.len() >= RECENT {
            self.recent.pop_front();
        }
        let shown: String = format!("{} {input:?}", self.now.0).chars().take(200).collect();
        self.recent.push_back(shown);
        if self.batch.1 == 0 {
            self.batch.1 = self.dice.between(1, 8);
        }
        self.batch.1 -= 1;
        let mut effects = Effects::new();
        self.report.steps += 1;
        self.report.commands += u64::from(matches!(input, Input::Command { .. }));
        self.game.step(self.now, input.clone(), &mut effects);
        for effect in &effects {
            self.report.digest.take(effect);
        }
        self.report.effects += u64::try_from(effects.len()).unwrap_or(u64::MAX);
        self.auditor.step(&self.game, input, &effects, self.read_only_until.is_some())?;
        if let Input::Lost { session } = input {
            self.report.links_lost += 1;
            self.ledger.hang_up(*session);
        }
        self.batch.0.append(&mut effects);
        self.check(false)
    }

    /// Checks every invariant: after every step of a small world, and in proportion less often in a large one, so
    /// that a run's time grows with its steps alone.
    fn check(&mut self, always: bool) -> Outcome {
        let size = self.game.world().rooms.len() + self.game.world().characters.len();
        let every = u64::try_from(size / 64 + 1).unwrap_or(1);
        if !always && !self.report.steps.is_multiple_of(every) {
            return Ok(());
        }
        self.report.checks += 1;
        Breach::none(&self.game.check())
    }

    /// Stores what the batch changed, then delivers what it said.
    fn commit(&mut self, compare: bool) -> Outcome {
        self.batch.1 = 0;
        self.report.commits += 1;
        let mut changes = self.game.cut();
        if self.read_only_until.is_some() {
            rows::only_waiting(&changes, &self.stored)?;
        }
        self.retired.audit(&changes, &self.stored, &self.gates)?;
        self.tally_rows(&changes);
        self.storage.write(&mut changes, &self.stored);
        rows::owners_have_a_time(&changes)?;
        self.stored.apply(&changes);
        for effect in std::mem::take(&mut self.batch.0) {
            self.ledger.note(&effect)?;
            self.tally(&effect);
            self.deliver(&effect);
        }
        self.ledger.check_agreement(&self.game)?;
        self.compare(compare)
    }

    /// Compares every row of the world with storage.
    fn compare(&mut self, always: bool) -> Outcome {
        let every = u64::try_from(self.stored.rooms.len() / 16 + 1).unwrap_or(1);
        if !self.storage.is_faithful() || !(always || self.report.commits.is_multiple_of(every)) {
            return Ok(());
        }
        self.report.comparisons += 1;
        same(&self.stored, self.game.world())
    }

    fn deliver(&mut self, effect: &Effect) {
        let (Effect::Entered { session, .. }
        | Effect::Refused { session, .. }
        | Effect::Close { session, .. }
        | Effect::Output { session, .. }) = effect
        else {
            return;
        };
        if let Some(bot) = self.owners.get(session) {
            self.bots[*bot].read(effect);
        }
        if matches!(effect, Effect::Close { .. }) {
            self.owners.remove(session);
        }
    }

    fn tally(&mut self, effect: &Effect) {
        match effect {
            Effect::Close { why: Closed::TakenOver, .. } => self.report.takeovers += 1,
            // Who is alone is out in the step in which it falls, so the rows do not show it.
            Effect::Output { output: Output::Text(Class::Combat, text), .. } => {
                self.report.deaths += u64::from(text.text().starts_with("You fall."));
            }
            _ => {}
        }
    }

    /// Counts what a batch did, by what it writes.
    fn tally_rows(&mut self, changes: &Changes) {
        let stored = &self.stored;
        let new_branches = changes.branches.put.iter().filter(|b| !stored.branches.contains_key(&b.id));
        self.report.branches_opened += count(new_branches);
        self.report.branches_collapsed +=
            count(changes.branches.gone.iter().filter(|id| stored.branches.contains_key(id)));
        self.report.rooms += count(changes.rooms.put.iter().filter(|r| !stored.rooms.contains_key(&r.id)));
        let lives = |id: &&CharacterId| {
            let branch = stored.characters.get(id).and_then(|mob| mob.branch);
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
        let solved = count(freed.iter().filter(|row| row.kind == RoomKind::Puzzle));
        self.report.puzzles += solved;
        self.report.puzzles_waived += count(freed.iter()) - solved;
        let floors = changes.rooms.put.iter().filter(|r| !stored.rooms.contains_key(&r.id) && r.floor > 1);
        self.report.floors += count(floors.filter(|room| room.at == crate::base::Point::ORIGIN));
    }

    /// The process dies, mostly in the middle of a batch, and starts again after a while from what is stored.
    fn crash(&mut self) -> Outcome {
        if self.dice.percent(25) {
            self.commit(true)?;
        }
        self.report.crashes += 1;
        self.recent.push_back(format!("{} the process dies", self.now.0));
        let lost = std::mem::take(&mut self.batch.0);
        self.batch.1 = 0;
        if self.storage.replies_early() {
            lost.iter().try_for_each(|effect| self.ledger.note(effect))?;
        }
        self.owners.clear();
        self.read_only_until = None;
        self.storage.lose();
        let most = if self.dice.percent(90) { 5 } else { 600 };
        self.now = self.now + Span::secs(i64::from(self.dice.between(0, most)));
        self.retired.stay_gone(&self.stored)?;
        let reloaded = World::load(self.stored.clone(), Meta::fresh(self.plan.config.seed));
        same(&self.stored, &reloaded.map_err(|wrong| Breach(wrong.0.join("; ")))?)?;
        let loaded = Game::load(Arc::clone(&self.catalog), self.plan.config.clone(), self.stored.clone());
        self.game = loaded.map_err(|wrong| Breach(wrong.mistakes().join("; ")))?;
        self.ledger.check_survival(&self.game)?;
        self.auditor = Auditor::new(&self.game, self.plan.config.clone());
        self.agenda.clear();
        for bot in 0..self.bots.len() {
            self.bots[bot].cut_off();
            self.schedule(bot);
        }
        self.step(&Input::Wake)?;
        self.check(true)
    }
}

fn count<T>(of: impl Iterator<Item = T>) -> u64 {
    u64::try_from(of.count()).unwrap_or(u64::MAX)
}

/// Whether storage holds the world, row for row. The world's clock goes on between two batches.
fn same(stored: &Snapshot, world: &World) -> Outcome {
    let mut lives = world.snapshot();
    if let (Some(lives), Some(stored)) = (&mut lives.meta, &stored.meta) {
        lives.time = stored.time;
    }
    match stored.difference(&lives) {
        Some(table) => Err(Breach(format!("{table}: storage does not hold what the world holds (D2)"))),
        None => Ok(()),
    }
}
