//! References between rows, in one list for each table. A load of the world and the check of a backup require that each
//! row that is referred to exists.

use crate::base::{AccountId, BranchId, CharacterId, ExitId, ItemId, MailId, RoomId};
use crate::world::tables::{Row, for_each_table};
use crate::world::{
    Account, AuditRecord, Ban, Banned, Branch, Character, Definition, Exit, Expedition, Floor, Item,
    JournalEntry, Mail, Note, Party, PendingImport, Place, Report, Room, StartTasks, Variable, VariableOwner,
    World,
};

macro_rules! targets {
    ($($kind:ident($id:ty) in $table:ident;)*) => {
        /// Row that another row refers to.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum ReferencedRow {
            $(#[doc = concat!("Row of the table ", stringify!($table), ".")] $kind($id),)*
        }

        impl ReferencedRow {
            /// Returns the name of its table.
            pub const fn table(self) -> &'static str {
                match self {
                    $(Self::$kind(_) => stringify!($table),)*
                }
            }

            /// Returns its id.
            pub fn id(self) -> u64 {
                match self {
                    $(Self::$kind(id) => id.into(),)*
                }
            }

            fn exists(self, world: &World) -> bool {
                match self {
                    // The characters of absent accounts are only in storage.
                    Self::Character(who) if world.is_players(who) => true,
                    $(Self::$kind(id) => world.$table.get(id).is_some(),)*
                }
            }
        }
    };
}

targets! {
    Account(AccountId) in accounts;
    Character(CharacterId) in characters;
    Room(RoomId) in rooms;
    Exit(ExitId) in exits;
    Item(ItemId) in items;
    Branch(BranchId) in branches;
    Mail(MailId) in mails;
}

/// References of a row, each with words for it such as "its room".
pub type RowReferences = Vec<(ReferencedRow, &'static str)>;

/// Row that may refer to others.
pub trait Refers: Row {
    /// Adds the references that must not be dangling to a list.
    fn add_references(&self, _: &mut RowReferences) {}
}

macro_rules! no_references {
    ($($row:ty)*) => {$(impl Refers for $row {})*};
}
// Reports and records of the past outlive what they are about.
no_references! { Report AuditRecord JournalEntry Definition }

impl Refers for Account {
    fn add_references(&self, list: &mut RowReferences) {
        list.extend(self.friends.keys().map(|friend| (ReferencedRow::Account(*friend), "a friend")));
        let recipients = self.notices.iter().filter_map(|notice| notice.to);
        list.extend(recipients.map(|who| (ReferencedRow::Character(who), "the character of a notice")));
    }
}

impl Refers for Character {
    fn add_references(&self, list: &mut RowReferences) {
        list.extend([
            (ReferencedRow::Room(self.room), "its room"),
            (ReferencedRow::Room(self.home), "its home"),
        ]);
        list.extend(self.branch.map(|branch| (ReferencedRow::Branch(branch), "its branch")));
        list.extend(self.account.map(|account| (ReferencedRow::Account(account), "its account")));
        list.extend(self.master.map(|master| (ReferencedRow::Character(master), "its master")));
        list.extend(
            self.following.map(|ahead| (ReferencedRow::Character(ahead), "the character that it follows")),
        );
        list.extend(self.target.map(|target| (ReferencedRow::Character(target), "its opponent")));
    }
}

impl Refers for Room {
    fn add_references(&self, list: &mut RowReferences) {
        list.extend(self.branch.map(|branch| (ReferencedRow::Branch(branch), "its branch")));
    }
}

impl Refers for Exit {
    fn add_references(&self, list: &mut RowReferences) {
        list.push((ReferencedRow::Room(self.room), "its room"));
        list.extend(self.to.map(|to| (ReferencedRow::Room(to), "the room it leads to")));
        let window = self.window.as_ref();
        list.extend(window.map(|window| (ReferencedRow::Branch(window.branch), "the branch of its window")));
    }
}

impl Refers for Item {
    fn add_references(&self, list: &mut RowReferences) {
        let place = match self.place {
            Place::Room(room) => ReferencedRow::Room(room),
            Place::Holder(holder) => ReferencedRow::Character(holder),
            Place::Inside(container) => ReferencedRow::Item(container),
            Place::Mail(mail) => ReferencedRow::Mail(mail),
        };
        list.push((place, "its place"));
    }
}

impl Refers for Branch {
    fn add_references(&self, list: &mut RowReferences) {
        list.push((ReferencedRow::Room(self.start_room), "its start room"));
        if self.lives() && !self.is_detached {
            list.push((ReferencedRow::Exit(self.start_exit), "its start exit"));
        }
    }
}

impl Refers for Floor {
    fn add_references(&self, list: &mut RowReferences) {
        list.push((ReferencedRow::Branch(self.branch), "its branch"));
    }
}

impl Refers for StartTasks {
    fn add_references(&self, list: &mut RowReferences) {
        list.push((ReferencedRow::Room(self.room), "the room"));
    }
}

impl Refers for Party {
    fn add_references(&self, list: &mut RowReferences) {
        list.extend(self.members.iter().map(|member| (ReferencedRow::Character(*member), "a member")));
    }
}

impl Refers for Expedition {
    fn add_references(&self, list: &mut RowReferences) {
        list.push((ReferencedRow::Branch(self.branch), "its branch"));
        let bodies = self.members.iter().chain(&self.invited);
        list.extend(bodies.map(|who| (ReferencedRow::Character(*who), "a member or an invited character")));
    }
}

impl Refers for Ban {
    fn add_references(&self, list: &mut RowReferences) {
        if let Banned::Account(account) = self.banned {
            list.push((ReferencedRow::Account(account), "the account"));
        }
    }
}

impl Refers for Variable {
    fn add_references(&self, list: &mut RowReferences) {
        let owner = match self.owner {
            VariableOwner::Zone => return,
            VariableOwner::Character(who) => ReferencedRow::Character(who),
            VariableOwner::Item(item) => ReferencedRow::Item(item),
            VariableOwner::Room(room) => ReferencedRow::Room(room),
            VariableOwner::Branch(branch) => ReferencedRow::Branch(branch),
        };
        list.push((owner, "its object"));
    }
}

impl Refers for Mail {
    fn add_references(&self, list: &mut RowReferences) {
        list.push((ReferencedRow::Character(self.to), "its receiver"));
        list.extend(self.from.map(|from| (ReferencedRow::Character(from), "its sender")));
    }
}

impl Refers for Note {
    fn add_references(&self, list: &mut RowReferences) {
        list.push((ReferencedRow::Character(self.from), "its author"));
    }
}

impl Refers for PendingImport {
    fn add_references(&self, list: &mut RowReferences) {
        list.extend(self.account.map(|account| (ReferencedRow::Account(account), "its builder")));
    }
}

/// Returns the dangling references of the rows in memory.
pub(super) fn dangling(world: &World) -> Vec<String> {
    let (mut found, mut violations) = (RowReferences::new(), Vec::new());
    macro_rules! read {
        ($($(#[$doc:meta])* $table:ident: $row:ident by $key:ident: $id:ident as $type:ty;)*) => {$(
            for (id, row) in world.$table.iter() {
                row.add_references(&mut found);
                let loose = found.drain(..).filter(|(target, _)| !target.exists(world));
                violations.extend(loose.map(|(_, what)| sentence(stringify!($table), id.into(), what)));
            }
        )*};
    }
    for_each_table!(read);
    violations
}

/// Describes a dangling reference for the operator.
pub fn sentence(table: &str, id: u64, what: &str) -> String {
    format!("{table} {id}: {what} does not exist")
}
