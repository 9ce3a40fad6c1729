//! Rooms with something to do in them besides fighting: hoards, captives, riddles, shrines, landmarks, and the signs
//! beside exits that lead out of one's depth. Camps have no rule of their own here: creatures keep out of them and wounds
//! close faster there by the rules of roaming and healing. Merchants trade by the rules of trade.

mod landmark;
mod rescue;
mod riddle;
mod shrine;

use crate::base::{CharacterId, RoomId};
use crate::catalog::Theme;
use crate::dungeon::RoomPlan;
use crate::game::money::money_words;
use crate::game::{Class, Game};
use crate::text::Markup;
use crate::world::{Exit, ExitState, Posture, RoomKind};

impl Game {
    /// A room has been made: what its kind needs is put into it, and signs beside its exits.
    pub(crate) fn furnish(&mut self, room: RoomId, plan: &RoomPlan) {
        for (direction, omen) in &plan.omens {
            let exit = self.world.exits_of(room).find(|exit| exit.direction == Some(*direction));
            if let Some(row) = exit.map(|exit| exit.id).and_then(|exit| self.world.exits.edit(exit)) {
                row.omen = Some(omen.clone());
            }
        }
        if let Some(row) = self.world.rooms.edit(room) {
            row.stock.clone_from(&plan.fixture.stock);
            row.details.clone_from(&plan.fixture.details);
            row.challenge.feature.clone_from(&plan.fixture.key);
            row.challenge.hint.clone_from(&plan.fixture.line);
            row.challenge.coins = plan.challenge.coins;
        }
    }

    /// A room has been cleared: what its kind holds happens.
    pub(crate) fn room_cleared(&mut self, room: RoomId) {
        if let Some(finder) = self.finder_in(room) {
            self.takes_reward(finder, room);
        }
    }

    /// A player has come into a room.
    pub(crate) fn visits(&mut self, who: CharacterId, room: RoomId) {
        let row = &self.world.rooms[room];
        match row.kind {
            RoomKind::Landmark => self.finds_landmark(who, room),
            _ if row.clear => self.takes_reward(who, room),
            _ => {}
        }
    }

    /// What a cleared room gives to whoever is there: a lever may have cleared it from afar.
    fn takes_reward(&mut self, who: CharacterId, room: RoomId) {
        match self.world.rooms[room].kind {
            RoomKind::Riddle => {}
            RoomKind::Rescue => {
                self.finds_coins(who, room);
                self.frees_captive(who, room);
            }
            _ => self.finds_coins(who, room),
        }
    }

    /// The coins that a room held back go to whoever finds them, and to the party.
    fn finds_coins(&mut self, who: CharacterId, room: RoomId) {
        if self.world.rooms[room].challenge.coins == 0 {
            return;
        }
        let Some(row) = self.world.rooms.edit(room) else { return };
        let coins = i64::from(std::mem::take(&mut row.challenge.coins));
        let words = format!("Among the stones lie coins: {}.", money_words(coins));
        self.tell_room(room, &[], Class::Notice, Markup::plain(&words));
        self.split_coins(who, room, coins);
    }

    /// A player who stands in a room.
    fn finder_in(&self, room: RoomId) -> Option<CharacterId> {
        let stands = |id: &CharacterId| {
            let body = &self.world.characters[*id];
            body.is_player() && body.awake && body.posture != Posture::Down
        };
        self.world.occupants(room).iter().copied().find(stands)
    }

    /// The theme that a room of a branch was made by.
    fn theme_of(&self, room: RoomId) -> Option<&Theme> {
        self.catalog.themes.get(&self.world.rooms[room].area)
    }
}

/// The sign beside an exit, as long as nobody has walked it.
pub(super) fn sign_of(exit: &Exit) -> Option<&str> {
    exit.omen.as_deref().filter(|_| exit.state == ExitState::Unexplored)
}
