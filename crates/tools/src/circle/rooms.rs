//! Conversion of rooms to zone files.

use crate::circle::records::flags::Flags;
use std::collections::{BTreeMap, BTreeSet};

use super::creatures::Creatures;
use super::doors::{self, door};
use super::homes::{self, Home, NeighbourRoom};
use super::items::{self, Items};
use super::report::{ImportReport, NoteKind};
use super::resets::{Resets, SpawnKind};
use super::scripts::TriggersByOwner;
use super::{ImportPlan, SourceRecords, WAYS, shops, words};
use crate::circle::records::flags;
use crate::circle::records::room::{DIRECTIONS, ExitRecord, RoomRecord};
use deepwell_core::base::ExitKind;
use deepwell_core::catalog::area::zone_file;
use deepwell_core::catalog::{
    Area, AreaExit, AreaRoom, AreaScript, AreaSettings, AreaShop, AreaSpawn, AreaTrigger, CreatureRoute,
    RoomFlag, RoomKind, RoomSheet, Script, SpawnBounds,
};
use deepwell_core::data::Position;
use deepwell_core::world::Trigger;

/// Environment names for mappers, by sector.
const SECTORS: [&str; 10] =
    ["indoors", "street", "field", "forest", "hills", "mountain", "water", "water", "air", "underwater"];
/// Maximum number of nouns of one detail.
const NOUNS_MAX: usize = 9;
/// Text of a room without a description.
const PLAIN: &str = "There is nothing here that would strike you.";

/// Prototypes and scripts that rooms refer to.
#[derive(Clone, Copy)]
pub(super) struct RoomPrototypes<'a> {
    pub(super) items: &'a Items,
    pub(super) creatures: &'a Creatures,
    pub(super) scripts: &'a TriggersByOwner,
}

/// State of the conversion.
struct RoomConversion<'a, 'r> {
    source: &'a SourceRecords,
    resets: &'a Resets,
    items: &'a Items,
    creatures: &'a Creatures,
    scripts: &'a TriggersByOwner,
    plan: ImportPlan<'a>,
    homes: BTreeMap<i64, Home>,
    neighbours: BTreeMap<i64, NeighbourRoom>,
    /// Lines of [`WAYS`]: exits to zones whose keys are unknown.
    ways: Vec<String>,
    /// Shops, by room.
    shops: BTreeMap<i64, AreaShop>,
    report: &'r mut ImportReport,
}

/// Writes the zone files, and [`WAYS`] if it has lines, with their paths.
pub(super) fn write(
    source: &SourceRecords,
    resets: &Resets,
    made: RoomPrototypes<'_>,
    plan: ImportPlan<'_>,
    report: &mut ImportReport,
) -> Vec<(String, String)> {
    let (homes, neighbours) = (homes::of_rooms(source, plan), homes::of_neighbours(source, plan));
    let RoomPrototypes { items, creatures, scripts } = made;
    let shops = shops::open(source, resets, items, &homes, plan, report);
    let ways = Vec::new();
    let mut rooms = RoomConversion {
        source,
        resets,
        items,
        creatures,
        scripts,
        plan,
        homes,
        neighbours,
        ways,
        shops,
        report,
    };
    // Without rooms the requested zone is still written, empty.
    let mut zones = BTreeMap::<String, Vec<AreaRoom>>::new();
    if source.rooms.is_empty() {
        zones.insert(plan.zone.to_owned(), Vec::new());
    }
    for (number, room) in &source.rooms {
        let zone = rooms.homes.get(number).map_or_else(|| plan.zone.to_owned(), |home| home.zone.clone());
        zones.entry(zone).or_default().push(rooms.room(*number, room));
    }
    let area = |(key, rooms): (String, Vec<AreaRoom>)| {
        let path = format!("zones/{key}.toml");
        (path, zone_file::write(&Area { rooms, ..Area::empty(&key) }))
    };
    rooms.report_unplaced_fixtures();
    let ways = rooms.ways.concat();
    let mut written: Vec<_> = zones.into_iter().map(area).collect();
    written.extend((!ways.is_empty()).then(|| (WAYS.to_owned(), ways)));
    written
}

/// Returns lines, which were parsed when they were written, as the script of a file.
fn script(lines: &[String]) -> AreaScript {
    Script::parse(lines.iter().map(String::as_str)).unwrap_or_default().into()
}

fn placed(text: String) -> (Position, String) {
    (Position::default(), text)
}

impl RoomConversion<'_, '_> {
    fn note(&mut self, kind: NoteKind, number: i64, remark: &str) {
        if let Some(room) = self.source.rooms.get(&number) {
            self.report.note(kind, &room.place, &format!("room {number}"), remark);
        }
    }

    /// Reports items that cannot be taken and are in no room.
    fn report_unplaced_fixtures(&mut self) {
        let fixed: BTreeSet<&i64> = self.resets.fixed.values().flatten().collect();
        for (number, object) in &self.source.objects {
            let is_told = object.worn.has(flags::TAKE) || object.kind == items::MONEY;
            if !is_told && !fixed.contains(number) {
                let whose = format!("{} ({number})", items::name(object, self.plan).name);
                let remark = "it cannot be taken, and is left out: no command puts it into a room";
                self.report.note(NoteKind::Fixed, &object.place, &whose, remark);
            }
        }
    }

    fn room(&mut self, number: i64, room: &RoomRecord) -> AreaRoom {
        let limits = self.plan.limits;
        let (name, _) = words::cut(&words::line(&room.name), limits.name_chars);
        let shop = self.shops.get(&number).cloned();
        let is_shop = shop.is_some();
        self.tell_what_is_left(number, room);
        let mut details = self.collect_details(number, room);
        let description = self.description(number, room, &mut details);
        let kind = if is_shop { RoomKind::Shop } else { RoomKind::Room };
        let sheet = RoomSheet {
            description,
            environment: self.environment(number, room),
            details: details.into(),
            tags: BTreeSet::from([format!("vnum_{number}")]).into(),
            flags: room_flags(&room.flags, is_shop).into(),
            capacity: room.flags.has(flags::TUNNEL).then_some(TUNNEL_SIZE),
            ..RoomSheet::new(kind, if name.is_empty() { "Room".to_owned() } else { name })
        };
        AreaRoom {
            place: Position::default(),
            key: self.homes.get(&number).map(|home| home.key.clone()).unwrap_or_default(),
            at: None,
            sheet,
            shop: shop.unwrap_or_default(),
            supplies: Vec::new(),
            triggers: self.triggers(number),
            spawns: self.spawns(number),
            settings: AreaSettings::default(),
            exits: room.exits.iter().filter_map(|exit| self.exit(number, exit)).collect(),
        }
    }

    fn environment(&mut self, number: i64, room: &RoomRecord) -> String {
        let word = usize::try_from(room.sector).ok().and_then(|sector| SECTORS.get(sector));
        if word.is_none() {
            self.note(NoteKind::RoomFlag, number, &format!("sector {} is none; indoors", room.sector));
        }
        word.copied().unwrap_or("indoors").to_owned()
    }

    /// Returns the room description, followed by a line for each item that cannot be taken.
    fn description(
        &mut self,
        number: i64,
        room: &RoomRecord,
        details: &mut BTreeMap<String, String>,
    ) -> String {
        let mut description = words::paragraphs(&room.description);
        if words::is_picture(&room.description) {
            self.note(NoteKind::Text, number, "a picture in its text is kept line by line");
        }
        if description.is_empty() {
            self.note(NoteKind::Text, number, "its text is empty; one sentence stands for it");
            PLAIN.clone_into(&mut description);
        }
        for item in self.resets.fixed.get(&number).into_iter().flatten() {
            let Some(object) = self.source.objects.get(item) else { continue };
            let line = words::line(&object.long);
            if !line.is_empty() {
                description = format!("{description}\n{line}");
            }
            let (seen, _) = items::description(object, self.plan);
            self.add_detail(number, details, &object.keywords, seen);
            let own = words::keywords(&object.keywords);
            for extra in &object.extras {
                if !words::keywords(&extra.keywords).iter().any(|word| own.contains(word)) {
                    self.add_detail(number, details, &extra.keywords, words::paragraphs(&extra.text));
                }
            }
            let name = items::name(object, self.plan).name;
            let remark =
                format!("it cannot be taken, and is part of the text of room {number} and a detail there");
            self.report.note(NoteKind::Fixed, &object.place, &format!("{name} ({item})"), &remark);
        }
        let (description, is_cut) = words::cut(&description, self.plan.limits.description_chars);
        if is_cut {
            self.note(NoteKind::Text, number, "its text is cut at its end");
        }
        description
    }

    fn collect_details(&mut self, number: i64, room: &RoomRecord) -> BTreeMap<String, String> {
        let mut details = BTreeMap::new();
        for extra in &room.extras {
            let (text, is_cut) =
                words::cut(&words::paragraphs(&extra.text), self.plan.limits.description_chars);
            if is_cut {
                self.note(NoteKind::Text, number, "a detail is cut at its end");
            }
            if words::is_picture(&extra.text) {
                let remark = "a picture, which is kept line by line";
                self.report.note(NoteKind::Text, &extra.place, &format!("a detail of room {number}"), remark);
            }
            self.add_detail(number, &mut details, &extra.keywords, text);
        }
        details
    }

    fn add_detail(
        &mut self,
        number: i64,
        details: &mut BTreeMap<String, String>,
        keywords: &str,
        text: String,
    ) {
        let limits = self.plan.limits;
        let fits = |word: &String| word.chars().count() <= limits.name_chars as usize;
        let nouns: Vec<String> = words::keywords(keywords).into_iter().filter(fits).collect();
        if nouns.len() > NOUNS_MAX {
            let remark = format!(
                "words of a detail left out: {}",
                nouns.get(NOUNS_MAX..).unwrap_or_default().join(", ")
            );
            self.note(NoteKind::Text, number, &remark);
        }
        let nouns = nouns.get(..NOUNS_MAX.min(nouns.len())).unwrap_or_default().join(", ");
        let is_full = details.len() >= limits.details_per_room as usize;
        if nouns.is_empty() || text.is_empty() || is_full || details.contains_key(&nouns) {
            self.note(
                NoteKind::Text,
                number,
                &format!("a detail left out that is empty, said twice or too much: {nouns}"),
            );
        } else {
            details.insert(nouns, text);
        }
    }

    fn triggers(&self, number: i64) -> Vec<AreaTrigger> {
        let triggers = self.scripts.rooms.get(&number).into_iter().flatten();
        let place = Position::default;
        triggers
            .map(|Trigger { name, on, lines }| AreaTrigger {
                place: place(),
                on: Some(on.clone()),
                name: name.clone(),
                lines: script(lines),
            })
            .collect()
    }

    fn spawns(&self, number: i64) -> Vec<AreaSpawn> {
        let comings = self.resets.comings.get(&number).into_iter().flatten();
        let spawn = |(comer, coming): (&SpawnKind, &super::resets::SpawnRate)| {
            let (creature, item) = match comer {
                SpawnKind::Creature(mob) => (Some(placed(self.creatures.get(mob)?.clone())), None),
                SpawnKind::Item(item) => (None, Some(placed(self.items.get(item)?.clone()))),
            };
            let place = Position::default();
            let (count, every_secs, bounds) = (coming.count, coming.every_secs, SpawnBounds::default());
            Some(AreaSpawn {
                place,
                creature,
                item,
                count,
                every_secs,
                bounds,
                route: CreatureRoute::default(),
            })
        };
        comings.filter_map(spawn).collect()
    }

    fn exit(&mut self, number: i64, exit: &ExitRecord) -> Option<AreaExit> {
        let (name, _) = DIRECTIONS.get(exit.direction)?;
        let whose = format!("the way {name} of room {number}");
        let to = self.destination(number, exit, &whose)?;
        let is_theirs = self
            .neighbours
            .get(&exit.to)
            .is_some_and(|far| doors::belongs_to_far_side(&far.room, number, exit));
        let door = if is_theirs {
            self.report.note(
                NoteKind::Door,
                &exit.place,
                &whose,
                "its door is only on the side of the other zone",
            );
            None
        } else {
            door(self.source, self.resets, self.items, number, exit, self.report)
        };
        let (seen, _) = words::cut(&words::paragraphs(&exit.description), self.plan.limits.description_chars);
        let letters = name
            .strip_prefix("north")
            .map(|rest| ('n', rest))
            .or(name.strip_prefix("south").map(|rest| ('s', rest)));
        let short = letters.and_then(|(first, rest)| Some(format!("{first}{}", rest.chars().next()?)));
        Some(AreaExit {
            place: Position::default(),
            to: Some(placed(to)),
            settings: AreaSettings::default(),
            name: (*name).to_owned(),
            aliases: short.into_iter().collect(),
            kind: ExitKind::Exit,
            description: Some(seen).filter(|seen| !seen.is_empty()),
            door: door.as_ref().map(|door| placed(door.name.clone())),
            door_key: door.as_ref().and_then(|door| door.opens.clone()).map(placed),
            hidden: false,
            door_open: door.is_some_and(|door| door.is_open),
            puzzle: None,
        })
    }

    /// Returns the destination of an exit as its zone refers to it; `None` if the exit is left out, which is reported.
    fn destination(&mut self, number: i64, exit: &ExitRecord, whose: &str) -> Option<String> {
        let own = self.homes.get(&number)?;
        if let Some(home) = self.homes.get(&exit.to) {
            let is_near = home.zone == own.zone;
            return Some(if is_near { home.key.clone() } else { format!("{}/{}", home.zone, home.key) });
        }
        let Some(NeighbourRoom { room, home }) = self.neighbours.get(&exit.to) else {
            let remark = match exit.to {
                -1 | 0 | 65_535 => "left out: it leads nowhere".to_owned(),
                to => format!("left out: it leads to room {to}, which was not read"),
            };
            self.report.note(NoteKind::Way, &exit.place, whose, &remark);
            return None;
        };
        let (to, file) = (exit.to, &room.place.file);
        if let Some(Home { zone, key }) = home {
            let remark = format!("leads to {zone}/{key}, room {to} of {file}, which comes in with this zone");
            self.report.note(NoteKind::Beyond, &exit.place, whose, &remark);
            return Some(format!("{zone}/{key}"));
        }
        let (name, _) = DIRECTIONS.get(exit.direction)?;
        let far = words::line(&room.name);
        self.ways.push(format!("{}/{} {name}: room {to} of {file}, {far}\n", own.zone, own.key));
        let stem = homes::stem(file);
        let remark = format!(
            "kept in {WAYS}: it leads to room {to} of {file}; `--neighbour {stem}=ZONE` says which zone that becomes"
        );
        self.report.note(NoteKind::Beyond, &exit.place, whose, &remark);
        None
    }

    fn tell_what_is_left(&mut self, number: i64, room: &RoomRecord) {
        let left = room.flags.named(flags::ROOM, &flags::ROOM_MARKS);
        if !left.is_empty() {
            self.note(NoteKind::RoomFlag, number, &format!("left out: {}", left.join(", ")));
        }
    }
}

/// Number of players in a tunnel of a server of this family, as its settings come.
const TUNNEL_SIZE: u32 = 2;

/// Returns the flags of a room that have a counterpart.
fn room_flags(flags: &Flags, is_shop: bool) -> BTreeSet<RoomFlag> {
    let fights = !is_shop && !flags.has(flags::PEACEFUL);
    let dark = flags.has(flags::DARK);
    let pairs = [(fights, RoomFlag::Fights), (dark, RoomFlag::Dark)];
    pairs.into_iter().filter_map(|(is_set, flag)| is_set.then_some(flag)).collect()
}
