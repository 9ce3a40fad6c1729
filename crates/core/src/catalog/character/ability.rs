//! Abilities: commands that a character learns, offered at a new level as an alternative to a higher attribute.

use crate::base::listed;
use crate::catalog::Lesson;
use crate::catalog::script::sentence::{TargetNeed, sentence};
use crate::data::{CatalogError, Position, Reader, definition};
use crate::text::act::Template;

/// Command words of the abilities. A file defines the effect of each.
pub const WORDS: &[&str] = &[
    "bash", "bind", "brace", "feint", "mend", "rally", "scout", "sneak", "sweep", "taunt", "throw", "track",
];

/// Maximum length of a gist, so that `train WORD: GIST` fits a menu of 40 columns.
const GIST_MAX: usize = 27;

listed! {
    /// Target of an ability.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Reach {
        /// The user.
        Own = "self",
        /// One creature in the room: the named one, or the user's current target.
        Opponent = "opponent",
        /// All creatures in the room that fight the user or a companion.
        Enemies = "enemies",
        /// One ally in the room: the named one, or the user.
        Friend = "friend",
        /// The user and all companions in the room.
        Company = "company",
    }
}

listed! {
    /// Condition under which an ability can be used.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Occasion {
        /// In and out of combat.
        Any = "any",
        /// Only in combat.
        Fight = "fight",
        /// Only out of combat.
        Peace = "peace",
    }
}

listed! {
    /// Information that an ability gives about other rooms.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum AbilitySense {
        /// Creatures and players in the explored rooms nearby.
        Rooms = "rooms",
        /// Path to the nearest creature through explored rooms.
        Trail = "trail",
    }
}

definition! {
    /// An ability, from `content/abilities/WORD.toml`. Its key is the command word.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Ability {
        /// Command word.
        pub key: String => |file| file.key(),
        /// Short description for menus.
        pub gist: String = text(),
        /// Description in one sentence.
        pub description: String = text(),
        /// Message for the room.
        pub told: Template => |file| read_message(file),
        /// Deeds for which it is offered: "brought creatures down".
        pub earned_by: String = text(),
        /// Events that count towards it.
        pub counts: Vec<Lesson> => |file| lessons(file),
        /// Divisor that makes the counts of these events comparable with those of other abilities.
        pub per: u32 = number_or(1..=10_000, 1),
        /// Sort order in lists.
        pub order: u32 = number_or(0..=1_000, 100),
        /// Target.
        pub reach: Reach = choice_or(&Reach::NAMES, Reach::Own),
        /// Condition of use.
        pub occasion: Occasion = choice_or(&Occasion::NAMES, Occasion::Any),
        /// Damage of a blow at the target in percent of the usual damage; 0 for no blow.
        pub strike_percent: u32 = number_or(0..=100, 0),
        /// Affect applied to the target, by key.
        pub affect: Option<String> = filled_text(),
        /// Duration of that affect in rounds; the affect's default if absent.
        pub affect_rounds: Option<u32> => |file| file.number_if_any("affect_rounds", &(1..=20)),
        /// Affect applied to the user, by key.
        pub own_affect: Option<String> = filled_text(),
        /// Hit points restored to the target.
        pub heals: u32 = number_or(0..=1_000, 0),
        /// Affects removed from the target, by key.
        pub cures: Vec<String> = texts(0),
        /// Makes the targets attack the user.
        pub draws: bool = bool_or(false),
        /// Information about other rooms.
        pub senses: Option<AbilitySense> => |file| file.choice_if_any("senses", &AbilitySense::NAMES),
        /// Range of that information, in rooms.
        pub steps: u32 = number_or(1..=12, 1),
        /// Replaces the user's normal blow of the round.
        pub spends_round: bool = bool_or(true),
        /// Cooldown in rounds.
        pub rest_rounds: u32 = number(1..=1_000),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}

fn read_message(file: &mut Reader<'_>) -> Template {
    let reach = file.peek_text("reach");
    let at_one = [Reach::Opponent, Reach::Friend].map(Reach::name);
    let target = if reach.is_some_and(|reach| at_one.contains(&reach.as_str())) {
        TargetNeed::Named
    } else {
        TargetNeed::Absent
    };
    sentence(file, "told", target)
}

fn lessons(file: &mut Reader<'_>) -> Vec<Lesson> {
    let named = file.placed_texts("counts", 1);
    let mut known = Vec::new();
    for (place, moment) in named {
        if let Some(lesson) = Lesson::named(&moment) {
            known.push(lesson);
        } else {
            let valid = Lesson::ALL.map(Lesson::name).to_vec();
            file.note(CatalogError::unknown_name(&place, "moment", &moment, valid));
        }
    }
    known
}

/// Reads a file; its name must be one of [`WORDS`].
pub(in crate::catalog) fn read(file: &mut Reader<'_>) -> Ability {
    let ability = Ability::read(file);
    if !WORDS.contains(&ability.key.as_str()) {
        file.note(CatalogError::unknown_name(&ability.place, "ability", &ability.key, WORDS.to_vec()));
    }
    if ability.gist.chars().count() > GIST_MAX {
        file.record_mistake("gist", "is too long for the menu", &format!("at most {GIST_MAX} letters"));
    }
    ability
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mistakes(path: &str, lines: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        let text = format!(
            "gist = \"a\"\ndescription = \"b\"\nearned_by = \"c\"\ntold = \"{{actor}} {{waits|wait}}.\"\nrest_rounds = 1\n{lines}"
        );
        Reader::whole(path, &text, &mut mistakes, read);
        mistakes.iter().map(ToString::to_string).collect()
    }

    /// T18: unknown abilities and unknown events are reported with their place.
    #[test]
    fn t18_ability_file_is_parsed_and_errors_have_places() {
        assert!(mistakes("abilities/bash.toml", "counts = [\"won\"]").is_empty());
        for (path, lines, mistake) in [
            ("abilities/bush.toml", "counts = [\"won\"]", "abilities/bush.toml:1:1: unknown ability `bush`"),
            ("abilities/bash.toml", "counts = [\"one\"]", "abilities/bash.toml:6:11: unknown moment `one`"),
            ("abilities/bash.toml", "counts = [\"won\"]\nreach = \"all\"", "abilities/bash.toml:7:"),
        ] {
            let found = mistakes(path, lines);
            assert!(found.len() == 1 && found[0].starts_with(mistake), "{found:?}");
        }
    }
}
