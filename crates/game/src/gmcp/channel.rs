//! `Comm.Channel`: channels and their listeners. Messages are sent together with their text, see `tell`.

use super::package::PackageSpec;
use crate::access::audibility;
use crate::effect::data::channel::{ChannelInfo, ChannelPlayer};
use crate::effect::data::{Data, Package};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, SessionId};
use deepwell_core::world::Channel;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Channels).by_default().first(tell_channels);

/// Channels, for clients with a window for each. Private messages use the channel `tell` and the name of the other
/// player.
const CHANNELS: &[ChannelInfo] = &[
    ChannelInfo { name: "newbie", caption: "Newbie", command: "newbie" },
    ChannelInfo { name: "ooc", caption: "Out of character", command: "ooc" },
    ChannelInfo { name: "party", caption: "Party", command: "party" },
    ChannelInfo { name: "tell", caption: "Tells", command: "tell" },
    ChannelInfo { name: "say", caption: "Says", command: "say" },
    ChannelInfo { name: "emote", caption: "Emotes", command: "emote" },
    ChannelInfo { name: "shout", caption: "Shouts", command: "shout" },
];

fn tell_channels(turn: &mut Turn, session: SessionId, _: CharacterId) {
    turn.outbox.data(session, Data::Channels(CHANNELS.to_vec()));
}

/// Sends a client the players online, with the channels both can hear.
pub(super) fn tell_channel_players(turn: &mut Turn, session: SessionId) {
    let seat = turn.seats.get(&session).filter(|seat| seat.wants.contains(&Package::Channels));
    let Some(own) = seat.map(|seat| seat.character) else { return };
    let heard = |who| {
        let open = Channel::ALL.iter().copied().filter(|channel| *channel != Channel::Party);
        open.filter(|channel| !audibility::has_muted(turn, who, *channel)).collect()
    };
    let mine: Vec<Channel> = heard(own);
    let mut players = Vec::with_capacity(turn.seated.len());
    for who in turn.seated.keys() {
        let channels = heard(*who).into_iter().filter(|channel| mine.contains(channel));
        let name = turn.world.characters[*who].name.clone();
        players.push(ChannelPlayer { name, channels: channels.map(Channel::name).collect() });
    }
    players.sort_by(|one, other| one.name.cmp(&other.name));
    turn.outbox.data(session, Data::ChannelPlayers(players));
}
