//! Changes to names, texts and settings of existing rooms and exits.

use crate::base::{CharacterId, ExitId, Right};
use crate::game::building::built_rooms;
use crate::game::command::build::exits::{building_site, must_be_free, require_builder};
use crate::game::command::build::{exit_settings, hook, make, stock};
use crate::game::command::parse::Actor;
use crate::game::command::parse::build_argument::{Equation, Named, Setting, Sides, names};
use crate::game::command::parse::definition_name::DefinitionName;
use crate::game::command::parse::site::{Site, site};
use crate::game::command::spec::{Before, CommandSpec, run};
use crate::game::exit::{doors, pathfinding};
use crate::game::message::editor;
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::state::event::GameEvent;
use crate::game::turn::Turn;
use crate::text::sanitise;
use crate::world::{Door, ExitKind, RoomKind};

/// Command that changes a setting or a field.
pub(crate) const SET: &str = "set";

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "name",
        right: Some(Right::Texts),
        aliases: &["rename"],
        syntax: "name here|#ROOM|EXIT|CREATURE|creature KEY|thing KEY|help KEY|theme KEY = NAME[;ALIAS]",
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
        syntax: "describe here|#ROOM|EXIT|CREATURE|creature KEY|thing KEY|help KEY|theme KEY [= WORDS]",
        summary: "Writes what one sees here, looking through an exit, or of a creature. Without words you write them line by line, and a dot alone ends it.",
        example: "describe here = Water stands knee-deep between the pillars.",
        takes_words: true,
        before: Before::Text,
        missing: "describe here, describe here = WORDS, or describe EXIT = WORDS",
        run: run!(describe),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: SET,
        syntax: "set here|#ROOM|EXIT|creature KEY|thing KEY|help KEY|theme KEY SETTING = VALUE",
        summary: "Changes a start room, which says it for all its exits, or one branch exit: theme, generator, max_unexplored_exits, max_new_exits_per_room, finishable, window, max_life, reset_interval and check_interval as times, such as 90, 12s, 5m or 2h, reset_chance in percent. default takes it back. Or set here environment = WORD; set here fights = yes, where creatures may be fought; set EXIT door = NAME and set EXIT key = THING, on both sides of it; set creature KEY FIELD = VALUE, a field of a kind of creature or thing, a page of help or a theme, as in its file, line by line without = VALUE; or set on_enter = LINE; LINE, a script for whoever comes in.",
        example: "set north max_unexplored_exits = 6",
        takes_words: true,
        before: Before::Text,
        missing: "set here|EXIT SETTING = VALUE",
        run: run!(set),
        ..CommandSpec::BUILDER
    },
];

fn rename(turn: &mut Turn, actor: Actor, equation: Equation<'_>) -> Result<(), Refusal> {
    let Equation { left: what, right: name } = equation;
    if let Some(definition) = DefinitionName::read(what) {
        return make::rename(turn, actor, &definition, name);
    }
    let named = names(turn, name)?;
    match site(turn, actor.who, what)? {
        Site::Room(room) => {
            let key = built_rooms::key_once_named(turn, room, &named.name);
            turn.world.change_built_room(room, |row| {
                row.name.clone_from(&named.name);
                row.aliases = named.aliases.clone().into();
                row.key = key.into();
            });
        }
        Site::Exit(exit) => rename_exit(turn, exit, &named)?,
        Site::Creature(creature) => {
            turn.world.characters.change(creature, |row| row.name.clone_from(&named.name));
        }
    }
    actor.answer(turn, format!("It is called {} now.", named.name))
}

fn rename_exit(turn: &mut Turn, exit: ExitId, named: &Named) -> Result<(), Refusal> {
    if turn.world.exits[exit].kind == ExitKind::Branch {
        return Err(BuildRefusal::BranchExitNamed.into());
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
    Sides { left: what, right: text }: Sides<'_>,
) -> Result<(), Refusal> {
    if let Some(definition) = DefinitionName::read(what) {
        return make::describe(turn, actor, &definition, text);
    }
    let site = site(turn, actor.who, what)?;
    let about = match site {
        Site::Room(room) => editor::Text::of_room(room),
        Site::Exit(exit) => editor::Text::of_exit(exit),
        Site::Creature(creature) => editor::Text::of_creature(creature),
    };
    let Some(text) = text else {
        return editor::begin(turn, actor.who, format!("describe {what}"), about);
    };
    editor::require_free(turn, actor.who, &about)?;
    let text = sanitise::clean_text(text, turn.config.limits.description_chars as usize);
    match site {
        Site::Room(room) => turn.world.rooms.change(room, |row| row.description = text),
        Site::Exit(exit) => turn.world.exits.change(exit, |row| row.description = text),
        Site::Creature(creature) => turn.world.characters.change(creature, |row| row.description = text),
    };
    actor.answer(turn, "It is written.")
}

fn set(turn: &mut Turn, actor: Actor, setting: Setting<'_>) -> Result<(), Refusal> {
    let (what, setting, value) = match setting {
        Setting::OnEnter(lines) => {
            actor.require(turn, Right::Scripts)?;
            let room = building_site(turn, actor.who)?;
            return hook::set_on_enter(turn, actor, room, lines);
        }
        Setting::Written { what, field } => {
            let definition = DefinitionName::read(what).ok_or(Refusal::Missing("set KIND KEY FIELD"))?;
            return make::write_field(turn, actor, &definition, field);
        }
        Setting::Of { what, setting, value } => (what, setting, value),
    };
    if let Some(definition) = DefinitionName::read(what) {
        return make::set_field(turn, actor, &definition, setting, value);
    }
    match site(turn, actor.who, what)? {
        Site::Room(room) if setting == "on_enter" => {
            actor.require(turn, Right::Scripts)?;
            return hook::set_on_enter(turn, actor, room, value);
        }
        Site::Room(room) if setting == "environment" => {
            let word = sanitise::clean_line(value, turn.config.limits.name_chars as usize);
            if word.is_empty() || word.contains(' ') {
                return Err(BuildRefusal::NoEnvironment.into());
            }
            turn.world.rooms.change(room, |row| row.environment = word);
        }
        Site::Room(room) if setting == "fights" => {
            let fights = match value {
                "yes" | "on" => true,
                "no" | "off" | "default" => false,
                _ => return Err(BuildRefusal::FightsUnclear.into()),
            };
            if turn.world.rooms[room].kind != RoomKind::Room {
                return Err(BuildRefusal::FightsUnclear.into());
            }
            turn.world.rooms.change(room, |row| row.fights = fights);
        }
        Site::Room(room) => exit_settings::change_room(turn, room, setting, value)?,
        Site::Exit(exit) if matches!(setting, "door" | "key") => {
            set_door(turn, actor.who, exit, setting, value)?;
        }
        Site::Exit(exit) if turn.world.exits[exit].kind == ExitKind::Branch => {
            exit_settings::change_exit(turn, exit, setting, value)?;
        }
        Site::Exit(_) => return Err(BuildRefusal::NoExitSetting(setting.to_owned()).into()),
        Site::Creature(_) => return Err(BuildRefusal::NoCreatureSetting(setting.to_owned()).into()),
    }
    actor.answer(turn, format!("{setting} is {} now.", exit_settings::told(setting, value)))
}

/// Adds a door on both sides of an exit, removes it, or sets its key.
fn set_door(
    turn: &mut Turn,
    who: CharacterId,
    exit: ExitId,
    setting: &str,
    value: &str,
) -> Result<(), Refusal> {
    let leads = turn.world.exits[exit].to.and_then(|to| turn.world.rooms.get(to));
    if turn.world.exits[exit].kind != ExitKind::Exit || leads.is_none_or(|room| room.branch.is_some()) {
        return Err(BuildRefusal::NoDoorThere.into());
    }
    let none = matches!(value, "none" | "default");
    let mut door = turn.world.exits[exit].door.to_value();
    if setting == "door" {
        let name = sanitise::clean_line(value, turn.config.limits.name_chars as usize);
        if name.is_empty() {
            return Err(Refusal::Missing("set EXIT door = NAME"));
        }
        let (shut, key) = door.map_or((true, None), |door| (door.shut, door.key));
        door = (!none).then_some(Door { name, shut, key });
    } else {
        let key = if none { None } else { Some(stock::thing(turn, value)?) };
        door.as_mut().ok_or(BuildRefusal::NoDoor)?.key = key;
    }
    let sides = doors::sides(turn, exit);
    for side in &sides {
        require_builder(turn, who, turn.world.exits[*side].room)?;
    }
    for side in sides {
        turn.world.exits.change(side, |row| row.door = door.clone().into());
        let room = turn.world.exits[side].room;
        turn.emit_event(GameEvent::RoomChanged { room });
    }
    Ok(())
}
