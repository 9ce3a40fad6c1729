//! Timers that follow from the stored rows, after a start.

use crate::access::audit_log;
use crate::account::{absent, login, profile, records, unused};
use crate::branch::{cleanup, expiry};
use crate::building::zones::file_work;
use crate::character::{abilities, affects, experience, rest};
use crate::combat::incapacitated;
use crate::creature::script::run;
use crate::post::mail;
use crate::room::respawn;
use crate::staff::{bans, moderation};
use crate::turn::Turn;
use crate::{attack, creature, party, wake};
use deepwell_core::base::{BranchId, CharacterId, RoomId};
use std::collections::BTreeSet;

/// Schedules all timers that follow from the stored rows, after a start.
pub(crate) fn resume(turn: &mut Turn) {
    turn.began = Some(turn.now);
    expiry::schedule_tasks(turn);
    let waking: Vec<CharacterId> = turn.world.awake_players().collect();
    for id in waking {
        if turn.world.characters[id].link_dead_until.is_none() {
            turn.returning.insert(id);
        }
        login::begin_link_death(turn, id);
    }
    let visited: BTreeSet<BranchId> =
        turn.world.awake_players().filter_map(|id| turn.world.characters[id].branch).collect();
    for branch in visited {
        creature::wake_branch(turn, branch);
    }
    wake::resume_collapses(turn);
    cleanup::schedule(turn);
    unused::schedule_first(turn);
    resume_bodies_and_items(turn);
    abilities::resume_offers(turn);
    experience::resume_level_gains(turn);
    profile::rank_all(turn);
    records::rank_all(turn);
    let bodies: Vec<CharacterId> = turn.world.characters.iter().map(|(id, _)| id).collect();
    for who in bodies {
        attack::resume_fight(turn, who);
    }
    creature::resume_minds(turn);
    moderation::schedule_sanction_ends(turn);
    bans::schedule_ends(turn);
    mail::schedule_expiry(turn);
    audit_log::schedule_trim(turn);
    respawn::resume(turn);
    file_work::resume(turn);
    absent::schedule_all(turn);
    login::update_read_only(turn);
}

/// Schedules the deadlines of affects, incapacitated characters, items and parties.
fn resume_bodies_and_items(turn: &mut Turn) {
    let affected: Vec<CharacterId> =
        turn.world.characters.iter().filter(|(_, body)| !body.affects.is_empty()).map(|(id, _)| id).collect();
    for who in affected {
        affects::schedule_affects(turn, who);
    }
    incapacitated::restore_incapacitated(turn);
    rest::resume_rests(turn);
    for (_, item) in turn.world.items.iter() {
        turn.timers.schedule_item(item);
    }
    party::schedule_parties(turn);
    let waiting = turn.world.rooms.iter().filter(|(_, room)| !room.waits.is_empty()).map(|(id, _)| id);
    let waiting: Vec<RoomId> = waiting.collect();
    run::schedule_waits(turn, waiting);
}
