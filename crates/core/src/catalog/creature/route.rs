//! Routes of creatures: the rooms that one walks to in turn, and where it is at each hour of the day. A builder types each
//! part as a file has it.

use crate::base::rare::is_default;
use crate::catalog::Catalog;
use crate::catalog::item::shop;
use crate::data::{CatalogError, FileField, Position, Reader, WrittenField};
use serde::{Deserialize, Serialize};
use std::fmt;

/// Maximum number of rooms of a patrol, and of hours of a schedule.
pub const PARTS_MAX: usize = 24;

/// Route of a creature; empty for one that stays where it is.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct CreatureRoute {
    /// Rooms that it walks to in turn: `KEY` of the zone of its home, or `ZONE/KEY`.
    #[serde(skip_serializing_if = "is_default")]
    pub patrol: Vec<String>,
    /// Errands with the hours at which they begin, by hour.
    #[serde(skip_serializing_if = "is_default")]
    pub schedule: Vec<Appointment>,
}

/// Part of a schedule, written `6: at smithy`.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Appointment {
    /// Hour of the town's clock, from 0 to 23.
    pub hour: u32,
    /// Errand from then on.
    pub errand: Errand,
}

/// Occupation of a creature for some hours.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Errand {
    /// Walks to a room and stays there.
    At(String),
    /// Sleeps, in a room or where it is.
    Sleep(Option<String>),
    /// Walks its patrol.
    Patrol,
}

/// Text that is not a part of a schedule.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("\"{0}\" is no part of a schedule; there are 6: at ROOM, 22: sleep, 22: sleep at ROOM and 8: patrol")]
pub struct InvalidAppointment(pub String);

impl Appointment {
    /// Parses a part of a schedule.
    ///
    /// # Errors
    /// The text, if it is invalid.
    pub fn parse(text: &str) -> Result<Self, InvalidAppointment> {
        let invalid = || InvalidAppointment(text.trim().to_owned());
        let (hour, rest) = text.split_once(':').ok_or_else(invalid)?;
        let hour = shop::hour(hour).map_err(|_| invalid())?;
        let mut rest = rest.split_whitespace();
        let (first, room): (_, Vec<&str>) = (rest.next(), rest.collect());
        let errand = match (first, &room[..]) {
            (Some("at"), [_, ..]) => Errand::At(room.join(" ")),
            (Some("sleep"), []) => Errand::Sleep(None),
            (Some("sleep"), ["at", there @ ..]) if !there.is_empty() => Errand::Sleep(Some(there.join(" "))),
            (Some("patrol"), []) => Errand::Patrol,
            _ => return Err(invalid()),
        };
        Ok(Self { hour, errand })
    }
}

impl Appointment {
    /// Returns the part with its room renamed.
    #[must_use]
    pub fn with_room(mut self, rename: impl FnOnce(&str) -> String) -> Self {
        if let Some(room) = self.errand.room_mut() {
            *room = rename(room);
        }
        self
    }
}

impl fmt::Display for Appointment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}: ", self.hour)?;
        match &self.errand {
            Errand::At(room) => write!(f, "at {room}"),
            Errand::Sleep(None) => write!(f, "sleep"),
            Errand::Sleep(Some(room)) => write!(f, "sleep at {room}"),
            Errand::Patrol => write!(f, "patrol"),
        }
    }
}

impl TryFrom<String> for Appointment {
    type Error = InvalidAppointment;

    fn try_from(text: String) -> Result<Self, InvalidAppointment> {
        Self::parse(&text)
    }
}

impl From<Appointment> for String {
    fn from(appointment: Appointment) -> Self {
        appointment.to_string()
    }
}

impl Errand {
    /// Returns the room of the errand.
    pub fn room(&self) -> Option<&str> {
        match self {
            Self::At(room) | Self::Sleep(Some(room)) => Some(room),
            Self::Sleep(None) | Self::Patrol => None,
        }
    }

    const fn room_mut(&mut self) -> Option<&mut String> {
        match self {
            Self::At(room) | Self::Sleep(Some(room)) => Some(room),
            Self::Sleep(None) | Self::Patrol => None,
        }
    }
}

impl CreatureRoute {
    /// Returns `true` if the creature has neither a patrol nor a schedule.
    pub fn is_empty(&self) -> bool {
        self.patrol.is_empty() && self.schedule.is_empty()
    }

    /// Returns what the creature does at an hour; `None` without either part.
    pub fn errand(&self, hour: u32) -> Option<&Errand> {
        let begun = self.schedule.iter().filter(|part| part.hour <= hour).max_by_key(|part| part.hour);
        let part = begun.or_else(|| self.schedule.iter().max_by_key(|part| part.hour));
        let patrol = || (!self.patrol.is_empty()).then_some(&Errand::Patrol);
        part.map(|part| &part.errand).or_else(patrol)
    }

    /// Returns the rooms that the route names.
    pub fn rooms(&self) -> impl Iterator<Item = &str> {
        let kept = self.schedule.iter().filter_map(|part| part.errand.room());
        self.patrol.iter().map(String::as_str).chain(kept)
    }

    /// Replaces the names of its rooms.
    ///
    /// # Errors
    /// The first error of the function that returns the new names.
    pub fn with_rooms<E>(mut self, mut name: impl FnMut(&str) -> Result<String, E>) -> Result<Self, E> {
        let kept = self.schedule.iter_mut().filter_map(|part| part.errand.room_mut());
        for room in self.patrol.iter_mut().chain(kept) {
            *room = name(room)?;
        }
        Ok(self)
    }

    /// Reads the fields `patrol` and `schedule`.
    pub(in crate::catalog) fn read(table: &mut Reader<'_>) -> Self {
        table.about("Rooms that it walks to in turn: `KEY` of the zone of its home, or `ZONE/KEY`.");
        let patrol = table.texts("patrol", 0);
        table.about(
            "Where it is from an hour of the town's clock on: `6: at smithy`, `22: sleep`, `8: patrol`.",
        );
        let mut schedule = Vec::new();
        for (place, text) in table.placed_texts("schedule", 0) {
            match Appointment::parse(&text) {
                Ok(part) => schedule.push(part),
                Err(error) => table.note(CatalogError::new(&place, error.to_string(), "")),
            }
        }
        for (name, number) in [("patrol", patrol.len()), ("schedule", schedule.len())] {
            if number > PARTS_MAX {
                table.record_mistake(name, "is too long", &format!("at most {PARTS_MAX} parts"));
            }
        }
        Self { patrol, schedule }
    }

    /// Records rooms of content files that do not exist.
    pub(in crate::catalog) fn check(
        &self,
        place: &Position,
        catalog: &Catalog,
        mistakes: &mut Vec<CatalogError>,
    ) {
        for room in self.rooms().filter(|room| room.contains('/')) {
            check_room(place, room, catalog, mistakes);
        }
    }
}

/// Records an unknown room of an area.
pub(in crate::catalog) fn check_room(
    place: &Position,
    name: &str,
    catalog: &Catalog,
    mistakes: &mut Vec<CatalogError>,
) {
    let Some((zone, room)) = name.split_once('/') else {
        let mistake = format!("the room `{name}` is of no zone");
        return mistakes.push(CatalogError::new(place, mistake, format!("`ZONE/{name}`")));
    };
    if let Some(area) = catalog.areas.get(zone).filter(|area| !area.has(room)) {
        let valid = area.rooms.iter().map(|room| room.key.as_str());
        mistakes.push(CatalogError::unknown_name(place, "room", room, valid));
    }
}

/// Formats the route as it is typed behind a spawn rule: ` patrol square; gate schedule 22: sleep`.
impl fmt::Display for CreatureRoute {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.patrol.is_empty() {
            write!(f, " patrol {}", self.patrol.join("; "))?;
        }
        let parts: Vec<String> = self.schedule.iter().map(ToString::to_string).collect();
        if parts.is_empty() { Ok(()) } else { write!(f, " schedule {}", parts.join("; ")) }
    }
}

impl FileField for CreatureRoute {
    fn write(&self, _: &'static str, fields: &mut Vec<WrittenField>) {
        self.patrol.write("patrol", fields);
        self.schedule.iter().map(ToString::to_string).collect::<Vec<_>>().write("schedule", fields);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn schedule_is_written_as_it_is_read() {
        for text in ["6: at smithy", "22: sleep", "22: sleep at town/inn", "8: patrol"] {
            assert_eq!(Appointment::parse(text).expect(text).to_string(), text);
        }
        for text in [
            "", "6", "6:", "24: sleep", "6: at", "6: sleep well", "6: sleep at", "x: patrol", "6: patrol now",
        ] {
            assert_eq!(Appointment::parse(text), Err(InvalidAppointment(text.to_owned())), "{text}");
        }
    }

    /// Before its first hour, the last part of the day before goes on.
    #[test]
    fn last_part_begun_is_the_errand() {
        let schedule = ["6: at smithy", "22: sleep"].map(|text| Appointment::parse(text).unwrap()).to_vec();
        let route = CreatureRoute { patrol: vec!["gate".into()], schedule };
        let at = |hour| route.errand(hour).cloned();
        assert_eq!(
            [5, 6, 21, 22].map(at),
            [
                Some(Errand::Sleep(None)),
                Some(Errand::At("smithy".into())),
                Some(Errand::At("smithy".into())),
                Some(Errand::Sleep(None)),
            ]
        );
        let walks = CreatureRoute { schedule: Vec::new(), ..route };
        assert_eq!((walks.errand(3), CreatureRoute::default().errand(3)), (Some(&Errand::Patrol), None));
    }
}
