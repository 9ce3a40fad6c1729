//! Branches without players leave memory and come back as they were.

use crate::table::{Table, seeded};
use deepwell::base::{BranchId, CharacterId, Span};
use deepwell::game::{GameConfig, Input};
use deepwell::world::{Character, Item, Place, RoomKind};

/// Configures branches that fall asleep after a minute, with windows that close as early as allowed.
fn sleepy() -> GameConfig {
    let mut config = seeded(11);
    config.dungeon.sleep_after = Span::mins(1);
    config.dungeon.reset_chance_permille = 1_000;
    config.dungeon.max_life = Span::mins(120);
    config
}

/// Lets Olad leave his link in a branch of two rooms, with a lamp on the ground, until the branch is asleep. Bera stays
/// in the town, with all rights. Returns the branch.
fn asleep(table: &mut Table) -> BranchId {
    table.sit("Bera");
    table.make_owner("Bera");
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    let (branch, room) = (table.branch("Olad").id, table.room("Olad").id);
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a world");
        let id = deepwell::base::ItemId(meta.next_item);
        meta.next_item += 1;
        meta.stock.entry("clay_lamp".to_owned()).or_default().made += 1;
        stored.items.insert(id, Item::new(id, "clay_lamp", Place::Room(room), meta.time));
    });
    table.types("Olad", "quit");
    // The window is open for five minutes, and then closes at the next reset.
    table.waits(Span::mins(12));
    table.commit();
    assert!(table.world().asleep.has(branch));
    branch
}

/// D9: a branch without players leaves memory; for the player who left it, nothing has changed.
#[test]
fn d9_branch_that_slept_is_as_it_was_left() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    let rooms =
        |table: &Table| table.world().rooms.iter().filter(|(_, row)| row.branch == Some(branch)).count();
    assert_eq!(rooms(&table), 1, "only the room in which Olad sleeps is in memory");
    assert!(
        table.world().exits.iter().all(|(_, exit)| table.world().rooms[exit.room].branch != Some(branch))
    );
    let stats = table.game().stats();
    assert_eq!((stats.branches, stats.branches_asleep), (1, 1));
    assert_eq!(stats.rooms, table.stored().rooms.len() as u64, "rooms that are asleep are counted");

    let view = table.comes_back("Olad");
    assert!(view.contains("clay lamp") && !table.world().asleep.has(branch), "{view}");
    assert_eq!(rooms(&table), table.stored().rows_of(branch).rooms.len());
    assert!(table.types("Olad", "get lamp").contains("lamp"));
    table.types("Olad", "drop lamp");
    // Compares the world with all stored rows.
    table.crash();
}

/// D9: a start reads only the branches that players are in, and the others wake from storage.
#[test]
fn d9_start_leaves_branches_asleep() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    table.crash();
    table.step(Input::Wake);
    assert!(table.world().asleep.has(branch));
    assert!(table.comes_back("Olad").contains("clay lamp"));
    table.crash();
    assert!(!table.world().asleep.has(branch), "Olad is in it");
}

/// A start leaves a branch asleep. Overdue events in it happen when it wakes, before anybody sees it.
#[test]
fn overdue_decay_happens_when_a_branch_wakes() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    let soon = table.now() + Span::secs(10);
    table.edit_stored(|stored| {
        let lamps = stored.items.values_mut().filter(|item| item.prototype == "clay_lamp");
        lamps.for_each(|lamp| lamp.gone_at = Some(soon));
    });
    table.crash();
    table.waits(Span::mins(5));
    assert!(table.world().asleep.has(branch));
    let view = table.comes_back("Olad");
    assert!(!view.is_empty() && !view.contains("clay lamp"), "{view}");
}

/// A start leaves a branch asleep in which a companion fights on. The fight goes on when the branch wakes.
#[test]
fn fights_go_on_when_a_branch_wakes() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    let room = table.room("Olad").id;
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a world");
        let (first, now) = (meta.next_character, meta.time);
        meta.next_character += 2;
        let [friend, foe] = [first, first + 1].map(CharacterId);
        for (id, target) in [(friend, foe), (foe, friend)] {
            let bat = Character {
                prototype: Some("bat".to_owned()),
                branch: Some(branch),
                target: Some(target),
                awake: true,
                attack: 2,
                hp: 9,
                max_hp: 9,
                ..Character::new(id, "bat".to_owned(), room, now)
            };
            stored.characters.insert(id, bat);
        }
    });
    table.crash();
    assert!(table.world().asleep.has(branch));
    table.comes_back("Olad");
    assert_eq!(table.game().check(), [""; 0]);
    table.waits(Span::secs(10));
    let heard = table.hears("Olad");
    assert!(heard.contains(" hits ") || heard.contains(" misses "), "{heard}");
}

/// Typing goes on in order while the branch of a player is read.
#[test]
fn inputs_wait_in_order_for_a_branch() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    table.reads = false;
    assert_eq!(table.comes_back("Olad"), "", "the login waits");
    assert_eq!(table.types("Olad", "get lamp"), "");
    assert_eq!(table.types("Olad", "inventory"), "");
    assert!(!table.types("Bera", "look").is_empty(), "nobody else waits");
    table.read_parts();
    let text = table.hears("Olad");
    let (seen, taken) = (text.find("lies here"), text.find("You take"));
    assert!(seen < taken && taken < text.rfind("clay lamp"), "{text}");
    assert!(!table.world().asleep.has(branch));
}

/// The number of lines that wait is limited.
#[test]
fn few_inputs_wait_for_a_branch() {
    let mut config = sleepy();
    config.limits.inputs_waiting = 2;
    let mut table = Table::new(config);
    asleep(&mut table);
    table.reads = false;
    table.comes_back("Olad");
    for _ in 0..5 {
        table.types("Olad", "say hello");
    }
    table.read_parts();
    assert_eq!(table.hears("Olad").matches("You say").count(), 1, "the login and one line have waited");
}

/// E47, E49: a branch that is asleep collapses in time. Its members wake in the start room.
#[test]
fn e49_sleeping_branch_collapses() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    table.waits(Span::mins(180));
    assert!(table.world().branches.get(branch).is_none());
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Start);
    table.commit();
    let left = table.stored().rows_of(branch);
    assert!(
        left.rooms.is_empty() && left.exits.is_empty() && left.items.is_empty() && left.floors.is_empty()
    );
    assert_eq!(table.game().check(), [""; 0]);
    assert!(table.comes_back("Olad").contains("Bottom of the Well"));
}

/// D6: a branch that cannot be read lets nobody in, and harms nothing. The next login tries again.
#[test]
fn d6_unreadable_branch_refuses_its_members() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    table.reads = false;
    table.comes_back("Olad");
    table.step(Input::PartRows { part: branch.into(), rows: None });
    assert!(table.refusals().last().unwrap().contains("cannot be read"), "{:?}", table.refusals());
    assert!(table.world().asleep.has(branch));
    assert_eq!(table.comes_back("Olad"), "");
    table.read_parts();
    assert!(table.hears("Olad").contains("clay lamp"));
}

/// Staff reach sleeping branches as if they were awake; the audit log has each command once.
#[test]
fn staff_commands_wake_branches() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    let listed = table.types("Bera", "branch list");
    assert!(listed.contains(&format!("{branch}: ")) && listed.contains("one member"), "{listed}");
    assert!(table.world().asleep.has(branch));
    let shown = table.types("Bera", &format!("branch show {branch}"));
    assert!(shown.contains("Members: Olad") && !shown.contains("Unexplored exits: 0"), "{shown}");
    let audited = table.world().audit.iter().filter(|(_, line)| line.action.contains("branch show")).count();
    assert_eq!(audited, 1);

    table.waits(Span::mins(3));
    table.commit();
    assert!(table.world().asleep.has(branch), "nobody stayed");
    table.types("Bera", "goto Olad");
    assert_eq!(table.room("Bera").branch, Some(branch));
    table.types("Bera", "recall");
    table.types("Bera", &format!("branch collapse {branch}"));
    assert!(table.world().branches.active(branch).is_none());
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Start);
}

/// The export of an account covers the sleeping branch of another character of the account.
#[test]
fn export_wakes_branches_of_the_account() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    assert!(table.comes_back("Olad").contains("clay lamp"));
    table.types_all("Olad", &["character new Sofa", "character play Sofa"]);
    table.waits(Span::mins(12));
    table.commit();
    assert!(table.world().asleep.has(branch), "Sofa is in the town");
    table.types("Olad", "export");
    assert!(!table.world().asleep.has(branch));
}

/// An account with a character in a sleeping branch is deleted with everything.
#[test]
fn operator_deletes_player_of_a_sleeping_branch() {
    let mut table = Table::new(sleepy());
    let branch = asleep(&mut table);
    let asker = deepwell::base::SessionId(900);
    table.step(Input::Operator { asker, line: "delete Olad".into(), by: None });
    assert!(table.world().character_by_name("Olad").is_none());
    assert!(table.world().branches.active(branch).is_none(), "its last member has gone");
    let audited = table.world().audit.iter().filter(|(_, line)| line.action.starts_with("delete ")).count();
    assert_eq!(audited, 1);
}

/// A start room may be removed while a branch behind it is asleep. The branch collapses, also after a restart.
#[test]
fn branch_behind_removed_start_room_collapses() {
    for restarts in [false, true] {
        let mut table = Table::new(sleepy());
        let branch = asleep(&mut table);
        // A second way into the dungeon, without which the first cannot be removed.
        for line in ["destroy cistern", "dig Shaft:start = shaft,out", "shaft", "open north:branch", "out"] {
            table.types("Bera", line);
        }
        table.reads = false;
        assert!(table.types("Bera", "destroy Bottom of the Well").contains("is gone"));
        assert!(table.world().asleep.has(branch) && table.game().check().is_empty());
        if restarts {
            table.crash();
            table.step(Input::Wake);
        }
        table.read_parts();
        assert!(table.world().branches.active(branch).is_none());
        assert_eq!(table.room("Olad").id, table.world().meta().town.expect("a town"));
        assert_eq!(table.game().check(), [""; 0]);
    }
}
