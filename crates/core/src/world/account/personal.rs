//! Personal data: collects everything stored about a player, found by scanning row contents instead of a list of
//! fields, and erases references to the player from rows of others. The player's own items, money and characters are
//! handled by the game rules.

use crate::base::facts::{self, Path};
use crate::base::{AccountId, CharacterId, ItemId};
use crate::catalog::VariableValue;
use crate::text::names;
use crate::world::dungeon::rumour;
use crate::world::tables::{Row, for_each_table};
use crate::world::{
    Account, AuditRecord, Banned, Branch, Item, JournalEntry, Report, Room, SanctionSentence, Table,
    Variable, World,
};
use serde::Serialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeSet;

/// Paths in a row that identify its owner.
const OWNER: &[&str] = &["id", "account", "place holder", "banned account", "owner character", "to", "from"];
/// Fields of a row that are never disclosed.
const SECRET: &[&str] = &["credential", "recovery", "seat_tokens", "desk_tokens"];

/// Account with its characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct AccountData {
    /// Id of the account.
    pub account: AccountId,
    /// Characters of the account.
    pub bodies: Vec<CharacterId>,
}

/// Returns a row as disclosed to its subject, without secrets.
pub fn shown(row: &impl Serialize) -> Value {
    let mut value = serde_json::to_value(row).unwrap_or_default();
    if let Value::Object(fields) = &mut value {
        fields.retain(|name, _| !SECRET.contains(&name.as_str()));
    }
    value
}

impl AccountData {
    /// Returns the paths at which a row mentions the person.
    fn places(&self, row: &impl Serialize) -> Vec<String> {
        let mut places = Vec::new();
        facts::visit_facts(row, &mut |path: &Path, fact| {
            if facts::is_of(fact, self.account, &self.bodies) {
                places.push(path.join(" "));
            }
        });
        places.dedup();
        places
    }

    /// Collects the person's own rows in full. For rows of others, collects only the id and the paths that mention the
    /// person.
    fn collect<R: Row + Serialize>(&self, table: &Table<R>, all: &mut Map<String, Value>) {
        let rows = table.iter().filter_map(|(id, row)| {
            let places = self.places(row);
            let is_own = places.iter().any(|place| OWNER.contains(&place.as_str()));
            (!places.is_empty()).then(|| {
                let id: u64 = id.into();
                if is_own { shown(row) } else { json!({ (R::KEY): id, "mentioned": places }) }
            })
        });
        let rows: Vec<Value> = rows.collect();
        if !rows.is_empty() {
            all.insert(R::TABLE.to_owned(), rows.into());
        }
    }
}

macro_rules! declare_collection {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
        impl World {
            /// Returns everything stored about a person, by table.
            pub fn kept_of(&self, person: &AccountData) -> Map<String, Value> {
                let mut all = Map::new();
                $(person.collect(&self.$table, &mut all);)*
                let inside = self.belongings(person).into_iter().filter_map(|id| self.items.get(id));
                let inside = inside.filter(|item| !facts::mentions(item, person.account, &person.bodies));
                let inside: Vec<Value> = inside.map(shown).collect();
                if let Some(Value::Array(items)) = all.get_mut("items") {
                    items.extend(inside);
                }
                let zones = self.meta().zones.iter().filter(|(_, zone)| zone.mentions(person.account));
                let zones: Vec<Value> = zones.map(|(key, _)| json!({ "zone": key, "mentioned": ["builds"] })).collect();
                if !zones.is_empty() {
                    all.insert("zones".to_owned(), zones.into());
                }
                let tidings: Vec<Value> = self.meta().rumours_about(&person.bodies).map(|one| json!(one)).collect();
                if !tidings.is_empty() {
                    all.insert("tidings".to_owned(), tidings.into());
                }
                all
            }
        }
    };
}
for_each_table!(declare_collection);

impl World {
    /// Returns the person behind an account.
    pub fn person(&self, account: AccountId) -> AccountData {
        AccountData { account, bodies: self.characters_of(account).collect() }
    }

    /// Returns `true` if the player of `who` ignores the player of `speaker`.
    pub fn is_ignoring(&self, who: CharacterId, speaker: CharacterId) -> bool {
        let Some(speaker) =
            self.account_of(speaker).filter(|speaker| self.accounts.index.ignored.contains_key(speaker))
        else {
            return false;
        };
        let owner = self.account_of(who).and_then(|account| self.accounts.get(account));
        owner.is_some_and(|owner| owner.ignored.contains_key(&speaker))
    }

    /// Returns all items of a person, including nested ones.
    pub fn belongings(&self, person: &AccountData) -> Vec<ItemId> {
        let carried = person.bodies.iter().flat_map(|who| self.carried(*who));
        carried.flat_map(|item| self.with_contents(*item)).collect()
    }

    /// Erases references to a person from rows of others: ids in their fields and names in their texts.
    pub fn forget_person(&mut self, person: &AccountData) {
        let AccountData { account, bodies } = person;
        self.bans.remove_where(|ban| ban.banned == Banned::Account(*account));
        self.reports.remove_where(|report| report.account == *account);
        let is_about = |report: &Report| report.about.as_ref().is_some_and(|(whom, _)| whom == account);
        self.reports.change_where(is_about, |report| report.about = None);
        let ignores = |row: &Account| row.ignored.contains_key(account);
        self.accounts.change_where(ignores, |row| _ = row.ignored.remove(account));
        self.accounts.index.ignored.remove(account);
        let watchers: Vec<AccountId> =
            self.accounts.friends_of(*account).into_iter().flatten().copied().collect();
        for watcher in watchers {
            self.accounts.remove_friend(watcher, *account);
        }
        if self.meta().zones.values().any(|zone| zone.mentions(*account)) {
            self.meta_mut().zones.values_mut().for_each(|zone| zone.forget(*account));
        }
        self.definitions.change_where(|row| row.author == Some(*account), |row| row.author = None);
        self.imports.change_where(|row| row.account == Some(*account), |row| row.account = None);
        self.journal.forget_account(*account);
        self.forget_bodies(bodies);
        let own = self.accounts.get(*account).map(|row| row.name.clone());
        let names = own.into_iter().chain(names_of(self, bodies)).collect();
        forget_names(self, *account, &names);
    }

    /// Erases references to a character as [`forget_person`](Self::forget_person) does. Its account stays, with records
    /// that name it.
    pub fn forget_character(&mut self, account: AccountId, who: CharacterId) {
        self.forget_bodies(&[who]);
        self.accounts.forget_notices(account, who);
        let own = self.accounts.get(account).map(|row| row.name.clone());
        let names = names_of(self, &[who]).filter(|name| Some(name) != own.as_ref()).collect();
        forget_names(self, account, &names);
    }

    /// Erases the ids of characters from rows of others.
    fn forget_bodies(&mut self, bodies: &[CharacterId]) {
        let owned = |item: &Item| item.owner.is_some_and(|who| bodies.contains(&who));
        self.items.change_where(owned, |item| (item.owner, item.owner_until) = (None, None));
        let roped = |row: &Branch| bodies.iter().any(|who| row.roped.contains(who));
        self.branches.change_where(roped, |row| row.roped.retain(|who| !bodies.contains(who)));
        let visited = |row: &Room| bodies.iter().any(|who| row.challenge.visitors.contains_key(who));
        self.rooms.change_where(visited, |row| row.challenge.visitors.retain(|who, _| !bodies.contains(who)));
        let remembered = |row: &Room| bodies.iter().any(|who| row.memories.contains_key(who));
        self.rooms.change_where(remembered, |row| row.memories.retain(|who, _| !bodies.contains(who)));
        let waits =
            |row: &Room| row.waits.iter().any(|wait| wait.target.is_some_and(|who| bodies.contains(&who)));
        self.rooms.change_where(waits, |row| {
            row.waits.retain(|wait| wait.target.is_none_or(|who| !bodies.contains(&who)));
        });
        rumour::forget(self, bodies);
        self.expeditions.forget_bodies(bodies);
        self.mails.forget_senders(bodies);
        self.notes.remove_by(bodies);
        self.journal.forget_characters(bodies);
    }
}

fn names_of(world: &World, bodies: &[CharacterId]) -> impl Iterator<Item = String> {
    bodies.iter().filter_map(|who| world.characters.get(*who)).map(|body| body.name.clone())
}

/// Replaces names of a person by the account number in staff records and in texts written by staff or reporters.
fn forget_names(world: &mut World, account: AccountId, known: &BTreeSet<String>) {
    let Some(row) = world.accounts.get(account) else { return };
    // Records older than the account cannot be about it, even if they contain the name: names may be ordinary words.
    let since = row.created_at;
    let number = format!("account {account}");
    let stands = |text: &String| known.iter().any(|name| names::mentions(text, name));
    let clean = |text: &mut String| known.iter().for_each(|name| names::replace(text, name, &number));
    let named = |line: &AuditRecord| line.at >= since && (stands(&line.name) || stands(&line.action));
    world.audit.change_where(named, |line| [&mut line.name, &mut line.action].into_iter().for_each(clean));
    let built = |entry: &JournalEntry| {
        let undone = entry.undone.as_ref().is_some_and(|undone| stands(&undone.name));
        entry.at >= since && (undone || stands(&entry.name) || stands(&entry.line))
    };
    world.journal.change_where(built, |entry| {
        let undone = entry.undone.as_mut().map(|undone| &mut undone.name);
        [&mut entry.name, &mut entry.line].into_iter().chain(undone).for_each(clean);
    });
    let is_reported = |row: &Report| row.at >= since && (stands(&row.text) || row.heard.iter().any(stands));
    world
        .reports
        .change_where(is_reported, |row| row.heard.iter_mut().chain([&mut row.text]).for_each(clean));
    let is_sentenced = |sentence: &SanctionSentence| stands(&sentence.by) || stands(&sentence.reason);
    let texts = |sentence: &mut SanctionSentence| {
        [&mut sentence.by, &mut sentence.reason].into_iter().for_each(clean);
    };
    world.bans.change_where(|ban| is_sentenced(&ban.sentence), |ban| texts(&mut ban.sentence));
    let noted = |row: &Variable| matches!(&row.value, VariableValue::Text(text) if stands(text));
    world.variables.change_where(noted, |row| {
        if let VariableValue::Text(text) = &mut row.value {
            clean(text);
        }
    });
    let written = |row: &Account| {
        row.sentences.values().any(is_sentenced) || row.notices.iter().any(|notice| stands(&notice.text))
    };
    world.accounts.change_where(written, |row| {
        row.sentences.values_mut().for_each(texts);
        row.notices.iter_mut().for_each(|notice| clean(&mut notice.text));
    });
}
