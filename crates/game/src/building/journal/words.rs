//! Journal as text: the heading of an entry, and its changes by field and line.

use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::base::DefinitionId;
use deepwell_core::catalog::{DefinitionKind, RoomFlag, draft_key};
use deepwell_core::text::{grammar, sanitise};
use deepwell_core::world::{BuildChanges, Built, JournalEntry, RowChange, SpawnRule, Zone, ZoneChange};
use serde_json::Value;
use std::collections::BTreeSet;

/// Maximum length of a text shown within a line. For a longer text each changed line is shown separately.
const SHORT_CHARS: usize = 60;

/// Form in which creations and deletions are described.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Tense {
    /// Past event: a row was created.
    Then,
    /// Present state: a row exists again.
    Now,
}

/// Returns the heading of an entry: `41, 2027-01-15 08:00 UTC, Olad: name here = Cellar`.
pub(crate) fn heading(entry: &JournalEntry) -> String {
    let undone =
        entry.undone.as_ref().map_or(String::new(), |undone| format!(" (taken back by {})", undone.name));
    format!("{}, {}, {}: {}{undone}", entry.id, entry.at.utc(), entry.name, entry.line)
}

/// Describes the changes, one a line, at most `most` lines, and then the number of further rows.
pub(crate) fn lines(turn: &Turn, touches: &BuildChanges, tense: Tense, most: usize) -> Vec<String> {
    let mut lines = Vec::new();
    for (key, zone) in &touches.zones {
        zone_lines(&mut lines, turn, key, zone, tense);
    }
    for creature in &touches.removed {
        lines.push(match tense {
            Tense::Then => format!("The creature {} was taken away.", creature.name),
            Tense::Now => format!("The creature {} is there again, if its room is.", creature.name),
        });
    }
    // The creation or deletion of a start room is described by its room.
    let is_told = |piece: &&RowChange| {
        let whole = piece.before.is_none() || piece.after.is_none();
        !(whole && matches!(piece.of, Built::Tasks(_)))
    };
    let mut left = touches.pieces.iter().filter(is_told);
    while lines.len() < most
        && let Some(piece) = left.next()
    {
        piece_lines(&mut lines, &name(turn, touches, piece.of), piece, tense);
    }
    let more = lines.len().saturating_sub(most) + left.count();
    lines.truncate(most);
    if more > 0 {
        lines.push(format!("And {} more.", grammar::number(more)));
    }
    lines.iter().map(|line| draft_key::plain_text(line)).collect()
}

/// Returns the images of a row: those that `touches` has, that of the whole row first, and then those of the journal, the
/// newest first.
fn images<'t>(turn: &'t Turn, touches: &'t BuildChanges, of: Built) -> impl Iterator<Item = &'t Value> {
    let others = turn.world.journal.iter().rev().map(|(_, entry)| &entry.touches);
    let pieces = [touches].into_iter().chain(others).flat_map(|touches| &touches.pieces);
    pieces.filter(move |piece| piece.of == of).flat_map(|piece| {
        let (first, second) = (piece.before.iter(), piece.after.iter());
        if piece.after.is_some() { second.chain(first) } else { first.chain(second) }
    })
}

/// Returns the kind and the key of a definition that is gone, and its draft if it has one.
fn definition_gone(turn: &Turn, touches: &BuildChanges, id: DefinitionId) -> Option<String> {
    images(turn, touches, Built::Definition(id)).find_map(|image| {
        let kind: DefinitionKind = serde_json::from_value(image.get("kind")?.clone()).ok()?;
        let draft = image.get("draft").and_then(|draft| draft.get(0)).and_then(Value::as_str);
        Some(definition_name(kind, image.get("key")?.as_str()?, draft))
    })
}

/// Returns the name of a definition in sentences: `creature hare in the draft of mill`.
pub(crate) fn definition_name(kind: DefinitionKind, key: &str, draft: Option<&str>) -> String {
    let key = match draft {
        Some(draft) => draft_key::described_in(draft_key::plain(key), draft),
        None => draft_key::described(key),
    };
    format!("{} {key}", kind.noun())
}

/// Returns the name of a row, from the world or from its stored images.
pub(crate) fn name(turn: &Turn, touches: &BuildChanges, of: Built) -> String {
    let field = |name: &'static str| images(turn, touches, of).find_map(move |image| image.get(name));
    let name_stored = || field("name").and_then(Value::as_str).map(str::to_owned);
    match of {
        Built::Room(id) | Built::Tasks(id) => {
            let now = turn.world.rooms.get(id).map(|room| room.sheet.name.clone());
            let was = || match of {
                Built::Tasks(id) => {
                    let image = images(turn, touches, Built::Room(id)).find_map(|image| image.get("name"));
                    image.and_then(Value::as_str).map(str::to_owned)
                }
                _ => name_stored(),
            };
            format!("{}, room {id}", now.or_else(was).unwrap_or_else(|| "a room that is gone".to_owned()))
        }
        Built::Exit(id) => {
            let now = turn.world.exits.get(id).map(|exit| (exit.name.clone(), exit.room));
            let room = || {
                field("room")?.as_u64().and_then(|id| u32::try_from(id).ok()).map(deepwell_core::base::RoomId)
            };
            let (name_of_exit, room) =
                now.map_or_else(|| (name_stored(), room()), |(name, room)| (Some(name), Some(room)));
            let exit = name_of_exit.map_or_else(|| "an exit".to_owned(), |exit| format!("the exit {exit}"));
            match room {
                Some(room) => format!("{exit} of {}", name(turn, touches, Built::Room(room))),
                None => exit,
            }
        }
        Built::Definition(id) => {
            let now = turn.world.definitions.get(id);
            let now = now.map(|row| {
                let draft = row.draft.as_ref().map(|draft| draft.zone.as_str());
                definition_name(row.kind, &row.key, draft)
            });
            let named = now.or_else(|| definition_gone(turn, touches, id));
            named.map_or_else(|| "content that is gone".to_owned(), |named| format!("the {named}"))
        }
        Built::Item(id) => {
            let now = turn.world.items.get(id).map(|_| naming::item(turn, id));
            now.unwrap_or_else(|| "an item that is gone".to_owned())
        }
        Built::Creature(id) => {
            let now = turn.world.characters.get(id).map(|body| body.name.clone());
            let name = now.or_else(name_stored);
            name.map_or_else(|| "a creature that is gone".to_owned(), |name| format!("the creature {name}"))
        }
    }
}

/// Returns the name of a row at the beginning of a sentence.
pub(crate) fn subject(turn: &Turn, touches: &BuildChanges, of: Built) -> String {
    let name = name(turn, touches, of);
    format!("{}{}", grammar::capitalise(&name), comma_after(&name))
}

/// Returns the comma needed before a verb after a name that ends with a room number.
fn comma_after(name: &str) -> &'static str {
    if name.contains(", room ") { "," } else { "" }
}

fn piece_lines(lines: &mut Vec<String>, name: &str, piece: &RowChange, tense: Tense) {
    let name = grammar::capitalise(name).into_owned();
    let (Some(before), Some(after)) = (&piece.before, &piece.after) else {
        lines.push(format!("{name}{} {}.", comma_after(&name), came_or_went(piece.after.is_some(), tense)));
        return;
    };
    let mut fields = Vec::new();
    flatten(&mut fields, "", before, after);
    for (field, was, is) in fields {
        push_field_change(lines, &format!("{name}, {field}"), &was, &is);
    }
}

const fn came_or_went(came: bool, tense: Tense) -> &'static str {
    match (came, tense) {
        (true, Tense::Then) => "was made",
        (false, Tense::Then) => "was taken away",
        (true, Tense::Now) => "is there again",
        (false, Tense::Now) => "is gone",
    }
}

/// Fields of which the journal does not tell: they follow from others, or are told with the name.
const UNTOLD: [&str; 2] = ["direction", "draft"];

/// Collects the differing fields with their old and new values. Each flag of a room is a field, as in `set here`.
fn flatten(fields: &mut Vec<(String, String, String)>, path: &str, before: &Value, after: &Value) {
    let (Value::Object(was), Value::Object(is)) = (before, after) else {
        fields.push((path.to_owned(), value(path, before), value(path, after)));
        return;
    };
    for (key, before) in was.iter().filter(|(key, _)| !UNTOLD.contains(&key.as_str())) {
        if key == "flags" {
            let has = |image: Option<&Value>, flag: RoomFlag| {
                let flags = image.and_then(Value::as_array).into_iter().flatten();
                if flags.filter_map(Value::as_str).any(|name| name == flag.name()) { "yes" } else { "no" }
            };
            let states = RoomFlag::ALL.map(|flag| (flag, has(Some(before), flag), has(is.get(key), flag)));
            let states = states.into_iter().filter(|(_, was, is)| was != is);
            fields.extend(
                states.map(|(flag, was, is)| (flag.name().to_owned(), was.to_owned(), is.to_owned())),
            );
            continue;
        }
        let path =
            if path.is_empty() { key.replace('_', " ") } else { format!("{path} {}", key.replace('_', " ")) };
        flatten(fields, &path, before, is.get(key).unwrap_or(&Value::Null));
    }
}

/// Formats a value for display.
fn value(path: &str, value: &Value) -> String {
    let inner = |inner: &Value| self::value("", inner);
    match value {
        Value::Null => "nothing".into(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.into(),
        Value::Number(number) if path == "to" => format!("room {number}"),
        Value::Number(number) => number.to_string(),
        Value::String(text) if text.is_empty() => "nothing".into(),
        Value::String(text) => text.clone(),
        Value::Array(items) if items.is_empty() => "nothing".into(),
        Value::Array(items) => items.iter().map(inner).collect::<Vec<_>>().join("; "),
        Value::Object(fields) => {
            // Spawn rules and triggers are shown in command syntax.
            if let Ok(rule) = serde_json::from_value::<SpawnRule>(value.clone()) {
                return rule.words();
            }
            if let (Some(on), Some(lines)) = (fields.get("on"), fields.get("lines")) {
                return format!("{} = {}", inner(on), inner(lines));
            }
            let fields =
                fields.iter().map(|(key, value)| format!("{} {}", key.replace('_', " "), inner(value)));
            fields.collect::<Vec<_>>().join(", ")
        }
    }
}

/// Describes a change of a field: a short text within a line, otherwise each changed line.
fn push_field_change(lines: &mut Vec<String>, what: &str, was: &str, is: &str) {
    let is_short = |text: &str| text.chars().count() <= SHORT_CHARS && !text.contains('\n');
    if is_short(was) && is_short(is) {
        lines.push(format!("{what}: was {was}, is {is}"));
        return;
    }
    let (old, new): (Vec<&str>, Vec<&str>) = (was.lines().collect(), is.lines().collect());
    let same = |(one, other): &(&&str, &&str)| one == other;
    let start = old.iter().zip(&new).take_while(same).count();
    let left = old.len().min(new.len()) - start;
    let end = old.iter().rev().zip(new.iter().rev()).take_while(same).count().min(left);
    let several = old.len() > 1 || new.len() > 1;
    let mut tell = |verb: &str, text: &[&str]| {
        for (number, line) in text.iter().enumerate().take(text.len() - end).skip(start) {
            let place = if several { format!(", line {}", number + 1) } else { String::new() };
            lines.push(format!("{what}{place} {verb}: {line}"));
        }
    };
    tell("was", &old);
    tell("is", &new);
}

fn zone_lines(lines: &mut Vec<String>, turn: &Turn, key: &str, zone: &ZoneChange, tense: Tense) {
    let (Some(before), Some(after)) = (&zone.before, &zone.after) else {
        lines.push(format!("The zone {key} {}.", came_or_went(zone.after.is_some(), tense)));
        return;
    };
    let people = |zone: &Zone| {
        let name = |account| {
            turn.world
                .accounts
                .get(account)
                .map_or_else(|| "a builder who is gone".to_owned(), |row| row.name.clone())
        };
        let authors = grammar::list_or("nobody", zone.authors.iter().copied().map(name));
        (zone.owner.map_or_else(|| "nobody".into(), name), authors)
    };
    let ((owner, authors), (new_owner, new_authors)) = (people(before), people(after));
    if owner != new_owner {
        lines.push(format!("The zone {key}, owner: was {owner}, is {new_owner}"));
    }
    if authors != new_authors {
        lines.push(format!("The zone {key}, builders besides: was {authors}, is {new_authors}"));
    }
    let keys: BTreeSet<&String> = before.vaults.keys().chain(after.vaults.keys()).collect();
    for vault in keys {
        let (was, is) = (before.vaults.get(vault), after.vaults.get(vault));
        match (was, is) {
            (Some(_), Some(_)) if was != is => lines.push(format!("The vault {vault} is another.")),
            (None, _) | (_, None) => {
                lines.push(format!("The vault {vault} {}.", came_or_went(is.is_some(), tense)));
            }
            _ => {}
        }
    }
    if before.origin != after.origin {
        lines.push(format!("The zone {key} lies elsewhere on the map."));
    }
}

/// Cuts lines to fit into a list while the two sides of a change still differ.
pub(crate) fn cut_keeping_difference(lines: &[String], chars: usize) -> Vec<String> {
    /// Characters of the common beginning that remain before the first difference.
    const CONTEXT: usize = 16;
    let sides = |line: &str| {
        let (was, is) = (line.split_once(" was: "), line.split_once(" is: "));
        let before =
            was.map(|(head, text)| (format!("{head} was: "), format!("{head} is: "), text.to_owned()));
        before.or_else(|| {
            is.map(|(head, text)| (format!("{head} is: "), format!("{head} was: "), text.to_owned()))
        })
    };
    let shown = |line: &String| {
        // A short change shows both sides in one line of bounded length.
        if line.chars().count() <= chars || line.contains(": was ") && line.contains(", is ") {
            return line.clone();
        }
        let differing = sides(line).and_then(|(head, other, text)| {
            let partner = lines.iter().find_map(|line| line.strip_prefix(&other))?;
            let common = text.chars().zip(partner.chars()).take_while(|(one, two)| one == two).count();
            let rest: String = text.chars().skip(common.saturating_sub(CONTEXT)).collect();
            (common > CONTEXT).then(|| format!("{head}...{rest}"))
        });
        cut(differing.as_ref().unwrap_or(line), chars)
    };
    lines.iter().map(shown).collect()
}

/// Cuts a line to fit into a list.
pub(crate) fn cut(line: &str, chars: usize) -> String {
    let short = sanitise::clean_line(line, chars);
    if short.len() < line.trim().len() { format!("{short}...") } else { short }
}
