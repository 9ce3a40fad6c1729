//! Abilities: what somebody can type that not everybody can, chosen at a new level in the place of a number.

use super::Lesson;
use crate::base::listed;
use crate::catalog::sentence::{Target, sentence};
use crate::data::{CatalogError, Position, Reader, definition};
use crate::text::act::Template;

/// The words of the abilities that there are commands for. A file says what each of them does.
pub const WORDS: &[&str] = &[
    "bash", "bind", "brace", "feint", "mend", "rally", "scout", "sneak", "sweep", "taunt", "throw", "track",
];

/// How many letters fit behind `train WORD: ` in a menu of 40 columns.
const GIST_MAX: usize = 27;

listed! {
    /// Whom an ability is meant for.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Reach {
        /// Nobody but oneself.
        Own = "self",
        /// One creature here: the one named, or one's opponent.
        Opponent = "opponent",
        /// Every creature here that fights oneself or a companion.
        Enemies = "enemies",
        /// Somebody on one's side here: the one named, or oneself.
        Friend = "friend",
        /// Oneself and all companions here.
        Company = "company",
    }
}

listed! {
    /// When an ability can be used.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Occasion {
        /// In a fight and out of it.
        Any = "any",
        /// In a fight only.
        Fight = "fight",
        /// Out of fights only.
        Peace = "peace",
    }
}

listed! {
    /// What an ability tells of what is further away.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Sense {
        /// Who is in the explored rooms around.
        Rooms = "rooms",
        /// The way to the nearest creature on explored ground.
        Trail = "trail",
    }
}

definition! {
    /// An ability, from `content/abilities/WORD.toml`. Its key is the word that one types.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Ability {
        /// The word.
        pub key: String => |file| file.key(),
        /// What it does, in the few words of a menu.
        pub gist: String = text(),
        /// What it does, in a sentence.
        pub description: String = text(),
        /// How it looks to those who are there.
        pub told: Template => |file| told(file),
        /// What whoever it is offered to has done: "brought creatures down".
        pub earned_by: String = text(),
        /// The moments that count for it.
        pub counts: Vec<Lesson> => |file| lessons(file),
        /// How many of those moments weigh as much as any other ability's.
        pub per: u32 = number_or(1..=10_000, 1),
        /// Where it stands in lists.
        pub order: u32 = number_or(0..=1_000, 100),
        /// Whom it is meant for.
        pub reach: Reach = choice_or(&Reach::NAMES, Reach::Own),
        /// When it can be used.
        pub occasion: Occasion = choice_or(&Occasion::NAMES, Occasion::Any),
        /// A blow at whom it is meant for, of so many percent of its usual harm; 0 for none.
        pub strike_percent: u32 = number_or(0..=100, 0),
        /// What it hangs on whom it is meant for, by key.
        pub affect: Option<String> = filled_text(),
        /// For how many rounds; as long as that usually lasts if nothing is said.
        pub affect_rounds: Option<u32> => |file| file.number_if_any("affect_rounds", &(1..=20)),
        /// What it hangs on oneself, by key.
        pub own_affect: Option<String> = filled_text(),
        /// Hit points it gives to whom it is meant for.
        pub heals: u32 = number_or(0..=1_000, 0),
        /// What it takes off whom it is meant for, by key.
        pub cures: Vec<String> = texts(0),
        /// Whether those whom it is meant for turn on oneself.
        pub draws: bool = truth_or(false),
        /// What it tells of what is further away.
        pub senses: Option<Sense> => |file| file.choice_if_any("senses", &Sense::NAMES),
        /// How many rooms away.
        pub steps: u32 = number_or(1..=12, 1),
        /// Whether it takes the place of the blow of a round.
        pub spends_round: bool = truth_or(true),
        /// How many rounds pass until it can be used again.
        pub rest_rounds: u32 = number(1..=1_000),
        /// Where it is defined.
        pub place: Position => |file| file.place(),
    }
}

fn told(file: &mut Reader<'_>) -> Template {
    let reach = file.peek_text("reach");
    let at_one = [Reach::Opponent, Reach::Friend].map(Reach::name);
    let target = if reach.is_some_and(|reach| at_one.contains(&reach.as_str())) {
        Target::Named
    } else {
        Target::Absent
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

/// Reads a file; its name must be a word that there is a command for.
pub(super) fn read(file: &mut Reader<'_>) -> Ability {
    let ability = Ability::read(file);
    if !WORDS.contains(&ability.key.as_str()) {
        file.note(CatalogError::unknown_name(&ability.place, "ability", &ability.key, WORDS.to_vec()));
    }
    if ability.gist.chars().count() > GIST_MAX {
        file.wrong("gist", "is too long for the menu", &format!("at most {GIST_MAX} letters"));
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

    /// T18: a file that no command belongs to, and a moment that never comes, are told with their place.
    #[test]
    fn t18_a_file_says_what_a_word_does_and_mistakes_have_places() {
        assert!(mistakes("abilities/bash.toml", "counts = [\"won\"]").is_empty());
        for (path, lines, wrong) in [
            ("abilities/bush.toml", "counts = [\"won\"]", "abilities/bush.toml:1:1: unknown ability `bush`"),
            ("abilities/bash.toml", "counts = [\"one\"]", "abilities/bash.toml:6:11: unknown moment `one`"),
            ("abilities/bash.toml", "counts = [\"won\"]\nreach = \"all\"", "abilities/bash.toml:7:"),
        ] {
            let found = mistakes(path, lines);
            assert!(found.len() == 1 && found[0].starts_with(wrong), "{found:?}");
        }
    }
}
