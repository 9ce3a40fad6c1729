//! Assignment of zones and keys to rooms.

use std::collections::BTreeMap;

use super::report::ImportReport;
use super::{Around, ImportPlan, Keys, SourceRecords, words};
use crate::circle::records::room::RoomRecord;

/// Maximum length of a zone key, in characters.
const ZONE_CHARS_MAX: usize = 40;
/// Size of a block of room numbers; area files use one block per zone.
const BLOCK: i64 = 100;

/// Zone and key of a room.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Home {
    pub(super) zone: String,
    pub(super) key: String,
}

/// A room of a neighbouring file that is not part of this import.
#[derive(Clone, Debug)]
pub(super) struct NeighbourRoom {
    pub(super) room: RoomRecord,
    /// Zone and key of the room once its file is imported too; `None` if the name of the zone is unknown.
    pub(super) home: Option<Home>,
}

/// Returns a file name without its extension.
pub(super) fn stem(file: &str) -> &str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}

/// Returns the zone and key of every imported room. All rooms are in one zone, unless the plan or the room limit splits
/// them.
pub(super) fn of_rooms(source: &SourceRecords, plan: ImportPlan<'_>) -> BTreeMap<i64, Home> {
    let most = plan.limits.zone_rooms as usize;
    let mut files: BTreeMap<&str, Vec<(i64, &RoomRecord)>> = BTreeMap::new();
    for (number, room) in &source.rooms {
        files.entry(&room.place.file).or_default().push((*number, room));
    }
    let mut homes = BTreeMap::new();
    if plan.is_split || source.rooms.len() > most && files.len() > 1 {
        for (file, rooms) in &files {
            let zone = joined(plan.zone, &words::slug(stem(file), "file"));
            home(&zone, rooms, most, &mut homes);
        }
    } else {
        let rooms: Vec<_> = source.rooms.iter().map(|(number, room)| (*number, room)).collect();
        home(plan.zone, &rooms, most, &mut homes);
    }
    homes
}

/// Returns the rooms of the neighbouring files, with the zones and keys that they get when those files are imported.
pub(super) fn of_neighbours(source: &SourceRecords, plan: ImportPlan<'_>) -> BTreeMap<i64, NeighbourRoom> {
    let mut neighbours = BTreeMap::new();
    for Around { file, zone } in plan.around {
        let (mut beside, mut unheard) = (SourceRecords::default(), ImportReport::default());
        super::read(file, &mut beside, &mut unheard);
        let rooms: Vec<_> = beside.rooms.iter().map(|(number, room)| (*number, room)).collect();
        let mut homes = BTreeMap::new();
        if let Some(zone) = zone {
            home(zone, &rooms, plan.limits.zone_rooms as usize, &mut homes);
        }
        for (number, room) in beside.rooms {
            if !source.rooms.contains_key(&number) {
                let home = homes.remove(&number);
                neighbours.entry(number).or_insert(NeighbourRoom { room, home });
            }
        }
    }
    neighbours
}

/// Assigns keys to the rooms of a zone. A zone above the room limit is split into several, between blocks of numbers
/// where possible.
fn home(zone: &str, rooms: &[(i64, &RoomRecord)], most: usize, homes: &mut BTreeMap<i64, Home>) {
    let mut parts: Vec<Vec<(i64, &RoomRecord)>> = vec![Vec::new()];
    for block in rooms.chunk_by(|(one, _), (other, _)| one.div_euclid(BLOCK) == other.div_euclid(BLOCK)) {
        for piece in block.chunks(most.max(1)) {
            match parts.last_mut().filter(|part| part.len() + piece.len() <= most) {
                Some(part) => part.extend_from_slice(piece),
                None => parts.push(piece.to_vec()),
            }
        }
    }
    for (count, part) in (1_usize..).zip(parts.iter().filter(|part| !part.is_empty())) {
        let zone = if count == 1 { zone.to_owned() } else { joined(zone, &count.to_string()) };
        let mut keys = Keys::of_rooms();
        for (number, room) in part {
            let key = keys.key(&words::line(&room.name), "room", *number);
            homes.insert(*number, Home { zone: zone.clone(), key });
        }
    }
}

/// Joins two parts to a zone key, and cuts the first part if the key is too long.
fn joined(zone: &str, part: &str) -> String {
    let left = ZONE_CHARS_MAX.saturating_sub(part.len() + 1);
    format!("{}_{part}", zone.get(..left.min(zone.len())).unwrap_or(zone))
}
