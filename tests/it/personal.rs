//! Personal data: export of what is stored about an account, and complete deletion.

use crate::table::{CATALOG, Table, seeded};
use deepwell::base::facts::{self, Fact};
use deepwell::base::{AccountId, CharacterId, SessionId};
use deepwell::game::effect::Declined;
use deepwell::game::{CloseReason, Effect, Game, Input};
use deepwell::world::{
    AccountData, Ban, Banned, Claim, Item, Place, Role, Roll, Row, SanctionSentence, Snapshot,
};
use serde::Serialize;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

const SECRET: &str = "$test$";

/// Olad and Kopa are owners; Bera, Gesa and Hobe are players.
fn evening() -> Table {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Kopa", "Bera", "Gesa", "Hobe"] {
        table.sit(name);
    }
    table.make_owner("Olad");
    table.types("Olad", "promote kopa owner");
    table
}

/// Leaves traces of Bera in every table, including entries of others about Bera.
fn leave_traces(table: &mut Table) {
    table.types_all(
        "Bera",
        &[
            "alias k = kill",
            "highlight lever",
            "config brief on",
            "bug the rope is too short",
            "character new Sofa",
        ],
    );
    table.types_all("Gesa", &["ignore bera", "report bera she calls me Bera junior"]);
    table.types("Olad", "promote bera builder");
    table.types_all("Bera", &["tag here = seen", "undo"]);
    table.types_all(
        "Olad",
        &["zone give olad", "zone add bera", "zone remove bera", "undo bera", "promote bera helper"],
    );
    table.types_all("Bera", &["mute hobe for 2h Bera says so", "kick hobe"]);
    table.comes_back("Hobe");
    table.types("Bera", "party invite gesa");
    table.types("Gesa", "party accept");
    table.types_all("Bera", &["down", "east"]);
    assert!(table.branch_of("Bera").is_some());
    let (bera, account) = (table.id("Bera"), table.account("Bera"));
    table.edit_stored(|stored| {
        let body = stored.characters[&bera].clone();
        let thing = |id, place| Item::new(id, "clay_lamp", place, body.created_at);
        let next = |stored: &mut Snapshot| {
            let meta = stored.meta.as_mut().expect("a world");
            meta.next_item += 1;
            meta.stock.entry("clay_lamp".into()).or_default().made += 1;
            deepwell::base::ItemId(meta.next_item - 1)
        };
        let (held, inside, owned) = (next(stored), next(stored), next(stored));
        stored.items.insert(held, thing(held, Place::Holder(bera)));
        stored.items.insert(inside, thing(inside, Place::Inside(held)));
        let bound = Item {
            owner: Some(bera),
            owner_until: Some(body.created_at),
            ..thing(owned, Place::Room(body.room))
        };
        stored.items.insert(owned, bound);
        let party = stored.parties.values_mut().next().expect("a party");
        party.rolls.push(Roll {
            item: owned,
            until: body.created_at + deepwell::base::Span::mins(9_999),
            claims: BTreeMap::from([(bera, None), (party.members[1], Some(Claim::Pass))]),
        });
        stored.branches.values_mut().for_each(|branch| _ = branch.roped.insert(bera));
        let room = stored.rooms.get_mut(&body.room).expect("a room");
        room.challenge.visitors.insert(bera, 1);
        room.memories.insert(bera, deepwell::world::RoomMemory::default());
        let meta = stored.meta.as_mut().expect("a world");
        let id = deepwell::base::BanId(meta.next_ban);
        meta.next_ban += 1;
        let sentence = SanctionSentence {
            by: "Bera".into(),
            reason: "bera, again".into(),
            since: body.created_at,
            until: None,
        };
        stored
            .bans
            .insert(id, Ban { id, banned: Banned::Account(account), rank: Some(Role::Admin), sentence });
    });
}

/// Returns every row: its table, its JSON, and the accounts and characters it mentions.
fn rows(stored: &Snapshot) -> Vec<(String, String, BTreeSet<AccountId>, BTreeSet<CharacterId>)> {
    let mut all = Vec::new();
    macro_rules! tables {
        ($($table:ident)*) => {$(stored.$table.values().for_each(|row| all.push(told(row)));)*};
    }
    tables!(accounts characters rooms exits items branches floors start_tasks parties reports bans audit journal);
    all
}

fn told<R: Row + Serialize>(row: &R) -> (String, String, BTreeSet<AccountId>, BTreeSet<CharacterId>) {
    let (mut accounts, mut bodies) = (BTreeSet::new(), BTreeSet::new());
    facts::visit_facts(row, &mut |_, fact| match fact {
        Fact::Account(id) => _ = accounts.insert(id),
        Fact::Character(id) => _ = bodies.insert(id),
        _ => {}
    });
    (R::TABLE.to_owned(), serde_json::to_string(row).expect("JSON"), accounts, bodies)
}

/// Returns the tables that mention the person.
fn tables_of(stored: &Snapshot, person: &AccountData) -> BTreeSet<String> {
    let about = rows(stored).into_iter().filter(|(.., accounts, bodies)| {
        accounts.contains(&person.account) || person.bodies.iter().any(|who| bodies.contains(who))
    });
    about.map(|(table, ..)| table).collect()
}

/// Returns all pages of the player's `export`.
fn export(table: &mut Table, name: &str) -> String {
    let first = table.types(name, "export");
    let last = first.lines().next().and_then(|heading| heading.rsplit(' ').next());
    let pages: u32 = last.and_then(|pages| pages.parse().ok()).expect("so many pages");
    let rest = (2..=pages).map(|page| table.types(name, &format!("export {page}")));
    [first].into_iter().chain(rest.collect::<Vec<_>>()).collect::<Vec<_>>().join("\n")
}

/// Both the player's export and the operator's file cover every table that mentions the person.
#[test]
fn export_covers_every_table_that_mentions_the_person() {
    let mut table = evening();
    leave_traces(&mut table);
    let (person, kept) = table.game().kept_of("bera").unwrap().unwrap();
    assert_eq!(person.bodies.len(), 2);
    let keys: BTreeSet<String> = kept.keys().cloned().collect();
    let expected = tables_of(table.stored(), &person);
    assert_eq!(keys, expected, "the tables that mention her");
    assert_eq!(expected.len(), 10, "the traces are in every table that can hold any: {expected:?}");
    assert_eq!(kept["items"].as_array().unwrap().len(), 3, "{}", kept["items"]);
    let json = serde_json::to_string(&kept).unwrap();
    assert!(!json.contains(SECRET) && json.contains("\"k\":\"kill\""), "{json}");
    assert!(!json.contains("junior"), "what others report is theirs: {json}");

    // A banned player can read the export after the ban.
    table.types("Olad", "unban bera");
    table.comes_back("Bera");
    let text = export(&mut table, "Bera");
    let headings = [
        ("accounts", "Account "),
        ("characters", "Character "),
        ("items", "Thing "),
        ("parties", "Party "),
        ("reports", "Report "),
        ("audit", "Audit line "),
        ("journal", "Journal entry "),
        ("branches", "Branch "),
        ("rooms", "room of "),
    ];
    let tables: BTreeSet<String> = headings.iter().map(|(table, _)| (*table).to_owned()).collect();
    assert_eq!(tables, tables_of(table.stored(), &person));
    for (table, heading) in headings {
        let is_told = text.lines().any(|line| line.starts_with(heading)) || text.contains(heading);
        assert!(is_told, "{table}: {text}");
    }
    for line in [
        "Name: Bera",
        "Settings, aliases, k: kill",
        "Settings, highlights: lever",
        "Credential: kept as a hash",
        "bug",
        "too short",
    ] {
        assert!(text.contains(line), "{line}: {text}");
    }
    assert!(!text.contains(SECRET) && !text.contains("junior"), "{text}");
}

/// The export lists every value of the player's own rows, so that new fields are covered automatically.
#[test]
fn export_lists_every_value_of_own_rows() {
    let mut table = evening();
    let text = export(&mut table, "Bera");
    let stored = table.stored();
    let mut fields = 0;
    let mut look = |path: &facts::Path, fact: Fact<'_>| {
        let place = path.join(", ").replace('_', " ");
        let is_told =
            text.lines().any(|line| line.to_lowercase().starts_with(&format!("{place}: ").to_lowercase()));
        assert!(is_told, "{place}: {fact:?} is not in {text}");
        fields += 1;
    };
    facts::visit_facts(&stored.accounts[&table.account("Bera")], &mut look);
    facts::visit_facts(&stored.characters[&table.id("Bera")], &mut look);
    assert!(fields > 30, "{fields}");
}

/// After a deletion no row contains a name or character id of the account, and only audit log and journal keep the
/// account id. A crash leaves either everything or nothing.
#[test]
fn d2_deletion_removes_all_ids_and_names_atomically() {
    for name in ["Bera", "bera", "Sofa"] {
        let mut table = evening();
        leave_traces(&mut table);
        let person = table.world().person(table.account("Bera"));
        let before = table.stored().clone();
        table.commits = false;
        let answer = operator_command(&mut table, &format!("delete {name}"));
        assert!(answer.unwrap()[0].contains("is deleted"), "{name}");
        assert_eq!(table.stored(), &before, "not stored yet");
        let changes = table.game.cut();
        let mut after = before.clone();
        after.apply(&changes);
        for mut stored in [before, after.clone()] {
            stored.ledger.clear();
            let mut game = Game::load(Arc::clone(&CATALOG), seeded(1), stored).expect("the world loads");
            game.step(table.now(), Input::Wake, &mut Vec::new());
            assert_eq!(game.check(), Vec::<String>::new());
        }
        assert_nothing_left(&after, &person, &["Bera", "Sofa"]);
    }
}

fn assert_nothing_left(stored: &Snapshot, person: &AccountData, names: &[&str]) {
    for (table, json, accounts, bodies) in rows(stored) {
        // Audit log and journal keep the id of the acting account.
        assert!(
            ["audit", "journal"].contains(&table.as_str()) || !accounts.contains(&person.account),
            "{table}: {json}"
        );
        assert!(person.bodies.iter().all(|who| !bodies.contains(who)), "{table}: {json}");
        let words: BTreeSet<String> =
            json.split(|c: char| !c.is_ascii_alphanumeric()).map(str::to_lowercase).collect();
        for name in names {
            assert!(!words.contains(&name.to_lowercase()), "{table}: {json}");
        }
    }
    let audit = serde_json::to_string(&stored.audit).expect("JSON");
    assert!(audit.contains(&format!("account {}", person.account)), "{audit}");
}

/// Sends an operator command; returns its answer.
pub(crate) fn operator_command(table: &mut Table, line: &str) -> Result<Vec<String>, Declined> {
    let asker = SessionId(u64::MAX);
    let effects = table.results_of(Input::Operator { asker, line: line.into(), by: None });
    let answer = effects.iter().find_map(|effect| match effect {
        Effect::Answered { answer, .. } => Some(answer.clone()),
        _ => None,
    });
    for effect in effects {
        table.deliver(effect);
    }
    answer.expect("an answer")
}

/// Sets up a situation that the player is in.
type Situation = fn(&mut Table);

/// Deleting the own account works in any situation: all rows go, others are notified, the name is free.
#[test]
fn d2_account_can_be_deleted_in_any_situation() {
    let moods: [(&str, Situation); 6] = [
        ("in the town", |_| {}),
        ("in a branch", |table| _ = table.types_all("Bera", &["down", "east"])),
        ("in a fight", |table| {
            table.types_all("Bera", &["down", "east"]);
            fight(table);
        }),
        ("down", |table| {
            table.types("Bera", "party invite gesa");
            table.types_all("Gesa", &["party accept", "down"]);
            table.types_all("Bera", &["down", "east"]);
            table.types("Gesa", "east");
            let bera = table.id("Bera");
            table.edit_stored(|stored| {
                let now = stored.meta.as_ref().expect("a world").time;
                let body = stored.characters.get_mut(&bera).unwrap();
                (body.hp, body.posture) = (0, deepwell::world::Posture::Down);
                body.down_until = Some(now + deepwell::base::Span::secs(60));
            });
        }),
        ("in a party", |table| {
            table.types("Bera", "party invite gesa");
            table.types("Gesa", "party accept");
            table.types("Bera", "party invite hobe");
        }),
        ("with things", |table| _ = table.types_all("Bera", &["get all", "wear all", "deposit 3"])),
    ];
    for (mood, begins) in moods {
        let mut table = evening();
        begins(&mut table);
        let person = table.world().person(table.account("Bera"));
        table.hears("Gesa");
        let reads = delete_account(&mut table, "Bera");
        assert!(reads.contains("Your account is deleted"), "{mood}: {reads}");
        assert_eq!(table.closed().last(), Some(&("Bera".to_owned(), CloseReason::Quit)), "{mood}");
        assert_nothing_left(table.stored(), &person, &["Bera"]);
        if !matches!(mood, "in a branch" | "in a fight") {
            assert!(table.hears("Gesa").contains("gone for good"), "{mood}");
        }
        assert!(table.types("Gesa", "who").lines().all(|line| line != "Bera"), "{mood}");
        table.waits(deepwell::base::Span::mins(30));
        table.sit("Bera");
        table.restart();
        assert_eq!(table.game().check(), Vec::<String>::new(), "{mood}");
        assert!(!table.types("Bera", "export").contains("xp: 7"), "{mood}");
    }
}

fn fight(table: &mut Table) {
    let (bera, room) = (table.id("Bera"), table.body("Bera").room);
    table.edit_stored(|stored| {
        let id = CharacterId(stored.meta.as_ref().expect("a world").next_character);
        stored.meta.as_mut().expect("a world").next_character += 1;
        let body = stored.characters[&bera].clone();
        let rat = deepwell::world::Character::new(id, "clay rat".into(), room, body.created_at);
        let rat = deepwell::world::Character {
            prototype: Some("clay_rat".into()),
            awake: true,
            branch: body.branch,
            hp: 50,
            max_hp: 50,
            ..rat
        };
        stored.characters.insert(id, rat);
    });
    table.types("Bera", "kill rat");
    assert!(table.body("Bera").target.is_some());
}

/// Runs `delete account` with password and name confirmed.
pub(crate) fn delete_account(table: &mut Table, name: &str) -> String {
    assert_eq!(table.types(name, "delete account"), "");
    let (session, account) = (table.session(name), table.account(name));
    table.step(Input::DeleteAccount { session, account }.proved(account, SECRET));
    table.hears(name)
}

#[test]
fn a5_sanctioned_account_and_last_owner_cannot_be_deleted() {
    let mut table = evening();
    table.types("Olad", "mute bera");
    let held = "Staff have laid something on your account";
    assert!(table.types("Bera", "delete account").contains(held));
    let (session, account) = (table.session("Bera"), table.account("Bera"));
    table.step(Input::DeleteAccount { session, account });
    assert!(table.hears("Bera").contains(held) && table.world().accounts.get(account).is_some());
    let stranger = Input::DeleteAccount { session, account: table.account("Gesa") };
    table.step(stranger);
    table.types("Gesa", "look");
    table.types("Olad", "unmute bera");
    table.step(Input::StorageReadOnly(true));
    assert!(table.types("Bera", "delete account").contains("cannot write"));
    table.step(Input::DeleteAccount { session, account });
    table.step(Input::StorageReadOnly(false));
    assert!(table.world().accounts.get(account).is_some(), "O3");
    table.step(Input::DeleteAccount { session, account }.proved(account, "$old$"));
    assert!(table.world().accounts.get(account).is_some(), "A3");

    assert!(delete_account(&mut table, "Kopa").contains("deleted"), "one of two owners may");
    assert!(table.types("Olad", "delete account").contains("last owner"));
    assert!(operator_command(&mut table, "delete olad").unwrap_err().to_string().contains("last owner"));
    table.types("Olad", "ban bera");
    assert!(operator_command(&mut table, "delete bera").is_ok(), "staff may delete whom they have banned");
    assert!(table.world().bans.is_empty());
    assert!(operator_command(&mut table, "delete bera").is_err());
}

/// A name can be any word: deleting an account leaves audit lines from before its creation unchanged.
#[test]
fn a8_deletion_does_not_redact_older_audit_lines() {
    let mut table = evening();
    table.types("Olad", "mute hobe for 2h shouting about turnips");
    table.waits(deepwell::base::Span::mins(1));
    table.sit("Turnips");
    table.types("Olad", "mute gesa for 2h turnips, too");
    assert!(delete_account(&mut table, "Turnips").contains("deleted"));
    let book: Vec<String> = table.world().audit.iter().map(|(_, line)| line.action.clone()).collect();
    assert!(book.contains(&"mute hobe for 2h shouting about turnips".to_owned()), "{book:?}");
    assert!(book.iter().any(|line| line.starts_with("mute gesa for 2h account ")), "{book:?}");
}
