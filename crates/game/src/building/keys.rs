//! New keys of rooms and definitions. What the game refers to them by follows: definitions, rooms, exits, own triggers, vaults,
//! and the creatures, items and players that have the key of a definition.

use crate::access::draft_names;
use crate::building::definitions::{self, DefinitionChanges};
use crate::building::zones::search;
use crate::building::{renamed_rows, zones};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ItemId, RoomId};
use deepwell_core::catalog::references::luau_keys;
use deepwell_core::catalog::{DefinitionKind, Renaming, draft_key};
use deepwell_core::text::grammar;
use deepwell_core::world::{Definition, Room};
use std::collections::BTreeSet;
use std::slice;
use std::sync::Arc;

/// Refuses a word that cannot be a key.
pub(crate) fn require_form(key: &str) -> Result<(), Refusal> {
    if DefinitionKind::is_key(key) {
        return Ok(());
    }
    Err(refuse!("A key has only the letters a to z, digits and underscores, and begins with a letter."))
}

/// Gives a room another key in its zone. In a draft only the draft follows. Returns lines for the builder.
pub(crate) fn change_room_key(turn: &mut Turn, room: RoomId, key: &str) -> Result<Vec<String>, Refusal> {
    require_form(key)?;
    let (zone, old) = (turn.world.rooms[room].area.clone(), turn.world.rooms[room].zone_key());
    if turn.world.rooms.of_key(&zone, key).is_some_and(|other| other != room) {
        return Err(refuse!("Another room of this zone has the key {key}."));
    }
    let published = draft_names::zone_of(turn, &zone).map(str::to_owned);
    let is_draft = published.is_some();
    let in_zone = |zone: &String| (format!("{zone}/{old}"), format!("{zone}/{key}"));
    let names: Vec<(String, String)> = [&zone].into_iter().chain(&published).map(in_zone).collect();
    let within = Renaming::of_room(names.iter().cloned().chain([(old.clone(), key.to_owned())]));
    let renaming = Renaming::of_room(names);
    let of_zone = published.as_ref().unwrap_or(&zone);
    let follower = |row: &Definition| {
        // A draft of this zone has the room under its old key.
        let of_draft = row.draft.as_ref().and_then(|draft| draft_names::zone_of(turn, &draft.zone));
        let is_meant = if is_draft { row.is_of_draft(&zone) } else { of_draft != Some(zone.as_str()) };
        let is_own = is_draft || row.zone.as_ref() == Some(of_zone);
        is_meant.then_some(if is_own { &within } else { &renaming })
    };
    let mut followers = KeyFollowers::of_definitions(turn, &old, follower);
    if !followers.definitions.is_empty() {
        definitions::write(turn, None, &followers.definitions)?;
    }
    turn.world.rooms.change_built(room, |row| row.key = key.to_owned().into());
    let is_in_scope = |row: &Room| !is_draft || row.area == zone;
    followers.rename_rows(turn, is_in_scope, |row| if row.area == zone { &within } else { &renaming });
    Ok(followers.lines())
}

/// Gives a definition made in the game another key. Returns lines for the builder.
pub(crate) fn change_definition_key(
    turn: &mut Turn,
    kind: DefinitionKind,
    old: &str,
    key: &str,
) -> Result<Vec<String>, Refusal> {
    require_form(key)?;
    let noun = kind.noun();
    let made = turn.world.definitions.find(kind, old).filter(|row| row.draft.is_none());
    let Some(id) = made.map(|row| row.id).filter(|_| turn.of_files.text_of_file(kind, old).is_none()) else {
        return Err(refuse!(
            "The {noun} {} is in the files of the server or in a draft; its key stays.",
            draft_key::plain(old)
        ));
    };
    if definitions::text_of(turn, kind, key).is_some() {
        return Err(definitions::taken(kind, key));
    }
    zones::require_no_zone(turn, kind, key)?;
    let is_version = |row: &Definition| {
        row.kind == kind && draft_key::split(&row.key).is_some_and(|(_, plain)| plain == old)
    };
    if let Some((_, row)) = turn.world.definitions.iter().find(|(_, row)| is_version(row)) {
        let draft = row.draft.as_ref().map_or("", |draft| draft.zone.as_str());
        return Err(refuse!("{draft} has a version of the {noun} {old}. Publish or discard it first."));
    }
    if kind == DefinitionKind::Theme && turn.world.branches.iter().any(|(_, branch)| branch.theme == old) {
        return Err(refuse!("There are branches of the theme {old}. Its key can change when they are gone."));
    }
    let renaming = Renaming::of_definition(kind, old, key);
    let mut followers = KeyFollowers::of_definitions(turn, old, |_| Some(&renaming));
    definitions::change_key(turn, id, key, std::mem::take(&mut followers.definitions))?;
    followers.rename_rows(turn, |_| true, |_| &renaming);
    followers.rename_in_vaults(turn, &renaming);
    rename_living(turn, kind, old, key);
    Ok(followers.lines())
}

/// Gives the creatures, items or players that have the key of a definition its new one. Those in storage get it when they
/// wake.
pub(crate) fn rename_living(turn: &mut Turn, kind: DefinitionKind, old: &str, key: &str) {
    match kind {
        DefinitionKind::Creature => {
            let bodies =
                turn.world.characters.iter().filter(|(_, body)| body.prototype.as_deref() == Some(old));
            for who in bodies.map(|(id, _)| id).collect::<Vec<CharacterId>>() {
                turn.world.characters.change(who, |body| body.prototype = Some(key.to_owned()));
            }
        }
        DefinitionKind::Item => {
            let items = turn.world.items.iter().filter(|(_, item)| item.prototype == old);
            for item in items.map(|(id, _)| id).collect::<Vec<ItemId>>() {
                turn.world.change_prototype(item, key);
            }
        }
        DefinitionKind::Quest => {
            let bodies = turn.world.characters.iter().filter(|(_, body)| body.quests.contains_key(old));
            for who in bodies.map(|(id, _)| id).collect::<Vec<CharacterId>>() {
                turn.world.characters.change(who, |body| {
                    let progress = body.quests.remove(old);
                    body.quests.extend(progress.map(|progress| (key.to_owned(), progress)));
                });
            }
        }
        DefinitionKind::Script => {
            let rooms =
                turn.world.rooms.built().filter(|id| turn.world.rooms[*id].script_states.contains_key(old));
            for room in rooms.collect::<Vec<RoomId>>() {
                turn.world.rooms.change(room, |row| {
                    let state = row.script_states.remove(old);
                    row.script_states.extend(state.map(|state| (key.to_owned(), state)));
                });
            }
        }
        DefinitionKind::Help | DefinitionKind::Theme | DefinitionKind::Dialogue => {}
    }
}

/// Returns the text of a definition with its references renamed, and the lines of a script that may have others.
pub(crate) fn renamed_text(renaming: &Renaming, row: &Definition) -> (String, BTreeSet<usize>) {
    match row.kind {
        DefinitionKind::Script => luau_keys::renamed(&row.text, renaming),
        _ => (renaming.definition(row.kind, &row.text), BTreeSet::new()),
    }
}

/// Returns the sentence about lines of a script that may have references that did not follow.
pub(crate) fn doubt(script: &str, name: &str, lines: &BTreeSet<usize>) -> String {
    let lines = grammar::list(lines.iter().map(ToString::to_string));
    format!("The script {script} may name {name}: look at line {lines}.")
}

/// What follows a new key.
#[derive(Default)]
struct KeyFollowers {
    definitions: DefinitionChanges,
    /// What it is, as in a list.
    names: Vec<String>,
    /// Sentences about what may have to follow.
    doubts: Vec<String>,
}

impl KeyFollowers {
    /// Finds the definitions whose text changes by the renaming that `follower` gives for them.
    fn of_definitions<'r>(
        turn: &Turn,
        old: &str,
        follower: impl Fn(&Definition) -> Option<&'r Renaming>,
    ) -> Self {
        let mut found = Self::default();
        for (_, row) in turn.world.definitions.iter().filter(|(_, row)| row.text.contains(old)) {
            let Some(renaming) = follower(row) else { continue };
            let (text, doubts) = renamed_text(renaming, row);
            if !doubts.is_empty() {
                found.doubts.push(doubt(&row.key, old, &doubts));
            }
            if text != row.text {
                found.names.push(format!("the {} {}", row.kind.noun(), draft_key::described(&row.key)));
                found.definitions.insert((row.kind, row.key.clone()), Some(text));
            }
        }
        found
    }

    /// Tells the builder what follows.
    fn lines(mut self) -> Vec<String> {
        if !self.names.is_empty() {
            self.doubts.insert(0, format!("The new key is known to {}.", search::listed(self.names)));
        }
        self.doubts
    }

    /// Renames in hand-built rooms, their exits, and the own triggers of what is in them.
    fn rename_rows<'r>(
        &mut self,
        turn: &mut Turn,
        is_in_scope: impl Fn(&Room) -> bool,
        renaming: impl Fn(&Room) -> &'r Renaming,
    ) {
        let rooms = turn.world.rooms.built().filter(|id| is_in_scope(&turn.world.rooms[*id]));
        for id in rooms.collect::<Vec<RoomId>>() {
            turn.world.note_work(1);
            let renamings = slice::from_ref(renaming(&turn.world.rooms[id]));
            if renamed_rows::rename_in_room(turn, id, renamings) {
                self.names.push(search::user_room(&turn.world.rooms[id]));
            }
            renamed_rows::rename_inside(turn, id, renamings);
        }
    }

    /// Renames in the vaults made in the game.
    fn rename_in_vaults(&mut self, turn: &mut Turn, renaming: &Renaming) {
        let zones: Vec<String> = turn.world.meta().zones.keys().cloned().collect();
        for zone in zones {
            let vaults = turn.world.meta().zones[&zone].vaults.clone();
            for (key, vault) in vaults {
                let renamed = renaming.vault(Arc::unwrap_or_clone(Arc::clone(&vault)));
                if renamed != *vault {
                    self.names.push(format!("the vault {key}"));
                    zones::change(turn, &zone, |zone| _ = zone.vaults.insert(key, Arc::new(renamed)));
                }
            }
        }
    }
}
