//! Checks that a batch exceeds no limit. Only the rows that it writes, and their containers, are checked.

use super::Breach;
use super::stage::SimulatedGame;
use deepwell_core::base::ItemId;
use deepwell_core::base::limits::Limits;
use deepwell_core::world::{Changes, Place, World};

/// Checks that the last step did no more work than is bounded.
pub(super) fn audit_step(stage: &SimulatedGame, limits: &Limits) -> Result<(), Breach> {
    let players = stage.world().awake_players().count() as u64;
    let excess = stage.cost.and_then(|cost| cost.excess(limits, players));
    excess.map_or(Ok(()), |excess| Err(Breach(format!("{excess} (A8)"))))
}

/// Checks the limits that affect the rows written by a batch.
pub(super) fn audit(changes: &Changes, world: &World, limits: &Limits) -> Result<(), Breach> {
    for item in &changes.items.put {
        let (here, most, where_) = match item.place {
            Place::Holder(who) if world.characters.get(who).is_none_or(|body| !body.is_player()) => continue,
            Place::Holder(who) => (world.carried(who), limits.items_carried, "carried"),
            Place::Room(room) => (world.ground(room), limits.items_in_room, "in a room"),
            Place::Inside(bag) => (world.contents(bag), limits.items_inside, "in a container"),
            Place::Mail(mail) => (world.attached(mail), limits.mail_things, "attached to a mail"),
        };
        within(here.len(), most, &format!("things {where_}"))
            .map_err(|Breach(message)| Breach(format!("{message}: {}", prototypes(world, here))))?;
    }
    for branch in &changes.branches.put {
        within(branch.rooms_made as usize, limits.rooms_per_branch, "rooms of a branch")?;
    }
    for body in changes.characters.put.iter().filter(|body| body.is_player()) {
        within(body.titles.len(), limits.titles, "titles")?;
        within(body.records.exits.len(), limits.exit_records, "records of depth")?;
    }
    for account in &changes.accounts.put {
        within(world.characters_of(account.id).count(), limits.characters_per_account, "characters")?;
        within(account.settings.aliases.len(), limits.aliases, "aliases")?;
        within(account.settings.highlights.len(), limits.highlights, "highlights")?;
        within(account.ignored.len(), limits.ignored, "accounts ignored")?;
        within(account.friends.len(), limits.friends, "friends")?;
        within(account.notices.len(), limits.notices, "notices")?;
    }
    for room in changes.rooms.put.iter().filter(|room| room.branch.is_none()) {
        within(room.sheet.details.len(), limits.details_per_room, "details of a room")?;
        within(room.sheet.tags.len(), limits.tags_per_room, "tags of a room")?;
        within(room.spawns.len(), limits.spawns_per_room, "spawn rules of a room")?;
        within(room.triggers.len(), limits.triggers_per_room, "triggers of a room")?;
    }
    for mail in &changes.mails.put {
        let (mails, most) =
            (world.mails.count(mail.to).0, limits.mails_per_mailbox + limits.mails_per_sender);
        within(mails, most, "mails in a mailbox")?;
        within(world.mails.sent_by(mail.to).count(), most, "mails from one sender")?;
    }
    for entry in &changes.journal.put {
        within(
            world.journal.of(entry.account).count(),
            limits.journal_entries,
            "journal entries of one builder",
        )?;
    }
    within(world.rooms.built_count(), limits.built_rooms, "rooms built by hand")?;
    within(world.meta().zones.len(), limits.zones, "zones")?;
    for note in &changes.notes.put {
        within(world.notes.on(&note.board).count(), limits.notes_per_board, "notes on a board")?;
    }
    within(world.notes.len(), limits.notes, "notes")?;
    within(world.mails.len(), limits.mails, "mails")?;
    within(world.reports.len(), limits.reports, "reports")?;
    within(world.bans.len(), limits.bans, "bans")?;
    within(world.branches.len(), limits.branches, "branches")
}

/// Lists the prototypes of items, oldest first.
fn prototypes(world: &World, items: &[ItemId]) -> String {
    items.iter().map(|item| world.items[*item].prototype.as_str()).collect::<Vec<_>>().join(", ")
}

fn within(count: usize, most: u32, what: &str) -> Result<(), Breach> {
    if count <= most as usize {
        Ok(())
    } else {
        Err(Breach(format!("{count} {what}, and {most} is the limit (A8)")))
    }
}
