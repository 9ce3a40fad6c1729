//! Creation of content such as creatures and items by commands: from scratch or based on another.

use crate::building::definitions::DefinitionChanges;
use crate::building::{definitions, draft_versions, zones};
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::typed::is_word;
use crate::command::parse::{Actor, Argument, Words};
use crate::command::spec::{CommandSpec, run};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::catalog::{DefinitionKind, draft_key};
use deepwell_core::data::{FileValue, edit};
use deepwell_core::text::sanitise;
use std::collections::BTreeSet;

pub(crate) const COMMANDS: &[CommandSpec] = &[CommandSpec {
    name: "make",
    right: Some(Right::Prototypes),
    syntax: "make creature|item|help|theme|dialogue|quest|script KEY [like KEY] [= NAME]",
    summary: "Makes a kind of creature or item, a page of help, a dialogue, a quest or a script, from nothing or like another, or a theme like another: spawn KEY puts one into a room, help KEY shows the page, and set EXIT theme = KEY opens branches of it. set creature KEY FIELD = VALUE changes what it is, name and describe what it is called and looks like, examine tells all of it as it would be typed, and destroy takes it away. Before KEY, type creature, thing, help, theme, dialogue, quest or script.",
    example: "make creature mill_rat like rat = flour rat",
    takes_words: true,
    missing: "make creature KEY, make item KEY, make help KEY, make dialogue KEY, make quest KEY, make script KEY or make theme KEY, and like KEY if it is to be like another",
    run: run!(make),
    ..CommandSpec::BUILDER
}];

/// Definition to create, and the optional definition to base it on.
struct CreateOrder<'a> {
    named: DefinitionName,
    like: Option<String>,
    called: Option<&'a str>,
}

impl<'a> Argument<'a> for CreateOrder<'a> {
    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (left, called) = words.sides();
        let (what, like) = left.around("like").map_or((left, None), |(what, like)| (what, Some(like)));
        let named = DefinitionName::read(what.text()).ok_or_else(|| words.missing())?;
        // The kind may be repeated: like creature rat.
        let key = |like: Words<'_>| {
            DefinitionName::read(like.text())
                .filter(|other| other.kind == named.kind)
                .map_or_else(|| like.text().to_lowercase().replace(' ', "_"), |other| other.key)
        };
        let like = like.map(key);
        Ok(Self { named, like, called: called.map(Words::text) })
    }
}

fn make(
    turn: &mut Turn,
    actor: Actor,
    CreateOrder { named, like, called }: CreateOrder<'_>,
) -> Result<(), Refusal> {
    let DefinitionName { kind, key, .. } = &named;
    require_right(turn, actor, *kind)?;
    if !DefinitionKind::is_key(key) || draft_key::split(key).is_some() {
        return Err(refuse!("A key is made of small letters, figures and _, forty at most, as in mill_rat."));
    }
    if definitions::text_of(turn, *kind, key).is_some() {
        return Err(definitions::taken(*kind, key));
    }
    zones::require_no_zone(turn, *kind, key)?;
    let name = match called {
        Some(called) => sanitise::clean_line(called, turn.config.limits.name_chars as usize),
        None => key.replace('_', " "),
    };
    let text = match &like {
        Some(like) => {
            let like = DefinitionName::of(turn, actor.who, *kind, like);
            like_another(turn, &like, &name)?
        }
        None => plain(*kind, &name)?,
    };
    require_own_words(turn, &named, &text)?;
    let named = DefinitionName::of(turn, actor.who, *kind, key);
    if let Some(draft) = &named.draft {
        zones::require_author(turn, actor.account, draft)?;
        write(turn, actor, &named, Some(text))?;
        return actor.answer(turn, use_of(&named, &name));
    }
    write(turn, actor, &named, Some(text))?;
    let room = &turn.world.rooms[turn.workplace(actor.who)];
    let zone = room.area.clone();
    if room.branch.is_none() && zones::is_builder(turn, actor.account, &zone) {
        definitions::set_zone(turn, named.kind, &named.key, Some(zone));
    }
    actor.answer(turn, use_of(&named, &name))
}

/// Describes a new definition, and the commands for it.
fn use_of(named: &DefinitionName, name: &str) -> String {
    let (definition, key) = (named.words(), &named.key);
    let (what, use_it) = match named.kind {
        DefinitionKind::Creature | DefinitionKind::Item => {
            (format!("kind of {}", named.kind.noun()), format!("spawn {key} puts one here"))
        }
        DefinitionKind::Help => {
            ("page".to_owned(), format!("describe {definition} writes it, and help {key} shows it"))
        }
        DefinitionKind::Theme => ("theme".to_owned(), format!("set EXIT theme = {key} opens branches of it")),
        DefinitionKind::Dialogue => (
            "dialogue".to_owned(),
            format!(
                "dialogue {key} shows it, and set creature KEY dialogue = {key} lets a creature speak it"
            ),
        ),
        DefinitionKind::Quest => {
            ("quest".to_owned(), format!("a script with the line start {key} gives it to a player"))
        }
        DefinitionKind::Script => {
            return format!(
                "There is a script {key} now. script edit {key} writes it, script test {key} run tries it, and a \
                 trigger with the line call {key} run calls it."
            );
        }
    };
    format!(
        "There is a {what} {key} now, called {name}. examine {definition} tells what it is, set \
         {definition} FIELD = VALUE changes it, and {use_it}."
    )
}

/// Refuses a builder who may not make or change content of a kind.
pub(super) fn require_right(turn: &Turn, actor: Actor, kind: DefinitionKind) -> Result<(), Refusal> {
    actor.require(turn, Right::Prototypes)?;
    if kind == DefinitionKind::Script { actor.require(turn, Right::Scripts) } else { Ok(()) }
}

/// Returns an error if a help page is named like a command or a social, unless its file already is.
pub(super) fn require_own_words(turn: &Turn, named: &DefinitionName, text: &str) -> Result<(), Refusal> {
    if named.kind != DefinitionKind::Help {
        return Ok(());
    }
    let called = |text: &str| -> BTreeSet<String> {
        let fields = named.kind.fields(text).unwrap_or_default().into_iter();
        let all_names = fields.filter_map(|(field, value)| match (field.as_str(), value) {
            ("title", FileValue::Text(title)) => Some(vec![title]),
            ("aliases", FileValue::List(aliases)) => Some(aliases.into_iter().filter_map(text_of).collect()),
            _ => None,
        });
        all_names.flatten().chain([named.key.clone()]).map(|word| word.to_lowercase()).collect()
    };
    let of_file = turn.of_files.text_of_file(named.kind, &named.key).map(called).unwrap_or_default();
    match called(text).difference(&of_file).find(|word| is_word(&turn.catalog, word)) {
        Some(word) => Err(refuse!(
            "{word} is a word that one types, and help {word} tells of it. Call the page otherwise."
        )),
        None => Ok(()),
    }
}

/// Writes the text of a definition, or removes it: in a draft, that of the draft alone.
pub(super) fn write(
    turn: &mut Turn,
    actor: Actor,
    named: &DefinitionName,
    text: Option<String>,
) -> Result<(), Refusal> {
    match &named.draft {
        Some(draft) => draft_versions::write(turn, Some(actor.account), draft, changes(named, text)),
        None => definitions::write(turn, Some(actor.account), &changes(named, text)),
    }
}

pub(super) fn changes(named: &DefinitionName, text: Option<String>) -> DefinitionChanges {
    [((named.kind, named.key.clone()), text)].into()
}

fn text_of(value: FileValue) -> Option<String> {
    if let FileValue::Text(text) = value { Some(text) } else { None }
}

/// Returns the text of a definition based on another: creatures and themes inherit from it, other kinds are copied.
fn like_another(turn: &Turn, like: &DefinitionName, name: &str) -> Result<String, Refusal> {
    let (kind, like) = (like.kind, &like.key);
    definitions::require(turn, kind, like)?;
    let name = FileValue::Text(name.to_owned());
    Ok(match kind {
        DefinitionKind::Creature | DefinitionKind::Theme => {
            format!("inherits = {}\nname = {}\n", edit::quoted(draft_key::plain(like)), edit::written(&name))
        }
        DefinitionKind::Script => definitions::text_of(turn, kind, like).unwrap_or_default().to_owned(),
        DefinitionKind::Item | DefinitionKind::Help | DefinitionKind::Dialogue | DefinitionKind::Quest => {
            let text = definitions::text_of(turn, kind, like).unwrap_or_default();
            renamed(kind, text, &name).unwrap_or_default()
        }
    })
}

/// Returns the text with another name; grammatical forms of the old name are removed.
pub(super) fn renamed(kind: DefinitionKind, text: &str, name: &FileValue) -> Option<String> {
    let forms: &[&str] = match kind {
        DefinitionKind::Creature | DefinitionKind::Item => &["with_article", "plural"],
        DefinitionKind::Help => &["aliases"],
        DefinitionKind::Theme | DefinitionKind::Dialogue | DefinitionKind::Quest | DefinitionKind::Script => {
            &[]
        }
    };
    let text = kind.edited(text, kind.name_field(), Some(name))?;
    forms.iter().try_fold(text, |text, form| kind.edited(&text, form, None))
}

/// Returns the minimal valid text of a definition.
fn plain(kind: DefinitionKind, name: &str) -> Result<String, Refusal> {
    let called = edit::quoted(name);
    Ok(match kind {
        DefinitionKind::Creature => format!(
            "name = {called}\ndescription = \"Nobody has said yet what it looks like.\"\nhp = 5\nattack = 1\ndefence = 0\n\
             xp = 5\nfirst_difficulty = 1\nweight = 1\nstrikes = [\"hits\"]\ndeath = {}\nbehaviours = []\n",
            edit::quoted(&format!("The {name} falls, and does not get up."))
        ),
        DefinitionKind::Item => {
            format!("name = {called}\ndescription = \"Nobody has said yet what it looks like.\"\n")
        }
        DefinitionKind::Help => format!("title: {name}\n\nNobody has written this page yet.\n"),
        DefinitionKind::Dialogue => {
            format!("name = {called}\n\n[[nodes]]\nkey = \"hello\"\ntext = \"Well met, {{player}}.\"\n")
        }
        DefinitionKind::Quest => format!(
            "name = {called}\ntext = \"Nobody has said yet what it is about.\"\n\n[[steps]]\nkey = \"first\"\n\
             text = \"Do something.\"\nscript = true\n"
        ),
        DefinitionKind::Script => format!(
            "-- {name}\n\nlocal M = {{}}\n\nfunction M.run(event)\n    return {{ \"tell Nothing happens yet.\" }}\nend\n\nreturn M\n"
        ),
        DefinitionKind::Theme => {
            return Err(refuse!(
                "A theme needs much. make theme KEY like OTHER makes one that is like another, such as well."
            ));
        }
    })
}
