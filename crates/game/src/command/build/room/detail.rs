//! Details: texts shown when a player looks at a word of a hand-built room's description.

use crate::building::built_rooms::MOST_ALIASES;
use crate::command::build::room::exits::building_site;
use crate::command::parse::build_argument::EqualsSides;
use crate::command::parse::{Actor, TextArgument};
use crate::command::spec::{CommandSpec, LineKind, run};
use crate::message::editor;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Right, RoomId, RuleLimit};
use deepwell_core::text::sanitise;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "detail",
        right: Some(Right::Texts),
        syntax: "detail WORD[;WORD] [= TEXT]",
        summary: "Writes what looking at a word of this room shows. Without a text you write it line by line, and a dot alone ends it.",
        example: "detail bucket;rope = The bucket has no bottom.",
        takes_words: true,
        before: LineKind::Text,
        missing: "detail WORD = TEXT",
        run: run!(write_detail),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "undetail",
        right: Some(Right::Texts),
        syntax: "undetail WORD",
        summary: "Takes away what looking at a word of this room shows.",
        example: "undetail bucket: nothing is behind that word any more.",
        missing: "undetail and a word of this room",
        run: run!(remove_detail),
        ..CommandSpec::BUILDER
    },
];

/// Returns the key of the room's detail that matches one of these words.
fn detail_of(turn: &Turn, room: RoomId, words: &[String]) -> Option<String> {
    let details = &turn.world.rooms[room].sheet.details;
    let meant = |nouns: &&String| nouns.split(',').any(|noun| words.iter().any(|word| word == noun.trim()));
    details.keys().find(meant).cloned()
}

/// Parses the words of a detail, which are separated by semicolons or commas, and converts them to lower case.
fn nouns(turn: &Turn, typed: &str) -> Vec<String> {
    let most = turn.config.limits.name_chars as usize;
    let nouns = typed.split([';', ',']).map(|word| sanitise::clean_line(word, most).to_lowercase());
    nouns.filter(|word| !word.is_empty()).take(MOST_ALIASES + 1).collect()
}

fn write_detail(
    turn: &mut Turn,
    actor: Actor,
    EqualsSides { left, right }: EqualsSides<'_>,
) -> Result<(), Refusal> {
    let room = building_site(turn, actor.who)?;
    let nouns = nouns(turn, left);
    if nouns.is_empty() {
        return Err(Refusal::Missing("detail WORD = TEXT"));
    }
    let old = detail_of(turn, room, &nouns);
    if old.is_none() {
        let (limits, has) = (&turn.config.limits, turn.world.rooms[room].sheet.details.len());
        refusal::require_below(limits, RuleLimit::DetailsPerRoom, has, |most| {
            refuse!(
                "A room has at most {most} words behind which something is found; undetail takes one away."
            )
        })?;
    }
    let about = editor::EditedText::of_detail(room, &old.clone().unwrap_or_else(|| nouns.join(", ")));
    let Some(text) = right else {
        return editor::begin(turn, actor.who, format!("detail {}", nouns.join(";")), about);
    };
    editor::require_free(turn, actor.who, &about)?;
    let text = sanitise::clean_text(text, turn.config.limits.description_chars as usize);
    if text.is_empty() {
        return Err(Refusal::Missing("detail WORD = TEXT"));
    }
    let message = format!("Whoever looks at {} reads that.", nouns.join(" or "));
    if let Some(row) = turn.world.rooms.edit(room) {
        if let Some(old) = old {
            row.sheet.details.remove(&old);
        }
        row.sheet.details.insert(nouns.join(", "), text);
    }
    actor.answer(turn, message)
}

fn remove_detail(turn: &mut Turn, actor: Actor, TextArgument(noun): TextArgument<'_>) -> Result<(), Refusal> {
    let room = building_site(turn, actor.who)?;
    let detail = detail_of(turn, room, &nouns(turn, noun));
    let detail = detail.ok_or_else(|| refuse!("There is no detail \"{noun}\" here."))?;
    turn.world.rooms.change(room, |row| row.sheet.details.remove(&detail));
    actor.answer(turn, format!("Nothing is behind {} any more.", detail.replace(", ", " or ")))
}
