//! Manoeuvres: actions that creatures announce a round before they carry them out, so that opponents can answer.

use crate::base::listed;
use crate::catalog::script::sentence::{TargetNeed, sentence};
use crate::data::{CatalogError, Position, Reader, definition};
use crate::text::act::Template;

listed! {
    /// Action of a fighter in the round of an announcement.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Answer {
        /// Waits behind a raised arm.
        Guard = "guard",
        /// Steps aside.
        Dodge = "dodge",
        /// Strikes at the one who has announced something, in order to disturb it.
        Interrupt = "interrupt",
        /// Goes on striking as usual.
        Strike = "strike",
    }
}

definition! {
    /// A manoeuvre, from `content/manoeuvres/KEY.toml`. Creatures name it in `manoeuvres`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Manoeuvre {
        /// Stable key in content.
        pub key: String => |file| file.key(),
        /// Set if it concerns all who fight the creature; otherwise only its opponent.
        pub sweeps: bool = bool_or(false),
        /// Message to the room a round before.
        pub announced: Template => |file| sentence(file, "announced", whom(sweeps)),
        /// Message to the room when it is carried out.
        pub told: Template => |file| sentence(file, "told", whom(sweeps)),
        /// Message to the room when it comes to nothing.
        pub averted: Template => |file| sentence(file, "averted", whom(sweeps)),
        /// Answers that avert it.
        pub answers: Vec<Answer> => |file| answers(file),
        /// Chance per round in percent.
        pub percent: u32 = number_or(1..=100, 35),
        /// Damage in percent of a usual blow; 0 for no blow. A fighter who guards takes half.
        pub strike_percent: u32 = number_or(0..=1_000, 0),
        /// Affect of those whom it meets, by key.
        pub affect: Option<String> = filled_text(),
        /// Duration of that affect in rounds; the affect's default if absent.
        pub affect_rounds: Option<u32> = number_if_any(&(1..=20)),
        /// Affect of the creature when it is carried out, by key.
        pub own_affect: Option<String> = filled_text(),
        /// Hit points that the creature regains when it is carried out, in percent of its maximum.
        pub heals_percent: u32 = number_or(0..=100, 0),
        /// Affect of the creature when it comes to nothing, by key.
        pub exposed: Option<String> = filled_text(),
        /// Place of the definition.
        pub place: Position => |file| file.place(),
    }
}

impl Manoeuvre {
    /// Returns the keys of affects that it names.
    pub fn affects(&self) -> impl Iterator<Item = &String> {
        self.affect.iter().chain(&self.own_affect).chain(&self.exposed)
    }
}

/// Returns whether the sentences name a target: one that sweeps has none.
const fn whom(sweeps: bool) -> TargetNeed {
    if sweeps { TargetNeed::Absent } else { TargetNeed::Named }
}

/// Reads the answers. One that every answer averts would be no manoeuvre.
fn answers(file: &mut Reader<'_>) -> Vec<Answer> {
    let place = file.place_of("answers");
    let mut known = Vec::new();
    for (place, word) in file.placed_texts("answers", 1) {
        match Answer::named(&word) {
            Some(answer) => known.push(answer),
            None => file.note(CatalogError::unknown_name(
                &place,
                "answer",
                &word,
                Answer::ALL.map(Answer::name).to_vec(),
            )),
        }
    }
    if Answer::ALL.iter().all(|answer| known.contains(answer)) {
        file.note(CatalogError::new(&place, "every answer averts it", "at least one that does not"));
    }
    known
}
