//! Absent accounts: the rows of their characters and items are in storage only. A few fields of each character stay in
//! memory, for everything that lists or names all characters.

use crate::base::{AccountId, BranchId, CharacterId, GameTime, RoomId};
use crate::world::storage::absent_character::check_references;
use crate::world::storage::containing_part::ContainingPart as _;
use crate::world::{AbsentCharacter, PartRows, Place, Snapshot, VariableOwner, World, WorldPart};
use std::collections::{BTreeMap, BTreeSet};

impl World {
    /// Returns `true` if the characters of an account are in storage only.
    pub fn is_absent(&self, account: AccountId) -> bool {
        self.characters_of(account).next().is_some_and(|who| self.asleep.rows.absent.contains_key(&who))
    }

    /// Returns `true` if a character exists, absent or not, and is a player's.
    pub fn is_players(&self, who: CharacterId) -> bool {
        self.account_of(who).is_some()
    }

    /// Returns the account of a player's character, absent or not.
    pub fn account_of(&self, who: CharacterId) -> Option<AccountId> {
        match self.characters.get(who) {
            Some(body) => body.account,
            None => self.asleep.absent(who).map(|absent| absent.account),
        }
    }

    /// Returns the name of a character, absent or not.
    pub fn name_of(&self, who: CharacterId) -> Option<&str> {
        match self.characters.get(who) {
            Some(body) => Some(&body.name),
            None => self.asleep.absent(who).map(|absent| &*absent.name),
        }
    }

    /// Returns the level and the experience of a character, absent or not; zeros if there is no such character.
    pub fn level_of(&self, who: CharacterId) -> (u32, i64) {
        let absent = || self.asleep.absent(who).map(|absent| (absent.level, absent.xp));
        let present = self.characters.get(who).map(|body| (body.level, body.xp));
        present.or_else(absent).unwrap_or_default()
    }

    /// Returns the time at which a character was last in the world, absent or not.
    pub fn seen_at(&self, who: CharacterId) -> Option<GameTime> {
        match self.characters.get(who) {
            Some(body) => Some(body.seen_at),
            None => self.asleep.absent(who).map(|absent| absent.seen_at),
        }
    }

    /// Returns the branch of a character, absent or not; `None` if there is no such character.
    pub fn membership(&self, who: CharacterId) -> Option<Option<BranchId>> {
        match self.characters.get(who) {
            Some(body) => Some(body.branch),
            None => self.asleep.absent(who).map(|_| None),
        }
    }

    /// Returns the absent characters in rooms, or at home there.
    pub fn absent_at(&self, rooms: &BTreeSet<RoomId>) -> impl Iterator<Item = &AbsentCharacter> {
        let is_there =
            |absent: &&AbsentCharacter| rooms.contains(&absent.room) || rooms.contains(&absent.home);
        self.asleep.rows.absent.values().inspect(|_| self.work.add(1)).filter(is_there)
    }

    /// Returns `true` if the rows of an account may leave memory: all of its characters may, none of the rows has
    /// changed since the last cut, and no party refers to one.
    pub(in crate::world) fn may_be_absent(&self, account: AccountId) -> bool {
        let may_leave = |who: CharacterId| {
            let carried = self.carried(who).iter().flat_map(|item| self.with_contents(*item));
            let is_settled = |owner| self.variables.ids_of(owner).all(|id| !self.variables.is_touched(id));
            AbsentCharacter::of(&self.characters[who]).is_some()
                && !self.characters.is_touched(who)
                && self.parties.of(who).is_none()
                && self.parties.invitations(who).next().is_none()
                && is_settled(VariableOwner::Character(who))
                && carried
                    .into_iter()
                    .all(|item| !self.items.is_touched(item) && is_settled(VariableOwner::Item(item)))
        };
        let mut all = self.characters_of(account).peekable();
        all.peek().is_some() && all.all(|who| self.characters.get(who).is_some() && may_leave(who))
    }

    /// Releases the characters of an account and their items from memory. None has a pending change.
    pub(in crate::world) fn make_absent(&mut self, account: AccountId) {
        let mut rows = PartRows::default();
        let all: Vec<CharacterId> = self.characters_of(account).collect();
        self.keep_orders(WorldPart::Account(account), all.iter().copied().map(Place::Holder));
        for who in all {
            let carried = self.index.carried.remove(&who).unwrap_or_default();
            crate::world::storage::asleep::release_items(self, carried, &mut rows);
            self.variables.release_of(VariableOwner::Character(who), &mut rows.variables);
            let Some(body) = self.characters.release(who) else { continue };
            if let Some(absent) = AbsentCharacter::of(&body) {
                self.asleep.rows.absent.insert(who, absent);
            }
            rows.characters.push(body);
        }
        self.asleep.add(&rows);
    }

    /// Takes the rows of an absent account into memory, as they are stored.
    pub(in crate::world) fn end_absence(&mut self, account: AccountId, rows: &PartRows) {
        let PartRows { characters, items, variables, .. } = rows;
        self.asleep.subtract(rows);
        let all: Vec<CharacterId> = self.characters_of(account).collect();
        for who in all {
            self.asleep.rows.absent.remove(&who);
        }
        for item in items {
            crate::world::storage::load::index_item(&mut self.index, item);
        }
        self.restore_orders(WorldPart::Account(account));
        for body in characters {
            self.characters.restore(body.clone());
        }
        for item in items {
            self.items.restore(item.clone());
        }
        for row in variables {
            self.variables.restore(row.clone());
        }
    }
}

/// Checks that absent characters are in the index, without companions in their account, and in no party.
pub(in crate::world) fn check(world: &World, violations: &mut Vec<String>) {
    check_references(world, violations);
    for (who, absent) in &world.asleep.rows.absent {
        let mut all = world.characters_of(absent.account);
        let is_known = world.character_by_name(&absent.name) == Some(*who);
        if !is_known || !all.all(|other| world.asleep.absent(other).is_some()) {
            violations
                .push(format!("characters {who}: absent, and not in the index, or without its account"));
        }
        if world.parties.of(*who).is_some() || world.parties.invitations(*who).next().is_some() {
            violations.push(format!("characters {who}: absent, and in a party or asked into one"));
        }
        if !world.carried(*who).is_empty() {
            violations.push(format!("characters {who}: absent, with items in memory"));
        }
    }
}

impl Snapshot {
    /// Returns the accounts whose rows a start need not read: those all of whose characters may be absent, and none of
    /// which is in a party or asked into one. `players` are all characters of players, `None` for one that may not.
    pub fn absent_accounts<'a>(
        &self,
        players: impl IntoIterator<Item = (CharacterId, AccountId, Option<&'a AbsentCharacter>)>,
    ) -> BTreeSet<AccountId> {
        let parties = self.parties.values();
        let joined: BTreeSet<CharacterId> =
            parties.flat_map(|party| party.members.iter().chain(party.invited.keys())).copied().collect();
        let mut may_leave: BTreeMap<AccountId, bool> = BTreeMap::new();
        for (who, account, absent) in players {
            let may = absent.is_some() && !joined.contains(&who);
            *may_leave.entry(account).or_insert(true) &= may;
        }
        may_leave.into_iter().filter(|(_, may)| *may).map(|(account, _)| account).collect()
    }

    /// Returns the stored fields of all absent characters, if `accounts` are absent.
    pub(in crate::world) fn absent_of(
        &self,
        accounts: &BTreeSet<AccountId>,
    ) -> BTreeMap<CharacterId, AbsentCharacter> {
        let absent = self.characters.values().filter_map(|body| Some((body.id, AbsentCharacter::of(body)?)));
        absent.filter(|(_, absent)| accounts.contains(&absent.account)).collect()
    }

    /// Returns the stored rows of an account.
    pub(in crate::world) fn rows_of_account(&self, account: AccountId) -> PartRows {
        let characters = self.characters.values().filter(|body| body.account == Some(account));
        let part = Some(WorldPart::Account(account));
        let items = self.items.values().filter(|item| {
            !matches!(item.place, Place::Room(_)) && self.part_around_place(item.place) == part
        });
        let variables = self.variables.values().filter(|row| self.part_around_variables(row.owner) == part);
        PartRows {
            characters: characters.cloned().collect(),
            items: items.cloned().collect(),
            variables: variables.cloned().collect(),
            ..PartRows::default()
        }
    }
}
