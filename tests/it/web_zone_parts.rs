//! Variables and drafts of zones in the web builder: their lists, the lines that change them, and refusals: A3, A5, D1.

use crate::web_builder::{BuilderSession, words};
use deepwell::base::RoomId;
use deepwell::base::limits::Limits;
use deepwell::game::{BuilderRequest, ZonePart};
use serde_json::{Value, json};

fn parts(page: &mut BuilderSession, kind: ZonePart, zone: &str) -> Value {
    page.wants("Bera", BuilderRequest::Parts { kind, zone: zone.to_owned() }).expect("a list")
}

fn part(page: &mut BuilderSession, kind: ZonePart, key: &str) -> Result<Value, String> {
    page.wants("Bera", BuilderRequest::Part { kind, key: key.to_owned(), zone: "town".to_owned() })
}

/// Returns the line of a zone in the list of zones.
fn zone_line(page: &mut BuilderSession, key: &str) -> Value {
    let zones = page.wants("Bera", BuilderRequest::Zones).expect("zones");
    let lines = zones["list"].as_array().expect("a list");
    lines.iter().find(|line| line["key"] == key).cloned().unwrap_or_default()
}

/// Returns the room of the draft of the town with this name.
fn room_in_draft(page: &mut BuilderSession, name: &str) -> RoomId {
    let draft = BuilderRequest::Zone { zone: "town_draft".to_owned(), known: None, check: false };
    let zone = page.wants("Bera", draft).expect("a draft");
    let rooms = zone["map"]["rooms"].as_array().expect("rooms").iter();
    let room = rooms.clone().find(|room| room["name"] == name).expect("the room");
    RoomId(u32::try_from(room["id"].as_u64().expect("a number")).expect("a room"))
}

/// The list and the fields of variables are those of the declarations that typed lines make, and the kinds of fields are
/// those of zone files.
#[test]
fn variables_are_listed_shown_and_changed_by_typed_lines() {
    let mut page = BuilderSession::open();
    let town = page.town();
    page.builds(town, &["variable new bells = number 3 of zone reset daily"]);
    let list = parts(&mut page, ZonePart::Variable, "town");
    let line = json!({ "key": "bells", "made": true, "words": "number 3 of zone reset daily" });
    assert_eq!((&list["list"][0], &list["may"]), (&line, &true.into()), "{list}");
    let fields = list["fields"].as_array().expect("fields").iter();
    let names: Vec<_> = fields.clone().filter_map(|field| field["name"].as_str()).collect();
    assert_eq!(names, ["of", "type", "default", "reset"]);
    assert!(fields.clone().all(|field| field["about"].as_str().is_some_and(|about| about.ends_with('.'))));
    let bells = part(&mut page, ZonePart::Variable, "bells").expect("a variable");
    let fields = json!({ "of": "zone", "type": "number", "default": "3", "reset": "daily" });
    assert_eq!((&bells["fields"], &bells["may"]), (&fields, &true.into()), "{bells}");
    let missing = part(&mut page, ZonePart::Variable, "bell").expect_err("no such variable");
    assert!(missing.contains("Did you mean bells?"), "{missing}");
    page.builds(town, &["trigger say ring = add bells 1"]);
    let refused = page.builds(town, &["variable remove bells"]);
    assert!(words(&refused).contains("bells is used here: the trigger say ring"), "{refused}");
    page.table.types("Olad", "zone new mill");
    let list = parts(&mut page, ZonePart::Variable, "mill");
    assert_eq!((&list["list"], &list["may"]), (&json!([]), &false.into()), "a zone of others: {list}");
    let missing = BuilderRequest::Parts { kind: ZonePart::Variable, zone: "dale".to_owned() };
    assert_eq!(page.wants("Bera", missing).expect_err("no zone"), "There is no zone dale.");
}

/// A draft is begun, previewed, published and discarded by lines of the web builder, while the builder's character stays.
#[test]
fn drafts_are_begun_published_and_discarded_while_the_character_stays() {
    let mut page = BuilderSession::open();
    let town = page.town();
    let body = page.table.room("Bera").id;
    let begun = page.builds(town, &["zone draft"]);
    assert!(words(&begun).contains("town_draft is a draft of the zone town"), "{begun}");
    assert_eq!(page.table.room("Bera").id, body);
    assert_eq!(zone_line(&mut page, "town_draft")["of"], "town");
    assert_eq!(zone_line(&mut page, "town")["of"], Value::Null);
    let list = parts(&mut page, ZonePart::Draft, "town");
    assert_eq!((&list["list"][0]["key"], &list["may"]), (&"town_draft".into(), &true.into()), "{list}");
    for key in ["town", "town_draft"] {
        let draft = part(&mut page, ZonePart::Draft, key).expect("a draft");
        assert_eq!((&draft["key"], &draft["fields"]), (&"town_draft".into(), &json!({ "of": "town" })));
    }
    let square = room_in_draft(&mut page, "Well Square");
    page.builds(square, &["describe here = Swept.", "variable new sweeps = number"]);
    let preview = page.builds(town, &["zone publish town_draft"]);
    for told in ["Swept.", "sweeps", "zone publish now does it"] {
        assert!(words(&preview).contains(told), "{told}: {preview}");
    }
    let published = page.builds(square, &["zone publish town_draft now"]);
    assert!(published["told"][0]["refused"] == false && published["room"] == Value::Null, "{published}");
    assert_eq!(page.room(town)["description"], "Swept.");
    assert_eq!(parts(&mut page, ZonePart::Draft, "town")["list"], json!([]));
    page.builds(town, &["undo"]);
    assert_ne!(page.room(town)["description"], "Swept.");
    let discarded = page.builds(town, &["zone discard town_draft now"]);
    assert!(words(&discarded).contains("The draft town_draft is gone"), "{discarded}");
    assert!(
        part(&mut page, ZonePart::Draft, "town").expect_err("none").contains("There is no draft of town")
    );
}

/// Mistakes of a draft are told to the page as a refusal. Work that takes many steps needs a session that is told its outcome.
#[test]
fn refusals_of_drafts_are_told_to_the_page() {
    let mut page = BuilderSession::open();
    let town = page.town();
    page.builds(town, &["zone draft"]);
    let square = room_in_draft(&mut page, "Well Square");
    page.builds(square, &["destroy here"]);
    let refused = page.builds(town, &["zone publish town_draft now"]);
    assert_eq!(refused["told"][0]["refused"], true);
    assert!(words(&refused).contains("stays as it is, for these mistakes:\n"), "{refused}");

    let mut page = BuilderSession::with(Limits { slice_work: 50, ..Limits::default() });
    page.table.types("Bera", "quit");
    let refused = page.builds(town, &["zone draft"]);
    assert!(words(&refused).contains("Only who plays can begin it."), "{refused}");
    page.table.comes_back("Bera");
    let begun = page.builds(town, &["zone draft"]);
    assert!(words(&begun).contains("You are told when it is done."), "{begun}");
}
