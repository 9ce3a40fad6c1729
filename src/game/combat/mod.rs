//! Fights: how they begin, how they go in rounds, and how they end. What a blow does is `rules`',
//! what people read of it `narrate`'s; running away is `flight`, no hit points left is `down`, what hangs on a body is
//! `affects`, and what keeps a room from being clear is `clearing`.
//!
//! ```text
//!   nobody fights --attack, engage--> first blow --> round --> round --> nobody fights
//!                                               |   one a `game.round`, or, for who is alone and waits,
//!                                                     |   one with each command that acts
//!                                                     +-- each fighter once, in the order of coming
//! ```

mod affects;
mod body;
mod clearing;
mod down;
mod flight;
mod narrate;
mod rules;
#[cfg(test)]
mod tests;
mod waiting;

use crate::base::{CharacterId, GameTime, RoomId, Span};
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::{Class, Game, Timer};
use crate::text::act::Template;
use crate::world::Posture;
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

const TURN_ON: Template = Template::new("{actor} {turns|turn} on {target}.");
const READY: Template = Template::new("{actor} {was|were} waiting for that and {strikes|strike} first.");

/// What is known of fights from one round to the next and need not outlive the process.
#[derive(Debug, Default)]
pub(super) struct Fights {
    /// Who has used up the blow of the round to come.
    spent: BTreeSet<CharacterId>,
    /// Since when somebody waits for whatever may come.
    ready: BTreeMap<CharacterId, GameTime>,
    /// When somebody who is held may struggle again.
    strained: BTreeMap<CharacterId, GameTime>,
    /// Rooms whose round waits for a command, by when it would have come.
    held: BTreeMap<RoomId, GameTime>,
    /// When whoever bleeds or mends does so next.
    ticks: BTreeMap<CharacterId, GameTime>,
    /// When what hangs on a body is looked at next.
    looks: BTreeMap<CharacterId, GameTime>,
    /// Who is down, to be found without a search.
    fallen: BTreeSet<CharacterId>,
    /// Blows not told yet to those who like it brief.
    tallies: Vec<narrate::Tally>,
    /// Lines about blows put into words so far.
    texts: u64,
}

impl Game {
    /// Begins a fight, or turns to another opponent.
    pub(crate) fn attack(&mut self, who: CharacterId, target: CharacterId) -> Result<(), Refusal> {
        self.may_act(who)?;
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
        if self.world.characters[target].master.is_some() {
            return Err(Refusal::Because("That one is on your side.".into()));
        }
        if self.world.characters[who].target == Some(target) {
            if self.is_held_back(room) {
                self.acted(who);
                return Ok(());
            }
            return Err(Refusal::AlreadyFighting(self.the(target)));
        }
        let fresh = self.begins(who, target);
        self.engage(who, target);
        if !fresh {
            self.act(Class::Combat, &TURN_ON, who, Some(target), "");
            self.acted(who);
        }
        self.learns(who, Lesson::Fought);
        Ok(())
    }

    /// Whether a fight of these two is the beginning of one: whoever runs in and out of a fight strikes no oftener
    /// than whoever stays in it.
    fn begins(&self, who: CharacterId, target: CharacterId) -> bool {
        let body = &self.world.characters[who];
        let free = |id: CharacterId| self.world.characters[id].target.is_none();
        free(who) && free(target) && !self.rounds.contains_key(&body.room)
    }

    /// Locks two bodies in combat. If a fight begins by it, the first blow falls at once: by whoever has waited, else
    /// by who attacks. Either may be dead afterwards.
    pub(crate) fn engage(&mut self, who: CharacterId, target: CharacterId) {
        let room = self.world.characters[who].room;
        if self.world.characters[target].room != room || self.is_down(who) || self.is_down(target) {
            return;
        }
        let first = self.begins(who, target).then(|| self.strikes_first(who, target));
        self.aim(who, target);
        if self.world.characters[target].target.is_none() {
            self.aim(target, who);
        }
        for fighter in [who, target] {
            self.fights.ready.remove(&fighter);
            self.gets_up(fighter);
        }
        self.schedule_round(room);
        self.companions_join(who, target);
        if let Some(first) = first {
            let second = if first == who { target } else { who };
            if first == target {
                self.act(Class::Combat, &READY, first, None, "");
            }
            if !self.is_stunned(first) && !self.is_safe(second) {
                self.blow(first, second);
            }
            self.tell_tallies();
        }
    }

    /// Who of two strikes first: one who has stood still for a round before one who has just come, one who
    /// waits for it before either; else the attacker.
    fn strikes_first(&self, who: CharacterId, target: CharacterId) -> CharacterId {
        if self.readiness(target) > self.readiness(who) { target } else { who }
    }

    fn readiness(&self, who: CharacterId) -> u32 {
        let body = &self.world.characters[who];
        let a_round_ago = self.now - self.config.round;
        if body.posture == Posture::Asleep || self.is_stunned(who) {
            0
        } else if self.fights.ready.get(&who).is_some_and(|since| *since <= a_round_ago) {
            3
        } else if body.arrived_at <= a_round_ago {
            2
        } else {
            1
        }
    }

    /// One round after the other in a room, however often fights begin and end in it.
    pub(super) fn schedule_round(&mut self, room: RoomId) {
        let next = self.now + self.config.round;
        if let Entry::Vacant(entry) = self.rounds.entry(room) {
            entry.insert(next);
            self.timers.schedule(next, Timer::Round(room));
        }
    }

    pub(super) fn aim(&mut self, who: CharacterId, target: CharacterId) {
        let (hp, now) = (self.hp(who), self.now);
        if let Some(body) = self.world.characters.edit(who) {
            body.hp = hp;
            body.hp_at = now;
            body.target = Some(target);
        }
        self.show_vitals(who);
    }

    /// A round is due. It waits if who fights is alone and wants it so.
    pub(super) fn round(&mut self, room: RoomId, due: GameTime) {
        if self.rounds.get(&room) != Some(&due) {
            return;
        }
        if self.is_held_back(room) {
            self.hold_round(room, due);
        } else {
            self.play_round(room);
        }
    }

    /// One round in a room: each fighter acts once, in the order of their coming.
    fn play_round(&mut self, room: RoomId) {
        self.release_round(room);
        self.rounds.remove(&room);
        self.rally(room);
        for who in self.world.occupants(room).to_vec() {
            self.turn(who, room);
        }
        self.makes_noise(room);
        self.tell_tallies();
        let fights = |id: &CharacterId| self.world.characters.get(*id).is_some_and(|c| c.target.is_some());
        self.fights.spent.retain(fights);
        if self.is_fought_in(room) {
            self.schedule_round(room);
        }
    }

    /// What one body does in a round. Anything before it may have killed it, or ended its branch.
    fn turn(&mut self, who: CharacterId, room: RoomId) {
        let ready = |game: &Self| {
            let body = game.world.characters.get(who);
            body.is_some_and(|body| body.room == room && body.awake && body.posture != Posture::Down)
        };
        if !ready(self) || self.fights.spent.remove(&who) {
            return;
        }
        let (creature, fights) = {
            let body = &self.world.characters[who];
            (!body.is_player(), body.target.is_some())
        };
        if self.is_stunned(who) {
            if fights {
                self.tell(who, Class::Combat, "You are stunned and strike no blow.");
            }
            return;
        }
        if creature && fights && (self.creature_turn(who) || !ready(self)) {
            return;
        }
        let Some(mut target) = self.world.characters[who].target else { return };
        if self.is_safe(target) {
            match self.next_opponent(who) {
                Some(next) => self.turn_to(who, next),
                None => return,
            }
            target = self.world.characters[who].target.unwrap_or(target);
        }
        self.blow(who, target);
    }

    /// One blow.
    pub(crate) fn blow(&mut self, who: CharacterId, target: CharacterId) {
        self.strike(who, target, 100);
    }

    /// One blow of so many percent of its usual harm.
    pub(crate) fn strike(&mut self, who: CharacterId, target: CharacterId, percent: u32) {
        let odds = self.odds(who, target);
        let harm = odds.draw(&mut self.dice.combat);
        let harm = harm.map(|harm| {
            let harm = i64::from(harm) * i64::from(percent) / 100;
            i32::try_from(harm).unwrap_or(i32::MAX).max(1)
        });
        self.tell_blow(who, target, harm);
        if let Some(points) = harm {
            self.harm(target, points, Some(who));
        }
    }

    /// Takes hit points from a body, and wakes it; at none it dies or goes down, by the hand of `by` if by anybody's.
    pub(crate) fn harm(&mut self, victim: CharacterId, points: i32, by: Option<CharacterId>) {
        let body = &self.world.characters[victim];
        let player = body.is_player();
        if points <= 0 || body.posture == Posture::Down || (!player && body.hp < 1) {
            return;
        }
        self.gets_up(victim);
        let (before, most) = (self.hp(victim), self.max_hp_of(victim));
        let left = before.saturating_sub(points);
        self.set_hp(victim, left);
        if left <= 0 {
            self.tell_tallies();
            if player {
                self.fall(victim);
            } else {
                self.creature_dies(victim, by);
            }
            return;
        }
        if player {
            if before * 2 >= most && left * 2 < most {
                self.learns(victim, Lesson::Hurt);
            }
        } else {
            if body::worsens(before, left, most) {
                self.tell_condition(victim);
            }
            self.was_hurt(victim);
        }
    }

    fn creature_dies(&mut self, victim: CharacterId, slayer: Option<CharacterId>) {
        let room = self.world.characters[victim].room;
        // What bleeds to death was brought down by whoever fights it.
        let slayer = slayer.filter(|id| *id != victim).or_else(|| self.opponent_of(victim));
        let line = self.kind_it_is_called(victim).map(|mob| mob.death.clone());
        let name = self.name_of(victim);
        if let Some(line) = line {
            self.tell_flourish(room, &line);
        }
        let winners = slayer.map(|slayer| self.companions_of(slayer, room)).unwrap_or_default();
        self.tell_room(room, &winners, Class::Combat, name.and(" is dead."));
        self.stop_fights_of(victim);
        if let Some(slayer) = slayer {
            self.share_experience(victim, slayer);
            self.drop_loot(victim, slayer);
            self.learns(slayer, Lesson::Won);
        }
        self.world.remove_character(victim);
        self.forgets(victim);
        self.check_clear(room);
    }

    /// Refuses who has used up the round to come already: one thing a round.
    fn has_a_round(&self, who: CharacterId) -> Result<(), Refusal> {
        let next = self.rounds.get(&self.world.characters[who].room);
        match next.filter(|_| self.fights.spent.contains(&who)) {
            Some(next) => {
                let left = Span(next.0 - self.now.0);
                Err(Refusal::Because(format!(
                    "You have to find your feet first; the next round comes in {left}."
                )))
            }
            None => Ok(()),
        }
    }

    /// What a body was about in a fight means nothing any more: it has moved, or is gone.
    pub(crate) fn forgets(&mut self, who: CharacterId) {
        self.fights.spent.remove(&who);
        self.fights.ready.remove(&who);
        self.fights.strained.remove(&who);
    }

    /// The first in a room who fights a body.
    fn opponent_of(&self, who: CharacterId) -> Option<CharacterId> {
        let here = self.world.occupants(self.world.characters[who].room).iter().copied();
        here.filter(|other| *other != who).find(|other| self.world.characters[*other].target == Some(who))
    }

    /// Whom a body fights when it has no opponent any more: the first who fights it, or for a creature the first who
    /// fights here at all.
    fn next_opponent(&self, who: CharacterId) -> Option<CharacterId> {
        let body = &self.world.characters[who];
        let wild = !body.is_player() && body.master.is_none();
        let here = || self.world.occupants(body.room).iter().copied().filter(|other| *other != who);
        let stands = |other: &CharacterId| {
            let other = &self.world.characters[*other];
            (other.is_player() || other.master.is_some()) == wild && other.posture != Posture::Down
        };
        let open = |other: &CharacterId| stands(other) && !self.is_safe(*other);
        here().filter(open).find(|other| self.world.characters[*other].target == Some(who)).or_else(|| {
            here().filter(open).find(|other| wild && self.world.characters[*other].target.is_some())
        })
    }

    /// A fighter turns to another opponent.
    fn turn_to(&mut self, who: CharacterId, target: CharacterId) {
        self.aim(who, target);
        if self.world.characters[target].target.is_none() {
            self.aim(target, who);
        }
        self.act(Class::Combat, &TURN_ON, who, Some(target), "");
    }

    /// Ends every fight that a body is in: its own, and of those who fight it and have no other opponent.
    pub(crate) fn stop_fights_of(&mut self, who: CharacterId) {
        let room = self.world.characters[who].room;
        self.stop_fighting(who);
        let turned: Vec<CharacterId> = self
            .world
            .occupants(room)
            .iter()
            .copied()
            .filter(|other| self.world.characters[*other].target == Some(who))
            .collect();
        // All let go before any turns, so that nobody turns to whoever is about to let go as well.
        for other in &turned {
            self.stop_fighting(*other);
        }
        for other in turned {
            if self.world.characters[other].target.is_none()
                && let Some(next) = self.next_opponent(other)
            {
                if self.world.characters[other].is_player() {
                    self.aim(other, next);
                } else {
                    self.turn_to(other, next);
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

    /// Lets go of an opponent that does not fight back.
    pub(crate) fn stop(&mut self, who: CharacterId) -> Result<(), Refusal> {
        if self.is_down(who) {
            self.out_of(who);
            return Ok(());
        }
        if self.world.characters[who].posture == Posture::Resting {
            return self.stand(who);
        }
        let target = self.world.characters[who].target.ok_or(Refusal::NotFighting)?;
        if let Some(enemy) = self.opponent_of(who) {
            let enemy = crate::text::grammar::capitalise(&self.the(enemy)).into_owned();
            return Err(Refusal::Because(format!("{enemy} does not let you stop; flee instead.")));
        }
        self.stop_fighting(who);
        let whom = self.the(target);
        self.tell(who, Class::Reply, format!("You let go of {whom}."));
        Ok(())
    }
}
