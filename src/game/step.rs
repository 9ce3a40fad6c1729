//! Order of work within a step: due timers, the input, then final updates and output. Also dispatches events to the
//! modules that handle them.

use super::effect::Class;
use super::happening::Happening;
use super::input::Input;
use super::refusal::Refusal;
use super::timers::Timer;
use super::turn::Turn;
use super::{
    abilities, affects, bans, books, closing, command, companion, corpse, creatures, desk, down, fight, gate,
    gmcp, guests, guide, login, look, memory, moderation, newcomers, party, places, presence, progress,
    puzzle, reload, resting, returning, rounds, rubble, scrollback, snoop, stairs, tell, tending, tidings,
    unused, webs, zones,
};
use crate::base::{BranchId, CharacterId, RoomId, SessionId};
use crate::game::closing::Checked;
use crate::game::command::{account, operator, password, sweep};
use crate::game::creatures::hooks;
use crate::game::gmcp::{media, prompts, room, surroundings};
use crate::game::puzzle::deeds;
use crate::game::rounds::ticks;
use crate::world::TriggerEvent;
use std::collections::BTreeSet;

/// Runs one step: due timers, one input, and their consequences.
pub(super) fn play(turn: &mut Turn, input: Input) {
    if !turn.read_only {
        carry_out_due(turn);
    }
    let actor = input.session();
    let lost = matches!(input, Input::Lost { .. });
    take_in(turn, input);
    if turn.read_only {
        keep_unchanged(turn, actor, lost);
    }
    if !turn.read_only {
        down::judge_the_fallen(turn);
        progress::level_up(turn);
    }
    turn.tending.leaving.clear();
    companion::part_companions(turn);
    gmcp::party::finish_parties(turn);
    surroundings::finish_surroundings(turn);
    media::finish_sounds(turn);
    guide::finish_guidance(turn, actor);
    prompts::finish_prompts(turn);
    scrollback::keep_what_was_told(turn);
    snoop::show(turn);
}

/// Rolls back changes that cannot be written, together with their output. A lost link is the exception: the character
/// becomes link-dead, which produces no output and which a restart repeats.
fn keep_unchanged(turn: &mut Turn, actor: Option<SessionId>, lost: bool) {
    if lost {
        return turn.world.freeze(true);
    }
    if !turn.world.take_back() {
        return;
    }
    turn.outbox.discard_output();
    if let Some(session) = actor
        && let Some(who) = turn.seats.get(&session).map(|seat| seat.character)
    {
        let refusal = turn.require_writable().err().unwrap_or(Refusal::ReadOnly);
        tell::tell(turn, who, Class::Refusal, refusal.markup());
        turn.outbox.prompt(session);
    }
}

fn take_in(turn: &mut Turn, input: Input) {
    match input {
        Input::Create { session, name, credential, pre_login } => {
            newcomers::create(turn, session, &name, credential, pre_login);
        }
        Input::Visit { session, pre_login } => guests::visit(turn, session, pre_login),
        Input::Join { session, name, credential } => guests::join(turn, session, &name, credential),
        Input::Login { session, account, name, pre_login, goes_on } => {
            login::login(turn, session, account, &name, &pre_login, goes_on);
        }
        Input::Credential { account, credential } => {
            turn.world.accounts.change(account, |row| row.credential = credential);
        }
        Input::NewPassword { session, account, credential } => {
            password::new_password(turn, session, account, credential);
        }
        Input::Recovery { session, account, credential } => {
            password::new_recovery(turn, session, account, credential);
        }
        Input::DeleteAccount { session, account } => account::delete_own(turn, session, account),
        Input::OneTimeCode { session, account, credential } => {
            password::new_one_time_code(turn, session, account, credential);
        }
        Input::Recovered { session, account, name, credential, pre_login } => {
            password::recovered(turn, session, account, &name, credential, &pre_login);
        }
        Input::KeepSeat { session, account, token } => returning::keep_seat(turn, session, account, token),
        Input::TakeSeat { session, account, name, token, next, pre_login } => {
            let tokens = returning::Tokens { shown: token, next };
            returning::take_seat(turn, session, account, &name, tokens, &pre_login);
        }
        Input::Proved { account, proof, then } if password::is_proof(turn, account, &proof) => {
            take_in(turn, *then);
        }
        Input::Proved { then, .. } => password::refuse_proof(turn, &then),
        Input::Command { session, line } => command::command(turn, session, &line),
        Input::Lost { session } => guests::lose_link(turn, session),
        Input::Wants { session, packages } => gmcp::subscribe(turn, session, &packages),
        Input::Asks { session, what } => gmcp::answer_request(turn, session, what),
        Input::UsesScreenReader { session } => login::note_screen_reader(turn, session),
        Input::Broadcast { text } => tell::broadcast(turn, &text),
        Input::OwnerToken { token } => turn.world.meta_mut().owner_token = Some(token),
        Input::StorageReadOnly(read_only) => {
            turn.storage_fails = read_only;
            login::follow_read_only(turn);
        }
        Input::From { address, then } => {
            turn.caller = Some(address);
            take_in(turn, *then);
            turn.caller = None;
        }
        Input::OperatorCode { asker, account, credential } => {
            password::new_operator_code(turn, asker, account, credential);
        }
        Input::Operator { asker, line } => operator::operate(turn, asker, &line),
        Input::OpenDesk { asker, account, token } => desk::open_desk(turn, asker, account, token),
        Input::CloseDesk { asker, account, token } => desk::close_desk(turn, asker, account, &token),
        Input::Desk { asker, account, ask } => desk::serve(turn, asker, account, ask),
        Input::Content { askers, content } => reload::put_in_force(turn, &askers, content.0),
        Input::ContentRefused { askers, mistakes } => reload::refuse(turn, &askers, &mistakes),
        Input::ZoneWritten { asker, zone, digest, came } => {
            zones::files::written(turn, asker, &zone, digest, came);
        }
        Input::ZonesRead { asker, zones, then, came } => {
            zones::files::read(turn, asker, &zones, then, came);
        }
        Input::MadeWritten { asker, came, others } => zones::made::written(turn, asker, came, &others),
        Input::MadeRead { asker, then, came } => zones::made::read(turn, asker, then, came),
        Input::Wake => {}
    }
}

fn carry_out_due(turn: &mut Turn) {
    while let Some((due, timer)) = turn.timers.pop_due(turn.now) {
        match timer {
            Timer::ResetExits(room) => closing::reset_exits(turn, room, due),
            Timer::CheckBranches(room) => closing::check_branches(turn, room, due),
            Timer::ResetExit(exit) => closing::reset_exit(turn, exit, due),
            Timer::CheckExit(exit) => closing::check_exit(turn, exit, due),
            Timer::ClearAway => rubble::clear_more(turn, due),
            Timer::ClearUnused(behind) => unused::clear_unused(turn, behind),
            Timer::Warn(branch) => closing::warn_branch(turn, branch),
            Timer::LinkDead(character) => guests::end_link_death(turn, character),
            Timer::Round(room) => rounds::round_due(turn, room, due),
            Timer::Stir(branch) => creatures::stir(turn, branch),
            Timer::Rise(who) => turn.rising.note(who),
            Timer::Restraint(account) => moderation::end_restraints(turn, account),
            Timer::Ban(ban) => bans::end_ban(turn, ban),
            Timer::TrimBooks => books::trim_books(turn),
            Timer::Act(mob) => creatures::act_alone(turn, mob, due),
            Timer::Affect(who) => ticks::look_at_affects(turn, who, due),
            Timer::Rested(who) => resting::rested_due(turn, who, due),
            Timer::Down(who) => down::bleed_out(turn, who),
            Timer::Crumble(item) => corpse::crumble(turn, item),
            Timer::Party(party) => party::party_due(turn, party),
            Timer::Tend => tending::tend(turn),
            Timer::Sweep => sweep::go_on(turn),
        }
    }
}

/// Dispatches an event to its handlers, in this order.
pub(super) fn hand_on(turn: &mut Turn, happening: Happening<'_>) {
    match happening {
        Happening::SteppedThrough { who } => guide::lay_out(turn, who),
        Happening::SawRoom { who } => {
            look::show_room(turn, who);
            room::send_room_info(turn, who);
            gmcp::map::send_new_area(turn, who);
        }
        Happening::Entered { who, from } => puzzle::enter_puzzle(turn, who, from),
        Happening::Arrived { who, room } => arrive(turn, who, room),
        Happening::Left { who, from } => leave(turn, who, from),
        Happening::Relocated { who, from, to } => puzzle::leave_puzzle(turn, who, from, to),
        Happening::Visited { branch } => creatures::wake_branch(turn, branch),
        Happening::LeftBranch { who } => places::rescue::bring_home(turn, who),
        Happening::RoomChanged { room } => room::send_change(turn, room),
        Happening::Thinned { room } => {
            gate::free_guarded(turn, room);
            hooks::notice_emptied(turn, room);
        }
        Happening::Cleared { room } => places::reward_finder(turn, room),
        Happening::Collapsed { branch } => {
            tidings::note_collapse(turn, branch);
            puzzle::trial::forget_trials(turn, branch);
        }
        Happening::Engaged { who, target } => companion::join_companions(turn, who, target),
        Happening::Hurt { who } => creatures::react_to_hurt(turn, who),
        Happening::Fell { who, by } => {
            tidings::note_fall(turn, who, by);
            let room = turn.world.characters[who].room;
            down::fall(turn, who);
            hooks::spring(turn, room, (Some(who), ""), |on| *on == TriggerEvent::Death);
        }
        Happening::Died { room, slayer } => {
            hooks::spring(turn, room, (slayer, ""), |on| *on == TriggerEvent::Death);
        }
        Happening::Said { who, words } => {
            let room = turn.world.characters[who].room;
            hooks::spring(turn, room, (Some(who), words), |on| hooks::is_said(on, words));
        }
        Happening::Exposed { room } => creatures::stir_up(turn, room),
        Happening::Acted { who } => rounds::pass_held_round(turn, who),
        Happening::Unguarded { floor, who, cell, number } => deeds::work_at(turn, floor, who, cell, number),
        Happening::Learned { who, lesson } => {
            abilities::count(turn, who, lesson);
            guide::learn(turn, who, lesson);
        }
        Happening::VitalsChanged { who } => prompts::show_vitals(turn, who),
        Happening::MemberChanged { who } => gmcp::party::show_member(turn, who),
        Happening::PartyChanged { party } => gmcp::party::show_party(turn, party),
        Happening::AffectsChanged { who } => gmcp::affects::note_affects(turn, who),
        Happening::Sounded { who, sound } => media::sound(turn, who, sound),
        Happening::SoundedAround { who, sound } => media::sound_around(turn, who, sound),
        Happening::PlaceSounded { who, sound } => media::sound_place(turn, who, sound),
        Happening::SpokenOn { channel, talker, text } => {
            scrollback::keep_on_channel(turn, channel, talker, text);
        }
        Happening::ToldMember { member, talker, text } => {
            scrollback::keep_for_member(turn, member, talker, text);
        }
    }
}

/// Schedules all timers that follow from the stored rows, after a start.
pub(super) fn resume(turn: &mut Turn) {
    let tasks: Vec<_> = turn.world.start_tasks.iter().map(|(_, tasks)| tasks.clone()).collect();
    for tasks in tasks {
        turn.timers.schedule(tasks.next_reset_at, Timer::ResetExits(tasks.room));
        turn.timers.schedule(tasks.next_check_at, Timer::CheckBranches(tasks.room));
        closing::schedule_warnings(turn, Checked::With(tasks.room), tasks.next_check_at);
        closing::schedule_own_tasks(turn, tasks.room);
    }
    let waking: Vec<CharacterId> = turn.world.awake_players().collect();
    for id in waking {
        login::begin_link_death(turn, id);
    }
    let visited: BTreeSet<BranchId> =
        turn.world.awake_players().filter_map(|id| turn.world.characters[id].branch).collect();
    for branch in visited {
        creatures::wake_branch(turn, branch);
    }
    rubble::schedule(turn);
    unused::schedule_first(turn);
    resume_bodies_and_things(turn);
    abilities::resume_offers(turn);
    progress::schedule_rises(turn);
    presence::rank_all(turn);
    let fights: BTreeSet<RoomId> =
        turn.world.characters.iter().filter(|(_, c)| c.target.is_some()).map(|(_, c)| c.room).collect();
    for room in fights {
        fight::schedule_round(turn, room);
    }
    creatures::resume_minds(turn);
    moderation::schedule_ends(turn);
    bans::schedule_ends(turn);
    books::schedule_trim(turn);
    tending::resume(turn);
    login::follow_read_only(turn);
}

/// Schedules the deadlines of affects, incapacitated characters, decaying items and parties.
fn resume_bodies_and_things(turn: &mut Turn) {
    let affected: Vec<CharacterId> =
        turn.world.characters.iter().filter(|(_, body)| !body.affects.is_empty()).map(|(id, _)| id).collect();
    for who in affected {
        affects::schedule_affects(turn, who);
    }
    down::find_the_fallen(turn);
    resting::resume_rests(turn);
    for (id, item) in turn.world.items.iter() {
        if let Some(at) = item.gone_at {
            turn.timers.schedule(at, Timer::Crumble(id));
        }
    }
    party::schedule_parties(turn);
}

/// Runs the reactions of a room and its creatures to an arrival. The character has already seen the room.
fn arrive(turn: &mut Turn, who: CharacterId, room: RoomId) {
    hooks::spring_leaving(turn, who);
    hooks::spring_hook(turn, who, room);
    if turn.world.characters.get(who).is_none_or(|body| body.room != room) {
        return;
    }
    if turn.world.characters[who].is_player() {
        tidings::note_arrival(turn, who, room);
        places::visit(turn, who, room);
        stairs::notice_stairs(turn, who, room);
    }
    creatures::meet(turn, who, room);
}

/// Handles the departure of a character from a room.
fn leave(turn: &mut Turn, who: CharacterId, from: RoomId) {
    webs::spin_web(turn, who, from);
    hooks::note_leaving(turn, who, from);
    if turn.world.characters[who].is_player() {
        memory::remember_room(turn, who, from);
        creatures::linger(turn, from);
    }
}
