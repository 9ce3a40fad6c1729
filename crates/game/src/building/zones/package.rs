//! Packages: a zone with all that was made in the game for it, as one archive of text files. Taking one in adds what the
//! world lacks, as one change; it replaces nothing.

use super::findings::ZoneFindings;
use super::outcome::{Failed, begin_write, shown};
use super::package_entry::PackageEntry;
use super::prefix::{Prefixed, prefixed};
use super::search::names_of;
use super::{ZoneFiles, change, create, has_rooms, import, is_zone, mistakes, require_no_zone, row, text};
use crate::building::definitions::DefinitionChanges;
use crate::building::draft_versions::Named;
use crate::building::{definitions, journal};
use crate::effect::files::{ExportFile, FileKind, FilePurpose};
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, RoomId};
use deepwell_core::catalog::vault::vault_text;
use deepwell_core::catalog::{Area, CatalogError, DefinitionKind, Position, Vault};
use deepwell_core::data::FileValue;
use deepwell_core::data::archive::Archive;
use deepwell_core::text::grammar;
use deepwell_core::world::Room;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

/// File of an archive that people read, and that is ignored.
const NOTE: &str = "package.txt";

/// Returns the package of a zone, to be written.
pub(super) fn file(turn: &mut Turn, zone: &str) -> ExportFile {
    let (text, used) = (text::file(turn, zone), used_in(turn, zone));
    file_of(turn, zone, text, used)
}

/// Returns the package of a zone, to be written, with its text and the definitions that its rooms use.
pub(super) fn file_of(turn: &mut Turn, zone: &str, text: String, used: BTreeSet<Named>) -> ExportFile {
    let text = json_of(turn, zone, text, used);
    change(turn, zone, |row| begin_write(&mut row.package, zone.to_owned(), text))
}

/// Returns the package of a zone as the JSON of its archive.
pub(super) fn json(turn: &Turn, zone: &str) -> String {
    json_of(turn, zone, text::file(turn, zone), used_in(turn, zone))
}

fn json_of(turn: &Turn, zone: &str, text: String, used: BTreeSet<Named>) -> String {
    let mut texts = BTreeMap::new();
    let note =
        format!("The zone {zone} of a Deepwell world. zone unpack {zone} takes it into another one.\n");
    texts.insert(NOTE.to_owned(), note);
    texts.insert(PackageEntry::Zone(zone).path(), text);
    for (key, vault) in &row(turn, zone).vaults {
        texts.insert(PackageEntry::Vault(key).path(), vault_text::write(vault));
    }
    for (kind, key) in with_used(turn, zone, used) {
        let made = turn.world.definitions.find(kind, &key).map(|row| row.text.clone());
        texts.extend(made.map(|text| (kind.path(&key), text)));
    }
    serde_json::to_string(&Archive(texts)).unwrap_or_default()
}

/// Returns the definitions made in the game that belong to a zone: those that its rooms and vaults use, those that these
/// use in turn, and its help pages, whose keys begin with that of the zone.
pub(crate) fn definitions_of(turn: &Turn, zone: &str) -> BTreeSet<Named> {
    with_used(turn, zone, used_in(turn, zone))
}

/// Returns the definitions that the rooms of a zone use.
fn used_in(turn: &Turn, zone: &str) -> BTreeSet<Named> {
    super::rooms(turn, zone).flat_map(|room| names_of_room(turn, room)).collect()
}

/// Returns the definitions that a room uses.
pub(super) fn names_of_room(turn: &Turn, room: &Room) -> Vec<Named> {
    let names = names_of(turn, room).into_iter().filter_map(|(of, key)| Some((DefinitionKind::of(of)?, key)));
    let own = turn.world.start_tasks.get(room.id).and_then(|tasks| tasks.settings.exits.theme.as_ref());
    let exits = turn.world.exits.of(room.id).filter_map(|exit| exit.settings.theme.as_ref());
    let themes = own.into_iter().chain(exits).map(|key| (DefinitionKind::Theme, key.clone()));
    names.chain(themes).collect()
}

/// Returns the definitions that rooms of a zone use, with those that belong to the zone otherwise.
fn with_used(turn: &Turn, zone: &str, mut wanted: BTreeSet<Named>) -> BTreeSet<Named> {
    let made: BTreeMap<(DefinitionKind, &str), &str> = turn
        .world
        .definitions
        .iter()
        .filter(|(_, row)| row.draft.is_none() || row.is_of_draft(zone))
        .map(|(_, row)| ((row.kind, row.key.as_str()), row.text.as_str()))
        .collect();
    let mut want = |kind: Option<DefinitionKind>, key: &str| {
        wanted.extend(kind.map(|kind| (kind, key.to_owned())));
    };
    for vault in row(turn, zone).vaults.values() {
        vault.names().for_each(|(of, key)| want(DefinitionKind::of(of), key));
    }
    let is_own = |key: &str| key == zone || key.strip_prefix(zone).is_some_and(|rest| rest.starts_with('_'));
    let pages = made.keys().filter(|(kind, key)| *kind == DefinitionKind::Help && is_own(key));
    pages.for_each(|(kind, key)| want(Some(*kind), key));
    let naming = turn.catalog.naming();
    let mut found = BTreeSet::new();
    while let Some((kind, key)) = wanted.pop_first() {
        let Some(text) = made.get(&(kind, key.as_str())) else { continue };
        let by = format!("the {} {key}", kind.noun());
        let used = naming.iter().filter(|(_, users)| users.contains(&by));
        wanted.extend(used.filter_map(|((of, key), _)| Some((DefinitionKind::of(*of)?, (*key).to_owned()))));
        let parent = kind.fields(text).unwrap_or_default().into_iter().find(|(field, _)| field == "inherits");
        if let Some((_, FileValue::Text(parent))) = parent {
            wanted.insert((kind, parent));
        }
        found.insert((kind, key));
        wanted.retain(|one| !found.contains(one));
    }
    found
}

/// Contents of a package.
#[derive(Default)]
struct ZonePackage {
    zones: ZoneFiles,
    vaults: BTreeMap<String, Vault>,
    definitions: DefinitionChanges,
    /// Number of files that the world has already, with the same text.
    same: usize,
    /// Set if the world has other content with one of the keys.
    has_clash: bool,
    /// Exits that are left out, because their zone is neither in the package nor in the world: exit, room, destination.
    cut_off: Vec<[String; 3]>,
}

impl ZonePackage {
    /// Returns the zone that gets the vaults.
    fn zone_of_vaults(&self) -> Option<&String> {
        self.zones.keys().next()
    }

    /// Leaves out the exits to zones that are neither in the package nor in the world: a zone is packed without its
    /// neighbours.
    fn cut_off_exits(&mut self, turn: &Turn) {
        let known: BTreeSet<String> = self.zones.keys().cloned().collect();
        let mut cut_off = Vec::new();
        for room in self.zones.values_mut().flat_map(|area| &mut area.rooms) {
            room.exits.retain(|exit| {
                let to = exit.to.as_ref().and_then(|(_, to)| Some((to, to.split_once('/')?.0)));
                let Some((to, zone)) = to else { return true };
                let is_there = known.contains(zone) || is_zone(turn, zone);
                if !is_there {
                    cut_off.push([exit.name.clone(), room.key.clone(), to.clone()]);
                }
                is_there
            });
        }
        self.cut_off = cut_off;
    }

    /// Describes what the package brings, one line for each file.
    fn lines(&self) -> Vec<String> {
        let zones = self.zones.iter().map(|(zone, area)| {
            format!("The zone {zone}, with {}.", grammar::counted(area.rooms.len(), "room"))
        });
        let made = self.definitions.keys().map(|(kind, key)| format!("The {} {key}.", kind.noun()));
        let vaults = self.vaults.iter().map(|(key, vault)| {
            format!("The vault {key}, with {}.", grammar::counted(vault.rooms.len(), "room"))
        });
        let same = (self.same > 0)
            .then(|| format!("The world has {} of its files already.", grammar::number(self.same)));
        let cut_off = self.cut_off.iter().map(|[exit, room, to]| {
            format!("The exit {exit} of the room {room} is left out: there is no room {to}.")
        });
        zones.chain(made).chain(vaults).chain(same).chain(cut_off).collect()
    }
}

/// Reads the files of a package against the world; clashes and unknown files are mistakes.
fn read(turn: &Turn, archive: &Archive, found: &mut Vec<CatalogError>) -> ZonePackage {
    let mut package = ZonePackage::default();
    for (path, text) in archive.0.iter().filter(|(path, _)| *path != NOTE) {
        let clash = match PackageEntry::of_path(path) {
            Some(PackageEntry::Zone(key)) => read_zone(turn, &mut package, key, path, text, found),
            Some(PackageEntry::Vault(key)) => read_vault(turn, &mut package, key, path, text, found),
            Some(PackageEntry::Definition(kind, key)) => read_definition(turn, &mut package, kind, key, text),
            None => {
                let mistake = "this is no file of a package";
                found.push(CatalogError::new(&Position::start(path), mistake, ""));
                None
            }
        };
        package.has_clash |= clash.is_some();
        found.extend(clash.map(|mistake| CatalogError::new(&Position::start(path), mistake, "")));
    }
    package.cut_off_exits(turn);
    package
}

/// Reads a zone. Returns why it cannot be taken in.
fn read_zone(
    turn: &Turn,
    package: &mut ZonePackage,
    key: &str,
    path: &str,
    text: &str,
    found: &mut Vec<CatalogError>,
) -> Option<String> {
    if is_zone(turn, key) && text::file(turn, key) == text {
        package.same += 1;
        return None;
    }
    if is_zone(turn, key) || turn.catalog.themes.contains_key(key) || key == super::MADE {
        return Some(format!("the key {key} is taken, by a zone or a theme that is another"));
    }
    turn.world.note_work(text.len() / 8);
    package.zones.extend(Area::parse(path, text, found).map(|area| (key.to_owned(), area)));
    None
}

/// Reads a vault. Returns why it cannot be taken in.
fn read_vault(
    turn: &Turn,
    package: &mut ZonePackage,
    key: &str,
    path: &str,
    text: &str,
    found: &mut Vec<CatalogError>,
) -> Option<String> {
    let made = turn.world.meta().vaults_created_in_game();
    if made.get(key).is_some_and(|known| vault_text::write(known) == text) {
        package.same += 1;
        return None;
    }
    if made.contains_key(key) || turn.catalog.vaults.contains_key(key) {
        return Some(format!("there is a vault {key} that is another"));
    }
    let vault = Vault::parse(path, text, found).map(Vault::without_places);
    package.vaults.extend(vault.map(|vault| (key.to_owned(), vault)));
    None
}

/// Reads a definition. Returns why it cannot be taken in.
fn read_definition(
    turn: &Turn,
    package: &mut ZonePackage,
    kind: DefinitionKind,
    key: &str,
    text: &str,
) -> Option<String> {
    match definitions::text_of(turn, kind, key) {
        Some(known) if known == text => package.same += 1,
        Some(_) => return Some(format!("another {} has the key {key}", kind.noun())),
        None if require_no_zone(turn, kind, key).is_err() => return Some(format!("there is a zone {key}")),
        None => _ = package.definitions.insert((kind, key.to_owned()), Some(text.to_owned())),
    }
    None
}

/// Request to take a package in.
#[derive(Clone, Copy)]
pub(crate) struct Unpacking<'a> {
    /// Name of the package.
    pub(crate) name: &'a str,
    /// Prefix of all keys that it brings.
    pub(crate) prefix: Option<&'a str>,
    /// Import, or only a description of what it would bring.
    pub(crate) purpose: FilePurpose,
    /// Account that makes the change, and owns its content; `None` for the operator.
    pub(crate) account: Option<AccountId>,
    /// Room of the builder.
    pub(crate) room: Option<RoomId>,
}

impl Unpacking<'_> {
    /// Returns the command as it is typed.
    pub(crate) fn line(&self) -> String {
        let prefix = self.prefix.map_or_else(String::new, |prefix| format!(" as {prefix}"));
        let now = if self.purpose == FilePurpose::Import { " now" } else { "" };
        format!("zone unpack {}{prefix}{now}", self.name)
    }
}

/// Heading of a list of mistakes.
const HEADING: &str = "Nothing is taken in, for these mistakes of the package:";

/// Tells what a package would bring, or takes it in as one change.
pub(super) fn take_in(turn: &mut Turn, asked: &Unpacking<'_>, text: &str) -> Result<Vec<String>, Failed> {
    let name = asked.name;
    let archive: Archive = serde_json::from_str(text)
        .map_err(|error| Failed::Errors(vec![format!("The package {name} cannot be read: {error}.")]))?;
    let Prefixed { archive, doubts: look_at } = match asked.prefix {
        Some(prefix) => prefixed(&archive, prefix)?,
        None => Prefixed { archive, doubts: Vec::new() },
    };
    let mut found = Vec::new();
    let package = read(turn, &archive, &mut found);
    if package.zones.is_empty() && !package.vaults.is_empty() {
        let place = Position::start(&FileKind::Package.path(name));
        found.push(CatalogError::new(&place, "it has vaults and no new zone that they belong to", ""));
    }
    if archive.0.keys().all(|path| path == NOTE) {
        let place = Position::start(&FileKind::Package.path(name));
        found.push(CatalogError::new(&place, "it has no zone, vault or definition", ""));
    }
    found.sort();
    if !found.is_empty() {
        let hint = package.has_clash.then(|| {
            format!(
                "To give all of it keys of its own, choose a prefix for them: zone unpack {name} as NAME."
            )
        });
        let lines = [HEADING.to_owned()].into_iter().chain(shown(&found)).chain(hint);
        return Err(Failed::Errors(lines.collect()));
    }
    let found = examine(turn, &package)?;
    if !found.mistakes.is_empty() {
        return Err(Failed::mistakes(HEADING, &found.mistakes));
    }
    let mut lines = package.lines();
    lines.extend(look_at);
    if asked.purpose == FilePurpose::Import {
        turn.require_writable()?;
        turn.require_no_import()?;
        journal::watch(turn);
        let done = add(turn, asked.account, package);
        let notice = journal::write_entry(turn, asked.account, &asked.line(), asked.room);
        done?;
        lines.insert(0, "It is taken in:".to_owned());
        lines.extend(notice.map(str::to_owned));
    } else {
        lines.insert(0, format!("{} now would bring:", asked.line()));
    }
    if !found.doubts.is_empty() {
        lines.push("What may not be meant so:".to_owned());
        lines.extend(shown(&found.doubts));
    }
    Ok(lines)
}

/// Checks the package as a whole, with the content as it would be.
fn examine(turn: &mut Turn, package: &ZonePackage) -> Result<ZoneFindings, Failed> {
    super::vaults::require_space(turn, package.vaults.len())?;
    super::require_space(turn, package.zones.len())?;
    let preview = definitions::preview_catalog(turn, &package.definitions);
    let preview = preview.map_err(|found| Failed::mistakes(HEADING, &found))?;
    let before = std::mem::replace(&mut turn.catalog, preview);
    let mut found = mistakes::examine(turn, &package.zones);
    for (key, vault) in &package.vaults {
        let place = Position::start(&PackageEntry::Vault(key).path());
        let level_types = vault.level_types.iter().map(|(name, _)| name);
        for name in level_types.filter(|name| !turn.catalog.level_types.contains_key(*name)) {
            let valid = turn.catalog.level_types.keys().map(String::as_str);
            found.mistakes.push(CatalogError::unknown_name(&place, "level type", name, valid));
        }
        for (of, name) in vault.names().filter(|(of, name)| !turn.catalog.has(*of, name)) {
            let valid = turn.catalog.keys(of);
            found.mistakes.push(CatalogError::unknown_name(&place, of.name(), name, valid));
        }
    }
    turn.catalog = before;
    Ok(found)
}

/// Adds the contents of a package that was examined.
fn add(turn: &mut Turn, owner: Option<AccountId>, package: ZonePackage) -> Result<(), Refusal> {
    // This may refuse too many definitions, and comes before anything else is changed.
    definitions::write(turn, owner, &package.definitions)?;
    for (kind, key) in package.definitions.keys() {
        definitions::set_zone(turn, *kind, key, package.zones.keys().next().cloned());
    }
    let place = package.zone_of_vaults().cloned();
    let new: Vec<&str> = package.zones.keys().map(String::as_str).collect();
    debug_assert!(new.iter().all(|zone| !has_rooms(turn, zone)));
    create(turn, owner, &new)?;
    import::import(turn, package.zones);
    let vaults = package.vaults.into_iter().map(|(key, vault)| (key, Arc::new(vault)));
    if let Some(zone) = place {
        change(turn, &zone, |row| row.vaults.extend(vaults));
    }
    Ok(())
}

/// Records the digest of a written package. Returns its description; `None` if the zone is gone.
pub(super) fn settle(turn: &mut Turn, zone: &str, digest: String) -> Option<String> {
    turn.world.meta().zones.get(zone)?;
    change(turn, zone, |row| row.package.settle(digest));
    Some(format!("package of the zone {zone}. Each file in it is a text."))
}
