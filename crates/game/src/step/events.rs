//! Dispatch of events to the modules that handle them.

use crate::account::{guide, profile, records};
use crate::branch::{gate, stairs};
use crate::character::abilities;
use crate::combat::{incapacitated, props, rounds};
use crate::creature::companion;
use crate::creature::script::hooks;
use crate::exit::webs;
use crate::gmcp::{media, prompts, room};
use crate::message::{naming, notices, rumours};
use crate::quest::QuestDeed;
use crate::room::puzzle::deeds;
use crate::room::{explored, features, look, puzzle};
use crate::speech::{dialogue, scrollback};
use crate::state::event::GameEvent;
use crate::turn::Turn;
use crate::{creature, expedition, gmcp, party, quest};
use deepwell_core::base::{BranchId, CharacterId, RoomId};
use deepwell_core::catalog::CreatureEvent;
use deepwell_core::catalog::quest::QuestGoal;
use deepwell_core::world::TriggerEvent;

/// Dispatches an event to its handlers, in this order.
pub(crate) fn dispatch_event(turn: &mut Turn, happening: GameEvent<'_>) {
    match happening {
        GameEvent::SteppedThrough { who } => guide::spawn_supplies(turn, who),
        GameEvent::SawRoom { who } => {
            look::show_room(turn, who);
            room::send_room_info(turn, who);
            gmcp::map::send_new_area(turn, who);
        }
        GameEvent::Entered { who, from } => puzzle::enter_puzzle(turn, who, from),
        GameEvent::Arrived { who, room } => arrive(turn, who, room),
        GameEvent::Left { who, from } => leave(turn, who, from),
        GameEvent::Relocated { who, from, to } => relocate(turn, who, from, to),
        GameEvent::Stirred { room } => creature::wake_room(turn, room),
        GameEvent::Visited { branch } => creature::wake_branch(turn, branch),
        GameEvent::LeftBranch { who, branch } => leave_branch(turn, who, branch),
        GameEvent::RoomChanged { room } => room::send_change(turn, room),
        GameEvent::Thinned { room } => {
            gate::free_guarded(turn, room);
            hooks::notice_emptied(turn, room);
        }
        GameEvent::Cleared { room } => clear(turn, room),
        GameEvent::Collapsed { branch } => collapse(turn, branch),
        GameEvent::Engaged { who, target } => begin_fight(turn, who, target),
        GameEvent::Hurt { who, before } => {
            hooks::notice_wound(turn, who, before);
            creature::react_to_hurt(turn, who);
        }
        GameEvent::Dying { who, slayer } => {
            hooks::run_creature_triggers(turn, who, slayer, "", |on| *on == CreatureEvent::Killed);
            note_kill(turn, who, slayer);
        }
        GameEvent::Gave { who, item, to, count } => note_gift(turn, who, item, to, count),
        GameEvent::Rescued { who, creature, branch } => note_rescue(turn, who, creature, branch),
        GameEvent::OpenedCoffer { who } => quest::note(turn, who, QuestDeed::OpenedCoffer),
        GameEvent::Solved { who, kind } => quest::note(turn, who, QuestDeed::Solved(kind)),
        GameEvent::Scripted { who } => quest::note(turn, who, QuestDeed::Changed),
        GameEvent::QuestLine { who, deed } => quest::carry_out(turn, who, deed),
        GameEvent::Handled { who, item, event } => {
            hooks::run_item_triggers(turn, who, item, event);
            quest::note(turn, who, QuestDeed::Changed);
        }
        GameEvent::Fell { who, by } => fall(turn, who, by),
        GameEvent::Died { room, slayer } => {
            hooks::run_triggers(turn, room, slayer, "", |on| *on == TriggerEvent::Death);
        }
        GameEvent::Said { who, words } => hear(turn, who, words),
        GameEvent::Exposed { room } => creature::look_around_next_round(turn, room),
        GameEvent::Acted { who } => rounds::pass_held_round(turn, who),
        GameEvent::Unguarded { floor, who, cell, number } => deeds::work_at(turn, floor, who, cell, number),
        GameEvent::Learned { who, lesson } => {
            abilities::count(turn, who, lesson);
            guide::learn(turn, who, lesson);
            if QuestGoal::may_be_moment(lesson) {
                quest::note(turn, who, QuestDeed::Moment(lesson));
            }
        }
        GameEvent::VitalsChanged { who } => prompts::show_vitals(turn, who),
        GameEvent::MemberChanged { who } => gmcp::party::show_member(turn, who),
        GameEvent::PartyChanged { party } => gmcp::party::show_party(turn, party),
        GameEvent::AffectsChanged { who } => gmcp::affects::note_affects(turn, who),
        GameEvent::Sounded { who, sound } => media::sound(turn, who, sound),
        GameEvent::SoundedAround { who, sound } => media::sound_around(turn, who, sound),
        GameEvent::PlaceSounded { who, sound } => media::sound_place(turn, who, sound),
        GameEvent::SpokenOn { channel, talker, text } => {
            scrollback::keep_on_channel(turn, channel, Some(talker), text);
        }
        GameEvent::ToldMember { member, talker, text } => {
            scrollback::keep_for_member(turn, member, talker, text);
        }
    }
}

/// Rewards a player who has left a branch with captives.
fn leave_branch(turn: &mut Turn, who: CharacterId, branch: BranchId) {
    let freed = features::rescue::reward_freed_captives(turn, who, branch);
    expedition::aim::note_rescued(turn, branch, freed);
}

/// Gives the rewards of a room that has become clear.
fn clear(turn: &mut Turn, room: RoomId) {
    features::reward_finder(turn, room);
    expedition::aim::note_cleared(turn, room);
    for who in turn.world.occupants(room).to_vec() {
        quest::note(turn, who, QuestDeed::Cleared);
    }
}

/// Ends what depends on a branch that collapses.
fn collapse(turn: &mut Turn, branch: BranchId) {
    rumours::note_collapse(turn, branch);
    puzzle::trial::forget_trials(turn, branch);
    expedition::members::note_collapse(turn, branch);
}

/// Handles the beginning of a fight: companions join, the target reacts, and conversations end.
fn begin_fight(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    if notices::is_away(turn, target) {
        let attacked = naming::name_of(turn, who).and(" attacked you.");
        notices::keep_if_away(turn, target, attacked.text());
    }
    props::tell_usable(turn, turn.world.characters[who].room);
    companion::join_companions(turn, who, target);
    hooks::run_creature_triggers(turn, target, Some(who), "", |on| *on == CreatureEvent::Attacked);
    dialogue::end(turn, who);
    dialogue::end(turn, target);
}

/// Counts a kill in the quests of the slayer and its companions.
fn note_kill(turn: &mut Turn, victim: CharacterId, slayer: Option<CharacterId>) {
    let creature = turn.world.characters.get(victim).and_then(|body| body.prototype.clone());
    if let (Some(creature), Some(slayer)) = (creature, slayer) {
        let winners = party::share::winners_of(turn, victim, slayer);
        quest::note_kill(turn, &creature, slayer, &winners);
    }
}

/// Counts a captive in the quests of a player, for the exit behind which it was held.
fn note_rescue(turn: &mut Turn, who: CharacterId, creature: &str, branch: BranchId) {
    let exit = turn.world.branches.get(branch).map(|row| row.start_exit);
    quest::note(turn, who, QuestDeed::Rescued { creature, exit });
}

/// Counts a gift in the quests of the giver.
fn note_gift(turn: &mut Turn, who: CharacterId, item: &str, to: CharacterId, count: u32) {
    if let Some(to) = turn.world.characters.get(to).and_then(|body| body.prototype.clone()) {
        quest::note(turn, who, QuestDeed::Gave { item, to: &to, count });
    }
}

/// Handles the fall of a player who has no hit points left.
fn fall(turn: &mut Turn, who: CharacterId, by: Option<CharacterId>) {
    rumours::note_fall(turn, who, by);
    let room = turn.world.characters[who].room;
    incapacitated::fall(turn, who);
    hooks::run_triggers(turn, room, Some(who), "", |on| *on == TriggerEvent::Death);
    if let Some(by) = by {
        hooks::run_creature_triggers(turn, by, Some(who), "", |on| *on == CreatureEvent::Kill);
    }
}

/// Runs the reactions of a room and its creatures to speech.
fn hear(turn: &mut Turn, who: CharacterId, speech: &str) {
    let room = turn.world.characters[who].room;
    let heard = hooks::Heard::of(speech);
    hooks::run_triggers(turn, room, Some(who), speech, |on| hooks::is_said(on, &heard));
    let is_said = |on: &CreatureEvent| matches!(on, CreatureEvent::Say(known) if heard.has_phrase(known));
    hooks::run_triggers_of_creatures(turn, room, Some(who), speech, is_said);
}

/// Runs the reactions of a room and its creatures to an arrival. The character has already seen the room.
fn arrive(turn: &mut Turn, who: CharacterId, room: RoomId) {
    hooks::run_leave_triggers(turn, who);
    hooks::run_enter_triggers(turn, who, room);
    if turn.world.characters.get(who).is_none_or(|body| body.room != room) {
        return;
    }
    if turn.world.characters[who].is_player() {
        rumours::note_arrival(turn, who, room);
        records::note_arrival(turn, who, room);
        expedition::aim::note_arrival(turn, room);
        features::visit(turn, who, room);
        quest::note(turn, who, QuestDeed::Entered);
        stairs::notice_stairs(turn, who, room);
    } else if let Some(master) = turn.world.characters[who].master {
        quest::note(turn, master, QuestDeed::Changed);
    }
    hooks::run_triggers_of_creatures(turn, room, Some(who), "", |on| *on == CreatureEvent::Greet);
    creature::meet(turn, who, room);
    creature::wake_room(turn, room);
}

/// Handles the departure of a character from a room.
fn leave(turn: &mut Turn, who: CharacterId, from: RoomId) {
    dialogue::end(turn, who);
    webs::spin_web(turn, who, from);
    hooks::note_leaving(turn, who, from);
    if turn.world.characters[who].is_player() {
        hooks::remember_visit(turn, who, from);
        explored::remember_room(turn, who, from);
        creature::linger(turn, from);
        party::scale::scale_for_departure(turn, from);
    }
}

/// Handles a change of room, or the end of a character's stay in the world.
fn relocate(turn: &mut Turn, who: CharacterId, from: RoomId, to: Option<RoomId>) {
    dialogue::end(turn, who);
    profile::end_pose(turn, who);
    puzzle::leave_puzzle(turn, who, from, to);
}
