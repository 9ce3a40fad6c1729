//! What a party wins: experience, coins to the last copper, and things in turn.

use crate::base::{CharacterId, ItemId, PartyId, RoomId};
use crate::catalog::rules::by_number;
use crate::game::money::money_words;
use crate::game::{Class, Game};
use crate::text::{Markup, Style};
use crate::world::{LootRule, Place};

impl Game {
    /// Who has the merit of what a body does: a companion's is its master's.
    pub(crate) fn credited(&self, who: CharacterId) -> CharacterId {
        self.world.characters[who].master.unwrap_or(who)
    }

    /// A creature was slain: every member in the room has a share of it, as large as T10 says, whoever lies on the
    /// floor too. Companions take none.
    pub(crate) fn share_experience(&mut self, victim: CharacterId, slayer: CharacterId) {
        let body = &self.world.characters[victim];
        let (xp, room, name) = (body.xp, body.room, self.name_of(victim).text().to_owned());
        let here = |id: &CharacterId| {
            let body = &self.world.characters[*id];
            body.is_player() && body.awake && body.room == room
        };
        let winners: Vec<CharacterId> = self.companions_of(slayer, room).into_iter().filter(here).collect();
        let percent = by_number(&self.catalog.rules.party.experience_percent, winners.len());
        let share = xp.max(0).saturating_mul(i64::from(percent)) / 100;
        for winner in winners {
            self.gain_experience(winner, share, &name);
        }
    }

    /// Coppers found by somebody come into the purses of all of the party in the room, in equal parts. What is left
    /// over goes round in turn, so that over many finds nobody has more than one copper ahead of another.
    pub(crate) fn split_coins(&mut self, finder: CharacterId, room: RoomId, copper: i64) {
        let finder = self.credited(finder);
        let mut here = self.companions_of(finder, room);
        if here.is_empty() {
            here.push(finder);
        }
        let heads = i64::try_from(here.len()).unwrap_or(1);
        let (each, left) = (copper.max(0) / heads, copper.max(0) % heads);
        let extra = self.whose_turn(self.world.party_of(finder), &here, left);
        for member in here {
            let share = each + i64::from(extra.contains(&member));
            if share == 0 {
                continue;
            }
            self.mint(member, share, "loot");
            let words = match heads {
                1 => format!("You find {}.", money_words(share)),
                _ => format!("Your share of the coins is {}.", money_words(share)),
            };
            self.tell(member, Class::Notice, words);
        }
    }

    /// Which of those present get one copper more this time; the turn goes on behind them.
    fn whose_turn(&mut self, party: Option<PartyId>, here: &[CharacterId], left: i64) -> Vec<CharacterId> {
        let Some(id) = party else { return Vec::new() };
        let row = &self.world.parties[id];
        let (members, mut turn) = (row.members.clone(), row.coin_turn);
        let mut extra = Vec::new();
        while i64::try_from(extra.len()).is_ok_and(|given| given < left) {
            let member = members[place_in(turn, members.len())];
            turn += 1;
            if here.contains(&member) {
                extra.push(member);
            }
        }
        if left > 0
            && let Some(row) = self.world.parties.edit(id)
        {
            row.coin_turn = turn % u64::try_from(members.len().max(1)).unwrap_or(1);
        }
        extra
    }

    /// A thing was won by somebody of a party: by its rule the next one gets it, it is rolled for, or it stays where
    /// it is. True if somebody has it or will have it.
    pub(crate) fn award_item(&mut self, item: ItemId, finder: CharacterId) -> bool {
        let finder = self.credited(finder);
        let room = self.world.characters[finder].room;
        let Some(party) = self.world.party_of(finder) else { return false };
        let here = self.companions_of(finder, room);
        if here.len() < 2 || self.world.items.get(item).is_none() {
            return false;
        }
        match self.world.parties[party].loot {
            LootRule::Free => false,
            LootRule::RoundRobin => self.give_in_turn(party, item, room, &here),
            LootRule::Roll => self.begin_roll(party, item, room, &here),
        }
    }

    /// A thing has come to light in a room: the party there has it by its rule.
    pub(crate) fn award_found(&mut self, item: ItemId, room: RoomId) -> bool {
        let in_party = |id: &CharacterId| self.world.party_of(*id).is_some();
        let finder = self.world.occupants(room).iter().copied().find(in_party);
        finder.is_some_and(|finder| self.award_item(item, finder))
    }

    /// The next one in turn who is here and can carry it gets a thing.
    fn give_in_turn(&mut self, id: PartyId, item: ItemId, room: RoomId, here: &[CharacterId]) -> bool {
        let party = &self.world.parties[id];
        let count = party.members.len();
        let order = (0..count).map(|step| place_in(party.turn + step as u64, count));
        let able = |at: &usize| {
            here.contains(&party.members[*at])
                && self.has_hands_for(party.members[*at], item, self.world.items[item].count)
        };
        let Some(at) = order.into_iter().find(able) else { return false };
        let winner = party.members[at];
        if let Some(party) = self.world.parties.edit(id) {
            party.turn = ((at + 1) % count) as u64;
        }
        let what = self.thing(item);
        self.win(item, winner);
        let name = self.world.characters[winner].name.clone();
        let line = Markup::styled(Style::Item, &crate::text::grammar::capitalise(&what));
        let line = line.and(" goes to ").with(Style::Player, &name).and(", whose turn it was.");
        self.tell_room(room, &[winner], Class::Notice, line);
        let yours = Markup::plain("It is your turn: you get ").with(Style::Item, &what).and(".");
        self.tell(winner, Class::Notice, yours);
        true
    }

    /// Somebody gets what the party has decided on, from the floor or out of a corpse, wherever they are by now. False
    /// if they cannot carry it.
    pub(super) fn win(&mut self, item: ItemId, who: CharacterId) -> bool {
        let count = self.world.items[item].count;
        if !self.has_hands_for(who, item, count) {
            return false;
        }
        let from = self.world.items[item].place;
        self.disown(item, who);
        let item = self.stow(item, count, Place::Holder(who));
        if let Place::Inside(container) = from {
            self.clear_away(container);
        }
        self.wear_if_better(who, item);
        true
    }

    /// A thing as one would name it: "a clay lamp".
    pub(super) fn thing(&self, item: ItemId) -> String {
        self.world.items.get(item).map_or_else(String::new, |row| self.thing_words(item, row.count))
    }
}

/// A place in a list, counted on and on.
fn place_in(turn: u64, len: usize) -> usize {
    usize::try_from(turn % u64::try_from(len.max(1)).unwrap_or(1)).unwrap_or(0)
}
