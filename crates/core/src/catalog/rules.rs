//! Numbers of the game's rules, from `content/rules.toml`. Each is declared once, with its valid range.

use crate::base::{Span, listed};
use crate::data::{CatalogError, Reader};
use std::ops::RangeInclusive;

/// Type of a number in the rules: a single number, or a list indexed by a count from 1.
trait RuleNumber: Clone {
    fn read(reader: &mut Reader<'_>, name: &str, range: RangeInclusive<u32>) -> Self;

    /// Reads a number, or takes the shipped one if the file leaves it out.
    fn read_or(
        reader: &mut Reader<'_>,
        name: &str,
        range: RangeInclusive<u32>,
        shipped: Option<&Self>,
    ) -> Self {
        match shipped {
            Some(shipped) if !reader.has(name) => shipped.clone(),
            _ => Self::read(reader, name, range),
        }
    }
}

impl RuleNumber for u32 {
    fn read(reader: &mut Reader<'_>, name: &str, range: RangeInclusive<u32>) -> Self {
        reader.number(name, range)
    }
}

impl RuleNumber for Vec<u32> {
    fn read(reader: &mut Reader<'_>, name: &str, range: RangeInclusive<u32>) -> Self {
        reader.numbers(name, range)
    }
}

macro_rules! rules {
    ($($(#[$about:meta])* $section:ident: $kind:ident {
        $($(#[$doc:meta])* $name:ident: $figure:ty = $range:expr,)*
    })*) => {
        /// All numbers of the game's rules that are not part of a prototype, by section of the file.
        #[derive(Clone, Debug, PartialEq, Eq, Default)]
        pub struct Rules {$(
            /// Section of this name.
            pub $section: $kind,
        )*}

        $(
            $(#[$about])*
            #[derive(Clone, Debug, PartialEq, Eq, Default)]
            pub struct $kind {$($(#[$doc])* pub $name: $figure,)*}

            impl $kind {
                fn read(table: &mut Reader<'_>, shipped: Option<&Self>) -> Self {
                    Self {$($name: RuleNumber::read_or(
                        table,
                        stringify!($name),
                        $range,
                        shipped.map(|section| &section.$name),
                    ),)*}
                }
            }
        )*

        impl Rules {
            fn read(reader: &mut Reader<'_>, shipped: Option<&Self>) -> Self {
                Self {$($section: read_section(
                    reader,
                    stringify!($section),
                    shipped.map(|rules| &rules.$section),
                    $kind::read,
                ),)*}
            }
        }
    };
}

rules! {
    /// Values of a new character.
    #[derive(Copy)]
    beginner: Beginner {
        /// Hit points.
        hp: u32 = 1..=100_000,
        /// Attack.
        attack: u32 = 0..=10_000,
        /// Defence.
        defence: u32 = 0..=10_000,
        /// Coppers.
        purse: u32 = 0..=1_000_000,
    }

    /// Experience needed for levels: base + level x factor.
    #[derive(Copy)]
    levels: Levels {
        /// Constant part.
        base: u32 = 0..=1_000_000,
        /// Increase per level.
        factor: u32 = 1..=1_000_000,
    }

    /// Healing out of combat.
    #[derive(Copy)]
    healing: Healing {
        /// Seconds per hit point of a new character; others heal in the same time as a whole.
        secs_per_hp: u32 = 1..=86_400,
        /// Speed while resting, in percent.
        rest_percent: u32 = 100..=10_000,
        /// Factor on that speed in a rest room, in percent.
        rest_room_percent: u32 = 100..=10_000,
        /// Hit points in percent of the maximum below which a player is warned.
        near_death_percent: u32 = 0..=100,
    }

    /// Combat.
    #[derive(Copy)]
    fights: Fights {
        /// Chance that a blow hits, in percent.
        hit_percent: u32 = 1..=100,
        /// Maximum random variation of damage, in both directions.
        spread: u32 = 0..=1_000,
    }

    /// Base values of a player under the rule set `racket`; training and equipment are added.
    #[derive(Copy)]
    racket: RacketScale {
        /// Attack.
        attack: u32 = 0..=10_000,
        /// Defence.
        defence: u32 = 0..=10_000,
        /// Hit points; damage to players is scaled from this value to a new character's hit points.
        hp: u32 = 1..=100_000,
    }

    /// Fleeing from combat.
    #[derive(Copy)]
    flight: Flight {
        /// Chance of success against one enemy, in percent.
        base_percent: u32 = 1..=100,
        /// Reduction of the chance per further enemy.
        enemy_percent: u32 = 0..=100,
        /// Minimum chance.
        least_percent: u32 = 1..=100,
    }

    /// Incapacitation of players without hit points.
    down: Down {
        /// Seconds until an incapacitated player without help is defeated.
        secs: u32 = 1..=86_400,
        /// Minimum hit points of a revived player, in percent of the maximum.
        raise_percent: u32 = 1..=100,
        /// Share of the run's loot that a defeated player loses, in percent.
        lost_percent: u32 = 0..=100,
        /// Share of the maximum hit points that each wound of a fall takes, in percent.
        wound_percent: u32 = 0..=100,
        /// Seconds of rest in which a wound closes.
        wound_secs: u32 = 1..=86_400,
        /// Tries, one a round, of the first, second ... rescue until the wounds are closed; there are no further ones.
        rescue_tries: Vec<u32> = 1..=100,
    }

    /// Parties.
    party: PartyRules {
        /// Maximum number of members.
        size_max: u32 = 1..=100,
        /// Seconds until an invitation expires.
        invite_secs: u32 = 1..=86_400,
        /// Seconds until a roll for loot ends.
        roll_secs: u32 = 1..=3_600,
        /// Minimum value in coppers of an item that is rolled for.
        roll_worth: u32 = 0..=1_000_000,
        /// Seconds for which the place of a disconnected member is reserved.
        keep_secs: u32 = 1..=604_800,
        /// Experience of each member by the number of members in the room, in percent.
        experience_percent: Vec<u32> = 1..=100,
        /// Hit points of creatures by the size of the party that meets them, in percent.
        creature_hp_percent: Vec<u32> = 1..=10_000,
        /// Attack of creatures by the size of the party that meets them, in percent.
        creature_attack_percent: Vec<u32> = 1..=1_000,
        /// Difficulty of a room from which on that attack is reached. It grows with the difficulty up to there.
        full_attack_difficulty: u32 = 1..=1_000,
    }

    /// Expeditions.
    #[derive(Copy)]
    expedition: ExpeditionRules {
        /// Maximum number of members.
        size_max: u32 = 1..=100,
        /// Usual number of days without a visit after which an expedition ends.
        days: u32 = 1..=3_650,
        /// Maximum number of these days.
        days_max: u32 = 1..=3_650,
        /// Price of the supplies in coppers.
        supplies: u32 = 0..=1_000_000,
        /// Increase for each of these days.
        supplies_per_day: u32 = 0..=1_000_000,
        /// Rooms that an expedition of the kind `map` opens.
        map_rooms: u32 = 1..=100_000,
        /// Depth that one of the kind `reach` reaches.
        reach_depth: u32 = 1..=1_000,
        /// Difficulty of the room that one of the kind `clear` clears.
        clear_difficulty: u32 = 1..=1_000,
        /// Difficulty of the room whose hoard one of the kind `recover` opens.
        recover_difficulty: u32 = 1..=1_000,
        /// Captives that one of the kind `rescue` brings home.
        rescue_captives: u32 = 1..=100,
        /// Coppers that are shared among the members of an expedition that has done what it is for.
        reward: u32 = 0..=1_000_000,
        /// Rooms that the expedition of a week opens.
        weekly_rooms: u32 = 1..=100_000,
        /// Rooms that each of its members can open on a day.
        weekly_rooms_per_day: u32 = 1..=100_000,
        /// Coppers for each member who has opened a room of it, when all are open.
        weekly_reward: u32 = 0..=1_000_000,
    }

    /// Corpses.
    #[derive(Copy)]
    corpse: Corpse {
        /// Seconds for which only the owner may loot it.
        owner_secs: u32 = 0..=86_400,
        /// Seconds until it decays.
        gone_secs: u32 = 1..=86_400,
    }

    /// Movement of creatures.
    #[derive(Copy)]
    roaming: Roaming {
        /// Seconds between ticks.
        tick_secs: u32 = 1..=3_600,
        /// Distance from players in rooms within which creatures act; others are suspended.
        near_rooms: u32 = 0..=32,
        /// Seconds for which creatures still act near a room that a player has left.
        linger_secs: u32 = 0..=3_600,
        /// Distance in rooms within which creatures find the nearest player.
        seek_rooms: u32 = 1..=32,
        /// Seconds between two rooms of a creature with a patrol or a schedule.
        walk_secs: u32 = 1..=3_600,
        /// Seconds for which such a creature stays at each goal, and waits before a closed door.
        pause_secs: u32 = 1..=3_600,
        /// Maximum number of rooms that the search for its path visits.
        route_rooms: u32 = 1..=1_000,
        /// Maximum length of a charge in rooms.
        charge_rooms: u32 = 2..=32,
        /// Range of `listen` in rooms.
        hear_rooms: u32 = 1..=12,
        /// Ticks for which a creature that has fled avoids players.
        flee_ticks: u32 = 1..=1_000,
        /// Maximum number of creatures in a room for further spawning.
        creatures_in_room: u32 = 1..=1_000,
        /// Maximum number of creatures in a branch for further spawning.
        creatures_in_branch: u32 = 1..=100_000,
        /// Rounds for which a web holds the character who tears it.
        web_sticks: u32 = 0..=3,
    }

    /// Tips for new players.
    #[derive(Copy)]
    tips: Tips {
        /// First level without tips.
        until_level: u32 = 0..=1_000,
        /// Minimum seconds between two tips out of combat.
        gap_secs: u32 = 0..=3_600,
    }

    /// Audibility of speech.
    #[derive(Copy)]
    talk: Talk {
        /// Range of a shout in rooms.
        shout_rooms: u32 = 0..=10,
        /// Minimum seconds between two shouts.
        shout_secs: u32 = 0..=3_600,
    }

    /// Prices of shops and healers.
    #[derive(Copy)]
    trade: Trade {
        /// Buying price for players, in percent of an item's value.
        buy_percent: u32 = 100..=10_000,
        /// Selling price for players, in percent of an item's value; never more than the buying price.
        sell_percent: u32 = 0..=100,
        /// Price of a hit point of a new character at a healer, in coppers; it grows with the level.
        hp_price: u32 = 0..=1_000_000,
        /// Price of removing an affect at a healer, in coppers.
        cure_price: u32 = 0..=1_000_000,
    }

    /// Rewards and rules of rooms without combat.
    #[derive(Copy)]
    places: Places {
        /// Experience for finding a landmark at difficulty 0.
        landmark_xp: u32 = 0..=1_000_000,
        /// Increase per step of difficulty.
        landmark_xp_per_difficulty: u32 = 0..=1_000_000,
        /// Number of answers per player to a riddle.
        riddle_tries: u32 = 1..=100,
        /// Range in rooms of the clue in a hint room.
        clue_rooms: u32 = 1..=12,
        /// Coppers and experience for rescuing a captive at difficulty 0.
        captive_reward: u32 = 0..=1_000_000,
        /// Increase per step of difficulty.
        captive_reward_per_difficulty: u32 = 0..=1_000_000,
    }

    /// Rewards of a puzzle by tier: the first entry for a puzzle that was never failed, the next after one failure, the
    /// last for all later tiers.
    puzzles: PuzzleRewards {
        /// Items from the theme's hoards.
        things: Vec<u32> = 0..=20,
        /// Coins in percent of a hoard's.
        coins_percent: Vec<u32> = 0..=10_000,
    }

    /// Walks of several steps.
    walk: WalkRules {
        /// Milliseconds between two steps.
        step_millis: u32 = 100..=10_000,
    }

    /// Rewards in the last room of a branch that can be completed.
    finish: FinishRewards {
        /// Rooms of the branch per item. Each item also raises the difficulty of all items by one.
        rooms_per_thing: u32 = 1..=1_000,
        /// Maximum number of items.
        most_things: u32 = 1..=50,
    }
}

listed! {
    /// Combat rules in the branches of a theme.
    #[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
    pub enum RuleSet {
        /// Damage is attack minus defence.
        #[default]
        Powers = "powers",
        /// Damage is a random number below attack minus a random number below defence.
        Racket = "racket",
    }
}

impl Rules {
    /// Converts a number of seconds of the rules.
    pub const fn secs(secs: u32) -> Span {
        Span::secs(secs as i64)
    }
}

impl Levels {
    /// Returns the experience needed for the next level.
    pub fn next(self, level: u32) -> i64 {
        i64::from(self.base) + i64::from(level) * i64::from(self.factor)
    }
}

/// Returns the value of a list for a count from 1; the last value applies to all greater counts.
pub fn by_number(list: &[u32], number: usize) -> u32 {
    list.get(number.max(1) - 1).or(list.last()).copied().unwrap_or(100)
}

/// Path of the file.
pub(super) const FILE: &str = "rules.toml";

/// Reads a file. What it leaves out is as in the shipped rules, so that a file written before a number was added is valid.
/// The shipped file itself, read without `shipped`, has every number.
pub(super) fn read(text: &str, shipped: Option<&Rules>, mistakes: &mut Vec<CatalogError>) -> Option<Rules> {
    Reader::whole(FILE, text, mistakes, |reader| Rules::read(reader, shipped))
}

fn read_section<T: Clone + Default>(
    reader: &mut Reader<'_>,
    name: &str,
    shipped: Option<&T>,
    read: fn(&mut Reader<'_>, Option<&T>) -> T,
) -> T {
    if let Some(shipped) = shipped
        && !reader.has(name)
    {
        return shipped.clone();
    }
    let Some(mut table) = reader.table(name) else { return T::default() };
    let section = read(&mut table, shipped);
    table.finish();
    section
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::BUILTIN;

    fn shipped() -> (&'static str, Rules) {
        let text = BUILTIN.iter().find(|(path, _)| *path == FILE).expect("the shipped rules").1;
        (text, read(text, None, &mut Vec::new()).expect("rules"))
    }

    #[test]
    fn each_number_may_be_left_out() {
        let (text, rules) = shipped();
        let lines: Vec<&str> = text.lines().collect();
        let is_number = |line: &str| line.contains(" = ") && !line.starts_with('#');
        for (at, line) in lines.iter().enumerate().filter(|(_, line)| is_number(line)) {
            let file = [&lines[..at], &lines[at + 1..]].concat().join("\n");
            let mut mistakes = Vec::new();
            assert_eq!(read(&file, Some(&rules), &mut mistakes), Some(rules.clone()), "{line}");
            assert!(mistakes.is_empty(), "{line}: {mistakes:?}");
            read(&file, None, &mut mistakes);
            assert_eq!(mistakes.len(), 1, "the shipped file lacks {line}: {mistakes:?}");
        }
        let mut mistakes = Vec::new();
        assert_eq!(read("", Some(&rules), &mut mistakes), Some(rules), "all sections are left out");
        assert!(mistakes.is_empty(), "{mistakes:?}");
    }

    #[test]
    fn numbers_of_a_file_replace_the_shipped_ones() {
        let (_, rules) = shipped();
        let mut mistakes = Vec::new();
        let read = read("[party]\nsize_max = 3\n", Some(&rules), &mut mistakes).expect("rules");
        let party = PartyRules { size_max: 3, ..rules.party.clone() };
        assert_eq!((read, mistakes.len()), (Rules { party, ..rules }, 0));
    }
}
