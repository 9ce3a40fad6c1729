//! Dispatch of a typed line: resolution, checks and execution.

use super::{find_command, is_command, puzzle_verb, spec, split};
use crate::base::{Direction, Right, SessionId, unicode};
use crate::catalog::ItemClass;
use crate::game::access::{audit_log, permissions, sanctions};
use crate::game::account::profile;
use crate::game::branch::rooms;
use crate::game::character::{abilities, stats};
use crate::game::command::account::guest;
use crate::game::command::build::{built, walk};
use crate::game::command::parse::actor::Actor;
use crate::game::command::parse::meaning::Meaning;
use crate::game::command::parse::words::Words;
use crate::game::command::parse::{meaning, resolve, words};
use crate::game::command::spec::{CommandSpec, KnownTo, Needs, WhenAway, WhenFrozen};
use crate::game::creature::hooks;
use crate::game::effect::Class;
use crate::game::effect::data::{Data, Package};
use crate::game::exit::{doors, pathfinding, puzzle_exits};
use crate::game::message::editor::Line;
use crate::game::message::{editor, naming, tell};
use crate::game::movement;
use crate::game::refusal::{Refusal, ThingRefusal, WayRefusal};
use crate::game::room::puzzle::deeds;
use crate::game::room::respawn;
use crate::game::state::event::GameEvent;
use crate::game::turn::{Turn, prototypes};
use crate::puzzle::{Verb, find_device};
use crate::text::sanitise;
use crate::world::Sanction;

/// Runs a typed line. The client always gets a prompt.
pub(crate) fn command(turn: &mut Turn, session: SessionId, line: &str) {
    let Some(seat) = turn.seats.get(&session) else { return };
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
    if let Err(refusal) = done {
        tell::tell(turn, actor.who, Class::Refusal, refusal.markup());
        tell_wrong_way(turn, actor, line);
    }
}

/// Adds a line to the text being written. The end of the text runs the command that began it. If that command is
/// refused, the text is kept.
fn write(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let line = match Line::read(line) {
        Line::Command(command) => return dispatch(turn, actor, command),
        line => line,
    };
    sanctions::require_no_sanction(turn, actor.account, Sanction::Freeze)?;
    spec::must_write(turn)?;
    match line {
        Line::End => {
            let command = editor::finish(turn, actor.who)?;
            dispatch(turn, actor, &command)?;
            editor::forget(turn, actor.who);
        }
        Line::Cancel => {
            editor::forget(turn, actor.who);
            actor.answer(turn, "What you wrote is thrown away.")?;
        }
        Line::Text(words) => editor::add(turn, actor.who, words)?,
        Line::Command(_) => {}
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
    let Some(direction) = word.and_then(|word| pathfinding::direction_named(turn, &word)) else { return };
    let room = turn.world.characters[actor.who].room;
    if pathfinding::exit_named(turn, room, direction.name()).is_none() {
        turn.outbox.data(actor.session, Data::RoomWrongDir(direction.letter()));
    }
}

fn dispatch(turn: &mut Turn, actor: Actor, line: &str) -> Result<(), Refusal> {
    let line = line.strip_prefix('@').unwrap_or(line);
    let (word, rest) = split(line);
    if word.is_empty() {
        return Ok(());
    }
    let word = word.to_lowercase();
    let rights = actor.rights(turn);
    let named = find_command(&word, rights);
    if named.map(|spec| spec.when_frozen) != Some(WhenFrozen::Done) {
        sanctions::require_no_sanction(turn, actor.account, Sanction::Freeze)?;
    }
    // Typing a command clears the AFK flag.
    if named.map(|spec| spec.when_away) != Some(WhenAway::Said) && profile::end_away(turn, actor.who) {
        tell::tell(turn, actor.who, Class::Notice, "You are back.");
    }
    if let Some(done) = go_or_work(turn, actor, line, (&word, rest)) {
        return done;
    }
    let meaning = meaning::of(&turn.catalog, rights, &word, line)?;
    guest::require_open(turn, actor.account, &meaning)?;
    let spec = match meaning {
        Meaning::Command(spec) => spec,
        Meaning::Social(social) => return meaning::perform(turn, actor, &social, rest),
    };
    match spec.known_to {
        KnownTo::Everybody => {}
        KnownTo::Learners => _ = abilities::known(turn, actor.who, spec.name)?,
        KnownTo::Staff if permissions::is_staff(turn, actor.account) => {}
        KnownTo::Staff => return Err(Refusal::Unknown(word, None)),
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
    may(turn, actor, spec.needs)?;
    // In read-only mode `shutdown` must still work; other staff commands wait.
    if spec.right.is_some() && !turn.read_only {
        // A field written line by line may exceed the length of a typed line.
        let most = turn.config.limits.line_bytes as usize;
        let line = sanitise::clean_line(&format!("{} {rest}", spec.name), most);
        audit_log::audit(turn, Some(actor.account), &line);
    }
    let call = |turn: &mut Turn| (spec.run.call)(turn, actor, Words::new(rest, spec.missing));
    if spec.builds && !turn.read_only {
        built::write_down(turn, actor, &format!("{} {rest}", spec.name), call)?;
    } else {
        call(turn)?;
    }
    if spec.right.is_some() && !turn.read_only {
        respawn::begin(turn);
    }
    Ok(())
}

/// Handles a line that is not a command: an exit, a door, a custom command of the room, or a puzzle action. Returns
/// `None` if it is none of these, or the account is frozen.
fn go_or_work(
    turn: &mut Turn,
    actor: Actor,
    line: &str,
    (word, rest): (&str, &str),
) -> Option<Result<(), Refusal>> {
    if sanctions::is_frozen(turn, actor.account) {
        return None;
    }
    let room = turn.world.characters[actor.who].room;
    let go = |turn: &mut Turn, exit| {
        spec::must_write(turn)?;
        movement::walk(turn, actor.who, exit)
    };
    if let Some(exit) = pathfinding::exit_named(turn, room, line).map(|exit| exit.id) {
        return Some(go(turn, exit));
    }
    // "north, quickly" moves north, as in other MUDs.
    if let Some(direction) = pathfinding::direction_named(turn, word) {
        let no_way = match direction {
            // Mappers match the first sentence.
            Direction::Down => WayRefusal::NoStairsDown.into(),
            _ => Refusal::NoWay,
        };
        let no_way = puzzle_exits::closed_way(turn, room, direction).unwrap_or(no_way);
        return Some(match pathfinding::exit_named(turn, room, direction.name()).map(|exit| exit.id) {
            Some(exit) => go(turn, exit),
            None => walk::step(turn, actor, direction).unwrap_or(Err(no_way)),
        });
    }
    if let Some(shut) = match word {
        "open" => Some(false),
        "close" | "shut" => Some(true),
        _ => None,
    } && let Some(door) = doors::door_named(turn, room, words::without_article(rest))
    {
        return Some(may(turn, actor, Needs::Hands).and_then(|()| doors::work(turn, actor.who, door, shut)));
    }
    if let Some(verb) = Verb::named(word)
        && let Some(done) = try_handling(turn, actor, verb, words::without_article(rest))
    {
        return Some(done);
    }
    if hooks::is_custom_command(turn, room, word) && !is_command(word) {
        return Some(may(turn, actor, Needs::Hands).map(|()| hooks::obey(turn, actor.who, word, rest)));
    }
    if let Some(verb) = puzzle_verb(word).filter(|_| turn.world.puzzle_at(room).is_some()) {
        return Some(may(turn, actor, Needs::Hands).and_then(|()| {
            deeds::work(turn, actor.who, verb, words::without_article(rest)).unwrap_or(Err(Refusal::NoWay))
        }));
    }
    let opens = matches!(word, "open" | "close" | "shut");
    not_a_door_refusal(turn, actor, rest).filter(|_| opens).map(Err)
}

/// Returns the refusal to open or close a target that is not a door: an item or character in reach, or an unknown word
/// in a room with a door. `None` if a builder may mean a new exit, or there is no door.
fn not_a_door_refusal(turn: &Turn, actor: Actor, words: &str) -> Option<Refusal> {
    let typed = words::without_article(words);
    if typed.is_empty() || typed.contains(['=', ':']) {
        return None;
    }
    let room = turn.world.characters[actor.who].room;
    let builds = actor.rights(turn).has(Right::Dig);
    let carried = turn.world.carried(actor.who);
    let thing = resolve::item_among(turn, turn.world.ground(room), typed)
        .or_else(|| resolve::item_among(turn, carried, typed));
    let being = || resolve::being_here(turn, actor.who, typed).ok();
    let (what, container) = match thing {
        Some(thing) => {
            let class = prototypes::class_of(turn, thing);
            let holds = matches!(class, ItemClass::Container | ItemClass::Corpse);
            (Some(naming::the_thing(turn, thing)), holds.then(|| typed.to_owned()))
        }
        None => (being().map(|being| naming::the(turn, being)), None),
    };
    let doors: Vec<String> = turn
        .world
        .exits_of(room)
        .filter_map(|exit| Some(format!("the {} is {}", exit.door.as_ref()?.name, exit.name)))
        .collect();
    if what.is_none() && (builds || doors.is_empty()) {
        return None;
    }
    let key = thing.filter(|_| builds && container.is_none()).map(|thing| &turn.world.items[thing].prototype);
    Some(ThingRefusal::NoDoor { what, typed: typed.to_owned(), container, key: key.cloned(), doors }.into())
}

/// Performs a custom interaction with a puzzle object; `None` if no object here supports it.
fn try_handling(turn: &mut Turn, actor: Actor, verb: Verb, words: &str) -> Option<Result<(), Refusal>> {
    let (_, run, cell) = turn.world.puzzle_at(turn.world.characters[actor.who].room)?;
    let meant = find_device(&run.board, cell, verb, words)?;
    Some(may(turn, actor, Needs::Hands).and_then(|()| deeds::handle(turn, actor.who, meant)))
}

/// Returns an error if the command's requirements are not met at the moment.
pub(super) fn may(turn: &Turn, actor: Actor, needs: Needs) -> Result<(), Refusal> {
    if needs != Needs::Nothing {
        spec::must_write(turn)?;
    }
    if needs == Needs::Hands { stats::may_act(turn, actor.who) } else { Ok(()) }
}
