//! Companions: creatures that go with a player and fight for them. They take no share of anything, are no tougher for
//! a larger party, and part from their master at the end of the branch.

use crate::base::{BranchId, CharacterId, RoomId};
use crate::game::command::Refusal;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::text::{Markup, Style, grammar};
use crate::world::{Mood, Place, Posture};

const JOINS: Template = Template::new("{actor} {joins|join} {target}.");
const TURNS_BACK: Template = Template::new("{actor} {nods|nod} and {goes|go} {actor.their} own way.");
const HELPS: Template = Template::new("{actor} {steps|step} in against {target}.");

impl Game {
    /// A creature becomes a player's companion; false if that player has as many as one may have.
    pub(crate) fn join_companion(&mut self, mob: CharacterId, master: CharacterId) -> bool {
        if self.companions(master).len() >= self.config.limits.companions as usize {
            return false;
        }
        self.stop_fights_of(mob);
        let home = self.world.characters[master].home;
        let prototype = self.world.characters[mob].mob.as_ref().and_then(|key| self.catalog.mobs.get(key));
        let most = prototype.map(|prototype| crate::game::spawn::points(prototype.hp));
        if let Some(body) = self.world.characters.edit(mob) {
            body.master = Some(master);
            // It belongs to no room any more, so it bars none.
            body.home = home;
            (body.mood, body.posture) = (Mood::Idle, Posture::Standing);
            body.max_hp = most.unwrap_or(body.max_hp);
            body.hp = body.hp.min(body.max_hp);
            let room = body.room;
            self.world.note_change(Place::Room(room));
        }
        self.act(Class::Notice, &JOINS, mob, Some(master), "");
        true
    }

    /// The companions of a player, wherever they are in its branch or room.
    pub(crate) fn companions(&self, master: CharacterId) -> Vec<CharacterId> {
        let body = &self.world.characters[master];
        let of_branch = body.branch.and_then(|branch| self.world.branch_index(branch));
        let mobs = of_branch.into_iter().flat_map(|index| index.mobs.iter().copied());
        let here = self.world.occupants(body.room).iter().copied();
        let mut found: Vec<CharacterId> =
            mobs.chain(here).filter(|id| self.world.characters[*id].master == Some(master)).collect();
        found.sort();
        found.dedup();
        found
    }

    /// Who has joined somebody, and how they are, one line each.
    pub(crate) fn companion_list(&self, master: CharacterId) -> Markup {
        let mut list = Markup::new();
        for companion in self.companions(master) {
            let body = &self.world.characters[companion];
            let name = grammar::capitalise(&self.mob_with_article(companion)).into_owned();
            if list.is_empty() {
                list.push(Style::Mob, &name);
            } else {
                list.line(Style::Mob, &name);
            }
            let (hp, most) = (self.hp(companion), self.max_hp_of(companion));
            let place = match body.room == self.world.characters[master].room {
                true if body.target.is_some() => "fights beside you".to_owned(),
                true => "follows you".to_owned(),
                false => format!("is left behind at {}", self.place_words(companion)),
            };
            list.push(Style::Plain, &format!(" {place}: {hp} of {most} hit points."));
        }
        if list.is_empty() { Markup::plain("Nobody has joined you.") } else { list }
    }

    /// Sends a companion away: the one that is named, or the first.
    pub(crate) fn dismiss(&mut self, master: CharacterId, words: &str) -> Result<(), Refusal> {
        let typed = words.to_lowercase();
        let meant = |id: &CharacterId| self.world.characters[*id].name.to_lowercase().contains(&typed);
        let all = self.companions(master);
        let none =
            if all.is_empty() { "Nobody has joined you." } else { "None of your companions is called so." };
        let one = all.into_iter().find(meant).ok_or_else(|| Refusal::Because(none.into()))?;
        if self.world.characters[one].target.is_some() {
            return Err(Refusal::Because(format!("{} is in a fight.", self.name_of(one).text())));
        }
        if self.world.characters[one].room != self.world.characters[master].room {
            let words = format!("You give {} up for lost.", self.the(one));
            self.tell(master, Class::Reply, words);
        }
        self.send_away(one);
        Ok(())
    }

    fn send_away(&mut self, companion: CharacterId) {
        self.act(Class::Movement, &TURNS_BACK, companion, None, "");
        self.stop_fights_of(companion);
        self.world.remove_character(companion);
    }

    /// A fight has begun: idle companions of either side that are players' step in.
    pub(crate) fn companions_join(&mut self, who: CharacterId, target: CharacterId) {
        for (master, enemy) in [(who, target), (target, who)] {
            if !self.world.characters[master].is_player() || self.world.characters[enemy].is_player() {
                continue;
            }
            let room = self.world.characters[master].room;
            let idle = |id: &CharacterId| {
                let body = &self.world.characters[*id];
                body.master == Some(master) && body.target.is_none() && body.posture == Posture::Standing
            };
            let friends: Vec<CharacterId> = self.world.occupants(room).iter().copied().filter(idle).collect();
            for friend in friends {
                self.act(Class::Combat, &HELPS, friend, Some(enemy), "");
                self.engage(friend, enemy);
            }
        }
    }

    /// Before a round: companions that have nobody to fight help their masters, who have.
    pub(crate) fn rally(&mut self, room: RoomId) {
        let fights = |id: &CharacterId| {
            let body = &self.world.characters[*id];
            body.target.filter(|_| body.is_player()).map(|target| (*id, target))
        };
        let fights: Vec<_> = self.world.occupants(room).iter().filter_map(fights).collect();
        for (master, target) in fights {
            self.companions_join(master, target);
        }
    }

    /// Whoever leaves a branch takes along the companions that stand in the same room with nothing to do.
    pub(crate) fn bring_companions(&mut self, master: CharacterId, from: RoomId, to: RoomId) {
        let free = |id: &CharacterId| {
            let body = &self.world.characters[*id];
            body.master == Some(master) && body.target.is_none() && !self.is_held(*id)
        };
        let companions: Vec<CharacterId> = self.world.occupants(from).iter().copied().filter(free).collect();
        let branch = self.world.rooms[to].branch;
        for companion in companions {
            self.world.move_character(companion, to);
            self.world.set_membership(companion, branch);
            let words = self.name_of(companion).and(" comes along.");
            self.tell_room(to, &[], Class::Movement, words);
        }
    }

    /// At the end of a step: whoever has left a branch parts from the companions of it, brought along or left behind.
    pub(crate) fn part_companions(&mut self) {
        for (master, left) in std::mem::take(&mut self.parting) {
            self.brings_home(master);
            for companion in self.companions_from(master, left) {
                self.send_away(companion);
            }
        }
    }

    fn companions_from(&self, master: CharacterId, left: BranchId) -> Vec<CharacterId> {
        let mobs = self.world.branch_index(left).into_iter().flat_map(|index| index.mobs.iter().copied());
        let here = self.world.occupants(self.world.characters[master].room).iter().copied();
        mobs.chain(here).filter(|id| self.world.characters[*id].master == Some(master)).collect()
    }
}
