//! What builders change of what stands: names, words and settings of rooms and exits.

use crate::base::Direction;
use crate::game::command::actor::Actor;
use crate::game::command::build::{building_site, done, must_be_free, own_exit};
use crate::game::command::build_argument::{Equation, Setting, names};
use crate::game::command::spec::{CommandSpec, run};
use crate::game::command::{exit_settings, hook};
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::turn::Turn;
use crate::text::sanitise;
use crate::world::ExitKind;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "name",
        aliases: &["rename"],
        syntax: "name here|EXIT = NAME[;ALIAS]",
        summary: "Gives this room or one of its exits another name.",
        example: "name here = Old Cistern;cistern",
        takes_words: true,
        missing: "name here = NAME, or name EXIT = NAME",
        run: run!(rename),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "describe",
        aliases: &["desc"],
        syntax: "describe here|EXIT = WORDS",
        summary: "Writes what one sees here, or looking through an exit.",
        example: "describe here = Water stands knee-deep between the pillars.",
        takes_words: true,
        missing: "describe here = WORDS, or describe EXIT = WORDS",
        run: run!(describe),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "set",
        syntax: "set here|EXIT SETTING = VALUE",
        summary: "Changes a start room, which says it for all its exits, or one branch exit: theme, generator, max_unexplored_exits, max_new_exits_per_room, finishable, window and max_life in seconds, reset_chance in percent. A start room has reset_interval and check_interval, too, in seconds. default takes it back. Or set here environment = WORD, or set on_enter = LINE; LINE, a script for whoever comes in.",
        example: "set north max_unexplored_exits = 6",
        takes_words: true,
        missing: "set here|EXIT SETTING = VALUE",
        run: run!(set),
        ..CommandSpec::BUILDER
    },
];

fn rename(turn: &mut Turn, actor: Actor, equation: Equation<'_>) -> Result<(), Refusal> {
    let Equation { left: what, right: name } = equation;
    let named = names(turn, name)?;
    if what.eq_ignore_ascii_case("here") {
        let room = building_site(turn, actor.who)?;
        if let Some(row) = turn.world.rooms.edit(room) {
            row.name.clone_from(&named.name);
            row.aliases = named.aliases;
        }
    } else {
        let exit = own_exit(turn, actor.who, what)?;
        if turn.world.exits[exit].kind == ExitKind::Branch {
            return Err(BuildRefusal::BranchExitNamed.into());
        }
        must_be_free(turn, turn.world.exits[exit].room, &named, Some(exit))?;
        let direction = Direction::parse(&named.name);
        let letter = direction.map(|direction| direction.letter().to_owned());
        if let Some(row) = turn.world.exits.edit(exit) {
            row.name = direction.map_or_else(|| named.name.clone(), |d| d.name().to_owned());
            row.direction = direction;
            row.aliases = named.aliases;
            row.aliases.retain(|alias| Some(alias) != letter.as_ref());
            row.aliases.extend(letter);
        }
    }
    done(turn, actor.who, &format!("It is called {} now.", named.name));
    Ok(())
}

fn describe(turn: &mut Turn, actor: Actor, equation: Equation<'_>) -> Result<(), Refusal> {
    let Equation { left: what, right: text } = equation;
    let most = turn.config.limits.description_chars as usize;
    let text = sanitise::clean_line(text, most);
    if what.eq_ignore_ascii_case("here") {
        let room = building_site(turn, actor.who)?;
        turn.world.rooms.change(room, |row| row.description = text);
    } else {
        let exit = own_exit(turn, actor.who, what)?;
        turn.world.exits.change(exit, |row| row.description = text);
    }
    done(turn, actor.who, "It is written.");
    Ok(())
}

fn set(turn: &mut Turn, actor: Actor, setting: Setting<'_>) -> Result<(), Refusal> {
    let (what, setting, value) = match setting {
        Setting::OnEnter(lines) => {
            let room = building_site(turn, actor.who)?;
            return hook::set_on_enter(turn, actor.who, room, lines);
        }
        Setting::Of { what, setting, value } => (what, setting, value),
    };
    if what.eq_ignore_ascii_case("here") && setting != "environment" {
        let room = building_site(turn, actor.who)?;
        exit_settings::change_room(turn, room, setting, value)?;
    } else if what.eq_ignore_ascii_case("here") {
        let room = building_site(turn, actor.who)?;
        let word = sanitise::clean_line(value, turn.config.limits.name_chars as usize);
        if word.is_empty() || word.contains(' ') {
            return Err(BuildRefusal::NoEnvironment.into());
        }
        turn.world.rooms.change(room, |row| row.environment = word);
    } else {
        let exit = own_exit(turn, actor.who, what)?;
        if turn.world.exits[exit].kind != ExitKind::Branch {
            return Err(BuildRefusal::NoSettings.into());
        }
        let mut settings = turn.world.exits[exit].settings.clone();
        exit_settings::change(turn, &mut settings, setting, value)?;
        turn.world.exits.change(exit, |row| row.settings = settings);
    }
    done(turn, actor.who, &format!("{setting} is {value} now."));
    Ok(())
}
