//! The state machine and the rules. [`Game::step`] is the only way in: it takes one [`Input`] at one moment and
//! leaves [`Effects`] and changed rows behind. It cannot fail, block or wait, and it knows neither passwords nor
//! terminals. The same world, inputs and times give the same effects.

pub mod ai;
mod atlas;
pub mod branches;
pub mod closing;
pub mod combat;
pub mod command;
pub mod config;
mod corpse;
pub mod data;
pub mod dump;
pub mod effect;
pub mod founding;
mod gear;
pub mod guide;
pub mod input;
mod inventory;
mod login;
pub mod lever;
pub mod look;
mod loot;
mod memory;
mod mirror;
mod money;
pub mod movement;
mod outbox;
mod party;
mod places;
mod puzzle;
mod progress;
pub mod reader_form;
pub mod prompt_text;
mod renewal;
mod scrollback;
mod sound;
mod stairs;
pub mod spawn;
pub mod talk;
mod timers;
mod trade;

pub use config::{DungeonConfig, GameConfig, Rope};
pub use data::Data;
pub use effect::{Class, Closed, Effect, Effects, Output, PromptFields};
pub use input::{Ask, Input, Wants};
pub use reader_form::{ReaderForm, Repeats};

use crate::base::{AccountId, BranchId, CharacterId, GameTime, RoomId, SessionId};
use crate::base::{Rng, Seed};
use crate::catalog::Catalog;
use crate::text::{Markup, Style};
use crate::world::{Changes, Meta, Posture, Snapshot, World};
use outbox::Outbox;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use timers::{Timer, Timers};

/// The one game.
#[derive(Debug)]
pub struct Game {
    world: World,
    catalog: Arc<Catalog>,
    config: GameConfig,
    now: GameTime,
    seats: BTreeMap<SessionId, Seat>,
    seated: BTreeMap<CharacterId, SessionId>,
    /// What any client wants: nothing else need be noted.
    wanted: Wants,
    timers: Timers,
    dice: Streams,
    outbox: Outbox,
    scrollback: scrollback::Scrollback,
    /// Players who may have experience enough for a level; looked at in each step.
    rising: BTreeSet<CharacterId>,
    guidance: guide::Guidance,
    /// When creatures that are about something go on with it.
    acting: BTreeMap<CharacterId, GameTime>,
    /// Branches whose roamers have a timer.
    stirring: BTreeSet<BranchId>,
    /// When the next round comes in rooms where somebody fought a moment ago.
    rounds: BTreeMap<RoomId, GameTime>,
    /// What fights keep in mind between rounds.
    fights: combat::Fights,
    /// Whether the first step has been made: only then is it known what time it is.
    started: bool,
    read_only: bool,
    /// Who left a branch in this step: companions left behind or brought out part from them at its end.
    parting: BTreeSet<(CharacterId, BranchId)>,
    /// How many rows of collapsed branches may still be cleared away in this step.
    clearing_left: u32,
    /// When more of them is cleared away, if any is left.
    clearing_at: Option<GameTime>,
}

/// Which body a session drives, and what it has asked for.
#[derive(Clone, Debug)]
struct Seat {
    character: CharacterId,
    account: AccountId,
    wants: Wants,
    reply_to: Option<CharacterId>,
    /// The `Char.Status` it was sent last.
    status: Option<data::CharStatus>,
    /// The `Char.Vitals` it was sent last.
    vitals: Option<data::CharVitals>,
    /// What it was told of what is around it.
    mirror: mirror::Mirror,
    /// Rooms it was shown, the last `limits.rooms_known` by number.
    rooms_shown: BTreeSet<RoomId>,
    shouted_at: Option<GameTime>,
    /// What its client was last told of each member of its party.
    party_told: BTreeMap<CharacterId, data::PartyMember>,
}

/// Streams of dice that do not disturb each other. A branch's own streams come from its seed.
#[derive(Debug)]
struct Streams {
    combat: Rng,
    roam: Rng,
    flavour: Rng,
}

/// Figures for operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Stats {
    /// Characters that somebody drives just now.
    pub players: u64,
    /// Bodies that wait for their player.
    pub link_dead: u64,
    /// Accounts.
    pub accounts: u64,
    /// Characters and creatures.
    pub characters: u64,
    /// Rooms.
    pub rooms: u64,
    /// Living branches.
    pub branches: u64,
    /// The deepest dungeon level in one of them that anybody has been on; 0 without one.
    pub deepest: u64,
    /// Items.
    pub items: u64,
    /// Timers waiting.
    pub timers: u64,
}

impl Game {
    /// Takes over a stored world, or founds a fresh one if nothing was ever stored. What came due meanwhile is
    /// carried out at the first step.
    ///
    /// # Errors
    /// Every row of the stored world that contradicts another, and every mistake in the areas of a fresh one.
    pub fn load(catalog: Arc<Catalog>, config: GameConfig, stored: Snapshot) -> Result<Self, Vec<String>> {
        let fresh = stored.meta.is_none();
        let mut world = World::load(stored, Meta::fresh(config.seed))?;
        world.meta_mut().starts += 1;
        let meta = world.meta();
        let (seed, now) = (meta.seed.named("run").numbered(meta.starts), meta.time);
        let mut game = Self {
            world,
            catalog,
            config,
            now,
            seats: BTreeMap::new(),
            seated: BTreeMap::new(),
            wanted: Wants::default(),
            timers: Timers::default(),
            dice: Streams {
                combat: seed.named("combat").rng(),
                roam: seed.named("roam").rng(),
                flavour: seed.named("flavour").rng(),
            },
            outbox: Outbox::default(),
            scrollback: scrollback::Scrollback::default(),
            rising: BTreeSet::new(),
            guidance: guide::Guidance::default(),
            acting: BTreeMap::new(),
            stirring: BTreeSet::new(),
            rounds: BTreeMap::new(),
            fights: combat::Fights::default(),
            started: false,
            read_only: false,
            parting: BTreeSet::new(),
            clearing_left: 0,
            clearing_at: None,
        };
        game.found(fresh)?;
        game.follow_settings();
        Ok(game)
    }

    /// Carries out what is due, then one input. Effects are appended to `out` in order.
    pub fn step(&mut self, now: GameTime, input: Input, out: &mut Effects) {
        self.now = self.now.max(now);
        self.world.live_through(self.now);
        self.clearing_left = self.config.limits.collapse_rows;
        if !std::mem::replace(&mut self.started, true) {
            self.schedule_stored();
        }
        if !self.read_only {
            self.carry_out_due();
        }
        let actor = input.session();
        match input {
            Input::Create { session, name, credential, wishes } => {
                self.create(session, &name, credential, wishes);
            }
            Input::Login { session, account, name, wishes } => self.login(session, account, &name, &wishes),
            Input::Credential { account, credential } => {
                if let Some(row) = self.world.accounts.edit(account) {
                    row.credential = credential;
                }
            }
            Input::NewPassword { session, account, credential } => {
                self.new_password(session, account, credential);
            }
            Input::Recovery { session, account, credential } => {
                self.new_recovery(session, account, credential);
            }
            Input::Recovered { session, account, name, credential, wishes } => {
                self.recovered(session, account, &name, credential, &wishes);
            }
            Input::Command { session, line } => self.command(session, &line),
            Input::Lost { session } => self.lost(session),
            Input::Wants { session, data } => self.wants(session, data),
            Input::Asks { session, what } => self.asks(session, what),
            Input::Listens { session } => self.listens_aloud(session),
            Input::Broadcast { text } => self.broadcast(&text),
            Input::OwnerToken { token } => self.world.meta_mut().owner_token = Some(token),
            Input::StorageReadOnly(read_only) => self.set_read_only(read_only),
            Input::Wake => {}
        }
        if !self.read_only {
            self.judge_the_fallen();
            self.level_ups();
        }
        self.part_companions();
        self.finish_parties();
        self.finish_mirrors();
        self.finish_sounds();
        self.finish_guidance(actor);
        self.finish_prompts();
        self.keep_what_was_told();
        self.outbox.drain(out);
    }

    /// When the next step must come at the latest, if nothing happens before.
    pub fn next_deadline(&self) -> Option<GameTime> {
        match (self.started, self.read_only) {
            (false, _) => Some(self.now),
            (true, true) => None,
            (true, false) => self.timers.next(),
        }
    }

    /// All changes since the last cut, to be committed in one transaction.
    pub fn cut(&mut self) -> Changes {
        self.world.cut()
    }

    /// The moment up to which the world has lived.
    pub const fn time(&self) -> GameTime {
        self.now
    }

    /// The account behind an account's or a character's name, and its credential.
    pub fn credential(&self, name: &str) -> Option<(AccountId, Arc<str>)> {
        let by_character = || self.world.characters[self.world.character_by_name(name)?].account;
        let account = self.world.account_by_name(name).or_else(by_character)?;
        Some((account, self.world.accounts[account].credential.as_str().into()))
    }

    /// Names of who plays, in alphabetical order.
    pub fn players(&self) -> Vec<String> {
        let mut names: Vec<String> =
            self.seated.keys().map(|id| self.world.characters[*id].name.clone()).collect();
        names.sort();
        names
    }

    /// The client with which a character of this name is played, and the name as it is written.
    pub fn seat_of(&self, name: &str) -> Option<(SessionId, String)> {
        let who = self.world.character_by_name(name)?;
        Some((*self.seated.get(&who)?, self.world.characters[who].name.clone()))
    }

    /// The list of who plays, for players, the name prompt and the operator.
    pub fn who(&self) -> Markup {
        let names = self.players();
        let mut list = Markup::styled(
            Style::Heading,
            &match names.len() {
                0 => "Nobody is in the well.".to_owned(),
                1 => "One climber is in the well:".to_owned(),
                n => format!("{n} climbers are in the well:"),
            },
        );
        for name in names {
            list.line(Style::Player, &name);
        }
        list
    }

    /// Figures for operators.
    pub fn stats(&self) -> Stats {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let link_dead = self.world.awake_players().filter(|id| !self.seated.contains_key(id)).count();
        Stats {
            players: count(self.seats.len()),
            link_dead: count(link_dead),
            accounts: count(self.world.accounts.len()),
            characters: count(self.world.characters.len()),
            rooms: count(self.world.rooms.len()),
            branches: count(self.world.living_branches().count()),
            deepest: self
                .world
                .living_branches()
                .map(|(branch, _)| u64::from(self.deepest_level(branch)))
                .max()
                .unwrap_or(0),
            items: count(self.world.items.len()),
            timers: count(self.timers.len()),
        }
    }

    /// The token of a world that nobody has claimed.
    pub fn owner_token(&self) -> Option<&str> {
        self.world.meta().owner_token.as_deref()
    }

    /// Somebody's hit points at this moment, and at most.
    pub fn health(&self, who: CharacterId) -> (i32, i32) {
        (self.hp(who), self.max_hp_of(who))
    }

    /// The world, to look at.
    pub const fn world(&self) -> &World {
        &self.world
    }

    /// Every invariant, those of the world and those of the game; empty if all hold.
    pub fn check(&self) -> Vec<String> {
        let mut wrong = self.world.check();
        for (session, seat) in &self.seats {
            if self.seated.get(&seat.character) != Some(session) {
                wrong.push(format!("character {}: driven by two sessions", seat.character));
            }
            if self.world.characters.get(seat.character).is_none_or(|c| !c.awake) {
                wrong.push(format!("character {}: driven, but not in the world", seat.character));
            }
        }
        if self.seats.len() != self.seated.len() {
            wrong.push(format!("{} seats, {} characters seated", self.seats.len(), self.seated.len()));
        }
        let waiting: BTreeSet<CharacterId> =
            self.world.awake_players().filter(|id| !self.seated.contains_key(id)).collect();
        for id in waiting {
            if self.world.characters[id].link_dead_until.is_none() {
                wrong.push(format!("character {id}: link-dead without a deadline (N14)"));
            }
        }
        for (id, body) in self.world.characters.iter().filter(|(_, body)| body.target.is_some()) {
            if !self.rounds.contains_key(&body.room) {
                wrong.push(format!("character {id}: fights, and no round is to come"));
            }
            if body.posture != Posture::Standing {
                wrong.push(format!("character {id}: fights {:?}", body.posture));
            }
        }
        for (id, body) in self.world.characters.iter().filter(|(_, body)| body.posture == Posture::Down) {
            if body.hp != 0 || body.down_until.is_none() || !body.is_player() || !body.awake {
                wrong.push(format!(
                    "character {id}: down, with {} hit points until {:?}",
                    body.hp, body.down_until
                ));
            }
        }
        wrong
    }

    fn schedule_stored(&mut self) {
        let tasks: Vec<_> = self.world.start_tasks.iter().map(|(_, tasks)| *tasks).collect();
        for tasks in tasks {
            self.timers.schedule(tasks.next_reset_at, Timer::ResetExits(tasks.room));
            self.timers.schedule(tasks.next_check_at, Timer::CheckBranches(tasks.room));
            self.schedule_warnings(tasks.room, tasks.next_check_at);
        }
        let waking: Vec<CharacterId> = self.world.awake_players().collect();
        for id in waking {
            self.begin_link_death(id);
        }
        let visited: BTreeSet<BranchId> =
            self.world.awake_players().filter_map(|id| self.world.characters[id].branch).collect();
        for branch in visited {
            self.wake_branch(branch);
        }
        self.schedule_clearing();
        self.schedule_bodies_and_things();
        self.schedule_rises();
        let fights: BTreeSet<RoomId> =
            self.world.characters.iter().filter(|(_, c)| c.target.is_some()).map(|(_, c)| c.room).collect();
        for room in fights {
            self.schedule_round(room);
        }
        self.resume_minds();
    }

    /// The deadlines of affects, of those who are down, of things that crumble and of parties.
    fn schedule_bodies_and_things(&mut self) {
        let affected: Vec<CharacterId> = self
            .world
            .characters
            .iter()
            .filter(|(_, body)| !body.affects.is_empty())
            .map(|(id, _)| id)
            .collect();
        for who in affected {
            self.schedule_affects(who);
        }
        self.find_the_fallen();
        for (id, item) in self.world.items.iter() {
            if let Some(at) = item.gone_at {
                self.timers.schedule(at, Timer::Crumble(id));
            }
        }
        self.schedule_parties();
    }

    fn carry_out_due(&mut self) {
        while let Some((due, timer)) = self.timers.pop_due(self.now) {
            match timer {
                Timer::ResetExits(room) => self.reset_exits(room, due),
                Timer::CheckBranches(room) => self.check_branches(room, due),
                Timer::ClearAway => self.clear_more(due),
                Timer::Warn(branch) => self.warn_branch(branch),
                Timer::LinkDead(character) => self.end_link_death(character),
                Timer::Round(room) => self.round(room, due),
                Timer::Stir(branch) => self.stir(branch),
                Timer::Rise(who) => drop(self.rising.insert(who)),
                Timer::Act(mob) => self.act_alone(mob, due),
                Timer::Affect(who) => self.affects_due(who, due),
                Timer::Down(who) => self.bleeds_out(who),
                Timer::Crumble(item) => self.crumbles(item),
                Timer::Party(party) => self.party_due(party),
            }
        }
    }

    /// While storage cannot be written no timer fires and no row is edited but by link losses, which wait.
    fn set_read_only(&mut self, read_only: bool) {
        self.read_only = read_only;
        let seated: Vec<CharacterId> = self.seated.keys().copied().collect();
        for character in seated.into_iter().filter(|_| !read_only) {
            self.end_waiting(character);
        }
        let words = if read_only {
            "The stone holds its breath: the server cannot write just now. You may look and talk; nothing else happens until it can."
        } else {
            "The stone breathes again: the server can write, and everything goes on."
        };
        self.broadcast(words);
    }

    /// Words from the server to everybody. No player can begin a line like this.
    fn broadcast(&mut self, text: &str) {
        let words = Arc::new(Markup::styled(Style::System, &format!("Server: {text}")));
        let sessions: Vec<SessionId> = self.seats.keys().copied().collect();
        for session in sessions {
            self.outbox.text(session, Class::System, &words);
        }
    }
}

/// A seed for something that happens at a moment, so that it does not depend on what else was drawn.
fn moment_seed(world: Seed, what: &str, id: u64, at: GameTime) -> Seed {
    world.named(what).numbered(id).numbered(at.0.unsigned_abs())
}
