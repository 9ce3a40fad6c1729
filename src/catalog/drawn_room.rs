//! Rooms that a script draws: a file `content/rooms/NAME.luau` says in which level types they come up, and its function `room`
//! gives back what one of them is. What it gives back is read like the file of a vault's room, and the script is done then.

use super::Catalog;
use super::room_content::{References, RoomContent};
use crate::base::{Direction, Seed};
use crate::data::{CatalogError, Position, Reader, definition};
use crate::level::VaultRule;
use crate::script::{LaidOut, Program, SUFFIX, ScriptLimits, Value};
use std::collections::BTreeMap;

/// The folder of the files.
const FOLDER: &str = "rooms/";
/// The function that draws.
const ROOM: &str = "room";
/// Rooms of each depth that are drawn when the content is read, so that its author is told what players would not see.
const CHECKED: u64 = 4;
/// The depths of these, from where a room comes up first.
const DEEPER: [u32; 2] = [0, 10];

definition! {
    /// What the table of the program says besides its function.
    struct Head {
        level_types: Vec<Listing> => |file| file.tables("level_types", Listing::read),
    }
}

definition! {
    /// A level type in which the rooms come up.
    #[derive(Clone, Debug)]
    struct Listing {
        place: Position => |table| table.place(),
        level_type: String = text(),
        rule: VaultRule => |table| VaultRule::read(table),
    }
}

/// Rooms that a script draws.
#[derive(Clone, Debug)]
pub struct DrawnRoom {
    program: Program,
    listings: Vec<Listing>,
}

/// Where a room is drawn.
#[derive(Clone, Copy, Debug)]
pub struct Spot<'a> {
    /// The level type of its floor.
    pub level_type: &'a str,
    /// How far it is from the start.
    pub depth: u32,
    /// How hard it is.
    pub difficulty: u32,
    /// Its exits, the way back among them.
    pub exits: &'a [Direction],
}

impl DrawnRoom {
    /// How those of a script are counted among things that there may be only so many of.
    pub fn counted_as(key: &str) -> String {
        format!("room {key}")
    }

    /// How rooms of a level type come up; none if they do not.
    pub fn rule(&self, level_type: &str) -> Option<&VaultRule> {
        let listing = self.listings.iter().find(|listing| listing.level_type == level_type);
        listing.map(|listing| &listing.rule)
    }

    /// A room; none if the script wants none there.
    ///
    /// # Errors
    /// Everything that is wrong with what it gave back, at the line of the function.
    pub fn draw(
        &self,
        spot: Spot<'_>,
        seed: Seed,
        catalog: &Catalog,
    ) -> Result<Option<RoomContent>, Vec<CatalogError>> {
        let place = self.program.place_of(ROOM);
        let exits = spot.exits.iter().map(|exit| Value::text(exit.name())).collect();
        let about = Value::table([
            ("level_type", Value::text(spot.level_type)),
            ("depth", Value::Number(spot.depth.into())),
            ("difficulty", Value::Number(spot.difficulty.into())),
            ("exits", Value::List(exits)),
        ]);
        let drawn = self.program.call(ROOM, &[about], seed, &ScriptLimits::default());
        let entries = match drawn.map_err(|fault| vec![fault.into()])? {
            Value::Table(entries) => entries,
            Value::Nil => return Ok(None),
            other => {
                let wrong = format!("`{ROOM}` gives back {}", other.kind());
                return Err(vec![CatalogError::new(&place, wrong, "a table with name and description")]);
            }
        };
        let laid = LaidOut::of(&entries);
        let (mut found, mut names) = (Vec::new(), References::new());
        let read = |table: &mut Reader<'_>| RoomContent::read(table, &mut names);
        let room = Reader::whole(self.program.file(), &laid.text, &mut found, read);
        for (place, what, key) in names {
            let valid = catalog.keys(what);
            if !valid.contains(&key.as_str()) {
                found.push(CatalogError::unknown_name(&place, what.name(), &key, valid));
            }
        }
        let mut found: Vec<CatalogError> =
            found.into_iter().map(|mistake| laid.placed_at(mistake, &place)).collect();
        found.extend(room.iter().flat_map(|room| wrong_in_scripts(room, catalog, &place)));
        if found.is_empty() { Ok(room) } else { Err(found) }
    }

    /// What is wrong with the first of some rooms of each listing that is not sound.
    fn first_mistakes(&self, catalog: &Catalog) -> Vec<CatalogError> {
        for listing in &self.listings {
            for (deeper, seed) in
                DEEPER.into_iter().flat_map(|deeper| (0..CHECKED).map(move |seed| (deeper, seed)))
            {
                let depth = listing.rule.least_depth + deeper;
                let exits = if seed % 2 == 0 { &[Direction::North][..] } else { &Direction::PLANE };
                let spot = Spot { level_type: &listing.level_type, depth, difficulty: depth, exits };
                if let Err(mut mistakes) = self.draw(spot, Seed(seed), catalog) {
                    for mistake in &mut mistakes {
                        mistake.wrong = format!("at depth {depth} with the seed {seed}, {}", mistake.wrong);
                    }
                    return mistakes;
                }
            }
        }
        Vec::new()
    }
}

/// What in the scripts of a room refers to nothing, or leads out of its branch.
fn wrong_in_scripts(room: &RoomContent, catalog: &Catalog, place: &Position) -> Vec<CatalogError> {
    let unknown = room.scripts().flat_map(|script| script.unknown_names(catalog));
    let mut wrong: Vec<CatalogError> =
        unknown.map(|name| CatalogError::unknown_name(place, name.what, name.key, name.valid)).collect();
    if room.leads_out() {
        let told = "a script of the room moves somebody to a room built by hand";
        wrong.push(CatalogError::new(place, told, "a script without `move`"));
    }
    wrong
}

/// The rooms of the folder `rooms`, by the names of their files.
pub(super) fn read(files: &[(&str, &str)], mistakes: &mut Vec<CatalogError>) -> BTreeMap<String, DrawnRoom> {
    let mut rooms = BTreeMap::new();
    for (path, text) in files {
        let name = path.strip_prefix(FOLDER).and_then(|name| name.strip_suffix(SUFFIX));
        if let Some(name) = name
            && let Some(room) = read_file(path, text, mistakes)
        {
            rooms.insert(name.to_owned(), room);
        }
    }
    rooms
}

fn read_file(path: &str, text: &str, mistakes: &mut Vec<CatalogError>) -> Option<DrawnRoom> {
    let program = Program::compile(path, text).map_err(|mistake| mistakes.push(mistake)).ok()?;
    if !program.functions().any(|function| function == ROOM) {
        let wrong = format!("the function `{ROOM}` is missing");
        mistakes.push(CatalogError::new(&Position::start(path), wrong, "a function that draws a room"));
        return None;
    }
    let laid = LaidOut::of(program.data());
    let mut found = Vec::new();
    let head = Reader::whole(path, &laid.text, &mut found, Head::read);
    mistakes.extend(found.into_iter().map(|mistake| laid.placed_in_source(mistake, text)));
    let mut listings = head?.level_types;
    for listing in &mut listings {
        listing.place = laid.place_in_source(&listing.place, text);
    }
    Some(DrawnRoom { program, listings })
}

/// Draws some rooms for each level type that is named, and tells what is wrong with the first that are.
pub(super) fn check(catalog: &Catalog, mistakes: &mut Vec<CatalogError>) {
    for room in catalog.drawn_rooms.values() {
        for listing in &room.listings {
            if !catalog.level_types.contains_key(&listing.level_type) {
                let (name, valid) = (&listing.level_type, catalog.level_types.keys().map(String::as_str));
                mistakes.push(CatalogError::unknown_name(&listing.place, "level type", name, valid));
            }
        }
        mistakes.extend(room.first_mistakes(catalog));
    }
}
