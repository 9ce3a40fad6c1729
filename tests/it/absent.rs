//! The characters of absent accounts leave memory and come back as they were. Nothing that players can notice depends on
//! it.

use crate::table::{Table, seeded};
use crate::workshop::Workshop;
use deepwell::base::{AccountId, ItemId, SessionId, Span};
use deepwell::game::{BuilderRequest, Declined, Effect, FileKind, FilePurpose, GameConfig, Input};
use deepwell::world::{DepthRecord, Item, Place, RoomKind, WorldPart};

/// Configures accounts that are absent after a minute.
fn drowsy() -> GameConfig {
    let mut config = seeded(11);
    config.limits.absent_after = Span::mins(1);
    config
}

/// Seats Bera, who has all rights, and Olad, who has two lamps in a sack and a third in his hands, and leaves.
fn left(config: GameConfig) -> Table {
    let mut table = Table::new(config);
    table.sit("Bera");
    table.make_owner("Bera");
    table.sit("Olad");
    let olad = table.id("Olad");
    table.edit_stored(|stored| {
        let meta = stored.meta.as_mut().expect("a world");
        let first = meta.next_item;
        meta.next_item += 4;
        meta.stock.entry("clay_lamp".to_owned()).or_default().made += 3;
        meta.stock.entry("cloth_sack".to_owned()).or_default().made += 1;
        let places = [Place::Holder(olad), Place::Inside(ItemId(first)), Place::Inside(ItemId(first))];
        let all = [("cloth_sack", places[0]), ("clay_lamp", places[1]), ("clay_lamp", places[2])];
        for ((kind, place), id) in all.into_iter().chain([("clay_lamp", places[0])]).zip(first..) {
            stored.items.insert(ItemId(id), Item::new(ItemId(id), kind, place, meta.time));
        }
    });
    // The lists are in another order than that of ids.
    table.types_all("Olad", &["drop sack", "get sack", "title the Sleeper", "quit"]);
    table
}

/// Waits until an account without a session is absent.
fn sleeps(table: &mut Table, name: &str) {
    table.waits(Span::mins(2));
    table.commit();
    assert!(is_absent(table, name));
    assert!(table.world().characters.get(table.id(name)).is_none());
}

fn asleep() -> Table {
    let mut table = left(drowsy());
    sleeps(&mut table, "Olad");
    table
}

fn is_absent(table: &Table, name: &str) -> bool {
    table.world().is_absent(table.account(name))
}

fn part(table: &Table, name: &str) -> WorldPart {
    WorldPart::Account(table.account(name))
}

/// D9: the characters and items of an absent account leave memory; for the player who left them, nothing has changed.
#[test]
fn d9_absent_account_is_as_it_was_left() {
    let mut table = left(drowsy());
    let before = table.world().carried(table.id("Olad")).to_vec();
    assert!(!before.is_sorted(), "{before:?}");
    sleeps(&mut table, "Olad");
    let rows = table.stored().rows_of(part(&table, "Olad"));
    assert_eq!((rows.characters.len(), rows.items.len()), (1, before.len() + 2));
    assert!(rows.items.iter().all(|item| table.world().items.get(item.id).is_none()));

    let view = table.comes_back("Olad");
    assert!(!view.is_empty() && !is_absent(&table, "Olad"), "{view}");
    assert_eq!(table.world().carried(table.id("Olad")), before);
    let shown = table.types("Olad", "examine sack");
    assert!(shown.contains("two clay lamps") || shown.matches("clay lamp").count() == 2, "{shown}");
    // Compares the world with all stored rows.
    table.crash();
}

/// D9: a start reads no character of an account without a session.
#[test]
fn d9_start_leaves_accounts_absent() {
    let mut table = left(drowsy());
    table.types("Bera", "quit");
    table.crash();
    table.step(Input::Wake);
    for name in ["Olad", "Bera"] {
        assert!(is_absent(&table, name));
    }
    assert!(table.world().characters.iter().all(|(_, body)| !body.is_player()));
    let stats = table.game().stats();
    assert_eq!((stats.accounts, stats.characters_absent), (2, 2));
    assert_eq!(stats.characters, table.stored().characters.len() as u64, "absent characters are counted");
    assert!(!table.comes_back("Olad").is_empty());
    assert!(!is_absent(&table, "Olad") && is_absent(&table, "Bera"));
    table.crash();
    assert!(!is_absent(&table, "Olad"), "Olad is link-dead");
}

/// Characters that others see, or to whom something can still happen, stay in memory.
#[test]
fn characters_in_the_world_stay_in_memory() {
    let mut config = drowsy();
    config.limits.link_dead = Span::mins(5);
    let mut table = Table::new(config);
    for name in ["Bera", "Olad", "Mika", "Jost"] {
        table.sit(name);
    }
    table.types("Bera", "party invite mika");
    table.types("Mika", "party accept");
    assert!(table.world().parties.of(table.id("Mika")).is_some());
    table.types("Mika", "quit");
    table.break_link("Olad");
    table.types_all("Jost", &["down", "east", "quit"]);
    table.waits(Span::mins(3));
    for name in ["Mika", "Olad", "Jost"] {
        assert!(!is_absent(&table, name), "{name}");
    }
    table.waits(Span::mins(4));
    assert!(is_absent(&table, "Olad"), "he has fallen asleep");
    assert!(!is_absent(&table, "Jost"), "a branch wakes with its members");
}

/// One character of an account keeps the others in memory.
#[test]
fn account_that_is_played_stays_in_memory() {
    let mut table = left(drowsy());
    table.comes_back("Olad");
    table.types_all("Olad", &["character new Sofa", "character play Sofa"]);
    table.waits(Span::mins(3));
    let olad = table.id("Olad");
    assert!(table.world().characters.get(olad).is_some_and(|body| !body.awake));
    assert!(table.types("Olad", "character").contains("Olad: level 1"));
    table.types("Olad", "quit");
    sleeps(&mut table, "Olad");
    assert!(table.world().characters.get(table.world().character_by_name("Sofa").unwrap()).is_none());
    assert!(!table.comes_back("Olad").is_empty());
    let listed = table.types("Olad", "character");
    assert!(listed.contains("Sofa: level 1"), "{listed}");
}

/// A setting of 0 keeps all characters in memory.
#[test]
fn zero_keeps_absent_accounts_in_memory() {
    let mut table = left(seeded(11));
    table.waits(Span::mins(60));
    assert!(!is_absent(&table, "Olad"));
    table.crash();
    assert!(!is_absent(&table, "Olad"));
}

/// Commands about an absent player answer as they do about one who is away and in memory. Each is written to the audit
/// log once.
#[test]
fn commands_about_an_absent_player_answer_as_usual() {
    let lines = [
        "tell olad are you there?",
        "whois olad",
        "top",
        "ignore olad",
        "ignore",
        "tell olad hello",
        "unignore olad",
        "give lamp to olad",
        "party invite olad",
        "follow olad",
        "kick olad",
        "mute olad for 2h shouting",
        "unmute olad",
        "freeze olad",
        "unfreeze olad",
        "untitle olad",
        "unpose olad",
        "promote olad helper",
        "promote olad player",
        "recover olad",
        "snoop olad",
        "zone new mill",
        "zone set mill",
        "zone add olad",
        "zone show mill",
        "journal olad",
        "find olad",
        "audit olad",
        "goto olad",
        "look olad",
        "ban olad for 1h rude",
        "bans",
        "unban olad",
        "report olad rude",
        "reports",
    ];
    let mut present = left(seeded(11));
    present.waits(Span::mins(2));
    for line in lines {
        let mut table = asleep();
        let expected = present.types("Bera", line);
        let before = table.world().audit.len();
        if line != lines[0] {
            // The worlds are the same: what was said before is repeated, and Olad is absent again.
            let at = lines.iter().position(|other| *other == line).unwrap();
            table.types_all("Bera", &lines[..at]);
            if !is_absent(&table, "Olad") {
                sleeps(&mut table, "Olad");
            }
        }
        let since = table.world().audit.len() - before;
        let answer = table.types("Bera", line);
        assert_eq!(without_times(&answer), without_times(&expected), "{line}");
        assert_eq!(
            table.world().audit.len() - before,
            present.world().audit.len() - before,
            "{line}: {since}"
        );
        assert!(table.game().check().is_empty());
    }
}

/// Returns a text without digits: the times of two worlds differ.
fn without_times(text: &str) -> String {
    let kept = text.chars().filter(|c| !c.is_ascii_digit());
    kept.collect::<String>()
        .replace("seconds", "")
        .replace("minutes", "")
        .replace("second", "")
        .replace("minute", "")
}

/// A reply to a player who has become absent in the meantime is refused as usual.
#[test]
fn reply_to_an_absent_player_is_refused() {
    let mut table = left(drowsy());
    table.comes_back("Olad");
    table.types_all("Olad", &["tell bera hello", "quit"]);
    sleeps(&mut table, "Olad");
    let answer = table.types("Bera", "reply hello yourself");
    assert!(answer.contains("Olad") && table.world().accounts.len() == 2, "{answer}");
    assert!(!is_absent(&table, "Olad"));
}

/// An absent player still ignores those whom the player has chosen to ignore.
#[test]
fn ignoring_holds_for_absent_players() {
    let mut table = left(drowsy());
    table.comes_back("Olad");
    table.types_all("Olad", &["ignore bera", "quit"]);
    sleeps(&mut table, "Olad");
    let (olad, bera) = (table.id("Olad"), table.id("Bera"));
    assert!(table.world().is_ignoring(olad, bera) && !table.world().is_ignoring(bera, olad));
}

/// The list of the highest levels contains absent players.
#[test]
fn absent_players_are_ranked() {
    let mut table = left(drowsy());
    let olad = table.id("Olad");
    table.edit_stored(|stored| stored.characters.get_mut(&olad).unwrap().level = 7);
    sleeps(&mut table, "Olad");
    for restarts in [false, true] {
        if restarts {
            table.crash();
            table.step(Input::Wake);
            table.comes_back("Bera");
        }
        let top = table.types("Bera", "top");
        assert!(top.contains("Olad") && top.contains('7') && is_absent(&table, "Olad"), "{top}");
    }
}

/// Records and rankings by depth contain absent players, who stay in storage.
#[test]
fn records_of_absent_players_are_told_from_memory() {
    let mut table = left(drowsy());
    let olad = table.id("Olad");
    table.edit_stored(|stored| {
        let at = stored.meta.as_ref().expect("a world").time;
        let records = &mut *stored.characters.get_mut(&olad).unwrap().records;
        (records.deepest, records.week) = (DepthRecord { depth: 7, at }, DepthRecord { depth: 7, at });
    });
    sleeps(&mut table, "Olad");
    for restarts in [false, true] {
        if restarts {
            table.crash();
            table.step(Input::Wake);
            table.comes_back("Bera");
        }
        for line in ["top depth", "top week"] {
            assert!(table.types("Bera", line).contains("\n1. Olad: depth 7"), "{line}");
        }
        let records = table.types("Bera", "records olad");
        assert!(records.starts_with("The records of Olad\nDeepest room: depth 7, "), "{records}");
        assert!(is_absent(&table, "Olad"));
    }
}

/// The names of absent players are taken.
#[test]
fn names_of_absent_players_are_taken() {
    let mut table = asleep();
    let (refusal, account) = (table.applies("Olad").unwrap_err(), table.account("Olad"));
    assert!(refusal.contains("taken") || refusal.contains("name"), "{refusal}");
    assert_eq!(table.game().credential("olad").unwrap().0, account);
    assert!(is_absent(&table, "Olad"));
}

/// Lines are played in order after the account of a player is read; other players do not wait.
#[test]
fn inputs_wait_in_order_for_an_account() {
    let mut table = asleep();
    table.reads = false;
    assert_eq!(table.comes_back("Olad"), "", "the login waits");
    assert_eq!(table.types("Olad", "drop sack"), "");
    assert_eq!(table.types("Olad", "inventory"), "");
    assert!(!table.types("Bera", "look").is_empty());
    assert_eq!(table.types("Bera", "whois olad"), "", "she asks for the same account");
    table.read_parts();
    let text = table.hears("Olad");
    assert!(text.find("You drop") < text.rfind("clay lamp"), "{text}");
    assert!(table.hears("Bera").contains("Olad"));
}

/// D6: an account that cannot be read refuses logins with a sentence, and stays unharmed. The next login tries again.
#[test]
fn d6_unreadable_account_is_refused_with_a_sentence() {
    let mut table = asleep();
    let unreadable = Input::PartRows { part: part(&table, "Olad"), rows: None };
    table.reads = false;
    table.comes_back("Olad");
    table.step(unreadable.clone());
    assert!(
        table.refusals().last().unwrap().contains("cannot be read from the disk"),
        "{:?}",
        table.refusals()
    );
    assert_eq!(table.types("Bera", "mute olad"), "");
    table.step(unreadable.clone());
    assert!(table.hears("Bera").contains("cannot be read from the disk"));
    let asker = SessionId(900);
    table.step(Input::Operator { asker, line: "delete Olad".into(), by: None });
    table.step(unreadable);
    assert!(is_absent(&table, "Olad"));
    let kept = table.game().kept_of("olad").unwrap_err();
    assert!(kept.to_string().contains("cannot be read"), "{kept}");
    assert_eq!(table.comes_back("Olad"), "");
    table.read_parts();
    assert!(!table.hears("Olad").is_empty() && !is_absent(&table, "Olad"));
}

/// Inputs of a client that waits are bounded, but its lost connection is not forgotten.
#[test]
fn lost_link_of_a_waiting_client_is_kept() {
    let mut config = drowsy();
    config.limits.inputs_waiting = 2;
    let mut table = left(config);
    sleeps(&mut table, "Olad");
    table.reads = false;
    for _ in 0..5 {
        table.types("Bera", "tell olad hello");
    }
    table.break_link("Bera");
    table.read_parts();
    assert!(table.body("Bera").link_dead_until.is_some());
}

/// Personal data of an absent account is complete once its rows are requested.
#[test]
fn personal_data_of_an_absent_account_is_complete() {
    let mut table = asleep();
    table.step(Input::WakeParts { parts: vec![part(&table, "Olad")] });
    let (person, kept) = table.game().kept_of("olad").unwrap().unwrap();
    assert_eq!(person.bodies, [table.id("Olad")]);
    assert_eq!(kept["characters"].as_array().unwrap().len(), 1);
    assert!(kept["items"].as_array().unwrap().len() >= 4, "{kept:?}");
}

/// D8: the operator deletes an absent account with everything it had.
#[test]
fn operator_deletes_an_absent_account() {
    let mut table = asleep();
    let (olad, account) = (table.id("Olad"), table.account("Olad"));
    table.step(Input::Operator { asker: SessionId(900), line: "delete Olad".into(), by: None });
    table.commit();
    assert!(
        table.world().character_by_name("Olad").is_none() && table.world().accounts.get(account).is_none()
    );
    assert!(!table.stored().characters.contains_key(&olad));
    assert!(table.stored().items.values().all(|item| item.place != Place::Holder(olad)));
    let audited = table.world().audit.iter().filter(|(_, line)| line.action.starts_with("delete ")).count();
    assert_eq!(audited, 1);
    assert!(table.applies("Olad").is_ok(), "the name is free");
}

/// A8: unused accounts are removed while they are absent; those with something to lose are kept.
#[test]
fn unused_absent_accounts_are_removed() {
    let mut config = drowsy();
    config.limits.unused_account = Span::mins(60 * 24 * 30);
    let mut table = left(config);
    table.sit("Mika");
    table.types("Mika", "quit");
    let olad = table.id("Olad");
    table.edit_stored(|stored| stored.characters.get_mut(&olad).unwrap().delved = true);
    table.crash();
    table.sleeps(Span::mins(60 * 24 * 31));
    table.step(Input::Wake);
    assert!(is_absent(&table, "Mika") && is_absent(&table, "Olad"));
    table.waits(Span::mins(30));
    assert!(table.world().accounts.named("Mika").is_none());
    assert!(is_absent(&table, "Olad"), "he has been below, and sleeps again");
    assert_eq!(table.game().check(), [""; 0]);
}

/// An account that is read because it may be unused is kept if its rows cannot be read.
#[test]
fn unreadable_account_is_not_removed_as_unused() {
    let mut config = drowsy();
    config.limits.unused_account = Span::mins(60 * 24 * 30);
    let mut table = left(config);
    sleeps(&mut table, "Olad");
    table.crash();
    table.sleeps(Span::mins(60 * 24 * 31));
    table.reads = false;
    table.waits(Span::mins(11));
    table.step(Input::PartRows { part: part(&table, "Olad"), rows: None });
    assert!(is_absent(&table, "Olad"));
}

/// The way to a mill that Bera has dug.
const MILL: [&str; 5] = [
    "zone new mill",
    "dig Mill Floor;mill = in;mill door, out",
    "in",
    "zone set mill",
    "tunnel up = Mill Loft",
];

/// Lets Olad walk, leave and become absent.
fn leaves_from(table: &mut Table, lines: &[&str], room: &str) {
    table.comes_back("Olad");
    table.types_all("Olad", lines);
    assert_eq!(table.room("Olad").sheet.name, room);
    table.types("Olad", "quit");
    sleeps(table, "Olad");
}

/// Checks that Olad is no longer in a room that has been removed, and can come back.
fn has_been_moved(table: &mut Table, text: &str) {
    assert!(!text.contains("asleep"), "{text}");
    assert_eq!(table.game().check(), [""; 0]);
    table.commit();
    let row = &table.stored().characters[&table.id("Olad")];
    assert!(table.stored().rooms.contains_key(&row.room), "{text}");
    if !is_absent(table, "Olad") {
        sleeps(table, "Olad");
    }
    assert!(!table.comes_back("Olad").is_empty());
    table.crash();
}

fn has_room(table: &Table, name: &str) -> bool {
    table.world().rooms.iter().any(|(_, room)| room.sheet.name == name)
}

/// A room in which an absent character sleeps is deleted; the character wakes elsewhere.
#[test]
fn room_of_an_absent_character_is_deleted() {
    for line in ["destroy mill", "undo"] {
        let mut table = left(drowsy());
        table.types("Bera", "dig Mill Floor;mill = in;mill door, out");
        leaves_from(&mut table, &["in"], "Mill Floor");
        let answer = table.types("Bera", line);
        assert!(!has_room(&table, "Mill Floor"), "{answer}");
        has_been_moved(&mut table, &answer);
    }
}

/// Lets Olad become absent in a loft. Returns the input with a zone file that does not have the loft, for Bera.
fn asleep_in_the_loft() -> (Table, Input) {
    let mut table = left(drowsy());
    table.types_all("Bera", &MILL[..4]);
    let mut shop = Workshop::beside(table);
    let answer = shop.types("Bera", "zone export mill");
    let file = shop.files.get("mill").unwrap_or_else(|| panic!("{answer}")).clone();
    let mut table = shop.table;
    table.types("Bera", MILL[4]);
    leaves_from(&mut table, &["in", "up"], "Mill Loft");
    table.hears("Bera");
    let (asker, files) = (table.session("Bera"), Ok(vec![("mill".to_owned(), file)]));
    (
        table,
        Input::FilesRead { asker, kind: FileKind::Zone, purpose: FilePurpose::Import, prefix: None, files },
    )
}

/// The import of a zone file removes rooms of absent characters.
#[test]
fn import_removes_room_of_an_absent_character() {
    let (mut table, import) = asleep_in_the_loft();
    table.step(import);
    let text = table.hears("Bera");
    assert!(!has_room(&table, "Mill Loft"), "{text}");
    has_been_moved(&mut table, &text);
}

/// D6: a zone file is not imported if it removes the room of an absent character that cannot be read.
#[test]
fn d6_import_is_refused_if_an_absent_character_is_unreadable() {
    let (mut table, import) = asleep_in_the_loft();
    table.reads = false;
    table.step(import);
    assert_eq!(table.hears("Bera"), "", "the import waits");
    let part = part(&table, "Olad");
    table.step(Input::PartRows { part, rows: None });
    let text = table.hears("Bera");
    assert!(text.contains("cannot be read from the disk") && has_room(&table, "Mill Loft"), "{text}");
    assert!(is_absent(&table, "Olad"));
}

/// The rooms of a draft go with it, also those in which absent players sleep.
#[test]
fn draft_of_an_absent_player_is_published_or_discarded() {
    for line in ["zone publish now", "zone discard now"] {
        let mut table = left(drowsy());
        table.types_all("Bera", &MILL);
        table.types_all("Bera", &["zone draft", "zone invite olad"]);
        assert_eq!(table.room("Bera").area, "mill_draft");
        let room = table.room("Bera").sheet.name.clone();
        leaves_from(&mut table, &["rehearse mill"], &room);
        let answer = table.types("Bera", line);
        assert!(table.world().rooms.iter().all(|(_, room)| room.area != "mill_draft"), "{answer}");
        has_been_moved(&mut table, &answer);
    }
}

/// A web builder is served while the builder's character is absent.
#[test]
fn web_builder_of_an_absent_account_is_served() {
    let mut table = left(drowsy());
    table.types("Bera", "promote olad builder");
    sleeps(&mut table, "Olad");
    let (account, asker) = (table.account("Olad"), SessionId(u64::MAX));
    let ask = |account: AccountId| Input::WebBuilder { asker, account, ask: BuilderRequest::Zones };
    let answers = |effects: &[Effect]| -> Vec<Result<(), Declined>> {
        let answered = effects.iter().filter_map(|effect| match effect {
            Effect::Answered { answer, .. } => Some(answer.clone().map(|_| ())),
            _ => None,
        });
        answered.collect()
    };
    let waits = table.results_of(ask(account));
    assert_eq!(answers(&waits), []);
    let rows = std::sync::Arc::new(table.stored().rows_of(part(&table, "Olad")));
    let effects = table.results_of(Input::PartRows { part: part(&table, "Olad"), rows: Some(rows) });
    assert_eq!(answers(&effects), [Ok(())]);

    sleeps(&mut table, "Olad");
    table.results_of(ask(account));
    let effects = table.results_of(Input::PartRows { part: part(&table, "Olad"), rows: None });
    assert_eq!(answers(&effects).len(), 1);
    assert!(answers(&effects)[0].is_err());
}

/// While storage is read-only, an absent account can neither log in nor change, and wakes unharmed.
#[test]
fn o3_absent_account_while_storage_is_read_only() {
    let mut table = asleep();
    table.step(Input::StorageReadOnly(true));
    table.comes_back("Olad");
    assert!(table.refusals().last().is_some(), "{:?}", table.refusals());
    assert!(table.types("Bera", "whois olad").contains("Olad"));
    table.step(Input::StorageReadOnly(false));
    assert!(!table.comes_back("Olad").is_empty());
    table.crash();
}

/// A branch that collapses and its start room are no concern of absent characters: those inside are in memory.
#[test]
fn member_of_a_collapsed_branch_becomes_absent() {
    let mut config = drowsy();
    config.dungeon.reset_chance_permille = 1_000;
    config.dungeon.max_life = Span::mins(30);
    let mut table = left(config);
    table.comes_back("Olad");
    table.types_all("Olad", &["down", "east"]);
    assert!(table.branch_of("Olad").is_some());
    table.types("Olad", "quit");
    table.waits(Span::mins(20));
    assert!(!is_absent(&table, "Olad"));
    table.waits(Span::mins(60));
    assert!(is_absent(&table, "Olad"), "the branch has collapsed");
    table.comes_back("Olad");
    assert_eq!(table.room("Olad").sheet.kind, RoomKind::Start);
}
