//! Parties: who goes together, follows whom, and shares what.

use crate::base::{CharacterId, ExitId, ItemId, PartyId, RoomId};
use crate::game::Game;
use crate::world::Exit;

impl Game {
    /// Members of somebody's party in a room who are awake and alive, oneself included; oneself alone without a party.
    pub(crate) fn companions_of(&self, who: CharacterId, room: RoomId) -> Vec<CharacterId> {
        let Some(party) = self.world.party_of(who) else { return vec![who] };
        let members = &self.world.parties[party].members;
        let here =
            |id: &CharacterId| self.world.characters[*id].room == room && self.world.characters[*id].awake;
        members.iter().copied().filter(here).collect()
    }

    /// A creature was slain: whoever has a share of it gets it (T10).
    pub(crate) fn share_experience(&mut self, victim: CharacterId, slayer: CharacterId) {
        let (xp, name) = (self.world.characters[victim].xp, self.name_of(victim).text().to_owned());
        if self.world.characters[slayer].is_player() {
            self.gain_experience(slayer, xp, &name);
        }
    }

    /// Coppers found by somebody are shared by the party in the room.
    pub(crate) fn split_coins(&mut self, finder: CharacterId, _room: RoomId, copper: i64) {
        self.mint(finder, copper, "loot");
    }

    /// A thing was won by somebody of a party: by its rule the next one gets it, it is rolled for, or it stays where
    /// it is. True if somebody has it or will have it.
    pub(crate) fn award_item(&mut self, _item: ItemId, _finder: CharacterId) -> bool {
        false
    }

    /// Somebody has walked through an exit: whoever follows comes along.
    pub(crate) fn follow_along(&mut self, _leader: CharacterId, _from: RoomId, _exit: ExitId) {}

    /// A new room's creatures are as tough as the party that finds them.
    pub(crate) fn scale_room(&mut self, _room: RoomId, _who: CharacterId) {}

    /// The room that the party rope leads to for somebody at a start exit (E9).
    pub(crate) fn may_use_rope(&mut self, _who: CharacterId, _exit: &Exit) -> Option<RoomId> {
        None
    }

    /// Something of a party is due: an invitation or a roll is over.
    pub(super) fn party_due(&mut self, _party: PartyId) {}
}
