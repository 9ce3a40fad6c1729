//! What clients are told as data (GMCP), one file a family of packages: what changed is noted while a step is played,
//! and only differences are told, most of them at its end. The bodies of packages are in `data`; their names, and what a
//! client gets that names nothing, in the session. No rule knows any of it.

mod channel;
pub(crate) mod media;
pub(crate) mod party;
pub(crate) mod room;
pub(crate) mod surroundings;
pub(crate) mod vitals;

use crate::base::SessionId;
use crate::game::data::Data;
use crate::game::data::character::CharStatus;
use crate::game::input::{Ask, Wants};
use crate::game::state::gmcp::GmcpState;
use crate::game::turn::Turn;

/// A client asked for structured data: it gets all of it again.
pub(crate) fn set_wants(turn: &mut Turn, session: SessionId, data: Wants) {
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    seat.wants = data;
    (seat.status, seat.vitals, seat.gmcp) = (None, None, GmcpState::default());
    let character = seat.character;
    surroundings::count_wants(turn);
    turn.outbox.surroundings.insert(session);
    if data.character {
        let name = turn.world.characters[character].name.clone();
        turn.outbox.data(session, Data::CharName { fullname: name.clone(), name });
        turn.outbox.data(session, Data::CharStatusVars(CharStatus::vars()));
        turn.outbox.prompt(session);
    }
    if data.room {
        room::send_room_info(turn, character);
    }
    if data.channels {
        turn.outbox.data(session, Data::Channels(channel::CHANNELS.to_vec()));
    }
    if data.party {
        turn.outbox.parties.insert(character);
    }
}

/// A client asks for something that it could have been told anyway.
pub(crate) fn answer_request(turn: &mut Turn, session: SessionId, what: Ask) {
    match what {
        Ask::Pack => surroundings::tell_pack(turn, session),
        Ask::Room => surroundings::tell_things(turn, session),
        Ask::Contents(container) => surroundings::tell_contents(turn, session, container),
        Ask::ChannelPlayers => channel::tell_channel_players(turn, session),
    }
}
