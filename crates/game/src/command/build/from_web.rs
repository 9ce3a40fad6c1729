//! Commands sent from the web builder. They are limited to building commands and have the same effect as when typed in
//! the selected room.

use crate::access::sanctions;
use crate::command::build::definition::script;
use crate::command::build::room::{rework, stock};
use crate::command::dispatch::{carry_out, may};
use crate::command::parse::meaning::{Meaning, TypedLine};
use crate::command::parse::{Actor, Words};
use crate::command::spec::{CommandSpec, FromWeb, LineKind};
use crate::command::split;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::unicode;
use deepwell_core::world::Sanction;

/// Runs a command of the web builder as if it were typed in the selected room.
pub(crate) fn build_from_web(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let clean = unicode::clean(line);
    let (spec, rest) = web_command(turn, actor, &clean, FromWeb::Done)?;
    carry_out(turn, actor, spec, rest)
}

/// Runs such a command as a dry run: nothing is logged or written to the journal.
pub(crate) fn try_from_web(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let clean = unicode::clean(line);
    let (spec, rest) = web_command(turn, actor, &clean, FromWeb::Done)?;
    may(turn, actor, spec.needs())?;
    if spec.name == stock::SPAWN {
        // Spawning a creature cannot be rolled back completely, so it is only checked.
        return stock::check_spawn(turn, actor, rest);
    }
    (spec.run.call)(turn, actor, Words::new(rest, spec.missing))
}

/// Resolves a command of the web builder, or of the staff page. A text must be on the same line, because there is no line-by-line editor.
pub(crate) fn web_command<'l>(
    turn: &Turn,
    actor: Actor,
    line: &'l str,
    web_builder: FromWeb,
) -> Result<(&'static CommandSpec, &'l str), Refusal> {
    sanctions::require_no_sanction(turn, actor.account, Sanction::Freeze)?;
    let (word, rest) = split(line.trim());
    let word = word.trim_start_matches('@').to_lowercase();
    let spec = match TypedLine::of_word(&turn.catalog, actor.rights(turn), &word).meaning() {
        Meaning::Command(spec) if spec.right.is_some() => spec,
        _ => return Err(Refusal::Unknown(word, None)),
    };
    let verb = Words::new(rest, spec.missing).keyword().0;
    let is_taken = match spec.from_web {
        FromWeb::Verbs(verbs) => web_builder == FromWeb::Done && verbs.contains(&verb.as_str()),
        from_web => from_web == web_builder,
    };
    if !is_taken {
        return Err(Refusal::Unknown(word, None));
    }
    let has_text = rest.split_once('=').is_some_and(|(_, text)| !text.trim().is_empty());
    // An empty value after the equals sign removes a script: `set on_enter =`. Only one verb of `script` begins a text.
    let begins_no_text = spec.name == script::SCRIPT && verb != script::EDIT;
    let is_whole = has_text || begins_no_text || (spec.name == rework::SET && rest.contains('='));
    if spec.before == LineKind::Text && !is_whole {
        return Err(Refusal::Missing(spec.missing));
    }
    Ok((spec, rest))
}
