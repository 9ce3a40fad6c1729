//! Game side of the staff page: what staff see, and commands with the same rights and the same audit log as when typed.

use crate::table::{Table, seeded};
use crate::web_builder::BuilderSession;
use deepwell::base::Span;
use deepwell::game::{BuilderRequest, Input, StaffRequest, WebPage};
use serde_json::{Value, json};

/// Olad, the owner, Bera, a helper, and Cato, a player, with the page.
struct Page {
    web_builder: BuilderSession,
}

impl Page {
    fn open() -> Self {
        let mut table = Table::new(seeded(5));
        table.sit("Olad");
        table.make_owner("Olad");
        table.sit("Bera");
        table.sit("Cato");
        table.types("Olad", "promote bera helper");
        Self { web_builder: BuilderSession::at(table) }
    }

    fn logs_in(&mut self, name: &str) -> Result<Value, String> {
        let account = self.web_builder.table.account(name);
        let page = WebPage::Staff;
        self.web_builder.asks(|asker| {
            Input::OpenWebBuilder { asker, account, token: "t".into(), page }.proved(account, "$test$")
        })
    }

    fn wants(&mut self, name: &str, ask: StaffRequest) -> Result<Value, String> {
        let account = self.web_builder.table.account(name);
        self.web_builder.asks(|asker| Input::WebBuilder { asker, account, ask: BuilderRequest::Staff(ask) })
    }

    fn types(&mut self, name: &str, line: &str) -> Value {
        self.wants(name, StaffRequest::Line { line: line.into() }).expect("an answer")
    }
}

#[test]
fn staff_see_what_they_have_a_right_to() {
    let mut page = Page::open();
    page.web_builder.table.types_all("Cato", &["down", "north"]);
    page.web_builder.table.types("Cato", "bug The rope is short.");
    let seen = page.logs_in("Olad").expect("the owner is staff");
    let cato = |seen: &Value| {
        let people = seen["people"].as_array().expect("a list").clone();
        people.into_iter().find(|person| person["name"] == "Cato").expect("Cato is on")
    };
    assert_eq!((&cato(&seen)["level"], &cato(&seen)["rank"]), (&json!(1), &json!("player")));
    assert_eq!(seen["reports"][0]["text"], "The rope is short.");
    let branch = &seen["branches"][0];
    assert_eq!((&branch["members"], &branch["is_asleep"]), (&json!(["Cato"]), &json!(false)));
    assert_eq!(seen["bans"], json!([]));
    let id = serde_json::from_value(branch["id"].clone()).unwrap();
    let map = page.wants("Olad", StaffRequest::Floor { branch: id, floor: None }).expect("a map");
    let room = page.web_builder.table.body("Cato").room.0;
    let rooms = map["rooms"].as_array().expect("rooms").clone();
    let there = rooms.iter().find(|one| one["num"] == room).expect("the room of Cato");
    assert_eq!((&there["players"], &map["is_cut"]), (&json!(["Cato"]), &json!(false)));
    let none = page.wants("Olad", StaffRequest::Floor { branch: id, floor: Some(99) });
    assert_eq!(none.expect("no rooms")["rooms"], json!([]));

    assert_eq!((&seen["players"], &seen["open_branches"]), (&json!(3), &json!(1)));
    let seen = page.logs_in("Bera").expect("a helper is staff");
    assert!(seen["people"].is_array() && seen.get("bans").is_none(), "{seen}");
    let no = page.wants("Bera", StaffRequest::Load).expect_err("helpers do not run the server");
    assert!(!no.is_empty());
    assert_eq!(page.wants("Olad", StaffRequest::Load), Ok(Value::Null));
    let refused = page.logs_in("Cato").expect_err("a player");
    assert_eq!(refused, "This page is for staff, and that account is none.");
    assert!(page.wants("Cato", StaffRequest::Overview).is_err());
}

#[test]
fn totals_are_true_above_the_limit_of_the_list() {
    let mut page = Page::open();
    let letter = |digit: usize| char::from(b"abefghkops"[digit]);
    for number in 0..201 {
        let digits = [number / 100, number / 10 % 10, number % 10].map(letter);
        page.web_builder.table.sit(&format!("Climber{}", String::from_iter(digits)));
    }
    let seen = page.logs_in("Olad").unwrap();
    assert_eq!((&seen["players"], seen["people"].as_array().map(Vec::len)), (&json!(204), Some(200)));
}

/// Staff see since when a player is there and has typed nothing, and administrators the address of those below them.
#[test]
fn staff_see_idle_players_and_addresses_by_rank() {
    let mut page = Page::open();
    page.web_builder.table.calls_from("Dora", "203.0.113.7");
    page.web_builder.table.sit("Dora");
    page.web_builder.table.waits(Span::mins(3));
    page.web_builder.table.types("Dora", "look");
    page.web_builder.table.waits(Span::mins(2));
    let dora = |seen: &Value| {
        let people = seen["people"].as_array().expect("a list").clone();
        people.into_iter().find(|person| person["name"] == "Dora").expect("Dora is on")
    };
    let seen = dora(&page.logs_in("Olad").expect("the owner is staff"));
    assert_eq!((&seen["since"], &seen["idle"]), (&json!("5 minutes"), &json!("2 minutes")));
    assert_eq!(seen["address"], "203.0.113.7");
    let seen = dora(&page.logs_in("Bera").expect("a helper is staff"));
    assert_eq!((&seen["idle"], &seen["address"]), (&json!("2 minutes"), &Value::Null));
}

/// A command has the same effect, the same limits and the same line in the audit log as when typed in the game.
#[test]
fn commands_of_the_page_are_those_of_the_game() {
    let mut page = Page::open();
    page.logs_in("Olad").unwrap();
    let done = page.types("Olad", "mute cato for 2h shouting");
    assert_eq!(done["refused"], false, "{done}");
    assert!(page.web_builder.table.types("Cato", "say Hello?").contains("muted"));
    let people = page.wants("Olad", StaffRequest::Overview).unwrap()["people"].clone();
    assert!(people.to_string().contains("shouting"), "{people}");
    assert!(page.web_builder.table.types("Olad", "audit mute").contains("mute cato for 2h shouting"));
    for line in ["snoop cato", "goto #1", "dig Hole = down", "say Hello", "quell", "no_such_word"] {
        let refused = page.types("Olad", line);
        assert_eq!(refused["refused"], true, "{line}: {refused}");
    }
    page.logs_in("Bera").unwrap();
    let refused = page.types("Bera", "ban cato");
    assert_eq!(refused["refused"], true, "{refused}");
    let below = page.types("Bera", "kick olad");
    assert_eq!(below["refused"], true, "{below}");
    assert_eq!(page.types("Olad", "kick cato enough")["refused"], false);
    let facts = page.types("Olad", "account cato");
    assert!(facts["words"].as_str().unwrap().contains("Account Cato"), "{facts}");
    assert!(page.types("Olad", "bans")["words"].as_str().unwrap().contains("Bans: 0"));
}
