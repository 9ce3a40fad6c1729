//! Definitions of a draft when it is published or discarded: what changes, what is in conflict, and what ends.

use crate::attack;
use crate::building::definitions::{self, DefinitionChanges};
use crate::building::draft_content::digest;
use crate::building::draft_versions::{self, Named};
use crate::building::undo::recall;
use crate::building::zones::made;
use crate::building::zones::search::{self, InWorld};
use crate::quest;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, CharacterId};
use deepwell_core::catalog::{Catalog, CatalogError, DefinitionKind, OverridingText, Position, draft_key};
use deepwell_core::text::grammar;
use deepwell_core::world::{Definition, ZoneDraft};
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// Published definitions as they will be after the publication of a draft.
#[derive(Default)]
pub(crate) struct Publication {
    /// New texts by published key; `None` for those that are removed.
    changes: DefinitionChanges,
    /// Definitions that the draft has made.
    born: BTreeSet<Named>,
    /// Authors of the versions, by published key.
    authors: BTreeMap<Named, Option<AccountId>>,
    /// Versions of the draft, by their own key.
    versions: BTreeSet<Named>,
    /// Sentences about definitions that have changed since the draft got its versions.
    conflicts: Vec<String>,
}

impl Publication {
    /// Returns the definitions of a draft as they will be published.
    pub(crate) fn of(turn: &Turn, key: &str, draft: &ZoneDraft) -> Self {
        let mut found = Self::default();
        for (_, row) in turn.world.definitions.iter().filter(|(_, row)| row.is_of_draft(key)) {
            let Some((_, since)) = row.version() else {
                found.changes.insert((row.kind, row.key.clone()), Some(row.text.clone()));
                found.born.insert((row.kind, row.key.clone()));
                continue;
            };
            let plain = (row.kind, draft_key::plain(&row.key).to_owned());
            found.versions.insert((row.kind, row.key.clone()));
            let published = definitions::text_of(turn, plain.0, &plain.1);
            if digest(&row.text) == since || published == Some(row.text.as_str()) {
                continue;
            }
            if published.map(digest).as_deref() != Some(since) {
                found.conflicts.push(conflict(turn, &plain, Some(row), &draft.of));
            }
            found.authors.insert(plain.clone(), row.author);
            found.changes.insert(plain, Some(row.text.clone()));
        }
        for removed in &draft.removes {
            let plain = (removed.kind, removed.key.clone());
            let Some(published) = definitions::text_of(turn, removed.kind, &removed.key) else { continue };
            if digest(published) != removed.since {
                found.conflicts.push(conflict(turn, &plain, None, &draft.of));
            }
            found.changes.insert(plain, None);
        }
        found
    }

    /// Adds the definitions outside the draft that follow its publication.
    pub(in crate::building::zones) fn with_followers(mut self, followers: &DefinitionChanges) -> Self {
        for (named, text) in followers {
            self.changes.entry(named.clone()).or_insert_with(|| text.clone());
        }
        self
    }

    /// Tells what changes, one sentence each.
    pub(super) fn lines(&self, turn: &Turn, zone: &str) -> Vec<String> {
        let mut lines = Vec::new();
        for (named, text) in &self.changes {
            let what = format!("The {} {}", named.0.noun(), named.1);
            match text {
                _ if self.born.contains(named) => lines.push(format!("{what} is new.")),
                Some(text) => {
                    let published = definitions::text_of(turn, named.0, &named.1).unwrap_or_default();
                    let here = format!("in {zone}");
                    lines.extend(made::differences(
                        named.0,
                        &named.1,
                        (published, &here),
                        (text, "in the draft"),
                    ));
                }
                None => {
                    let around = search::around(turn, named.0, &named.1);
                    let with = match around {
                        0 => String::new(),
                        1 => ", with the one that is in the world".to_owned(),
                        around => format!(", with the {} that are in the world", grammar::number(around)),
                    };
                    lines.push(format!("{what} is removed{with}."));
                }
            }
        }
        lines
    }

    /// Returns the sentences about conflicts.
    pub(super) fn conflicts(&self) -> &[String] {
        &self.conflicts
    }

    /// Returns the content as it will be published.
    ///
    /// # Errors
    /// All mistakes of the content as it would be, and the uses of definitions that are removed.
    pub(crate) fn content(
        &self,
        turn: &Turn,
        key: &str,
        zone: &str,
    ) -> Result<Arc<Catalog>, Vec<CatalogError>> {
        let mut written: Vec<OverridingText<'_>> = Vec::new();
        for ((kind, key), text) in &self.changes {
            written.push(OverridingText { kind: *kind, key, text: text.as_deref() });
        }
        for (kind, key) in &self.versions {
            written.push(OverridingText { kind: *kind, key, text: None });
        }
        let mut mistakes = Vec::new();
        for ((kind, plain), _) in self.changes.iter().filter(|(_, text)| text.is_none()) {
            mistakes.extend(self.still_used(turn, *kind, plain, &[key, zone]));
        }
        let catalog = turn.catalog.with(&written);
        match catalog {
            Ok(catalog) if mistakes.is_empty() => Ok(Arc::new(catalog)),
            Ok(_) => Err(mistakes),
            Err(found) => Err(found.into_iter().chain(mistakes).collect()),
        }
    }

    /// Returns the mistake that a definition is removed and used by other zones or definitions.
    fn still_used(
        &self,
        turn: &Turn,
        kind: DefinitionKind,
        key: &str,
        zones: &[&str],
    ) -> Option<CatalogError> {
        let mut users = search::users(turn, kind, key, InWorld::Ignored);
        let rooms = zones.iter().flat_map(|zone| turn.world.rooms.of_zone(zone));
        let mut own: BTreeSet<String> =
            rooms.map(|room| search::user_room(&turn.world.rooms[room])).collect();
        // The content as a whole is checked with the new texts of definitions.
        let definitions = self.changes.keys().chain(&self.versions);
        own.extend(definitions.map(|(kind, key)| format!("the {} {key}", kind.noun())));
        users.retain(|user| !own.contains(user));
        let by = search::listed(users);
        let mistake = format!("the {} {key} is removed, and used by {by}", kind.noun());
        (!by.is_empty()).then(|| CatalogError::new(&Position::start(&kind.path(key)), mistake, ""))
    }

    /// Refuses more definitions than there may be.
    pub(crate) fn require_space(&self, turn: &Turn) -> Result<(), Refusal> {
        let is_new = |((kind, key), text): &(&Named, &Option<String>)| {
            text.is_some() && turn.world.definitions.find(*kind, key).is_none()
        };
        let new = self.changes.iter().filter(is_new).count();
        if new > 0 { definitions::require_space(turn, new) } else { Ok(()) }
    }

    /// Writes the definitions as they are published. The versions stay until [`end`].
    ///
    /// # Errors
    /// If there would be too many; then nothing is changed.
    pub(crate) fn write(
        self,
        turn: &mut Turn,
        draft: &ZoneDraft,
        content: Arc<Catalog>,
    ) -> Result<(), Refusal> {
        self.require_space(turn)?;
        let of = &draft.of;
        for (kind, key) in &self.born {
            if let Some(id) = turn.world.definitions.find(*kind, key).map(|row| row.id) {
                turn.world.definitions.change(id, |row| (row.draft, row.zone) = (None, Some(of.clone())));
            }
        }
        let now = turn.now;
        for ((kind, key), text) in &self.changes {
            let id = turn.world.definitions.find(*kind, key).map(|row| row.id);
            match (id, text) {
                (Some(id), Some(text)) => {
                    let is_born = self.born.contains(&(*kind, key.clone()));
                    if !is_born {
                        turn.world.definitions.change(id, |row| (row.text, row.at) = (text.clone(), now));
                    }
                }
                (None, Some(text)) => {
                    let author = self.authors.get(&(*kind, key.clone())).copied().flatten();
                    definitions::add_row(turn, *kind, key, text, author);
                }
                (Some(id), None) => {
                    turn.world.definitions.remove(id);
                    remove_instances(turn, *kind, key);
                }
                (None, None) => {}
            }
            id.map(|id| turn.set_aside.remove(&id));
        }
        // The versions serve the rooms of the draft until these are gone.
        let versions = self.versions.iter().map(|(kind, key)| {
            ((*kind, key.clone()), turn.world.definitions.find(*kind, key).map(|row| row.text.clone()))
        });
        let versions: DefinitionChanges = versions.collect();
        turn.catalog = content;
        if let Ok(catalog) = definitions::preview_catalog(turn, &versions) {
            turn.catalog = catalog;
        }
        quest::announce_to_all(turn);
        Ok(())
    }
}

/// Removes the creatures and items of a kind that is removed.
fn remove_instances(turn: &mut Turn, kind: DefinitionKind, key: &str) {
    match kind {
        DefinitionKind::Creature => {
            let bodies = turn.world.characters.iter();
            let bodies = bodies.filter(|(_, body)| body.prototype.as_deref() == Some(key)).map(|(id, _)| id);
            for body in bodies.collect::<Vec<CharacterId>>() {
                attack::remove_creature(turn, body);
            }
        }
        DefinitionKind::Item => _ = recall::recall_kinds(turn, &[key.to_owned()]),
        DefinitionKind::Help
        | DefinitionKind::Theme
        | DefinitionKind::Dialogue
        | DefinitionKind::Quest
        | DefinitionKind::Script => {}
    }
}

/// Tells that a definition has changed since a draft got its version.
fn conflict(turn: &Turn, (kind, key): &Named, version: Option<&Definition>, zone: &str) -> String {
    let by = |row: &Definition| format!("by {}, {}", definitions::last_author(turn, row), row.at.utc());
    let here = turn.world.definitions.find(*kind, key).map_or_else(|| "in the files".to_owned(), by);
    let there = version.map_or_else(|| "and is removed".to_owned(), |row| format!("and {}", by(row)));
    format!(
        "The {} {key} has changed in {zone} since the draft changed it: {here} in {zone}, {there} in the draft. \
         Publishing undoes the former.",
        kind.noun()
    )
}

/// Returns the mistakes that stand against discarding the definitions of a draft: what others use.
pub(crate) fn used_elsewhere(turn: &Turn, key: &str) -> Vec<CatalogError> {
    let rows = || turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.is_of_draft(key));
    let rooms = turn.world.rooms.of_zone(key).map(|room| search::user_room(&turn.world.rooms[room]));
    let own = rows().map(|row| format!("the {} {}", row.kind.noun(), row.key));
    let own: BTreeSet<String> = rooms.chain(own).collect();
    let mut found = Vec::new();
    for row in rows().filter(|row| row.version().is_none()) {
        let mut users = search::users(turn, row.kind, &row.key, InWorld::Ignored);
        users.retain(|user| !own.contains(user));
        if !users.is_empty() {
            let mistake = format!("it was made in the draft, and is used by {}", search::listed(users));
            found.push(CatalogError::new(&Position::start(&row.kind.path(&row.key)), mistake, ""));
        }
    }
    found
}

/// Tells of the creatures and items of kinds that a draft has made, which end with it.
pub(super) fn lost_instances(turn: &Turn, key: &str) -> Vec<String> {
    let rows = turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.is_of_draft(key));
    let made = rows.filter(|row| row.version().is_none());
    let around = made.map(|row| (row, search::around(turn, row.kind, &row.key)));
    let lost = around.filter(|(_, around)| *around > 0);
    lost.map(|(row, around)| {
        let count = grammar::number(around);
        format!("Lost with the {} {}: {count} in the world.", row.kind.noun(), row.key)
    })
    .collect()
}

/// Removes the definitions of a draft whose rooms are gone: its versions, and what it has made and not published.
pub(crate) fn end(turn: &mut Turn, key: &str) {
    let rows = turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.is_of_draft(key));
    let gone: BTreeSet<Named> = rows.map(|row| (row.kind, row.key.clone())).collect();
    if gone.is_empty() {
        return;
    }
    // Players are told the names of what they lose, which are unknown once the definitions are gone.
    for (kind, key) in gone.iter().filter(|(_, key)| draft_key::split(key).is_none()) {
        remove_instances(turn, *kind, key);
    }
    definitions::remove_all(turn, &gone);
    draft_versions::release(turn, |_, kind, key| gone.contains(&(kind, key.to_owned())));
}
