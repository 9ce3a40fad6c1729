//! GMCP: structured data for clients, one file per package. Changes are noted during a step and sent as differences,
//! mostly at its end. The message types are in `data`. Game rules do not depend on this module.

mod actions;
pub(crate) mod affects;
mod board;
mod branches;
mod channel;
mod character;
mod clock;
mod commands;
mod enemies;
mod group;
mod guide;
mod items;
mod macros;
mod mail;
pub(crate) mod map;
pub(crate) mod media;
mod package;
pub(crate) mod party;
pub(crate) mod prompts;
pub(crate) mod room;
mod quests;
mod skills;
pub(crate) mod surroundings;
mod wares;

use crate::effect::data::Packages;
use crate::input::Ask;
use crate::state::gmcp::GmcpState;
use crate::turn::Turn;
use deepwell_core::base::SessionId;
use package::{PackageSpec, PackageState};

/// All packages that a client may request, in the order in which they are sent.
const PACKAGES: &[PackageSpec] = &[
    character::PACKAGE,
    room::PACKAGE,
    map::PACKAGE,
    channel::PACKAGE,
    party::PACKAGE,
    items::PACKAGE,
    affects::AFFLICTIONS,
    affects::DEFENCES,
    media::PACKAGE,
    wares::PACKAGE,
    board::PACKAGE,
    branches::PACKAGE,
    mail::NOTES,
    skills::PACKAGE,
    actions::PACKAGE,
    enemies::PACKAGE,
    guide::PACKAGE,
    quests::PACKAGE,
    macros::PACKAGE,
    mail::PACKAGE,
    clock::PACKAGE,
    group::PACKAGE,
];

/// Returns the packages of a client that requests none.
pub fn packages_by_default() -> Packages {
    PACKAGES.iter().filter(|row| row.by_default).map(|row| row.package).collect()
}

/// Returns the rows of the given packages.
fn rows(wanted: &Packages) -> impl Iterator<Item = &'static PackageSpec> {
    PACKAGES.iter().filter(|row| wanted.contains(&row.package))
}

/// Subscribes a client to packages and sends all their data.
pub(crate) fn subscribe(turn: &mut Turn, session: SessionId, packages: &Packages) {
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    (seat.wants, seat.gmcp) = (packages.clone(), GmcpState::default());
    let character = seat.character;
    count_wants(turn);
    turn.outbox.note_surroundings(session);
    for row in rows(packages) {
        (row.first)(turn, session, character);
        if matches!(row.known, PackageState::AtPrompt(_)) {
            turn.outbox.prompt(session);
        }
    }
}

/// Recomputes which packages any client wants, after a client has connected, left or subscribed. Changes are tracked
/// only for these.
pub(crate) fn count_wants(turn: &mut Turn) {
    let before = looks_around(&turn.wanted);
    turn.wanted = turn.seats.values().flat_map(|seat| seat.wants.iter().copied()).collect();
    let now = looks_around(&turn.wanted);
    if now != before {
        turn.world.touched.track(now);
    }
}

/// Returns `true` if any of these packages reports the surroundings of a character.
fn looks_around(packages: &Packages) -> bool {
    rows(packages).any(|row| matches!(row.known, PackageState::Around(_)))
}

/// Answers a client's request for data that it could also have subscribed to.
pub(crate) fn answer_request(turn: &mut Turn, session: SessionId, what: Ask) {
    match what {
        Ask::Pack => items::tell_pack(turn, session),
        Ask::Room => items::tell_room(turn, session),
        Ask::Contents(container) => items::tell_contents(turn, session, container),
        Ask::ChannelPlayers => channel::tell_channel_players(turn, session),
        Ask::Skills(asked) => skills::tell(turn, session, &asked),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::effect::data::Package;

    #[test]
    fn packages_have_one_row_each_and_are_documented() {
        let page = include_str!("../../../../docs/develop/gmcp.md");
        for package in Package::ALL {
            let name = package.name();
            assert_eq!(Package::named(&name.to_uppercase()), Some((*package, name)));
            assert_eq!(PACKAGES.iter().filter(|row| row.package == *package).count(), 1, "{name}");
            let row = page.lines().find_map(|line| line.strip_prefix(&format!("| `{name}` |")));
            for message in package.messages() {
                assert_eq!(Package::named(&message.to_lowercase()), Some((*package, *message)));
                let short = message.trim_start_matches(name);
                let is_listed =
                    |row: &str| [message, short].iter().any(|it| row.contains(&format!("`{it}`")));
                assert!(row.is_some_and(is_listed), "{message}");
            }
        }
    }
}
