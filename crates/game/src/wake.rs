//! Waking of the parts of the world that are asleep, and the inputs that wait for it.

use crate::account::{absent, login, unused};
use crate::branch::{asleep, collapse};
use crate::building::draft_versions;
use crate::character::{abilities, affects, experience};
use crate::creature::script::run;
use crate::input::Input;
use crate::input::envelope::Envelope;
use crate::message::tell;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use crate::{attack, creature};
use deepwell_core::base::{AccountId, BranchId, CharacterId, ItemId, RuleLimit};
use deepwell_core::world::{PartRows, WorldPart};
use std::sync::Arc;

/// Maximum number of idle parts that a commit considers.
const PUT_TO_SLEEP_AT_ONCE: usize = 16;

/// Puts parts of the world to sleep that have been idle for long enough. At most one of them is a branch.
pub(crate) fn put_idle_to_sleep(turn: &mut Turn) {
    for _ in 0..PUT_TO_SLEEP_AT_ONCE {
        match turn.sleepers.take_idle(turn.now) {
            Some(WorldPart::Account(account)) => absent::put_to_sleep_if_away(turn, account),
            Some(WorldPart::Branch(branch)) => return asleep::put_to_sleep_if_idle(turn, branch),
            None => return,
        }
    }
}

/// Returns the input, if it can be played now. Otherwise it waits for a part of the world.
pub(crate) fn admit(turn: &mut Turn, envelope: Envelope) -> Option<Envelope> {
    if turn.world.asleep.rows().is_empty() {
        return Some(envelope);
    }
    let session = envelope.input.session();
    if let Some(part) = session.and_then(|session| turn.sleepers.awaited_by(session)) {
        keep(turn, part, envelope);
        return None;
    }
    let enters = envelope.input.entering_account();
    let account = match &envelope.input {
        Input::DeleteAccount { account, .. } => Some(*account),
        _ => enters,
    };
    let around = account.and_then(|account| asleep::require_awake_around(turn, account).err());
    let built = envelope.input.builder().and_then(|account| asleep::require_awake(turn, account).err());
    match (around.or(built), session) {
        (Some(Refusal::Asleep(part)), _) => {
            defer(turn, part, envelope);
            None
        }
        (Some(refusal), Some(session)) if enters.is_some() => {
            login::refuse_entry(turn, session, refusal.markup().text());
            None
        }
        _ => Some(envelope),
    }
}

/// Requests a part of the world, and keeps an input until it is awake.
fn defer(turn: &mut Turn, part: WorldPart, envelope: Envelope) {
    turn.sleepers.request(part);
    keep(turn, part, envelope);
}

/// Keeps an input until a part of the world that has been requested is awake.
fn keep(turn: &mut Turn, part: WorldPart, envelope: Envelope) {
    let (session, most) = (envelope.input.session(), RuleLimit::InputsWaiting.of(&turn.config.limits));
    // A lost connection must not be forgotten, and inputs of the server itself are few.
    let is_counted = session.is_some() && !matches!(envelope.input, Input::Lost { .. });
    let most = if is_counted { most } else { u32::MAX };
    if !turn.sleepers.defer(part, envelope, most)
        && let Some(who) = session.and_then(|session| turn.seats.get(&session)).map(|seat| seat.character)
    {
        tell::refuse(
            turn,
            who,
            &refusal::at_limit(
                RuleLimit::InputsWaiting,
                refuse!("You type faster than the rock opens; that line is lost."),
            ),
        );
    }
}

/// Takes the rows of a part into memory. The inputs that waited for them are played next. `None` means that they cannot
/// be read: the part stays asleep.
pub(crate) fn wake(turn: &mut Turn, part: WorldPart, rows: Option<Arc<PartRows>>) {
    turn.sleepers.note_read(part, rows.is_some());
    // A game that was reloaded from storage may get rows that it has not requested.
    if let Some(rows) = rows.filter(|_| turn.world.is_part_asleep(part)) {
        turn.world.wake(part, Arc::unwrap_or_clone(rows));
        match part {
            WorldPart::Branch(branch) => {
                resume_branch(turn, branch);
                asleep::schedule_sleep(turn, branch);
            }
            WorldPart::Account(account) => {
                resume_account(turn, account);
                absent::schedule_sleep(turn, account);
            }
        }
    }
    let is_awake = !turn.world.is_part_asleep(part);
    match part {
        WorldPart::Branch(branch) if turn.sleepers.take_doomed(branch) && is_awake => {
            collapse::collapse(turn, branch);
        }
        WorldPart::Account(account) if turn.sleepers.take_perhaps_unused(account) && is_awake => {
            unused::remove_if_unused(turn, account);
        }
        WorldPart::Branch(_) | WorldPart::Account(_) => {}
    }
}

/// Schedules the timers that follow from the rows of a branch.
fn resume_branch(turn: &mut Turn, branch: BranchId) {
    let index = turn.world.branches.index_of(branch).cloned().unwrap_or_default();
    let (creatures, items): (Vec<_>, _) =
        (index.creatures.iter().copied().collect(), asleep::items_in(turn, branch));
    draft_versions::release_woken(turn, &creatures, &items);
    resume_items(turn, items);
    run::schedule_waits(turn, index.rooms.into_values());
    for creature in index.creatures {
        affects::schedule_affects(turn, creature);
        creature::resume_mind(turn, creature);
        // A start leaves branches without players asleep, also those in which a companion fights on.
        attack::resume_fight(turn, creature);
    }
}

/// Does for the characters of an account what a start does for all.
fn resume_account(turn: &mut Turn, account: AccountId) {
    let all: Vec<CharacterId> = turn.world.characters_of(account).collect();
    for who in all {
        let carried = turn.world.carried(who).iter().flat_map(|item| turn.world.with_contents(*item));
        let carried: Vec<ItemId> = carried.collect();
        draft_versions::release_woken(turn, &[who], &carried);
        resume_items(turn, carried);
        if !turn.read_only {
            abilities::resume_offer(turn, who);
        }
        if experience::has_enough(turn, &turn.world.characters[who]) {
            turn.rising.note(who);
        }
    }
}

/// Schedules the timers of items.
fn resume_items(turn: &mut Turn, items: Vec<ItemId>) {
    for item in items {
        turn.timers.schedule_item(&turn.world.items[item]);
    }
}

/// Lets the sleeping branches collapse whose start room has been removed.
pub(crate) fn resume_collapses(turn: &mut Turn) {
    let detached = |branch: &BranchId| turn.world.branches.get(*branch).is_some_and(|row| row.is_detached);
    let doomed: Vec<BranchId> = turn.world.asleep.rows().branches.iter().copied().filter(detached).collect();
    for branch in doomed {
        turn.sleepers.doom(branch);
    }
}

/// Repeats the current input when a part of the world is awake.
pub(crate) fn repeat_later(turn: &mut Turn, part: WorldPart, input: Input) {
    let caller = turn.caller;
    defer(turn, part, Envelope { caller, ..input.into() });
}
