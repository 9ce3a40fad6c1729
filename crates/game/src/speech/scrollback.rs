//! Scrollback for `replay`: the last messages to each character, also by tells and party, and on each channel. Kept in
//! memory only, so lost on restart. Every ring is bounded in messages and bytes. Passwords and codes are never
//! included, because the game does not receive them.

use crate::access::audibility;
use crate::effect::Class;
use crate::state::scrollback::{ReplaySelection, Ring, StoredMessage};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, SessionId, Span};
use deepwell_core::text::{Markup, Style, grammar, sanitise};
use deepwell_core::world::Channel;
use std::sync::Arc;

/// Stores the messages sent to players so far in this step.
pub(crate) fn store_new_messages(turn: &mut Turn) {
    let limits = &turn.config.limits;
    let mut last: Option<Arc<StoredMessage>> = None;
    for (session, class, text) in turn.outbox.fresh_texts() {
        let Some(seat) = turn.seats.get(&session) else { continue };
        let rings = turn.scrollback.character(seat.character, turn.now, limits);
        let room = (class == Class::Room).then(|| (turn.world.characters[seat.character].room, session));
        let is_same = |last: &Arc<StoredMessage>| {
            Arc::ptr_eq(&last.text, text) && (last.class, last.room) == (class, room)
        };
        let message = last.take().filter(is_same).unwrap_or_else(|| {
            Arc::new(StoredMessage { at: turn.now, class, talker: None, room, text: Arc::clone(text) })
        });
        last = Some(Arc::clone(&message));
        if class == Class::Tell {
            rings.tells.push(Arc::clone(&message), limits.channel_history, limits);
        }
        rings.everything.push(message, limits.replay_lines, limits);
        if turn.snoops.is_read(seat.account) {
            turn.snoops.note(seat.account, text);
        }
    }
    turn.outbox.mark_texts_kept();
}

/// Stores a message of a channel; `talker` is `None` for one that came through a bridge.
pub(crate) fn keep_on_channel(turn: &mut Turn, channel: Channel, talker: Option<CharacterId>, text: &Markup) {
    let message = said_on_channel(turn, talker, text);
    let limits = &turn.config.limits;
    turn.scrollback.channel(channel).push(message, limits.channel_history, limits);
}

/// Stores a party message for one of the members.
pub(crate) fn keep_for_member(turn: &mut Turn, member: CharacterId, talker: CharacterId, text: &Markup) {
    let message = said_on_channel(turn, Some(talker), text);
    let limits = &turn.config.limits;
    let rings = turn.scrollback.character(member, turn.now, limits);
    rings.party.push(message, limits.channel_history, limits);
}

fn said_on_channel(turn: &Turn, talker: Option<CharacterId>, text: &Markup) -> Arc<StoredMessage> {
    let text = Arc::new(text.clone());
    Arc::new(StoredMessage { at: turn.now, class: Class::Channel, talker, room: None, text })
}

/// Returns the last lines sent to a character, oldest first, each cut to `chars` characters.
pub(crate) fn last_lines(turn: &mut Turn, who: CharacterId, most: usize, chars: usize) -> Vec<String> {
    store_new_messages(turn);
    let all = turn.scrollback.ring(who, ReplaySelection::Everything).into_iter().flat_map(Ring::newest_first);
    let lines = all.flat_map(|message| message.text.text().lines().rev());
    let mut lines: Vec<String> = lines.take(most).map(|line| sanitise::clean_line(line, chars)).collect();
    lines.reverse();
    lines
}

/// Sends a player the last messages of a kind again, oldest first, except the room view shown when this client
/// connected. The replay itself is not stored.
pub(crate) fn replay(
    turn: &mut Turn,
    session: SessionId,
    who: CharacterId,
    which: ReplaySelection,
    most: u32,
) {
    store_new_messages(turn);
    let page = replayed(turn, session, who, which, most as usize);
    turn.outbox.text(session, Class::Reply, &Arc::new(page));
    turn.outbox.mark_texts_kept();
}

fn replayed(
    turn: &Turn,
    session: SessionId,
    who: CharacterId,
    which: ReplaySelection,
    most: usize,
) -> Markup {
    let ring = turn.scrollback.ring(who, which);
    let greeting = ring.and_then(|ring| ring.greeting_of(session));
    let all = ring.into_iter().flat_map(Ring::newest_first).enumerate();
    let all =
        all.filter(|(at, message)| !greeting.is_some_and(|greeting| greeting.shows_again(*at, message)));
    let all = all.map(|(_, message)| message);
    let wanted = |message: &&StoredMessage| match which {
        ReplaySelection::Kind(class) => message.class == class,
        ReplaySelection::Everything
        | ReplaySelection::Tells
        | ReplaySelection::Party
        | ReplaySelection::Channel(_) => true,
    };
    let heard =
        |message: &&StoredMessage| message.talker.is_none_or(|talker| !turn.world.is_ignoring(who, talker));
    let messages: Vec<&StoredMessage> = all.filter(wanted).filter(heard).take(most).collect();
    let cues = audibility::wants_cues(turn, who);
    let count = messages.len();
    if count == 0 {
        return Markup::plain("Nothing of that kind is remembered. A restart of the server forgets it all.");
    }
    let last = match count {
        1 => "The last message".to_owned(),
        _ => format!("The last {} messages, the oldest first", grammar::number(count)),
    };
    let mut page = Markup::styled(Style::Heading, &format!("{last}:"));
    for message in messages.into_iter().rev() {
        page.new_line();
        if which != ReplaySelection::Everything {
            let ago = turn.now.since(message.at);
            page.push(
                Style::Faint,
                &if ago < Span::secs(1) { "now: ".into() } else { format!("{ago} ago: ") },
            );
        }
        if cues {
            page.push(Style::Plain, message.class.screen_reader_form().cue);
            page.push(Style::Plain, ": ");
        }
        page.append(&message.text);
    }
    page.line(Style::Faint, "That was the replay.");
    page
}
