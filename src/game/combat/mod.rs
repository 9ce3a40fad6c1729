//! Fights: blows in rounds, wounds that close with time, death, and what blocks a room (E24 to E28, E30).

mod affects;
mod down;

use crate::base::{CharacterId, Dice, GameTime, RoomId};
use crate::catalog::MobPrototype;
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::{Class, Game, Timer};
use crate::text::act::Template;
use crate::text::{Markup, Style, grammar};
use crate::world::{ExitKind, ExitState, Place};

const MISS: Template = Template::new("{actor} {misses|miss} {target}.");
const TURN_ON: Template = Template::new("{actor} {turns|turn} on {target}.");
const BREAK_AWAY: Template = Template::new("{actor} {breaks|break} away and {runs|run}.");

impl Game {
    /// Hit points at this moment: wounds close with time, but not in a fight (D15).
    pub(crate) fn hp(&self, who: CharacterId) -> i32 {
        let body = &self.world.characters[who];
        if body.target.is_some() {
            return body.hp;
        }
        let pace = i64::from(self.catalog.rules.healing.secs_per_hp.max(1)) * 1_000;
        let healed = i32::try_from(self.now.since(body.hp_at).0 / pace).unwrap_or(i32::MAX);
        body.hp.saturating_add(healed).min(self.max_hp_of(who))
    }

    /// Writes down the hit points of this moment.
    fn set_hp(&mut self, who: CharacterId, hp: i32) {
        let (now, most) = (self.now, self.max_hp_of(who));
        if let Some(body) = self.world.characters.edit(who) {
            body.hp = hp.clamp(0, most);
            body.hp_at = now;
        }
        self.show_vitals(who);
    }

    /// Begins a fight, or turns to another opponent; the first blow falls at once.
    pub(crate) fn attack(&mut self, who: CharacterId, target: CharacterId) -> Result<(), Refusal> {
        let room = self.world.characters[who].room;
        if !self.world.rooms[room].kind.is_dungeon() {
            return Err(Refusal::NoFighting);
        }
        if who == target {
            return Err(Refusal::Yourself);
        }
        if self.world.characters[target].is_player() {
            return Err(Refusal::NotPlayers);
        }
        if self.world.characters[who].target == Some(target) {
            return Err(Refusal::AlreadyFighting(self.the(target)));
        }
        // Whoever runs in and out of a fight strikes no oftener than whoever stays in it.
        let fresh = self.world.characters[who].target.is_none() && !self.rounds.contains_key(&room);
        self.engage(who, target);
        if fresh {
            self.blow(who, target);
        } else {
            self.act(Class::Combat, &TURN_ON, who, Some(target), "");
        }
        Ok(())
    }

    /// Locks two bodies in combat.
    pub(crate) fn engage(&mut self, who: CharacterId, target: CharacterId) {
        let room = self.world.characters[who].room;
        self.aim(who, target);
        if self.world.characters[target].target.is_none() {
            self.aim(target, who);
        }
        self.schedule_round(room);
    }

    /// One round after the other in a room, however often fights begin and end in it.
    pub(super) fn schedule_round(&mut self, room: RoomId) {
        let next = self.now + self.config.round;
        if let std::collections::btree_map::Entry::Vacant(entry) = self.rounds.entry(room) {
            entry.insert(next);
            self.timers.schedule(next, Timer::Round(room));
        }
    }

    fn aim(&mut self, who: CharacterId, target: CharacterId) {
        let (hp, now) = (self.hp(who), self.now);
        if let Some(body) = self.world.characters.edit(who) {
            body.hp = hp;
            body.hp_at = now;
            body.target = Some(target);
        }
        self.show_vitals(who);
    }

    /// One round in a room: each fighter strikes once, in the order of their coming.
    pub(super) fn round(&mut self, room: RoomId, due: GameTime) {
        if self.rounds.get(&room) != Some(&due) {
            return;
        }
        self.rounds.remove(&room);
        for who in self.world.occupants(room).to_vec() {
            let Some(target) =
                self.world.characters.get(who).filter(|c| c.room == room).and_then(|c| c.target)
            else {
                continue;
            };
            if !self.creature_turn(who) {
                self.blow(who, target);
            }
        }
        self.makes_noise(room);
        if self.world.occupants(room).iter().any(|o| self.world.characters[*o].target.is_some()) {
            self.schedule_round(room);
        }
    }

    fn blow(&mut self, who: CharacterId, target: CharacterId) {
        let room = self.world.characters[who].room;
        // T8: damage is power less defence; one point either way keeps rounds from being all alike.
        let fights = self.catalog.rules.fights;
        let base = self.attack_of(who) - self.defence_of(target);
        let hits = self.dice.combat.percent(fights.hit_percent);
        let swing = crate::game::spawn::points(self.dice.combat.up_to(fights.spread * 2))
            - crate::game::spawn::points(fights.spread);
        let damage = (base + swing).max(1);
        let strikes = self.strikes(who);
        if !hits {
            return self.act(Class::Combat, &MISS, who, Some(target), "");
        }
        let (a, t) = (self.name_of(who), self.the(target));
        let points = grammar::counted(damage.unsigned_abs(), "point", None);
        self.tell(who, Class::Combat, format!("You hit {t} for {points}."));
        let hurt = a.clone().with(Style::Harm, &format!(" {strikes} you for {points}."));
        self.tell(target, Class::Combat, hurt);
        self.tell_room(room, &[who, target], Class::Combat, a.and(&format!(" {strikes} {t}.")));
        self.harm(target, damage, Some(who));
    }

    /// Takes hit points from a body; at none it dies, by the hand of `by` if by anybody's.
    pub(crate) fn harm(&mut self, victim: CharacterId, points: i32, by: Option<CharacterId>) {
        let left = self.hp(victim).saturating_sub(points.max(0));
        self.set_hp(victim, left);
        if left <= 0 {
            self.die(victim, by);
        } else {
            self.was_hurt(victim);
        }
    }

    /// Gives hit points to a body.
    pub(crate) fn heal(&mut self, who: CharacterId, points: i32) {
        let hp = self.hp(who).saturating_add(points.max(0));
        self.set_hp(who, hp);
    }

    /// Power of a body's blows with everything that adds to it.
    pub(crate) fn attack_of(&self, who: CharacterId) -> i32 {
        self.world.characters[who].attack + self.gear_bonus(who).attack
    }

    /// What a body turns away with everything that adds to it.
    pub(crate) fn defence_of(&self, who: CharacterId) -> i32 {
        self.world.characters[who].defence + self.gear_bonus(who).defence
    }

    /// Hit points at most with everything that adds to them.
    pub(crate) fn max_hp_of(&self, who: CharacterId) -> i32 {
        self.world.characters[who].max_hp + self.gear_bonus(who).max_hp
    }

    /// How a body strikes, as others read it: "bites".
    fn strikes(&mut self, who: CharacterId) -> String {
        let prototype = self.world.characters[who].mob.as_ref().and_then(|key| self.catalog.mobs.get(key));
        let words = prototype.and_then(|mob| self.dice.flavour.pick(&mob.strikes));
        words.map_or("hits", String::as_str).to_owned()
    }

    fn die(&mut self, victim: CharacterId, slayer: Option<CharacterId>) {
        if self.world.characters[victim].is_player() {
            self.player_dies(victim);
        } else {
            self.creature_dies(victim, slayer);
        }
    }

    fn creature_dies(&mut self, victim: CharacterId, slayer: Option<CharacterId>) {
        let body = &self.world.characters[victim];
        let room = body.room;
        let line = body.mob.as_ref().and_then(|key| self.catalog.mobs.get(key)).map(|mob| mob.death.clone());
        let name = self.name_of(victim);
        if let Some(line) = line {
            self.tell_room(room, &[], Class::Combat, Markup::plain(&line));
        }
        let winners = slayer.map(|slayer| self.companions_of(slayer, room)).unwrap_or_default();
        self.tell_room(room, &winners, Class::Combat, name.and(" is dead."));
        if let Some(slayer) = slayer {
            self.share_experience(victim, slayer);
            self.drop_loot(victim, slayer);
            self.learns(slayer, Lesson::Won);
        }
        self.stop_fights_of(victim);
        self.world.remove_character(victim);
        self.check_clear(room);
    }

    /// A player who dies wakes in the start room with half its strength; nothing is lost.
    fn player_dies(&mut self, victim: CharacterId) {
        let body = &self.world.characters[victim];
        let (from, half) = (body.room, (body.max_hp / 2).max(1));
        let start = self.world.rooms[from].branch.map_or(body.home, |b| self.world.branches[b].start_room);
        self.tell(
            victim,
            Class::Combat,
            Markup::styled(Style::Harm, "You fall. The dark closes over you like water."),
        );
        self.tell_room(
            from,
            &[victim],
            Class::Combat,
            self.name_of(victim).and(" falls, and the dark takes the body."),
        );
        self.relocate(victim, start);
        self.set_hp(victim, half);
        self.tell_room(
            start,
            &[victim],
            Class::Movement,
            self.name_of(victim).and(" is washed up on the stones, pale and gasping."),
        );
        self.tell(victim, Class::Notice, "You come to at the start, cold and sore, but whole.");
        self.show_room(victim);
    }

    /// Ends every fight that a body is in: its own, and of those who fight it and have no other opponent.
    pub(crate) fn stop_fights_of(&mut self, who: CharacterId) {
        let room = self.world.characters[who].room;
        self.stop_fighting(who);
        for other in self.world.occupants(room).to_vec() {
            if self.world.characters[other].target == Some(who) {
                self.stop_fighting(other);
                let next = self
                    .world
                    .occupants(room)
                    .iter()
                    .copied()
                    .find(|enemy| *enemy != who && self.world.characters[*enemy].target == Some(other));
                if let Some(next) = next {
                    self.aim(other, next);
                }
            }
        }
    }

    fn stop_fighting(&mut self, who: CharacterId) {
        let now = self.now;
        if self.world.characters[who].target.is_some()
            && let Some(body) = self.world.characters.edit(who)
        {
            body.target = None;
            body.hp_at = now;
            self.show_vitals(who);
        }
    }

    /// Runs from a fight: along the way back first, else through any explored exit (E25, E55).
    pub(crate) fn flee(&mut self, who: CharacterId) -> Result<(), Refusal> {
        if self.world.characters[who].target.is_none() {
            return Err(Refusal::NotFighting);
        }
        let room = self.world.characters[who].room;
        let passable = |state, kind| kind != ExitKind::Branch && state != ExitState::Unexplored;
        let mut ways = self.world.exits_of(room).filter(|e| passable(e.state, e.kind)).collect::<Vec<_>>();
        ways.sort_by_key(|exit| !exit.back);
        let exit = ways.first().map(|exit| exit.id).ok_or(Refusal::NowhereToFlee)?;
        self.act(Class::Combat, &BREAK_AWAY, who, None, "");
        self.stop_fights_of(who);
        self.pass(who, exit)
    }

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
            0 => String::new(),
            _ => self.portcullis_words(room),
        }
    }

    /// Creatures that have to be overcome: those that belong to the room. Roamers never count (E28).
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
        let row = &self.world.rooms[room];
        if row.clear || row.challenge.lever_pulls > 0 || !self.guards(room).is_empty() {
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
            self.spawn_item(&key, Place::Room(room), "reward");
            self.tell_room(room, &[], Class::Notice, words);
        }
    }
}
