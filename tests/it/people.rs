//! Names that cannot be confused, one character per connection, and sanitised text.

use crate::table::{DAWN, Table, seeded};
use deepwell::base::{ItemId, Span};
use deepwell::game::CloseReason;
use deepwell::world::{Item, Place};

/// Names that resemble a taken name, a word of the game or a staff title are refused, and so are invalid names.
#[test]
fn t5_confusable_and_invalid_names_are_refused() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.sit("Willem");
    for name in [
        "olad",
        "OLAD",
        "0lad",
        "Oiad",
        "Olad ",
        "Ol\u{430}d",
        "\u{41e}lad",
        "O\u{200b}lad",
        "Olad\u{301}",
        "\u{ff2f}lad",
        "Wiilem",
        "WiIlem",
        "VViIlem",
        "Wi11em",
        "\u{202e}dalO",
        "Olad\n",
        "Olad\x1b[0m",
        "north",
        "look",
        "Admin",
        "Adrnin",
        "you",
        "someone",
        "rat",
        "goblin",
        "lamp",
        "x",
        "",
        "1234",
        "Olad says: hello",
        "[Ooc] Olad",
        "-Olad-",
        "abcdefghijklmnopqrstuvw",
    ] {
        assert!(table.applies(name).is_err(), "{name:?} was let in");
    }
    assert_eq!(table.world().accounts.len(), 2);
    for name in ["Olaf", "Tess", "Griselda", "Bo", "Robin", "Anna", "Hanna"] {
        table.sit(name);
    }
}

#[test]
fn t5_further_characters_obey_the_same_name_rules() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.sit("Bera");
    for name in ["bera", "Admin", "Olad", "two words", "B3ra"] {
        table.types("Olad", &format!("character new {name}"));
    }
    assert_eq!(table.world().characters_of(table.account("Olad")).count(), 1);
    table.types("Olad", "character new Cato");
    assert_eq!(table.world().characters_of(table.account("Olad")).count(), 2);
}

/// A new login takes over the character immediately; the old connection closes.
#[test]
fn n12_new_login_takes_over_character_and_closes_old_session() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.types_all("Olad", &["down", "east"]);
    let body = table.body("Olad").clone();
    let read = table.comes_back("Olad");
    assert!(read.contains("take hold of your body"), "{read}");
    assert_eq!((table.body("Olad").id, table.body("Olad").room), (body.id, body.room));
    assert!(table.hears("Olad before").contains("connected from somewhere else"));
    assert_eq!(table.closed(), [("Olad before".to_owned(), CloseReason::TakenOver)]);
    let stats = table.game().stats();
    assert_eq!((stats.players, stats.link_dead), (1, 0));
}

/// A link-dead character remains visible until a deadline, and is unchanged when its player reconnects.
#[test]
fn n14_link_dead_character_stays_until_a_deadline() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.sit("Bera");
    table.hears("Bera");
    table.break_link("Olad");
    assert!(table.hears("Bera").contains("Olad stares into the dark"));
    assert!(table.types("Bera", "look").contains("Olad is here, staring into the dark."));
    assert!(table.types("Bera", "tell olad hello").contains("not here to listen"));
    table.waits(Span::secs(60));
    table.comes_back("Olad");
    assert!(table.hears("Bera").contains("Olad blinks"));
    table.waits(Span::mins(10));
    assert!(table.body("Olad").awake, "the deadline went with the return");
    table.break_link("Olad");
    table.waits(Span::secs(180));
    assert!(!table.types("Bera", "look").contains("Olad"));
    assert!(!table.body("Olad").awake);
    let before = table.world().characters.len();
    table.comes_back("Olad");
    assert!(table.body("Olad").awake && table.world().characters.len() == before);
}

/// After a restart, players whose clients are still to be attached are not shown as link-dead; those who were link-dead before
/// are, and so are all who are not back in time.
#[test]
fn players_about_to_return_after_a_restart_are_not_shown_as_link_dead() {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera", "Mika"] {
        table.sit(name);
    }
    table.break_link("Mika");
    table.waits(Span::secs(30));
    table.crash();
    let read = table.comes_back("Bera");
    assert!(read.contains("Olad is here."), "{read}");
    assert!(read.contains("Mika is here, staring into the dark."), "{read}");
    table.waits(Span::secs(11));
    assert!(table.types("Bera", "look").contains("staring into the dark"));
    table.comes_back("Olad");
    assert!(table.types("Bera", "look").contains("Olad is here."));
}

/// Texts with terminal controls, forged lines or bidirectional overrides.
const HOSTILE_TEXTS: [&str; 14] = [
    "\x1b[2J\x1b[1;31mred",
    "\x1b]52;c;aGVsbG8=\x07",
    "\x1b]0;title\x07",
    "\x1bP$q\"p\x1b\\",
    "\u{9b}2J\u{9d}0;x\u{9c}",
    "\x07\x08\x08\x08\x7f",
    "hm\r\nBera falls, and the dark takes the body.",
    "hm\nThe room is clear: the ways ahead stand open.",
    "hm\u{2028}Bera says: I give up\u{2029}",
    "\u{85}\u{0b}\u{0c}Exits: none",
    "abc\u{202e}fed\u{2066}x",
    "zero\u{200b}width\u{feff}\u{e0041}",
    "\u{ff}\u{fa}\0\0",
    "e\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}\u{301}",
];

fn is_dangerous(c: char) -> bool {
    (c.is_control() && c != '\n')
        || matches!(c, '\u{2028}' | '\u{2029}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}' | '\u{200b}' | '\u{feff}')
        || matches!(c, '\u{e0000}'..='\u{e007f}')
}

/// Any typed text reaches others only within a line that begins with its author.
#[test]
fn t1_t2_t4_typed_text_is_sanitised_and_attributed() {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera"] {
        table.sit(name);
    }
    for poison in HOSTILE_TEXTS {
        for (door, start) in [
            ("say", "Olad says: "),
            ("'", "Olad says: "),
            ("emote", "Olad "),
            (":", "Olad "),
            ("tell bera", "Olad tells you: "),
            ("ooc", "[Ooc] Olad: "),
            ("newbie", "[Newbie] Olad: "),
            ("shout", "Olad shouts"),
        ] {
            table.hears("Bera");
            let echo = table.types("Olad", &format!("{door} {poison}"));
            let heard = table.hears("Bera");
            assert!(
                !echo.contains(is_dangerous) && !heard.contains(is_dangerous),
                "{door} {poison:?}: {heard:?}"
            );
            assert!(heard.lines().count() <= 1, "{door} {poison:?}: {heard:?}");
            assert!(heard.is_empty() || heard.starts_with(start), "{door} {poison:?}: {heard:?}");
        }
        for door in ["", "look", "help", "config", "kill", "get", "tell", "path", "character new", "consider"]
        {
            let echo = table.types("Olad", &format!("{door} {poison}"));
            assert!(!echo.contains(is_dangerous), "{door} {poison:?}: {echo:?}");
        }
    }
}

#[test]
fn t1_t4_builder_text_is_sanitised() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.make_owner("Olad");
    table.sit("Bera");
    for poison in HOSTILE_TEXTS {
        for line in [
            format!("describe here = {poison}"),
            format!("name here = Square {poison};{poison}"),
            format!("describe east = {poison}"),
            format!("set here environment = {poison}"),
            format!("announce {poison}"),
        ] {
            table.types("Olad", &line);
        }
        let read =
            [table.types("Bera", "look"), table.types("Bera", "look east"), table.hears("Bera")].concat();
        assert!(!read.contains(is_dangerous), "{poison:?}: {read:?}");
    }
}

#[test]
fn all_dot_name_selects_every_matching_item() {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    let room = table.body("Olad").room;
    table.edit_stored(|stored| {
        let next = &mut stored.meta.as_mut().unwrap().next_item;
        for prototype in ["clay_lamp", "old_key", "clay_lamp"] {
            let (id, place) = (ItemId(*next), Place::Room(room));
            stored.items.insert(id, Item::new(id, prototype, place, DAWN));
            *next += 1;
        }
    });
    assert_eq!(table.types("Olad", "get all.lamp"), "You take a clay lamp.\nYou take a clay lamp.");
    assert_eq!(table.types("Olad", "get all.lamp"), "Nothing like that lies here.");
    assert_eq!(table.types("Olad", "drop all.key"), "You carry nothing like that.");
    assert_eq!(table.types("Olad", "get ALL"), "You take an old key.");
    assert_eq!(table.types("Olad", "drop all").lines().count(), 3);
}

/// A name prefix matches players in the game, not characters asleep.
#[test]
fn name_prefix_matches_only_players_in_the_game() {
    let mut table = Table::new(seeded(1));
    for name in ["Olad", "Bera", "Berta"] {
        table.sit(name);
    }
    assert!(table.types("Olad", "tell ber hi").contains("More than one climber's name begins with"));
    table.types("Berta", "quit");
    assert_eq!(table.types("Olad", "tell BER hi"), "You tell Bera: hi");
    table.restart();
    assert_eq!(table.types("Olad", "tell ber hi"), "You tell Bera: hi");
    table.comes_back("Berta");
    assert!(table.types("Olad", "tell ber hi").contains("More than one climber's name begins with"));
}
