//! Guests: visiting without an account, limits, and conversion into a character: A5, A8, D2, O3.

use crate::table::{Table, seeded};
use deepwell::base::limits::Limits;
use deepwell::base::{SessionId, Span};
use deepwell::game::command::reference;
use deepwell::game::{GameConfig, Input};
use deepwell::world::Role;

/// Name of the first guest in a world with one account.
const GUEST: &str = "Gueste";

/// Creates a table with one guest. Returns the guest's name.
fn visited(limits: Limits) -> (Table, String) {
    let mut table = Table::new(GameConfig { limits, ..seeded(7) });
    table.sit("Olad");
    let name = visit(&mut table).expect("there is room");
    (table, name)
}

/// Logs in a guest. Returns its name, or the reason for the refusal.
fn visit(table: &mut Table) -> Result<String, String> {
    let before = table.refusals().len();
    table.open_session(GUEST, |session: SessionId| Input::Visit { session, pre_login: Box::default() });
    if let Some(reason) = table.refusals().get(before) {
        return Err(reason.clone());
    }
    let body = table.world().characters.iter().last().expect("a body").1;
    Ok(body.name.clone())
}

fn guests(table: &Table) -> usize {
    table.stored().accounts.values().filter(|row| row.guest).count()
}

#[test]
fn guest_is_greeted_and_can_walk_the_town() {
    let (mut table, name) = visited(Limits::default());
    let greeted = table.hears(GUEST);
    assert!(greeted.contains("as a guest") && greeted.contains("Exits:"), "{greeted}");
    assert!(table.hears("Olad").contains(&format!("{name} comes by to look around.")));
    assert!(table.types(GUEST, "look cobbles").len() > 20);
    assert!(table.types(GUEST, "say Hello?").contains("You say: Hello?"));
    assert!(table.types(GUEST, "north").contains("Climbers' Lodge"));
    table.types(GUEST, "go s n w");
    table.waits(Span::secs(5));
    assert!(table.types(GUEST, "look").contains("Bonesetter's Room"));
}

#[test]
fn guest_can_enter_one_branch_only() {
    let (mut table, name) = visited(Limits::default());
    assert!(!table.types(GUEST, "guide").contains("for those who have a character"));
    table.types_all(GUEST, &["down", "east"]);
    assert!(table.branch_of(&name).is_some());
    table.types(GUEST, "west");
    let refused = table.types(GUEST, "north");
    assert!(refused.contains("one branch of the well"), "{refused}");
    table.types(GUEST, "east");
    assert!(table.branch_of(&name).is_some(), "the first one stays open to them");
    table.types(GUEST, "west");
    join(&mut table, "Bera");
    table.types(GUEST, "north");
    assert!(table.branch_of("Bera").is_some(), "a character may take any");
}

/// A5: commands not open to guests are refused by any spelling, in particular those that disturb or benefit other
/// players.
#[test]
fn a5_commands_closed_to_guests_are_refused() {
    let (mut table, _) = visited(Limits::default());
    table.types(GUEST, "north");
    table.types("Olad", "north");
    table.hears("Olad");
    for line in [
        "shout Hello!",
        "ooc Hello!",
        "newbie Hello!",
        "tell olad hello",
        "emote dances.",
        "hug olad",
        "drop all",
        "give 1 copper to olad",
        "party invite olad",
        "follow olad",
        "bug A hole.",
        "deposit 1",
        "@shout Hello!",
        "sho Hello!",
    ] {
        let answer = table.types(GUEST, line);
        assert!(answer.contains("for those who have a character"), "{line}: {answer}");
        assert_eq!(table.hears("Olad"), "", "{line}");
    }
    let mut open = Vec::new();
    for [name, ..] in reference(Role::Player).filter(|[name, ..]| !["quit", "logout"].contains(name)) {
        let answer = table.types(GUEST, &format!("{name} xyzzy"));
        assert!(table.closed().is_empty(), "{name} ends the line: {answer}");
        if !answer.contains("for those who have a character") {
            open.push(name);
        }
    }
    assert!(open.len() < 85 && !open.contains(&"train") && open.contains(&"look"), "{open:?}");
}

/// A5: a guest can be given neither a staff role nor a recovery code.
#[test]
fn a5_guest_cannot_have_a_role_or_password() {
    let (mut table, name) = visited(Limits::default());
    table.make_owner("Olad");
    assert!(table.types("Olad", &format!("promote {name} helper")).contains("guest"));
    assert_eq!(table.world().accounts[table.account(&name)].role, Role::Player);
    let answer = table.types("Olad", &format!("recover {name}"));
    assert!(answer.contains("That is a guest, who has no password."), "{answer}");
}

/// A guest that joins keeps its character, room, items and money.
#[test]
fn joining_guest_keeps_character_items_and_money() {
    let (mut table, name) = visited(Limits::default());
    table.types(GUEST, "north");
    let before = table.body(&name).clone();
    join(&mut table, "Olad");
    assert!(table.hears(GUEST).contains("taken"), "the name of another");
    assert_eq!(guests(&table), 1);
    join(&mut table, "Bera");
    let after = table.body("Bera");
    assert_eq!((after.id, after.room, after.money), (before.id, before.room, before.money));
    let row = &table.stored().accounts[&table.account("Bera")];
    assert_eq!((row.guest, row.credential.as_str(), row.name.as_str()), (false, "$new$", "Bera"));
    assert!(table.world().character_by_name(&name).is_none(), "the other name is nobody's");
    table.types_all(GUEST, &["south", "down"]);
    assert!(!table.types(GUEST, "east").contains("for those who have a character"));
    join(&mut table, "Cato");
    assert!(table.hears(GUEST).contains("You are no guest"));
    table.break_link(GUEST);
    table.restart();
    assert!(table.comes_back("Bera").contains("Exits:"));
}

fn join(table: &mut Table, name: &str) {
    let session = table.session(GUEST);
    table.step(Input::Join { session, name: name.into(), credential: "$new$".into() });
}

/// D2, A8: a guest is deleted when its connection ends, also after a crash of the server.
#[test]
fn a8_guest_is_deleted_when_disconnected() {
    type End = fn(&mut Table);
    let ends: [(&str, End); 3] = [
        ("a broken line", |table| table.break_link(GUEST)),
        ("quit", |table| _ = table.types(GUEST, "quit")),
        ("a crash of the server", |table| {
            table.restart();
            table.break_link(GUEST);
            table.waits(Span::secs(181));
        }),
    ];
    for (what, end) in ends {
        let (mut table, name) = visited(Limits::default());
        end(&mut table);
        assert_eq!(guests(&table), 0, "{what}");
        assert!(table.world().character_by_name(&name).is_none(), "{what}");
    }
}

/// A8: the number of guests is limited.
#[test]
fn a8_number_of_guests_is_limited() {
    let (mut table, _) = visited(Limits { guests: 1, ..Limits::default() });
    assert!(visit(&mut table).unwrap_err().contains("as many guests"));
    let (limits, mut none) = (Limits { guests: 0, ..Limits::default() }, Table::new(seeded(7)));
    assert!(visit(&mut none).is_ok());
    let mut none = Table::new(GameConfig { limits, ..seeded(7) });
    assert!(visit(&mut none).is_err());
}

/// O3: while storage is read-only no guest can log in, and a disconnected guest is deleted afterwards.
#[test]
fn o3_guest_deletion_waits_while_storage_is_read_only() {
    let (mut table, _) = visited(Limits::default());
    table.step(Input::StorageReadOnly(true));
    table.break_link(GUEST);
    assert_eq!(guests(&table), 1);
    assert!(visit(&mut table).is_err());
    table.step(Input::StorageReadOnly(false));
    table.waits(Span::secs(181));
    assert_eq!(guests(&table), 0);
}

/// A3: a reloaded web client resumes its guest while the link-dead character remains.
#[test]
fn a3_web_client_resumes_its_guest_until_link_death_ends() {
    let (mut table, name) = visited(Limits::default());
    let (session, account) = (table.session(GUEST), table.account(&name));
    table.step(Input::KeepSeat { session, account, token: "one".into() });
    table.types(GUEST, "north");
    table.break_link(GUEST);
    let (shown, again) = (name.clone(), "two".to_owned());
    table.open_session(GUEST, |session| Input::TakeSeat {
        session,
        account,
        name: shown,
        token: "one".into(),
        next: again,
        pre_login: Box::default(),
    });
    assert!(table.hears(GUEST).contains("Climbers' Lodge"), "where the guest was");
    assert_eq!(guests(&table), 1);
    table.break_link(GUEST);
    table.waits(Span::secs(181));
    assert_eq!(guests(&table), 0, "gone once nobody came back");
}

/// New settings apply to the running game and keep the seed of the world; the input is recorded.
#[test]
fn o7_replaced_settings_limit_the_next_guest() {
    let (mut table, _) = visited(Limits::default());
    let seed = table.game().config().seed;
    let config = GameConfig { limits: Limits { guests: 1, ..Limits::default() }, ..GameConfig::default() };
    assert_ne!(config.seed, seed);
    let input = Input::Settings(Box::new(config.clone()));
    let recorded = serde_json::to_string(&input).unwrap();
    assert_eq!(serde_json::from_str::<Input>(&recorded).unwrap(), input);
    table.step(input);
    assert_eq!(*table.game().config(), GameConfig { seed, ..config });
    assert!(visit(&mut table).unwrap_err().contains("as many guests"));
}
