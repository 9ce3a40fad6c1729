//! Context of the rules: world, content, configuration, time, random number streams, timers, output, and the in-memory
//! state of each feature. It is the first argument of every rule. One instance lives as long as the game.

pub(crate) mod prototypes;
pub(crate) mod time_of_day;

use super::refusal::{Refusal, refuse};
use super::state::{
    AffectTimes, AwakeBodies, Blows, BuilderWork, CleanupBudget, CreatureTimers, Crowds, DepthRanks, Fallen,
    FileWork, GmcpState, LevelCandidates, LevelRanking, Partings, PlayerLimits, RespawnState, Rounds, Routes,
    ScriptBudget, ScriptFaults, ScriptLog, Scrollback, Seekers, Sleepers, Slices, Snoops, StepOutbox, Sweeps,
    Talks, WebBuilder, Wounds,
};
use crate::effect::data::{Package, Packages};
use crate::effect::prompt::PromptFields;
use crate::input::config::GameConfig;
use crate::state::event::GameEvent;
use crate::state::timers::Timers;
use deepwell_core::base::address::IpAddr;
use deepwell_core::base::{
    AccountId, CharacterId, DefinitionId, GameTime, Rng, RoomId, RuleLimit, Seed, SessionId,
};
use deepwell_core::catalog::{Catalog, CatalogError};
use deepwell_core::world::World;
use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::sync::Arc;

/// Context of all rules.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) world: World,
    /// Definitions in use: those of the files, overridden by those created in the game.
    pub(crate) catalog: Arc<Catalog>,
    /// Definitions of the files alone.
    pub(crate) of_files: Arc<Catalog>,
    /// Definitions created in the game that are not in use because they conflict with the files, with their errors.
    pub(crate) set_aside: BTreeMap<DefinitionId, Vec<CatalogError>>,
    pub(crate) config: GameConfig,
    /// Time of the current step.
    pub(crate) now: GameTime,
    /// Time of the first step.
    pub(crate) began: Option<GameTime>,
    /// Characters that were awake at the start, and whose clients have not come back.
    pub(crate) returning: BTreeSet<CharacterId>,
    pub(crate) seats: BTreeMap<SessionId, PlayerSession>,
    pub(crate) seated: BTreeMap<CharacterId, SessionId>,
    /// Union of the packages that clients want; data of other packages is not tracked.
    pub(crate) wanted: Packages,
    pub(crate) timers: Timers,
    pub(crate) dice: Streams,
    pub(crate) outbox: StepOutbox,
    pub(crate) scrollback: Scrollback,
    /// Players who look for company.
    pub(crate) seekers: Seekers,
    /// Active snoops: the staff sessions and their subjects.
    pub(crate) snoops: Snoops,
    pub(crate) rising: LevelCandidates,
    pub(crate) ranks: LevelRanking,
    pub(crate) depths: DepthRanks,
    pub(crate) wounds: Wounds,
    /// Summaries of crowded rooms.
    pub(crate) crowds: Crowds,
    /// In-memory state of characters.
    pub(crate) awake: AwakeBodies,
    pub(crate) minds: CreatureTimers,
    pub(crate) routes: Routes,
    pub(crate) rounds: Rounds,
    pub(crate) blows: Blows,
    pub(crate) affect_times: AffectTimes,
    pub(crate) fallen: Fallen,
    /// Set if storage cannot be written or staff have locked the world. Only speech works then.
    pub(crate) read_only: bool,
    /// Set if storage cannot be written.
    pub(crate) storage_fails: bool,
    /// Address of the client that is logging in, if known.
    pub(crate) caller: Option<IpAddr>,
    /// Web builder account whose command is being run.
    pub(crate) web_builder: Option<WebBuilder>,
    /// Pace of the commands of builders.
    pub(crate) builder_work: BuilderWork,
    /// Files that are compared or imported over several steps.
    pub(crate) file_work: VecDeque<FileWork>,
    pub(crate) parting: Partings,
    pub(crate) clearing: CleanupBudget,
    /// Branches on their way from or to storage.
    pub(crate) sleepers: Sleepers,
    pub(crate) tending: RespawnState,
    /// Slices of work that is spread over several steps.
    pub(crate) slices: Slices,
    /// Builder searches that run over several steps.
    pub(crate) sweeps: Sweeps,
    /// Conversations with creatures and townspeople.
    pub(crate) talks: Talks,
    /// Budgets of lines about one player, of speech and of logins.
    pub(crate) player_limits: PlayerLimits,
    /// Budgets of the scripts of builders.
    pub(crate) scripts: ScriptBudget,
    pub(crate) script_faults: ScriptFaults,
    /// Last errors and notes of scripts.
    pub(crate) script_log: ScriptLog,
    /// Command words, which cannot be character names.
    pub(crate) reserved: BTreeSet<&'static str>,
    /// Name of the command or of the kind of input that this step plays.
    pub(crate) cause: &'static str,
    /// Room where that began, if it concerns one.
    pub(crate) cause_room: Option<RoomId>,
    listener: EventListener,
}

/// Handler that dispatches events.
pub(crate) type EventListener = fn(&mut Turn, GameEvent<'_>);

/// Session of a connected player: its character and its requests.
#[derive(Clone, Debug)]
pub(crate) struct PlayerSession {
    pub(crate) character: CharacterId,
    pub(crate) account: AccountId,
    /// Address of the client, if known.
    pub(crate) address: Option<IpAddr>,
    pub(crate) wants: Packages,
    pub(crate) reply_to: Option<CharacterId>,
    /// GMCP data last sent.
    pub(crate) gmcp: GmcpState,
    /// Prompt last sent.
    pub(crate) prompt: Option<PromptFields>,
    /// Set by a cut, which forgets that the row of the character was touched. The prompt must be computed again.
    pub(crate) is_prompt_stale: bool,
    /// Rooms shown to the client; the highest `limits.rooms_known` ids.
    pub(crate) rooms_shown: BTreeSet<RoomId>,
    pub(crate) shouted_at: Option<GameTime>,
    /// Time at which the player took the seat.
    pub(crate) since: GameTime,
    /// Time of the last line.
    pub(crate) typed_at: GameTime,
    /// Hash of the login token of its web client, if any.
    pub(crate) token: Option<String>,
}

/// Independent random number streams. The streams of a branch come from its own seed.
#[derive(Debug)]
pub(crate) struct Streams {
    pub(crate) combat: Rng,
    pub(crate) roam: Rng,
    pub(crate) flavour: Rng,
}

impl Streams {
    fn new(seed: Seed) -> Self {
        Self {
            combat: seed.named("combat").rng(),
            roam: seed.named("roam").rng(),
            flavour: seed.named("flavour").rng(),
        }
    }
}

impl Turn {
    /// Replaces the settings, except for the seed of the world. Budgets of rate limits that have changed are full again.
    pub(crate) fn replace_config(&mut self, config: GameConfig) {
        if config.limits != self.config.limits {
            self.player_limits = PlayerLimits::new(&config.limits);
        }
        self.config = GameConfig { seed: self.config.seed, ..config };
    }

    /// Creates a context at the stored time of the world, with no players connected.
    pub(crate) fn new(
        world: World,
        catalog: Arc<Catalog>,
        config: GameConfig,
        reserved: BTreeSet<&'static str>,
        listener: EventListener,
    ) -> Self {
        let meta = world.meta();
        let (seed, now) = (meta.seed.named("run").numbered(meta.starts), meta.time);
        let player_limits = PlayerLimits::new(&config.limits);
        Self {
            world,
            of_files: Arc::clone(&catalog),
            catalog,
            set_aside: BTreeMap::new(),
            config,
            now,
            began: None,
            returning: BTreeSet::new(),
            seats: BTreeMap::new(),
            seated: BTreeMap::new(),
            wanted: Packages::new(),
            timers: Timers::default(),
            dice: Streams::new(seed),
            outbox: StepOutbox::default(),
            scrollback: Scrollback::default(),
            seekers: Seekers::default(),
            snoops: Snoops::default(),
            rising: LevelCandidates::default(),
            ranks: LevelRanking::default(),
            depths: DepthRanks::default(),
            wounds: Wounds::default(),
            awake: AwakeBodies::default(),
            minds: CreatureTimers::default(),
            routes: Routes::default(),
            rounds: Rounds::default(),
            blows: Blows::default(),
            affect_times: AffectTimes::default(),
            fallen: Fallen::default(),
            read_only: false,
            storage_fails: false,
            caller: None,
            web_builder: None,
            builder_work: BuilderWork::default(),
            file_work: VecDeque::new(),
            parting: Partings::default(),
            crowds: Crowds::default(),
            clearing: CleanupBudget::default(),
            sleepers: Sleepers::default(),
            tending: RespawnState::default(),
            slices: Slices::default(),
            sweeps: Sweeps::default(),
            talks: Talks::default(),
            player_limits,
            scripts: ScriptBudget::default(),
            script_faults: ScriptFaults::default(),
            script_log: ScriptLog::default(),
            reserved,
            cause: "",
            cause_room: None,
            listener,
        }
    }

    /// Returns `true` if a number has reached a limit, and counts that for the operator.
    pub(crate) fn is_at_limit(&mut self, limit: RuleLimit, has: usize) -> bool {
        let is_reached = has >= limit.of(&self.config.limits) as usize;
        if is_reached {
            self.outbox.count_limit(limit);
        }
        is_reached
    }

    /// Returns `true` if a client has subscribed to a package.
    pub(crate) fn wants(&self, session: SessionId, package: Package) -> bool {
        self.seats.get(&session).is_some_and(|seat| seat.wants.contains(&package))
    }

    /// Dispatches an event immediately, so that its output appears in order.
    pub(crate) fn emit_event(&mut self, happening: GameEvent<'_>) {
        if self.web_builder.as_ref().is_none_or(|web_builder| !web_builder.is_dry_run) {
            (self.listener)(self, happening);
        }
    }

    /// Returns the room that a builder works on: their own room, or in the web builder the selected one.
    pub(crate) fn workplace(&self, who: CharacterId) -> RoomId {
        let web_builder = self.web_builder.as_ref().filter(|web_builder| web_builder.who == who);
        web_builder.map_or_else(|| self.world.characters[who].room, |web_builder| web_builder.room)
    }

    /// Refuses changes of builders while a large zone is imported, written or published.
    pub(crate) fn require_no_import(&self) -> Result<(), Refusal> {
        if self.world.imports.is_empty() && !self.file_work.iter().any(FileWork::is_exclusive) {
            return Ok(());
        }
        Err(refuse!(
            "The rooms of a large zone are coming in or going out, and nothing is built meanwhile. Try again in a moment."
        ))
    }

    /// Refuses changes while the world is read-only.
    pub(crate) fn require_writable(&self) -> Result<(), Refusal> {
        match (self.storage_fails, self.read_only) {
            (true, _) => Err(Refusal::ReadOnly),
            (false, true) => {
                Err(refuse!("Staff have locked the world, so nothing can change. Looking and talking work."))
            }
            (false, false) => Ok(()),
        }
    }

    /// Returns a seed for an event at a time, independent of other random numbers.
    pub(crate) fn moment_seed(&self, what: &str, id: u64, at: GameTime) -> Seed {
        self.world.meta().seed.named(what).numbered(id).numbered(at.0.unsigned_abs())
    }
}
