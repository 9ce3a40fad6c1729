//! Commands for builders to teleport, and to manage the branches of the dungeon.

use crate::branch::{asleep, collapse};
use crate::building::rebuild_branch;
use crate::character::stats;
use crate::command::build::room::sheet;
use crate::command::parse::build_argument::Upkeep;
use crate::command::parse::{Actor, TextArgument, resolve};
use crate::command::spec::{CommandSpec, FromWeb, run};
use crate::expedition::view;
use crate::movement;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::text::{Markup, Style, grammar};

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "goto",
        right: Some(Right::Look),
        aliases: &["teleport"],
        syntax: "goto ROOM",
        summary: "Takes you to a room, by number, name or alias, or to a player.",
        example: "goto #12",
        missing: "goto and a room or a player",
        from_web: FromWeb::Refused,
        run: run!(goto),
        ..CommandSpec::BUILDER
    },
    CommandSpec {
        name: "branch",
        right: Some(Right::Branches),
        aliases: &["branches"],
        syntax: "branch list | show ID | collapse ID | reset ID",
        summary: "Lists the living branches, shows one, makes one collapse after moving everybody out, or makes one anew from its own seed, with everybody who is in it in its first room.",
        example: "branch show 3 tells its seed, its age and who is in it.",
        missing: "branch list, or branch show, collapse or reset, and a number",
        from_web: FromWeb::Staff,
        run: run!(branch),
        ..CommandSpec::BUILDER
    },
];

fn goto(turn: &mut Turn, actor: Actor, TextArgument(destination): TextArgument<'_>) -> Result<(), Refusal> {
    let by_name =
        |turn: &Turn| resolve::player_named(turn, destination).map(|who| turn.world.characters[who].room);
    let to = resolve::room_named(turn, actor.who, destination).or_else(|refusal| match by_name(turn) {
        Err(absent @ (Refusal::Asleep(_) | Refusal::Unreadable(_))) => Err(absent),
        found => found.map_err(|_| refusal),
    })?;
    stats::require_peace(turn, actor.who)?;
    asleep::require_awake_at(turn, to)?;
    movement::transport(turn, actor.who, to, " steps sideways and is gone.", " steps out of nowhere.");
    Ok(())
}

fn branch(turn: &mut Turn, actor: Actor, upkeep: Upkeep) -> Result<(), Refusal> {
    match upkeep {
        Upkeep::List => {
            let list = branch_list(turn)?;
            actor.answer(turn, list)
        }
        Upkeep::Show(id) => {
            asleep::require_awake(turn, id)?;
            let sheet = sheet::branch_sheet(turn, id)?;
            actor.answer(turn, sheet)
        }
        Upkeep::Collapse(id) => {
            asleep::require_awake(turn, id)?;
            sheet::branch_sheet(turn, id)?;
            collapse::collapse(turn, id);
            actor.answer(turn, format!("Branch {id} is no more."))
        }
        Upkeep::Reset(old) => {
            asleep::require_awake(turn, old)?;
            let new = rebuild_branch::rebuild_branch(turn, old)?;
            let message =
                format!("Branch {old} is no more. It begins anew as branch {new}, from the same seed.");
            actor.answer(turn, message)
        }
    }
}

fn branch_list(turn: &Turn) -> Result<Markup, Refusal> {
    if turn.world.branches.iter_active().next().is_none() {
        return Err(refuse!("No branch is open."));
    }
    let mut list = Markup::styled(Style::Heading, "Branches");
    for (id, branch) in turn.world.branches.iter_active() {
        let rooms = grammar::counted(branch.rooms_made, "room");
        let members = grammar::counted(turn.world.branches.members(id).len(), "member");
        let owned =
            view::staff_words(turn, id).map(|expedition| format!(", {expedition}")).unwrap_or_default();
        list.line(Style::Plain, &format!("{id}: {}, {rooms}, {members}{owned}", branch.name));
    }
    Ok(list)
}
