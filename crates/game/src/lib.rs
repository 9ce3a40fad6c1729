//! The state machine and the rules. [`Game::step`] is the only entry point: it takes one [`Input`] at one time and
//! produces [`Effects`] and changed rows. It cannot fail or block, and it handles neither passwords nor terminals. It
//! is deterministic: the same world, inputs and times give the same effects.
//!
//! The rules are modules of functions over one context, `Turn`. They are declared below in dependency order: each uses
//! only the modules before it (checked by `tests/tidy`). Calls in the opposite direction are sent as a
//! `GameEvent`, which `step` dispatches.

pub mod effect;
pub mod input;
mod refusal;
mod state;
mod turn;
mod message;
mod access;
mod character;
mod item;
mod party;
mod exit;
mod attack;
pub mod branch;
mod movement;
mod creature;
mod room;
mod combat;
mod quest;
mod post;
mod expedition;
mod errand;
mod gmcp;
mod speech;
pub mod building;
mod account;
mod staff;
pub mod command;
mod wake;
mod step;
mod invariants;

pub use crate::account::records::WeekRecord;
pub use crate::account::resume::SEAT_REFUSED;
pub use crate::building::reload::MISTAKES_SHOWN;
pub use crate::effect::cost::StepCost;
pub use crate::effect::data::{Data, Package, Packages};
pub use crate::effect::files::{ExportFile, FileKind, FileOperation, FilePurpose, FileRequest, PACKAGE};
pub use crate::effect::prompt::PromptFields;
pub use crate::effect::public_event::{OutsideSpeech, PublicEvent};
pub use crate::effect::screen_reader::{Repeats, ScreenReaderForm};
pub use crate::input::builder_request::{BuilderRequest, PackageUpload, WebPage, ZonePart};
pub use crate::input::config::{DungeonConfig, GameConfig, RenewedBy, Rope};
pub use crate::input::files::{FileStore, WrittenFile};
pub use crate::input::sharing::{SharedChannels, SharingConfig};
pub use crate::input::staff_request::StaffRequest;
pub use effect::{Class, CloseReason, Declined, Effect, Effects, Output};
pub use gmcp::packages_by_default;
pub use input::envelope::Envelope;
pub use input::{Ask, Content, Input, SkillsAsked};

use crate::account::{profile, records, seats, signup};
use crate::branch::{expiry, rooms};
use crate::building::initial_areas::NoStartRoom;
use crate::building::{branch_dump, definitions, initial_areas, map_export, reload};
use crate::character::{abilities, stats};
use crate::combat::props;
use crate::effect::data;
use crate::gmcp::prompts;
use crate::refusal::Refusal;
use crate::room::puzzle;
use crate::step::{events, start};
use deepwell_core::base::{AccountId, BranchId, CharacterId, GameTime, RoomId, SessionId};
use deepwell_core::catalog::Catalog;
use deepwell_core::dungeon::dump::BranchDump;
use deepwell_core::text::Markup;
use deepwell_core::world::{Account, AccountData, Changes, Contradictions, Meta, Snapshot, World, WorldPart};
use std::sync::Arc;
use turn::Turn;

/// A person, and all rows that they own or that mention them, by table.
pub type PersonalData = (AccountData, serde_json::Map<String, serde_json::Value>);

/// The game: world, rules and timers.
#[derive(Debug)]
pub struct Game {
    turn: Turn,
    /// Set by the first step, which provides the current time.
    started: bool,
}

/// Errors of [`Game::load`]. The message has one line per mistake.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum LoadError {
    /// The stored world is inconsistent; the operator must restore an earlier one.
    #[error(transparent)]
    Contradictions(#[from] Contradictions),
    /// A fresh world has no start room.
    #[error(transparent)]
    NoStartRoom(#[from] NoStartRoom),
}

impl LoadError {
    /// Returns every mistake, one line each.
    pub fn mistakes(&self) -> Vec<String> {
        match self {
            Self::Contradictions(found) => found.0.clone(),
            Self::NoStartRoom(mistake) => vec![mistake.to_string()],
        }
    }
}

/// Statistics for operators.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct GameStats {
    /// Characters with a connected player.
    pub players: u64,
    /// Characters that wait for their player to reconnect.
    pub link_dead: u64,
    /// Accounts.
    pub accounts: u64,
    /// Characters and creatures.
    pub characters: u64,
    /// Characters of these that are only in storage, because nobody plays their account.
    #[serde(default)]
    pub characters_absent: u64,
    /// Rooms.
    pub rooms: u64,
    /// Branches that have not collapsed.
    pub branches: u64,
    /// Branches of these that are asleep.
    #[serde(default)]
    pub branches_asleep: u64,
    /// Branches of these that belong to an expedition.
    #[serde(default)]
    pub expeditions: u64,
    /// Deepest dungeon level reached in any of those branches; 0 if there are no branches.
    pub deepest: u64,
    /// Items.
    pub items: u64,
    /// Pending timers.
    pub timers: u64,
}

impl Game {
    /// Loads a stored world, or creates the initial areas if the store is empty. Timers that expired while the server
    /// was down run at the first step.
    ///
    /// # Errors
    /// Every inconsistency of the stored world, or every mistake in the areas of a fresh one.
    pub fn load(catalog: Arc<Catalog>, config: GameConfig, stored: Snapshot) -> Result<Self, LoadError> {
        let fresh = stored.meta.is_none();
        let mut world = World::load(stored, Meta::fresh(config.seed))?;
        world.meta_mut().starts += 1;
        let mut turn = Turn::new(world, catalog, config, command::names().collect(), events::dispatch_event);
        definitions::settle(&mut turn);
        initial_areas::create_initial_areas(&mut turn, fresh)?;
        expiry::apply_current_settings(&mut turn);
        Ok(Self { turn, started: false })
    }

    /// Runs the timers that are due, then one input. Effects are appended to `out` in order. Returns the cost.
    pub fn step(&mut self, now: GameTime, input: impl Into<Envelope>, out: &mut Effects) -> StepCost {
        let turn = &mut self.turn;
        let (work, changes, effects) = (turn.world.work(), turn.world.changes(), out.len());
        let is_first = !std::mem::replace(&mut self.started, true);
        turn.now = turn.now.max(now);
        turn.world.advance_time(turn.now);
        turn.clearing.begin_step(turn.config.limits.collapse_rows);
        if is_first {
            start::resume(turn);
        }
        step::play(turn, input.into());
        turn.outbox.drain(out);
        let effects = (out.len() - effects) as u64;
        let work = turn.world.work() - work + effects;
        let is_read = turn.world.changes() == changes;
        let script_work = turn.scripts.take_work();
        StepCost { work, cause: turn.cause, room: turn.cause_room, is_first, is_read, script_work }
    }

    /// Returns the latest time of the next step if no input arrives before. `None` while the world is read-only or no
    /// timer is pending.
    pub fn next_deadline(&self) -> Option<GameTime> {
        match (self.started, self.turn.read_only) {
            (false, _) => Some(self.turn.now),
            (true, true) => None,
            (true, false) => self.turn.timers.next(),
        }
    }

    /// Takes all changes since the last cut, to be committed in one transaction.
    pub fn cut(&mut self) -> Changes {
        self.prepare_cut();
        self.turn.world.cut()
    }

    /// Takes the changes as [`cut`](Self::cut) does; `None` if nothing but the time has changed. Boxed, because they are
    /// large, and most batches have none.
    pub fn cut_if_changed(&mut self) -> Option<Box<Changes>> {
        self.prepare_cut();
        self.turn.world.is_changed().then(|| Box::new(self.turn.world.cut()))
    }

    fn prepare_cut(&mut self) {
        if !self.turn.read_only {
            abilities::fold_into_touched(&mut self.turn);
            wake::put_idle_to_sleep(&mut self.turn);
        }
        self.turn.crowds.drop_stale(&self.turn.world);
        prompts::note_touched(&mut self.turn);
    }

    /// Writes counters held in memory to their rows, so that the last [`cut`] before shutdown includes them. They are
    /// otherwise written only with the next change of a row. Has no effect that players can see.
    ///
    /// [`cut`]: Self::cut
    pub fn flush_counters(&mut self) {
        if !self.turn.read_only {
            abilities::fold_all(&mut self.turn);
        }
    }

    /// Returns the game time up to which the world has run.
    pub const fn time(&self) -> GameTime {
        self.turn.now
    }

    /// Returns the definitions in use.
    pub const fn catalog(&self) -> &Arc<Catalog> {
        &self.turn.catalog
    }

    /// Returns the settings in force.
    pub const fn config(&self) -> &GameConfig {
        &self.turn.config
    }

    /// Returns the definitions read from files, without those created in the game.
    pub const fn catalog_of_files(&self) -> &Arc<Catalog> {
        &self.turn.of_files
    }

    /// Returns the definitions created in the game that are not in use, each with its error, for the operator.
    pub fn set_aside(&self) -> Vec<String> {
        definitions::inactive_definitions(&self.turn)
    }

    /// Returns a summary of the definitions in use, for the operator.
    pub fn content_words(&self) -> String {
        reload::summary(&self.turn.catalog)
    }

    /// Returns the world, read-only.
    pub const fn world(&self) -> &World {
        &self.turn.world
    }

    /// Returns an account.
    pub fn account(&self, account: AccountId) -> Option<&Account> {
        self.turn.world.accounts.get(account)
    }

    /// Returns the account with a name, or that owns a character with the name, and its credential.
    pub fn credential(&self, name: &str) -> Option<(AccountId, Arc<str>)> {
        let world = &self.turn.world;
        let by_character = || world.account_of(world.character_by_name(name)?);
        let account = world.accounts.named(name).or_else(by_character)?;
        Some((account, world.accounts[account].credential.as_str().into()))
    }

    /// Returns the account with a name if `token` is a valid web builder token of that account.
    pub fn account_by_builder_token(&self, name: &str, token: &str, now: GameTime) -> Option<AccountId> {
        let (account, _) = self.credential(name)?;
        self.turn.world.accounts[account].is_builder_token(token, now).then_some(account)
    }

    /// Returns the reason why a name cannot be used for a new character, as a sentence, or `None` if it can.
    pub fn name_flaw(&self, name: &str) -> Option<String> {
        signup::free_name(&self.turn, name).err().map(|refusal| refusal.markup().text().to_owned())
    }

    /// Returns the names of connected players in alphabetical order.
    pub fn players(&self) -> Vec<String> {
        seats::players(&self.turn)
    }

    /// Returns the characters of connected players.
    pub fn connected(&self) -> impl Iterator<Item = CharacterId> {
        self.turn.seated.keys().copied()
    }

    /// Returns the session that plays the character with a name, and the name as it is spelled.
    pub fn seat_of(&self, name: &str) -> Option<(SessionId, String)> {
        let who = self.turn.world.character_by_name(name)?;
        Some((*self.turn.seated.get(&who)?, self.turn.world.characters[who].name.clone()))
    }

    /// Returns the first page of the list of connected players, for the login prompt and the operator.
    pub fn who(&self) -> Markup {
        profile::playing(&self.turn, None, "", 1)
    }

    /// Returns the names of the lockdown switches that staff have set.
    pub fn locks(&self) -> Vec<&'static str> {
        self.turn.world.meta().locks.iter().map(|lock| lock.name()).collect()
    }

    /// Returns the owner token, or `None` once an owner has claimed the world.
    pub fn owner_token(&self) -> Option<&str> {
        self.turn.world.meta().owner_token.as_deref()
    }

    /// Returns the person behind an account or character name, and all rows that they own or that mention them, by
    /// table; `None` for an unknown name.
    ///
    /// # Errors
    /// If the rows of the account are in storage only: they could not be read.
    pub fn kept_of(&self, name: &str) -> Result<Option<PersonalData>, Declined> {
        let Some((account, _)) = self.credential(name) else { return Ok(None) };
        let person = self.turn.world.person(account);
        if self.turn.world.is_absent(account) {
            return Err(Refusal::Unreadable(WorldPart::Account(account)).into());
        }
        let kept = self.turn.world.kept_of(&person);
        Ok(Some((person, kept)))
    }

    /// Returns the current and maximum hit points of a character.
    pub fn health(&self, who: CharacterId) -> (i32, i32) {
        (stats::hp(&self.turn, who), stats::max_hp_of(&self.turn, who))
    }

    /// Returns a line by which a fighter averts what a creature has announced, other than a blow, if anything.
    pub fn averting_line(&self, who: CharacterId) -> Option<String> {
        props::averting_line(&self.turn, who)
    }

    /// Returns the current state of a branch, or `None` if it does not exist or has collapsed.
    pub fn branch_dump(&self, branch: BranchId) -> Option<BranchDump> {
        branch_dump::branch_dump(&self.turn, branch)
    }

    /// Returns the hand-built world as a map in the XML format of the Mudlet Mapping Project.
    pub fn atlas(&self) -> String {
        map_export::atlas(&self.turn)
    }

    /// Returns the next command that would bring a character closer to solving the puzzle around them. `None` if no
    /// single-player solution is found quickly.
    pub fn puzzle_hint(&self, who: CharacterId) -> Option<String> {
        puzzle::hint::puzzle_hint(&self.turn, who)
    }

    /// Returns the body of `Room.Info`.
    pub fn room_info(&self, room: RoomId) -> data::RoomInfo {
        gmcp::room::room_info(&self.turn, None, room)
    }

    /// Returns the first place of the ranking of the week; `None` if the ranking is empty.
    pub fn week_record(&self) -> Option<WeekRecord> {
        records::first_of_week(&self.turn)
    }

    /// Statistics for operators.
    pub fn stats(&self) -> GameStats {
        let count = |n: usize| u64::try_from(n).unwrap_or(u64::MAX);
        let (turn, world) = (&self.turn, &self.turn.world);
        let asleep = world.asleep.rows();
        let deepest =
            world.branches.iter_active().map(|(branch, _)| rooms::deepest_dungeon_level(turn, branch)).max();
        GameStats {
            players: count(turn.seats.len()),
            // Every seated character is in the world.
            link_dead: count(world.awake_player_count().saturating_sub(turn.seated.len())),
            accounts: count(world.accounts.len()),
            characters: count(world.characters.len()) + asleep.characters,
            rooms: count(world.rooms.len()) + asleep.rooms,
            branches: count(world.branches.active_count()),
            branches_asleep: count(asleep.branches.len()),
            expeditions: count(world.expeditions.len()),
            characters_absent: count(asleep.absent.len()),
            deepest: deepest.unwrap_or(0).into(),
            items: count(world.items.len()) + asleep.items,
            timers: count(turn.timers.len()),
        }
    }
}

// Unit tests and tests/it share a harness, which names all layers by one crate.
#[cfg(test)]
extern crate self as deepwell;
#[cfg(test)]
use {
    crate as game,
    deepwell_core::{base, catalog, world},
};
#[cfg(test)]
#[path = "../../../tests/it/table.rs"]
#[expect(dead_code, reason = "tests/it uses the rest")]
mod table;
