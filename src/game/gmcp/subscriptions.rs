//! Which packages clients want, and what they ask for by name.

use super::package::Known;
use super::{channel, items, rows};
use crate::base::SessionId;
use crate::game::data::Packages;
use crate::game::input::Ask;
use crate::game::state::gmcp::GmcpState;
use crate::game::turn::Turn;

/// A client asked for packages: it gets all of them again.
pub(crate) fn subscribe(turn: &mut Turn, session: SessionId, packages: Packages) {
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    (seat.wants, seat.gmcp) = (packages.clone(), GmcpState::default());
    let character = seat.character;
    count_wants(turn);
    turn.outbox.note_surroundings(session);
    for row in rows(&packages) {
        (row.first)(turn, session, character);
        if matches!(row.known, Known::AtPrompt(_)) {
            turn.outbox.prompt(session);
        }
    }
}

/// A client came, went, or wants something else: from now on only what somebody wants is noted.
pub(crate) fn count_wants(turn: &mut Turn) {
    let before = looks_around(&turn.wanted);
    turn.wanted = turn.seats.values().flat_map(|seat| seat.wants.iter().copied()).collect();
    let now = looks_around(&turn.wanted);
    if now != before {
        turn.world.track_touched(now);
    }
}

/// Whether any of these packages tells what is around a body.
pub(super) fn looks_around(packages: &Packages) -> bool {
    rows(packages).any(|row| matches!(row.known, Known::Around(_)))
}

/// A client asks for something that it could have been told anyway.
pub(crate) fn answer_request(turn: &mut Turn, session: SessionId, what: Ask) {
    match what {
        Ask::Pack => items::tell_pack(turn, session),
        Ask::Room => items::tell_room(turn, session),
        Ask::Contents(container) => items::tell_contents(turn, session, container),
        Ask::ChannelPlayers => channel::tell_channel_players(turn, session),
    }
}
