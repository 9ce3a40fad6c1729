//! Speech: say, emote, shout, tell and channels. Each line begins with the name of the speaker, in a form that players
//! cannot type. A player who ignores the speaker receives nothing, and the speaker is not told.

use crate::access::audibility;
use crate::branch::asleep;
use crate::effect::Class;
use crate::exit::pathfinding;
use crate::exit::room_search::{RoomSearch, SearchLimit};
use crate::message::tell::SpokenMessage;
use crate::message::{naming, public, tell};
use crate::refusal::{Refusal, refuse};
use crate::room::puzzle::deeds;
use crate::state::event::{GameEvent, Sound};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{Channel, Exit, ExitKind};
use std::collections::BTreeMap;

/// Sends speech or an emote to a room, except to the listed characters and to players who ignore the speaker.
fn tell_hearers(
    turn: &mut Turn,
    room: RoomId,
    speaker: CharacterId,
    except: &[CharacterId],
    message: &SpokenMessage,
) {
    for who in turn.world.occupants(room).to_vec() {
        if !except.contains(&who) && !turn.world.is_ignoring(who, speaker) {
            tell::send_spoken(turn, who, message);
        }
    }
}

/// Returns a message said, shown or shouted in a room.
fn spoken(turn: &Turn, channel: &str, speaker: CharacterId, line: Markup) -> SpokenMessage {
    tell::spoken_message(turn, Class::Speech, channel, &turn.world.characters[speaker].name, line)
}

/// Says text to the room.
pub(crate) fn say(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let speech = audibility::spoken(turn, who, text)?;
    let room = turn.world.characters[who].room;
    audibility::require_speech_budget(turn, who, &speech, turn.world.occupants(room).len())?;
    let own = spoken(turn, "say", who, Markup::plain("You say: ").with(Style::Speech, &speech));
    tell::send_spoken(turn, who, &own);
    let line = naming::name_of(turn, who).and(" says: ").with(Style::Speech, &speech);
    tell_hearers(turn, room, who, &[who], &spoken(turn, "say", who, line));
    deeds::answer_by_speech(turn, who, &speech);
    turn.emit_event(GameEvent::Said { who, words: &speech });
    Ok(())
}

/// Shows a free-form action to the room.
pub(crate) fn emote(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let speech = audibility::spoken(turn, who, text)?;
    let room = turn.world.characters[who].room;
    audibility::require_speech_budget(turn, who, &speech, turn.world.occupants(room).len())?;
    let line = naming::name_of(turn, who).and(" ").with(Style::Speech, &speech);
    tell_hearers(turn, room, who, &[], &spoken(turn, "emote", who, line));
    Ok(())
}

/// Shouts text to this room and to rooms nearby, along explored exits.
pub(crate) fn shout(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let speech = audibility::spoken(turn, who, text)?;
    let pause = deepwell_core::catalog::Rules::secs(turn.catalog.rules.talk.shout_secs);
    let now = turn.now;
    let seat = turn.seated.get(&who).and_then(|session| turn.seats.get_mut(session));
    if let Some(seat) = seat {
        let next = seat.shouted_at.map_or(now, |at| at + pause);
        if next > now {
            return Err(refuse!("You are out of breath: shout again in {}.", next.since(now)));
        }
        seat.shouted_at = Some(now);
    }
    let own = spoken(turn, "shout", who, Markup::plain("You shout: ").with(Style::Speech, &speech));
    tell::send_spoken(turn, who, &own);
    let here = turn.world.characters[who].room;
    let line = naming::name_of(turn, who).and(" shouts: ").with(Style::Speech, &speech);
    tell_hearers(turn, here, who, &[who], &spoken(turn, "shout", who, line));
    for (room, towards) in within_earshot(turn, here) {
        let from = pathfinding::way_in(turn, room, towards);
        let line = naming::name_of(turn, who).and(&format!(" shouts {from}: ")).with(Style::Speech, &speech);
        tell_hearers(turn, room, who, &[who], &spoken(turn, "shout", who, line));
    }
    Ok(())
}

/// Returns the rooms that a shout reaches, each with the adjacent room from which it is heard.
fn within_earshot(turn: &Turn, from: RoomId) -> BTreeMap<RoomId, RoomId> {
    let branch = turn.world.rooms[from].branch;
    let carries = |exit: &&Exit| {
        exit.kind != ExitKind::Branch && exit.to.is_some_and(|to| turn.world.rooms[to].branch == branch)
    };
    let limit = SearchLimit { steps: turn.catalog.rules.talk.shout_rooms as usize, ..SearchLimit::NONE };
    let mut search = RoomSearch::new(from, limit, |room| turn.world.exits.of(room).filter(carries).collect());
    let mut reached = BTreeMap::new();
    while let Some(room) = search.next() {
        reached.extend(search.entrance(room).map(|exit| (room, exit.room)));
    }
    reached
}

/// Sends a private message to a player, wherever they are.
pub(crate) fn tell_to(turn: &mut Turn, who: CharacterId, to: CharacterId, text: &str) -> Result<(), Refusal> {
    let speech = audibility::spoken(turn, who, text)?;
    let Some(session) = turn.seated.get(&to).copied() else {
        return Err(audibility::not_listening(&turn.world.characters[to].name));
    };
    audibility::require_speech_budget(turn, who, &speech, 1)?;
    let name = turn.world.characters[to].name.clone();
    let talker = turn.world.characters[who].name.clone();
    let line = Markup::plain("You tell ").with(Style::Player, &name).and(": ").with(Style::Speech, &speech);
    let own = tell::spoken_message(turn, Class::Tell, &format!("tell {name}"), &talker, line);
    tell::send_spoken(turn, who, &own);
    if turn.world.is_ignoring(to, who) && !audibility::speaks_as_staff(turn, who, to) {
        return Ok(());
    }
    if to != who {
        let line = naming::name_of(turn, who).and(" tells you: ").with(Style::Speech, &speech);
        let message = tell::spoken_message(turn, Class::Tell, &format!("tell {talker}"), &talker, line);
        tell::send_spoken(turn, to, &message);
        turn.emit_event(GameEvent::Sounded { who: to, sound: Sound::Tell });
    }
    if let Some(seat) = turn.seats.get_mut(&session) {
        seat.reply_to = Some(who);
    }
    tell_if_away(turn, who, to);
    Ok(())
}

/// Tells the sender of a private message that the recipient is AFK, and the reason.
fn tell_if_away(turn: &mut Turn, who: CharacterId, to: CharacterId) {
    let Some(reason) = turn.awake.get(to).and_then(|body| body.away.clone()).filter(|_| who != to) else {
        return;
    };
    let message = naming::name_of(turn, to);
    let message = if reason.is_empty() || turn.world.is_ignoring(who, to) {
        message.and(" is away just now.")
    } else {
        message.and(" is away just now: ").with(Style::Speech, &reason)
    };
    tell::tell(turn, who, Class::Notice, message);
}

/// Replies to the last player who sent a private message.
pub(crate) fn reply(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let seat = turn.seated.get(&who).and_then(|session| turn.seats.get(session));
    let to = seat.and_then(|seat| seat.reply_to).filter(|to| turn.world.name_of(*to).is_some());
    let to = to.ok_or_else(|| refuse!("Nobody has told you anything yet."))?;
    if let Some(account) = turn.world.account_of(to) {
        asleep::require_awake(turn, account)?;
    }
    tell_to(turn, who, to, text)
}

/// Sends text to all connected players who listen to a channel.
pub(crate) fn speak_on(
    turn: &mut Turn,
    who: CharacterId,
    channel: Channel,
    text: &str,
) -> Result<(), Refusal> {
    let speech = audibility::spoken(turn, who, text)?;
    audibility::require_unmuted(turn, who, channel)?;
    audibility::require_speech_budget(turn, who, &speech, turn.seats.len())?;
    audibility::require_channel_budget(turn, who)?;
    let talker = turn.world.characters[who].name.clone();
    let line = channel_line(channel, Style::Player, &talker, &speech);
    turn.emit_event(GameEvent::SpokenOn { channel, talker: who, text: &line });
    public::show_speech(turn, channel, &talker, None, &speech);
    let message = tell::spoken_message(turn, Class::Channel, channel.name(), &talker, line);
    tell_listeners(turn, channel, Some(who), &message);
    Ok(())
}

/// Returns the line that listeners of a channel read; `style` is that of the speaker.
pub(super) fn channel_line(channel: Channel, style: Style, talker: &str, speech: &str) -> Markup {
    let title = Markup::plain(&format!("[{}] ", channel.title()));
    title.with(style, talker).and(": ").with(Style::Speech, speech)
}

/// Sends a message to all connected players who listen to a channel and do not ignore the speaker, if that is a player.
pub(super) fn tell_listeners(
    turn: &mut Turn,
    channel: Channel,
    talker: Option<CharacterId>,
    message: &SpokenMessage,
) {
    let players: Vec<CharacterId> = turn.seats.values().map(|seat| seat.character).collect();
    for player in players {
        let is_ignored = talker.is_some_and(|talker| turn.world.is_ignoring(player, talker));
        if !is_ignored && !audibility::has_muted(turn, player, channel) {
            tell::send_spoken(turn, player, message);
        }
    }
}
