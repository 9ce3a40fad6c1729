//! Wait mode: for a player who is alone and wants it, a round passes only with a command that acts. What hangs
//! on bodies in that room waits with it, so that nobody gains or loses by thinking.

use crate::base::{CharacterId, GameTime, RoomId, Span};
use crate::game::command::Refusal;
use crate::game::{Class, Game, Timer};
use crate::text::act::Template;

const WATCH: Template =
    Template::new("{actor} {stands|stand} still and {waits|wait}, ready for whatever comes.");

impl Game {
    /// Whether the rounds of a room wait for the one player in it.
    pub(in crate::game) fn holds_rounds(&self, room: RoomId) -> bool {
        let mut players =
            self.world.occupants(room).iter().filter(|who| self.world.characters[**who].is_player());
        let (Some(player), None) = (players.next(), players.next()) else { return false };
        let seat = self.seated.get(player).and_then(|session| self.seats.get(session));
        seat.is_some_and(|seat| self.world.accounts[seat.account].settings.wait)
    }

    /// The round that is due waits; whether it still has to is looked at again a round later.
    pub(super) fn hold_round(&mut self, room: RoomId, due: GameTime) {
        let next = self.now + self.config.round;
        self.fights.held.entry(room).or_insert(due);
        self.rounds.insert(room, next);
        self.timers.schedule(next, Timer::Round(room));
    }

    /// Somebody has done something that takes a round's time: if rounds wait for it, one passes.
    pub(crate) fn acted(&mut self, who: CharacterId) {
        let room = self.world.characters[who].room;
        if self.is_held_back(room) {
            let due = self.rounds.get(&room).copied().unwrap_or(self.now);
            self.fights.held.entry(room).or_insert(due);
            self.play_round(room);
        }
    }

    /// A round that waited comes now, or came early by a command: what hangs on bodies here is shifted by how much it
    /// is late or early, and they bleed or mend once.
    pub(super) fn release_round(&mut self, room: RoomId) {
        let Some(due) = self.fights.held.remove(&room) else { return };
        let late = Span(self.now.0 - due.0);
        for who in self.world.occupants(room).to_vec() {
            self.fights.strained.remove(&who);
            if self.world.characters.get(who).is_some() {
                self.bleeds_or_mends(who);
            }
            if self.world.characters.get(who).is_some() {
                self.shift_affects(who, late);
            }
        }
    }

    /// The one for whom a round waited is about to leave: the time until now does not count.
    pub(crate) fn leaves_held_round(&mut self, room: RoomId) {
        let Some(due) = self.fights.held.remove(&room) else { return };
        let late = Span(self.now.0 - due.0);
        for who in self.world.occupants(room).to_vec() {
            self.shift_affects(who, late);
        }
    }

    /// Whether time stands still for a room until somebody acts.
    pub(in crate::game) fn is_held_back(&self, room: RoomId) -> bool {
        self.rounds.contains_key(&room) && self.holds_rounds(room) && self.is_fought_in(room)
    }

    /// Lets a round pass where rounds wait for it; elsewhere takes a stance that strikes first.
    pub(crate) fn wait(&mut self, who: CharacterId) -> Result<(), Refusal> {
        self.may_act(who)?;
        let room = self.world.characters[who].room;
        if let Some(next) = self.rounds.get(&room).filter(|_| self.is_fought_in(room)) {
            if self.holds_rounds(room) {
                self.acted(who);
                return Ok(());
            }
            let left = Span(next.0 - self.now.0);
            let words =
                format!("You bide your time. The fight goes on by itself; the next round comes in {left}.");
            self.tell(who, Class::Reply, words);
            return Ok(());
        }
        self.gets_up(who);
        let now = self.now;
        self.fights.ready.entry(who).or_insert(now);
        self.act(Class::Notice, &WATCH, who, None, "");
        Ok(())
    }

    /// Whether anybody in a room fights.
    pub(super) fn is_fought_in(&self, room: RoomId) -> bool {
        self.world.occupants(room).iter().any(|who| self.world.characters[*who].target.is_some())
    }
}
