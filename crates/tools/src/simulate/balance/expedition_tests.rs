//! Expedition test: many parties in one world, with broken connections and server crashes.

use super::names;
use super::party::{BotParty, PartyBot};
use super::table::FightTable;
use crate::simulate::Breach;
use crate::simulate::stage::{BEGIN, SimulatedGame};
use deepwell_core::base::{CharacterId, Dice, Direction, Seed, SessionId, Span};
use deepwell_core::catalog::Catalog;
use deepwell_core::world::{Posture, Snapshot};
use deepwell_game::{GameConfig, Input};
use std::sync::Arc;

/// Parameters of an expedition: many parties in one world, with broken connections and server crashes. At the end all
/// characters must return home.
#[derive(Clone, Copy, Debug)]
struct Expedition {
    /// Seed of all random numbers.
    seed: Seed,
    /// Number of parties, with one to four members in turn.
    parties: u32,
    /// Minutes in the dungeon.
    minutes: u32,
    /// Number of server crashes during that time.
    crashes: u32,
}

/// Figures of an expedition.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
struct Toll {
    /// Broken connections.
    cuts: u32,
    /// Server crashes.
    crashes: u32,
    /// Fights.
    fights: u64,
    /// Times a character was incapacitated.
    downed: u64,
}

/// Sends parties into the dungeon and waits until all characters are home.
///
/// # Errors
/// The characters that are not home an hour after the order to return, or the broken invariant.
fn expedition(plan: Expedition) -> Result<Toll, Breach> {
    let mut dice = plan.seed.named("expedition").rng();
    let config = GameConfig { seed: plan.seed.named("world"), ..GameConfig::default() };
    let mut stage = SimulatedGame::new(Arc::new(Catalog::builtin()), config, Snapshot::default())?;
    let (mut table, mut toll) = (FightTable::default(), Toll::default());
    let mut parties = Vec::new();
    let mut taken = 0;
    for number in 0..plan.parties {
        let names: Vec<String> = (0..=number % 4).map(|member| names::name(taken + member)).collect();
        taken += 4;
        let way = Direction::PLANE[number as usize % Direction::PLANE.len()];
        parties.push(BotParty::gather(&mut stage, &names, way)?);
    }
    let minutes = i64::from(plan.minutes);
    let (homesick, end) = (BEGIN + Span::mins(minutes), BEGIN + Span::mins(minutes + 60));
    let between = Span::millis(minutes * 60_000 / i64::from(plan.crashes + 1));
    let mut next_crash = BEGIN + between;
    while stage.now < end {
        stage.tick();
        let going_home = stage.now >= homesick;
        if !going_home && stage.now >= next_crash {
            next_crash = next_crash + between;
            stage.restart()?;
            stage.act(Input::Wake);
            parties.iter_mut().for_each(BotParty::cut_off);
            toll.crashes += 1;
        }
        for party in &mut parties {
            party.homesick = going_home;
            if !going_home && dice.up_to(199) == 0 {
                party.cut(&mut stage, dice.up_to(3) as usize);
                toll.cuts += 1;
            }
            if going_home || dice.up_to(9) == 0 {
                party.come_back(&mut stage);
            }
            party.moment(&mut stage, &mut table);
        }
        if going_home && parties.iter().all(|party| party.not_home(&stage).is_empty()) {
            for tally in table.0.values() {
                toll.fights += tally.fights;
                toll.downed += tally.downed;
            }
            return stage.check().map(|()| toll);
        }
    }
    let lost: Vec<String> = parties.iter().flat_map(|party| party.not_home(&stage)).collect();
    Err(Breach(lost.join("; ")))
}

impl BotParty {
    /// Breaks the connection of a member.
    fn cut(&mut self, stage: &mut SimulatedGame, member: usize) {
        if let Some(session) = self.members.get_mut(member).and_then(|member| member.session.take()) {
            stage.act(Input::Lost { session });
        }
    }

    /// Drops every connection, after a crash of the server.
    fn cut_off(&mut self) {
        self.members.iter_mut().for_each(|member| member.session = None);
        self.fight = None;
    }

    /// Reconnects the disconnected members.
    fn come_back(&mut self, stage: &mut SimulatedGame) {
        for member in self.members.iter_mut().filter(|member| member.session.is_none()) {
            member.session = stage.login(member.id);
        }
    }

    /// Describes the members who are not idle in their home room.
    fn not_home(&self, stage: &SimulatedGame) -> Vec<String> {
        let away = |member: &&PartyBot| {
            let body = &stage.world().characters[member.id];
            body.room != body.home || body.posture == Posture::Down || body.target.is_some()
        };
        let state_of = |member: &PartyBot| {
            let body = &stage.world().characters[member.id];
            format!("{}: in room {}, {:?}, fights {:?}", member.name, body.room, body.posture, body.target)
        };
        self.members.iter().filter(away).map(state_of).collect()
    }
}

impl SimulatedGame {
    /// Logs a character in on a new session.
    fn login(&mut self, character: CharacterId) -> Option<SessionId> {
        let body = self.world().characters.get(character)?;
        let (account, name) = (body.account?, body.name.clone());
        let session = self.open();
        self.act(Input::Login { session, account, name, pre_login: Box::default(), goes_on: false });
        Some(session)
    }
}

/// All characters of many parties return home in spite of broken connections and server crashes.
#[test]
fn all_characters_of_parties_return_home() {
    let plan = Expedition { seed: Seed(11), parties: 40, minutes: 12, crashes: 8 };
    let toll = expedition(plan).unwrap_or_else(|stuck| panic!("{plan:?}: {stuck}"));
    assert!(toll.crashes > 4 && toll.cuts > 30 && toll.fights > 100, "{toll:?}");
    assert!(toll.downed > 0, "{toll:?}");
}
