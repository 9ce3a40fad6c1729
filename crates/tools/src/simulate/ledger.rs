//! Ledger of facts sent to clients: rooms, exits, positions and experience. It reads only effects delivered after a
//! commit, so every entry must survive a crash.

use super::Breach;
use deepwell_core::base::{CharacterId, RoomId, SessionId};
use deepwell_core::world::{ExitState, StartTasks};
use deepwell_game::effect::data::room::ExitInfo;
use deepwell_game::effect::data::{CharVitals, RoomInfo};
use deepwell_game::{Data, Effect, Game, Output};
use std::collections::{BTreeMap, BTreeSet};

/// The facts sent to clients.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    /// Rooms of branches as last sent.
    rooms: BTreeMap<u32, RoomInfo>,
    seats: BTreeMap<SessionId, SessionKnowledge>,
    /// Sessions whose client has disconnected; their output is not delivered.
    hung_up: BTreeSet<SessionId>,
    /// Level and experience. Gaining a level costs experience, so only the pair never decreases.
    experience: BTreeMap<CharacterId, (u32, i64)>,
    /// Next timers of start rooms; earlier ones have run.
    ticks: BTreeMap<RoomId, StartTasks>,
}

/// A session's knowledge of its character.
#[derive(Debug)]
struct SessionKnowledge {
    character: CharacterId,
    room: Option<u32>,
}

impl Ledger {
    /// Records a delivered effect.
    pub(super) fn note(&mut self, effect: &Effect) -> Result<(), Breach> {
        match effect {
            Effect::Entered { session, character, .. } if !self.hung_up.contains(session) => {
                self.seats.insert(*session, SessionKnowledge { character: *character, room: None });
            }
            Effect::Close { session, .. } => {
                self.seats.remove(session);
            }
            Effect::Output { session, output: Output::Data(data) } => self.note_data(*session, data)?,
            _ => {}
        }
        Ok(())
    }

    fn note_data(&mut self, session: SessionId, data: &Data) -> Result<(), Breach> {
        let Some(seat) = self.seats.get_mut(&session) else { return Ok(()) };
        match data {
            Data::RoomInfo(room) => {
                seat.room = Some(room.num);
                if room.branch.is_some() {
                    if let Some(old) = self.rooms.get(&room.num) {
                        contradiction(old, room)?;
                    }
                    self.rooms.insert(room.num, (**room).clone());
                }
            }
            Data::CharVitals(CharVitals { xp, level, .. }) => {
                let known = self.experience.entry(seat.character).or_default();
                if (*level, *xp) < *known {
                    let who = seat.character;
                    return Err(Breach(format!(
                        "characters {who}: {known:?} sent, then level {level} and {xp}"
                    )));
                }
                *known = (*level, *xp);
            }
            _ => {}
        }
        Ok(())
    }

    /// Records a disconnect: the character may now move without a message to its client.
    pub(super) fn hang_up(&mut self, session: SessionId) {
        self.seats.remove(&session);
        self.hung_up.insert(session);
    }

    /// Checks that every connected character is in the room that its client was sent. Call it after all effects of a
    /// commit have been delivered.
    pub(super) fn check_agreement(&mut self, game: &Game) -> Result<(), Breach> {
        self.ticks = game.world().start_tasks.iter().map(|(room, tasks)| (room, tasks.clone())).collect();
        self.seated(game)
    }

    fn seated(&self, game: &Game) -> Result<(), Breach> {
        for seat in self.seats.values() {
            let id = seat.character;
            let Some(body) = game.world().characters.get(id) else {
                return Err(Breach(format!("characters {id}: entered, and does not exist")));
            };
            if let Some(known) = seat.room
                && body.room.0 != known
            {
                return Err(Breach(format!(
                    "characters {id}: client was sent room {known}, is in room {}",
                    body.room
                )));
            }
        }
        Ok(())
    }

    /// Checks, after a restart from storage, that all facts sent to clients still hold. No client is connected then.
    pub(super) fn check_survival(&mut self, game: &Game) -> Result<(), Breach> {
        self.seated(game)?;
        for (room, tasks) in game.world().start_tasks.iter() {
            let known = self.ticks.get(&room);
            if known.is_some_and(|k| {
                (k.next_reset_at, k.next_check_at) != (tasks.next_reset_at, tasks.next_check_at)
            }) {
                return Err(Breach(format!(
                    "start_tasks {room}: a tick that was carried out is due again (W2)"
                )));
            }
        }
        self.seats.clear();
        self.hung_up.clear();
        for (num, last) in &self.rooms {
            let id = RoomId(*num);
            if game.world().is_in_expired_branch(id) {
                continue;
            }
            if game.world().rooms.get(id).is_some() {
                contradiction(last, &game.room_info(id))?;
            } else if last.branch.is_some_and(|branch| game.world().branches.active(branch).is_some()) {
                return Err(Breach(format!(
                    "rooms {num}: sent to a client, and lost while its branch exists (D9)"
                )));
            }
        }
        for (id, last) in &self.experience {
            let has = game.world().characters.get(*id).map_or((0, 0), |c| (c.level, c.xp));
            if has < *last {
                return Err(Breach(format!(
                    "characters {id}: level and experience {last:?} sent, {has:?} after the restart"
                )));
            }
        }
        Ok(())
    }
}

/// Checks a room of a branch against the version sent to clients. Its name, place and exits are fixed, as is its clear
/// state once set. An unexplored exit may become explored, and the exit back may become one-way when the start exit
/// closes.
fn contradiction(known: &RoomInfo, now: &RoomInfo) -> Result<(), Breach> {
    let breach = |what: &str| {
        Err(Breach(format!("rooms {}: {what} differs from what clients were sent (D9)", known.num)))
    };
    if (&known.name, &known.coords, &known.area) != (&now.name, &now.coords, &now.area) {
        return breach("its name or place");
    }
    if known.clear && !now.clear {
        return breach("its clear state");
    }
    if !known.exitsv2.keys().eq(now.exitsv2.keys()) {
        return breach("its list of exits");
    }
    // Doors of puzzles open and close.
    let doors = now.details.iter().any(|detail| detail == "puzzle");
    let closed = |exit: &ExitInfo, now: &ExitInfo| {
        exit.back && exit.state == ExitState::Open.name() && now.state == ExitState::OneWay.name()
    };
    for (key, exit) in &known.exitsv2 {
        let same = now.exitsv2.get(key).is_some_and(|now| {
            let leads = exit.num == now.num && (doors || exit.state == now.state || closed(exit, now));
            exit.back == now.back && (exit.num < 0 || leads)
        });
        if !same {
            return breach(&format!("the exit {key}"));
        }
    }
    Ok(())
}
