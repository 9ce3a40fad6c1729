//! Affects: what hangs on a body for a while, told when it begins and when it ends. They are rows with an end, so that
//! they outlive a restart; only bodies that bleed or mend have a timer that comes each round.

use crate::base::{CharacterId, GameTime, Span};
use crate::catalog::AffectPrototype;
use crate::game::command::Refusal;
use crate::game::{Class, Game, Timer};
use crate::text::act::Template;
use crate::text::{Markup, Style, grammar};
use crate::world::{Affect, Posture};

const STRUGGLE: Template = Template::new("{actor} {struggles|struggle} to come loose.");

impl Game {
    /// Hangs an affect on a body for so many rounds, or for as long as it usually lasts. One that is there already
    /// lasts for the longer of the two times.
    pub(crate) fn apply_affect(&mut self, who: CharacterId, key: &str, rounds: Option<u32>) {
        let Some(prototype) = self.catalog.affects.get(key) else { return };
        let (begins, state) = (prototype.begins.clone(), format!(" is {}.", prototype.name));
        let (bleeds, rounds) = (prototype.hp_per_round != 0, rounds.unwrap_or(prototype.rounds));
        let span = self.config.round.0.saturating_mul(i64::from(rounds.max(1)));
        let until = self.now + Span(span);
        let hp = self.hp(who);
        let Some(body) = self.world.characters.edit(who) else { return };
        if let Some(affect) = body.affects.iter_mut().find(|affect| affect.key == key) {
            affect.until = affect.until.max(until);
            return;
        }
        body.affects.push(Affect { key: key.to_owned(), until });
        let room = body.room;
        self.note_affects(who);
        self.set_hp(who, hp);
        self.looks_at_affects(who, until);
        if bleeds {
            self.schedule_tick(who);
        }
        self.tell(who, Class::Notice, begins);
        if self.is_heard(room) {
            self.tell_room(room, &[who], Class::Combat, self.name_of(who).and(&state));
        }
    }

    /// Takes an affect off a body, and says so.
    pub(crate) fn end_affect(&mut self, who: CharacterId, key: &str) {
        if !self.world.characters[who].affects.iter().any(|affect| affect.key == key) {
            return;
        }
        let hp = self.hp(who);
        if let Some(body) = self.world.characters.edit(who) {
            body.affects.retain(|affect| affect.key != key);
        }
        self.note_affects(who);
        self.set_hp(who, hp);
        if let Some(ends) = self.catalog.affects.get(key).map(|affect| affect.ends.clone()) {
            self.tell(who, Class::Notice, ends);
        }
    }

    /// Takes everything off a body without a word.
    pub(super) fn end_all_affects(&mut self, who: CharacterId) {
        if !self.world.characters[who].affects.is_empty()
            && let Some(body) = self.world.characters.edit(who)
        {
            body.affects.clear();
            self.note_affects(who);
        }
    }

    /// Whether an affect hangs on a body.
    pub(crate) fn has_affect(&self, who: CharacterId, key: &str) -> bool {
        self.world.characters[who].affects.iter().any(|affect| affect.key == key)
    }

    /// Whether something keeps a body where it is.
    pub(crate) fn is_held(&self, who: CharacterId) -> bool {
        self.affects_on(who).any(|affect| affect.holds)
    }

    /// Whether a body strikes no blows.
    pub(crate) fn is_stunned(&self, who: CharacterId) -> bool {
        self.affects_on(who).any(|affect| affect.stuns)
    }

    /// Refuses whoever cannot leave the room on its own feet.
    pub(crate) fn may_leave(&self, who: CharacterId) -> Result<(), Refusal> {
        self.may_act(who)?;
        if self.is_held(who) { Err(Refusal::Held) } else { Ok(()) }
    }

    /// What hangs on a body, for its sheet: name, what it does, and how long it still lasts.
    pub(crate) fn affects_in_words(&self, who: CharacterId) -> Vec<String> {
        let affects = self.world.characters[who].affects.iter();
        let known = affects.filter_map(|affect| Some((self.catalog.affects.get(&affect.key)?, affect.until)));
        known
            .map(|(affect, until)| {
                // Where rounds wait for their player, an end may be behind us and yet to come.
                let left = Span((until.0 - self.now.0).max(0));
                let name = grammar::capitalise(&affect.name).into_owned();
                format!("{name}, for {left}: {}", affect.description)
            })
            .collect()
    }

    /// Each struggle takes a round off whatever holds a body; one a round.
    pub(crate) fn struggle(&mut self, who: CharacterId) -> Result<(), Refusal> {
        self.may_act(who)?;
        if !self.is_held(who) {
            return Err(Refusal::Because("Nothing holds you.".into()));
        }
        if let Some(again) = self.fights.strained.get(&who).filter(|again| **again > self.now) {
            let left = Span(again.0 - self.now.0);
            return Err(Refusal::Because(format!(
                "You have no strength left to struggle for another {left}."
            )));
        }
        self.act(Class::Combat, &STRUGGLE, who, None, "");
        if self.world.characters[who].target.is_some() {
            self.fights.spent.insert(who);
        }
        self.fights.strained.insert(who, self.now + self.config.round);
        let holding: Vec<String> = {
            let holds = |key: &str| self.catalog.affects.get(key).is_some_and(|affect| affect.holds);
            let affects = self.world.characters[who].affects.iter();
            affects.map(|affect| affect.key.clone()).filter(|key| holds(key)).collect()
        };
        let round = self.config.round;
        if let Some(body) = self.world.characters.edit(who) {
            for affect in body.affects.iter_mut().filter(|affect| holding.contains(&affect.key)) {
                affect.until = affect.until - round;
            }
        }
        self.settle_affects(who);
        if self.is_held(who) {
            self.tell(who, Class::Reply, "It gives a little, but it still holds you.");
        } else {
            self.fights.strained.remove(&who);
        }
        self.acted(who);
        Ok(())
    }

    /// Sees to it that what hangs on a body is looked at by then; one reminder waits at a time, the earliest.
    fn looks_at_affects(&mut self, who: CharacterId, at: GameTime) {
        if self.fights.looks.get(&who).is_none_or(|look| at < *look) {
            self.fights.looks.insert(who, at);
            self.timers.schedule(at, Timer::Affect(who));
        }
    }

    /// An affect of a body may be over, or it bleeds or mends. In a fight that waits for its player it waits too.
    pub(crate) fn affects_due(&mut self, who: CharacterId, due: GameTime) {
        if self.fights.looks.get(&who) != Some(&due) {
            return;
        }
        self.fights.looks.remove(&who);
        let Some(body) = self.world.characters.get(who) else {
            self.fights.ticks.remove(&who);
            return;
        };
        if body.affects.is_empty() {
            self.fights.ticks.remove(&who);
            return;
        }
        let held_back = self.is_held_back(body.room);
        if held_back {
            let again = self.now + self.config.round;
            self.looks_at_affects(who, again);
        }
        if self.fights.ticks.get(&who).is_some_and(|at| *at <= self.now) {
            self.fights.ticks.remove(&who);
            self.schedule_tick(who);
            if !held_back {
                self.bleeds_or_mends(who);
            }
        }
        if !held_back && self.world.characters.get(who).is_some() {
            self.settle_affects(who);
        }
    }

    /// Ends what is over and sees to it that the rest ends in time.
    fn settle_affects(&mut self, who: CharacterId) {
        let now = self.now;
        let affects = self.world.characters[who].affects.iter();
        let over: Vec<String> =
            affects.filter(|affect| affect.until <= now).map(|affect| affect.key.clone()).collect();
        for key in over {
            self.end_affect(who, &key);
        }
        self.schedule_affects(who);
    }

    /// Schedules the first end of what hangs on a body, and its bleeding or mending.
    pub(crate) fn schedule_affects(&mut self, who: CharacterId) {
        let first = self.world.characters[who].affects.iter().map(|affect| affect.until).min();
        if let Some(first) = first {
            self.looks_at_affects(who, first);
            self.schedule_tick(who);
        }
    }

    fn schedule_tick(&mut self, who: CharacterId) {
        if self.affects_on(who).any(|affect| affect.hp_per_round != 0) {
            let next = self.now + self.config.round;
            let next = *self.fights.ticks.entry(who).or_insert(next);
            self.looks_at_affects(who, next);
        }
    }

    /// A round of poison, or of a salve.
    pub(super) fn bleeds_or_mends(&mut self, who: CharacterId) {
        if self.is_down(who) {
            return;
        }
        // Nobody dies where nobody fights: there the last point is left.
        let deadly = self.world.rooms[self.world.characters[who].room].kind.is_dungeon();
        let spare = if deadly { i32::MAX } else { self.hp(who) - 1 };
        let loss = self.per_round(who).0.min(spare);
        let name = |game: &Self, wanted: fn(&AffectPrototype) -> bool| {
            game.affects_on(who)
                .find(|affect| wanted(affect))
                .map_or("hurt", |affect| &affect.name)
                .to_owned()
        };
        if loss > 0 {
            let points = grammar::counted(loss.unsigned_abs(), "point", None);
            let words = format!("You are {}: {points} lost.", name(self, |affect| affect.hp_per_round < 0));
            self.tell(who, Class::Combat, Markup::styled(Style::Harm, &words));
            self.harm(who, loss, None);
        }
        // The loss may have been its end.
        let stands = self.world.characters.get(who).is_some_and(|body| body.posture != Posture::Down);
        let gain = if stands { self.per_round(who).1 } else { 0 };
        if gain > 0 && self.hp(who) < self.max_hp_of(who) {
            self.heal(who, gain);
            let points = grammar::counted(gain.unsigned_abs(), "point", None);
            let words = format!("You are {}: {points} better.", name(self, |affect| affect.hp_per_round > 0));
            self.tell(who, Class::Combat, Markup::styled(Style::Boon, &words));
        }
    }

    /// Hit points that a body loses and gains in a round by what hangs on it.
    fn per_round(&self, who: CharacterId) -> (i32, i32) {
        self.affects_on(who).fold((0, 0), |(loss, gain), affect| {
            (loss + (-affect.hp_per_round).max(0), gain + affect.hp_per_round.max(0))
        })
    }

    /// Time stood still for a body for so long: what hangs on it lasts that much longer (or, if a round came before
    /// its time, less long).
    pub(super) fn shift_affects(&mut self, who: CharacterId, late: Span) {
        if self.world.characters[who].affects.is_empty() {
            return;
        }
        if let Some(body) = self.world.characters.edit(who) {
            for affect in &mut body.affects {
                affect.until = GameTime(affect.until.0.saturating_add(late.0));
            }
        }
        self.settle_affects(who);
    }
}
