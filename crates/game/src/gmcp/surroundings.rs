//! Updates for clients about the surroundings and affects of their characters. Rules change the world without notifying
//! clients. At the end of a step, the touched places are compared for each subscribed client. Without subscribers
//! nothing is tracked.

use super::package::{GmcpContext, PackageState, RoomContents};
use super::{looks_around, rows};
use crate::turn::Turn;
use deepwell_core::base::{RoomId, SessionId};
use deepwell_core::world::Place;
use std::collections::{BTreeMap, BTreeSet};

/// Sends changes in the surroundings to clients at the end of a step.
pub(crate) fn finish_surroundings(turn: &mut Turn) {
    let mut sessions = turn.outbox.take_surroundings();
    for place in turn.world.touched.take() {
        watchers(turn, place, &mut sessions);
    }
    let mut scenes = BTreeMap::new();
    for session in sessions {
        tell_differences(turn, session, &mut scenes);
    }
}

/// Adds the sessions whose characters can see a place.
fn watchers(turn: &Turn, place: Place, sessions: &mut BTreeSet<SessionId>) {
    let place = match place {
        Place::Inside(container) => turn.world.root(container),
        place => Some(place),
    };
    let holder;
    let bodies = match place {
        Some(Place::Room(room)) => turn.world.occupants(room),
        Some(Place::Holder(who)) => {
            holder = [who];
            &holder
        }
        Some(Place::Inside(_) | Place::Mail(_)) | None => &[],
    };
    let seated = bodies.iter().filter_map(|who| turn.seated.get(who));
    let looks = |session: &SessionId| turn.seats.get(session).is_some_and(|seat| looks_around(&seat.wants));
    sessions.extend(seated.copied().filter(looks));
}

fn tell_differences(turn: &mut Turn, session: SessionId, scenes: &mut BTreeMap<RoomId, RoomContents>) {
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    let (who, mut state) = (seat.character, std::mem::take(&mut seat.gmcp));
    let room = turn.world.characters[who].room;
    state.enter_room(room);
    let mut news = Vec::new();
    let scene = scenes.entry(room).or_default();
    for row in rows(&turn.seats[&session].wants) {
        if let PackageState::Around(tell) = row.known {
            tell(&mut GmcpContext { turn: &*turn, who, scene, sent: &mut state, news: &mut news });
        }
    }
    for data in news {
        turn.outbox.data(session, data);
    }
    if let Some(seat) = turn.seats.get_mut(&session) {
        seat.gmcp = state;
    }
}
