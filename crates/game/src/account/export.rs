//! Export of an account's data, as lines for the player. Values are taken from the rows by serde, so new fields are
//! included automatically. Data in memory or stored elsewhere is described in sentences.

use crate::message::naming;
use crate::post::view;
use crate::state::scrollback::{ReplaySelection, Ring};
use crate::turn::Turn;
use deepwell_core::base::facts::Fact;
use deepwell_core::base::{AccountId, CharacterId, SessionId, facts};
use deepwell_core::text::grammar;
use deepwell_core::world::{
    Account, AccountData, Banned, Branch, BuildChanges, JournalEntry, Row, SeatToken, VariableOwner,
};
use serde::Serialize;

/// Replacement for secrets.
const SECRET: &str = "kept as a hash, which nobody is shown";

/// Returns all data of an account, by table.
pub(crate) fn lines(turn: &Turn, session: SessionId, account: AccountId) -> Vec<String> {
    let (world, person) = (&turn.world, turn.world.person(account));
    let mut lines = Vec::new();
    let row = &world.accounts[account];
    let secret = |_: &String| SECRET.to_owned();
    let seat = |token: &SeatToken| SeatToken { hash: SECRET.to_owned(), ..token.clone() };
    let row = Account {
        credential: SECRET.into(),
        recovery: row.recovery.as_ref().map(secret),
        seat_tokens: row.seat_tokens.iter().map(seat).collect(),
        desk_tokens: row.desk_tokens.iter().map(seat).collect(),
        ..row.clone()
    };
    push_fields(&mut lines, "Account", &row);
    for who in &person.bodies {
        push_fields(&mut lines, "Character", &world.characters[*who]);
    }
    for id in world.belongings(&person) {
        let name = naming::item(turn, id);
        lines.push(format!("Thing {id}, {name}: {}.", values(&world.items[id]).join("; ")));
    }
    for who in &person.bodies {
        let variables = world.variables.of(VariableOwner::Character(*who));
        variables.for_each(|variable| push_row(&mut lines, "Variable", variable));
    }
    for who in &person.bodies {
        for mail in world.mails.of(*who).chain(world.mails.sent_by(*who)) {
            push_row(&mut lines, "Mail", mail);
            lines.extend(
                view::attached_words(turn, mail).map(|things| format!("Mail {}, with: {things}.", mail.id)),
            );
        }
    }
    let notes = person.bodies.iter().flat_map(|who| world.notes.by(*who));
    notes.for_each(|note| push_row(&mut lines, "Note", note));
    for (id, room) in world.rooms.iter() {
        let about = room.waits.iter().filter(|wait| facts::mentions(*wait, account, &person.bodies));
        about.for_each(|wait| {
            let clause = if wait.words.is_empty() { "" } else { ", with your words" };
            lines.push(format!("Room {id}: a script goes on at {} for you{clause}.", wait.at.utc()));
        });
    }
    let parties = world.parties.iter().filter(|(_, party)| facts::mentions(*party, account, &person.bodies));
    parties.for_each(|(_, party)| push_row(&mut lines, "Party", party));
    let joined = world.expeditions.iter().filter(|(_, row)| facts::mentions(*row, account, &person.bodies));
    joined.for_each(|(_, row)| push_row(&mut lines, "Expedition", row));
    let bans = world.bans.iter().filter(|(_, ban)| ban.banned == Banned::Account(account));
    bans.for_each(|(_, ban)| push_row(&mut lines, "Ban", ban));
    let reports = world.reports.iter().filter(|(_, report)| report.account == account);
    reports.for_each(|(_, report)| push_row(&mut lines, "Report", report));
    let audit = world.audit.iter().filter(|(_, line)| line.account == Some(account));
    audit.for_each(|(_, line)| push_row(&mut lines, "Audit line", line));
    // The changes themselves belong to the world and can be read there.
    let bare = |entry: &JournalEntry| JournalEntry {
        touches: BuildChanges::default(),
        former: None,
        ..entry.clone()
    };
    let journal = world.journal.of(Some(account));
    journal.for_each(|entry| push_row(&mut lines, "Journal entry", &bare(entry)));
    let zones = world.meta().zones.iter().filter(|(_, zone)| zone.mentions(account));
    lines.extend(zones.map(|(key, _)| format!("Zone {key}: you build in it.")));
    for tiding in world.meta().rumours_about(&person.bodies) {
        lines.push(format!("Heard in the town: {}.", values(tiding).join("; ")));
    }
    tell_branches(&mut lines, turn, &person);
    tell_memory(&mut lines, turn, session, &person);
    lines
}

/// Returns the values of a row, each with its path in the row.
fn values(row: &impl Serialize) -> Vec<String> {
    let mut values = Vec::new();
    facts::visit_facts(row, &mut |path, fact| {
        let place = path.join(", ").replace('_', " ");
        values.push(match fact {
            Fact::Account(id) => format!("{place}: account {id}"),
            Fact::Character(id) => format!("{place}: character {id}"),
            Fact::Time(at) => format!("{place}: {}", at.utc()),
            Fact::Number(number) => format!("{place}: {number}"),
            Fact::Flag(flag) => format!("{place}: {}", if flag { "yes" } else { "no" }),
            Fact::Text(text) => format!("{place}: {text}"),
        });
    });
    values
}

/// Adds a row as one line for each value.
fn push_fields<R: Row + Serialize>(lines: &mut Vec<String>, what: &str, row: &R) {
    lines.push(format!("{what} {}", row.id()));
    lines.extend(values(row).iter().map(|value| grammar::capitalise(value).into_owned()));
}

/// Adds a row as one line.
fn push_row<R: Row + Serialize>(lines: &mut Vec<String>, what: &str, row: &R) {
    lines.push(format!("{what} {}: {}.", row.id(), values(row).join("; ")));
}

/// Adds the branches that mention the player: as a member, or as having returned by rope.
fn tell_branches(lines: &mut Vec<String>, turn: &Turn, person: &AccountData) {
    for (id, branch) in turn.world.branches.iter() {
        let Some(index) = turn.world.branches.index_of(id) else { continue };
        let in_it = |who: &CharacterId| index.members.contains(who) || branch.roped.contains(who);
        if !person.bodies.iter().any(in_it) {
            continue;
        }
        let rooms = index.rooms.values().filter_map(|room| turn.world.rooms.get(*room));
        let knows =
            |who: &CharacterId, room: &deepwell_core::world::Room| room.challenge.visitors.contains_key(who);
        let found = rooms.filter(|room| person.bodies.iter().any(|who| knows(who, room))).count();
        let Branch { name, roped, .. } = branch;
        let rope = if person.bodies.iter().any(|who| roped.contains(who)) {
            ", and that you have come back by the rope"
        } else {
            ""
        };
        lines.push(format!(
            "Branch {id}, {name}: what there is in {} of {} has given you{rope}.",
            grammar::counted(found, "room"),
            index.rooms.len()
        ));
    }
}

/// Adds data held until the server stops or the connection ends, and data stored elsewhere.
fn tell_memory(lines: &mut Vec<String>, turn: &Turn, session: SessionId, person: &AccountData) {
    for who in &person.bodies {
        let kept = |which| turn.scrollback.ring(*who, which).map_or(0, Ring::len);
        let name = &turn.world.characters[*who].name;
        lines.push(format!(
            "In memory until the server stops, for replay: {} messages that {name} was told, {} tells, {} of the party.",
            kept(ReplaySelection::Everything),
            kept(ReplaySelection::Tells),
            kept(ReplaySelection::Party)
        ));
    }
    if let Some(address) = turn.seats.get(&session).and_then(|seat| seat.address) {
        lines.push(format!("In memory until you leave: your address, {address}."));
    }
    lines.push(
        "Elsewhere: rooms below note by your number what they have given you, until their branch collapses. The ledger has a line for money and things that came into the world by you or left it; the operator \
         can give you those. The log has the addresses of failed log-ins. Backups have what was kept when they were made."
            .into(),
    );
}
