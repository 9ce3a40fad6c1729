//! Words for builders, spelled as Evennia spells them. Everything takes effect at once and is stored
//! with the batch; rooms of a branch are the dungeon's own.

use crate::base::{BranchId, CharacterId, Direction, ExitId, Point, RoomId};
use crate::catalog::room_kind::Origin;
use crate::game::command::actor::Actor;
use crate::game::command::argument::{Speech, Text};
use crate::game::command::build_argument::{Equation, Named, Setting, Sides, Tunnel, Upkeep, named, names};
use crate::game::command::spec::{CommandSpec, run};
use crate::game::command::words::without_article;
use crate::game::command::{exit_settings, hook, resolve, sheet};
use crate::game::effect::Class;
use crate::game::happening::Happening;
use crate::game::refusal::{BuildRefusal, Refusal};
use crate::game::turn::Turn;
use crate::game::{closing, founding, movement, renewal, tell, ways};
use crate::puzzle::Verb;
use crate::text::{Markup, Style, grammar, sanitise};
use crate::world::{BranchSettings, ExitKind, RoomKind};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "dig",
        syntax: "dig NAME[;ALIAS][:KIND] [= EXIT[;ALIAS][, RETURN[;ALIAS]]]",
        summary: "Makes a room, and exits to it and back. Kinds: room, start.",
        example: "dig well:start = down,up makes the start room of a dungeon below you.",
        run: run!(dig),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "tunnel",
        syntax: "tunnel DIRECTION = NAME[;ALIAS][:KIND]",
        summary: "Makes a room in a direction, with an exit there and one back.",
        example: "tunnel north = Guard Room makes it, with south leading back.",
        missing: "tunnel DIRECTION = NAME",
        run: run!(tunnel),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "open",
        syntax: "open EXIT[;ALIAS][:KIND] [= ROOM]",
        summary: "Makes an exit here. Kinds: exit, which needs a room; branch, which spawns branches of the dungeon.",
        example: "open north;n:branch makes a way into the dungeon.",
        in_puzzle: Some(Verb::Open),
        run: run!(open),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "link",
        syntax: "link EXIT = ROOM",
        summary: "Lets an exit of this room lead to another room.",
        example: "link gate = Guard Room",
        missing: "link EXIT = ROOM",
        run: run!(link),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "unlink",
        syntax: "unlink EXIT",
        summary: "Lets a branch exit forget its open branch: whoever takes it next gets a fresh one.",
        example: "unlink east",
        run: run!(unlink),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "destroy",
        syntax: "destroy EXIT or ROOM",
        summary: "Removes an exit of this room, or a room by number or name with everything in it but people.",
        example: "destroy #12 removes room 12.",
        missing: "destroy and the name of an exit here, or of a room",
        run: run!(destroy),
        ..CommandSpec::BUILDER
    },
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
        syntax: "set EXIT SETTING = VALUE",
        summary: "Changes a branch exit: theme, generator, max_unexplored_exits, max_new_exits_per_room, finishable, window and max_life in seconds, reset_chance in percent. default gives it back to the theme. Or set here environment = WORD, or set on_enter = LINE; LINE, a script for whoever comes in.",
        example: "set north max_unexplored_exits = 6",
        takes_words: true,
        missing: "set EXIT SETTING = VALUE",
        run: run!(set),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "goto",
        aliases: &["teleport"],
        syntax: "goto ROOM",
        summary: "Takes you to a room, by number, name or alias, or to a player.",
        example: "goto #12",
        missing: "goto and a room or a player",
        run: run!(goto),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "branch",
        aliases: &["branches"],
        syntax: "branch list | show ID | collapse ID | reset ID",
        summary: "Lists the living branches, shows one, makes one collapse after moving everybody out, or makes one anew from its own seed, with everybody who is in it in its first room.",
        example: "branch show 3 tells its seed, its age and who is in it.",
        missing: "branch list, or branch show, collapse or reset, and a number",
        run: run!(branch),
        ..CommandSpec::BUILDER
    },
];

/// The room a builder stands in, if it is hand-built.
pub(crate) fn building_site(turn: &Turn, who: CharacterId) -> Result<RoomId, Refusal> {
    let room = turn.world.characters[who].room;
    if turn.world.rooms[room].branch.is_some() {
        return Err(BuildRefusal::InBranch.into());
    }
    Ok(room)
}

fn own_exit(turn: &Turn, who: CharacterId, words: &str) -> Result<ExitId, Refusal> {
    let room = building_site(turn, who)?;
    let name = without_article(words);
    let exit = ways::exit_named(turn, room, words.trim()).or_else(|| ways::exit_named(turn, room, name));
    let exit = exit.filter(|exit| !exit.is_gate()).map(|exit| exit.id);
    exit.ok_or_else(|| BuildRefusal::NoExit(name.to_owned()).into())
}

/// The kind an exit of these words would have, if a room may get it. Changes nothing, so that whoever makes
/// several things can ask for all of them first. A room that is yet to be dug has a kind and no exits.
fn exit_kind(
    turn: &Turn,
    room: Option<RoomId>,
    of: RoomKind,
    named: &Named,
    leads: bool,
) -> Result<ExitKind, Refusal> {
    let kind = match named.kind.as_deref() {
        None | Some("exit") => ExitKind::Exit,
        Some("branch") => ExitKind::Branch,
        Some(other) => {
            return Err(BuildRefusal::NoExitKind(other.to_owned()).into());
        }
    };
    let plane = Direction::parse(&named.name).is_some_and(|d| Direction::PLANE.contains(&d));
    if kind == ExitKind::Branch && !plane {
        return Err(BuildRefusal::BranchOffPlane.into());
    }
    if kind == ExitKind::Branch && of != RoomKind::Start {
        return Err(BuildRefusal::NoStartRoom.into());
    }
    if kind == ExitKind::Exit && !leads {
        return Err(Refusal::Missing("open EXIT = ROOM: an exit has to lead somewhere"));
    }
    if let Some(room) = room {
        words_free(turn, room, named, None)?;
        if turn.world.exits_of(room).count() >= MOST_EXITS {
            return Err(BuildRefusal::TooManyExits.into());
        }
    }
    Ok(kind)
}

/// Whether no exit of a room but the one to be renamed answers to one of these words.
fn words_free(turn: &Turn, room: RoomId, named: &Named, but: Option<ExitId>) -> Result<(), Refusal> {
    let letter = Direction::parse(&named.name).map(|direction| direction.letter().to_owned());
    let words = named.aliases.iter().chain([&named.name]).chain(&letter);
    for word in words {
        if ways::exit_named(turn, room, word).is_some_and(|exit| Some(exit.id) != but) {
            return Err(BuildRefusal::ExitTaken(word.clone()).into());
        }
    }
    Ok(())
}

fn add_exit(turn: &mut Turn, room: RoomId, kind: ExitKind, named: &Named, to: Option<RoomId>) {
    let to = if kind == ExitKind::Branch { None } else { to };
    founding::add_built_exit(turn, room, kind, &named.name, &named.aliases, to, BranchSettings::default());
}

fn add_room(
    turn: &mut Turn,
    from: RoomId,
    kind: RoomKind,
    named: &Named,
    direction: Option<Direction>,
) -> RoomId {
    let (area, at) = (turn.world.rooms[from].area.clone(), turn.world.rooms[from].at);
    let at = direction.map_or(at, |direction| match direction {
        // Rooms above and below are drawn beside each other: hand-built areas have one plane.
        Direction::Up => Point::new(at.x, at.y + 1),
        Direction::Down => Point::new(at.x, at.y - 1),
        plane => at.step(plane),
    });
    founding::add_built_room(turn, kind, &named.name, &named.aliases, &area, at)
}

fn done(turn: &mut Turn, who: CharacterId, words: &str) {
    tell::tell(turn, who, Class::Reply, words);
}

/// Exits of one room at the most.
const MOST_EXITS: usize = 24;

fn dig(turn: &mut Turn, actor: Actor, Sides { left, right }: Sides<'_>) -> Result<(), Refusal> {
    dig_room(turn, actor, left, right)
}

fn dig_room(turn: &mut Turn, actor: Actor, room: &str, exits: Option<&str>) -> Result<(), Refusal> {
    let usage = |_| Refusal::Missing("dig NAME = EXIT, RETURN");
    let here = building_site(turn, actor.who)?;
    let room = named(turn, room).map_err(usage)?;
    let kind = room_kind(&room)?;
    let mut exits = exits.into_iter().flat_map(|exits| exits.split(','));
    let out = exits.next().map(|exit| named(turn, exit).map_err(usage)).transpose()?;
    let back = exits.next().map(|exit| named(turn, exit).map_err(usage)).transpose()?;
    let around = turn.world.rooms[here].kind;
    let out_kind = out.as_ref().map(|out| exit_kind(turn, Some(here), around, out, true)).transpose()?;
    let back_kind = back.as_ref().map(|back| exit_kind(turn, None, kind, back, true)).transpose()?;

    let direction = out.as_ref().and_then(|exit| Direction::parse(&exit.name));
    let made = add_room(turn, here, kind, &room, direction);
    if let (Some(out), Some(kind)) = (&out, out_kind) {
        add_exit(turn, here, kind, out, Some(made));
    }
    if let (Some(back), Some(kind)) = (&back, back_kind) {
        add_exit(turn, made, kind, back, Some(here));
    }
    let start = if kind == RoomKind::Start { " It is a start room: its timers are running." } else { "" };
    done(turn, actor.who, &format!("You dig {}, room {made}.{start}", room.name));
    Ok(())
}

fn room_kind(named: &Named) -> Result<RoomKind, Refusal> {
    let Some(word) = named.kind.as_deref() else { return Ok(RoomKind::Room) };
    let known = RoomKind::made_by(&[Origin::Builders]);
    let found = known.iter().find(|(name, _)| *name == word).map(|(_, kind)| *kind);
    found.ok_or_else(|| {
        let known = known.iter().map(|(name, _)| (*name).to_owned()).collect();
        BuildRefusal::NoRoomKind { word: word.to_owned(), known }.into()
    })
}

fn tunnel(turn: &mut Turn, actor: Actor, Tunnel { direction, name }: Tunnel<'_>) -> Result<(), Refusal> {
    dig_room(turn, actor, name, Some(&format!("{direction},{}", direction.opposite())))
}

fn open(turn: &mut Turn, actor: Actor, Sides { left, right: to }: Sides<'_>) -> Result<(), Refusal> {
    let here = building_site(turn, actor.who)?;
    let exit = named(turn, left).map_err(|_| Refusal::Missing("open EXIT = ROOM, or open EXIT:branch"))?;
    let to = to.map(|room| hand_built(turn, room)).transpose()?;
    let kind = exit_kind(turn, Some(here), turn.world.rooms[here].kind, &exit, to.is_some())?;
    add_exit(turn, here, kind, &exit, to);
    done(turn, actor.who, &format!("You open the exit {}.", exit.name));
    Ok(())
}

fn hand_built(turn: &Turn, words: &str) -> Result<RoomId, Refusal> {
    let room = resolve::room_named(turn, words)?;
    if turn.world.rooms[room].branch.is_some() {
        return Err(BuildRefusal::LeadsIntoBranch.into());
    }
    Ok(room)
}

fn link(turn: &mut Turn, actor: Actor, Equation { left, right }: Equation<'_>) -> Result<(), Refusal> {
    let room = hand_built(turn, right)?;
    let exit = own_exit(turn, actor.who, left)?;
    if turn.world.exits[exit].kind == ExitKind::Branch {
        return Err(BuildRefusal::BranchExitLinked.into());
    }
    if let Some(row) = turn.world.exits.edit(exit) {
        row.to = Some(room);
    }
    let words = format!("{} leads to {} now.", turn.world.exits[exit].name, turn.world.rooms[room].name);
    done(turn, actor.who, &words);
    Ok(())
}

fn unlink(turn: &mut Turn, actor: Actor, Speech(name): Speech<'_>) -> Result<(), Refusal> {
    let exit = own_exit(turn, actor.who, name)?;
    let row = &turn.world.exits[exit];
    match (row.kind, row.window) {
        (ExitKind::Branch, Some(window)) => closing::close_window(turn, exit, window.branch),
        (ExitKind::Branch, None) => return Err(BuildRefusal::NoOpenBranch.into()),
        (ExitKind::Exit | ExitKind::Stairs, _) => return Err(BuildRefusal::ExitNeedsRoom.into()),
    }
    done(turn, actor.who, "Whoever takes it next gets a fresh branch.");
    Ok(())
}

fn destroy(turn: &mut Turn, actor: Actor, Text(words): Text<'_>) -> Result<(), Refusal> {
    if let Ok(exit) = own_exit(turn, actor.who, words) {
        let row = turn.world.exits[exit].clone();
        let branches = || turn.world.branches.iter().filter(|(_, branch)| branch.start_exit == exit);
        if branches().any(|(id, _)| !turn.world.members(id).is_empty()) {
            return Err(BuildRefusal::BranchInUse.into());
        }
        if let Some(window) = row.window {
            closing::close_window(turn, exit, window.branch);
        }
        turn.world.remove_exit(exit);
        done(turn, actor.who, &format!("The exit {} is gone.", row.name));
        return Ok(());
    }
    let room = hand_built(turn, words)?;
    destroy_room(turn, actor, room)
}

fn destroy_room(turn: &mut Turn, actor: Actor, room: RoomId) -> Result<(), Refusal> {
    let town = founding::town(turn);
    if room == town {
        return Err(BuildRefusal::TownStays.into());
    }
    let name = turn.world.rooms[room].name.clone();
    let branches: Vec<BranchId> =
        turn.world.branches.iter().filter(|(_, b)| b.start_room == room).map(|(id, _)| id).collect();
    for branch in branches {
        closing::collapse(turn, branch);
        // What is not cleared away yet has to hang on a room that stays.
        if let Some(row) = turn.world.branches.edit(branch) {
            row.start_room = town;
        }
    }
    let people: Vec<CharacterId> = turn
        .world
        .characters
        .iter()
        .filter(|(_, c)| c.room == room || c.home == room)
        .map(|(id, _)| id)
        .collect();
    for who in people {
        if let Some(row) = turn.world.characters.edit(who).filter(|row| row.home == room) {
            row.home = town;
        }
        if turn.world.characters[who].room == room {
            tell::tell(
                turn,
                who,
                Class::Notice,
                "The room around you folds up like paper, and you are elsewhere.",
            );
            movement::relocate(turn, who, town);
            turn.happen(Happening::SawRoom { who });
        }
    }
    let into: Vec<ExitId> =
        turn.world.exits.iter().filter(|(_, exit)| exit.to == Some(room)).map(|(id, _)| id).collect();
    for exit in into {
        turn.world.remove_exit(exit);
    }
    turn.world.remove_room(room);
    done(turn, actor.who, &format!("{name} is gone, and every exit that led there."));
    Ok(())
}

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
        words_free(turn, turn.world.exits[exit].room, &named, Some(exit))?;
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
        if let Some(row) = turn.world.rooms.edit(room) {
            row.description = text;
        }
    } else {
        let exit = own_exit(turn, actor.who, what)?;
        if let Some(row) = turn.world.exits.edit(exit) {
            row.description = text;
        }
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
    if what.eq_ignore_ascii_case("here") && setting == "environment" {
        let room = building_site(turn, actor.who)?;
        let word = sanitise::clean_line(value, turn.config.limits.name_chars as usize);
        if word.is_empty() || word.contains(' ') {
            return Err(BuildRefusal::NoEnvironment.into());
        }
        if let Some(row) = turn.world.rooms.edit(room) {
            row.environment = word;
        }
    } else {
        let exit = own_exit(turn, actor.who, what)?;
        if turn.world.exits[exit].kind != ExitKind::Branch {
            return Err(BuildRefusal::NoSettings.into());
        }
        let mut settings = turn.world.exits[exit].settings.clone();
        exit_settings::change(turn, &mut settings, setting, value)?;
        if let Some(row) = turn.world.exits.edit(exit) {
            row.settings = settings;
        }
    }
    done(turn, actor.who, &format!("{setting} is {value} now."));
    Ok(())
}

fn goto(turn: &mut Turn, actor: Actor, Text(words): Text<'_>) -> Result<(), Refusal> {
    let by_name = |turn: &Turn| resolve::player_named(turn, words).map(|who| turn.world.characters[who].room);
    let to = resolve::room_named(turn, words).or_else(|refusal| by_name(turn).map_err(|_| refusal))?;
    if turn.world.characters[actor.who].target.is_some() {
        return Err(Refusal::InCombat);
    }
    movement::transport(turn, actor.who, to, " steps sideways and is gone.", " steps out of nowhere.");
    Ok(())
}

fn branch(turn: &mut Turn, actor: Actor, upkeep: Upkeep) -> Result<(), Refusal> {
    match upkeep {
        Upkeep::List => {
            let list = branch_list(turn)?;
            tell::tell(turn, actor.who, Class::Reply, list);
        }
        Upkeep::Show(id) => {
            let sheet = sheet::branch_sheet(turn, id)?;
            tell::tell(turn, actor.who, Class::Reply, sheet);
        }
        Upkeep::Collapse(id) => {
            sheet::branch_sheet(turn, id)?;
            closing::collapse(turn, id);
            done(turn, actor.who, &format!("Branch {id} is no more."));
        }
        Upkeep::Reset(old) => {
            let new = renewal::renew_branch(turn, old)?;
            done(
                turn,
                actor.who,
                &format!("Branch {old} is no more. It begins anew as branch {new}, from the same seed."),
            );
        }
    }
    Ok(())
}

fn branch_list(turn: &Turn) -> Result<Markup, Refusal> {
    if turn.world.living_branches().next().is_none() {
        return Err(BuildRefusal::NoBranches.into());
    }
    let mut list = Markup::styled(Style::Heading, "Branches");
    for (id, branch) in turn.world.living_branches() {
        let members = u32::try_from(turn.world.members(id).len()).unwrap_or(u32::MAX);
        let rooms = grammar::counted(branch.rooms_made, "room", None);
        let members = grammar::counted(members, "member", None);
        list.line(Style::Plain, &format!("{id}: {}, {rooms}, {members}", branch.name));
    }
    Ok(list)
}
