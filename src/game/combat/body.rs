//! A body's numbers at this moment: hit points, which come back with time, and what gear, affects and company add
//! to attack, defence and hit points. Nothing here fights.

use crate::base::{CharacterId, RoomKind};
use crate::catalog::{AffectPrototype, Behaviour};
use crate::game::command::Refusal;
use crate::game::guide::Lesson;
use crate::game::spawn::points;
use crate::game::{Class, Game};
use crate::text::act::Template;
use crate::world::Posture;

const SIT_DOWN: Template = Template::new("{actor} {sits|sit} down to rest.");
const GET_UP: Template = Template::new("{actor} {gets|get} up.");

impl Game {
    /// Hit points at this moment: wounds close with time, faster at rest, but not in a fight.
    pub(crate) fn hp(&self, who: CharacterId) -> i32 {
        let body = &self.world.characters[who];
        let most = self.max_hp_of(who);
        if body.target.is_some() || body.posture == Posture::Down || body.hp >= most {
            return body.hp.min(most);
        }
        let healed = self.now.since(body.hp_at).0 / self.pace_of_healing(who);
        body.hp.saturating_add(i32::try_from(healed).unwrap_or(i32::MAX)).min(most)
    }

    /// Milliseconds in which one hit point comes back.
    fn pace_of_healing(&self, who: CharacterId) -> i64 {
        let (body, healing) = (&self.world.characters[who], self.catalog.rules.healing);
        let mut pace = i64::from(healing.secs_per_hp) * 1_000;
        if body.posture == Posture::Resting {
            pace = pace * 100 / i64::from(healing.rest_percent.max(1));
            if self.world.rooms[body.room].kind == RoomKind::Rest {
                pace = pace * 100 / i64::from(healing.rest_room_percent.max(1));
            }
        }
        pace.max(1)
    }

    /// Writes down the hit points of this moment.
    pub(super) fn set_hp(&mut self, who: CharacterId, hp: i32) {
        let (now, most) = (self.now, self.max_hp_of(who));
        if let Some(body) = self.world.characters.edit(who) {
            body.hp = hp.clamp(0, most);
            body.hp_at = now;
        }
        self.show_vitals(who);
    }

    /// Gives hit points to a body. Who is down needs a hand, not a potion.
    pub(crate) fn heal(&mut self, who: CharacterId, points: i32) {
        if !self.is_down(who) {
            let hp = self.hp(who).saturating_add(points.max(0));
            self.set_hp(who, hp);
        }
    }

    /// Power of a body's blows with everything that adds to it.
    pub(crate) fn attack_of(&self, who: CharacterId) -> i32 {
        let own = self.world.characters[who].attack.saturating_add(self.gear_bonus(who).attack);
        let affects: i32 = self.affects_on(who).map(|affect| affect.attack).sum();
        own.saturating_add(affects).saturating_add(self.pack_bonus(who)).max(0)
    }

    /// What a body turns away with everything that adds to it.
    pub(crate) fn defence_of(&self, who: CharacterId) -> i32 {
        let own = self.world.characters[who].defence.saturating_add(self.gear_bonus(who).defence);
        let affects: i32 = self.affects_on(who).map(|affect| affect.defence).sum();
        own.saturating_add(affects).max(0)
    }

    /// Hit points at most with everything that adds to them; at least one.
    pub(crate) fn max_hp_of(&self, who: CharacterId) -> i32 {
        let own = self.world.characters[who].max_hp.saturating_add(self.gear_bonus(who).max_hp);
        let affects: i32 = self.affects_on(who).map(|affect| affect.max_hp).sum();
        own.saturating_add(affects).max(1)
    }

    /// What hangs on a body just now.
    pub(super) fn affects_on(&self, who: CharacterId) -> impl Iterator<Item = &AffectPrototype> {
        let affects = self.world.characters[who].affects.iter();
        affects.filter_map(|affect| self.catalog.affects.get(&affect.key))
    }

    /// What others of its kind in the room add to a creature's attack.
    fn pack_bonus(&self, who: CharacterId) -> i32 {
        let Some(prototype) = self.mob_prototype(who) else { return 0 };
        let bonus = prototype.behaviours.iter().find_map(|part| match part {
            Behaviour::Pack { bonus } => Some(points(*bonus)),
            _ => None,
        });
        let Some(bonus) = bonus else { return 0 };
        let body = &self.world.characters[who];
        let kin = |other: &&CharacterId| **other != who && self.world.characters[**other].mob == body.mob;
        let others = self.world.occupants(body.room).iter().filter(kin).count();
        bonus.saturating_mul(i32::try_from(others).unwrap_or(i32::MAX))
    }

    /// How somebody is doing, in words: "badly hurt".
    pub(crate) fn condition_of(&self, who: CharacterId) -> &str {
        let left = percent(self.hp(who), self.max_hp_of(who));
        let own = self.mob_prototype(who).map_or(&[][..], |mob| mob.conditions.as_slice());
        match (band(left), own) {
            (0, _) => "unhurt",
            (band, own) => own.get(band - 1).map_or(USUAL[band - 1], String::as_str),
        }
    }

    /// Sits down to heal faster; any fight and every step ends it.
    pub(crate) fn rest(&mut self, who: CharacterId) -> Result<(), Refusal> {
        self.may_act(who)?;
        let body = &self.world.characters[who];
        if body.target.is_some() {
            return Err(Refusal::InCombat);
        }
        if body.posture == Posture::Resting {
            return Err(Refusal::Because("You are resting already.".into()));
        }
        self.take_posture(who, Posture::Resting);
        self.act(Class::Notice, &SIT_DOWN, who, None, "");
        self.learns(who, Lesson::Rested);
        Ok(())
    }

    /// Gets up from a rest.
    pub(crate) fn stand(&mut self, who: CharacterId) -> Result<(), Refusal> {
        self.may_act(who)?;
        if self.world.characters[who].posture == Posture::Standing {
            return Err(Refusal::Because("You are on your feet.".into()));
        }
        self.take_posture(who, Posture::Standing);
        self.act(Class::Notice, &GET_UP, who, None, "");
        Ok(())
    }

    /// Changes how a body holds itself; what healed until then is written down, because the pace changes.
    pub(super) fn take_posture(&mut self, who: CharacterId, posture: Posture) {
        if self.world.characters[who].posture == posture {
            return;
        }
        let hp = self.hp(who);
        self.set_hp(who, hp);
        if let Some(body) = self.world.characters.edit(who) {
            body.posture = posture;
        }
    }

    /// Ends rest and sleep, as being attacked and walking do. Who is down stays down.
    pub(crate) fn gets_up(&mut self, who: CharacterId) {
        match self.world.characters[who].posture {
            Posture::Resting => self.take_posture(who, Posture::Standing),
            Posture::Asleep => {
                self.wakes(who);
            }
            Posture::Standing | Posture::Down => {}
        }
    }
}

/// Words for a body's state from lightly hurt to nearly dead.
const USUAL: [&str; 5] =
    ["scratched", "bruised and bleeding", "badly hurt", "close to falling", "barely standing"];

fn percent(hp: i32, most: i32) -> i64 {
    i64::from(hp) * 100 / i64::from(most.max(1))
}

/// Which of the words fits: 0 for unhurt, then 1 to 5.
const fn band(percent: i64) -> usize {
    match percent {
        100.. => 0,
        75..100 => 1,
        50..75 => 2,
        25..50 => 3,
        10..25 => 4,
        _ => 5,
    }
}

/// Whether wounds have brought somebody into worse words.
pub(super) fn worsens(before: i32, after: i32, most: i32) -> bool {
    band(percent(after, most)) > band(percent(before, most)).max(1)
}
