//! Rumours: sentences in which townspeople report events in the dungeon.

use crate::base::listed;
use crate::data::{CatalogError, Reader};
use std::collections::BTreeMap;

listed! {
    /// Kind of event, by the key of its list of sentences.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
    pub enum Rumour {
        /// A player reached a new record depth.
        Record = "record",
        /// A player was defeated, but not by a creature.
        Fell = "fell",
        /// A player was defeated by a creature.
        FellTo = "fell_to",
        /// A player explored the last room of a branch and completed it.
        End = "end",
        /// A player opened a hoard.
        Hoard = "hoard",
        /// An expedition has done what it was for.
        Expedition = "expedition",
        /// Players killed a boss.
        Boss = "boss",
        /// A branch expired.
        Collapse = "collapse",
    }
}

impl Rumour {
    /// Returns the slots that its sentences may contain.
    const fn slots(self) -> &'static [&'static str] {
        match self {
            Self::Record | Self::Fell | Self::Hoard => &["who", "place", "depth", "when"],
            Self::FellTo | Self::Boss => &["who", "place", "depth", "when", "creature"],
            Self::End => &["who", "place", "rooms", "when"],
            Self::Expedition => &["who", "place", "expedition", "when"],
            Self::Collapse => &["place", "rooms", "when"],
        }
    }
}

/// Values of the slots.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Slots {
    /// Names of the players.
    pub who: String,
    /// Name of the branch: "the cellars".
    pub place: String,
    /// Depth.
    pub depth: u32,
    /// Number of rooms.
    pub rooms: u32,
    /// Creature with its article.
    pub creature: String,
    /// Name of the expedition.
    pub expedition: String,
    /// Age of the event: "just now".
    pub when: &'static str,
}

/// A sentence with slots.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RumourSentence(String);

impl RumourSentence {
    /// Returns the sentence with its slots filled.
    pub fn fill(&self, slots: &Slots) -> String {
        let (depth, rooms) = (slots.depth.to_string(), slots.rooms.to_string());
        // Fill player names last, so that slots in a name are not expanded.
        [
            ("{when}", slots.when),
            ("{depth}", &depth),
            ("{rooms}", &rooms),
            ("{place}", &slots.place),
            ("{creature}", &slots.creature),
            ("{expedition}", &slots.expedition),
            ("{who}", &slots.who),
        ]
        .into_iter()
        .fold(self.0.clone(), |text, (slot, value)| text.replace(slot, value))
    }
}

/// All sentences by kind of event.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Rumours(BTreeMap<Rumour, Vec<RumourSentence>>);

impl Rumours {
    /// Returns the sentences for a kind of event.
    pub fn about(&self, rumour: Rumour) -> &[RumourSentence] {
        self.0.get(&rumour).map_or(&[], Vec::as_slice)
    }
}

/// Reads the table of rumours in the file of townspeople.
pub(in crate::catalog) fn read(table: &mut Reader<'_>) -> Rumours {
    let mut all = BTreeMap::new();
    for rumour in Rumour::ALL.iter().copied() {
        // Files that are older than expeditions and bosses have no sentences about them.
        let least = usize::from(!matches!(rumour, Rumour::Expedition | Rumour::Boss));
        let sentences = table.placed_texts(rumour.name(), least);
        for (place, sentence) in &sentences {
            if let Some(slot) = open_slot(sentence, rumour) {
                let may = rumour.slots().join(", ");
                let mistake = format!("`{{{slot}}}` is no slot of `{}`", rumour.name());
                table.note(CatalogError::new(place, mistake, format!("one of {may}")));
            }
        }
        all.insert(rumour, sentences.into_iter().map(|(_, sentence)| RumourSentence(sentence)).collect());
    }
    Rumours(all)
}

/// Returns the first invalid slot of a sentence.
fn open_slot(sentence: &str, rumour: Rumour) -> Option<&str> {
    let slots = sentence.split('{').skip(1).map(|rest| rest.split('}').next().unwrap_or(rest));
    slots.into_iter().find(|slot| !rumour.slots().contains(slot))
}
