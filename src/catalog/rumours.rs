//! Rumours: the sentences in which the people of the town tell what happened in the well.

use crate::base::listed;
use crate::data::{CatalogError, Reader};
use std::collections::BTreeMap;

listed! {
    /// What is told of, by the key of its list of sentences.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Rumour {
        /// Somebody came deeper than anybody before.
        Record = "record",
        /// Somebody fell, and no creature did it.
        Fell = "fell",
        /// Somebody fell to a creature.
        FellTo = "fell_to",
        /// Somebody walked the last room of a branch that ends.
        End = "end",
        /// Somebody opened a hoard.
        Hoard = "hoard",
        /// A branch gave way.
        Collapse = "collapse",
    }
}

impl Rumour {
    /// What may be filled into its sentences.
    const fn slots(self) -> &'static [&'static str] {
        match self {
            Self::Record | Self::Fell | Self::Hoard => &["who", "place", "depth", "when"],
            Self::FellTo => &["who", "place", "depth", "when", "creature"],
            Self::End => &["who", "place", "rooms", "when"],
            Self::Collapse => &["place", "rooms", "when"],
        }
    }
}

/// What is filled into a sentence.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Slots {
    /// A name.
    pub who: String,
    /// What the branch is called: "the cellars".
    pub place: String,
    /// How deep.
    pub depth: u32,
    /// How many rooms.
    pub rooms: u32,
    /// A creature with its article.
    pub creature: String,
    /// How long ago: "just now".
    pub when: &'static str,
}

/// A sentence with slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Sentence(String);

impl Sentence {
    /// The sentence with all that stands in it.
    pub fn fill(&self, slots: &Slots) -> String {
        let (depth, rooms) = (slots.depth.to_string(), slots.rooms.to_string());
        // Names come last, so that nothing is filled into them.
        [
            ("{when}", slots.when),
            ("{depth}", &depth),
            ("{rooms}", &rooms),
            ("{place}", &slots.place),
            ("{creature}", &slots.creature),
            ("{who}", &slots.who),
        ]
        .into_iter()
        .fold(self.0.clone(), |text, (slot, words)| text.replace(slot, words))
    }
}

/// All sentences, by what they tell of.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rumours(BTreeMap<Rumour, Vec<Sentence>>);

impl Rumours {
    /// The sentences that tell of something.
    pub fn about(&self, rumour: Rumour) -> &[Sentence] {
        self.0.get(&rumour).map_or(&[], Vec::as_slice)
    }
}

/// Reads the table of them out of the file of townspeople.
pub(super) fn read(table: &mut Reader<'_>) -> Rumours {
    let mut all = BTreeMap::new();
    for rumour in Rumour::ALL.iter().copied() {
        let sentences = table.placed_texts(rumour.name(), 1);
        for (place, sentence) in &sentences {
            if let Some(slot) = open_slot(sentence, rumour) {
                let may = rumour.slots().join(", ");
                let wrong = format!("`{{{slot}}}` is no slot of `{}`", rumour.name());
                table.note(CatalogError::new(place, wrong, format!("one of {may}")));
            }
        }
        all.insert(rumour, sentences.into_iter().map(|(_, sentence)| Sentence(sentence)).collect());
    }
    Rumours(all)
}

/// The first slot of a sentence that is none of those it may have.
fn open_slot(sentence: &str, rumour: Rumour) -> Option<&str> {
    let slots = sentence.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or(rest));
    slots.into_iter().find(|slot| !rumour.slots().contains(slot))
}
