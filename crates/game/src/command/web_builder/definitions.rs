//! Definitions such as creatures and quests as shown in the web builder: the list of a kind, and the fields of one. Variables
//! and drafts of zones (`zone_parts`) have the same form.

use crate::access::{draft_names, permissions};
use crate::building::definitions;
use crate::effect::Declined;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, Right};
use deepwell_core::catalog::{DefinitionKind, Dialogue, draft_key};
use deepwell_core::data::{Field, FileValue};
use serde::Serialize;
use std::collections::BTreeSet;

/// Definitions of a kind, sorted by key.
#[derive(Serialize)]
pub(super) struct DefinitionList {
    /// Set if the builder may make new ones.
    pub(super) may: bool,
    pub(super) list: Vec<DefinitionLine>,
    /// Number of definitions over the limit.
    pub(super) more: usize,
    /// Fields that a definition of this kind may have.
    pub(super) fields: Vec<FieldView>,
}

#[derive(Serialize)]
pub(super) struct FieldView {
    name: String,
    /// Values that it takes.
    takes: String,
    /// Value if it is not set, as a file has it; empty without one.
    default: String,
    required: bool,
    about: String,
}

impl From<Field> for FieldView {
    fn from(Field { name, value, default, is_required, about, .. }: Field) -> Self {
        Self { name, takes: value, default, required: is_required, about }
    }
}

#[derive(Serialize)]
pub(super) struct DefinitionLine {
    pub(super) key: String,
    /// Set if it was made in the game, also over a file of the server.
    pub(super) made: bool,
    /// Summary; empty for a definition.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub(super) words: String,
}

/// Definition with its fields.
#[derive(Serialize, Default)]
pub(super) struct DefinitionView {
    pub(super) key: String,
    pub(super) may: bool,
    pub(super) fields: serde_json::Map<String, serde_json::Value>,
    /// Errors for which it is not in force.
    pub(super) mistakes: Vec<String>,
    /// Maximum length of a text in characters.
    pub(super) text_chars: u32,
    /// Keys of the nodes of a dialogue that nothing leads to.
    pub(super) unreached: Vec<String>,
}

/// Lists the definitions of a kind, those made in the game first.
pub(super) fn list(turn: &Turn, account: AccountId, zone: &str, kind: DefinitionKind) -> DefinitionList {
    let rows = turn.world.definitions.iter().map(|(_, row)| row);
    let is_shown = |key: &str| draft_names::is_shown_in(zone, key);
    let rows = rows.filter(|row| row.kind == kind && is_shown(&row.key));
    let made: BTreeSet<&str> = rows.map(|row| draft_key::plain(&row.key)).collect();
    let mut others = turn.catalog.defined(kind);
    others.retain(|key| draft_key::split(key).is_none() && !made.contains(key));
    let line = |key: &str, made| DefinitionLine { key: key.to_owned(), made, words: String::new() };
    let of_game = made.iter().map(|key| line(key, true));
    let of_files = others.iter().map(|key| line(key, false));
    let most = turn.config.limits.definitions as usize;
    let more = (made.len() + others.len()).saturating_sub(most);
    let may = permissions::has(turn, account, Right::Prototypes);
    let fields = kind.all_fields().into_iter().filter(|field| field.table.is_empty());
    let list = of_game.chain(of_files).take(most).collect();
    DefinitionList { may, list, more, fields: fields.map(FieldView::from).collect() }
}

/// Returns the fields of a definition, also of one that is not in force.
pub(super) fn one(
    turn: &Turn,
    account: AccountId,
    zone: &str,
    kind: DefinitionKind,
    key: &str,
) -> Result<DefinitionView, Declined> {
    let plain = key;
    let key = &draft_names::key_in(turn, zone, kind, key);
    definitions::require(turn, kind, key)?;
    let may = permissions::has(turn, account, Right::Prototypes)
        && definitions::require_author(turn, account, kind, key).is_ok();
    let text = definitions::text_of(turn, kind, key).unwrap_or_default();
    let fields = kind.fields(text).unwrap_or_default();
    let row = turn.world.definitions.find(kind, key);
    let mistakes = row.and_then(|row| turn.set_aside.get(&row.id)).into_iter().flatten();
    let dialogue = turn.catalog.dialogues.get(key).filter(|_| kind == DefinitionKind::Dialogue);
    let unreached = dialogue.map(Dialogue::unreached).unwrap_or_default();
    Ok(DefinitionView {
        key: plain.to_owned(),
        may,
        fields: fields.into_iter().map(|(field, value)| (field, json(value))).collect(),
        mistakes: mistakes.map(ToString::to_string).collect(),
        text_chars: turn.config.limits.description_chars,
        unreached: unreached.into_iter().map(str::to_owned).collect(),
    })
}

fn json(value: FileValue) -> serde_json::Value {
    match value {
        FileValue::Text(text) => text.into(),
        FileValue::Number(number) => number.into(),
        FileValue::Truth(truth) => truth.into(),
        FileValue::List(values) => values.into_iter().map(json).collect(),
        FileValue::Table(table) => table.into_iter().map(|(key, value)| (key, json(value))).collect(),
    }
}
