//! Order of work within a step: due timers, the input, then final updates and output. Also dispatches events to the
//! modules that handle them.

use super::effect::Declined;
use super::effect::files::{FileKind, FilePurpose};
use super::input::Input;
use super::input::envelope::Envelope;
use super::refusal::Refusal;
use super::turn::Turn;
use super::{command, gmcp, party, wake};
use crate::access::audit_log;
use crate::account::{absent, guests, guide, login, profile, records, resume, signup, unused};
use crate::attack::corpse;
use crate::branch::{asleep, cleanup, collapse, expiry, gate, stairs};
use crate::building::zones::file_work::Postponed;
use crate::building::{reload, zones};
use crate::character::{abilities, affects, experience, rest};
use crate::combat::rounds::ticks;
use crate::combat::{incapacitated, rounds};
use crate::command::account::{data, password};
use crate::command::build::sweep;
use crate::command::staff::operator;
use crate::command::web_builder;
use crate::creature::script::{hooks, run};
use crate::creature::{companion, route};
use crate::exit::webs;
use crate::gmcp::{media, prompts, room, surroundings};
use crate::item::light;
use crate::message::{naming, notices, public, rumours, tell};
use crate::post::mail;
use crate::quest::QuestDeed;
use crate::room::puzzle::deeds;
use crate::room::{explored, features, look, puzzle, respawn};
use crate::speech::{dialogue, outside, scrollback};
use crate::staff::{bans, moderation, snoop};
use crate::state::event::GameEvent;
use crate::state::slices;
use crate::state::timers::Timer;
use crate::{attack, creature, quest};
use deepwell_core::base::{BranchId, CharacterId, RoomId, SessionId};
use deepwell_core::catalog::CreatureEvent;
use deepwell_core::world::TriggerEvent;
use std::collections::BTreeSet;

/// Runs one step: due timers, one input, and their consequences.
pub(super) fn play(turn: &mut Turn, envelope: Envelope) {
    let before = turn.world.work();
    turn.scripts.begin_step();
    let timer = if turn.read_only { (Input::Wake.kind(), None) } else { run_due_timers(turn) };
    let between = turn.world.work();
    (turn.cause, turn.cause_room) = (envelope.input.kind(), room_of(turn, &envelope.input));
    turn.scripts.begin_step();
    play_input(turn, envelope);
    while let Some(waited) = turn.sleepers.take_ready() {
        play_input(turn, waited);
    }
    asleep::read_requested(turn);
    if between - before > turn.world.work() - between {
        (turn.cause, turn.cause_room) = timer;
    }
}

/// Returns the room of the player who sends an input.
fn room_of(turn: &Turn, input: &Input) -> Option<RoomId> {
    let seat = turn.seats.get(&input.session()?)?;
    Some(turn.world.characters.get(seat.character)?.room)
}

/// Plays one input and its consequences, unless it has to wait for a part of the world that is asleep.
fn play_input(turn: &mut Turn, envelope: Envelope) {
    let Some(Envelope { input, caller, proof }) = wake::admit(turn, envelope) else { return };
    let actor = input.session();
    let lost = matches!(input, Input::Lost { .. });
    turn.caller = caller;
    match proof {
        Some(proof) if !password::is_proof(turn, &proof) => password::refuse_proof(turn, &input),
        _ => handle_input(turn, input),
    }
    if turn.read_only {
        roll_back_unwritable(turn, actor, lost);
    }
    if !turn.read_only {
        incapacitated::defeat_unrescuable(turn);
        experience::level_up(turn);
        route::begin_touched(turn);
    }
    turn.tending.leaving.clear();
    companion::part_companions(turn);
    gmcp::party::finish_parties(turn);
    surroundings::finish_surroundings(turn);
    media::finish_sounds(turn);
    guide::finish_guidance(turn, actor);
    prompts::finish_prompts(turn, actor);
    scrollback::store_new_messages(turn);
    snoop::show(turn);
}

/// Rolls back changes that cannot be written, together with their output. A lost link is the exception: the character
/// becomes link-dead, which produces no output and which a restart repeats.
fn roll_back_unwritable(turn: &mut Turn, actor: Option<SessionId>, lost: bool) {
    if lost {
        return turn.world.freeze(true);
    }
    if !turn.world.take_back() {
        return;
    }
    turn.crowds.clear();
    turn.outbox.discard_output();
    if let Some(session) = actor
        && let Some(who) = turn.seats.get(&session).map(|seat| seat.character)
    {
        let refusal = turn.require_writable().err().unwrap_or(Refusal::ReadOnly);
        tell::refuse(turn, who, &refusal);
        turn.outbox.prompt(session);
    }
}

#[expect(clippy::too_many_lines, reason = "one arm for each input")]
fn handle_input(turn: &mut Turn, input: Input) {
    match input {
        Input::Create { session, name, credential, pre_login } => {
            signup::create(turn, session, &name, credential, pre_login);
        }
        Input::Visit { session, pre_login } => guests::visit(turn, session, pre_login),
        Input::Join { session, name, credential } => guests::join(turn, session, &name, credential),
        Input::Login { session, account, name, pre_login, goes_on } => {
            login::login(turn, session, account, &name, &pre_login, goes_on);
        }
        Input::Credential { account, credential } => password::store_rehashed(turn, account, credential),
        Input::NewPassword { session, account, credential } => {
            password::new_password(turn, session, account, credential);
        }
        Input::Recovery { session, account, credential } => {
            password::new_recovery(turn, session, account, credential);
        }
        Input::DeleteAccount { session, account } => data::delete_own(turn, session, account),
        Input::OneTimeCode { session, account, credential } => {
            password::new_one_time_code(turn, session, account, credential);
        }
        Input::Recovered { session, account, name, credential, pre_login } => {
            password::recovered(turn, session, account, &name, credential, &pre_login);
        }
        Input::KeepSeat { session, account, token } => resume::store_token(turn, session, account, token),
        Input::TakeSeat { session, account, name, token, next, pre_login } => {
            let tokens = resume::Tokens { shown: token, next };
            resume::log_in_with_token(turn, session, account, &name, tokens, &pre_login);
        }
        Input::Command { session, line } => play_command(turn, session, line),
        Input::Lost { session } => lose_link(turn, session),
        Input::Wants { session, packages } => gmcp::subscribe(turn, session, &packages),
        Input::Asks { session, what } => gmcp::answer_request(turn, session, what),
        Input::UsesScreenReader { session } => login::note_screen_reader(turn, session),
        Input::Broadcast { text } => broadcast(turn, &text),
        Input::Bridge { asker, said } => outside::answer_bridge(turn, asker, &said),
        Input::OwnerToken { token } => turn.world.meta_mut().owner_token = Some(token),
        Input::StorageReadOnly(read_only) => {
            turn.storage_fails = read_only;
            login::update_read_only(turn);
        }
        Input::Settings(config) => {
            turn.replace_config(*config);
            if !turn.read_only {
                expiry::apply_current_settings(turn);
                expiry::schedule_tasks(turn);
            }
        }
        Input::OperatorCode { asker, account, credential, by } => {
            password::new_operator_code(turn, asker, account, (credential, by.as_deref()));
        }
        Input::Operator { asker, line, by } => play_line_of_operator(turn, asker, line, by),
        Input::OpenDesk { asker, account, token, page } => {
            web_builder::log_in_builder(turn, asker, account, token, page);
        }
        Input::CloseDesk { asker, account, token } => {
            web_builder::log_out_builder(turn, asker, account, &token);
        }
        Input::Desk { asker, account, ask } => web_builder::serve(turn, asker, account, ask),
        Input::Content { askers, content } => reload::apply_content(turn, &askers, content.0),
        Input::ContentRefused { askers, mistakes } => reload::refuse(turn, &askers, &mistakes),
        Input::FilesWritten { asker, kind, files, others } => {
            zones::files::written(turn, asker, kind, files, &others);
        }
        Input::FilesRead { asker, kind, purpose, prefix, files } => {
            take_in_files(turn, asker, kind, purpose, prefix.as_deref(), files);
        }
        Input::PartRows { part, rows } => {
            wake::wake(turn, part, rows);
            // What was due while the part was asleep happens before anybody sees it.
            if !turn.read_only {
                run_due_timers(turn);
            }
        }
        Input::WakeParts { parts } => asleep::request(turn, parts),
        Input::Wake => {}
    }
}

/// Announces a text of the operator, in the game and outside.
fn broadcast(turn: &mut Turn, text: &str) {
    tell::broadcast(turn, text);
    public::show_announcement(turn, text);
}

/// Plays a command, or keeps it until the part of the world that it needs is awake.
fn play_command(turn: &mut Turn, session: SessionId, line: String) {
    if let Err(asleep) = command::command(turn, session, &line) {
        wake::repeat_later(turn, asleep, Input::Command { session, line });
    }
}

/// Does the same with a line of the operator.
fn play_line_of_operator(turn: &mut Turn, asker: SessionId, line: String, by: Option<String>) {
    if let Err(asleep) = operator::operate(turn, asker, &line, by.as_deref()) {
        wake::repeat_later(turn, asleep, Input::Operator { asker, line, by });
    }
}

/// Ends the conversation of a character whose link is lost.
fn lose_link(turn: &mut Turn, session: SessionId) {
    if let Some(who) = turn.seats.get(&session).map(|seat| seat.character) {
        dialogue::end(turn, who);
    }
    guests::lose_link(turn, session);
}

/// Takes in files of builders; the import of zones waits until the characters in the rooms that go are awake.
fn take_in_files(
    turn: &mut Turn,
    asker: SessionId,
    kind: FileKind,
    purpose: FilePurpose,
    prefix: Option<&str>,
    files: Result<Vec<(String, String)>, Declined>,
) {
    let done = zones::files::read(turn, asker, kind, purpose, prefix, files);
    repeat_postponed(turn, done);
}

/// Repeats work on files once a part of the world has been read.
fn repeat_postponed(turn: &mut Turn, done: Result<(), Postponed>) {
    if let Err(postponed) = done {
        let (part, input) = *postponed;
        wake::repeat_later(turn, part, input);
    }
}

/// Runs the timers that are due. Ticks and collapses of branches, walks of creatures and suspended scripts are put off
/// once the timers have done the work of a slice, each a moment later than the one before: ticks that coincide, as after a
/// start, then stay apart. Returns the name and the room of the timer that did the most work.
fn run_due_timers(turn: &mut Turn) -> (&'static str, Option<RoomId>) {
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
            Timer::Warn(branch) => expiry::warn_branch(turn, branch),
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
            Timer::Route(mob) => creature::follow_route(turn, mob),
            Timer::Act(mob) => creature::act_alone(turn, mob, due),
            Timer::Affect(who) => ticks::run_due_affects(turn, who, due),
            Timer::Rested(who) => rest::rested_due(turn, who, due),
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

/// Dispatches an event to its handlers, in this order.
pub(super) fn dispatch_event(turn: &mut Turn, happening: GameEvent<'_>) {
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
        GameEvent::LeftBranch { who } => features::rescue::reward_freed_captives(turn, who),
        GameEvent::RoomChanged { room } => room::send_change(turn, room),
        GameEvent::Thinned { room } => {
            gate::free_guarded(turn, room);
            hooks::notice_emptied(turn, room);
        }
        GameEvent::Cleared { room } => features::reward_finder(turn, room),
        GameEvent::Collapsed { branch } => {
            rumours::note_collapse(turn, branch);
            puzzle::trial::forget_trials(turn, branch);
        }
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
        GameEvent::Rescued { who, mob } => quest::note(turn, who, QuestDeed::Rescued(mob)),
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

/// Schedules all timers that follow from the stored rows, after a start.
pub(super) fn resume(turn: &mut Turn) {
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
    resume_bodies_and_things(turn);
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
    absent::schedule_all(turn);
    login::update_read_only(turn);
}

/// Schedules the deadlines of affects, incapacitated characters, items and parties.
fn resume_bodies_and_things(turn: &mut Turn) {
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

/// Handles the beginning of a fight: companions join, the target reacts, and conversations end.
fn begin_fight(turn: &mut Turn, who: CharacterId, target: CharacterId) {
    if notices::is_away(turn, target) {
        let attacked = naming::name_of(turn, who).and(" attacked you.");
        notices::keep_if_away(turn, target, attacked.text());
    }
    companion::join_companions(turn, who, target);
    hooks::run_creature_triggers(turn, target, Some(who), "", |on| *on == CreatureEvent::Attacked);
    dialogue::end(turn, who);
    dialogue::end(turn, target);
}

/// Counts a kill in the quests of the slayer and its companions.
fn note_kill(turn: &mut Turn, victim: CharacterId, slayer: Option<CharacterId>) {
    let mob = turn.world.characters.get(victim).and_then(|body| body.mob.clone());
    if let (Some(mob), Some(slayer)) = (mob, slayer) {
        let winners = party::share::winners_of(turn, victim, slayer);
        quest::note_kill(turn, &mob, slayer, &winners);
    }
}

/// Counts a gift in the quests of the giver.
fn note_gift(turn: &mut Turn, who: CharacterId, item: &str, to: CharacterId, count: u32) {
    if let Some(to) = turn.world.characters.get(to).and_then(|body| body.mob.clone()) {
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
fn hear(turn: &mut Turn, who: CharacterId, words: &str) {
    let room = turn.world.characters[who].room;
    let heard = hooks::Heard::of(words);
    hooks::run_triggers(turn, room, Some(who), words, |on| hooks::is_said(on, &heard));
    let is_said = |on: &CreatureEvent| matches!(on, CreatureEvent::Say(known) if heard.has_phrase(known));
    hooks::run_triggers_of_creatures(turn, room, Some(who), words, is_said);
}

/// Runs the reactions of a room and its creatures to an arrival. The character has already seen the room.
fn arrive(turn: &mut Turn, who: CharacterId, room: RoomId) {
    hooks::run_leave_triggers(turn, who);
    hooks::run_on_enter(turn, who, room);
    if turn.world.characters.get(who).is_none_or(|body| body.room != room) {
        return;
    }
    if turn.world.characters[who].is_player() {
        rumours::note_arrival(turn, who, room);
        records::note_arrival(turn, who, room);
        features::visit(turn, who, room);
        quest::note(turn, who, QuestDeed::Entered);
        stairs::notice_stairs(turn, who, room);
    } else if let Some(master) = turn.world.characters[who].master {
        quest::note(turn, master, QuestDeed::Entered);
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
