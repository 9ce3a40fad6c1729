//! Dispatch of a typed line: resolution, checks and execution.

use super::split;
use crate::access::{audit_log, permissions, sanctions};
use crate::account::{guide, profile};
use crate::branch::rooms;
use crate::building::pace;
use crate::character::{abilities, stats};
use crate::command::account::guest;
use crate::command::build::built;
use crate::command::build::room::walk;
use crate::command::parse::meaning::{Meaning, TypedLine};
use crate::command::parse::{Actor, Words, resolve, words};
use crate::command::spec::{CommandSpec, KnownTo, Needs, WhenAway, WhenFrozen};
use crate::creature::script::hooks;
use crate::effect::Class;
use crate::effect::data::{Data, Package};
use crate::exit::{doors, pathfinding, puzzle_exits};
use crate::item::lid;
use crate::message::editor_line::EditorLine;
use crate::message::{editor, tell};
use crate::movement;
use crate::refusal::{Refusal, refuse};
use crate::room::puzzle::deeds;
use crate::room::respawn;
use crate::speech::{dialogue, socials, townsfolk};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Direction, ExitId, Right, SessionId, unicode};
use deepwell_core::catalog::Social;
use deepwell_core::text::grammar;
use deepwell_core::world::{Sanction, TriggerEvent, WorldPart};
use std::sync::Arc;

/// Runs a typed line. The client always gets a prompt. If the line needs a part of the world that is
/// asleep, nothing has happened, and the part is returned.
pub(crate) fn command(turn: &mut Turn, session: SessionId, line: &str) -> Result<(), WorldPart> {
    let now = turn.now;
    let Some(seat) = turn.seats.get_mut(&session) else { return Ok(()) };
    seat.typed_at = now;
    let actor = Actor { session, account: seat.account, who: seat.character };
    turn.outbox.prompt(session);
    if let Some(branch) = turn.world.characters[actor.who].branch.filter(|_| !turn.read_only) {
        rooms::note_activity(turn, branch);
    }
    // Sessions send clean lines, but other sources may not; replies repeat the typed text.
    let clean = unicode::clean(line);
    let done = match editor::next_line(turn, actor.who) {
        0 => dispatch(turn, actor, clean.trim()),
        _ => write(turn, actor, &clean),
    };
    match done {
        Err(Refusal::Asleep(part)) => {
            turn.outbox.cancel_prompt(session);
            return Err(part);
        }
        Err(refusal) => {
            let is_staff = permissions::is_staff(turn, actor.account);
            let refusal = if is_staff { refusal.with_setting() } else { refusal };
            tell::refuse(turn, actor.who, &refusal);
            tell_wrong_way(turn, actor, line);
        }
        Ok(()) => {}
    }
    Ok(())
}

/// Adds a line to the text being written. The end of the text runs the command that began it. If that command is
/// refused, the text is kept.
fn write(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let line = match EditorLine::read(line) {
        EditorLine::Command(command) => return dispatch(turn, actor, command),
        line => line,
    };
    sanctions::require_no_sanction(turn, actor.account, Sanction::Freeze)?;
    turn.require_writable()?;
    match line {
        EditorLine::End => {
            let command = editor::finish(turn, actor.who)?;
            dispatch(turn, actor, &command)?;
            editor::forget(turn, actor.who);
        }
        EditorLine::Cancel => {
            editor::forget(turn, actor.who);
            actor.answer(turn, "What you wrote is thrown away.")?;
        }
        EditorLine::Text(text) => editor::add(turn, actor.who, text)?,
        EditorLine::Edit(edit) => editor::edit(turn, actor.who, edit)?,
        EditorLine::Command(_) => {}
    }
    Ok(())
}

/// Sends `Room.WrongDir` to mappers if a typed direction has no exit.
fn tell_wrong_way(turn: &mut Turn, actor: Actor, line: &str) {
    if !turn.wants(actor.session, Package::Room) {
        return;
    }
    let mut words = line.split_whitespace().map(str::to_lowercase);
    let word = words.next().filter(|word| !matches!(word.as_str(), "go" | "walk")).or_else(|| words.next());
    let bare = |word: String| word.trim_end_matches(|c: char| !c.is_alphanumeric()).to_owned();
    let word = word.map(bare);
    let Some(direction) = word.and_then(|word| pathfinding::direction_named(turn, &word)) else { return };
    // A sentence that begins with a direction is no attempt to move.
    if words.next().is_some() {
        return;
    }
    let room = turn.world.characters[actor.who].room;
    if pathfinding::exit_named(turn, room, direction.name()).is_none() {
        turn.outbox.data(actor.session, Data::RoomWrongDir(direction.letter()));
    }
}

fn dispatch(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let line = guide::answer_to_offer(turn, actor.who, line).unwrap_or(line);
    let (word, rest) = split(line);
    if word.is_empty() {
        return Ok(());
    }
    let word = unicode::lowercase(word);
    let catalog = Arc::clone(&turn.catalog);
    let here = (!sanctions::is_frozen(turn, actor.account)).then_some((&*turn, actor.who));
    let typed = TypedLine::of_word(&catalog, actor.rights(turn), &word);
    let meaning = TypedLine { here, line, rest, ..typed }.meaning();
    let spec = if let Meaning::Command(spec) = meaning { Some(spec) } else { None };
    if spec.map(|spec| spec.when_frozen) != Some(WhenFrozen::Done) {
        sanctions::require_no_sanction(turn, actor.account, Sanction::Freeze)?;
    }
    // Typing a command clears the AFK flag.
    if spec.map(|spec| spec.when_away) != Some(WhenAway::SetByCommand) && profile::end_away(turn, actor.who) {
        tell::tell(turn, actor.who, Class::Notice, "You are back.");
    }
    guest::require_open(turn, actor.account, &meaning)?;
    may(turn, actor, meaning.needs())?;
    turn.cause = match meaning {
        Meaning::Command(spec) => spec.name,
        Meaning::Exit(_) | Meaning::NoExit(_) => "walk",
        Meaning::Social(_) => "social",
        _ => turn.cause,
    };
    match meaning {
        Meaning::Exit(exit) => movement::walk(turn, actor.who, exit),
        Meaning::NoExit(direction) => walk::step(turn, actor, direction)
            .unwrap_or_else(|| Err(no_exit_refusal(turn, actor.who, direction))),
        Meaning::Door { exit, shut } => work_door(turn, actor, exit, shut),
        Meaning::Lid { container, shut } => lid::work(turn, actor.who, container, shut),
        Meaning::Device(deed) => deeds::handle(turn, actor.who, deed),
        Meaning::Custom => {
            hooks::obey(turn, actor.who, &word, rest);
            Ok(())
        }
        Meaning::Answer(number) => dialogue::choose(turn, actor.who, number),
        Meaning::PuzzleAction(verb) => {
            let object = words::without_article(rest);
            deeds::work(turn, actor.who, verb, object).unwrap_or(Err(Refusal::NoWay))
        }
        Meaning::Command(spec) => match run_command(turn, actor, spec, &word, rest) {
            Err(refusal) if spec.yields_to_room && refusal.finds_nothing() => {
                obey_free_verb(turn, actor, &word, rest).unwrap_or(Err(refusal))
            }
            done => done,
        },
        Meaning::Social(social) => perform_social(turn, actor, social, rest),
        Meaning::Hint(hint) => Err(Refusal::Hint(hint.clone())),
        Meaning::Refused(refusal) => Err(refusal),
    }
}

/// Runs the trigger of the room for a command that has found nothing to act on; `None` if the room has none.
fn obey_free_verb(turn: &mut Turn, actor: Actor, word: &str, rest: &str) -> Option<Result<(), Refusal>> {
    let room = turn.world.characters[actor.who].room;
    if !hooks::is_custom_command(turn, room, word) {
        return None;
    }
    let may = may(turn, actor, Needs::Hands);
    if may.is_ok() {
        hooks::obey(turn, actor.who, word, rest);
    }
    Some(may)
}

/// Opens or closes a door, and runs the triggers of the room for it.
fn work_door(turn: &mut Turn, actor: Actor, exit: ExitId, shut: bool) -> Result<(), Refusal> {
    doors::work(turn, actor.who, exit, shut)?;
    let row = &turn.world.exits[exit];
    let (room, name) = (row.room, row.name.clone());
    let door = row.door.as_ref().map_or_else(String::new, |door| door.name.clone());
    let is_called = |names: &str| hooks::is_named(names, &name) || hooks::is_named(names, &door);
    let is_meant = |on: &TriggerEvent| matches!(on, TriggerEvent::Open(names) if is_called(names));
    if !shut {
        hooks::run_triggers(turn, room, Some(actor.who), &name, is_meant);
    }
    Ok(())
}

fn no_exit_refusal(turn: &Turn, who: CharacterId, direction: Direction) -> Refusal {
    let no_way = match direction {
        // Mappers match the first sentence.
        Direction::Down => refuse!("You can't go that way. There are no stairs down here."),
        _ => Refusal::NoWay,
    };
    puzzle_exits::closed_way(turn, turn.world.characters[who].room, direction).unwrap_or(no_way)
}

/// Runs a typed command, if the player knows it.
fn run_command(
    turn: &mut Turn,
    actor: Actor,
    spec: &CommandSpec,
    word: &str,
    rest: &str,
) -> Result<(), Refusal> {
    match spec.known_to {
        KnownTo::Everybody => {}
        KnownTo::Learners => _ = abilities::known(turn, actor.who, spec.name)?,
        KnownTo::Staff if permissions::is_staff(turn, actor.account) => {}
        KnownTo::Staff => return Err(Refusal::Unknown(word.to_owned(), None)),
    }
    carry_out(turn, actor, spec, rest)?;
    if let Some(lesson) = spec.teaches {
        turn.emit_event(GameEvent::Learned { who: actor.who, lesson });
    }
    Ok(())
}

/// Runs a command, and writes the audit log and the building journal.
pub(super) fn carry_out(
    turn: &mut Turn,
    actor: Actor,
    spec: &CommandSpec,
    rest: &str,
) -> Result<(), Refusal> {
    may(turn, actor, spec.needs())?;
    let is_building = spec.right.is_some_and(Right::is_of_builders);
    if is_building {
        pace::require_rest(turn, actor.account)?;
    }
    // In read-only mode `shutdown` must still work; other staff commands wait.
    let mut audited = None;
    if spec.right.is_some() && !turn.read_only {
        let line = format!("{} {rest}", spec.name);
        audited = Some(audit_log::audit(turn, Some(actor.account), &line));
    }
    let call = |turn: &mut Turn| (spec.run.call)(turn, actor, Words::new(rest, spec.missing));
    let done = pace::charged(turn, is_building.then_some(actor.account), |turn| {
        if spec.builds && !turn.read_only {
            built::write_down(turn, actor, &format!("{} {rest}", spec.name), call)
        } else {
            call(turn)
        }
    });
    if let (Err(Refusal::Asleep(_)), Some(audited)) = (&done, audited) {
        turn.world.retract_audit(audited);
    }
    done?;
    if spec.right.is_some() && !turn.read_only {
        respawn::begin(turn);
    }
    Ok(())
}

/// Performs a social, towards the named target if any.
fn perform_social(turn: &mut Turn, actor: Actor, social: &Social, rest: &str) -> Result<(), Refusal> {
    let name = without_preposition(rest.trim_end_matches(['.', '!', '?']));
    let target = match name.to_lowercase().as_str() {
        "" | "all" | "everybody" | "everyone" | "around" => None,
        "myself" => Some(actor.who),
        _ => Some(
            resolve::being_here(turn, actor.who, name)
                .map_err(|_| social_target_refusal(turn, actor, name))?,
        ),
    };
    socials::perform(turn, actor.who, social, target)
}

/// Returns the refusal of a social whose target is absent or is a townsperson.
fn social_target_refusal(turn: &Turn, actor: Actor, name: &str) -> Refusal {
    let room = turn.world.characters[actor.who].room;
    match townsfolk::folk_here(turn, room, name) {
        Some(folk) => refuse!("{} is too busy for that.", grammar::capitalise(&folk.name)),
        None => refuse!(
            "Nobody called \"{name}\" is here. To show something in words of your own, type emote and those \
             words."
        ),
    }
}

/// Strips a preposition: "at Bera" is Bera.
fn without_preposition(typed: &str) -> &str {
    const BEFORE_A_NAME: [&str; 7] = ["at", "to", "with", "on", "for", "before", "of"];
    match typed.split_once(char::is_whitespace) {
        Some((first, rest)) if BEFORE_A_NAME.contains(&first.to_lowercase().as_str()) => rest.trim(),
        _ => typed.trim(),
    }
}

/// Returns an error if the command's requirements are not met at the moment.
pub(super) fn may(turn: &Turn, actor: Actor, needs: Needs) -> Result<(), Refusal> {
    if needs != Needs::Nothing {
        turn.require_writable()?;
    }
    if needs == Needs::Hands { stats::may_act(turn, actor.who) } else { Ok(()) }
}
