//! Mail between characters: the rows, the mailboxes, and the order of expiry. Attached items are at the place of their
//! mail. Mail is in no part of the world, so that it arrives while the receiver's account is asleep.

use crate::base::rare::is_default;
use crate::base::{CharacterId, GameTime, ItemId, MailId};
use crate::world::World;
use crate::world::indexed::{Indexed, TableIndex, remove_from};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// Mail, stored as one row until it is deleted.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Mail {
    /// Unique id, never reused.
    pub id: MailId,
    /// Receiver.
    pub to: CharacterId,
    /// Sender; of returned mail the character who did not take it. `None` if that account is deleted.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub from: Option<CharacterId>,
    /// Number in the mailbox.
    pub number: u32,
    /// Text; may be empty if something is attached.
    pub text: String,
    /// Time at which it was sent or returned.
    pub at: GameTime,
    /// Expiry time.
    pub until: GameTime,
    /// Set once the receiver has read it.
    #[serde(default, skip_serializing_if = "is_default")]
    pub read: bool,
    /// Set for mail that the game itself has sent: it has no sender.
    #[serde(default, skip_serializing_if = "is_default")]
    pub is_of_lodge: bool,
    /// Set for mail that was returned to its sender.
    #[serde(default, skip_serializing_if = "is_default")]
    pub returned: bool,
}

/// Mails of a receiver.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
struct Mailbox {
    mails: BTreeMap<u32, MailId>,
    unread: BTreeSet<MailId>,
}

/// Mail by receiver, sender and expiry.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct MailIndex {
    boxes: BTreeMap<CharacterId, Mailbox>,
    by_other: BTreeMap<CharacterId, BTreeSet<MailId>>,
    by_end: BTreeSet<(GameTime, MailId)>,
}

impl TableIndex<Mail> for MailIndex {
    fn note(&mut self, mail: &Mail) {
        let mailbox = self.boxes.entry(mail.to).or_default();
        mailbox.mails.insert(mail.number, mail.id);
        if !mail.read {
            mailbox.unread.insert(mail.id);
        }
        if let Some(from) = mail.from {
            self.by_other.entry(from).or_default().insert(mail.id);
        }
        self.by_end.insert((mail.until, mail.id));
    }

    fn forget(&mut self, mail: &Mail) {
        if let Some(mailbox) = self.boxes.get_mut(&mail.to) {
            mailbox.mails.remove(&mail.number);
            mailbox.unread.remove(&mail.id);
            if mailbox.mails.is_empty() {
                self.boxes.remove(&mail.to);
            }
        }
        if let Some(from) = mail.from {
            remove_from(&mut self.by_other, &from, &mail.id);
        }
        self.by_end.remove(&(mail.until, mail.id));
    }
}

/// Mail. Attached items are removed by [`World::remove_mail`].
pub type Mails = Indexed<Mail, MailIndex>;

impl Mails {
    /// Returns the mails of a receiver, oldest number first.
    pub fn of(&self, who: CharacterId) -> impl DoubleEndedIterator<Item = &Mail> {
        let mailbox = self.index.boxes.get(&who);
        mailbox.into_iter().flat_map(|mailbox| mailbox.mails.values()).map(|id| &self.rows[*id])
    }

    /// Returns the number of mails of a receiver, and that of the unread ones.
    pub fn count(&self, who: CharacterId) -> (usize, usize) {
        let mailbox = self.index.boxes.get(&who);
        mailbox.map_or((0, 0), |mailbox| (mailbox.mails.len(), mailbox.unread.len()))
    }

    /// Returns a mail by its number in the mailbox of the receiver.
    pub fn numbered(&self, who: CharacterId, number: u32) -> Option<&Mail> {
        self.get(*self.index.boxes.get(&who)?.mails.get(&number)?)
    }

    /// Returns the mails that others have from a character, or that it has returned to them.
    pub fn sent_by(&self, who: CharacterId) -> impl Iterator<Item = &Mail> {
        self.index.by_other.get(&who).into_iter().flatten().map(|id| &self.rows[*id])
    }

    /// Returns the mail that expires first.
    pub fn first_to_expire(&self) -> Option<&Mail> {
        self.index.by_end.first().map(|(_, id)| &self.rows[*id])
    }

    /// Puts a mail into the mailbox of its receiver, under the next number.
    pub fn deliver(&mut self, mut mail: Mail) {
        let mailbox = self.index.boxes.get(&mail.to);
        mail.number =
            mailbox.and_then(|mailbox| mailbox.mails.last_key_value()).map_or(1, |(last, _)| last + 1);
        self.add(mail);
    }

    /// Changes a mail. Attached items stay with it.
    pub fn change(&mut self, id: MailId, change: impl FnOnce(&mut Mail)) {
        let Some(row) = self.rows.edit(id) else { return };
        self.index.forget(row);
        change(row);
        self.index.note(row);
    }

    /// Takes a mail out of its mailbox, and delivers it as changed. Attached items stay with it.
    pub fn redirect(&mut self, id: MailId, change: impl FnOnce(&mut Mail)) {
        let Some(mut mail) = self.get(id).cloned() else { return };
        self.index.forget(&mail);
        change(&mut mail);
        self.deliver(mail);
    }

    /// Removes characters as the senders of mail.
    pub(in crate::world) fn forget_senders(&mut self, bodies: &[CharacterId]) {
        let sent: Vec<MailId> =
            bodies.iter().flat_map(|who| self.sent_by(*who)).map(|mail| mail.id).collect();
        for id in sent {
            self.change(id, |mail| mail.from = None);
        }
    }
}

impl World {
    /// Returns the items that are attached to a mail, in the order of attachment.
    pub fn attached(&self, mail: MailId) -> &[ItemId] {
        self.index.attached.get(&mail).map_or(&[], Vec::as_slice)
    }

    /// Returns the oldest mail without items of the character who has sent the most mail, if that is more than `least`.
    pub fn most_dispensable_mail(&self, least: usize) -> Option<MailId> {
        let of_most = self.mails.index.by_other.values().max_by_key(|mails| mails.len())?;
        let oldest = of_most.iter().find(|id| self.attached(**id).is_empty());
        oldest.copied().filter(|_| of_most.len() > least)
    }

    /// Deletes a mail with the items that are attached; `why` is the reason in the ledger.
    pub fn remove_mail(&mut self, id: MailId, why: &str) {
        for item in self.attached(id).to_vec() {
            self.remove_item(item, why);
        }
        self.index.attached.remove(&id);
        self.mails.remove(id);
    }
}

/// Checks that mail is between characters of players, and in the index.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    let mut index = MailIndex::default();
    for (id, mail) in world.mails.iter() {
        if ![Some(mail.to), mail.from].into_iter().flatten().all(|who| world.is_players(who)) {
            violations.push(format!("mails {id}: to or from no character of a player"));
        }
        if world.mails.numbered(mail.to, mail.number).map(|mail| mail.id) != Some(id) {
            violations.push(format!("mails {id}: another has its number in the same mailbox"));
        }
        index.note(mail);
    }
    if index != world.mails.index {
        violations.push("mails: the index differs from the rows".to_owned());
    }
}
