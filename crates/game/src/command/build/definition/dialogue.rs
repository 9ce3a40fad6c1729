//! Dialogues, as builders write them in the game: nodes, answers, topics and beginnings, one command for each.

use crate::access::draft_names;
use crate::building::definitions;
use crate::command::build::definition::change;
use crate::command::build::definition::object_trigger::read_lines;
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, run};
use crate::refusal::Refusal;
use crate::speech::dialogue;
use crate::state::talks::Partner;
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::catalog::creature::dialogue::DialogueAnswer;
use deepwell_core::catalog::script::condition::{self, Condition};
use deepwell_core::catalog::{DefinitionKind, Dialogue, draft_key};
use deepwell_core::data::FileValue;
use deepwell_core::text::{Markup, Style, grammar, sanitise};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "dialogue",
    right: Some(Right::Prototypes),
    syntax: "dialogue [VERB] [KEY] [NODE]",
    summary: "Writes what creatures and people of the town say when somebody talks to them. Alone it lists all; make dialogue KEY begins one. show KEY tells all of it, and test KEY lets you talk with nobody through it. say KEY NODE = TEXT sets what is said at a node. answer KEY NODE = TEXT leads to NODE adds an answer that leads on; without leads to it ends the talk, and with a NUMBER behind the node it changes that answer. if KEY NODE NUMBER = CONDITION offers an answer only then, do KEY NODE = LINE; LINE runs lines when the node is said, and with a NUMBER behind the node when that answer is given. start KEY = CONDITION leads to NODE begins elsewhere, and topic KEY = WORD;WORD leads to NODE answers ask. none in place of the text takes the node, answer, condition, lines, start or topic away.",
    example: "dialogue answer keeper hello = What is below? leads to below",
    takes_words: true,
    missing: "dialogue and show, test, say, answer, if, do, start or topic, and the key of a dialogue",
    run: run!(write),
    ..CommandSpec::BUILDER
}];

/// Argument of `dialogue`.
struct DialogueOrder<'a> {
    verb: String,
    key: String,
    /// Node and number behind the key.
    place: Vec<&'a str>,
    value: Option<&'a str>,
}

impl<'a> Argument<'a> for DialogueOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        const VERBS: [&str; 8] = ["show", "test", "say", "answer", "if", "do", "start", "topic"];
        let (left, right) = words.sides();
        if left.is_empty() {
            return Ok(Self { verb: String::new(), key: String::new(), place: Vec::new(), value: None });
        }
        let (first, rest) = left.keyword();
        let (verb, rest) =
            if VERBS.contains(&first.as_str()) { (first, rest) } else { ("show".to_owned(), left) };
        let (key, place) = rest.required()?.keyword();
        let place = place.text().split_whitespace().collect();
        Ok(Self { verb, key, place, value: right.map(Words::text) })
    }
}

/// Table of a file.
type DialogueTable = BTreeMap<String, FileValue>;

fn write(turn: &mut Turn, actor: Actor, order: DialogueOrder<'_>) -> Result<(), Refusal> {
    let DialogueOrder { verb, key, place, value } = order;
    if verb.is_empty() {
        let room = turn.workplace(actor.who);
        let keys = turn.catalog.dialogues.keys().filter(|key| draft_names::is_shown(turn, room, key));
        let keys: BTreeSet<&str> = keys.map(|key| draft_key::plain(key)).collect();
        let keys = grammar::list(keys);
        let message = if keys.is_empty() {
            "There are no dialogues.".to_owned()
        } else {
            format!("The dialogues are {keys}.")
        };
        return actor.answer(turn, message);
    }
    let named = DefinitionName::of(turn, actor.who, DefinitionKind::Dialogue, &key);
    definitions::require(turn, DefinitionKind::Dialogue, &named.key)?;
    let missing = || Refusal::Missing(COMMANDS[0].missing);
    match (verb.as_str(), place.as_slice(), value) {
        ("show", [], None) => {
            let page = turn.catalog.dialogues.get(&named.key).map(sheet).unwrap_or_default();
            actor.answer(turn, page)
        }
        ("test", [], None) => dialogue::begin(turn, actor.who, Partner::Trial, &named.key, None),
        ("say", [node], Some(text)) => say(turn, actor, &key, node, text),
        ("answer", [node], Some(text)) => answer(turn, actor, &key, node, text),
        ("answer", [node, number], Some(text)) if is_none(text) => {
            change_choice(turn, actor, &key, node, number, |_| None)
        }
        ("answer", [node, number], Some(text)) => change_answer(turn, actor, &key, (node, number), text),
        ("if", [node, number], Some(typed)) => {
            let condition = (!is_none(typed)).then(|| condition(typed)).transpose()?;
            change_choice(turn, actor, &key, node, number, |choice| {
                put(choice, "only_if", condition.map(FileValue::Text));
                Some(())
            })
        }
        ("do", [node], Some(typed)) => {
            let lines = lines(typed)?;
            change_node(turn, actor, &key, node, |table| put(table, "lines", lines))
        }
        ("do", [node, number], Some(typed)) => {
            let lines = lines(typed)?;
            change_choice(turn, actor, &key, node, number, |choice| {
                put(choice, "lines", lines);
                Some(())
            })
        }
        ("start", [], Some(typed)) => start(turn, actor, &key, typed),
        ("topic", [], Some(typed)) => topic(turn, actor, &key, typed),
        _ => Err(missing()),
    }
}

fn is_none(typed: &str) -> bool {
    typed.eq_ignore_ascii_case("none")
}

/// Returns a typed condition in its usual form.
fn condition(typed: &str) -> Result<String, Refusal> {
    let read = Condition::parse(typed).map(|condition| condition.to_string());
    let mistake = || format!("`{typed}` is no condition, expected {}", condition::tests());
    read.ok_or_else(|| Refusal::Mistakes(vec![mistake()]))
}

/// Returns typed lines as the value of a key; `None` if there are to be none.
fn lines(typed: &str) -> Result<Option<FileValue>, Refusal> {
    if is_none(typed) {
        return Ok(None);
    }
    let lines: Vec<String> = read_lines(typed)?.into();
    Ok(Some(FileValue::List(lines.into_iter().map(FileValue::Text).collect())))
}

fn put(table: &mut DialogueTable, key: &str, value: Option<FileValue>) {
    match value {
        Some(value) => drop(table.insert(key.to_owned(), value)),
        None => drop(table.remove(key)),
    }
}

fn text(value: &str) -> FileValue {
    FileValue::Text(value.to_owned())
}

fn is_called(table: &DialogueTable, key: &str) -> bool {
    matches!(table.get("key"), Some(FileValue::Text(own)) if own == key)
}

/// Returns the list of tables under a key.
fn tables(table: &DialogueTable, key: &str) -> Vec<DialogueTable> {
    let Some(FileValue::List(all)) = table.get(key) else { return Vec::new() };
    all.iter()
        .filter_map(|one| if let FileValue::Table(one) = one { Some(one.clone()) } else { None })
        .collect()
}

fn list_of(tables: Vec<DialogueTable>) -> Option<FileValue> {
    (!tables.is_empty()).then(|| FileValue::List(tables.into_iter().map(FileValue::Table).collect()))
}

/// Changes a dialogue as a table of its file. `Err` names what is not there.
fn change(
    turn: &mut Turn,
    actor: Actor,
    key: &str,
    change: impl FnOnce(&mut DialogueTable) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let named = DefinitionName::of(turn, actor.who, DefinitionKind::Dialogue, key);
    let key = &named.key;
    let before = definitions::text_of(turn, named.kind, key).unwrap_or_default();
    let fields = named.kind.fields(before).unwrap_or_default();
    let mut table: DialogueTable = fields.into_iter().collect();
    let old = table.clone();
    change(&mut table)?;
    change::replace_text(turn, actor, &named, |text| {
        ["nodes", "starts", "topics"]
            .into_iter()
            .filter(|list| old.get(*list) != table.get(*list))
            .try_fold(text.to_owned(), |text, list| named.kind.edited(&text, list, table.get(list)))
    })
}

/// Adds a node that says nothing yet, unless there is one of that key.
fn add_missing_node(table: &mut DialogueTable, key: &str) {
    let mut nodes = tables(table, "nodes");
    if !nodes.iter().any(|node| is_called(node, key)) {
        nodes.push([("key".to_owned(), text(key)), ("text".to_owned(), text("..."))].into());
        put(table, "nodes", list_of(nodes));
    }
}

fn no_node(key: &str, node: &str) -> Refusal {
    Refusal::Mistakes(vec![format!("the dialogue {key} has no node `{node}`")])
}

/// Splits `TEXT leads to NODE`.
fn destination(typed: &str) -> (&str, Option<&str>) {
    let split = typed.rsplit_once(" leads to ");
    split.map_or((typed, None), |(text, node)| (text.trim(), Some(node.trim())))
}

fn say(turn: &mut Turn, actor: Actor, key: &str, node: &str, typed: &str) -> Result<(), Refusal> {
    let sentence = sanitise::clean_line(typed, turn.config.limits.description_chars as usize);
    change(turn, actor, key, |table| {
        let mut nodes = tables(table, "nodes");
        let at = nodes.iter().position(|known| is_called(known, node));
        match at {
            Some(at) if is_none(typed) => drop(nodes.remove(at)),
            Some(at) => put(&mut nodes[at], "text", Some(text(&sentence))),
            None if is_none(typed) => return Err(no_node(key, node)),
            None => nodes.push([("key".to_owned(), text(node)), ("text".to_owned(), text(&sentence))].into()),
        }
        put(table, "nodes", list_of(nodes));
        Ok(())
    })?;
    let result = if is_none(typed) { "is gone" } else { "is written" };
    actor.answer(turn, format!("The node {node} of {key} {result}."))
}

/// Changes a node.
fn change_node(
    turn: &mut Turn,
    actor: Actor,
    key: &str,
    node: &str,
    edit: impl FnOnce(&mut DialogueTable),
) -> Result<(), Refusal> {
    change(turn, actor, key, |table| {
        let mut nodes = tables(table, "nodes");
        let meant =
            nodes.iter_mut().find(|known| is_called(known, node)).ok_or_else(|| no_node(key, node))?;
        edit(meant);
        put(table, "nodes", list_of(nodes));
        Ok(())
    })?;
    actor.answer(turn, format!("The node {node} of {key} is changed. dialogue show {key} tells all of it."))
}

fn answer(turn: &mut Turn, actor: Actor, key: &str, node: &str, typed: &str) -> Result<(), Refusal> {
    let (sentence, to) = destination(typed);
    let sentence = sanitise::clean_line(sentence, turn.config.limits.description_chars as usize);
    let mut number = 0;
    change(turn, actor, key, |table| {
        if let Some(to) = to {
            add_missing_node(table, to);
        }
        let mut nodes = tables(table, "nodes");
        let meant =
            nodes.iter_mut().find(|known| is_called(known, node)).ok_or_else(|| no_node(key, node))?;
        let mut choices = tables(meant, "choices");
        let mut choice: DialogueTable = [("text".to_owned(), text(&sentence))].into();
        put(&mut choice, "to", to.map(text));
        choices.push(choice);
        number = choices.len();
        put(meant, "choices", list_of(choices));
        put(table, "nodes", list_of(nodes));
        Ok(())
    })?;
    let leads = to.map_or_else(|| "ends the talk".to_owned(), |to| format!("leads to {to}"));
    actor.answer(turn, format!("Answer {number} of {node} {leads}."))
}

/// Changes the text and destination of an answer; its condition and lines stay.
fn change_answer(
    turn: &mut Turn,
    actor: Actor,
    key: &str,
    (node, number): (&str, &str),
    typed: &str,
) -> Result<(), Refusal> {
    let (sentence, to) = destination(typed);
    let sentence = sanitise::clean_line(sentence, turn.config.limits.description_chars as usize);
    change_choice(turn, actor, key, node, number, |choice| {
        put(choice, "text", Some(text(&sentence)));
        put(choice, "to", to.map(text));
        Some(())
    })
}

/// Changes an answer of a node, or removes it if `edit` returns `None`.
fn change_choice(
    turn: &mut Turn,
    actor: Actor,
    key: &str,
    node: &str,
    number: &str,
    edit: impl FnOnce(&mut DialogueTable) -> Option<()>,
) -> Result<(), Refusal> {
    let no_choice = || Refusal::Mistakes(vec![format!("the node {node} of {key} has no answer {number}")]);
    let at = number.parse::<usize>().ok().and_then(|number| number.checked_sub(1)).ok_or_else(no_choice)?;
    change(turn, actor, key, |table| {
        let mut nodes = tables(table, "nodes");
        let meant =
            nodes.iter_mut().find(|known| is_called(known, node)).ok_or_else(|| no_node(key, node))?;
        let mut choices = tables(meant, "choices");
        let choice = choices.get_mut(at).ok_or_else(no_choice)?;
        if edit(choice).is_none() {
            choices.remove(at);
        }
        put(meant, "choices", list_of(choices));
        put(table, "nodes", list_of(nodes));
        Ok(())
    })?;
    actor.answer(turn, format!("The node {node} of {key} is changed. dialogue show {key} tells all of it."))
}

fn start(turn: &mut Turn, actor: Actor, key: &str, typed: &str) -> Result<(), Refusal> {
    let (typed, to) = destination(typed);
    let to = to.map(str::to_owned);
    let condition = if is_none(typed) { None } else { Some(condition(typed)?) };
    change(turn, actor, key, |table| {
        let (Some(condition), Some(to)) = (condition, &to) else {
            put(table, "starts", None);
            return Ok(());
        };
        add_missing_node(table, to);
        let mut starts = tables(table, "starts");
        starts.push([("only_if".to_owned(), FileValue::Text(condition)), ("to".to_owned(), text(to))].into());
        put(table, "starts", list_of(starts));
        Ok(())
    })?;
    let result =
        to.map_or_else(|| "always begins at its first node".to_owned(), |to| format!("may begin at {to}"));
    actor.answer(turn, format!("The dialogue {key} {result}."))
}

fn topic(turn: &mut Turn, actor: Actor, key: &str, typed: &str) -> Result<(), Refusal> {
    let (topic, to) = destination(typed);
    let topic = topic.to_lowercase();
    change(turn, actor, key, |table| {
        let mut topics = tables(table, "topics");
        match to {
            Some(to) => {
                add_missing_node(table, to);
                topics.push([("words".to_owned(), text(&topic)), ("to".to_owned(), text(to))].into());
            }
            None => topics.clear(),
        }
        put(table, "topics", list_of(topics));
        Ok(())
    })?;
    let result = to.map_or_else(|| "has no topics".to_owned(), |to| format!("answers {topic} at {to}"));
    actor.answer(turn, format!("The dialogue {key} {result}."))
}

/// Lists a dialogue: its beginnings, nodes with their answers, and topics.
fn sheet(dialogue: &Dialogue) -> Markup {
    let mut page =
        Markup::styled(Style::Heading, &format!("The dialogue {}, {}", dialogue.key, dialogue.name));
    for start in &dialogue.starts {
        let condition =
            start.only_if.as_ref().map_or_else(|| "always".to_owned(), |only| format!("if {only}"));
        page.line(Style::Plain, &format!("It begins at {}, {condition}.", start.to.1));
    }
    for node in &dialogue.nodes {
        let key = &node.key;
        page.line(Style::Plain, &format!("{key} says: {}", node.text));
        if !node.lines.is_empty() {
            page.line(Style::Plain, &format!("{key} does: {}", node.lines));
        }
        for (number, choice) in (1..).zip(&node.choices) {
            page.line(Style::Plain, &format!("{key}, answer {number}: {}", choice_words(choice)));
        }
    }
    for topic in &dialogue.topics {
        page.line(Style::Plain, &format!("Asked about {}: {}", topic.words, topic.to.1));
    }
    let unreached = dialogue.unreached();
    if !unreached.is_empty() {
        let are = if unreached.len() == 1 { "is" } else { "are" };
        page.line(
            Style::Plain,
            &format!("Nothing leads to {}, which {are} never said.", grammar::list(unreached)),
        );
    }
    page
}

fn choice_words(choice: &DialogueAnswer) -> String {
    let to =
        choice.to.as_ref().map_or_else(|| "ends the talk".to_owned(), |(_, to)| format!("leads to {to}"));
    let only = choice.only_if.as_ref().map_or_else(String::new, |only| format!(", if {only}"));
    let does = if choice.lines.is_empty() { String::new() } else { format!(", and does {}", choice.lines) };
    format!("{} It {to}{only}{does}.", choice.text)
}
