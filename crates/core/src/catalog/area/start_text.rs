//! Texts of a start room about its branches. A room without its own uses general ones.

use crate::base::listed;
use crate::data::Reader;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

listed! {
    /// Text of a start room about its branches.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
    #[serde(rename_all = "snake_case")]
    pub enum StartText {
        /// Advice to companions, below the description of the room.
        Footer = "footer",
        /// Message to the members of a branch that collapses.
        Collapse = "collapse",
        /// Next message to them, in the start room.
        CollapseEnd = "collapse_end",
        /// Message to others there, after the name of a member.
        CollapseSeen = "collapse_seen",
    }
}

/// Texts that a start room has in place of the general ones.
pub type StartTexts = BTreeMap<StartText, String>;

impl StartText {
    /// Maximum length of a text, in characters.
    pub const MOST_CHARS: usize = 400;

    /// Returns the general text.
    pub const fn usual(self) -> &'static str {
        match self {
            Self::Footer => {
                "Companions must all take the same exit while it leads to the same place, or they will be parted."
            }
            Self::Collapse => {
                "The silent room rumbles, the walls give way, and all of it collapses into the dark."
            }
            Self::CollapseEnd => "You stand where you began, coughing, with dust in your hair.",
            Self::CollapseSeen => "stumbles out of the dark, grey with dust.",
        }
    }

    /// Returns a description for builders.
    pub const fn about(self) -> &'static str {
        match self {
            Self::Footer => "Advice to companions, below the text of a start room.",
            Self::Collapse => "Text for players whose branch behind a start room collapses.",
            Self::CollapseEnd => "Next text for these players, in the start room.",
            Self::CollapseSeen => "Text for others in the start room, after the name of such a player.",
        }
    }

    /// Reads the texts that a table has.
    pub(in crate::catalog) fn read_all(table: &mut Reader<'_>) -> StartTexts {
        let read = |text: Self| Some((text, table.about(text.about()).filled_text(text.name())?));
        Self::ALL.into_iter().filter_map(read).collect()
    }
}
