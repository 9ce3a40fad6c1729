//! Drafts of zones: editing, access by invitation, publishing in one step, and undo.

use crate::workshop::Workshop;
use deepwell::base::Span;

/// The mill of the workshop with a draft; Olad is in the draft's copy of the mill floor.
fn with_draft() -> Workshop {
    let mut shop = Workshop::with_mill();
    let answer = shop.table.types("Olad", "zone draft");
    assert!(
        answer.contains("mill_draft is a draft of the zone mill: four rooms that players do not see."),
        "{answer}"
    );
    shop
}

/// Returns name and id of each room of a zone.
fn rooms(shop: &Workshop, zone: &str) -> Vec<(String, u32)> {
    let rooms = shop.table.world().rooms.iter().filter(|(_, room)| room.area == zone);
    rooms.map(|(id, room)| (room.sheet.name.clone(), id.0)).collect()
}

#[test]
fn draft_changes_are_hidden_until_published_in_one_step() {
    let mut shop = with_draft();
    let before = rooms(&shop, "mill");
    shop.table.sit("Bera");
    assert_eq!(shop.table.room("Olad").area, "mill_draft");
    for line in
        ["describe here = Swept, and lit by a lamp.", "tunnel east = Granary", "west", "destroy hatch"]
    {
        shop.table.types("Olad", line);
    }
    let answer = shop.table.types("Bera", "look");
    assert!(!answer.contains("Granary"), "{answer}");
    assert_eq!(rooms(&shop, "mill"), before, "what players see is as it was");

    let answer = shop.table.types("Olad", "zone publish");
    for line in [
        "What publishing mill_draft would do",
        "The draft has no exit `hatch` of room `mill_floor`.",
        "The draft has room `granary`, which the world has not.",
        "the draft says \"Swept, and lit by a lamp.\".",
        "In mill_draft just now: Olad.",
        "zone publish now does it; undo takes it back.",
    ] {
        assert!(answer.contains(line), "{line}\n{answer}");
    }
    assert_eq!(rooms(&shop, "mill"), before, "asking changes nothing");
    shop.table.restart();
    let answer = shop.table.types("Olad", "zone publish now");
    assert!(answer.contains("one room made, four rooms kept, zero rooms gone"), "{answer}");
    assert!(answer.contains("The draft around you is no more"), "{answer}");
    let floor = shop.table.room("Olad");
    assert_eq!(
        (floor.area.as_str(), floor.sheet.description.as_str()),
        ("mill", "Swept, and lit by a lamp.")
    );
    let now = rooms(&shop, "mill");
    assert!(before.iter().all(|room| now.contains(room)), "rooms keep their numbers: {now:?}");
    assert_eq!(rooms(&shop, "mill_draft"), []);
    assert!(!shop.table.types("Olad", "zone list").contains("mill_draft"));
    shop.table.types("Olad", "east");
    assert_eq!(shop.table.room("Olad").sheet.name, "Granary");
}

/// Publishing is undone as a whole, including the draft, and redone.
#[test]
fn publishing_and_discarding_are_undone() {
    let mut shop = with_draft();
    shop.table.types("Olad", "describe here = Swept.");
    let (mill, draft) = (shop.exported("mill"), shop.exported("mill_draft"));
    shop.table.types("Olad", "zone publish now");
    let published = shop.exported("mill");
    assert_ne!(published, mill);
    let answer = shop.table.types("Olad", "undo");
    assert!(answer.contains("zone publish now"), "{answer}");
    assert_eq!((shop.exported("mill"), shop.exported("mill_draft")), (mill.clone(), draft.clone()));
    shop.table.types("Olad", "redo");
    assert_eq!(shop.exported("mill"), published);
    shop.table.types("Olad", "undo");
    shop.table.types("Olad", "rehearse mill");
    let answer = shop.table.types("Olad", "zone discard now");
    assert!(answer.contains("The draft mill_draft is gone"), "{answer}");
    assert_eq!(shop.table.room("Olad").area, "mill");
    assert_eq!(shop.exported("mill"), mill);
    shop.table.types("Olad", "undo");
    assert_eq!((shop.exported("mill"), shop.exported("mill_draft")), (mill, draft));
    shop.table.restart();
}

/// Only builders and invited players enter a draft.
#[test]
fn only_builders_and_invited_players_enter_a_draft() {
    let mut shop = with_draft();
    shop.table.sit("Bera");
    assert!(shop.table.types("Bera", "rehearse").contains("You are asked to try nothing"));
    assert!(shop.table.types("Bera", "rehearse mill").contains("Nobody has asked you to try mill."));
    assert!(shop.table.types("Bera", "rehearse barn").contains("There is no draft of barn."));
    shop.table.types("Olad", "zone invite Bera");
    let text = shop.table.hears("Bera");
    assert!(text.contains("rehearse mill takes you there"), "{text}");
    assert!(shop.table.types("Bera", "rehearse").contains("You may try mill"));
    shop.table.types("Bera", "rehearse mill");
    assert_eq!(shop.table.room("Bera").area, "mill_draft");
    assert!(shop.table.types("Bera", "describe here = Mine.").contains("There is no command"));
    // After a restart she is still in the draft; `rehearse off` returns her to the published room.
    shop.table.restart();
    assert_eq!(shop.table.room("Bera").area, "mill_draft");
    let name = shop.table.room("Bera").sheet.name.clone();
    shop.table.types("Bera", "rehearse off");
    assert_eq!((shop.table.room("Bera").area.as_str(), &shop.table.room("Bera").sheet.name), ("mill", &name));
    assert!(shop.table.types("Bera", "rehearse off").contains("You are trying nothing"));
    shop.table.types("Olad", "zone uninvite Bera");
    assert!(shop.table.types("Bera", "rehearse mill").contains("Nobody has asked you"));
    shop.table.types("Bera", "recall");
    shop.table.types("Bera", "down");
    shop.table.types("Bera", "north");
    assert!(shop.table.types("Bera", "rehearse mill").contains("Nobody has asked you"));
    shop.table.types("Olad", "zone invite Bera");
    assert!(shop.table.types("Bera", "rehearse mill").contains("First come home from the dungeon."));
}

/// Exits that lead into a draft are refused, from either side.
#[test]
fn exits_into_a_draft_are_refused() {
    let mut shop = with_draft();
    let number = shop.table.room("Olad").id.0;
    shop.table.types("Olad", "open door = Well Square");
    shop.table.types("Olad", "door");
    assert_eq!(shop.table.room("Olad").sheet.name, "Well Square");
    let refusal = "One side of that is in a draft";
    let answer = shop.table.types("Olad", &format!("open gate = #{number}"));
    assert!(answer.contains(refusal), "{answer}");
    shop.table.types("Olad", "dig Porch = porch, back");
    let answer = shop.table.types("Olad", &format!("link porch = #{number}"));
    assert!(answer.contains(refusal), "{answer}");
    shop.table.types("Olad", "porch");
    assert!(shop.table.types("Olad", "zone set mill_draft").contains(refusal), "an exit leads here");
    shop.table.types("Olad", &format!("goto #{number}"));
    assert!(
        shop.table.types("Olad", "zone set town").contains(refusal),
        "exits would lead back into the draft"
    );
    let text = shop.exported("town").replacen("to = \"lodge\"", "to = \"mill_draft/mill_floor\"", 1);
    shop.files.insert("town".into(), text);
    let answer = shop.types("Olad", "zone import town");
    assert!(answer.contains("`mill_draft/mill_floor` is in a draft, into which nobody walks"), "{answer}");
}

/// An exit into a draft that is restored by undo admits only builders and invited players.
#[test]
fn restored_exit_into_draft_admits_only_invited_players() {
    let mut shop = with_draft();
    shop.table.sit("Bera");
    for line in ["goto Well Square", "dig Porch = porch, back", "destroy porch"] {
        shop.table.types("Olad", line);
    }
    let answer = shop.table.types("Olad", "journal me");
    let destroyed =
        answer.lines().find(|line| line.ends_with("Olad: destroy porch")).expect("it is written down");
    let (number, _) = destroyed.split_once(',').expect("a number");
    for line in ["goto Porch", "zone set mill_draft", "goto Well Square", &format!("undo {number}")] {
        shop.table.types("Olad", line);
    }
    assert!(shop.table.types("Bera", "porch").contains("What is there is still being built."));
    assert_eq!(shop.table.room("Bera").sheet.name, "Well Square");
    shop.table.types("Olad", "porch");
    assert_eq!(shop.table.room("Olad").area, "mill_draft");
    shop.table.types("Olad", "zone invite Bera");
    shop.table.types("Bera", "porch");
    assert_eq!(shop.table.room("Bera").area, "mill_draft");
    shop.table.types("Olad", "zone uninvite Bera");
    assert_eq!(shop.table.room("Bera").area, "town", "whoever is asked no longer is taken out");
}

#[test]
fn creatures_respawned_in_a_draft_are_deleted_with_it() {
    let mut shop = with_draft();
    shop.table.types("Olad", "set here fights = yes");
    shop.table.types("Olad", "spawn rat = 1 every 60");
    shop.table.waits(Span::secs(120));
    let rats = |shop: &Workshop| {
        shop.table
            .world()
            .characters
            .iter()
            .filter(|(_, body)| body.prototype.as_deref() == Some("rat"))
            .count()
    };
    assert!(rats(&shop) > 0);
    shop.table.types("Olad", "zone discard now");
    assert_eq!(rats(&shop), 0);
}

/// A draft may be for a zone that does not exist yet.
#[test]
fn new_zone_can_begin_as_a_draft() {
    let mut shop = Workshop::open();
    let answer = shop.table.types("Olad", "zone draft barn");
    assert!(answer.contains("barn_draft is a draft of a new zone, barn: one room"), "{answer}");
    assert_eq!(shop.table.room("Olad").sheet.name, "First Room");
    let first = shop.table.room("Olad").coordinates().expect("a place");
    assert!(first.z > 900, "out of everybody's way: {first:?}");
    shop.table.types("Olad", "name here = Threshing Floor");
    shop.table.types("Olad", "tunnel east = Hayloft");
    shop.table.types("Olad", "open out = Well Square");
    let answer = shop.table.types("Olad", "zone publish");
    assert!(
        answer
            .contains("The rooms of the draft become those of barn. They keep their numbers, their journal"),
        "{answer}"
    );
    let answer = shop.table.types("Olad", "zone publish now");
    assert!(answer.contains("two rooms made, zero rooms kept"), "{answer}");
    assert!(answer.contains("What is around you is no draft any more"), "{answer}");
    assert_eq!(rooms(&shop, "barn").len(), 2);
    let place = shop.table.room("Olad").coordinates().expect("a place");
    assert_eq!(place.z, 0, "on the ground");
    shop.table.types("Olad", "east");
    let hayloft = shop.table.room("Olad").coordinates().expect("a place");
    assert_eq!(hayloft, place.step(deepwell::base::Direction::East), "rooms lie as they did in the draft");
    assert!(shop.table.types("Olad", "zone show barn").contains("by Olad"));
}

/// The rooms of a new zone keep their numbers, all that is in them, and their journal, whose entries can be undone.
#[test]
fn published_new_zone_keeps_rooms_contents_and_journal() {
    let mut shop = Workshop::open();
    let lines = [
        "zone draft barn",
        "name here = Threshing Floor",
        "tunnel east = Hayloft",
        "spawn rat",
        "spawn rye loaf",
    ];
    shop.types_all("Olad", &lines);
    shop.table.types("Olad", "describe here = Chaff.");
    let held = |shop: &Workshop, zone: &str| {
        let world = shop.table.world();
        let rooms: Vec<_> = world.rooms.of_zone(zone).collect();
        let inside: Vec<_> = rooms.iter().map(|room| world.occupants(*room).to_vec()).collect();
        let ground: Vec<_> = rooms.iter().map(|room| world.ground(*room).to_vec()).collect();
        (rooms, inside, ground)
    };
    let before = held(&shop, "barn_draft");
    assert_eq!((before.0.len(), before.1.concat().len(), before.2.concat().len()), (2, 2, 1));
    let answer = shop.table.types("Olad", "zone publish");
    assert!(!answer.contains("Not kept: the rat"), "{answer}");
    shop.table.types("Olad", "zone publish now");
    assert_eq!(held(&shop, "barn"), before);
    assert_eq!(rooms(&shop, "barn_draft").len(), 0);
    let journal = shop.table.types("Olad", "journal here");
    for line in ["name here = Threshing Floor", "describe here = Chaff."] {
        assert!(journal.contains(line), "{line}: {journal}");
    }
    let is_meant = |line: &str| {
        let found = shop.table.world().journal.iter().find(|(_, entry)| entry.line.starts_with(line));
        found.map(|(id, _)| id).expect("an entry")
    };
    let described = is_meant("describe here");
    let answer = shop.table.types("Olad", &format!("undo {described}"));
    assert!(answer.contains("You take back: describe here = Chaff."), "{answer}");
    shop.table.types("Olad", &format!("redo {described}"));
    let publication =
        shop.table.world().journal.iter().rev().find(|(_, entry)| entry.line.contains("publish now"));
    let publication = publication.map(|(id, _)| id).expect("an entry");
    let answer = shop.table.types("Olad", &format!("undo {publication}"));
    assert!(answer.contains("You take back: zone publish now"), "{answer}");
    assert_eq!(held(&shop, "barn_draft"), before);
    shop.table.types("Olad", &format!("redo {publication}"));
    assert_eq!(held(&shop, "barn"), before);
    shop.table.restart();
    assert_eq!(held(&shop, "barn").0, before.0);
}

/// Errors block publishing as a whole, and changes to the zone since the draft are reported.
#[test]
fn draft_with_errors_is_not_published() {
    let mut shop = Workshop::open();
    shop.table.types("Olad", "goto Well Square");
    shop.table.types("Olad", "zone draft town");
    let square = shop.table.room("Olad").id.0;
    shop.table.types("Olad", "north");
    let answer = shop.table.types("Olad", &format!("destroy #{square}"));
    assert!(answer.contains("is gone, and every exit that led there."), "{answer}");
    let before = shop.table.world().snapshot();
    let answer = shop.table.types("Olad", "zone publish now");
    assert!(answer.contains("The draft town_draft stays as it is, for these mistakes:"), "{answer}");
    assert!(shop.table.world().snapshot().rooms == before.rooms, "nothing has changed");

    let mut shop = with_draft();
    shop.table.types("Olad", "rehearse off");
    shop.table.types("Olad", "describe here = Wet.");
    let answer = shop.table.types("Olad", "zone publish mill");
    assert!(
        answer.contains("mill itself has changed since the draft was made; publishing undoes that."),
        "{answer}"
    );
}

#[test]
fn a5_only_builders_of_the_zone_change_its_draft() {
    let mut shop = with_draft();
    shop.table.sit("Bera");
    shop.table.types("Olad", "promote Bera builder");
    for line in ["zone draft mill", "zone publish mill now", "zone discard mill now"] {
        let answer = shop.table.types("Bera", line);
        assert!(answer.contains("You do not build in the zone mill"), "{line}: {answer}");
    }
    shop.table.types("Bera", "rehearse mill");
    assert_eq!(shop.table.room("Bera").area, "mill_draft", "builders may look");
    assert!(
        shop.table.types("Bera", "describe here = Mine.").contains("You do not build in the zone mill_draft")
    );
    assert!(shop.table.types("Bera", "zone invite Olad").contains("You do not build"));
}

/// A reference of any kind to the draft of a new zone names the zone once it is published; the page before it says so, and
/// `check` finds nothing.
#[test]
fn references_to_a_draft_follow_its_publication() {
    let mut shop = Workshop::open();
    for line in [
        "zone draft barn",
        "name here = Threshing Floor",
        "set here key = floor",
        "variable new asked = flag of zone",
        "variable new sacks = number of zone",
        "make dialogue farmer = farmer",
        "dialogue do farmer hello = set barn_draft/asked = yes; move barn_draft/floor",
        "dialogue answer farmer hello = So.",
        "dialogue if farmer hello 1 = var barn_draft/sacks > 3",
        "make quest sacks = Sacks",
        "set quest sacks steps = a reach = \"barn_draft/floor\", text = \"Go.\"",
        "make creature farmer like rat = farmer",
        "set creature farmer patrol = barn_draft/floor",
        "trigger creature farmer greet = add barn_draft/sacks 1",
        "make script mill",
        "trigger say here = move barn_draft/floor; add barn_draft/sacks 1",
        "open out = Well Square",
        "out",
        "make item flail = flail",
        "trigger item flail use = set barn_draft/asked = no",
        "trigger say barn = if var barn_draft/asked: move barn_draft/floor",
        "spawn rat = 1 every 600 if var barn_draft/asked",
        "rehearse barn",
    ] {
        let answer = shop.types("Olad", line);
        for no in ["There is no ", "Type ", "expected"] {
            assert!(!answer.contains(no), "{line}: {answer}");
        }
    }
    let answer = shop.types("Olad", "zone publish");
    for what in ["The dialogue farmer", "The quest sacks", "The creature farmer"] {
        assert!(answer.contains(&format!("{what} is new.")), "{what}: {answer}");
    }
    for what in ["The item flail", "Well Square, room 1,"] {
        assert!(
            answer.contains(&format!("{what} names barn_draft, and will name barn.")),
            "{what}: {answer}"
        );
    }
    let answer = shop.types("Olad", "zone publish now");
    assert!(answer.contains("one room made"), "{answer}");
    let world = shop.table.world();
    let texts = world.definitions.iter().map(|(_, row)| row.text.clone());
    let lines = world.rooms.iter().flat_map(|(_, room)| room.triggers.iter().flat_map(|on| on.lines.clone()));
    let rules =
        world.rooms.iter().flat_map(|(_, room)| room.spawns.iter().map(deepwell::world::SpawnRule::words));
    let all: Vec<String> = texts.chain(lines).chain(rules).collect();
    assert!(!all.iter().any(|text| text.contains("barn_draft")), "{all:?}");
    let has_mistakes = |shop: &mut Workshop| shop.types("Olad", "check all").contains("Mistake:");
    assert!(!has_mistakes(&mut shop));
    let is_told = |shop: &mut Workshop| shop.types("Olad", "examine item flail").contains("set barn/asked");
    assert!(is_told(&mut shop));
    shop.types("Olad", "undo");
    assert!(!is_told(&mut shop), "the whole publication is undone");
    assert!(!has_mistakes(&mut shop));
    shop.types("Olad", "redo");
    assert!(is_told(&mut shop) && !has_mistakes(&mut shop));
}

/// The page before a publication names the creatures and items that it does not keep.
#[test]
fn publication_tells_what_it_does_not_keep() {
    let mut shop = with_draft();
    for line in ["spawn goblin", "spawn clay_lamp", "spawn brood_rat = 1 every 600"] {
        shop.types("Olad", line);
    }
    let answer = shop.types("Olad", "zone publish");
    for lost in ["goblin", "clay lamp"] {
        assert!(answer.contains(&format!("Not kept: the {lost} in Mill Floor")), "{lost}: {answer}");
    }
    assert!(!answer.contains("Not kept: the brood rat"), "{answer}");
}
