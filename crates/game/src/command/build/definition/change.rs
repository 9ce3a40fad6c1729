//! Changes of content such as creatures and items by commands: one field at a time, its text, and its deletion. Room
//! commands work here with `creature KEY` in place of `here`.

use crate::building::zones::search;
use crate::building::{definitions, draft_versions, keys, zones};
use crate::command::build::definition::field_value;
use crate::command::build::definition::make::{changes, renamed, require_own_words, require_right, write};
use crate::command::build::room::setting_table;
use crate::command::dead_words;
use crate::command::parse::Actor;
use crate::command::parse::definition_name::DefinitionName;
use crate::message::editor;
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::catalog::{DefinitionKind, help};
use deepwell_core::data::{CatalogError, FileValue, Position, edit};
use deepwell_core::text::{Markup, Style, grammar, sanitise};
use std::collections::BTreeMap;

/// Sets a field of a definition, or removes it.
pub(crate) fn set_field(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    field: &str,
    typed: &str,
) -> Result<(), Refusal> {
    let DefinitionName { kind, .. } = *named;
    match field {
        ZONE => return set_zone(turn, actor, named, typed),
        KEY => return change_key(turn, actor, named, typed),
        _ => {}
    }
    require_fields(named)?;
    let value = (!matches!(typed, "none" | "default")).then(|| match kind {
        DefinitionKind::Creature
        | DefinitionKind::Item
        | DefinitionKind::Theme
        | DefinitionKind::Dialogue
        | DefinitionKind::Quest
        | DefinitionKind::Script => field_value::parse_value(kind, field, typed),
        DefinitionKind::Help => field_value::parse_page_value(field, typed),
    });
    if value.is_none() {
        require_known_field(named, field)?;
    }
    editor::require_free(turn, actor.who, &editor::EditedText::of_field(&named.full_words(), field))?;
    let done = replace_text(turn, actor, named, |text| match &value {
        Some(name) if field == "name" => renamed(kind, text, name),
        value => kind.edited(text, field, value.as_ref()),
    });
    done.map_err(|no| with_missing_field_hint(no, named, field))?;
    let definition = named.described_in_draft();
    let answer = match value {
        Some(value) => format!("The {definition}: {field} is {} now.", field_value::written(field, &value)),
        None => format!("The {definition}: nothing is said of {field} any more."),
    };
    let answer = answer + &about(turn, named);
    actor.answer(turn, answer)
}

/// Maximum length of a value in a list of fields.
const VALUE_CHARS_LISTED: usize = 100;

/// Name of the zone of a definition in `set`, which is no field of its text.
const ZONE: &str = "zone";

/// Name of the key of a definition in `set`, which is no field of its text.
const KEY: &str = "key";

/// Gives a definition another key, and tells what follows.
fn change_key(turn: &mut Turn, actor: Actor, named: &DefinitionName, key: &str) -> Result<(), Refusal> {
    require_change(turn, actor, named)?;
    let noun = named.kind.noun();
    let mut lines = vec![format!("The {noun} {} has the key {key} now.", named.key)];
    lines.extend(keys::change_definition_key(turn, named.kind, &named.key, key)?);
    actor.answer(turn, lines.join("\n"))
}

/// Gives a definition to the builders of a zone, or to its author alone.
fn set_zone(turn: &mut Turn, actor: Actor, named: &DefinitionName, typed: &str) -> Result<(), Refusal> {
    require_change(turn, actor, named)?;
    let definition = named.described();
    if turn.world.definitions.find(named.kind, &named.key).is_none() {
        return Err(refuse!("The {definition} is in the files of the server, and belongs to no zone."));
    }
    if let Some(draft) = &named.draft {
        return Err(refuse!(
            "What {draft} changes belongs to the draft. rehearse off, and say there which zone \
             the {definition} belongs to."
        ));
    }
    let zone = (!matches!(typed, "none" | "default")).then(|| typed.to_lowercase());
    if let Some(zone) = &zone {
        zones::require_zone(turn, zone)?;
        zones::require_author(turn, actor.account, zone)?;
    }
    let answer = match &zone {
        Some(zone) => {
            format!("The {definition} belongs to the zone {zone} now: its builders may change it, too.")
        }
        None => format!("The {definition} belongs to no zone any more."),
    };
    definitions::set_zone(turn, named.kind, &named.key, zone);
    actor.answer(turn, answer)
}

/// Refuses to set a field of a script, which has none.
fn require_fields(named: &DefinitionName) -> Result<(), Refusal> {
    if named.kind == DefinitionKind::Script {
        return Err(refuse!(
            "A script is one text without fields. script edit {key} writes it, and script show {key} shows \
             it.",
            key = named.key
        ));
    }
    Ok(())
}

/// Lists the fields of a definition with their values, what they take, their defaults and their help.
pub(crate) fn list_of_fields(turn: &Turn, named: &DefinitionName) -> Result<Markup, Refusal> {
    require_fields(named)?;
    definitions::require(turn, named.kind, &named.key)?;
    let text = definitions::text_of(turn, named.kind, &named.key).unwrap_or_default();
    let values: BTreeMap<String, FileValue> =
        named.kind.fields(text).unwrap_or_default().into_iter().collect();
    let mut list = Markup::styled(Style::Heading, &format!("Fields of the {}", named.described()));
    let about = "Name by which the game refers to it. What refers to it follows a new one.";
    list.line(Style::Plain, &setting_table::listed(KEY, named.plain(), "one word", "", about));
    for field in named.kind.all_fields().iter().filter(|field| field.table.is_empty()) {
        let value = values.get(&field.name).map(|value| field_value::written(&field.name, value));
        let value = value.map_or_else(|| "not set".to_owned(), |value| shortened(&value));
        let required = if field.is_required { "; required" } else { "" };
        let takes = format!("{}{required}", field.value);
        list.line(
            Style::Plain,
            &setting_table::listed(&field.name, &value, takes, &field.default, &field.about),
        );
    }
    list.line(Style::Hint, &format!("examine {} tells long values whole.", named.words()));
    Ok(list)
}

/// Cuts a value that is long for a line of a list.
fn shortened(value: &str) -> String {
    let mut cut: String = value.chars().take(VALUE_CHARS_LISTED).collect();
    if cut.len() < value.len() {
        cut.push_str(" ...");
    }
    cut
}

/// Starts writing a field line by line, for values longer than a typed line.
pub(crate) fn write_field(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    field: &str,
) -> Result<(), Refusal> {
    require_fields(named)?;
    definitions::require(turn, named.kind, &named.key)?;
    require_change(turn, actor, named)?;
    require_known_field(named, field)?;
    let definition = named.full_words();
    let about = editor::EditedText::of_field(&definition, field);
    editor::begin(turn, actor.who, format!("set {definition} {field}"), about)
}

/// Adds the command to type first if a value is refused because another field is missing.
fn with_missing_field_hint(no: Refusal, named: &DefinitionName, set: &str) -> Refusal {
    let Refusal::Mistakes(mistakes) = no else { return no };
    let cured = mistakes.into_iter().map(|mistake| {
        let missing = mistake.strip_prefix('`').and_then(|rest| rest.split_once("` is missing"));
        match missing.map(|(field, _)| field.to_owned()).filter(|field| field != set) {
            Some(field) => format!("{mistake}. Type set {} {field} = VALUE first", named.words()),
            None => mistake,
        }
    });
    Refusal::Mistakes(cured.collect())
}

/// Returns an error if no definition of the kind has the field.
fn require_known_field(named: &DefinitionName, field: &str) -> Result<(), Refusal> {
    let fields = named.kind.all_fields();
    let known = fields.iter().filter(|one| one.table.is_empty()).map(|one| one.name.as_str());
    if known.clone().any(|name| name == field) {
        return Ok(());
    }
    let mistake = CatalogError::unknown_name(&Position::default(), "key", field, known);
    Err(Refusal::Mistakes(vec![mistake.words()]))
}

/// Renames a definition.
pub(crate) fn rename(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    name: &str,
) -> Result<(), Refusal> {
    let name = sanitise::clean_line(name, turn.config.limits.name_chars as usize);
    set_field(turn, actor, named, named.kind.name_field(), &edit::quoted(&name))
}

/// Sets the description of a definition, immediately or line by line.
pub(crate) fn describe(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    text: Option<&str>,
) -> Result<(), Refusal> {
    require_fields(named)?;
    definitions::require(turn, named.kind, &named.key)?;
    require_change(turn, actor, named)?;
    let (kind, definition) = (named.kind, named.words());
    let field = kind.text_field().ok_or_else(|| {
        refuse!(
            "There is no text of a {definition} to write. examine {definition} tells its fields, and set \
             {definition} FIELD = VALUE changes one."
        )
    })?;
    let full = named.full_words();
    let subject = editor::EditedText::of_definition(&full);
    let Some(text) = text else {
        return editor::begin(turn, actor.who, format!("describe {full}"), subject);
    };
    editor::require_free(turn, actor.who, &subject)?;
    let text = sanitise::clean_text(text, turn.config.limits.description_chars as usize);
    let text = match named.kind {
        DefinitionKind::Help => help::text::body(&text),
        DefinitionKind::Creature
        | DefinitionKind::Item
        | DefinitionKind::Theme
        | DefinitionKind::Dialogue
        | DefinitionKind::Quest
        | DefinitionKind::Script => text,
    };
    let text = FileValue::Text(text);
    replace_text(turn, actor, named, |old| kind.edited(old, field, Some(&text)))?;
    let answer = format!("It is written.{}", about(turn, named));
    actor.answer(turn, answer)
}

/// Deletes a definition. One that is also in a content file reverts to the file.
pub(crate) fn destroy(turn: &mut Turn, actor: Actor, named: &DefinitionName) -> Result<(), Refusal> {
    let DefinitionName { kind, key, .. } = named;
    require_change(turn, actor, named)?;
    if let Some(draft) = &named.draft
        && draft_versions::is_of_published(turn, *kind, key)
    {
        draft_versions::remove(turn, draft, *kind, named.plain())?;
        let answer = format!(
            "The draft has no {} any more; publishing it removes the published one.",
            named.described()
        );
        return actor.answer(turn, answer);
    }
    if turn.world.definitions.find(*kind, key).is_none() {
        return Err(refuse!(
            "The {} {key} is in the files of the server, and goes with its file alone.",
            kind.noun()
        ));
    }
    search::require_unused(turn, *kind, key, search::InWorld::Counts)?;
    definitions::write(turn, None, &changes(named, None))?;
    let answer = if turn.of_files.text_of_file(*kind, key).is_some() {
        format!("The {} is as its file says again.", named.described())
    } else {
        match kind {
            DefinitionKind::Creature | DefinitionKind::Item => {
                format!("There is no kind of {} any more.", named.described())
            }
            DefinitionKind::Help
            | DefinitionKind::Theme
            | DefinitionKind::Dialogue
            | DefinitionKind::Quest
            | DefinitionKind::Script => {
                format!("There is no {} any more.", named.described())
            }
        }
    };
    actor.answer(turn, answer)
}

/// Returns an error if the actor may not change a definition, or it does not exist.
pub(crate) fn require_change(turn: &Turn, actor: Actor, named: &DefinitionName) -> Result<(), Refusal> {
    require_right(turn, actor, named.kind)?;
    definitions::require(turn, named.kind, &named.key)?;
    if let Some(draft) = &named.draft {
        zones::require_author(turn, actor.account, draft)?;
        draft_versions::require_kept(turn, named.kind, &named.key, draft)?;
    }
    definitions::require_author(turn, actor.account, named.kind, &named.key)
}

/// Replaces the text of a definition.
pub(crate) fn replace_text(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    edited: impl FnOnce(&str) -> Option<String>,
) -> Result<(), Refusal> {
    require_change(turn, actor, named)?;
    let text = definitions::text_of(turn, named.kind, &named.key).unwrap_or_default();
    let text = edited(text).ok_or_else(|| {
        Refusal::Mistakes(vec!["its text is not TOML, so that only its file can be changed".to_owned()])
    })?;
    require_own_words(turn, named, &text)?;
    write(turn, actor, named, Some(text))?;
    // Creatures around the builder may have a script for their ticks from now on.
    let room = turn.world.characters[actor.who].room;
    turn.emit_event(GameEvent::Stirred { room });
    Ok(())
}

/// Returns a note about existing creatures of the kind, or about commands on a help page that cannot be typed.
fn about(turn: &Turn, named: &DefinitionName) -> String {
    if named.kind == DefinitionKind::Help {
        let path = named.kind.path(&named.key);
        let dead = dead_words(&turn.catalog).into_iter().filter(|dead| dead.place.file == path);
        let warnings: Vec<String> = dead.map(|dead| format!(" But {}.", dead.words())).collect();
        return warnings.concat();
    }
    // A change in a draft may have made its version.
    let key = named.draft.as_ref().map(|_| named.full_key());
    let key = key.filter(|key| turn.world.definitions.find(named.kind, key).is_some());
    let key = key.as_ref().unwrap_or(&named.key);
    let place = named.place();
    let bodies = turn.world.characters.iter().filter(|(_, body)| body.prototype.as_ref() == Some(key));
    let around = if named.kind == DefinitionKind::Creature { bodies.count() } else { 0 };
    match around {
        0 => String::new(),
        1 => format!(
            " The one that is about{place} keeps its name, looks and numbers; what it does is as it is now."
        ),
        around => format!(
            " The {} that are about{place} keep their names, looks and numbers; what they do is as it is now.",
            grammar::number(around)
        ),
    }
}
