//! Driver of the simulation: runs bots in virtual time, and schedules batches, storage failures and crashes.

use super::audited_run::AuditedRun;
use super::bot::{Bot, BotAction};
use super::builder::TOKEN;
use super::files::SimulatedFiles;
use super::stage::BEGIN;
use super::{Breach, Case, RunViolation, SimulatedStorage, SimulationPlan, SimulationReport};
use deepwell_core::base::{Dice, GameTime, Rng, SessionId, Span};
use deepwell_game::input::recording::RecordedMove;
use deepwell_game::{BuilderRequest, Effect, Input};
use std::collections::{BTreeMap, BTreeSet};

/// A simulation in progress.
pub(super) struct SimulationDriver<'a> {
    run: AuditedRun<'a>,
    bots: Vec<Bot>,
    /// Time of each bot's next action.
    agenda: BTreeSet<(GameTime, usize)>,
    owners: BTreeMap<SessionId, usize>,
    dice: Rng,
    now: GameTime,
    end: GameTime,
    /// Times of the scheduled crashes, the next one last.
    crashes: Vec<GameTime>,
    /// End of the current read-only period of storage, if any.
    read_only_until: Option<GameTime>,
    /// Remaining steps of the current batch.
    batch: u32,
    files: SimulatedFiles,
}

type DriverResult = Result<(), Breach>;

impl<'a> SimulationDriver<'a> {
    pub(super) fn new(
        plan: &SimulationPlan,
        case: &Case,
        storage: &'a mut dyn SimulatedStorage,
    ) -> Result<Self, Breach> {
        let mut dice = plan.seed.named("driver").rng();
        let seconds = plan.minutes.saturating_mul(60);
        let mut crashes: Vec<GameTime> =
            (0..plan.crashes).map(|_| BEGIN + Span::secs(i64::from(dice.between(1, seconds)))).collect();
        crashes.sort_unstable_by(|a, b| b.cmp(a));
        let bots: Vec<Bot> = (0..plan.players).map(|n| Bot::new(plan.seed, n)).collect();
        let mut agenda = BTreeSet::new();
        for bot in 0..bots.len() {
            agenda.insert((BEGIN + Span::millis(i64::from(dice.between(1, 60_000))), bot));
        }
        Ok(Self {
            run: AuditedRun::new(case, storage)?,
            bots,
            agenda,
            owners: BTreeMap::new(),
            dice,
            now: BEGIN,
            end: BEGIN + Span::mins(i64::from(plan.minutes)),
            crashes,
            read_only_until: None,
            batch: 0,
            files: SimulatedFiles::default(),
        })
    }

    /// Runs the plan to its end.
    pub(super) fn run(mut self) -> Result<SimulationReport, Box<RunViolation>> {
        match self.play() {
            Ok(()) => self.run.end(),
            Err(breach) => Err(self.run.violation(breach).into()),
        }
    }

    fn play(&mut self) -> DriverResult {
        self.step(Input::OwnerToken { token: TOKEN.into() })?;
        self.commit()?;
        self.run.compare(true)?;
        while let Some((at, bot)) = self.next() {
            self.now = self.now.max(at);
            if self.crashes.last().is_some_and(|crash| *crash <= self.now) {
                self.crashes.pop();
                self.crash()?;
                continue;
            }
            match bot {
                None => self.step(Input::Wake)?,
                Some(bot) => self.turn(at, bot)?,
            }
            if self.batch == 0 {
                self.commit()?;
                self.toggle_read_only()?;
            }
        }
        self.now = self.end;
        if self.read_only_until.is_some() {
            self.end_read_only()?;
        }
        self.step(Input::Wake)
    }

    /// Starts and ends read-only periods of storage at random. During such a period nothing may change.
    fn toggle_read_only(&mut self) -> DriverResult {
        match self.read_only_until {
            None if self.dice.up_to(299) == 0 => {
                self.read_only_until = Some(self.now + Span::secs(i64::from(self.dice.between(5, 120))));
                self.run.report.read_only += 1;
                // Commit everything first: a batch that fails is rolled back whole.
                while self.commit_and_answer()? {}
                self.step(Input::StorageReadOnly(true))?;
                self.commit()
            }
            Some(until) if until <= self.now => self.end_read_only(),
            _ => Ok(()),
        }
    }

    /// Ends the read-only period and runs the timers that expired during it.
    fn end_read_only(&mut self) -> DriverResult {
        self.commit()?;
        self.step(Input::StorageReadOnly(false))?;
        self.read_only_until = None;
        self.step(Input::Wake)?;
        self.commit()
    }

    /// Returns the next event: a bot's action, or a deadline of the game (without a bot). Occasionally a deadline is
    /// served late.
    fn next(&mut self) -> Option<(GameTime, Option<usize>)> {
        let bot = self.agenda.first().copied();
        let deadline = self.run.stage.game.next_deadline();
        let oversleeps = self.dice.percent(5);
        let next = match (bot, deadline) {
            (Some((at, bot)), Some(due)) if at < due || oversleeps => (at, Some(bot)),
            (Some((at, bot)), None) => (at, Some(bot)),
            (_, Some(due)) => (due, None),
            (None, None) => return None,
        };
        (next.0 <= self.end).then_some(next)
    }

    /// Lets a bot act once and schedules its next action.
    fn turn(&mut self, at: GameTime, bot: usize) -> DriverResult {
        self.agenda.remove(&(at, bot));
        let stage = &mut self.run.stage;
        let session = SessionId(stage.sessions + 1);
        if let BotAction::Do(input) = self.bots[bot].act(session, |who| stage.game.puzzle_hint(who)) {
            if let Input::Create { session, .. } | Input::Login { session, .. } = &input {
                stage.sessions = session.0;
                self.owners.insert(*session, bot);
            }
            self.dry_run(bot, &input)?;
            self.step(input)?;
        }
        self.schedule(bot);
        Ok(())
    }

    /// Sends a builder's next line as a dry run first, as the web builder does; it must have no effect.
    fn dry_run(&mut self, bot: usize, input: &Input) -> DriverResult {
        let (Some(account), Input::Command { line, .. }) = (self.bots[bot].builds(), input) else {
            return Ok(());
        };
        let world = self.run.stage.game.world();
        let body = world.accounts.get(account).and_then(|row| world.characters.get(row.last_character?));
        let Some(room) = body.map(|body| body.room) else { return Ok(()) };
        let ask = BuilderRequest::Try { room, lines: vec![line.clone()] };
        let web_builder = Input::WebBuilder { asker: SessionId(u64::MAX), account, ask };
        self.run.play(self.now, RecordedMove::Input(web_builder.into())).map(drop)
    }

    fn schedule(&mut self, bot: usize) {
        let who = &mut self.bots[bot];
        let pause = if who.is_away() { who.absence() } else { who.pause() };
        self.agenda.insert((self.now + pause, bot));
    }

    fn step(&mut self, input: Input) -> DriverResult {
        self.count_step();
        self.run.play(self.now, RecordedMove::Input(input.into())).map(drop)
    }

    /// Counts a step; the length of a batch is rolled at its first step.
    fn count_step(&mut self) {
        if self.batch == 0 {
            self.batch = self.dice.between(1, 8);
        }
        self.batch -= 1;
    }

    /// Commits the batch and delivers its effects.
    fn commit(&mut self) -> DriverResult {
        self.commit_and_answer().map(drop)
    }

    /// Commits the batch. Returns `true` if requests of the batch for files or branches were answered; the answers belong
    /// to the next batch.
    fn commit_and_answer(&mut self) -> Result<bool, Breach> {
        self.batch = 0;
        for effect in self.run.play(self.now, RecordedMove::Commit)? {
            self.deliver(&effect);
        }
        let answers = std::mem::take(&mut self.files.answers);
        let is_answered = !answers.is_empty() || !self.run.is_committed();
        for answer in answers {
            self.step(answer)?;
        }
        Ok(is_answered)
    }

    fn deliver(&mut self, effect: &Effect) {
        self.files.take(effect, &mut self.dice);
        let Some(session) = effect.session() else { return };
        if let Some(bot) = self.owners.get(&session) {
            self.bots[*bot].read(effect);
        }
        if matches!(effect, Effect::Close { .. }) {
            self.owners.remove(&session);
        }
    }

    /// Crashes the process, usually in the middle of a batch, and restarts it after a random delay.
    fn crash(&mut self) -> DriverResult {
        if self.dice.percent(25) {
            while self.commit_and_answer()? {}
            self.run.compare(true)?;
        }
        self.batch = 0;
        self.files.answers.clear();
        self.owners.clear();
        self.read_only_until = None;
        let most = if self.dice.percent(90) { 5 } else { 600 };
        self.now = self.now + Span::secs(i64::from(self.dice.between(0, most)));
        self.agenda.clear();
        for bot in 0..self.bots.len() {
            self.bots[bot].cut_off();
            self.schedule(bot);
        }
        self.count_step();
        self.run.play(self.now, RecordedMove::Crash).map(drop)
    }
}
