//! Test harness: one game, players by name, virtual time. After every step all invariants are checked, and the changes
//! are committed to a stored snapshot as the server does; a restart continues from it. Unit tests of the crate include
//! this file as well.

use deepwell::base::limits::Limits;
use deepwell::base::{
    AccountId, BranchId, CharacterId, Direction, GameTime, RoomId, RuleLimit, Seed, SessionId, Span,
};
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::game::effect::data::{CharStatus, RoomInfo};
use deepwell::game::{
    Class, CloseReason, Data, Effect, Envelope, FileRequest, Game, GameConfig, Input, Output, Package,
    Packages, PromptFields, PublicEvent,
};
use deepwell::world::{
    Branch, Changes, Character, Exit, QuestProgress, Room, Snapshot, World, WorldPart, untold_changes,
};
use std::collections::{BTreeMap, BTreeSet};
use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

/// Shipped content, loaded once for all tests.
pub(crate) static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| Arc::new(Catalog::builtin()));

/// Start time of every game. A full hour, so that ticks of a new world are at round offsets.
pub(crate) const DAWN: GameTime = GameTime(1_800_000_000_000);

/// Message sent to a player.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) class: Class,
    pub(crate) text: String,
}

/// Number of steps without changes and effects that count as one for the checks of invariants.
const IDLE_STEPS: u64 = 200;

/// Game with its players.
pub(crate) struct Table {
    pub(crate) game: Game,
    catalog: Arc<Catalog>,
    config: GameConfig,
    stored: Snapshot,
    last_changes: Changes,
    now: GameTime,
    seats: BTreeMap<String, SessionId>,
    /// Client addresses, for tests that depend on them.
    addresses: BTreeMap<String, IpAddr>,
    names: BTreeMap<SessionId, String>,
    inbox: BTreeMap<String, Vec<Heard>>,
    tape: Vec<Output>,
    charts: BTreeMap<String, Vec<RoomInfo>>,
    prompts: BTreeMap<String, PromptFields>,
    statuses: BTreeMap<String, Vec<CharStatus>>,
    /// Characters that were connected since the last commit.
    connected: BTreeSet<CharacterId>,
    steps: u64,
    steps_per_check: u64,
    allows_any_work: bool,
    largest_work: u64,
    /// Set if changes are stored after each step; otherwise they stay in the game for inspection.
    pub(crate) commits: bool,
    news: BTreeMap<String, Vec<(String, serde_json::Value)>>,
    refusals: Vec<String>,
    closed: Vec<(String, CloseReason)>,
    warnings: Vec<String>,
    published: Vec<PublicEvent>,
    limits_reached: Vec<RuleLimit>,
    sessions: u64,
    /// Requested parts that have not been read.
    to_read: Vec<WorldPart>,
    /// Requests for files of steps whose effects were delivered.
    pub(crate) files_asked: Vec<Arc<FileRequest>>,
    /// Set if requested parts are read at once.
    pub(crate) reads: bool,
}

/// Returns the shipped settings with a world seed, without guide and tips, which would alter expected output. Branches
/// and absent characters stay in memory, where tests look at their rows.
pub(crate) fn seeded(seed: u64) -> GameConfig {
    let mut config = GameConfig { seed: Seed(seed), guidance: false, ..GameConfig::default() };
    config.dungeon.sleep_after = Span::ZERO;
    config.limits.absent_after = Span::ZERO;
    config
}

/// Returns the shipped content with files changed or added, each as path and text.
pub(crate) fn changed_content(changes: &[(&str, &str)]) -> Arc<Catalog> {
    let kept = BUILTIN.iter().filter(|(path, _)| changes.iter().all(|(changed, _)| changed != path));
    let files: Vec<(&str, &str)> = kept.chain(changes).copied().collect();
    Arc::new(Catalog::load(&files).expect("the content has no mistakes"))
}

impl Table {
    /// Creates a new world.
    pub(crate) fn new(config: GameConfig) -> Self {
        Self::resume(config, Snapshot::default(), DAWN)
    }

    /// Creates a new world with the given content.
    pub(crate) fn with_content(config: GameConfig, catalog: &Arc<Catalog>) -> Self {
        Self::resume_with(config, Arc::clone(catalog), Snapshot::default(), DAWN)
    }

    /// Loads a stored world, with no player connected.
    pub(crate) fn resume(config: GameConfig, stored: Snapshot, now: GameTime) -> Self {
        Self::resume_with(config, Arc::clone(&CATALOG), stored, now)
    }

    /// Loads the stored world again beside this game, with the same players.
    pub(crate) fn copy(&self) -> Self {
        let mut copy =
            Self::resume_with(self.config.clone(), Arc::clone(&self.catalog), self.stored.clone(), self.now);
        for name in self.seats.keys() {
            copy.comes_back(name);
            copy.hears(name);
        }
        copy
    }

    fn resume_with(config: GameConfig, catalog: Arc<Catalog>, stored: Snapshot, now: GameTime) -> Self {
        let game = Game::load(Arc::clone(&catalog), config.clone(), stored.clone()).expect("the world loads");
        let mut table = Self {
            game,
            catalog,
            config,
            stored,
            last_changes: Changes::default(),
            now,
            seats: BTreeMap::new(),
            addresses: BTreeMap::new(),
            names: BTreeMap::new(),
            inbox: BTreeMap::new(),
            tape: Vec::new(),
            charts: BTreeMap::new(),
            prompts: BTreeMap::new(),
            statuses: BTreeMap::new(),
            connected: BTreeSet::new(),
            steps: 0,
            steps_per_check: 1,
            allows_any_work: false,
            largest_work: 0,
            commits: true,
            news: BTreeMap::new(),
            refusals: Vec::new(),
            closed: Vec::new(),
            warnings: Vec::new(),
            published: Vec::new(),
            limits_reached: Vec::new(),
            sessions: 0,
            to_read: Vec::new(),
            files_asked: Vec::new(),
            reads: true,
        };
        table.step(Input::Wake);
        table
    }

    /// Runs one step, committed and checked, and delivers its effects.
    pub(crate) fn step(&mut self, input: impl Into<Envelope>) {
        for effect in self.results_of(input) {
            self.deliver(effect);
        }
        if self.reads {
            self.read_parts();
        }
    }

    /// Supplies the stored rows of the requested parts.
    pub(crate) fn read_parts(&mut self) {
        for part in std::mem::take(&mut self.to_read) {
            // It may have been requested again after rows that could not be read.
            if !self.world().is_part_asleep(part) {
                continue;
            }
            let rows = self.stored.rows_of(part);
            assert_eq!(self.stored.check_rows(part, &rows), [""; 0]);
            self.step(Input::PartRows { part, rows: Some(Arc::new(rows)) });
        }
    }

    /// Runs one step, committed and checked; returns its effects undelivered.
    pub(crate) fn results_of(&mut self, input: impl Into<Envelope>) -> Vec<Effect> {
        let input = input.into();
        let what = if input.input == Input::Wake { "a timer".to_owned() } else { format!("{input:?}") };
        let mut effects = Vec::new();
        self.connected.extend(self.game.connected());
        // A read-only world carries out nothing, and does it in the step after.
        let is_running = self.game.next_deadline().is_some();
        let cost = self.game.step(self.now, input, &mut effects);
        if !self.allows_any_work {
            let excess = cost.excess(&Limits::default(), self.seats.len() as u64);
            assert_eq!(excess, None, "after {what}");
        }
        self.largest_work = self.largest_work.max(cost.work);
        let overdue = self.game.next_deadline().filter(|next| *next <= self.game.time());
        assert!(!is_running || overdue.is_none(), "not carried out after {what}: {overdue:?}");
        let has_changed = !self.commits || self.commit() || !effects.is_empty();
        // Most steps of a long wait move an idle creature.
        self.steps += if has_changed { IDLE_STEPS } else { 1 };
        if self.steps >= self.steps_per_check * IDLE_STEPS {
            self.steps = 0;
            let violations = self.game.check();
            assert!(violations.is_empty(), "after {what}:\n{}", violations.join("\n"));
        }
        effects
    }

    /// Stores the pending changes. Returns `true` if there are any.
    pub(crate) fn commit(&mut self) -> bool {
        let changes = self.game.cut();
        self.connected.extend(self.game.connected());
        let connected = std::mem::take(&mut self.connected);
        let untold = untold_changes(&self.stored, &changes, |who| connected.contains(&who));
        assert!(untold.is_empty(), "{}", untold.join("\n"));
        let has_changed = !changes.is_empty();
        if has_changed {
            self.stored.apply(&changes);
            self.last_changes = changes;
        }
        has_changed
    }

    /// Sets the number of steps between invariant checks, for large worlds.
    pub(crate) fn checks_every(&mut self, steps: u64) {
        self.steps_per_check = steps;
    }

    /// Permits steps of any cost, for worlds beyond the usual and for commands that are known to grow with them.
    pub(crate) fn allows_any_work(&mut self) {
        self.allows_any_work = true;
    }

    /// Returns the work of the most expensive step since the last call.
    pub(crate) fn takes_largest_work(&mut self) -> u64 {
        std::mem::take(&mut self.largest_work)
    }

    /// Delivers one effect to its session.
    pub(crate) fn deliver(&mut self, effect: Effect) {
        if let Effect::Output { output: output @ (Output::Text(..) | Output::Prompt(_)), .. } = &effect {
            self.tape.push(output.clone());
        }
        match effect {
            Effect::Output { session, output: Output::Text(class, text) } => {
                let name = self.names.get(&session).expect("text goes to somebody who sits here");
                let heard = Heard { class, text: text.text().to_owned() };
                self.inbox.entry(name.clone()).or_default().push(heard);
            }
            Effect::Refused { session, reason } => {
                self.names.remove(&session);
                self.refusals.push(reason);
            }
            Effect::Close { session, why } => {
                let name = self.names.get(&session).cloned().unwrap_or_default();
                if self.seats.get(&name) == Some(&session) {
                    self.seats.remove(&name);
                }
                self.closed.push((name, why));
            }
            Effect::Output { session, output: Output::Data(data) } => {
                let name = self.names.get(&session).expect("data goes to somebody who sits here");
                match &*data {
                    Data::RoomInfo(info) => {
                        self.charts.entry(name.clone()).or_default().push((**info).clone());
                    }
                    Data::CharStatus(news) => {
                        self.statuses.entry(name.clone()).or_default().push(news.now.clone());
                    }
                    _ => {}
                }
                let body = serde_json::to_value(&*data).expect("data is JSON");
                self.news.entry(name.clone()).or_default().push((data.address().1.to_owned(), body));
            }
            Effect::Output { session, output: Output::Prompt(fields) } => {
                let name = self.names.get(&session).expect("prompts go to somebody who sits here");
                self.prompts.insert(name.clone(), fields);
            }
            Effect::Warning { text } => self.warnings.push(text),
            Effect::Public(event) => self.published.push(*event),
            Effect::LimitReached(limit) => self.limits_reached.push(limit),
            Effect::ReadPart { part } => self.to_read.push(part),
            Effect::Files(request) => self.files_asked.push(request),
            Effect::Output { .. }
            | Effect::Inspect { .. }
            | Effect::MakeCode { .. }
            | Effect::Entered { .. }
            | Effect::Counted(_)
            | Effect::Answered { .. }
            | Effect::Reload { .. }
            | Effect::Stop { .. } => {}
        }
    }

    /// Sets the address that a player connects from.
    pub(crate) fn calls_from(&mut self, name: &str, address: &str) {
        self.addresses.insert(name.to_owned(), address.parse().expect("an address"));
    }

    /// Returns the reasons of refused logins, latest last.
    pub(crate) fn refusals(&self) -> &[String] {
        &self.refusals
    }

    /// Returns the limits reached since the last call.
    pub(crate) fn limits_reached(&mut self) -> Vec<RuleLimit> {
        std::mem::take(&mut self.limits_reached)
    }

    fn enters(&mut self, name: &str, input: Input) {
        self.step(Envelope { caller: self.addresses.get(name).copied(), ..input.into() });
    }

    fn next_session(&mut self, name: &str) -> SessionId {
        self.sessions += 1;
        let session = SessionId(self.sessions);
        self.names.insert(session, name.to_owned());
        session
    }

    /// Tries to create an account and character; returns the output, or the reason of a refusal.
    pub(crate) fn applies(&mut self, name: &str) -> Result<String, String> {
        let session = self.next_session(name);
        let before = self.refusals.len();
        let pre_login = Box::default();
        self.seats.insert(name.to_owned(), session);
        self.enters(
            name,
            Input::Create { session, name: name.into(), credential: "$test$".into(), pre_login },
        );
        if let Some(reason) = self.refusals.get(before).cloned() {
            self.seats.remove(name);
            return Err(reason);
        }
        Ok(self.hears(name))
    }

    /// Creates a player in the town. Returns the output.
    pub(crate) fn sit(&mut self, name: &str) -> String {
        self.applies(name).expect("the name is free")
    }

    /// Logs a player in again, taking over a connected character. Output of the former session goes to "NAME before".
    pub(crate) fn comes_back(&mut self, name: &str) -> String {
        if let Some(old) = self.seats.get(name) {
            self.names.insert(*old, format!("{name} before"));
        }
        let account = self.account(name);
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        let mark = self.mark(name);
        let pre_login = Box::default();
        self.enters(name, Input::Login { session, account, name: name.into(), pre_login, goes_on: false });
        self.since(name, mark)
    }

    /// Logs in as a given character of an account.
    pub(crate) fn log_in_as(&mut self, name: &str, account: AccountId) {
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        self.step(Input::Login {
            session,
            account,
            name: name.into(),
            pre_login: Box::default(),
            goes_on: false,
        });
    }

    /// Logs in with a recovery code and sets a new password.
    pub(crate) fn recover_account(&mut self, name: &str, credential: &str) {
        let account = self.account(name);
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        let (credential, pre_login) = (credential.to_owned(), Box::default());
        self.enters(
            name,
            Input::Recovered { session, account, name: name.to_owned(), credential, pre_login },
        );
    }

    /// Opens a session and sends the login input returned by `ask`.
    pub(crate) fn open_session(&mut self, name: &str, ask: impl FnOnce(SessionId) -> Input) {
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        self.enters(name, ask(session));
    }

    /// Returns the session of a connected player.
    pub(crate) fn session(&self, name: &str) -> SessionId {
        self.seats[name]
    }

    /// Breaks the player's link.
    pub(crate) fn break_link(&mut self, name: &str) {
        let session = self.seats.remove(name).expect("a connected player");
        self.step(Input::Lost { session });
    }

    /// Types a line. Returns the output it causes for the player.
    pub(crate) fn types(&mut self, name: &str, line: &str) -> String {
        let session = self.seats[name];
        let mark = self.mark(name);
        self.step(Input::Command { session, line: line.into() });
        self.since(name, mark)
    }

    /// Types a line. Returns the same with the class of each message, after what was heard before.
    pub(crate) fn types_messages(&mut self, name: &str, line: &str) -> Vec<Heard> {
        self.step(Input::Command { session: self.seats[name], line: line.into() });
        self.hears_messages(name)
    }

    /// Types several lines; returns the output of the last.
    pub(crate) fn types_all(&mut self, name: &str, lines: &[&str]) -> String {
        lines.iter().map(|line| self.types(name, line)).last().unwrap_or_default()
    }

    /// Returns the player's output since the last call, without answers to typed lines.
    pub(crate) fn hears(&mut self, name: &str) -> String {
        self.since(name, 0)
    }

    /// Returns the same with the class of each message.
    pub(crate) fn hears_messages(&mut self, name: &str) -> Vec<Heard> {
        self.inbox.remove(name).unwrap_or_default()
    }

    /// Returns all texts and prompts sent to any session so far.
    pub(crate) fn tape(&self) -> &[Output] {
        &self.tape
    }

    fn mark(&self, name: &str) -> usize {
        self.inbox.get(name).map_or(0, Vec::len)
    }

    fn since(&mut self, name: &str, mark: usize) -> String {
        let heard = self.inbox.entry(name.to_owned()).or_default().split_off(mark);
        heard.into_iter().map(|heard| heard.text).collect::<Vec<_>>().join("\n")
    }

    /// Requests `Room.Info` for the player's client.
    pub(crate) fn charts(&mut self, name: &str) {
        self.wants(name, [Package::Room]);
    }

    /// Requests data packages for the player's client.
    pub(crate) fn wants(&mut self, name: &str, packages: impl Into<Packages>) {
        self.step(Input::Wants { session: self.seats[name], packages: packages.into() });
    }

    /// Reports a screen reader for the player's client.
    pub(crate) fn uses_screen_reader(&mut self, name: &str) {
        self.step(Input::UsesScreenReader { session: self.seats[name] });
    }

    /// Returns the packages of one kind sent to the client since the last call for any kind.
    pub(crate) fn news(&mut self, name: &str, package: &str) -> Vec<serde_json::Value> {
        let news = self.news.remove(name).unwrap_or_default();
        news.into_iter().filter(|(kind, _)| kind == package).map(|(_, body)| body).collect()
    }

    /// Returns all packages sent to the client since the last call, in order.
    pub(crate) fn all_news(&mut self, name: &str) -> Vec<(String, serde_json::Value)> {
        self.news.remove(name).unwrap_or_default()
    }

    /// Returns every `Room.Info` sent to the client since the last call.
    pub(crate) fn charted(&mut self, name: &str) -> Vec<RoomInfo> {
        self.charts.remove(name).unwrap_or_default()
    }

    /// Requests `Char.Status` and related packages for the client.
    pub(crate) fn gauges(&mut self, name: &str) {
        self.wants(name, [Package::Character]);
    }

    /// Returns every `Char.Status` sent to the client since the last call.
    pub(crate) fn statuses(&mut self, name: &str) -> Vec<CharStatus> {
        self.statuses.remove(name).unwrap_or_default()
    }

    /// Returns the current prompt fields of a player.
    pub(crate) fn prompt(&self, name: &str) -> PromptFields {
        self.prompts[name]
    }

    /// Advances time, running each timer at its deadline.
    pub(crate) fn waits(&mut self, span: Span) {
        let until = self.now + span;
        while let Some(due) = self.game.next_deadline().filter(|due| *due <= until) {
            self.advance_clock_to(due);
            self.step(Input::Wake);
        }
        self.advance_clock_to(until);
        self.step(Input::Wake);
    }

    /// Advances the clock to a moment without running timers.
    pub(crate) fn advance_clock_to(&mut self, moment: GameTime) {
        self.now = self.now.max(moment);
    }

    /// Advances time while the server is down.
    pub(crate) fn sleeps(&mut self, span: Span) {
        self.now = self.now + span;
    }

    /// Restarts the server from its stored snapshot, by way of JSON; no player is connected afterwards.
    pub(crate) fn crash(&mut self) {
        let json = serde_json::to_string(&self.stored).expect("a snapshot is JSON");
        let mut stored: Snapshot = serde_json::from_str(&json).expect("a snapshot comes back");
        let difference = self.game.world().difference(&stored);
        assert_eq!(difference, None, "what was committed is not what was lived");
        let (branches, accounts) = (self.config.dungeon.sleep_after, self.config.limits.absent_after);
        stored = stored.awake_part(branches > Span::ZERO, accounts > Span::ZERO);
        stored.ledger.clear();
        self.game =
            Game::load(Arc::clone(&self.catalog), self.config.clone(), stored).expect("the world loads");
        self.seats.clear();
        self.names.clear();
        self.to_read.clear();
    }

    /// Crashes and restarts; connected players log in again.
    pub(crate) fn restart(&mut self) {
        let names: Vec<String> = self.seats.keys().cloned().collect();
        self.crash();
        for name in names {
            self.comes_back(&name);
        }
    }

    /// Restarts with stored rows edited by `change`, for example to make a character strong or nearly dead.
    pub(crate) fn edit_stored(&mut self, change: impl FnOnce(&mut Snapshot)) {
        let names: Vec<String> = self.seats.keys().cloned().collect();
        self.crash();
        change(&mut self.stored);
        self.game = Game::load(Arc::clone(&self.catalog), self.config.clone(), self.stored.clone())
            .expect("the changed world loads");
        self.step(Input::Wake);
        for name in names {
            self.comes_back(&name);
        }
    }

    /// Sets the level type behind a start exit of the well, for walks that were recorded there.
    pub(crate) fn puts_behind(&mut self, name: &str, level: &str) {
        self.edit_stored(|stored| {
            let rooms = &stored.rooms;
            let of_the_well = |exit: &&mut Exit| rooms[&exit.room].sheet.name == "Bottom of the Well";
            let exit = stored.exits.values_mut().filter(of_the_well).find(|exit| exit.name == name);
            let settings = &mut exit.expect("a start exit").settings;
            let mut changed = settings.to_value();
            changed.theme = Some(level.to_owned());
            *settings = changed.into();
        });
    }

    /// Lets a player be on a quest.
    pub(crate) fn begins_quest(&mut self, name: &str, quest: &str) {
        let id = self.body(name).id;
        self.edit_stored(|stored| {
            let body = stored.characters.get_mut(&id).expect("a stored body");
            body.quests.insert(quest.to_owned(), QuestProgress::default());
        });
    }

    /// Sets hit points and attack of a player.
    pub(crate) fn becomes(&mut self, name: &str, hp: i32, attack: i32) {
        let id = self.body(name).id;
        self.edit_stored(|stored| {
            let body = stored.characters.get_mut(&id).expect("a stored body");
            (body.hp, body.max_hp, body.attack) = (hp, body.max_hp.max(hp), attack);
        });
    }

    /// Makes a player the owner of the world, with all rights.
    pub(crate) fn make_owner(&mut self, name: &str) {
        self.step(Input::OwnerToken { token: "silver".into() });
        let reply = self.types(name, "claim silver");
        assert!(reply.contains("yours"), "{reply}");
    }

    /// Returns the world.
    pub(crate) fn world(&self) -> &World {
        self.game.world()
    }

    /// Returns the game.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// Returns the stored snapshot.
    pub(crate) fn stored(&self) -> &Snapshot {
        &self.stored
    }

    /// Returns the last batch with changes.
    pub(crate) fn last_changes(&self) -> &Changes {
        &self.last_changes
    }

    /// Returns the current time.
    pub(crate) fn now(&self) -> GameTime {
        self.now
    }

    /// Returns the closed sessions and their reasons.
    pub(crate) fn closed(&self) -> &[(String, CloseReason)] {
        &self.closed
    }

    /// Returns the events shown outside of the game since the last call.
    pub(crate) fn published(&mut self) -> Vec<PublicEvent> {
        std::mem::take(&mut self.published)
    }

    /// Returns the warnings to be logged about content.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// Returns the account of a player.
    pub(crate) fn account(&self, name: &str) -> AccountId {
        self.world().accounts.named(name).expect("an account of that name")
    }

    /// Returns the character id of a player.
    pub(crate) fn id(&self, name: &str) -> CharacterId {
        self.world().character_by_name(name).expect("a character of that name")
    }

    /// Returns the character of a player.
    pub(crate) fn body(&self, name: &str) -> &Character {
        &self.world().characters[self.id(name)]
    }

    /// Returns the room of a player.
    pub(crate) fn room(&self, name: &str) -> &Room {
        &self.world().rooms[self.body(name).room]
    }

    /// Returns the branch that a player is a member of.
    pub(crate) fn branch_of(&self, name: &str) -> Option<BranchId> {
        self.body(name).branch
    }

    /// Returns the branch of a player, who must be a member of one.
    pub(crate) fn branch(&self, name: &str) -> &Branch {
        &self.world().branches[self.branch_of(name).expect("a member of a branch")]
    }

    /// Returns the rooms of a branch, ordered by coordinates.
    pub(crate) fn rooms_of(&self, branch: BranchId) -> Vec<RoomId> {
        let index = self.world().branches.index_of(branch).expect("a living branch");
        index.rooms.values().copied().collect()
    }

    /// Returns the exit of the player's room in a direction.
    pub(crate) fn exit(&self, name: &str, direction: Direction) -> Option<&Exit> {
        self.world().exits.of(self.body(name).room).find(|exit| exit.direction == Some(direction))
    }
}
