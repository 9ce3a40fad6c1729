//! Import of Circle and tbaMUD area files as a zone and prototypes. Malformed records are reported and left out;
//! features without a counterpart are reported with their replacement. The output is content that loads. The file
//! format is that of its published manual; docs/build/import.md describes the conversion.

mod colours;
mod creatures;
mod doors;
mod homes;
mod picture;
mod place;
mod quests;
mod records;
mod report;
mod resets;
mod rooms;
mod scripts;
mod shops;
mod items;
mod words;

pub use place::FileLine;
pub use report::{ImportReport, NoteKind};

use std::collections::{BTreeMap, BTreeSet};

use deepwell_core::base::limits::Limits;
use deepwell_core::catalog::{BUILTIN, Catalog};
use deepwell_core::data::edit::quoted;
use deepwell_core::data::key_of;
use deepwell_core::text::grammar;
use records::creature::CreatureRecord;
use records::lines::{Malformed, ReadRecord, records};
use records::object::ObjectRecord;
use records::quest::QuestRecord;
use records::room::RoomRecord;
use records::shop::Shop;
use records::trigger::TriggerRecord;
use records::zone::ZoneRecord;
use resets::Resets;

/// An area file in memory.
#[derive(Clone, Debug)]
pub struct AreaFile {
    /// File name, used in reports; the extension gives the kind of file.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Target of an import: zone key, existing content and limits.
#[derive(Clone, Copy, Debug)]
pub struct ImportPlan<'a> {
    /// Key of the zone, or prefix of the zone keys if there are several.
    pub zone: &'a str,
    /// Set when each room file becomes a separate zone.
    pub is_split: bool,
    /// Neighbouring room files, which are imported separately.
    pub around: &'a [Around],
    /// Existing content.
    pub catalog: &'a Catalog,
    /// Limits of the server.
    pub limits: &'a Limits,
}

/// A neighbouring room file. Exits may lead to its rooms.
#[derive(Clone, Debug)]
pub struct Around {
    /// The file.
    pub file: AreaFile,
    /// Key of the zone that the file becomes; `None` if unknown.
    pub zone: Option<String>,
}

/// Result of an import of area files.
#[derive(Clone, Debug)]
pub struct Import {
    /// Output files by path: `zones/KEY.toml`, the prototypes below `content/`, and [`WAYS`] unless it is empty.
    pub files: Vec<(String, String)>,
    /// Report of everything imported or left out.
    pub report: ImportReport,
}

/// Records read, by number.
#[derive(Debug, Default)]
struct SourceRecords {
    rooms: BTreeMap<i64, RoomRecord>,
    mobs: BTreeMap<i64, CreatureRecord>,
    objects: BTreeMap<i64, ObjectRecord>,
    zones: BTreeMap<i64, ZoneRecord>,
    shops: BTreeMap<i64, Shop>,
    triggers: BTreeMap<i64, TriggerRecord>,
    quests: BTreeMap<i64, QuestRecord>,
}

/// Generator of unique keys.
#[derive(Debug)]
struct Keys {
    prefix: String,
    taken: BTreeSet<String>,
}

impl Keys {
    /// Creates a generator for a content folder; the keys of shipped files are taken.
    fn of_files(folder: &str, zone: &str) -> Self {
        let shipped = BUILTIN.iter().filter(|(path, _)| path.starts_with(folder));
        let taken = shipped.map(|(path, _)| key_of(path).to_owned()).collect();
        Self { prefix: format!("{zone}_"), taken }
    }

    fn of_rooms() -> Self {
        Self { prefix: String::new(), taken: BTreeSet::new() }
    }

    /// Returns a unique key for a name, or for `otherwise` if the name has no usable characters. The number
    /// distinguishes equal names.
    fn key(&mut self, name: &str, otherwise: &str, number: i64) -> String {
        let mut key = format!("{}{}", self.prefix, words::slug(name, otherwise));
        while !self.taken.insert(key.clone()) {
            key = format!("{key}_{number}");
        }
        key
    }
}

/// A definition file under construction.
#[derive(Debug, Default)]
struct DefinitionFile(String);

impl DefinitionFile {
    fn raw(&mut self, key: &str, value: &(impl ToString + ?Sized)) {
        self.0.extend([key, " = ", &value.to_string(), "\n"]);
    }

    fn text(&mut self, key: &str, value: &str) {
        self.raw(key, &quoted(value));
    }

    /// Writes the name, the name with its article unless that is the usual one, and the plural.
    fn add_names(&mut self, name: &words::NameWithArticle) {
        self.text("name", &name.name);
        if let Some(with_article) = &name.with_article {
            self.text("with_article", with_article);
        }
        self.text("plural", &grammar::plural(&name.name, None));
    }

    /// Writes a number unless it is 0.
    fn number(&mut self, key: &str, value: u32) {
        if value > 0 {
            self.raw(key, &value);
        }
    }
}

/// Clamps a number of a file to `least..=most`.
fn bounded(number: i64, least: u32, most: u32) -> u32 {
    u32::try_from(number.clamp(i64::from(least), i64::from(most))).unwrap_or(least)
}

/// Imports area files: reads the records and writes zones and prototypes.
pub fn import(files: &[AreaFile], plan: ImportPlan<'_>) -> Import {
    let mut report = ImportReport::default();
    let mut source = SourceRecords::default();
    for file in files {
        read(file, &mut source, &mut report);
    }
    report_missing_zone_files(&source, &mut report);
    let resets = Resets::run(&source, plan, &mut report);
    let mut written = Vec::new();
    let items = items::write(&source, plan, &mut written, &mut report);
    let creatures = creatures::write(&source, &resets, &items, plan, &mut written, &mut report);
    let mut scripts = scripts::convert(&source, &resets, &items, &creatures, plan, &mut report);
    let quests = quests::write(&source, &items, &creatures, plan, &mut scripts, &mut written, &mut report);
    scripts.write(&items, &creatures, &mut written);
    let made = rooms::RoomPrototypes { items: &items, creatures: &creatures, scripts: &scripts };
    let areas = rooms::write(&source, &resets, made, plan, &mut report);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let all = |phrase: &str| areas.iter().map(|(_, text)| text.matches(phrase).count()).sum();
    let (shops, rooms) = (all("\nkind = \"shop\"\n"), all("\n[[rooms]]\n"));
    let triggers = report.count(NoteKind::KeptScript) as usize;
    report.counts = [rooms, creatures.len(), items.len(), shops, triggers, quests].map(count);
    written.extend(areas);
    written.sort();
    Import { files: written, report }
}

/// Reports that no `.zon` file was read, so that no creatures or items spawn.
fn report_missing_zone_files(source: &SourceRecords, report: &mut ImportReport) {
    if let Some(room) = source.rooms.values().next().filter(|_| source.zones.is_empty()) {
        let remark = "nothing spawns in the rooms, and doors are open";
        report.note(NoteKind::Reset, &room.place, "no .zon file was read", remark);
    }
}

/// Returns the reason for leaving out a file in an unknown format, by its extension and its first line.
fn foreign(ending: &str, text: &str) -> Option<&'static str> {
    let begin = text.trim_start().to_ascii_uppercase();
    let is_merc =
        ["#AREA", "#ROOMS", "#MOBILES", "#OBJECTS", "#HELPS"].iter().any(|word| begin.starts_with(word));
    if ending == "are" || is_merc {
        Some("left out: it is an area file of Merc, ROM and SMAUG servers, which is another format")
    } else if !ENDINGS.contains(&ending) {
        Some("left out: its ending is none of .wld .mob .obj .zon .shp .trg .qst")
    } else {
        text.trim().is_empty().then_some("left out: it is empty")
    }
}

/// Reads a file, of the kind that its extension gives.
fn read(file: &AreaFile, source: &mut SourceRecords, report: &mut ImportReport) {
    let ending = file.name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let begin = FileLine { file: file.name.clone(), line: 1 };
    let (text, is_old) = words::decode(&file.bytes);
    if let Some(remark) = foreign(&ending, &text) {
        return report.note(NoteKind::Mistake, &begin, "the file", remark);
    }
    if is_old {
        report.note(NoteKind::Text, &begin, "the text is not UTF-8", "read as Latin-1");
    }
    let text = uncoloured(&text, &begin, report);
    let lines: Vec<&str> = text.lines().collect();
    let is_newer = lines.first().is_some_and(|line| line.contains(records::shop::NEWER));
    let read = FileRecords { file: &file.name, lines: &lines, report };
    match ending.as_str() {
        "wld" => read.into(&mut source.rooms, "room", &records::room::read),
        "mob" => read.into(&mut source.mobs, "creature", &records::creature::read),
        "obj" => read.into(&mut source.objects, "item", &records::object::read),
        "zon" => read.into(&mut source.zones, "zone", &records::zone::read),
        "trg" => read.into(&mut source.triggers, "script", &records::trigger::read),
        "qst" => read.into(&mut source.quests, "quest", &records::quest::read),
        _ => read.into(&mut source.shops, "shop", &|record, _| records::shop::read(record, is_newer)),
    }
}

/// Extensions of the files that are read.
pub const ENDINGS: [&str; 7] = ["wld", "mob", "obj", "zon", "shp", "trg", "qst"];

/// Seconds of an hour on the other servers.
const HOUR_SECS: i64 = 75;

/// Name of the file that lists exits to rooms of zones whose keys are unknown.
pub const WAYS: &str = "ways.txt";

/// Returns the text without colour codes. The report counts the codes and lists the doubtful ones.
fn uncoloured(text: &str, begin: &FileLine, report: &mut ImportReport) -> String {
    let done = colours::without_colours(text);
    for (scheme, count) in done.taken {
        let all = report.coloured.entry(scheme).or_default();
        *all = all.saturating_add(count);
    }
    for (line, sign) in done.doubtful {
        let place = FileLine { line, ..begin.clone() };
        report.note(NoteKind::Text, &place, &format!("`{sign}`"), "left as it is: it may be part of a word");
    }
    done.text
}

/// The lines of a file with records.
struct FileRecords<'a, 'r> {
    file: &'a str,
    lines: &'a [&'a str],
    report: &'r mut ImportReport,
}

impl<'a> FileRecords<'a, '_> {
    /// Reads and stores the records. Malformed ones, and those whose number is taken, are reported and left out.
    fn into<T>(self, known: &mut BTreeMap<i64, T>, what: &str, read: ReadRecord<'_, 'a, T>) {
        let Self { file, lines, report } = self;
        for record in records(file, lines, what, report, read) {
            let whose = format!("{what} {}", record.number);
            if known.contains_key(&record.number) {
                report.note(
                    NoteKind::Mistake,
                    &record.place,
                    &whose,
                    "a second one of this number; left out",
                );
                continue;
            }
            report.merge(record.notes);
            match record.read {
                Ok(read) => {
                    known.insert(record.number, read);
                }
                Err(Malformed { place, message }) => {
                    report.note(NoteKind::Mistake, &place, &whose, &format!("left out: {message}"));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
