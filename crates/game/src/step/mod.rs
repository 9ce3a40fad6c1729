//! Order of work within a step: due timers, the input, then final updates and output.

pub(crate) mod events;
pub(crate) mod start;
mod timers;

use crate::account::{guests, guide, login, resume, signup};
use crate::branch::{asleep, expiry};
use crate::building::{reload, zones};
use crate::character::experience;
use crate::combat::incapacitated;
use crate::command::account::{data, password};
use crate::command::staff::operator;
use crate::command::web_builder;
use crate::creature::{companion, route};
use crate::effect::Declined;
use crate::effect::files::{FileKind, FilePurpose};
use crate::gmcp::{media, prompts, surroundings};
use crate::input::Input;
use crate::input::envelope::Envelope;
use crate::message::{public, tell};
use crate::refusal::Refusal;
use crate::speech::{dialogue, outside, scrollback};
use crate::staff::snoop;
use crate::turn::Turn;
use crate::{command, gmcp, wake};
use deepwell_core::base::{RoomId, SessionId};

/// Runs one step: due timers, one input, and their consequences.
pub(crate) fn play(turn: &mut Turn, envelope: Envelope) {
    let before = turn.world.work();
    turn.scripts.begin_step();
    let timer = if turn.read_only { (Input::Wake.kind(), None) } else { timers::run_due_timers(turn) };
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
        Input::OpenWebBuilder { asker, account, token, page } => {
            web_builder::log_in_builder(turn, asker, account, token, page);
        }
        Input::CloseWebBuilder { asker, account, token } => {
            web_builder::log_out_builder(turn, asker, account, &token);
        }
        Input::WebBuilder { asker, account, ask } => web_builder::serve(turn, asker, account, ask),
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
                timers::run_due_timers(turn);
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
    timers::repeat_postponed(turn, done);
}
