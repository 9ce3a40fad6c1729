//! Import report: the imported amounts, and every feature without a counterpart, by kind, with its location and its
//! replacement. The size is bounded for any input.

use std::collections::BTreeMap;
use std::fmt;

use super::place::Place;
use crate::base::listed;
use crate::text::grammar;

/// Maximum number of stored notes of one kind; further notes are only counted.
const LINES_MAX: usize = 200;

listed! {
    /// Kinds of notes, in the order of the report.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum Kind {
        /// A record or a line that cannot be read.
        Mistake = "Mistakes in the files",
        /// Exits that lead to rooms that were not read, or nowhere.
        Way = "Ways that are not there",
        /// Exits to zones that are imported separately.
        Beyond = "Ways to other zones",
        /// Doors that behave differently.
        Door = "Doors",
        /// Flags of rooms.
        RoomFlag = "Flags of rooms",
        /// Items that cannot be carried and became part of the room description.
        Fixed = "Things that stand where they are",
        /// Flags of creatures.
        CreatureFlag = "Flags of creatures",
        /// Statistics of creatures that are replaced by those of their level.
        CreatureNumber = "Numbers of creatures",
        /// Items that creatures carry.
        Belongings = "What creatures carry and wear",
        /// Types of items.
        ThingType = "Types of things",
        /// Flags of items.
        ThingFlag = "Flags of things",
        /// Effects of items on the wearer.
        ThingEffect = "What things do to their bearers",
        /// Spells of items.
        Spell = "Spells in things",
        /// Scripts that became triggers, each with its event and place.
        KeptScript = "Scripts that are kept",
        /// Scripts, commands and conditions that no trigger can say.
        Script = "Scripts",
        /// Quests that are kept, each with its key.
        KeptQuest = "Quests that are kept",
        /// Quests, and fields of quests, without a counterpart.
        Quest = "Quests",
        /// Shops that are kept, each with its room and wares.
        KeptShop = "Shops that are kept",
        /// Reset commands of the zone.
        Reset = "Commands of zones",
        /// Shops.
        Shop = "Shops",
        /// Texts that were changed.
        Text = "Texts",
        /// Names and keys.
        Name = "Names",
    }
}

/// Report of an import.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Number of imported rooms, creatures, items, shops, triggers and quests.
    pub counts: [u32; 6],
    /// Number of removed colour codes, by scheme.
    pub coloured: BTreeMap<&'static str, u32>,
    notes: BTreeMap<Kind, Notes>,
}

#[derive(Clone, Debug, Default)]
struct Notes {
    kept: Vec<(Place, String)>,
    more: u32,
}

impl Report {
    /// Adds a note of a feature and its replacement.
    pub(super) fn note(&mut self, kind: Kind, place: &Place, what: &str, instead: &str) {
        let notes = self.notes.entry(kind).or_default();
        if notes.kept.len() < LINES_MAX {
            notes.kept.push((place.clone(), format!("{what}: {instead}")));
        } else {
            notes.more = notes.more.saturating_add(1);
        }
    }

    /// Returns the number of notes of a kind.
    pub fn count(&self, kind: Kind) -> u32 {
        let count =
            |notes: &Notes| u32::try_from(notes.kept.len()).unwrap_or(u32::MAX).saturating_add(notes.more);
        self.notes.get(&kind).map_or(0, count)
    }

    /// Returns the first notes of a kind, formatted as in the report.
    pub fn first(&self, kind: Kind, most: usize) -> Vec<String> {
        let kept = self.notes.get(&kind).map(|notes| notes.kept.iter()).into_iter().flatten();
        kept.take(most).map(|(place, told)| format!("{place}: {told}")).collect()
    }

    /// Returns the imported amounts as text.
    pub fn made(&self) -> String {
        let words = ["room", "creature", "thing", "shop", "trigger", "quest"];
        // Areas without triggers and quests are told without them.
        let told = words.iter().zip(self.counts).enumerate().filter(|(at, (_, count))| *at < 4 || *count > 0);
        let parts = told.map(|(_, (word, count))| grammar::counted(count, word));
        grammar::list(parts)
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Made: {}.", self.made())?;
        if !self.coloured.is_empty() {
            let parts = self.coloured.iter().map(|(scheme, count)| format!("{count} with {scheme}"));
            writeln!(f, "Codes for colours taken out: {}.", grammar::list(parts))?;
        }
        for (kind, notes) in &self.notes {
            writeln!(f, "\n{} ({})", kind.name(), self.count(*kind))?;
            let mut kept: Vec<_> = notes.kept.iter().collect();
            kept.sort_by_key(|(place, _)| place);
            for (place, told) in kept {
                writeln!(f, "  {place}: {told}")?;
            }
            if notes.more > 0 {
                writeln!(f, "  and {} more", notes.more)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_is_bounded() {
        let mut report = Report::default();
        for line in 0..1_000 {
            let place = Place { file: "a.wld".into(), line };
            report.note(Kind::Mistake, &place, "room 1", "left out");
        }
        assert_eq!(report.count(Kind::Mistake), 1_000);
        let told = report.to_string();
        assert_eq!(told.lines().count(), LINES_MAX + 4, "{told}");
        assert!(
            told.contains("\nMistakes in the files (1000)\n") && told.ends_with("  and 800 more\n"),
            "{told}"
        );
    }
}
