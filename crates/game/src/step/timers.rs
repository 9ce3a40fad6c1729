//! Timers that are due in a step.

use crate::access::audit_log;
use crate::account::{guests, unused};
use crate::attack::corpse;
use crate::branch::{cleanup, collapse, collapse_warnings, expiry};
use crate::building::zones;
use crate::building::zones::file_work::Postponed;
use crate::character::{abilities, rest};
use crate::combat::rounds::ticks;
use crate::combat::{incapacitated, rounds};
use crate::command::build::sweep;
use crate::creature::script::run;
use crate::input::Input;
use crate::item::light;
use crate::post::mail;
use crate::room::{respawn, walk_plan};
use crate::staff::{bans, moderation};
use crate::state::slices;
use crate::state::timers::Timer;
use crate::turn::Turn;
use crate::wake;
use crate::{creature, party};
use deepwell_core::base::RoomId;

/// Runs the timers that are due. Ticks and collapses of branches, walks of creatures and suspended scripts are put off
/// once the timers have done the work of a slice, each a moment later than the one before: ticks that coincide, as after a
/// start, then stay apart. Returns the name and the room of the timer that did the most work.
pub(super) fn run_due_timers(turn: &mut Turn) -> (&'static str, Option<RoomId>) {
    let slice_end = turn.world.work() + u64::from(turn.config.limits.slice_work);
    let mut put_off_until = turn.now;
    let (mut most, mut cause) = (0, (Input::Wake.kind(), None));
    while let Some((due, timer)) = turn.timers.pop_due(turn.now) {
        let (before, room) = (turn.world.work(), timer.room(&turn.world));
        match timer {
            Timer::TickBranch(_)
            | Timer::TickRoom(_)
            | Timer::Waits(_)
            | Timer::Route(_)
            | Timer::Expire(_)
                if turn.world.work() > slice_end =>
            {
                put_off_until = put_off_until + slices::WAIT;
                turn.timers.schedule(put_off_until, timer);
            }
            Timer::StartTask(group, task) => expiry::run_task(turn, group, task, due),
            Timer::ClearAway => cleanup::delete_next_slice(turn, due),
            Timer::ClearUnused(behind) => unused::clear_unused(turn, behind),
            Timer::Expire(branch) => collapse::collapse_if_expired(turn, branch),
            Timer::Warn(branch) => collapse_warnings::warn(turn, branch),
            Timer::LinkDead(character) => guests::end_link_death(turn, character),
            Timer::Round(room) => rounds::round_due(turn, room, due),
            Timer::TickBranch(branch) => creature::tick_branch(turn, branch),
            Timer::TickRoom(room) => creature::tick_room(turn, room),
            Timer::LevelUp(who) => turn.rising.note(who),
            Timer::Sanction(account) => moderation::expire_sanctions(turn, account),
            Timer::Ban(ban) => bans::end_ban(turn, ban),
            Timer::Mail => mail::expire(turn),
            Timer::TrimLogs => audit_log::trim_logs(turn),
            Timer::Waits(room) => run::resume_waits(turn, room),
            Timer::Route(creature) => creature::follow_route(turn, creature),
            Timer::Act(creature) => creature::act_alone(turn, creature, due),
            Timer::Affect(who) => ticks::run_due_affects(turn, who, due),
            Timer::Rested(who) => rest::rested_due(turn, who, due),
            Timer::Walk(who) => walk_plan::walk_due(turn, who, due),
            Timer::Ready(who) => abilities::tell_ready(turn, who, due),
            Timer::Down(who) => incapacitated::bleed_out(turn, who),
            Timer::Crumble(item) => corpse::crumble(turn, item),
            Timer::BurnOut(item) => light::burn_out(turn, item),
            Timer::Party(party) => party::party_due(turn, party),
            Timer::Respawn => respawn::respawn_due(turn),
            Timer::Sweep => sweep::go_on(turn),
            Timer::Files => {
                let done = zones::file_work::go_on(turn);
                repeat_postponed(turn, done);
            }
        }
        let work = turn.world.work() - before;
        if work > most {
            (most, cause) = (work, (timer.cause(), room));
        }
    }
    cause
}

/// Repeats work on files once a part of the world has been read.
pub(super) fn repeat_postponed(turn: &mut Turn, done: Result<(), Postponed>) {
    if let Err(postponed) = done {
        let (part, input) = *postponed;
        wake::repeat_later(turn, part, input);
    }
}
