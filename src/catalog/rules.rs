//! The numbers of the rules, from `content/rules.toml` (C6).

use super::reader::{CatalogError, Reader};
use crate::base::Span;

/// Every number that the rules of play use and that no prototype has.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Rules {
    /// What a new character is (T9).
    pub beginner: Beginner,
    /// What levels cost (T11).
    pub levels: Levels,
    /// How wounds close.
    pub healing: Healing,
    /// How blows fall.
    pub fights: Fights,
    /// How the rule set `racket` reads the numbers of players (R25).
    pub racket: RacketScale,
    /// How running away goes.
    pub flight: Flight,
    /// What happens at no hit points.
    pub down: Down,
    /// What parties share.
    pub party: PartyRules,
    /// How long what is left of creatures lasts.
    pub corpse: Corpse,
    /// Where stairs are (T1).
    pub stairs: Stairs,
    /// How creatures move.
    pub roaming: Roaming,
    /// What newcomers are told.
    pub tips: Tips,
    /// How far words carry.
    pub talk: Talk,
    /// What shops and healers take and give.
    pub trade: Trade,
    /// What rooms give that are not fought over.
    pub places: Places,
}

/// A new character (T9).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Beginner {
    /// Hit points.
    pub hp: u32,
    /// Power of its blows.
    pub attack: u32,
    /// What its skin turns away.
    pub defence: u32,
    /// Coppers in its purse.
    pub purse: u32,
}

/// What levels cost (T11): base + level x factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Levels {
    /// The part that is always the same.
    pub base: u32,
    /// The part for each level one has.
    pub factor: u32,
}

/// How wounds close out of combat.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Healing {
    /// Seconds for one hit point.
    pub secs_per_hp: u32,
    /// The pace of healing while one rests, in percent.
    pub rest_percent: u32,
    /// What a room made for resting does to that pace, in percent.
    pub rest_room_percent: u32,
}

/// How blows fall.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fights {
    /// In how many of 100 blows the blow lands.
    pub hit_percent: u32,
    /// By how much harm varies either way.
    pub spread: u32,
}

/// By which rules blows fall in the branches of a theme.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum RuleSet {
    /// Harm is attack less defence (T8).
    #[default]
    Powers,
    /// Harm is a number below attack less a number below defence (R25).
    Racket,
}

impl RuleSet {
    /// The names used in data.
    pub const NAMES: [(&'static str, Self); 2] = [("powers", Self::Powers), ("racket", Self::Racket)];
}

/// What a new character counts as under the rule set `racket` (R25); training and gear come on top.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct RacketScale {
    /// Attack.
    pub attack: u32,
    /// Defence.
    pub defence: u32,
    /// Hit points; harm to players is scaled down from that to what a new character has.
    pub hp: u32,
}

/// How running away goes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Flight {
    /// In how many of 100 tries it succeeds against one enemy.
    pub base_percent: u32,
    /// How much each further enemy takes from that.
    pub enemy_percent: u32,
    /// Less than this it never is.
    pub least_percent: u32,
}

/// What happens to a player at no hit points.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Down {
    /// Seconds until one who is not helped is out.
    pub secs: u32,
    /// Hit points of one who is helped up, at least, in percent of all.
    pub raise_percent: u32,
    /// How much of the loot of the run is lost with one who is out, in percent.
    pub lost_percent: u32,
}

/// What parties share.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct PartyRules {
    /// Members at most.
    pub size_max: u32,
    /// Seconds for which an invitation stands.
    pub invite_secs: u32,
    /// Seconds for which a roll is open.
    pub roll_secs: u32,
    /// Coppers that a thing must be worth to be rolled for.
    pub roll_worth: u32,
    /// Seconds for which somebody who has quit keeps the place.
    pub keep_secs: u32,
    /// Experience of each by the number of members in the room, in percent (T10).
    pub experience_percent: Vec<u32>,
    /// Hit points of creatures by the size of the party that finds them, in percent.
    pub creature_hp_percent: Vec<u32>,
}

/// How long what is left of creatures lasts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Corpse {
    /// Seconds for which it belongs to whoever earned it.
    pub owner_secs: u32,
    /// Seconds until it crumbles.
    pub gone_secs: u32,
}

/// Where stairs are.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Stairs {
    /// The first room of a floor at this depth or more has them (T1).
    pub least_depth: u32,
}

/// How creatures move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Roaming {
    /// Seconds from one thought of moving to the next.
    pub tick_secs: u32,
    /// How many rooms away creatures find the nearest player (R17).
    pub seek_rooms: u32,
    /// How many rooms of a hall a charge takes at most (R16).
    pub charge_rooms: u32,
    /// How many rooms away one hears anything when one listens.
    pub hear_rooms: u32,
    /// For how many ticks a creature that broke away keeps away.
    pub flee_ticks: u32,
    /// Creatures in one room beyond which scripts make no more.
    pub creatures_in_room: u32,
    /// Creatures in one branch beyond which scripts make no more.
    pub creatures_in_branch: u32,
    /// For how many rounds a web holds who tears it (R20).
    pub web_sticks: u32,
}

/// What newcomers are told.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Tips {
    /// The first level at which there are none.
    pub until_level: u32,
    /// Seconds from one to the next, out of a fight.
    pub gap_secs: u32,
}

/// How far words carry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Talk {
    /// Rooms through which a shout is heard.
    pub shout_rooms: u32,
    /// Seconds from one shout to the next.
    pub shout_secs: u32,
}

/// What shops and healers take and give.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Trade {
    /// What one pays for a thing, in percent of its value.
    pub buy_percent: u32,
    /// What one gets for a thing, in percent of its value; never more than one pays.
    pub sell_percent: u32,
    /// What a healer takes for a hit point, in coppers.
    pub hp_price: u32,
    /// What a healer takes for ending an affect, in coppers.
    pub cure_price: u32,
}

/// What rooms give that are not fought over.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Places {
    /// Experience for finding a landmark, at difficulty 0.
    pub landmark_xp: u32,
    /// What each step of difficulty adds to it.
    pub landmark_xp_per_difficulty: u32,
    /// Answers that a stone face hears from each.
    pub riddle_tries: u32,
    /// Coppers and experience for bringing a captive home, at difficulty 0.
    pub captive_reward: u32,
    /// What each step of difficulty adds to it.
    pub captive_reward_per_difficulty: u32,
}

impl Rules {
    /// A time of the rules.
    pub const fn secs(secs: u32) -> Span {
        Span::secs(secs as i64)
    }
}

impl Levels {
    /// Experience that the next level needs (T11).
    pub fn next(self, level: u32) -> i64 {
        i64::from(self.base) + i64::from(level) * i64::from(self.factor)
    }
}

/// The value of a list by a number that counts from 1; the last one stands for all beyond.
pub fn by_number(list: &[u32], number: usize) -> u32 {
    list.get(number.max(1) - 1).or(list.last()).copied().unwrap_or(100)
}

/// The path of the one file.
pub(super) const FILE: &str = "rules.toml";

pub(super) fn read(text: &str, mistakes: &mut Vec<CatalogError>) -> Option<Rules> {
    let mut reader = Reader::parse(FILE, text, mistakes)?;
    let mut rules = Rules::default();
    section(&mut reader, "beginner", |t| {
        rules.beginner = Beginner {
            hp: t.number("hp", 1..=100_000),
            attack: t.number("attack", 0..=10_000),
            defence: t.number("defence", 0..=10_000),
            purse: t.number("purse", 0..=1_000_000),
        };
    });
    section(&mut reader, "levels", |t| {
        rules.levels =
            Levels { base: t.number("base", 0..=1_000_000), factor: t.number("factor", 1..=1_000_000) };
    });
    section(&mut reader, "healing", |t| {
        rules.healing = Healing {
            secs_per_hp: t.number("secs_per_hp", 1..=86_400),
            rest_percent: t.number("rest_percent", 100..=10_000),
            rest_room_percent: t.number("rest_room_percent", 100..=10_000),
        };
    });
    section(&mut reader, "fights", |t| {
        rules.fights =
            Fights { hit_percent: t.number("hit_percent", 1..=100), spread: t.number("spread", 0..=1_000) };
    });
    section(&mut reader, "racket", |t| {
        rules.racket = RacketScale {
            attack: t.number("attack", 0..=10_000),
            defence: t.number("defence", 0..=10_000),
            hp: t.number("hp", 1..=100_000),
        };
    });
    section(&mut reader, "flight", |t| {
        rules.flight = Flight {
            base_percent: t.number("base_percent", 1..=100),
            enemy_percent: t.number("enemy_percent", 0..=100),
            least_percent: t.number("least_percent", 1..=100),
        };
    });
    section(&mut reader, "down", |t| {
        rules.down = Down {
            secs: t.number("secs", 1..=86_400),
            raise_percent: t.number("raise_percent", 1..=100),
            lost_percent: t.number("lost_percent", 0..=100),
        };
    });
    section(&mut reader, "party", |t| {
        rules.party = PartyRules {
            size_max: t.number("size_max", 1..=100),
            invite_secs: t.number("invite_secs", 1..=86_400),
            roll_secs: t.number("roll_secs", 1..=3_600),
            roll_worth: t.number("roll_worth", 0..=1_000_000),
            keep_secs: t.number("keep_secs", 1..=604_800),
            experience_percent: t.numbers("experience_percent", 1..=100),
            creature_hp_percent: t.numbers("creature_hp_percent", 1..=10_000),
        };
    });
    creatures_and_trade(&mut reader, &mut rules);
    tips_and_talk(&mut reader, &mut rules);
    places(&mut reader, &mut rules);
    reader.finish();
    Some(rules)
}

fn tips_and_talk(reader: &mut Reader<'_>, rules: &mut Rules) {
    section(reader, "tips", |t| {
        rules.tips = Tips {
            until_level: t.number("until_level", 0..=1_000),
            gap_secs: t.number("gap_secs", 0..=3_600),
        };
    });
    section(reader, "talk", |t| {
        rules.talk = Talk {
            shout_rooms: t.number("shout_rooms", 0..=10),
            shout_secs: t.number("shout_secs", 0..=3_600),
        };
    });
}

fn places(reader: &mut Reader<'_>, rules: &mut Rules) {
    section(reader, "places", |t| {
        rules.places = Places {
            landmark_xp: t.number("landmark_xp", 0..=1_000_000),
            landmark_xp_per_difficulty: t.number("landmark_xp_per_difficulty", 0..=1_000_000),
            riddle_tries: t.number("riddle_tries", 1..=100),
            captive_reward: t.number("captive_reward", 0..=1_000_000),
            captive_reward_per_difficulty: t.number("captive_reward_per_difficulty", 0..=1_000_000),
        };
    });
}

/// What creatures do and leave, and what things cost.
fn creatures_and_trade(reader: &mut Reader<'_>, rules: &mut Rules) {
    section(reader, "corpse", |t| {
        rules.corpse = Corpse {
            owner_secs: t.number("owner_secs", 0..=86_400),
            gone_secs: t.number("gone_secs", 1..=86_400),
        };
    });
    section(reader, "stairs", |t| {
        rules.stairs = Stairs { least_depth: t.number("least_depth", 1..=10_000) };
    });
    section(reader, "roaming", |t| {
        rules.roaming = Roaming {
            tick_secs: t.number("tick_secs", 1..=3_600),
            seek_rooms: t.number("seek_rooms", 1..=32),
            charge_rooms: t.number("charge_rooms", 2..=32),
            hear_rooms: t.number("hear_rooms", 1..=12),
            flee_ticks: t.number("flee_ticks", 1..=1_000),
            creatures_in_room: t.number("creatures_in_room", 1..=1_000),
            creatures_in_branch: t.number("creatures_in_branch", 1..=100_000),
            web_sticks: t.number("web_sticks", 0..=3),
        };
    });
    section(reader, "trade", |t| {
        rules.trade = Trade {
            buy_percent: t.number("buy_percent", 100..=10_000),
            sell_percent: t.number("sell_percent", 0..=100),
            hp_price: t.number("hp_price", 0..=1_000_000),
            cure_price: t.number("cure_price", 0..=1_000_000),
        };
    });
}

fn section(reader: &mut Reader<'_>, name: &str, read: impl FnOnce(&mut Reader<'_>)) {
    if let Some(mut table) = reader.table(name) {
        read(&mut table);
        table.finish();
    }
}
