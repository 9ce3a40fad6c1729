//! World state and its invariants; no game rules. Rows live in tables that track which rows were touched. Data derived
//! from rows is kept in an index. The changes of a batch are taken as one consistent cut.

pub mod account;
pub mod building;
pub mod character;
pub mod check;
pub mod dungeon;
pub mod index;
pub mod indexed;
pub mod item;
pub mod ledger;
pub mod location;
pub mod meta;
pub mod post;
pub mod references;
pub mod room;
pub mod storage;
pub mod table;
pub mod tables;
mod touched;

pub use crate::base::{ExitKind, ExitState};
pub use crate::catalog::{RoomFeature, RoomKind, TriggerEvent};
pub use account::audit::{AuditLog, AuditRecord};
pub use account::ban::{Ban, Banned};
pub use account::contacts::Accounts;
pub use account::moderation::{Sanction, SanctionSentence};
pub use account::personal::AccountData;
pub use account::{
    Account, BriefRooms, Channel, Charset, CombatText, KnownAddress, LootChoice, PromptStyle, Role,
    SeatToken, Settings, Stacking, Width,
};
pub use building::definition::{Definition, Definitions, DraftVersion};
pub use building::dry_run::DryRun;
pub use building::former_zones::{FormerRoom, FormerZones};
pub use building::journal::{Journal, JournalEntry, UndoRecord};
pub use building::pending_import::PendingImport;
pub use building::variable::{Variable, VariableOwner};
pub use building::variables::Variables;
pub use building::watch::{BuildChanges, Built, MadeObject, RemovedCreature, RowChange, ZoneChange};
pub use building::zone::{FileVersions, RemovedDefinition, Zone, ZoneDraft};
pub use building::zone_keys::Rooms;
pub use character::depth_record::{DepthRecord, DepthRecords};
pub use character::guide_progress::{GuideProgress, GuideState};
pub use character::party::{Claim, LootRule, Parties, Party, Roll};
pub use character::quest::{AchievementProgress, QuestProgress, QuestStatus};
pub use character::{Affect, Character, Craft, EditBuffer, Money, Mood, Posture};
pub use dungeon::branch::{Branch, BranchCleanup, Branches, CleanupStep};
pub use dungeon::expedition::{Aim, Expedition, Expeditions, Weekly};
pub use dungeon::floor::Floor;
pub use dungeon::puzzle::PuzzleRun;
pub use dungeon::rumour::{HeardRumour, RumourEvent};
pub use index::BranchIndex;
pub use item::{Item, Place};
pub use meta::{FlowTotals, LockdownSwitch, Meta, StartTasks};
pub use post::mail::{Mail, Mails};
pub use post::note::{Note, Notes};
pub use post::notice::Notice;
pub use post::report::{Report, ReportKind};
pub use post::untold::untold_changes;
pub use room::exit::{Door, Exit, Exits, OpenWindow, OwnTask, OwnTasks};
pub use room::furniture::{ConditionChain, ScriptWait, SpawnRule, Spawned, Trigger};
pub use room::own_trigger::OwnTrigger;
pub use room::{ChalkMark, Room, RoomChallenge, RoomMemory, Sold};
pub use storage::absent_character::AbsentCharacter;
pub use storage::load::Contradictions;
pub use storage::part::WorldPart;
pub use storage::part_rows::{AsleepRows, PartRows};
pub use storage::record::{Changes, LedgerRecord, Snapshot};
pub use table::Table;
pub use tables::Row;

use crate::base::{
    AccountId, AuditId, BanId, BranchId, CharacterId, DefinitionId, ExitId, GameTime, ItemId, JournalId,
    Kept, MailId, NoteId, PartyId, ReportId, RoomId, VariableId, WorkMeter,
};

/// Non-table state at the moment the world was frozen.
#[derive(Clone, Debug)]
struct Frozen {
    meta: Meta,
    touched: bool,
    /// Number of pending ledger records.
    ledger: usize,
}

macro_rules! declare_world {
    ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {
        /// Complete world state.
        #[derive(Clone, Debug)]
        pub struct World {
            $($(#[$doc])* pub $table: $type,)*
            meta: Meta,
            meta_touched: bool,
            /// Number of times that the metadata has been touched.
            meta_changes: u64,
            ledger: Vec<LedgerRecord>,
            ledger_kept_from: Option<GameTime>,
            frozen: Option<Box<Frozen>>,
            /// Zones as they were when watching began; `None` while no watch is active.
            watched_zones: Option<Kept<std::collections::BTreeMap<String, Zone>>>,
            index: index::Index,
            /// Places with changes that observers have not yet read.
            pub touched: touched::Touched,
            /// Parts whose rows are in storage only.
            pub asleep: storage::asleep::Asleep,
            /// Work that is not counted by a table.
            work: WorkMeter,
        }

        impl World {
            /// Builds a world from stored rows, without its index.
            fn stored(rows: Snapshot, fresh: Meta) -> Self {
                Self {
                    $($table: <$type>::stored(rows.$table),)*
                    meta: rows.meta.unwrap_or(fresh),
                    meta_touched: false,
                    meta_changes: 0,
                    ledger: Vec::new(),
                    ledger_kept_from: None,
                    frozen: None,
                    watched_zones: None,
                    index: index::Index::default(),
                    touched: touched::Touched::default(),
                    asleep: storage::asleep::Asleep::new(rows.asleep),
                    work: WorkMeter::default(),
                }
            }

            /// Returns the work done so far: rows read or changed, and entries of an index visited. The difference of
            /// two values is the work in between.
            pub fn work(&self) -> u64 {
                [$(self.$table.work(),)* self.work.total()].iter().sum()
            }

            /// Returns the number of changes so far, including those that were rolled back.
            pub fn changes(&self) -> u64 {
                [$(self.$table.changes(),)* self.meta_changes].iter().sum()
            }

            /// Returns a copy of all rows in memory, for comparison with storage.
            pub fn snapshot(&self) -> Snapshot {
                Snapshot {
                    $($table: self.$table.rows(),)*
                    meta: Some(self.meta.clone()),
                    ledger: Vec::new(),
                    asleep: self.asleep.rows.clone(),
                }
            }

            /// Freezes or unfreezes the world while storage is not writable. Changes made while frozen can be rolled
            /// back.
            pub fn freeze(&mut self, frozen: bool) {
                $(self.$table.track_originals(frozen);)*
                let ledger = self.ledger.len();
                let now = || Frozen { meta: self.meta.clone(), touched: self.meta_touched, ledger };
                self.frozen = frozen.then(|| Box::new(now()));
            }

            /// Rolls back all changes made while the world was frozen. Returns `true` if there were any.
            pub fn take_back(&mut self) -> bool {
                let Some(frozen) = &self.frozen else { return false };
                let meta = Meta { time: self.meta.time, ..frozen.meta.clone() };
                let mut changed = self.meta != meta || self.ledger.len() != frozen.ledger;
                (self.meta, self.meta_touched) = (meta, frozen.touched);
                self.ledger.truncate(frozen.ledger);
                $(changed |= self.$table.take_back();)*
                if changed {
                    storage::load::build_index(self);
                }
                changed
            }

            /// Returns `true` if anything but the time has changed since the last cut.
            pub fn is_changed(&self) -> bool {
                $(self.$table.touched().len() > 0 ||)*
                self.meta_touched || !self.ledger.is_empty() || self.ledger_kept_from.is_some()
            }

            /// Takes all changes since the last cut, to be committed in one transaction.
            pub fn cut(&mut self) -> Changes {
                let mut changes = Changes {
                    $($table: self.$table.cut(),)*
                    meta: std::mem::take(&mut self.meta_touched).then(|| self.meta.clone()),
                    time: self.meta.time,
                    ledger: std::mem::take(&mut self.ledger),
                    ledger_kept_from: self.ledger_kept_from.take(),
                };
                // Storage keeps in a column whether a character may be absent, which any change can decide.
                let away = changes.characters.put.iter().filter(|row| !row.awake && row.is_player());
                away.for_each(|row| _ = changes.characters.edited.remove(&row.id));
                storage::containing_part::add_containing_parts(self, &mut changes);
                changes
            }
        }
    };
}
tables::for_each_table!(declare_world);

macro_rules! counters {
    ($($(#[$doc:meta])* $function:ident: $field:ident -> $id:ident;)*) => {$(
        $(#[$doc])*
        pub fn $function(&mut self) -> $id {
            let id = self.meta.$field;
            self.meta_mut().$field += 1;
            $id(id)
        }
    )*};
}

impl World {
    counters! {
        /// Allocates an account id.
        new_account_id: next_account -> AccountId;
        /// Allocates a character id.
        new_character_id: next_character -> CharacterId;
        /// Allocates a room id.
        new_room_id: next_room -> RoomId;
        /// Allocates an exit id.
        new_exit_id: next_exit -> ExitId;
        /// Allocates an item id.
        new_item_id: next_item -> ItemId;
        /// Allocates a branch id.
        new_branch_id: next_branch -> BranchId;
        /// Allocates a party id.
        new_party_id: next_party -> PartyId;
        /// Allocates a report id.
        new_report_id: next_report -> ReportId;
        /// Allocates a ban id.
        new_ban_id: next_ban -> BanId;
        /// Allocates an audit record id.
        new_audit_id: next_audit -> AuditId;
        /// Allocates a number in the build journal, for an entry or for an undo.
        new_journal_id: next_journal -> JournalId;
        /// Allocates an id for a definition created in the game.
        new_definition_id: next_definition -> DefinitionId;
        /// Allocates an id for the value of a variable.
        new_variable_id: next_variable -> VariableId;
        /// Allocates a mail id.
        new_mail_id: next_mail -> MailId;
        /// Allocates an id for a note on a board.
        new_note_id: next_note -> NoteId;
    }

    /// Counts work of the rules that visits no rows, in units of about the cost of a row.
    pub fn note_work(&self, units: usize) {
        self.work.add(units as u64);
    }

    /// Returns the metadata row of the world.
    pub const fn meta(&self) -> &Meta {
        &self.meta
    }

    /// Returns the metadata row for editing and marks it as touched.
    pub const fn meta_mut(&mut self) -> &mut Meta {
        self.meta_touched = true;
        self.meta_changes += 1;
        &mut self.meta
    }

    /// Returns the player character with this name, ignoring case.
    pub fn character_by_name(&self, name: &str) -> Option<CharacterId> {
        self.index.character_keys.get(&name.to_lowercase()).copied()
    }

    /// Returns awake player characters whose names start with `start`, in alphabetical order. Sleeping characters may
    /// be numerous and are not searched.
    pub fn awake_players_named_like(&self, start: &str) -> impl Iterator<Item = CharacterId> {
        let start = start.to_lowercase();
        let from = self.index.awake_keys.range(start.clone()..);
        from.take_while(move |(key, _)| key.starts_with(&start)).map(|(_, id)| *id)
    }

    /// Returns `true` if an account or character has a name with this skeleton.
    pub fn is_skeleton_taken(&self, skeleton: &str) -> bool {
        self.index.skeletons.contains_key(skeleton)
    }

    /// Returns the player characters that are in the world, connected or not.
    pub fn awake_players(&self) -> impl Iterator<Item = CharacterId> {
        self.index.awake_players.iter().copied().inspect(|_| self.work.add(1))
    }

    /// Returns the number of player characters that are in the world.
    pub fn awake_player_count(&self) -> usize {
        self.index.awake_players.len()
    }

    /// Returns the characters of an account.
    pub fn characters_of(&self, account: AccountId) -> impl Iterator<Item = CharacterId> {
        self.index.characters.get(&account).into_iter().flatten().copied()
    }

    /// Adds an account.
    pub fn add_account(&mut self, account: Account) {
        self.index.take_name(&account.key);
        self.accounts.add(account);
    }

    /// Removes an account whose characters have already been removed.
    pub fn remove_account(&mut self, id: AccountId) {
        let Some(gone) = self.accounts.remove(id) else { return };
        self.index.free_name(&gone.key);
        let left = self.index.characters.remove(&id).unwrap_or_default();
        assert!(left.is_empty(), "broken invariant: account {id} is removed before its characters");
    }

    /// Adds a new character.
    pub fn add_character(&mut self, character: Character) {
        storage::load::index_character(&mut self.index, &mut self.branches, &character);
        self.characters.put(character);
    }

    /// Removes a character permanently; carried items drop to the ground.
    pub fn remove_character(&mut self, id: CharacterId) {
        let Some(room) = self.characters.get(id).map(|c| c.room) else { return };
        for item in self.carried(id).to_vec() {
            self.move_item(item, Place::Room(room));
        }
        self.set_membership(id, None);
        self.set_awake(id, false);
        self.variables.remove_of(VariableOwner::Character(id));
        self.index.carried.remove(&id);
        let Some(gone) = self.characters.remove(id) else { return };
        if let Some(key) = gone.key {
            self.index.character_keys.remove(&key);
            self.index.free_name(&key);
        }
        if let Some(account) = gone.account
            && let Some(all) = self.index.characters.get_mut(&account)
        {
            all.remove(&id);
        }
    }

    /// Adds a room and indexes it in its branch.
    pub fn add_room(&mut self, room: Room) {
        storage::load::index_room(&mut self.branches, &room);
        self.rooms.add(room);
    }

    /// Removes a room with its exits and items. The caller has already moved its occupants.
    pub fn remove_room(&mut self, id: RoomId) {
        assert!(self.occupants(id).is_empty(), "broken invariant: room {id} is removed around somebody");
        for exit in self.exits.take_of(id) {
            self.exits.rows.remove(exit);
        }
        for item in self.ground(id).to_vec() {
            self.remove_item(item, "collapse");
        }
        self.index.ground.remove(&id);
        self.index.occupants.remove(&id);
        self.variables.remove_of(VariableOwner::Room(id));
        self.start_tasks.remove(id);
        let Some(room) = self.rooms.remove(id) else { return };
        if let Some(branch) = room.branch.and_then(|b| self.branches.index_mut(b)) {
            branch.rooms.remove(&(room.floor, room.at));
        }
    }
}
