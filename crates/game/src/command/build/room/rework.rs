//! Changes to names, texts and settings of existing rooms and exits.

use crate::building::built_rooms;
use crate::command::build::definition::change;
use crate::command::build::room::exits::{building_site, must_be_free};
use crate::command::build::room::{exit_settings, room_settings, trigger};
use crate::command::parse::Actor;
use crate::command::parse::build_argument::{EqualsSides, Equation, NameAndKind, SettingArgument, names};
use crate::command::parse::definition_name::DefinitionName;
use crate::command::parse::site::{BuildTarget, site};
use crate::command::spec::{CommandSpec, LineKind, run};
use crate::exit::pathfinding;
use crate::message::editor;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{ExitId, Right};
use deepwell_core::text::sanitise;
use deepwell_core::world::ExitKind;

/// Command that changes a setting or a field.
pub(crate) const SET: &str = "set";

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "name",
        right: Some(Right::Texts),
        aliases: &["rename"],
        syntax: "name here|#ROOM|EXIT|CREATURE|creature KEY|item KEY|help KEY|theme KEY = NAME[;ALIAS]",
        summary: "Gives a room, an exit of this one or a creature in it another name.",
        example: "name here = Old Cistern;cistern",
        takes_words: true,
        missing: "name here = NAME, or name EXIT = NAME",
        run: run!(rename),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "describe",
        right: Some(Right::Texts),
        aliases: &["desc"],
        syntax: "describe here|#ROOM|EXIT|CREATURE|creature KEY|item KEY|help KEY|theme KEY [= WORDS]",
        summary: "Writes what one sees here, looking through an exit, or of a creature. Without words you write them line by line, and a dot alone ends it.",
        example: "describe here = Water stands knee-deep between the pillars.",
        takes_words: true,
        before: LineKind::Text,
        missing: "describe here, describe here = WORDS, or describe EXIT = WORDS",
        run: run!(describe),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: SET,
        syntax: "set here|#ROOM|EXIT|creature KEY|item KEY|help KEY|theme KEY SETTING = VALUE, or set here|#ROOM|EXIT",
        summary: "Changes a setting of a room, of an exit on both sides where it has two, or of a start room for all its exits; or a field of a kind of creature or item, a page of help or a theme, as in its file. set here, set EXIT and set creature KEY list all of them with their values and what they take, such as 90, 12s, 5m or 2h for a time. default, or none, takes a value back. Without = VALUE you write a field line by line.",
        example: "set north max_unexplored_exits = 6",
        takes_words: true,
        before: LineKind::Text,
        missing: "set here|EXIT SETTING = VALUE",
        run: run!(set),
        ..CommandSpec::BUILDER
    },
];

fn rename(turn: &mut Turn, actor: Actor, equation: Equation<'_>) -> Result<(), Refusal> {
    let Equation { left: what, right: name } = equation;
    if let Some(definition) = DefinitionName::meant(turn, actor.who, what) {
        return change::rename(turn, actor, &definition, name);
    }
    let named = names(turn, name)?;
    match site(turn, actor.who, what)? {
        BuildTarget::Room(room) => {
            let key = built_rooms::key_once_named(turn, room, &named.name);
            turn.world.rooms.change_built(room, |row| {
                row.sheet.name.clone_from(&named.name);
                row.sheet.aliases = named.aliases.clone().into();
                row.key = key.into();
            });
        }
        BuildTarget::Exit(exit) => rename_exit(turn, exit, &named)?,
        BuildTarget::Creature(creature) => {
            turn.world.characters.change(creature, |row| row.name.clone_from(&named.name));
        }
    }
    actor.answer(turn, format!("It is called {} now.", named.name))
}

fn rename_exit(turn: &mut Turn, exit: ExitId, named: &NameAndKind) -> Result<(), Refusal> {
    if turn.world.exits[exit].kind == ExitKind::Branch {
        return Err(refuse!("A branch exit is called by its direction."));
    }
    must_be_free(turn, turn.world.exits[exit].room, named, Some(exit))?;
    let direction = pathfinding::direction_named(turn, &named.name);
    if let Some(row) = turn.world.exits.edit(exit) {
        row.name = direction.map_or_else(|| named.name.clone(), |d| d.name().to_owned());
        row.direction = direction;
        row.set_aliases(&named.aliases);
    }
    Ok(())
}

fn describe(
    turn: &mut Turn,
    actor: Actor,
    EqualsSides { left: what, right: text }: EqualsSides<'_>,
) -> Result<(), Refusal> {
    if let Some(definition) = DefinitionName::meant(turn, actor.who, what) {
        return change::describe(turn, actor, &definition, text);
    }
    let site = site(turn, actor.who, what)?;
    let about = match site {
        BuildTarget::Room(room) => editor::EditedText::of_room(room),
        BuildTarget::Exit(exit) => editor::EditedText::of_exit(exit),
        BuildTarget::Creature(creature) => editor::EditedText::of_creature(creature),
    };
    let Some(text) = text else {
        return editor::begin(turn, actor.who, format!("describe {what}"), about);
    };
    editor::require_free(turn, actor.who, &about)?;
    let text = sanitise::clean_text(text, turn.config.limits.description_chars as usize);
    match site {
        BuildTarget::Room(room) => turn.world.rooms.change(room, |row| row.sheet.description = text),
        BuildTarget::Exit(exit) => turn.world.exits.change(exit, |row| row.description = text),
        BuildTarget::Creature(creature) => {
            turn.world.characters.change(creature, |row| row.description = text)
        }
    };
    actor.answer(turn, "It is written.")
}

fn set(turn: &mut Turn, actor: Actor, setting: SettingArgument<'_>) -> Result<(), Refusal> {
    let (what, setting, value) = match setting {
        SettingArgument::OnEnter(lines) => {
            actor.require(turn, Right::Scripts)?;
            let room = building_site(turn, actor.who)?;
            return trigger::set_enter(turn, actor, room, lines);
        }
        SettingArgument::Written { what, field } => {
            let definition =
                DefinitionName::meant(turn, actor.who, what).ok_or(Refusal::Missing("set KIND KEY FIELD"))?;
            return change::write_field(turn, actor, &definition, field);
        }
        SettingArgument::Listed(what) => return list_settings(turn, actor, what),
        SettingArgument::Of { what, setting, value } => (what, setting, value),
    };
    if let Some(definition) = DefinitionName::meant(turn, actor.who, what) {
        return change::set_field(turn, actor, &definition, setting, value);
    }
    match setting {
        "name" => return rename(turn, actor, Equation { left: what, right: value }),
        "description" => return describe(turn, actor, EqualsSides { left: what, right: Some(value) }),
        _ => {}
    }
    match site(turn, actor.who, what)? {
        BuildTarget::Room(room) => room_settings::change_room(turn, actor, room, setting, value),
        BuildTarget::Exit(exit) if room_settings::is_of_exit(setting) => {
            room_settings::change_exit(turn, actor, exit, setting, value)
        }
        BuildTarget::Exit(exit) if turn.world.exits[exit].kind == ExitKind::Branch => {
            exit_settings::change_exit(turn, exit, setting, value)?;
            actor.answer(turn, format!("{setting} is {} now.", exit_settings::setting_line(setting, value)))
        }
        BuildTarget::Exit(_) => {
            let known = room_settings::names_for_exits();
            Err(refuse!(
                "An exit has no setting \"{setting}\": set EXIT takes {known}; a branch exit (open \
                 north:branch) takes those of its branches, as in set north theme = cave."
            ))
        }
        BuildTarget::Creature(_) => Err(refuse!(
            "One creature has no setting \"{setting}\": set creature KEY {setting} = VALUE changes its kind."
        )),
    }
}

/// Lists the settings of a room or an exit.
fn list_settings(turn: &mut Turn, actor: Actor, what: &str) -> Result<(), Refusal> {
    if let Some(definition) = DefinitionName::meant(turn, actor.who, what) {
        let list = change::list_of_fields(turn, &definition)?;
        return actor.answer(turn, list);
    }
    let missing = Refusal::Missing("set here|EXIT SETTING = VALUE");
    // Several words may be the name of a room, or a setting without its value.
    let site =
        site(turn, actor.who, what).map_err(|no| if what.contains(' ') { missing.clone() } else { no })?;
    let list = match site {
        BuildTarget::Room(room) => room_settings::list_of_room(turn, room),
        BuildTarget::Exit(exit) => room_settings::list_of_exit(turn, exit),
        BuildTarget::Creature(creature) => {
            let kind = turn.world.characters[creature].prototype.clone().unwrap_or_default();
            return Err(refuse!(
                "One creature has no settings: set creature {kind} lists the fields of its kind, and name and \
                 describe change this one."
            ));
        }
    };
    actor.answer(turn, list)
}
