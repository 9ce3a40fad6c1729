//! Area files of Circle and tba servers become a zone and prototypes of ours. Read from bytes, written as text: what is
//! malformed is told and left out, what has no counterpart is told with what was done instead, and what comes out is
//! content that loads. The form of the files is that of their published manual; docs/import.md says what becomes of what.

mod colours;
mod creatures;
mod doors;
mod flags;
mod homes;
mod lines;
mod mob;
mod object;
mod picture;
mod place;
mod report;
mod resets;
mod room;
mod rooms;
mod shop;
mod things;
mod words;
mod zone;

pub use place::Place;
pub use report::{Kind, Report};

use std::collections::{BTreeMap, BTreeSet};

use crate::base::limits::Limits;
use crate::catalog::{BUILTIN, Catalog};
use crate::data::edit::quoted;
use crate::data::key_of;
use lines::{Malformed, Record, records};
use mob::Mob;
use object::Object;
use resets::Resets;
use room::Room;
use shop::Shop;
use zone::Zone;

/// A file as it lies there.
#[derive(Clone, Debug)]
pub struct AreaFile {
    /// Name in reports; its ending is that of the kind of file.
    pub name: String,
    /// Contents.
    pub bytes: Vec<u8>,
}

/// Content and limits that an import has to fit to.
#[derive(Clone, Copy, Debug)]
pub struct Plan<'a> {
    /// The key of the zone that it becomes, or with which the keys of its zones begin.
    pub zone: &'a str,
    /// Set when each file of rooms becomes a zone of its own.
    pub is_split: bool,
    /// Files of rooms that are imported by themselves.
    pub around: &'a [Around],
    /// Existing content.
    pub catalog: &'a Catalog,
    /// Limits of the server.
    pub limits: &'a Limits,
}

/// A file of rooms beside those that are imported, to whose rooms ways may lead.
#[derive(Clone, Debug)]
pub struct Around {
    /// The file.
    pub file: AreaFile,
    /// The key of the zone that it becomes; `None` if that is not known.
    pub zone: Option<String>,
}

/// Result of an import of area files.
#[derive(Clone, Debug)]
pub struct Import {
    /// Files by their paths: `zones/KEY.toml`, below `content/` what that needs, and [`WAYS`] if there is something in it.
    pub files: Vec<(String, String)>,
    /// Report of everything that was made or left out.
    pub report: Report,
}

/// Everything that could be read, by its numbers.
#[derive(Debug, Default)]
struct Source {
    rooms: BTreeMap<i64, Room>,
    mobs: BTreeMap<i64, Mob>,
    objects: BTreeMap<i64, Object>,
    zones: BTreeMap<i64, Zone>,
    shops: BTreeMap<i64, Shop>,
}

/// Keys in use, so that no two are the same.
#[derive(Debug)]
struct Keys {
    prefix: String,
    taken: BTreeSet<String>,
}

impl Keys {
    /// Keys of files in a folder of the content, which ships some.
    fn of_files(folder: &str, zone: &str) -> Self {
        let shipped = BUILTIN.iter().filter(|(path, _)| path.starts_with(folder));
        let taken = shipped.map(|(path, _)| key_of(path).to_owned()).collect();
        Self { prefix: format!("{zone}_"), taken }
    }

    fn of_rooms() -> Self {
        Self { prefix: String::new(), taken: BTreeSet::new() }
    }

    /// A key of its own for what has a name and a number.
    fn key(&mut self, name: &str, otherwise: &str, number: i64) -> String {
        let mut key = format!("{}{}", self.prefix, words::slug(name, otherwise));
        while !self.taken.insert(key.clone()) {
            key = format!("{key}_{number}");
        }
        key
    }
}

/// A definition file that is being written, line by line.
#[derive(Debug, Default)]
struct Definition(String);

impl Definition {
    fn raw(&mut self, key: &str, value: &(impl ToString + ?Sized)) {
        self.0.extend([key, " = ", &value.to_string(), "\n"]);
    }

    fn text(&mut self, key: &str, value: &str) {
        self.raw(key, &quoted(value));
    }

    /// Numbers that are not 0.
    fn number(&mut self, key: &str, value: u32) {
        if value > 0 {
            self.raw(key, &value);
        }
    }
}

/// A whole number of the files as one of ours, within bounds.
fn bounded(number: i64, least: u32, most: u32) -> u32 {
    u32::try_from(number.clamp(i64::from(least), i64::from(most))).unwrap_or(least)
}

/// Reads the files and writes what becomes of them.
pub fn import(files: &[AreaFile], plan: Plan<'_>) -> Import {
    let mut report = Report::default();
    let mut source = Source::default();
    for file in files {
        read(file, &mut source, &mut report);
    }
    tell_what_is_missing(&source, &mut report);
    let resets = Resets::run(&source, plan, &mut report);
    let mut written = Vec::new();
    let things = things::write(&source, plan, &mut written, &mut report);
    let creatures = creatures::write(&source, &resets, &things, plan, &mut written, &mut report);
    let areas = rooms::write(&source, &resets, &things, &creatures, plan, &mut report);
    let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
    let all = |words: &str| areas.iter().map(|(_, text)| text.matches(words).count()).sum();
    let (shops, rooms) = (all("\nkind = \"shop\"\n"), all("\n[[rooms]]\n"));
    report.counts = [rooms, creatures.len(), things.len(), shops].map(count);
    written.extend(areas);
    written.sort();
    Import { files: written, report }
}

/// Tells that rooms came without the file that says what is in them.
fn tell_what_is_missing(source: &Source, report: &mut Report) {
    if let Some(room) = source.rooms.values().next().filter(|_| source.zones.is_empty()) {
        let told = "nothing comes to the rooms by itself, and doors are open";
        report.note(Kind::Reset, &room.place, "no .zon file was read", told);
    }
}

/// Returns the format of a file that cannot be read, by its ending and its beginning.
fn foreign(ending: &str, text: &str) -> Option<&'static str> {
    let begin = text.trim_start().to_ascii_uppercase();
    let is_merc =
        ["#AREA", "#ROOMS", "#MOBILES", "#OBJECTS", "#HELPS"].iter().any(|word| begin.starts_with(word));
    if ending == "are" || is_merc {
        Some("left out: it is an area file of Merc, ROM and SMAUG servers, which is another format")
    } else if !ENDINGS.contains(&ending) {
        Some("left out: its ending is none of .wld .mob .obj .zon .shp")
    } else {
        text.trim().is_empty().then_some("left out: it is empty")
    }
}

/// Reads a file, of the kind that its name says.
fn read(file: &AreaFile, source: &mut Source, report: &mut Report) {
    let ending = file.name.rsplit('.').next().unwrap_or_default().to_ascii_lowercase();
    let begin = Place { file: file.name.clone(), line: 1 };
    if let Some((_, what)) = UNREAD.iter().find(|(unread, _)| *unread == ending) {
        return report.note(Kind::Script, &begin, what, "left out: this is not read");
    }
    let (text, is_old) = words::decode(&file.bytes);
    if let Some(told) = foreign(&ending, &text) {
        return report.note(Kind::Mistake, &begin, "the file", told);
    }
    if is_old {
        report.note(Kind::Text, &begin, "the letters are not UTF-8", "read as Latin-1");
    }
    let text = uncoloured(&text, &begin, report);
    let lines: Vec<&str> = text.lines().collect();
    let is_newer = lines.first().is_some_and(|line| line.contains(shop::NEWER));
    for record in records(&file.name, &lines, report) {
        let (number, place) = (record.number, record.place.clone());
        let told = match ending.as_str() {
            "wld" => keep(&mut source.rooms, "room", record, report, room::read),
            "mob" => keep(&mut source.mobs, "creature", record, report, mob::read),
            "obj" => keep(&mut source.objects, "thing", record, report, object::read),
            "zon" => keep(&mut source.zones, "zone", record, report, zone::read),
            _ => keep(&mut source.shops, "shop", record, report, |record, _| shop::read(record, is_newer)),
        };
        if let Err(what) = told {
            report.note(
                Kind::Mistake,
                &place,
                &format!("{what} {number}"),
                "a second one of this number; left out",
            );
        }
    }
}

/// Endings of the files that are read.
pub const ENDINGS: [&str; 5] = ["wld", "mob", "obj", "zon", "shp"];

/// Endings of files of an area that are reported and not read, each with its contents.
pub const UNREAD: [(&str, &str); 2] = [("trg", "scripts"), ("qst", "quests")];

/// The file that lists the ways to rooms of zones whose names are not known.
pub const WAYS: &str = "ways.txt";

/// The text without codes for colours. The report counts them, and names the signs that may be some.
fn uncoloured(text: &str, begin: &Place, report: &mut Report) -> String {
    let done = colours::without_colours(text);
    for (scheme, count) in done.taken {
        let all = report.coloured.entry(scheme).or_default();
        *all = all.saturating_add(count);
    }
    for (line, sign) in done.doubtful {
        let place = Place { line, ..begin.clone() };
        report.note(Kind::Text, &place, &format!("`{sign}`"), "left as it is: it can be a part of a word");
    }
    done.text
}

/// Reads a record and keeps it; one that cannot be read is told and left out. What it is called, if its number is taken.
fn keep<T>(
    known: &mut BTreeMap<i64, T>,
    what: &'static str,
    record: Record<'_>,
    report: &mut Report,
    read: impl FnOnce(Record<'_>, &mut Report) -> Result<T, Malformed>,
) -> Result<(), &'static str> {
    let number = record.number;
    if known.contains_key(&number) {
        return Err(what);
    }
    match read(record, report) {
        Ok(read) => {
            known.insert(number, read);
        }
        Err(Malformed { place, wrong }) => {
            report.note(Kind::Mistake, &place, &format!("{what} {number}"), &format!("left out: {wrong}"));
        }
    }
    Ok(())
}

#[cfg(test)]
mod kept;
#[cfg(test)]
mod tests;
