//! The numbers of the rules, from `content/rules.toml`: each is declared once, with the values that make sense.

use crate::base::{Span, listed};
use crate::data::{CatalogError, Reader};
use std::ops::RangeInclusive;

/// What a number of the rules may be: one, or a list by a count that begins with one.
trait Figure {
    fn read(reader: &mut Reader<'_>, name: &str, range: RangeInclusive<u32>) -> Self;
}

impl Figure for u32 {
    fn read(reader: &mut Reader<'_>, name: &str, range: RangeInclusive<u32>) -> Self {
        reader.number(name, range)
    }
}

impl Figure for Vec<u32> {
    fn read(reader: &mut Reader<'_>, name: &str, range: RangeInclusive<u32>) -> Self {
        reader.numbers(name, range)
    }
}

macro_rules! rules {
    ($($(#[$about:meta])* $section:ident: $kind:ident {
        $($(#[$doc:meta])* $name:ident: $figure:ty = $range:expr,)*
    })*) => {
        /// Every number that the rules of play use and that no prototype has, by the sections of the file.
        #[derive(Clone, Debug, PartialEq, Eq, Default)]
        pub struct Rules {$(
            /// The section of this name.
            pub $section: $kind,
        )*}

        $(
            $(#[$about])*
            #[derive(Clone, Debug, PartialEq, Eq, Default)]
            pub struct $kind {$($(#[$doc])* pub $name: $figure,)*}

            impl $kind {
                fn read(table: &mut Reader<'_>) -> Self {
                    Self {$($name: Figure::read(table, stringify!($name), $range),)*}
                }
            }
        )*

        impl Rules {
            fn read(reader: &mut Reader<'_>) -> Self {
                Self {$($section: section(reader, stringify!($section), $kind::read),)*}
            }
        }
    };
}

rules! {
    /// A new character.
    #[derive(Copy)]
    beginner: Beginner {
        /// Hit points.
        hp: u32 = 1..=100_000,
        /// Power of its blows.
        attack: u32 = 0..=10_000,
        /// What its skin turns away.
        defence: u32 = 0..=10_000,
        /// Coppers in its purse.
        purse: u32 = 0..=1_000_000,
    }

    /// What levels cost: base + level x factor.
    #[derive(Copy)]
    levels: Levels {
        /// The part that is always the same.
        base: u32 = 0..=1_000_000,
        /// The part for each level one has.
        factor: u32 = 1..=1_000_000,
    }

    /// How wounds close out of combat.
    #[derive(Copy)]
    healing: Healing {
        /// Seconds for one hit point.
        secs_per_hp: u32 = 1..=86_400,
        /// The pace of healing while one rests, in percent.
        rest_percent: u32 = 100..=10_000,
        /// What a room made for resting does to that pace, in percent.
        rest_room_percent: u32 = 100..=10_000,
        /// A player with fewer hit points than this share of all, in percent, is warned.
        near_death_percent: u32 = 0..=100,
    }

    /// How blows fall.
    #[derive(Copy)]
    fights: Fights {
        /// In how many of 100 blows the blow lands.
        hit_percent: u32 = 1..=100,
        /// By how much harm varies either way.
        spread: u32 = 0..=1_000,
    }

    /// What a new character counts as under the rule set `racket`; training and gear come on top.
    #[derive(Copy)]
    racket: RacketScale {
        /// Attack.
        attack: u32 = 0..=10_000,
        /// Defence.
        defence: u32 = 0..=10_000,
        /// Hit points; harm to players is scaled down from that to what a new character has.
        hp: u32 = 1..=100_000,
    }

    /// How running away goes.
    #[derive(Copy)]
    flight: Flight {
        /// In how many of 100 tries it succeeds against one enemy.
        base_percent: u32 = 1..=100,
        /// How much each further enemy takes from that.
        enemy_percent: u32 = 0..=100,
        /// Less than this it never is.
        least_percent: u32 = 1..=100,
    }

    /// What happens to a player at no hit points.
    #[derive(Copy)]
    down: Down {
        /// Seconds until one who is not helped is out.
        secs: u32 = 1..=86_400,
        /// Hit points of one who is helped up, at least, in percent of all.
        raise_percent: u32 = 1..=100,
        /// How much of the loot of the run is lost with one who is out, in percent.
        lost_percent: u32 = 0..=100,
    }

    /// What parties share.
    party: PartyRules {
        /// Members at most.
        size_max: u32 = 1..=100,
        /// Seconds for which an invitation stands.
        invite_secs: u32 = 1..=86_400,
        /// Seconds for which a roll is open.
        roll_secs: u32 = 1..=3_600,
        /// Coppers that a thing must be worth to be rolled for.
        roll_worth: u32 = 0..=1_000_000,
        /// Seconds for which somebody who has quit keeps the place.
        keep_secs: u32 = 1..=604_800,
        /// Experience of each by the number of members in the room, in percent.
        experience_percent: Vec<u32> = 1..=100,
        /// Hit points of creatures by the size of the party that finds them, in percent.
        creature_hp_percent: Vec<u32> = 1..=10_000,
    }

    /// How long what is left of creatures lasts.
    #[derive(Copy)]
    corpse: Corpse {
        /// Seconds for which it belongs to whoever earned it.
        owner_secs: u32 = 0..=86_400,
        /// Seconds until it crumbles.
        gone_secs: u32 = 1..=86_400,
    }

    /// How creatures move.
    #[derive(Copy)]
    roaming: Roaming {
        /// Seconds from one thought of moving to the next.
        tick_secs: u32 = 1..=3_600,
        /// How many rooms away from players creatures live on; further away they wait.
        near_rooms: u32 = 0..=32,
        /// Seconds for which they live on around a room that a player has left.
        linger_secs: u32 = 0..=3_600,
        /// How many rooms away creatures find the nearest player.
        seek_rooms: u32 = 1..=32,
        /// How many rooms of a hall a charge takes at most.
        charge_rooms: u32 = 2..=32,
        /// How many rooms away one hears anything when one listens.
        hear_rooms: u32 = 1..=12,
        /// For how many ticks a creature that broke away keeps away.
        flee_ticks: u32 = 1..=1_000,
        /// Creatures in one room beyond which scripts make no more.
        creatures_in_room: u32 = 1..=1_000,
        /// Creatures in one branch beyond which scripts make no more.
        creatures_in_branch: u32 = 1..=100_000,
        /// For how many rounds a web holds who tears it.
        web_sticks: u32 = 0..=3,
    }

    /// What newcomers are told.
    #[derive(Copy)]
    tips: Tips {
        /// The first level at which there are none.
        until_level: u32 = 0..=1_000,
        /// Seconds from one to the next, out of a fight.
        gap_secs: u32 = 0..=3_600,
    }

    /// How far words carry.
    #[derive(Copy)]
    talk: Talk {
        /// Rooms through which a shout is heard.
        shout_rooms: u32 = 0..=10,
        /// Seconds from one shout to the next.
        shout_secs: u32 = 0..=3_600,
    }

    /// What shops and healers take and give.
    #[derive(Copy)]
    trade: Trade {
        /// What one pays for a thing, in percent of its value.
        buy_percent: u32 = 100..=10_000,
        /// What one gets for a thing, in percent of its value; never more than one pays.
        sell_percent: u32 = 0..=100,
        /// What a healer takes for a hit point, in coppers.
        hp_price: u32 = 0..=1_000_000,
        /// What a healer takes for ending an affect, in coppers.
        cure_price: u32 = 0..=1_000_000,
    }

    /// What rooms give that are not fought over.
    #[derive(Copy)]
    places: Places {
        /// Experience for finding a landmark, at difficulty 0.
        landmark_xp: u32 = 0..=1_000_000,
        /// What each step of difficulty adds to it.
        landmark_xp_per_difficulty: u32 = 0..=1_000_000,
        /// Answers to a riddle that one player may give.
        riddle_tries: u32 = 1..=100,
        /// How many rooms away what is written in rooms with a hint may be about.
        clue_rooms: u32 = 1..=12,
        /// Coppers and experience for bringing a captive home, at difficulty 0.
        captive_reward: u32 = 0..=1_000_000,
        /// What each step of difficulty adds to it.
        captive_reward_per_difficulty: u32 = 0..=1_000_000,
    }

    /// What is behind a puzzle, by its tier: the first for a puzzle that was never lost, the next after one loss, the last
    /// for all beyond.
    puzzles: PuzzleRewards {
        /// Things from the hoard of the theme.
        things: Vec<u32> = 0..=20,
        /// Coins, in percent of those of a hoard.
        coins_percent: Vec<u32> = 0..=10_000,
    }

    /// What the last room of a branch that may end holds.
    finish: FinishRewards {
        /// A thing for so many rooms of the branch; each makes all of them better by a step of difficulty.
        rooms_per_thing: u32 = 1..=1_000,
        /// But no more things than this.
        most_things: u32 = 1..=50,
    }
}

listed! {
    /// By which rules blows fall in the branches of a theme.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum RuleSet {
        /// Harm is attack less defence.
        #[default]
        Powers = "powers",
        /// Harm is a number below attack less a number below defence.
        Racket = "racket",
    }
}

impl Rules {
    /// A time of the rules.
    pub const fn secs(secs: u32) -> Span {
        Span::secs(secs as i64)
    }
}

impl Levels {
    /// Experience that the next level needs.
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
    Reader::whole(FILE, text, mistakes, Rules::read)
}

fn section<T: Default>(reader: &mut Reader<'_>, name: &str, read: fn(&mut Reader<'_>) -> T) -> T {
    let Some(mut table) = reader.table(name) else { return T::default() };
    let section = read(&mut table);
    table.finish();
    section
}
