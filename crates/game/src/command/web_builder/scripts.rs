//! Luau scripts as shown in the web builder: the list of a zone, and the text of one.

use crate::access::{draft_names, permissions};
use crate::building::zones::search;
use crate::building::{definitions, zones};
use crate::effect::Declined;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, Right};
use deepwell_core::catalog::{DefinitionKind, Referent, draft_key};
use serde::Serialize;
use std::collections::BTreeSet;

/// Scripts of the content.
#[derive(Serialize)]
pub(super) struct ScriptsView {
    /// Set if the builder may make new ones.
    may: bool,
    list: Vec<ScriptLineView>,
}

#[derive(Serialize)]
struct ScriptLineView {
    key: String,
    /// Set if a trigger of a room of the zone calls it.
    called: bool,
}

/// Script with its text.
#[derive(Serialize)]
pub(super) struct ScriptView {
    key: String,
    /// Path of its file below `content/`, as errors name it.
    path: String,
    text: String,
    may: bool,
}

/// Lists the scripts, those that triggers of the zone call first.
pub(super) fn scripts(turn: &Turn, account: AccountId, zone: &str) -> Result<ScriptsView, Declined> {
    zones::require_zone(turn, zone)?;
    let most = turn.config.limits.map_rooms as usize;
    let rooms = zones::rooms(turn, zone).take(most).filter(|room| !room.triggers.is_empty());
    let names = rooms.flat_map(|room| search::names_of(turn, room));
    let called: BTreeSet<String> =
        names.filter(|(of, _)| *of == Referent::Script).map(|(_, key)| key).collect();
    let called: BTreeSet<&str> = called.iter().map(|key| draft_key::plain(key)).collect();
    let row = |key: &str| ScriptLineView { key: key.to_owned(), called: called.contains(key) };
    let mut list: Vec<ScriptLineView> = keys(turn, zone).into_iter().map(row).collect();
    list.sort_by_key(|line| !line.called);
    Ok(ScriptsView { may: may_make(turn, account), list })
}

/// Returns the keys of all scripts, also of those that are not in force.
fn keys<'t>(turn: &'t Turn, zone: &str) -> BTreeSet<&'t str> {
    let made = turn.world.definitions.iter().map(|(_, row)| row);
    let made = made.filter(|row| row.kind == DefinitionKind::Script).map(|row| row.key.as_str());
    let all = turn.catalog.defined(DefinitionKind::Script).into_iter().chain(made);
    all.filter(|key| draft_names::is_shown_in(zone, key)).map(draft_key::plain).collect()
}

fn may_make(turn: &Turn, account: AccountId) -> bool {
    [Right::Prototypes, Right::Scripts].into_iter().all(|right| permissions::has(turn, account, right))
}

/// Returns a script with its text.
pub(super) fn script(turn: &Turn, account: AccountId, zone: &str, key: &str) -> Result<ScriptView, Declined> {
    let (kind, plain) = (DefinitionKind::Script, key);
    let key = &draft_names::key_in(turn, zone, kind, key);
    definitions::require(turn, kind, key)?;
    let may = may_make(turn, account) && definitions::require_author(turn, account, kind, key).is_ok();
    let text = definitions::text_of(turn, kind, key).unwrap_or_default().to_owned();
    Ok(ScriptView { key: plain.to_owned(), path: kind.path(key), text, may })
}
