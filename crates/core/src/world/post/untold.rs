//! Audit of notices: finds the changes of a batch to players who were not connected, of which no notice tells them.

use crate::base::{AccountId, CharacterId, ItemId};
use crate::world::{Account, Changes, Character, Item, Place, Snapshot};
use std::collections::{BTreeMap, BTreeSet};

/// Returns the changes of a batch to characters, belongings, parties and accounts of players who were not connected
/// while it was played, if the batch keeps no notice for them. `stored` is the world before the batch.
pub fn untold_changes(
    stored: &Snapshot,
    changes: &Changes,
    was_connected: impl Fn(CharacterId) -> bool,
) -> Vec<String> {
    let batch = BatchWithBefore { stored, changes };
    let mut found = Vec::new();
    for new in &changes.characters.put {
        let Some(old) = stored.characters.get(&new.id) else { continue };
        let own: Vec<String> = changed_fields(old, new).into_iter().map(str::to_owned).collect();
        found
            .extend(new.account.filter(|_| !own.is_empty()).map(|account| (new.id, account, own.join(", "))));
    }
    found.extend(batch.deleted_characters());
    found.extend(batch.moved_items());
    found.extend(batch.lost_mail());
    found.extend(batch.left_parties());
    let is_untold = |(who, account, _): &(CharacterId, AccountId, String)| {
        !was_connected(*who) && !batch.has_notice(*who, *account)
    };
    let of_characters = found.into_iter().filter(is_untold);
    let lines =
        of_characters.map(|(who, _, what)| format!("characters {who}: {what} changed without a notice"));
    let accounts = changes.accounts.put.iter().filter(|new| {
        let plays = |body: &&Character| body.account == Some(new.id) && was_connected(body.id);
        let old = stored.accounts.get(&new.id);
        old.is_some_and(|old| is_sanctioned(old, new) && old.notices == new.notices)
            && !stored.characters.values().any(|body| plays(&body))
    });
    lines.chain(accounts.map(|row| format!("accounts {}: changed without a notice", row.id))).collect()
}

/// Returns the changed fields of a character of which another's deed is told. The list names every field, so that a new
/// one is decided on.
fn changed_fields(old: &Character, new: &Character) -> Vec<&'static str> {
    let Character {
        name,
        description,
        room,
        branch,
        max_hp,
        attack,
        defence,
        xp,
        level,
        trainings,
        money,
        quests,
        titles,
        title,
        home,
        // The identity, and what only creatures have.
        id: _,
        account: _,
        prototype: _,
        key: _,
        skeleton: _,
        mood: _,
        patrol_stop: _,
        master: _,
        held_by: _,
        triggers: _,
        created_at: _,
        // The presence itself.
        awake: _,
        link_dead_until: _,
        seen_at: _,
        arrived_at: _,
        // The course of a fight, whose beginning and end are told, of healing, of affects and of wounds.
        hp: _,
        hp_at: _,
        target: _,
        posture: _,
        seat: _,
        down_until: _,
        safe_until: _,
        wounds: _,
        affects: _,
        // What the player alone changes, with places that may vanish from it.
        craft: _,
        found_exits: _,
        visited: _,
        following: _,
        guide: _,
        achievements: _,
        records: _,
        pose: _,
        wimpy: _,
        edit_buffer: _,
        delved: _,
    } = new;
    let fields = [
        ("name", *name != old.name),
        ("description", *description != old.description),
        ("room", *room != old.room),
        ("branch", *branch != old.branch),
        ("attributes", (*max_hp, *attack, *defence) != (old.max_hp, old.attack, old.defence)),
        ("level", (*xp, *level, *trainings) != (old.xp, old.level, old.trainings)),
        ("purse", (money.purse, money.bank) != (old.money.purse, old.money.bank)),
        ("quests", *quests != old.quests),
        ("titles", (titles, title) != (&old.titles, &old.title)),
        ("home", *home != old.home),
    ];
    fields.into_iter().filter(|(_, is_changed)| *is_changed).map(|(field, _)| field).collect()
}

/// Returns `true` if the rank, the rights, the sanctions or the name of an account have changed.
fn is_sanctioned(old: &Account, new: &Account) -> bool {
    let of = |row: &Account| {
        (row.role, row.granted.clone(), row.withheld.clone(), row.sentences.clone(), row.name.clone())
    };
    of(old) != of(new)
}

/// Batch, and the world before it.
struct BatchWithBefore<'a> {
    stored: &'a Snapshot,
    changes: &'a Changes,
}

impl BatchWithBefore<'_> {
    fn account_of(&self, who: CharacterId) -> Option<AccountId> {
        self.stored.characters.get(&who)?.account
    }

    /// Returns `true` if the batch adds a notice for a character or its account, or deletes the account.
    fn has_notice(&self, who: CharacterId, account: AccountId) -> bool {
        let put = &self.changes.accounts.put;
        let old = self.stored.accounts.get(&account).map(|row| row.notices.as_slice()).unwrap_or_default();
        let new = put.iter().find(|row| row.id == account).map(|row| row.notices.as_slice());
        let is_new = |notices: &[crate::world::Notice]| {
            notices.iter().any(|notice| notice.to.is_none_or(|to| to == who) && !old.contains(notice))
        };
        self.changes.accounts.gone.contains(&account) || new.is_some_and(is_new)
    }

    fn deleted_characters(&self) -> Vec<(CharacterId, AccountId, String)> {
        let gone = self.changes.characters.gone.iter();
        gone.filter_map(|who| Some((*who, self.account_of(*who)?, "all".to_owned()))).collect()
    }

    /// Returns the players whose things came, went, or changed in number.
    fn moved_items(&self) -> Vec<(CharacterId, AccountId, String)> {
        let new: BTreeMap<ItemId, &Item> =
            self.changes.items.put.iter().map(|item| (item.id, item)).collect();
        let gone: BTreeSet<ItemId> = self.changes.items.gone.iter().copied().collect();
        let before = |id: ItemId| self.stored.items.get(&id);
        let after =
            |id: ItemId| if gone.contains(&id) { None } else { new.get(&id).copied().or_else(|| before(id)) };
        let mut found = Vec::new();
        for id in new.keys().chain(&gone) {
            let (old, new) = (holding(*id, before), holding(*id, after));
            if old == new {
                continue;
            }
            let kind = before(*id).or_else(|| after(*id)).map_or("", |item| item.prototype.as_str());
            for (who, _) in [old, new].into_iter().flatten() {
                let what = format!("{kind} {id}, held {old:?} and now {new:?},");
                found.extend(self.account_of(who).map(|account| (who, account, what)));
            }
        }
        found
    }

    /// Returns the receivers of mail that is deleted with what was attached to it.
    fn lost_mail(&self) -> Vec<(CharacterId, AccountId, String)> {
        let gone = self.changes.mails.gone.iter().filter_map(|id| self.stored.mails.get(id));
        let is_attached = |id| self.stored.items.values().any(|item| item.place == Place::Mail(id));
        let lost = gone.filter(|mail| is_attached(mail.id));
        lost.filter_map(|mail| Some((mail.to, self.account_of(mail.to)?, "mail".to_owned()))).collect()
    }

    /// Returns the players who are in a party no longer.
    fn left_parties(&self) -> Vec<(CharacterId, AccountId, String)> {
        let stays =
            |who: &CharacterId| self.changes.parties.put.iter().any(|party| party.members.contains(who));
        let put = self.changes.parties.put.iter().map(|party| party.id);
        let touched = put.chain(self.changes.parties.gone.iter().copied());
        let members = touched.filter_map(|id| self.stored.parties.get(&id)).flat_map(|party| &party.members);
        let left = members.filter(|who| !stays(who));
        left.filter_map(|who| Some((*who, self.account_of(*who)?, "party".to_owned()))).collect()
    }
}

/// Returns the character that carries an item, inside other items or not, with the size of the stack.
fn holding<'a>(id: ItemId, row: impl Fn(ItemId) -> Option<&'a Item>) -> Option<(CharacterId, u32)> {
    let item = row(id)?;
    let mut place = item.place;
    loop {
        match place {
            Place::Holder(who) => return Some((who, item.count)),
            Place::Inside(container) => place = row(container)?.place,
            Place::Room(_) | Place::Mail(_) => return None,
        }
    }
}
