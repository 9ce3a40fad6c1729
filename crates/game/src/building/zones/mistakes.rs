//! Validation of zone files before import: all mistakes together, each with its position and the expected form. Files
//! without mistakes are imported completely; doubts are reported with them. The files are visited room by room, so that
//! the check of large ones can be spread over steps.

use super::findings::{ZoneCheck, ZoneFindings};
use super::import::former;
use super::removed::{check_kept_exits, check_removed_room};
use super::{KEY_CHARS_MAX, ZoneFiles, has_rooms, text, way_below};
use crate::building::built_rooms::{MOST_ALIASES, MOST_EXITS};
use crate::exit::pathfinding;
use crate::state::file_work::check::{CheckStage, FileCheck, FilesVisit};
use crate::turn::Turn;
use deepwell_core::base::{Coordinates, Direction, unicode};
use deepwell_core::catalog::area::script::AreaScript;
use deepwell_core::catalog::script::{ScriptDeed, ScriptRoomName};
use deepwell_core::catalog::{
    AreaExit, AreaRoom, AreaSettings, Catalog, CatalogError, RoomFlag, RoomKind, ShopTerms,
};
use deepwell_core::text::nearest;
use deepwell_core::world::{Exit, ExitKind, Room};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Maximum number of nouns of a detail, as in commands.
const NOUNS_MAX: u32 = 9;

/// Validates parsed files.
pub(super) fn examine(turn: &Turn, files: &ZoneFiles) -> ZoneFindings {
    let mut check = FileCheck::default();
    while check.stage != CheckStage::Done {
        go_one_step(turn, files, &mut check);
    }
    ZoneFindings { mistakes: check.mistakes, doubts: check.doubts, links: check.links }
}

/// Validates one room.
pub(super) fn go_one_step(turn: &Turn, files: &ZoneFiles, check: &mut FileCheck) {
    turn.world.note_work(1);
    match check.stage {
        CheckStage::Keys => note_key(files, check),
        CheckStage::Rooms => check_next_room(turn, files, check),
        CheckStage::Gone => check_next_standing(turn, files, check),
        CheckStage::Ways => {
            if way_below::is_ended(turn, files, check) {
                check_space(turn, files, &mut check.mistakes);
                check.mistakes.sort();
                check.doubts.sort();
                check.begin(CheckStage::ExitsInto);
            }
        }
        CheckStage::ExitsInto => former::note_next_exit(turn, files, check),
        CheckStage::Done => {}
    }
}

fn note_key(files: &ZoneFiles, check: &mut FileCheck) {
    let Some(FilesVisit { zone, room, .. }) = check.at.next(files) else {
        return check.begin(CheckStage::Rooms);
    };
    let keys = check.keys.entry(zone.clone()).or_default();
    if let Some((place, room)) = room
        && *keys.entry(room.key.clone()).or_insert(place) != place
    {
        check.mistakes.push(room.key_taken());
    }
}

fn check_next_room(turn: &Turn, files: &ZoneFiles, check: &mut FileCheck) {
    let Some(FilesVisit { zone: key, area, room, is_first }) = check.at.next(files) else {
        return check.begin(CheckStage::Gone);
    };
    let (mistakes, doubts) = (std::mem::take(&mut check.mistakes), std::mem::take(&mut check.doubts));
    let found = ZoneFindings { mistakes, doubts, links: std::mem::take(&mut check.links) };
    let mut zone = ZoneCheck { turn, key, area, files, keys: &check.keys, found };
    if is_first {
        (check.declared, check.own) = (area.declarations(), BTreeMap::new());
        area.check_declarations(&mut zone.found.mistakes);
        zone.check_whole();
    }
    if let Some((_, room)) = room {
        turn.world.note_work(text::work_of(room));
        area.check_room(room, &check.declared, &turn.catalog, &mut zone.found.mistakes);
        zone.check_place(room, &mut check.own, &mut check.taken);
        zone.check_room(room);
        zone.check_life(room);
        for (at, exit) in room.exits.iter().enumerate() {
            zone.check_exit(room, exit);
            zone.check_words(room, exit, at);
        }
        check_kept_exits(turn, key, room, &mut zone.found.mistakes);
    }
    let ZoneFindings { mistakes, doubts, links } = zone.found;
    (check.mistakes, check.doubts, check.links) = (mistakes, doubts, links);
}

/// Checks the next existing room of a zone, if its file removes it.
fn check_next_standing(turn: &Turn, files: &ZoneFiles, check: &mut FileCheck) {
    let Some((zone, area)) = check.at.zone(files) else { return check.begin(CheckStage::Ways) };
    check.room = turn.world.rooms.of_zone_after(zone, check.room).next();
    match check.room {
        Some(room) => {
            let key = turn.world.rooms[room].zone_key();
            let place = check.keys.get(zone).and_then(|keys| keys.get(&key));
            let in_file = place.and_then(|place| area.rooms.get(*place));
            if in_file.is_none() {
                check_removed_room(turn, area, room, &mut check.mistakes);
            }
            if let Some(former) = &mut check.former {
                former::note_room(turn, files, &check.keys, former, room, in_file);
            }
            for to in turn.world.exits.of(room).filter_map(|exit| turn.world.rooms.get(exit.to?)) {
                if to.area != *zone && files.contains_key(&to.area) {
                    check.links.insert((zone.clone(), to.area.clone()));
                }
            }
        }
        None => check.at.skip_zone(),
    }
}

/// Checks the limit on hand-built rooms.
fn check_space(turn: &Turn, files: &ZoneFiles, mistakes: &mut Vec<CatalogError>) {
    let most = turn.config.limits.built_rooms as usize;
    let (come, go) = files.iter().fold((0, 0), |(come, go), (key, area)| {
        (come + area.rooms.len(), go + turn.world.rooms.of_zone(key).len())
    });
    if let Some(area) = files.values().next().filter(|_| turn.world.rooms.built_count() + come > most + go) {
        let mistake = "the world would have too many rooms built by hand";
        mistakes.push(CatalogError::new(&area.place, mistake, format!("at most {most} in all")));
    }
}

/// Returns the words that select an exit.
fn words(exit: &AreaExit) -> BTreeSet<String> {
    let direction = Direction::parse_any(&exit.name);
    let names = direction.iter().flat_map(|direction| [direction.name(), direction.letter()]);
    let own_names = exit.aliases.iter().chain([&exit.name]).map(|word| word.to_lowercase());
    names.map(str::to_owned).chain(own_names).collect()
}

impl ZoneCheck<'_> {
    fn check_whole(&mut self) {
        let most = self.turn.config.limits.zone_rooms;
        if self.area.rooms.len() > most as usize {
            self.note(&self.area.place.clone(), "the zone has too many rooms", format!("at most {most}"));
        }
        let most = self.turn.config.limits.variables_per_zone;
        if let Some(variable) = self.area.variables.get(most as usize) {
            let place = variable.place.clone();
            self.note(&place, "the zone has too many variables", format!("at most {most}"));
        }
        let most = self.turn.config.limits.variable_bytes;
        for variable in &self.area.variables {
            if variable.declaration.default.bytes() > most as usize {
                self.note(&variable.place, "the default is too long", format!("at most {most} bytes"));
            }
        }
        let town = self.turn.world.meta().town.and_then(|town| self.turn.world.rooms.get(town));
        let begins = town.filter(|room| room.area == self.key).map(Room::zone_key);
        let declared = self.area.start.as_ref().map(|(_, start)| start);
        if begins.as_ref() != declared {
            let place = self.area.start.as_ref().map_or(&self.area.place, |(place, _)| place).clone();
            let expected = begins.map_or_else(
                || "no `start`: everybody begins in another zone".to_owned(),
                |begins| format!("`start = \"{begins}\"`, where everybody begins"),
            );
            self.note(&place, "an import does not change where everybody begins", expected);
        }
    }

    /// Checks that no other room has the place of this one, within and across files.
    fn check_place(
        &mut self,
        room: &AreaRoom,
        own: &mut BTreeMap<Coordinates, String>,
        taken: &mut BTreeMap<Coordinates, (String, String)>,
    ) {
        let Some(at) = room.at else { return };
        if let Some(other) = own.insert(at, room.key.clone()) {
            let mistake = format!("room `{}` lies where room `{other}` lies", room.key);
            self.note(&room.place, mistake, "a place of its own, `at = [east, north, up]`");
        }
        // A new zone is laid out where there is room.
        if !has_rooms(self.turn, self.key) {
            return;
        }
        let place = at.beyond(super::origin(self.turn, self.key));
        let there = self.turn.world.rooms.built_at(place).map(|id| &self.turn.world.rooms[id]);
        let there = there.filter(|there| there.area != self.key);
        let there = there.map(|there| (there.area.clone(), there.sheet.name.clone()));
        let by_file = taken.insert(place, (self.key.to_owned(), room.sheet.name.clone()));
        if let Some((zone, name)) = there.or(by_file.filter(|(zone, _)| zone != self.key)) {
            let mistake = format!("room `{}` lies where {name} of the zone {zone} lies", room.key);
            self.note(&room.place, mistake, "another place, `at = [east, north, up]`");
        }
    }

    fn check_room(&mut self, room: &AreaRoom) {
        let fits = |c: char| c.is_ascii_alphanumeric() || c == '_' || c == '-';
        if room.key.len() > KEY_CHARS_MAX || !room.key.chars().all(fits) {
            let expected = format!("at most {KEY_CHARS_MAX} letters, figures, _ and -");
            self.note(&room.place, format!("`{}` does not fit as a key", room.key), expected);
        }
        let (names, texts) = (self.turn.config.limits.name_chars, self.turn.config.limits.description_chars);
        for name in [&room.sheet.name, &room.sheet.environment]
            .into_iter()
            .chain(&room.sheet.aliases)
            .chain(&room.sheet.tags)
        {
            self.check_name(&room.place, name, names);
        }
        self.check_text(&room.place, &room.sheet.description, texts);
        for (nouns, text) in &room.sheet.details {
            self.check_name(&room.place, nouns, (names + 2) * NOUNS_MAX);
            self.check_text(&room.place, text, texts);
        }
        if room.sheet.aliases.len() > MOST_ALIASES {
            self.note(
                &room.place,
                format!("room `{}` has too many aliases", room.key),
                format!("at most {MOST_ALIASES}"),
            );
        }
        if room.exits.len() > MOST_EXITS {
            self.note(
                &room.place,
                format!("room `{}` has too many exits", room.key),
                format!("at most {MOST_EXITS}"),
            );
        }
        if room.sheet.kind != RoomKind::Start && room.settings != AreaSettings::default() {
            self.note(
                &room.place,
                format!("room `{}` has settings of a start room", room.key),
                "`kind = \"start\"`",
            );
        }
        let before = self.turn.world.rooms.of_key(self.key, &room.key);
        let before = before.map(|id| self.turn.world.rooms[id].sheet.kind);
        if before
            .is_some_and(|kind| kind != room.sheet.kind && [kind, room.sheet.kind].contains(&RoomKind::Start))
        {
            let mistake = format!("room `{}` cannot become a start room or stop being one", room.key);
            self.note(&room.place, mistake, "another key, which makes another room");
        }
    }

    /// Checks the room's details, tags, spawns, stock and scripts, and their limits.
    fn check_life(&mut self, room: &AreaRoom) {
        let limits = &self.turn.config.limits;
        let names = limits.name_chars;
        let bounds = [
            (room.sheet.details.len(), limits.details_per_room, "details"),
            (room.sheet.tags.len(), limits.tags_per_room, "tags"),
            (room.spawns.len(), limits.spawns_per_room, "spawns"),
            (room.triggers.len(), limits.triggers_per_room, "triggers"),
            (room.shop.stock.len(), limits.shop_stock, "wares"),
            (room.shop.buys.len(), limits.shop_stock, "items that it buys"),
        ];
        for (number, most, what) in bounds {
            if number > most as usize {
                let mistake = format!("room `{}` has too many {what}", room.key);
                self.note(&room.place, mistake, format!("at most {most}"));
            }
        }
        if room.sheet.flags.contains(&RoomFlag::Fights)
            && !matches!(room.sheet.kind, RoomKind::Room | RoomKind::Shop)
        {
            let mistake =
                format!("there are no fights in room `{}`, of kind `{}`", room.key, room.sheet.kind.name());
            self.note(&room.place, mistake, "`fights` in ordinary rooms");
        }
        if room.sheet.kind != RoomKind::Shop && room.shop.terms() != ShopTerms::default() {
            let mistake = format!("room `{}` has prices or hours of a shop", room.key);
            self.note(&room.place, mistake, "`kind = \"shop\"`");
        }
        self.check_name(&room.place, &room.shop.closed, limits.description_chars);
        for spawn in &room.spawns {
            for name in spawn.route.rooms() {
                self.check_destination(&(spawn.place.clone(), name.to_owned()));
            }
        }
        for trigger in &room.triggers {
            if let Some(word) = trigger.on.as_ref().and_then(|on| on.word()) {
                self.check_name(&trigger.place, word, names);
            }
        }
        for script in room.scripts() {
            self.check_script(room, script);
        }
    }

    /// Checks that the rooms named in a script exist. A missing door is only a doubt, as it may be added later.
    fn check_script(&mut self, room: &AreaRoom, script: &AreaScript) {
        for (place, name) in script.rooms().filter(|(_, name)| **name != ScriptRoomName::GONE) {
            self.check_destination(&(place, name.to_string()));
        }
        let lines: Vec<String> = script.script.clone().into();
        for (at, (line, text)) in script.script.lines().iter().zip(&lines).enumerate() {
            let place = script.place_of(at + 1);
            if *unicode::clean(text) != **text {
                self.note(&place, "the line has characters that no text may have", "letters and signs");
            }
            if let ScriptDeed::Open(name) | ScriptDeed::Shut(name) = &line.deed
                && !room.exits.iter().any(|exit| has_door_called(exit, name))
            {
                let doors = room.exits.iter().filter(|exit| exit.door.is_some());
                let meant = nearest(name, doors.map(|exit| exit.name.as_str())).map(str::to_owned);
                let mistake = format!("no exit `{name}` of room `{}` has a door", room.key);
                let doubt = CatalogError::new(&place, mistake, "an exit with a `door`").with_nearest(meant);
                self.found.doubts.push(doubt);
            }
        }
    }

    fn check_exit(&mut self, room: &AreaRoom, exit: &AreaExit) {
        let limits = &self.turn.config.limits;
        let (names, texts) = (limits.name_chars, limits.description_chars);
        for name in exit.aliases.iter().chain([&exit.name]) {
            self.check_name(&exit.place, name, names);
        }
        if let Some((place, door)) = &exit.door {
            self.check_name(place, door, names);
        }
        if let Some(description) = &exit.description {
            self.check_text(&exit.place, description, texts);
        }
        if let Some(direction) = pathfinding::direction_named(self.turn, &exit.name)
            .filter(|direction| direction.name() != exit.name)
        {
            let mistake = format!("the exit `{}` is written short", exit.name);
            self.note(&exit.place, mistake, format!("`{}`", direction.name()));
        }
        if exit.kind == ExitKind::Branch {
            if room.sheet.kind != RoomKind::Start {
                let mistake = format!("room `{}` has a branch exit and is no start room", room.key);
                self.note(&exit.place, mistake, "`kind = \"start\"` of the room");
            }
            if !Exit::may_open_branches(&exit.name) {
                self.note(
                    &exit.place,
                    format!("the branch exit `{}` leads off the plane", exit.name),
                    "north, east, south, west, or a name that is no direction",
                );
            }
            if let Some((place, _)) = &exit.to {
                self.note(place, "a branch exit finds its own way", "no `to`");
            }
            if let Some((place, _)) = &exit.door {
                self.note(place, "a branch exit has no door", "no `door`");
            }
            if let Some((place, _)) = &exit.puzzle {
                self.note(place, "a branch exit has no puzzle", "no `puzzle`");
            }
        } else if exit.settings != AreaSettings::default() {
            let mistake = format!("the exit `{}` has settings of a branch exit", exit.name);
            self.note(&exit.place, mistake, "`kind = \"branch\"`");
        }
        if let Some(to) = exit.to.as_ref().filter(|(_, to)| !to.is_empty()) {
            self.check_destination(to);
        }
    }

    /// Checks that no two exits of a room share a word.
    fn check_words(&mut self, room: &AreaRoom, exit: &AreaExit, at: usize) {
        let taken: BTreeSet<String> = room.exits.iter().take(at).flat_map(words).collect();
        if let Some(word) = words(exit).into_iter().find(|word| taken.contains(word)) {
            let mistake = format!("two exits of room `{}` are called `{word}`", room.key);
            self.note(&exit.place, mistake, "names and aliases of its own for each exit");
        }
        if exit.aliases.len() > MOST_ALIASES {
            self.note(
                &exit.place,
                format!("the exit `{}` has too many aliases", exit.name),
                format!("at most {MOST_ALIASES}"),
            );
        }
    }
}

/// Returns `true` if a script's name for a door means this exit: its name, an alias, or a word of the door's name.
fn has_door_called(exit: &AreaExit, name: &str) -> bool {
    let Some((_, door)) = &exit.door else { return false };
    let (door, name) = (door.to_lowercase(), name.to_lowercase());
    words(exit).contains(&name) || door == name || door.split(' ').any(|word| word == name)
}

/// Checks files against the content as it will be, if it changes with them.
pub(super) fn with_content<T>(
    turn: &mut Turn,
    content: Option<&Arc<Catalog>>,
    check: impl FnOnce(&mut Turn) -> T,
) -> T {
    let Some(content) = content else { return check(turn) };
    let before = std::mem::replace(&mut turn.catalog, Arc::clone(content));
    let done = check(turn);
    turn.catalog = before;
    done
}
