//! Sheet of a definition for builders: its origin, its uses, and the commands that recreate it.

use crate::building::definitions;
use crate::building::zones::search;
use crate::command::build::definition::field_value;
use crate::command::parse::definition_name::DefinitionName;
use crate::message::{editor, editor_line};
use crate::turn::Turn;
use deepwell_core::catalog::{DefinitionKind, draft_key};
use deepwell_core::data::FileValue;
use deepwell_core::text::{Markup, Style, grammar};

/// Maximum number of uses listed.
const USERS_TOLD: usize = 12;

/// Returns the sheet of a definition; `None` if it does not exist.
pub(crate) fn sheet(turn: &Turn, named: &DefinitionName) -> Option<Markup> {
    let DefinitionName { kind, key, .. } = named;
    let text = definitions::text_of(turn, *kind, key)?;
    let called = turn.catalog.called(*kind, key).unwrap_or(key);
    let mut sheet = Markup::styled(
        Style::Heading,
        &format!("{}, the {}", grammar::capitalise(called), named.described()),
    );
    sheet.line(Style::Plain, &origin(turn, named));
    if let Some(row) = turn.world.definitions.find(*kind, key)
        && let Some(mistakes) = turn.set_aside.get(&row.id)
    {
        for mistake in mistakes {
            sheet.line(Style::Plain, &format!("Not in force: {mistake}."));
        }
    }
    let mut users = search::users(turn, *kind, key, search::InWorld::Counts);
    if let Some(draft) = &named.draft {
        for user in &mut users {
            *user = draft_key::published_text(user, draft, draft);
        }
    }
    if users.len() > USERS_TOLD {
        let more = users.split_off(USERS_TOLD).len();
        users.push(format!("{more} more"));
    }
    sheet.line(Style::Plain, &format!("Used by: {}.", grammar::list_or("nothing", users)));
    let most = turn.config.limits.definition_bytes;
    if text.len() > most as usize {
        let kind_name = named.kind.name();
        sheet.line(
            Style::Plain,
            &format!(
                "It is longer than the {most} bytes that are written in the game: make {kind_name} KEY like \
                 {key}, and set single fields of that."
            ),
        );
    }
    sheet.line(Style::Heading, "To type it again:");
    for line in typed(turn, named, text) {
        sheet.line(Style::Command, &line);
    }
    Some(sheet)
}

/// Returns the origin of a definition: its file or its builder.
fn origin(turn: &Turn, DefinitionName { kind, key, .. }: &DefinitionName) -> String {
    let file = turn.of_files.text_of_file(*kind, key).map(|_| kind.path(key));
    let Some(row) = turn.world.definitions.find(*kind, key) else {
        return format!("From the file {} of the server.", file.unwrap_or_default());
    };
    let (by, last) = (definitions::author_name(turn, row), definitions::last_author(turn, row));
    if let Some(draft) = &row.draft {
        let what = if draft.since.is_some() { "Changed in the draft" } else { "Made in the draft" };
        return format!(
            "{what} {} by {last}, {}. Players see it when the draft is published.",
            draft.zone,
            row.at.utc()
        );
    }
    let zone = row.zone.as_ref().map_or_else(String::new, |zone| format!(" for the zone {zone}"));
    let file = file.map_or_else(String::new, |file| format!(" over the file {file} of the server"));
    let last = if last == by { String::new() } else { format!(" by {last}") };
    format!("Made by {by}{zone}{file}, changed{last} {}.", row.at.utc())
}

/// Returns the commands that recreate the definition.
fn typed(turn: &Turn, named: &DefinitionName, text: &str) -> Vec<String> {
    let definition = named.words();
    let mut fields = named.kind.fields(text).unwrap_or_default();
    let mut lines = Vec::new();
    if named.kind == DefinitionKind::Script {
        return script_lines(turn, named, text);
    }
    if named.plain() == named.key && turn.of_files.text_of_file(named.kind, &named.key).is_none() {
        let mut take = |field: &str| {
            let at = fields.iter().position(|(key, _)| key == field)?;
            match fields.remove(at).1 {
                FileValue::Text(text) => Some(text),
                _ => None,
            }
        };
        let like = take("inherits").map_or_else(String::new, |parent| format!(" like {parent}"));
        let name = take(named.kind.name_field()).map_or_else(String::new, |name| format!(" = {name}"));
        lines.push(format!("make {definition}{like}{name}"));
    }
    let most = turn.config.limits.line_bytes as usize;
    for (field, value) in &fields {
        lines.extend(set_lines(
            &format!("set {definition} {field}"),
            &field_value::written(field, value),
            most,
        ));
    }
    lines
}

/// Returns the commands that write a script again: one, or line by line if that would be too long.
fn script_lines(turn: &Turn, named: &DefinitionName, text: &str) -> Vec<String> {
    let is_made = named.plain() == named.key && turn.of_files.text_of_file(named.kind, &named.key).is_none();
    let begun = is_made.then(|| format!("make {}", named.words()));
    let source: Vec<&str> = text.lines().collect();
    let whole = format!("script write {} = {}", named.plain(), editor::escaped(&source));
    let written = if whole.len() <= turn.config.limits.line_bytes as usize {
        vec![whole]
    } else {
        let first = [format!("script edit {}", named.plain()), ".delete all".to_owned()];
        let lines = source.into_iter().map(str::to_owned);
        first.into_iter().chain(lines).chain([".".to_owned()]).collect()
    };
    begun.into_iter().chain(written).collect()
}

/// Returns the command that sets a field; if it is longer than `most` bytes, the lines that write the field line by
/// line.
fn set_lines(command: &str, value: &str, most: usize) -> Vec<String> {
    let whole = format!("{command} = {value}");
    if whole.len() <= most {
        return vec![whole];
    }
    let mut lines = vec![command.to_owned()];
    let mut rest = value;
    while rest.len() > most {
        let breaks = rest.match_indices(' ').map(|(at, _)| at).take_while(|at| *at <= most);
        let Some(at) = breaks.filter(|at| editor_line::can_break(rest, *at)).last() else { break };
        lines.push(rest[..at].to_owned());
        rest = &rest[at + 1..];
    }
    lines.extend([rest.to_owned(), ".".to_owned()]);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_field_value_is_split_at_single_spaces() {
        let lines = set_lines("set theme t omens", "[\"a  b /c - d . e\", \"fg\"]", 12);
        assert_eq!(lines, ["set theme t omens", "[\"a  b /c -", "d . e\",", "\"fg\"]", "."]);
        assert_eq!(set_lines("set item t value", "3", 40), ["set item t value = 3"]);
    }
}
