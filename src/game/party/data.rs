//! What clients with GMCP are told of a party: all of it when it changes, one member when something of them does.

use crate::base::{CharacterId, PartyId, SessionId};
use crate::game::data::{PartyInfo, PartyMember};
use crate::game::{Data, Game};
use crate::world::LootRule;

impl Game {
    /// Something of a body may have changed that its party sees.
    pub(crate) fn show_member(&mut self, who: CharacterId) {
        if self.world.party_of(who).is_some() {
            self.outbox.members.insert(who);
        }
    }

    /// A party is not what it was: all its members are shown it again.
    pub(super) fn show_party(&mut self, id: PartyId) {
        if let Some(party) = self.world.parties.get(id) {
            self.outbox.parties.extend(party.members.iter().copied());
        }
    }

    /// At the end of a step: whoever asked for it is told what has changed.
    pub(crate) fn finish_parties(&mut self) {
        let anew = std::mem::take(&mut self.outbox.parties);
        for who in &anew {
            if let Some(session) = self.listener(*who) {
                let info = self.party_info(*who);
                self.note_members(session, *who, &info);
                self.outbox.data(session, Data::PartyInfo(Box::new(info)));
            }
        }
        for changed in std::mem::take(&mut self.outbox.members) {
            let Some(party) = self.world.party_of(changed).map(|id| &self.world.parties[id]) else {
                continue;
            };
            let others = party.members.iter().filter(|id| !anew.contains(id));
            let listeners: Vec<SessionId> = others.filter_map(|id| self.listener(*id)).collect();
            if listeners.is_empty() {
                continue;
            }
            let member = self.party_member(changed);
            for session in listeners {
                let Some(seat) = self.seats.get_mut(&session) else { continue };
                if seat.party_told.get(&changed) != Some(&member) {
                    seat.party_told.insert(changed, member.clone());
                    self.outbox.data(session, Data::PartyUpdate(Box::new(member.clone())));
                }
            }
        }
    }

    /// The session of somebody who asked for such data.
    fn listener(&self, who: CharacterId) -> Option<SessionId> {
        let session = self.seated.get(&who)?;
        self.seats.get(session).filter(|seat| seat.wants.party).map(|_| *session)
    }

    fn note_members(&mut self, session: SessionId, who: CharacterId, info: &PartyInfo) {
        let members = self.world.party_of(who).map(|id| self.world.parties[id].members.clone());
        if let Some(seat) = self.seats.get_mut(&session) {
            seat.party_told =
                members.unwrap_or_default().into_iter().zip(info.members.iter().cloned()).collect();
        }
    }

    fn party_info(&self, who: CharacterId) -> PartyInfo {
        let Some(party) = self.world.party_of(who).map(|id| &self.world.parties[id]) else {
            return PartyInfo::default();
        };
        let loot = match party.loot {
            LootRule::RoundRobin => "round-robin",
            LootRule::Free => "free",
            LootRule::Roll => "roll",
        };
        PartyInfo {
            id: Some(party.id),
            leader: Some(self.world.characters[party.leader].name.clone()),
            loot: Some(loot.into()),
            members: party.members.iter().map(|member| self.party_member(*member)).collect(),
        }
    }

    fn party_member(&self, who: CharacterId) -> PartyMember {
        let body = &self.world.characters[who];
        let leader = self.world.party_of(who).is_some_and(|id| self.world.parties[id].leader == who);
        PartyMember {
            name: body.name.clone(),
            hp: self.hp(who),
            maxhp: self.max_hp_of(who),
            level: body.level,
            place: self.place_words(who),
            room: body.room.0,
            state: self.standing_of(who).into(),
            leader,
        }
    }
}
