//! Import report: the imported amounts, and every feature without a counterpart, by kind, with its location and its
//! replacement. Each record has its own share of lines, so that no record hides what is told about the others.

use std::collections::BTreeMap;
use std::fmt;

use super::place::FileLine;
use deepwell_core::base::listed;
use deepwell_core::text::grammar;

/// Reason why a part of a file has no counterpart here, as the report tells it.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub(super) struct Untranslated(String);

impl From<&str> for Untranslated {
    fn from(why: &str) -> Self {
        Self(why.to_owned())
    }
}

impl From<String> for Untranslated {
    fn from(why: String) -> Self {
        Self(why)
    }
}

/// Maximum number of notes of one kind about one subject of a file; further notes are only counted.
const LINES_OF_SUBJECT: u32 = 200;

listed! {
    /// Kinds of notes, in the order of the report.
    #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
    pub enum NoteKind {
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
        Fixed = "Items that stand where they are",
        /// Flags of creatures.
        CreatureFlag = "Flags of creatures",
        /// Statistics of creatures that are replaced by those of their level.
        CreatureNumber = "Numbers of creatures",
        /// Items that creatures carry.
        Belongings = "What creatures carry and wear",
        /// Types of items.
        ItemType = "Types of items",
        /// Flags of items.
        ItemFlag = "Flags of items",
        /// Effects of items on the wearer.
        ItemEffect = "What items do to their bearers",
        /// Spells of items.
        Spell = "Spells in items",
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
pub struct ImportReport {
    /// Number of imported rooms, creatures, items, shops, triggers and quests.
    pub counts: [u32; 6],
    /// Number of removed colour codes, by scheme.
    pub coloured: BTreeMap<&'static str, u32>,
    notes: BTreeMap<NoteKind, NoteGroup>,
}

/// Subject of notes: a file, and the record or command that the notes are about.
type NoteSubject = (String, String);

#[derive(Clone, Debug, Default)]
struct NoteGroup {
    /// Place, subject and replacement.
    kept: Vec<(FileLine, String, String)>,
    counts: BTreeMap<NoteSubject, u32>,
}

impl ImportReport {
    /// Adds a note of a feature and its replacement.
    pub(super) fn note(&mut self, kind: NoteKind, place: &FileLine, what: &str, instead: &str) {
        let notes = self.notes.entry(kind).or_default();
        let count = notes.counts.entry((place.file.clone(), what.to_owned())).or_default();
        *count = count.saturating_add(1);
        if *count <= LINES_OF_SUBJECT {
            notes.kept.push((place.clone(), what.to_owned(), instead.to_owned()));
        }
    }

    /// Adds the notes of another report.
    pub(super) fn merge(&mut self, other: Self) {
        for (kind, notes) in other.notes {
            for (place, what, instead) in &notes.kept {
                self.note(kind, place, what, instead);
            }
            let own = self.notes.entry(kind).or_default();
            for (subject, count) in notes.counts {
                let more = count.saturating_sub(LINES_OF_SUBJECT);
                let all = own.counts.entry(subject).or_default();
                *all = all.saturating_add(more);
            }
        }
    }

    /// Returns the number of notes of a kind.
    pub fn count(&self, kind: NoteKind) -> u32 {
        let counts = self.notes.get(&kind).into_iter().flat_map(|notes| notes.counts.values());
        counts.fold(0, |all, count| all.saturating_add(*count))
    }

    /// Returns the first notes of a kind, formatted as in the report.
    pub fn first(&self, kind: NoteKind, most: usize) -> Vec<String> {
        let kept = self.notes.get(&kind).map(|notes| notes.kept.iter()).into_iter().flatten();
        kept.take(most).map(|(place, what, instead)| format!("{place}: {what}: {instead}")).collect()
    }

    /// Returns the imported amounts as text.
    pub fn made(&self) -> String {
        let words = ["room", "creature", "item", "shop", "trigger", "quest"];
        // Areas without triggers and quests are told without them.
        let counts =
            words.iter().zip(self.counts).enumerate().filter(|(at, (_, count))| *at < 4 || *count > 0);
        let parts = counts.map(|(_, (word, count))| grammar::counted(count, word));
        grammar::list(parts)
    }
}

impl fmt::Display for ImportReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "Made: {}.", self.made())?;
        if !self.coloured.is_empty() {
            let parts = self.coloured.iter().map(|(scheme, count)| format!("{count} with {scheme}"));
            writeln!(f, "Codes for colours taken out: {}.", grammar::list(parts))?;
        }
        for (kind, notes) in &self.notes {
            writeln!(f, "\n{} ({})", kind.name(), self.count(*kind))?;
            let mut kept: Vec<_> = notes.kept.iter().collect();
            kept.sort_by_key(|(place, ..)| place);
            for (place, what, instead) in kept {
                writeln!(f, "  {place}: {what}: {instead}")?;
            }
            for ((file, what), count) in &notes.counts {
                if *count > LINES_OF_SUBJECT {
                    writeln!(f, "  {file}: {what}: and {} more", count - LINES_OF_SUBJECT)?;
                }
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A note is listed, or counted with the others of the same subject; a report that was put together is the same.
    #[test]
    fn every_subject_is_named_however_much_is_told_about_others() {
        let subjects = [("a.trg", "script 1", 450), ("a.trg", "script 2", 1), ("b.trg", "script 1", 200)];
        let (mut report, mut merged) = (ImportReport::default(), ImportReport::default());
        for (file, what, count) in subjects {
            let mut own = ImportReport::default();
            for line in 0..count {
                let place = FileLine { file: file.into(), line };
                report.note(NoteKind::Script, &place, what, "left out");
                own.note(NoteKind::Script, &place, what, "left out");
            }
            merged.merge(own);
        }
        let text = report.to_string();
        assert_eq!(text, merged.to_string());
        assert!(text.contains("\nScripts (651)\n"), "{text}");
        for (file, what, count) in subjects {
            let listed =
                (0..count).filter(|line| text.contains(&format!("  {file}:{line}: {what}: left out\n")));
            assert_eq!(listed.count(), count.min(LINES_OF_SUBJECT) as usize, "{file} {what}");
        }
        assert!(text.contains("  a.trg: script 1: and 250 more\n") && !text.contains("and 1 more"), "{text}");
    }
}
