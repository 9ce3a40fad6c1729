//! What is left of creatures: a corpse holds what they had, belongs to whoever earned it for a while, and crumbles.
//! There is none without anything in it.

use crate::base::{CharacterId, ItemId, RoomId};
use crate::catalog::{ItemClass, Rules};
use crate::game::{Class, Game, Timer};
use crate::text::{Markup, Style, grammar};
use crate::world::{Item, LootChoice, Place};

impl Game {
    /// Lays out what a creature had in its corpse, for whoever earned it, who takes it at once if they like.
    pub(super) fn leave_corpse(&mut self, victim: CharacterId, winner: CharacterId, items: &[String]) {
        let room = self.world.characters[victim].room;
        let place = self.make_corpse(victim, winner, room);
        for item in self.world.carried(victim).to_vec() {
            self.world.move_item(item, place);
        }
        for key in items {
            self.spawn_item(key, place, "loot");
        }
        let (things, what) = match place {
            Place::Inside(corpse) => (self.world.contents(corpse).to_vec(), self.the_thing(corpse)),
            _ => (Vec::new(), String::new()),
        };
        if things.is_empty() {
            return;
        }
        let names: Vec<String> = self.grouped(&things).into_iter().map(|(name, _)| name).collect();
        let words = format!("{} holds {}.", grammar::capitalise(&what), grammar::list(&names));
        self.tell_room(room, &[], Class::Notice, Markup::styled(Style::Item, &words));
        let Place::Inside(corpse) = place else { return };
        self.tread(room, corpse);
        // Whose companion won it far away finds it in the corpse.
        if self.world.characters[winner].room == room {
            for item in things {
                self.allot(item, winner);
            }
        }
        if self.world.items.get(corpse).is_some() {
            self.clear_away(corpse);
        }
    }

    /// Somebody gets a thing that was won, if the party's rule says who, or if they have what is theirs taken at once.
    fn allot(&mut self, item: ItemId, winner: CharacterId) {
        let Some(count) = self.world.items.get(item).map(|item| item.count) else { return };
        let room = self.world.characters[winner].room;
        let shared = self.companions_of(winner, room).len() > 1;
        if self.award_item(item, winner) || shared || !self.takes_loot(winner) {
            return;
        }
        if let Err(no) = self.take(winner, item, count) {
            self.tell(winner, Class::Refusal, no.markup());
        }
    }

    /// Whether somebody has what is theirs taken at once.
    pub(crate) fn takes_loot(&self, who: CharacterId) -> bool {
        let account = self.world.characters[who].account.and_then(|id| self.world.accounts.get(id));
        account.is_some_and(|account| account.settings.loot == LootChoice::Auto)
    }

    /// A corpse without anything in it, or the floor if the content knows no corpses.
    fn make_corpse(&mut self, victim: CharacterId, winner: CharacterId, room: RoomId) -> Place {
        let of = self.mob_with_article(victim);
        let kind = self.catalog.items.values().find(|item| item.class == ItemClass::Corpse);
        let Some(key) = kind.map(|kind| kind.key.clone()) else { return Place::Room(room) };
        let times = self.catalog.rules.corpse;
        let gone_at = self.now + Rules::secs(times.gone_secs);
        let id = self.world.new_item_id();
        let corpse = Item {
            label: Some(format!("corpse of {of}")),
            owner: Some(winner),
            owner_until: Some(self.now + Rules::secs(times.owner_secs)),
            gone_at: Some(gone_at),
            found_in: self.world.rooms[room].branch,
            ..Item::new(id, &key, Place::Room(room), self.now)
        };
        self.world.add_item(corpse, "death");
        self.timers.schedule(gone_at, Timer::Crumble(id));
        Place::Inside(id)
    }

    /// Something was taken out of a container: a corpse with nothing left in it is gone.
    pub(super) fn clear_away(&mut self, container: ItemId) {
        let empty = self.world.contents(container).is_empty();
        if empty && self.class_of(container) == ItemClass::Corpse {
            self.world.remove_item(container, "emptied");
        }
    }

    /// A thing's time is over: what is in it lies about, and it is gone.
    pub(super) fn crumbles(&mut self, item: ItemId) {
        let Some(row) = self.world.items.get(item) else { return };
        if row.gone_at.is_none_or(|at| at > self.now) {
            return;
        }
        let (place, lies_at) = (row.place, self.world.root(item));
        let what = grammar::capitalise(&self.the_thing(item)).into_owned();
        let things = self.world.contents(item).to_vec();
        let names: Vec<String> = self.grouped(&things).into_iter().map(|(name, _)| name).collect();
        for inside in &things {
            self.world.move_item(*inside, place);
        }
        self.world.remove_item(item, "crumbled");
        let Some(Place::Room(room)) = lies_at else { return };
        let words = if names.is_empty() {
            format!("{what} crumbles to dust.")
        } else {
            format!("{what} crumbles to dust and leaves {} on the floor.", grammar::list(&names))
        };
        self.tell_room(room, &[], Class::Notice, Markup::plain(&words));
        for inside in things {
            if self.world.items.get(inside).is_some() {
                let joined = self.stack_up(inside);
                self.tread(room, joined);
            }
        }
    }

    /// A room is about to go: corpses that are still somebody's, and packs that somebody brought along, are found
    /// again in the start room.
    pub(super) fn save_belongings(&mut self, room: RoomId, start: RoomId) {
        let owned = |item: &ItemId| {
            let row = &self.world.items[*item];
            let pack = self.class_of(*item) == ItemClass::Container && row.found_in.is_none();
            pack || row.owner_until.is_some_and(|until| until > self.now)
        };
        let saved: Vec<ItemId> = self.world.floor(room).iter().copied().filter(owned).collect();
        for item in saved {
            self.world.move_item(item, Place::Room(start));
            for inside in self.world.with_contents(item) {
                if let Some(row) = self.world.items.edit(inside) {
                    row.found_in = None;
                }
            }
            self.tread(start, item);
        }
    }
}
