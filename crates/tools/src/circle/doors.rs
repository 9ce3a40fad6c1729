//! Conversion of doors: both sides are the same, locked or not.

use super::items::Items;
use super::report::{ImportReport, NoteKind};
use super::resets::Resets;
use super::{SourceRecords, words};
use crate::circle::records::room::{DIRECTIONS, ExitRecord, RoomRecord};

/// Door nouns, which are moved behind the adjectives of a name.
const NOUNS: &str = "door doors gate gates hatch trapdoor grate portcullis curtain panel lid cover";

/// A converted door.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct ConvertedDoor {
    pub(super) name: String,
    /// Key of the item that unlocks it.
    pub(super) opens: Option<String>,
    pub(super) is_open: bool,
}

/// Returns the authoritative side of a door: that of the room with the lower number.
fn authoritative_side<'s>(
    source: &'s SourceRecords,
    room: i64,
    exit: &'s ExitRecord,
) -> (i64, &'s ExitRecord) {
    let back = DIRECTIONS.get(exit.direction).map(|(_, back)| *back);
    let far = source.rooms.get(&exit.to).filter(|_| exit.to < room);
    let far =
        far.and_then(|far| far.exits.iter().find(|other| Some(other.direction) == back && other.to == room));
    far.filter(|far| has_door(far)).map_or((room, exit), |far| (exit.to, far))
}

fn has_door(exit: &ExitRecord) -> bool {
    (1..=4).contains(&exit.door)
}

/// Returns `true` if a door between two zones belongs to the far side: that of the room with the lower number.
pub(super) fn belongs_to_far_side(far: &RoomRecord, room: i64, exit: &ExitRecord) -> bool {
    let back = DIRECTIONS.get(exit.direction).map(|(_, back)| *back);
    let leads_back =
        |other: &ExitRecord| Some(other.direction) == back && other.to == room && has_door(other);
    has_door(exit) && exit.to < room && far.exits.iter().any(leads_back)
}

/// Returns the name of a door, made of its keywords.
fn name(exit: &ExitRecord) -> String {
    let mut named: Vec<String> = words::keywords(&exit.keywords).into_iter().take(4).collect();
    if let Some(at) = named.iter().position(|word| NOUNS.split(' ').any(|noun| noun == word)) {
        let noun = named.remove(at);
        named.push(noun);
    }
    let name = words::cut(&named.join(" "), 40).0;
    if name.is_empty() { "door".to_owned() } else { name }
}

/// Returns the door of an exit; `None` if the exit has no door.
pub(super) fn door(
    source: &SourceRecords,
    resets: &Resets,
    items: &Items,
    room: i64,
    exit: &ExitRecord,
    report: &mut ImportReport,
) -> Option<ConvertedDoor> {
    if !has_door(exit) {
        return None;
    }
    let direction = DIRECTIONS.get(exit.direction).map_or("", |(name, _)| name);
    let whose = format!("the door {direction} of room {room}");
    let mut note = |remark: &str| report.note(NoteKind::Door, &exit.place, &whose, remark);
    let (ruling_room, rules) = authoritative_side(source, room, exit);
    let state =
        |room: i64, exit: &ExitRecord| resets.doors.get(&(room, exit.direction)).copied().unwrap_or(0);
    let stands = state(ruling_room, rules);
    if ruling_room != room && (name(exit), exit.key, state(room, exit)) != (name(rules), rules.key, stands) {
        note(&format!("takes its state from the other side, in room {ruling_room}"));
    }
    if exit.door > 2 {
        note("is seen, although it was hidden");
    }
    let key = items.get(&rules.key).cloned();
    let opens = match (stands, key) {
        (2, Some(key)) => Some(key),
        (2, None) => {
            note(&format!("is closed and not locked: its key {} was not read", rules.key));
            None
        }
        (_, Some(key)) => {
            note(&format!("is not locked initially, and {key} can no longer lock it"));
            None
        }
        (_, None) => None,
    };
    Some(ConvertedDoor { name: name(rules), opens, is_open: stands == 0 })
}
