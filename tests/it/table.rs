//! A table to play at: one game, players by name, time that passes when told to. After every step all invariants
//! are checked and the changes are committed to a stored world, as the server does it; a restart plays on from there.
//! The tests inside the crate sit at the same table.

use deepwell::base::{AccountId, BranchId, CharacterId, Direction, GameTime, RoomId, Seed, SessionId, Span};
use deepwell::catalog::{BUILTIN, Catalog};
use deepwell::game::data::{CharStatus, RoomInfo};
use deepwell::game::{
    Class, Closed, Data, Effect, Game, GameConfig, Input, Output, Package, Packages, PromptFields,
};
use deepwell::world::{Branch, Changes, Character, Exit, Room, Settings, Snapshot, World};
use std::collections::BTreeMap;
use std::net::IpAddr;
use std::sync::{Arc, LazyLock};

/// The shipped content, read once for all tests.
pub(crate) static CATALOG: LazyLock<Arc<Catalog>> = LazyLock::new(|| Arc::new(Catalog::builtin()));

/// When every game begins. A whole hour, so that the ticks of a fresh world fall on round numbers from here.
pub(crate) const DAWN: GameTime = GameTime(1_800_000_000_000);

/// What was said to one player.
#[derive(Clone, Debug)]
pub(crate) struct Heard {
    pub(crate) class: Class,
    pub(crate) text: String,
}

/// A game with its players.
pub(crate) struct Table {
    pub(crate) game: Game,
    catalog: Arc<Catalog>,
    config: GameConfig,
    stored: Snapshot,
    last_changes: Changes,
    now: GameTime,
    seats: BTreeMap<String, SessionId>,
    /// Where players call from, if that matters.
    addresses: BTreeMap<String, IpAddr>,
    names: BTreeMap<SessionId, String>,
    inbox: BTreeMap<String, Vec<Heard>>,
    tape: Vec<Output>,
    charts: BTreeMap<String, Vec<RoomInfo>>,
    prompts: BTreeMap<String, PromptFields>,
    statuses: BTreeMap<String, Vec<CharStatus>>,
    steps: u64,
    steps_per_check: u64,
    /// Whether changes are stored after each step, or stay in the game for who looks at them.
    pub(crate) commits: bool,
    news: BTreeMap<String, Vec<(String, serde_json::Value)>>,
    refusals: Vec<String>,
    closed: Vec<(String, Closed)>,
    warnings: Vec<String>,
    sessions: u64,
}

/// The shipped settings with a world seed, but for the guide and the tips: tests read what is said word by word.
pub(crate) fn seeded(seed: u64) -> GameConfig {
    GameConfig { seed: Seed(seed), guidance: false, ..GameConfig::default() }
}

/// The shipped content with files changed or added, each as path and text.
pub(crate) fn changed_content(changes: &[(&str, &str)]) -> Arc<Catalog> {
    let kept = BUILTIN.iter().filter(|(path, _)| changes.iter().all(|(changed, _)| changed != path));
    let files: Vec<(&str, &str)> = kept.chain(changes).copied().collect();
    Arc::new(Catalog::load(&files).expect("the content has no mistakes"))
}

impl Table {
    /// A fresh world.
    pub(crate) fn new(config: GameConfig) -> Self {
        Self::resume(config, Snapshot::default(), DAWN)
    }

    /// A fresh world with content of its own.
    pub(crate) fn with_content(config: GameConfig, catalog: &Arc<Catalog>) -> Self {
        Self::resume_with(config, Arc::clone(catalog), Snapshot::default(), DAWN)
    }

    /// A world from storage, with nobody connected.
    pub(crate) fn resume(config: GameConfig, stored: Snapshot, now: GameTime) -> Self {
        Self::resume_with(config, Arc::clone(&CATALOG), stored, now)
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
            steps: 0,
            steps_per_check: 1,
            commits: true,
            news: BTreeMap::new(),
            refusals: Vec::new(),
            closed: Vec::new(),
            warnings: Vec::new(),
            sessions: 0,
        };
        table.step(Input::Wake);
        table
    }

    /// One step, committed and checked; everybody is told what results from it.
    pub(crate) fn step(&mut self, input: Input) {
        for effect in self.results_of(input) {
            self.deliver(effect);
        }
    }

    /// One step, committed and checked; what results from it is told to nobody.
    pub(crate) fn results_of(&mut self, input: Input) -> Vec<Effect> {
        let what = format!("{input:?}");
        let mut effects = Vec::new();
        self.game.step(self.now, input, &mut effects);
        self.steps += 1;
        if self.steps.is_multiple_of(self.steps_per_check) {
            let wrong = self.game.check();
            assert!(wrong.is_empty(), "after {what}:\n{}", wrong.join("\n"));
        }
        if self.commits {
            self.commit();
        }
        effects
    }

    /// Stores what has changed.
    pub(crate) fn commit(&mut self) {
        let changes = self.game.cut();
        if !changes.is_empty() {
            self.stored.apply(&changes);
            self.last_changes = changes;
        }
    }

    /// From now on the invariants are checked after so many steps each: for worlds that grow large.
    pub(crate) fn checks_every(&mut self, steps: u64) {
        self.steps_per_check = steps;
    }

    /// Gives one result to whom it is for.
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
            Effect::Output { .. }
            | Effect::Inspect { .. }
            | Effect::MakeCode { .. }
            | Effect::Entered { .. }
            | Effect::Counted(_)
            | Effect::Answered { .. }
            | Effect::Reload { .. }
            | Effect::WriteZone { .. }
            | Effect::ReadZones { .. }
            | Effect::WriteMade { .. }
            | Effect::ReadMade { .. }
            | Effect::Stop { .. } => {}
        }
    }

    /// From now on a player calls from this address.
    pub(crate) fn calls_from(&mut self, name: &str, address: &str) {
        self.addresses.insert(name.to_owned(), address.parse().expect("an address"));
    }

    /// Why people were not let in, the latest last.
    pub(crate) fn refusals(&self) -> &[String] {
        &self.refusals
    }

    fn enters(&mut self, name: &str, input: Input) {
        let input = match self.addresses.get(name) {
            Some(address) => input.from(*address),
            None => input,
        };
        self.step(input);
    }

    fn next_session(&mut self, name: &str) -> SessionId {
        self.sessions += 1;
        let session = SessionId(self.sessions);
        self.names.insert(session, name.to_owned());
        session
    }

    /// Tries to make a new account and character; the reason if that is refused.
    pub(crate) fn applies(&mut self, name: &str) -> Result<String, String> {
        let session = self.next_session(name);
        let before = self.refusals.len();
        let pre_login = Settings::default();
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

    /// A new player sits down, in the town. Returns what they read.
    pub(crate) fn sit(&mut self, name: &str) -> String {
        self.applies(name).expect("the name is free")
    }

    /// Logs a known player in, whatever their body is doing. What their former connection still reads is heard by
    /// "NAME before".
    pub(crate) fn comes_back(&mut self, name: &str) -> String {
        if let Some(old) = self.seats.get(name) {
            self.names.insert(*old, format!("{name} before"));
        }
        let account = self.account(name);
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        let mark = self.mark(name);
        let pre_login = Settings::default();
        self.enters(name, Input::Login { session, account, name: name.into(), pre_login, goes_on: false });
        self.since(name, mark)
    }

    /// A client logs in and plays a certain character of an account.
    pub(crate) fn logs_in_as(&mut self, name: &str, account: AccountId) {
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        self.step(Input::Login {
            session,
            account,
            name: name.into(),
            pre_login: Settings::default(),
            goes_on: false,
        });
    }

    /// A player comes in with a recovery code, and gives the account a new password.
    pub(crate) fn recovers(&mut self, name: &str, credential: &str) {
        let account = self.account(name);
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        let (credential, pre_login) = (credential.to_owned(), Settings::default());
        self.enters(
            name,
            Input::Recovered { session, account, name: name.to_owned(), credential, pre_login },
        );
    }

    /// A client at the door asks to be somebody, in its own way.
    pub(crate) fn takes_seat(&mut self, name: &str, ask: impl FnOnce(SessionId) -> Input) {
        let session = self.next_session(name);
        self.seats.insert(name.to_owned(), session);
        self.enters(name, ask(session));
    }

    /// The session of a player who is there.
    pub(crate) fn session(&self, name: &str) -> SessionId {
        self.seats[name]
    }

    /// The connection of a player breaks.
    pub(crate) fn link_breaks(&mut self, name: &str) {
        let session = self.seats.remove(name).expect("a connected player");
        self.step(Input::Lost { session });
    }

    /// A player types a line. Returns everything they read because of it.
    pub(crate) fn types(&mut self, name: &str, line: &str) -> String {
        let session = self.seats[name];
        let mark = self.mark(name);
        self.step(Input::Command { session, line: line.into() });
        self.since(name, mark)
    }

    /// Types several lines; returns what the last one gave.
    pub(crate) fn types_all(&mut self, name: &str, lines: &[&str]) -> String {
        lines.iter().map(|line| self.types(name, line)).last().unwrap_or_default()
    }

    /// Everything that a player read since this was last asked, but for the answers to their own lines.
    pub(crate) fn hears(&mut self, name: &str) -> String {
        self.since(name, 0)
    }

    /// The same, with the class of each message.
    pub(crate) fn hears_messages(&mut self, name: &str) -> Vec<Heard> {
        self.inbox.remove(name).unwrap_or_default()
    }

    /// Every text and prompt that anybody has been given so far, as it went to their session.
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

    /// The client of a player asks for `Room.Info`.
    pub(crate) fn charts(&mut self, name: &str) {
        self.wants(name, [Package::Room]);
    }

    /// The client of a player asks for data.
    pub(crate) fn wants(&mut self, name: &str, packages: impl Into<Packages>) {
        self.step(Input::Wants { session: self.seats[name], packages: packages.into() });
    }

    /// The client of a player says that it reads aloud what it gets.
    pub(crate) fn uses_screen_reader(&mut self, name: &str) {
        self.step(Input::UsesScreenReader { session: self.seats[name] });
    }

    /// Every package of a kind that a player's client got since this was last asked for any kind.
    pub(crate) fn news(&mut self, name: &str, package: &str) -> Vec<serde_json::Value> {
        let news = self.news.remove(name).unwrap_or_default();
        news.into_iter().filter(|(kind, _)| kind == package).map(|(_, body)| body).collect()
    }

    /// Every package that a player's client got since this was last asked, in their order.
    pub(crate) fn all_news(&mut self, name: &str) -> Vec<(String, serde_json::Value)> {
        self.news.remove(name).unwrap_or_default()
    }

    /// Every `Room.Info` that a player's client got since this was last asked.
    pub(crate) fn charted(&mut self, name: &str) -> Vec<RoomInfo> {
        self.charts.remove(name).unwrap_or_default()
    }

    /// The client of a player asks for `Char.Status` and its like.
    pub(crate) fn gauges(&mut self, name: &str) {
        self.wants(name, [Package::Character]);
    }

    /// Every `Char.Status` that a player's client got since this was last asked.
    pub(crate) fn statuses(&mut self, name: &str) -> Vec<CharStatus> {
        self.statuses.remove(name).unwrap_or_default()
    }

    /// What a player's prompt says now.
    pub(crate) fn prompt(&self, name: &str) -> PromptFields {
        self.prompts[name]
    }

    /// Time passes; whatever falls due happens when it is due.
    pub(crate) fn waits(&mut self, span: Span) {
        let until = self.now + span;
        while let Some(due) = self.game.next_deadline().filter(|due| *due <= until) {
            self.passes_to(due);
            self.step(Input::Wake);
        }
        self.passes_to(until);
        self.step(Input::Wake);
    }

    /// The clock moves on to a moment, and nothing falls due.
    pub(crate) fn passes_to(&mut self, moment: GameTime) {
        self.now = self.now.max(moment);
    }

    /// Time passes while the server is not running.
    pub(crate) fn sleeps(&mut self, span: Span) {
        self.now = self.now + span;
    }

    /// The server stops and starts again from what it stored, as JSON; nobody is connected then.
    pub(crate) fn crash(&mut self) {
        let json = serde_json::to_string(&self.stored).expect("a snapshot is JSON");
        let mut lived: Snapshot = self.game.world().snapshot();
        let mut stored: Snapshot = serde_json::from_str(&json).expect("a snapshot comes back");
        // Time is stored with whatever else changes, and the ledger is never read back.
        lived.ledger.clone_from(&stored.ledger);
        if let (Some(lived), Some(stored)) = (&mut lived.meta, &stored.meta) {
            lived.time = stored.time;
        }
        assert!(lived == stored, "what was committed is not what was lived");
        stored.ledger.clear();
        self.game =
            Game::load(Arc::clone(&self.catalog), self.config.clone(), stored).expect("the world loads");
        self.seats.clear();
        self.names.clear();
    }

    /// A crash, after which everybody who was connected logs in again.
    pub(crate) fn restart(&mut self) {
        let names: Vec<String> = self.seats.keys().cloned().collect();
        self.crash();
        for name in names {
            self.comes_back(&name);
        }
    }

    /// A restart with rows changed by hand meanwhile: how a test gets a hero, or somebody close to death.
    pub(crate) fn rewrites(&mut self, change: impl FnOnce(&mut Snapshot)) {
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

    /// Makes a player as strong or as weak as a test needs.
    pub(crate) fn becomes(&mut self, name: &str, hp: i32, attack: i32) {
        let id = self.body(name).id;
        self.rewrites(|stored| {
            let body = stored.characters.get_mut(&id).expect("a stored body");
            (body.hp, body.max_hp, body.attack) = (hp, body.max_hp.max(hp), attack);
        });
    }

    /// Makes a player the owner of this world, who may type everything.
    pub(crate) fn crown(&mut self, name: &str) {
        self.step(Input::OwnerToken { token: "silver".into() });
        let reply = self.types(name, "claim silver");
        assert!(reply.contains("yours"), "{reply}");
    }

    /// The world, to look at.
    pub(crate) fn world(&self) -> &World {
        self.game.world()
    }

    /// The game, to look at.
    pub(crate) fn game(&self) -> &Game {
        &self.game
    }

    /// What storage holds.
    pub(crate) fn stored(&self) -> &Snapshot {
        &self.stored
    }

    /// The last batch that changed anything.
    pub(crate) fn last_changes(&self) -> &Changes {
        &self.last_changes
    }

    /// The moment.
    pub(crate) fn now(&self) -> GameTime {
        self.now
    }

    /// Which connections were closed, and why.
    pub(crate) fn closed(&self) -> &[(String, Closed)] {
        &self.closed
    }

    /// What was to be logged about the content.
    pub(crate) fn warnings(&self) -> &[String] {
        &self.warnings
    }

    /// The account of a player.
    pub(crate) fn account(&self, name: &str) -> AccountId {
        self.world().account_by_name(name).expect("an account of that name")
    }

    /// The character of a player.
    pub(crate) fn id(&self, name: &str) -> CharacterId {
        self.world().character_by_name(name).expect("a character of that name")
    }

    /// The body of a player.
    pub(crate) fn body(&self, name: &str) -> &Character {
        &self.world().characters[self.id(name)]
    }

    /// The room a player stands in.
    pub(crate) fn room(&self, name: &str) -> &Room {
        &self.world().rooms[self.body(name).room]
    }

    /// The branch a player is a member of.
    pub(crate) fn branch_of(&self, name: &str) -> Option<BranchId> {
        self.body(name).branch
    }

    /// That branch, which must exist.
    pub(crate) fn branch(&self, name: &str) -> &Branch {
        &self.world().branches[self.branch_of(name).expect("a member of a branch")]
    }

    /// The rooms of a branch, by place.
    pub(crate) fn rooms_of(&self, branch: BranchId) -> Vec<RoomId> {
        let index = self.world().branch_index(branch).expect("a living branch");
        index.rooms.values().copied().collect()
    }

    /// The exit of a player's room in a direction.
    pub(crate) fn exit(&self, name: &str, direction: Direction) -> Option<&Exit> {
        self.world().exits_of(self.body(name).room).find(|exit| exit.direction == Some(direction))
    }
}
