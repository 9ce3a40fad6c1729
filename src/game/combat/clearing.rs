//! What keeps a room from being clear, and the moment it is.

use crate::base::{CharacterId, RoomId};
use crate::catalog::MobPrototype;
use crate::game::guide::Lesson;
use crate::game::{Class, Game};
use crate::text::{Markup, Style, grammar};
use crate::world::{ExitState, Place};

impl Game {
    /// What keeps a room from being clear, as a sentence; empty if nothing does.
    pub(crate) fn what_blocks(&self, room: RoomId) -> String {
        let guards = self.guards(room);
        if !guards.is_empty() {
            let names: Vec<String> = self
                .alike(&guards)
                .into_iter()
                .map(|(one, count)| if count == 1 { self.the(one) } else { self.several(one, count) })
                .collect();
            let bar = if guards.len() == 1 { "bars" } else { "bar" };
            return format!("{} {bar} the way.", grammar::capitalise(&grammar::list(&names)));
        }
        match self.world.rooms[room].challenge.lever_pulls {
            0 if self.world.rooms[room].challenge.puzzle.is_some() => Self::gate_words(),
            0 => String::new(),
            _ => self.portcullis_words(room),
        }
    }

    /// Creatures that have to be overcome: those that belong to the room. Roamers never count.
    pub(crate) fn guards(&self, room: RoomId) -> Vec<CharacterId> {
        let guards = |id: &CharacterId| {
            let body = &self.world.characters[*id];
            body.home == room
                && body.mob.is_some()
                && self.mob_prototype(*id).is_none_or(MobPrototype::guards)
        };
        self.world.occupants(room).iter().copied().filter(guards).collect()
    }

    /// Clears a room once nothing blocks it: the event of E26.
    pub(crate) fn check_clear(&mut self, room: RoomId) {
        self.guards_fall(room);
        // Its branch may have ended with the last of its members.
        let Some(row) = self.world.rooms.get(room) else { return };
        let shut = row.challenge.lever_pulls > 0 || row.challenge.puzzle.is_some();
        if row.clear || shut || !self.guards(room).is_empty() {
            return;
        }
        if let Some(row) = self.world.rooms.edit(room) {
            row.clear = true;
        }
        let onward = self.world.exits_of(room).filter(|exit| exit.state == ExitState::Unexplored).count();
        let words = match onward {
            0 => "The room is clear: nothing stands against you here.",
            1 => "The room is clear: the way ahead stands open.",
            _ => "The room is clear: the ways ahead stand open.",
        };
        self.tell_room(room, &[], Class::Notice, Markup::styled(Style::Boon, words));
        for who in self.world.occupants(room).to_vec() {
            self.learns(who, Lesson::RoomCleared);
        }
        self.give_rewards(room);
        self.room_cleared(room);
        self.send_change(room);
    }

    /// Whatever the room held back comes to light.
    pub(crate) fn give_rewards(&mut self, room: RoomId) {
        let Some(row) = self.world.rooms.edit(room) else { return };
        for key in std::mem::take(&mut row.challenge.reward) {
            let Some(item) = self.catalog.items.get(&key) else { continue };
            let words =
                Markup::plain("Among the stones you find ").with(Style::Item, &item.with_article).and(".");
            let found = self.spawn_item(&key, Place::Room(room), "reward");
            self.tell_room(room, &[], Class::Notice, words);
            if let Some(found) = found {
                self.award_found(found, room);
            }
        }
    }
}
