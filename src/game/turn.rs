//! What a rule works on: the world, the content, the settings, the moment, dice, timers, what is told, and what each
//! feature keeps in memory. Every rule takes it as its first argument. There is one, and it lives as long as the game:
//! a turn is what one step makes of it.

use super::config::GameConfig;
use super::data::{Package, Packages};
use super::happening::Happening;
use super::refusal::Refusal;
use super::state::{
    AffectTimes, AwakeBodies, Blows, Clearing, Desk, Fallen, GmcpState, Minds, Nuisance, Outbox, Parting,
    Ranks, Rising, Rounds, ScriptFaults, Scrollback, Snoops, Sweeps, Tending,
};
use super::timers::Timers;
use crate::base::address::IpAddr;
use crate::base::{AccountId, CharacterId, DefinitionId, GameTime, Rng, RoomId, Seed, SessionId};
use crate::catalog::{Catalog, CatalogError};
use crate::world::World;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// The context of all rules.
#[derive(Debug)]
pub(crate) struct Turn {
    pub(crate) world: World,
    /// The definitions in force: those of the files, with what was made in the game laid over them.
    pub(crate) catalog: Arc<Catalog>,
    /// The definitions of the files alone.
    pub(crate) of_files: Arc<Catalog>,
    /// What was made in the game and does not fit what the files say, with why.
    pub(crate) set_aside: BTreeMap<DefinitionId, Vec<CatalogError>>,
    pub(crate) config: GameConfig,
    /// The moment that is played.
    pub(crate) now: GameTime,
    pub(crate) seats: BTreeMap<SessionId, Seat>,
    pub(crate) seated: BTreeMap<CharacterId, SessionId>,
    /// What any client wants: nothing else need be noted.
    pub(crate) wanted: Packages,
    pub(crate) timers: Timers,
    pub(crate) dice: Streams,
    pub(crate) outbox: Outbox,
    pub(crate) scrollback: Scrollback,
    /// Which staff read along with whom.
    pub(crate) snoops: Snoops,
    pub(crate) rising: Rising,
    pub(crate) ranks: Ranks,
    /// What bodies have only in memory.
    pub(crate) awake: AwakeBodies,
    pub(crate) minds: Minds,
    pub(crate) rounds: Rounds,
    pub(crate) blows: Blows,
    pub(crate) affect_times: AffectTimes,
    pub(crate) fallen: Fallen,
    /// Nothing can be written, or staff have locked the world: nothing but talk happens.
    pub(crate) read_only: bool,
    /// Storage cannot be written.
    pub(crate) storage_fails: bool,
    /// Where whoever wants to come in just now calls from, if that is known.
    pub(crate) caller: Option<IpAddr>,
    /// Who builds without a body, while a line of theirs is carried out.
    pub(crate) desk: Option<Desk>,
    pub(crate) parting: Parting,
    pub(crate) clearing: Clearing,
    pub(crate) tending: Tending,
    /// Searches of builders that go on over several steps.
    pub(crate) sweeps: Sweeps,
    /// Budgets of lines about one player, of speech and of log-ins.
    pub(crate) nuisance: Nuisance,
    pub(crate) script_faults: ScriptFaults,
    /// Words that no character may be called: those that mean a command.
    pub(crate) reserved: BTreeSet<&'static str>,
    listener: Listener,
}

/// Hands what happened to whoever takes notice of it.
pub(crate) type Listener = fn(&mut Turn, Happening<'_>);

/// Which body a session drives, and what it has asked for.
#[derive(Clone, Debug)]
pub(crate) struct Seat {
    pub(crate) character: CharacterId,
    pub(crate) account: AccountId,
    /// Where the client calls from, if that is known.
    pub(crate) address: Option<IpAddr>,
    pub(crate) wants: Packages,
    pub(crate) reply_to: Option<CharacterId>,
    /// What it was told as data.
    pub(crate) gmcp: GmcpState,
    /// Rooms it was shown, the last `limits.rooms_known` by number.
    pub(crate) rooms_shown: BTreeSet<RoomId>,
    pub(crate) shouted_at: Option<GameTime>,
    /// The hash of what its page comes back with, if it does.
    pub(crate) token: Option<String>,
}

/// Streams of dice that do not disturb each other. A branch's own streams come from its seed.
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
    /// A world at the moment up to which it has lived, with nobody connected.
    pub(crate) fn new(
        world: World,
        catalog: Arc<Catalog>,
        config: GameConfig,
        reserved: BTreeSet<&'static str>,
        listener: Listener,
    ) -> Self {
        let meta = world.meta();
        let (seed, now) = (meta.seed.named("run").numbered(meta.starts), meta.time);
        let nuisance = Nuisance::new(&config.limits);
        Self {
            world,
            of_files: Arc::clone(&catalog),
            catalog,
            set_aside: BTreeMap::new(),
            config,
            now,
            seats: BTreeMap::new(),
            seated: BTreeMap::new(),
            wanted: Packages::new(),
            timers: Timers::default(),
            dice: Streams::new(seed),
            outbox: Outbox::default(),
            scrollback: Scrollback::default(),
            snoops: Snoops::default(),
            rising: Rising::default(),
            ranks: Ranks::default(),
            awake: AwakeBodies::default(),
            minds: Minds::default(),
            rounds: Rounds::default(),
            blows: Blows::default(),
            affect_times: AffectTimes::default(),
            fallen: Fallen::default(),
            read_only: false,
            storage_fails: false,
            caller: None,
            desk: None,
            parting: Parting::default(),
            clearing: Clearing::default(),
            tending: Tending::default(),
            sweeps: Sweeps::default(),
            nuisance,
            script_faults: ScriptFaults::default(),
            reserved,
            listener,
        }
    }

    /// Whether a client asked for a package.
    pub(crate) fn wants(&self, session: SessionId, package: Package) -> bool {
        self.seats.get(&session).is_some_and(|seat| seat.wants.contains(&package))
    }

    /// Something happened that others take notice of. They do at once, so that what people read of it stands where it
    /// happened.
    pub(crate) fn happen(&mut self, happening: Happening<'_>) {
        if self.desk.as_ref().is_none_or(|desk| !desk.is_trial) {
            (self.listener)(self, happening);
        }
    }

    /// Where somebody builds: in the room that they stand in, or at the desk in the one that they work on.
    pub(crate) fn workplace(&self, who: CharacterId) -> RoomId {
        let desk = self.desk.as_ref().filter(|desk| desk.who == who);
        desk.map_or_else(|| self.world.characters[who].room, |desk| desk.room)
    }

    /// Refuses what changes something while nothing may change.
    pub(crate) const fn require_writable(&self) -> Result<(), Refusal> {
        match (self.storage_fails, self.read_only) {
            (true, _) => Err(Refusal::ReadOnly),
            (false, true) => Err(Refusal::WorldLocked),
            (false, false) => Ok(()),
        }
    }

    /// A seed for something that happens at a moment, so that it does not depend on what else was drawn.
    pub(crate) fn moment_seed(&self, what: &str, id: u64, at: GameTime) -> Seed {
        self.world.meta().seed.named(what).numbered(id).numbered(at.0.unsigned_abs())
    }
}
