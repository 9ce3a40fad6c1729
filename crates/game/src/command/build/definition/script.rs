//! Luau scripts that builders write in the game: shown, edited line by line, tried without effect, and their last errors.

use crate::access::draft_names;
use crate::building::definitions;
use crate::character::variables::Subjects;
use crate::command::build::definition::change;
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, LineKind, run};
use crate::creature::script::call;
use crate::creature::script::event::ScriptContext;
use crate::message::editor;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{Right, RoomId, RuleLimit};
use deepwell_core::catalog::{DefinitionKind, draft_key};
use deepwell_core::script::{Program, ScriptLimits};
use deepwell_core::text::{Markup, Style, grammar};
use std::collections::BTreeSet;

/// Name of the command.
pub(crate) const SCRIPT: &str = "script";

/// Verb that opens a script line by line.
pub(crate) const EDIT: &str = "edit";

/// Lines of a script shown at once.
const SHOWN: usize = 60;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: SCRIPT,
    right: Some(Right::Scripts),
    syntax: "script [VERB] [KEY] [FUNCTION] [WORDS]",
    summary: "Writes scripts in Luau, which triggers call. Alone it lists all; make script KEY begins one. show KEY shows it with line numbers, from a line on if its number follows. edit KEY opens it line by line, and write KEY = TEXT replaces it, where a backslash and n end a line, and two backslashes are one. test KEY FUNCTION WORDS calls a function as if a trigger of this room called it for you and you had said these words, and tells what it gives back without doing it. log KEY tells its last errors and notes, and limits what a call may use.",
    example: "script test dart_trap walk",
    takes_words: true,
    before: LineKind::Text,
    missing: "script and show, edit, write, test or log and the key of a script, or script limits",
    run: run!(script),
    ..CommandSpec::BUILDER
}];

/// Argument of `script`.
enum ScriptOrder<'a> {
    List,
    Limits,
    Show { key: String, from: usize },
    Edit(String),
    Write { key: String, text: &'a str },
    Test { key: String, function: &'a str, words: &'a str },
    Log(String),
}

impl<'a> Argument<'a> for ScriptOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (verb, rest) = words.keyword();
        let key = || -> Result<(String, Words<'a>), Refusal> { Ok(rest.required()?.keyword()) };
        Ok(match verb.as_str() {
            "" => Self::List,
            "limits" if rest.is_empty() => Self::Limits,
            EDIT => Self::Edit(key()?.0),
            "log" => Self::Log(key()?.0),
            "write" => {
                let (left, text) = rest.sides();
                let text = text.ok_or_else(|| words.missing())?.text();
                Self::Write { key: left.required()?.keyword().0, text }
            }
            "test" => {
                let (key, call) = key()?;
                let (function, spoken) = call.required()?.first_word();
                Self::Test { key, function: function.text(), words: spoken.text() }
            }
            "show" => {
                let (key, from) = key()?;
                Self::Show { key, from: from.text().parse().unwrap_or(1).max(1) }
            }
            _ => Self::Show { key: verb, from: rest.text().parse().unwrap_or(1).max(1) },
        })
    }
}

fn script(turn: &mut Turn, actor: Actor, order: ScriptOrder<'_>) -> Result<(), Refusal> {
    if let ScriptOrder::Show { key, .. }
    | ScriptOrder::Edit(key)
    | ScriptOrder::Write { key, .. }
    | ScriptOrder::Test { key, .. }
    | ScriptOrder::Log(key) = &order
    {
        definitions::require(turn, DefinitionKind::Script, &of(turn, actor, key).key)?;
    }
    match order {
        ScriptOrder::List => {
            let page = list(turn, turn.workplace(actor.who));
            actor.answer(turn, page)
        }
        ScriptOrder::Limits => {
            let page = limits(turn);
            actor.answer(turn, page)
        }
        ScriptOrder::Show { key, from } => {
            let page = editor::numbered(&lines_of(turn, &of(turn, actor, &key).key), from, SHOWN);
            actor.answer(turn, page)
        }
        ScriptOrder::Edit(key) => {
            let named = of(turn, actor, &key);
            change::require_change(turn, actor, &named)?;
            let lines = lines_of(turn, &named.key).into_iter().map(str::to_owned).collect();
            let full = named.full_key();
            let about = editor::EditedText::of_script(&full);
            editor::begin_with(turn, actor.who, format!("script write {full}"), about, lines)
        }
        ScriptOrder::Write { key, text } => write(turn, actor, &key, text),
        ScriptOrder::Test { key, function, words } => {
            let page = test(turn, actor, &of(turn, actor, &key), function, words)?;
            actor.answer(turn, page)
        }
        ScriptOrder::Log(key) => {
            let page = log(turn, &of(turn, actor, &key).key);
            actor.answer(turn, page)
        }
    }
}

/// Returns the script that a key means where the builder works.
fn of(turn: &Turn, actor: Actor, key: &str) -> DefinitionName {
    DefinitionName::of(turn, actor.who, DefinitionKind::Script, key)
}

/// Returns the lines of a script.
fn lines_of<'t>(turn: &'t Turn, key: &str) -> Vec<&'t str> {
    definitions::text_of(turn, DefinitionKind::Script, key).unwrap_or_default().lines().collect()
}

/// Lists the scripts: those made in the game, and those of files.
fn list(turn: &Turn, room: RoomId) -> String {
    let is_shown = |key: &str| draft_names::is_shown(turn, room, key);
    let made =
        turn.world.definitions.iter().map(|(_, row)| row).filter(|row| row.kind == DefinitionKind::Script);
    let made = made.map(|row| row.key.as_str()).filter(|key| is_shown(key));
    let made: BTreeSet<&str> = made.map(draft_key::plain).collect();
    let of_files = turn.catalog.defined(DefinitionKind::Script).into_iter();
    let of_files = of_files.filter(|key| is_shown(key) && !made.contains(draft_key::plain(key)));
    let of_files: Vec<&str> = of_files.collect();
    match (made.is_empty(), of_files.is_empty()) {
        (true, true) => "There are no scripts. make script KEY begins one.".to_owned(),
        (true, false) => {
            format!("The scripts are {}, all from the files of the server.", grammar::list(of_files))
        }
        (false, true) => format!("The scripts are {}.", grammar::list(made)),
        (false, false) => format!(
            "The scripts made in the game are {}. From the files of the server come {}.",
            grammar::list(made),
            grammar::list(of_files)
        ),
    }
}

/// Replaces the text of a script, unless it does not compile.
fn write(turn: &mut Turn, actor: Actor, key: &str, typed: &str) -> Result<(), Refusal> {
    let named = of(turn, actor, key);
    editor::require_free(turn, actor.who, &editor::EditedText::of_script(&named.full_key()))?;
    let (limits, lines) = (&turn.config.limits, editor::unescaped(typed));
    let too_many = |most| refuse!("A script has at most {most} lines.");
    refusal::require_at_most(limits, RuleLimit::ScriptLines, lines.len(), too_many)?;
    let text = format!("{}\n", lines.join("\n").trim_end());
    change::replace_text(turn, actor, &named, |_| Some(text))?;
    let named = of(turn, actor, key);
    let functions = turn.catalog.scripts.get(&named.key).map(|program| grammar::list(program.functions()));
    let functions = functions.filter(|functions| !functions.is_empty());
    let has = functions
        .map_or_else(|| "It has no functions.".to_owned(), |known| format!("Its functions: {known}."));
    actor.answer(turn, format!("The script {} is written. {has}", named.plain()))
}

/// Calls a function without effect, and describes its answer and what it used. While the builder edits the script, the
/// lines so far are called.
fn test(
    turn: &Turn,
    actor: Actor,
    named: &DefinitionName,
    function: &str,
    input: &str,
) -> Result<Markup, Refusal> {
    let key = &named.key;
    let path = DefinitionKind::Script.path(key);
    let program = match editor::script_lines(turn, actor.who, &named.full_key()) {
        Some(lines) => Program::compile(&path, &lines.join("\n")).map_err(|mistake| mistake.to_string()),
        None => turn.catalog.scripts.get(key).cloned().ok_or_else(|| why_not(turn, key)),
    };
    let program = program.map_err(|why| refuse!("The script {key} is not in force: {why}"))?;
    let subjects = Subjects::of_room(turn.workplace(actor.who), Some(actor.who));
    let (answer, cost) =
        call::try_script(turn, key, &program, function, ScriptContext { subjects, words: input });
    let mut page = Markup::new();
    match answer {
        Ok(answer) => {
            let count = answer.lines.lines().len();
            let lines = if count == 0 { "no lines".to_owned() } else { grammar::counted(count, "line") };
            page.line(Style::Plain, &format!("{function} gives back {lines}. Nothing of it is done."));
            answer.lines.lines().iter().for_each(|line| page.line(Style::Command, &line.to_string()));
            if let Some(state) = answer.state {
                let state = serde_json::to_string(&state).unwrap_or_default();
                page.line(Style::Plain, &format!("Its state would be {state}."));
            }
            answer.notes.iter().for_each(|note| page.line(Style::Plain, &format!("It notes: {note}")));
        }
        Err(fault) => {
            page.line(Style::Plain, &format!("{function} fails. {}.", call::with_chain(&fault)));
            let known = grammar::list(program.functions());
            if !program.functions().any(|known| known == function) && !known.is_empty() {
                page.line(Style::Plain, &format!("Its functions: {known}."));
            }
        }
    }
    let most = call::limits(turn);
    page.line(
        Style::Plain,
        &format!(
            "It used {} of {} steps, and {} of {} bytes of memory.",
            cost.steps, most.steps, cost.memory_bytes, most.memory_bytes
        ),
    );
    Ok(page)
}

/// Returns the errors of a script that is not in force.
fn why_not(turn: &Turn, key: &str) -> String {
    let row = turn.world.definitions.find(DefinitionKind::Script, key);
    let mistakes = row.and_then(|row| turn.set_aside.get(&row.id)).into_iter().flatten();
    grammar::list(mistakes.map(ToString::to_string).collect::<Vec<_>>())
}

/// Lists the last errors and notes of a script, newest last.
fn log(turn: &Turn, key: &str) -> Markup {
    let mut page = Markup::new();
    for entry in turn.script_log.of(key) {
        let times = match entry.times {
            1 => String::new(),
            times => format!(", {}", grammar::counted(times, "time")),
        };
        page.line(Style::Plain, &format!("{}{times}. {}", entry.at.utc(), entry.text));
    }
    if turn.script_log.of(key).next().is_none() {
        page.line(
            Style::Plain,
            &format!(
                "The script {} has not failed or noted anything since the server began.",
                draft_key::plain(key)
            ),
        );
    }
    page
}

/// Lists the limits of a call and of a script.
fn limits(turn: &Turn) -> Markup {
    let (call, own) = (call::limits(turn), &turn.config.limits);
    let source = own.definition_bytes.min(u32::try_from(ScriptLimits::SOURCE_BYTES).unwrap_or(u32::MAX));
    let mut page = Markup::new();
    for line in [
        format!(
            "A call may take {} steps: statements and expressions, which cost more if much memory is used.",
            call.steps
        ),
        format!(
            "It may use {} bytes of memory, and build texts of {} bytes.",
            call.memory_bytes, call.text_bytes
        ),
        format!(
            "It may give back {} values with {} bytes of text, in tables {} deep.",
            call.entries, call.result_bytes, call.depth
        ),
        format!("Its state in a room may have {} bytes.", own.script_state_bytes),
        format!(
            "It is given at most {} people, creatures, kinds of items and exits of a room.",
            own.script_scene
        ),
        format!("A script written in the game has at most {} lines and {source} bytes.", own.script_lines),
        format!("The last {} errors and notes of a script are kept for script log.", own.script_log),
    ] {
        page.line(Style::Plain, &line);
    }
    page
}
