//! Findings in zone files, and the checks that all parts of a file share: of names, of texts, and of destinations.

use super::{ZoneFiles, row};
use crate::building::reload::MISTAKES_SHOWN;
use crate::state::file_work::check::RoomKeys;
use crate::turn::Turn;
use deepwell_core::base::unicode;
use deepwell_core::catalog::area::PlacedReference;
use deepwell_core::catalog::{Area, CatalogError};
use deepwell_core::data::Position;
use deepwell_core::text::nearest;
use std::collections::BTreeSet;

/// Findings in zone files.
#[derive(Clone, Default, Debug)]
pub(super) struct ZoneFindings {
    /// Errors; any of these prevents the import.
    pub(super) mistakes: Vec<CatalogError>,
    /// Warnings: valid but probably unintended.
    pub(super) doubts: Vec<CatalogError>,
    /// Zones of the files that lead into each other, in the files or in the world.
    pub(super) links: BTreeSet<(String, String)>,
}

/// Validation of one zone file against the world.
pub(super) struct ZoneCheck<'a> {
    pub(super) turn: &'a Turn,
    pub(super) key: &'a str,
    pub(super) area: &'a Area,
    /// All files imported together.
    pub(super) files: &'a ZoneFiles,
    /// Rooms of all files.
    pub(super) keys: &'a RoomKeys,
    pub(super) found: ZoneFindings,
}

impl ZoneCheck<'_> {
    pub(super) fn note(&mut self, place: &Position, mistake: impl Into<String>, expected: impl Into<String>) {
        self.found.mistakes.push(CatalogError::new(place, mistake, expected));
    }

    /// Checks the length of a text, which was brought into its form when it was read.
    pub(super) fn check_text(&mut self, place: &Position, text: &str, most: u32) {
        if text.chars().count() > most as usize {
            let mistake = format!("the text that begins `{}` is too long", beginning(text));
            self.note(place, mistake, format!("at most {most} letters"));
        }
    }

    /// Checks the length and the form of a single-line text.
    pub(super) fn check_name(&mut self, place: &Position, name: &str, most: u32) {
        self.check_text(place, name, most);
        if name.contains('\n') {
            let mistake = format!("what begins `{}` has more than one line", beginning(name));
            self.note(place, mistake, "one line");
        } else if *unicode::clean(name) != *name || name.trim_matches(' ') != name {
            let mistake = format!("what begins `{}` has characters that no name has", beginning(name));
            self.note(place, mistake, "no blanks at its ends and no control characters");
        }
    }

    /// Checks that an exit leads to a room of this file, of another imported file, or to an existing room of another
    /// zone.
    pub(super) fn check_destination(&mut self, (place, to): &PlacedReference) {
        let (zone, key) = to.split_once('/').unwrap_or((self.key, to));
        if zone != self.key && self.files.contains_key(zone) {
            self.found.links.insert((self.key.to_owned(), zone.to_owned()));
        }
        let known = match self.keys.get(zone) {
            Some(keys) => keys.contains_key(key),
            None => super::room_called(self.turn, zone, key).is_some(),
        };
        if known && zone != self.key && row(self.turn, zone).draft.is_some() {
            let mistake = format!("`{to}` is in a draft, into which nobody walks");
            self.note(place, mistake, "a room of a zone that is published");
        }
        if known {
            return;
        }
        let expected = if zone == self.key || super::is_zone(self.turn, zone) {
            "the key of a room of this zone, or ZONE/KEY of another".to_owned()
        } else {
            format!(
                "a room that stands, or the zone {zone} in the same import: `zone import {} {zone}`",
                self.key
            )
        };
        let meant = self.nearest_room(to);
        self.found
            .mistakes
            .push(CatalogError::new(place, format!("unknown room `{to}`"), expected).with_nearest(meant));
    }

    /// Returns the room name nearest to an unknown one. `None` once more mistakes were found than are shown, because
    /// each search visits all rooms of the world.
    fn nearest_room(&self, to: &str) -> Option<String> {
        if self.found.mistakes.len() >= MISTAKES_SHOWN {
            return None;
        }
        let mut all: Vec<String> = self.area.rooms.iter().map(|room| room.key.clone()).collect();
        for (zone, file) in self.files.iter().filter(|(zone, _)| *zone != self.key) {
            all.extend(file.rooms.iter().map(|room| format!("{zone}/{}", room.key)));
        }
        let others = self.turn.world.rooms.built().map(|id| &self.turn.world.rooms[id]);
        let others = others.filter(|room| !self.files.contains_key(&room.area));
        all.extend(others.map(|room| format!("{}/{}", room.area, room.zone_key())));
        nearest(to, all.iter().map(String::as_str)).map(str::to_owned)
    }
}

/// Returns the first letters of a text, by which its author recognises it.
fn beginning(text: &str) -> String {
    text.chars().filter(|c| !c.is_control()).take(20).collect()
}
