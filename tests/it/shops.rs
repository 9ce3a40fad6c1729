//! Shops of builders: prices, limited stock, hours and what they buy.

use crate::table::Table;
use crate::workshop::Workshop;
use deepwell::base::{GameTime, Span};
use deepwell::catalog::RoomKind;

/// An hour of the town.
const HOUR: Span = Span::mins(5);

/// Creates the zone stalls with a shop in which Olad and Bera stand, each with money, at eight in the morning.
fn stall() -> Workshop {
    let mut shop = Workshop::open();
    shop.types_all(
        "Olad",
        &[
            "zone new stalls",
            "dig Stall = stall, out",
            "stall",
            "zone set stalls",
            "describe here = Planks.",
            "shop here = rye_loaf",
            "trigger say coins = give 500 copper_coin",
        ],
    );
    shop.table.sit("Bera");
    for line in ["north", "stall"] {
        shop.table.types("Bera", line);
    }
    set_hour(&mut shop.table, 8);
    shop
}

/// Waits for an hour of the town's clock.
fn set_hour(table: &mut Table, hour: i64) {
    let day = 24 * HOUR.0;
    let now = table.now().0;
    let wanted = now - now.rem_euclid(day) + hour * HOUR.0;
    table.advance_clock_to(GameTime(if wanted < now { wanted + day } else { wanted }));
}

/// Gives a player money by the script of the shop.
fn make_rich(table: &mut Table, name: &str) {
    table.types(name, "say coins");
}

/// A stranger reads prices, limits and what is sold out, without marks that are not words.
#[test]
fn ware_has_a_price_and_a_limit() {
    let mut shop = stall();
    let answer = shop.types("Olad", "set here wares = coil of rope 30 copper; rye_loaf; club 2 silver x1");
    assert!(
        answer.contains("On sale there: coil_of_rope 30 copper, rye_loaf and club 20 copper x1."),
        "{answer}"
    );
    shop.types("Olad", "set here refill = 6");
    make_rich(&mut shop.table, "Bera");
    let list = shop.table.types("Bera", "list");
    for line in ["a coil of rope: three silver\n", "a club: two silver\n"] {
        assert!(list.contains(line), "{line}: {list}");
    }
    let before = shop.table.body("Bera").money.purse;
    assert!(shop.table.types("Bera", "buy club").contains("You buy a club for two silver."));
    assert_eq!(before - shop.table.body("Bera").money.purse, 20);
    let list = shop.table.types("Bera", "list");
    assert!(list.contains("a club: two silver, sold out until six in the morning"), "{list}");
}

/// Two buyers of the last piece: one gets it. The number survives a restart, and is full again after the refill.
#[test]
fn last_piece_is_sold_once_until_the_refill() {
    let mut shop = stall();
    shop.types_all("Olad", &["set here wares = club 2 copper x1", "set here refill = 6"]);
    for name in ["Olad", "Bera"] {
        make_rich(&mut shop.table, name);
    }
    assert!(shop.table.types("Bera", "buy club").contains("You buy a club"));
    let no = shop.table.types("Olad", "buy club");
    assert!(no.contains("A club: sold out. More comes at six in the morning."), "{no}");
    shop.table.restart();
    assert!(shop.table.types("Olad", "buy club").contains("sold out"));
    assert!(shop.table.types("Bera", "sell club").contains("You sell a club"));
    assert!(shop.table.types("Olad", "buy club").contains("sold out"), "what a shop bought is not for sale");
    set_hour(&mut shop.table, 6);
    shop.table.comes_back("Olad");
    assert!(shop.table.types("Olad", "buy club").contains("You buy a club"));
    assert!(shop.table.types("Olad", "buy 2 clubs").contains("sold out"));
}

#[test]
fn closed_shop_says_when_it_opens() {
    let mut shop = stall();
    shop.types_all("Olad", &["set here open = 9-20"]);
    for line in ["list", "buy loaf"] {
        let answer = shop.table.types("Bera", line);
        assert!(answer.contains("The shop is closed. It opens at nine in the morning."), "{line}: {answer}");
    }
    shop.types("Olad", "set here closed = The shutters are down.");
    assert!(shop.table.types("Bera", "list").contains("The shutters are down."));
    set_hour(&mut shop.table, 9);
    shop.table.comes_back("Bera");
    let list = shop.table.types("Bera", "list");
    assert!(list.contains("Open from nine in the morning to eight in the evening."), "{list}");
    assert!(shop.table.types("Bera", "time").contains("The last hour that struck was nine in the morning."));
    set_hour(&mut shop.table, 20);
    shop.table.comes_back("Bera");
    assert!(shop.table.types("Bera", "list").contains("The shutters are down."));
}

#[test]
fn shop_pays_what_its_builder_says() {
    let mut shop = stall();
    shop.types_all("Olad", &["spawn club", "spawn rye_loaf"]);
    shop.table.types_all("Bera", &["get club", "get loaf"]);
    shop.types("Olad", "set here buys = 100%; 10% weapon; rye_loaf 7 copper");
    assert!(shop.table.types("Bera", "value loaf").contains("you would get seven copper"));
    shop.types("Olad", "set here buys = rye_loaf");
    assert!(shop.table.types("Bera", "value club").contains("Nobody here gives anything for"));
    shop.types("Olad", "set here buys = none");
    assert!(shop.table.types("Bera", "value loaf").contains("Nobody here gives anything for"));
    shop.types("Olad", "set here buys = default");
    assert!(shop.table.types("Bera", "value club").contains("you would get"));
}

#[test]
fn mistakes_of_builders_name_the_nearest_word() {
    let mut shop = stall();
    for (line, no) in [
        ("set here wares = rye_laof 2 copper", "the nearest is rye_loaf"),
        ("set here wares = rye_loaf 2 coper", "Did you mean copper?"),
        ("set here wares = rye_loaf x0", "\"x0\" limits a ware to no number"),
        ("set here wares = rye_loaf 99999999999 gold", "A price is at most"),
        ("set here buys = 40% wepon", "Did you mean weapon?"),
        ("set here buys = 4000%", "\"4000%\" is no percentage"),
        ("set here open = 8-25", "The hours \"8-25\" are not two of 0 to 24"),
        ("set here refill = 24", "\"24\" is no hour from 0 to 23"),
        ("set here waers = rye_loaf", "; the nearest is wares:"),
    ] {
        let answer = shop.types("Olad", line);
        assert!(answer.contains(no), "{line}: {answer}");
    }
    shop.types("Olad", "out");
    assert!(shop.types("Olad", "set here open = 8-20").contains("open is a setting of a shop"));
}

/// A zone with a shop exports to the same bytes after an import, and after undo and redo of each line.
#[test]
fn terms_are_exported_imported_and_undone() {
    let mut shop = stall();
    let bare = shop.exported("stalls");
    let lines = [
        "set here wares = club 2 silver x3; rye_loaf",
        "set here buys = 40%; rye_loaf 1 copper",
        "set here open = 8-12; 14-20",
        "set here closed = The shutters are down.",
        "set here refill = 6",
    ];
    shop.types_all("Olad", &lines);
    let text = shop.exported("stalls");
    for line in [
        "stock = [\"club 20 copper x3\", \"rye_loaf\"]\n",
        "buys = [\"40%\", \"rye_loaf 1 copper\"]\n",
        "open = [\"8-12\", \"14-20\"]\n",
        "closed = \"The shutters are down.\"\n",
        "refill = 6\n",
    ] {
        assert!(text.contains(line), "{line}\n{text}");
    }
    make_rich(&mut shop.table, "Bera");
    shop.table.types("Bera", "buy club");
    let sheet = shop.types("Olad", "examine here");
    for line in ["set here wares = club 20 copper x3, rye_loaf", "set here buys = 40%, rye_loaf 1 copper"] {
        assert!(sheet.contains(line), "{sheet}");
    }
    for _ in lines {
        shop.types("Olad", "undo");
    }
    assert_eq!(shop.exported("stalls"), bare);
    for _ in lines {
        shop.types("Olad", "redo");
    }
    assert_eq!(shop.exported("stalls"), text);
    let answer = shop.types("Olad", "journal here");
    assert!(answer.contains("set here refill = 6"), "{answer}");
    let mut other = Workshop::open();
    other.files.insert("stalls".to_owned(), text.clone());
    other.types("Olad", "zone import stalls");
    assert_eq!(other.exported("stalls"), text);
    let mut rooms = other.table.world().rooms.iter();
    assert!(rooms.any(|(_, room)| room.area == "stalls"
        && room.sheet.kind == RoomKind::Shop
        && room.shop.refill == 6));
}

#[test]
fn check_reports_unknown_items_free_wares_and_profit() {
    let mut shop = stall();
    shop.types_all(
        "Olad",
        &["set here wares = club 0 copper; coil_of_rope 9 copper", "set here buys = rye_loaf 900 copper"],
    );
    shop.types_all(
        "Olad",
        &[
            "dig Other Stall = far, back",
            "far",
            "describe here = Planks.",
            "shop here = rye_loaf",
            "set here buys = coil_of_rope 95 copper",
        ],
    );
    let answer = shop.types("Olad", "check");
    for line in [
        "club costs nothing here.",
        "players buy coil_of_rope here for nine copper, and Other Stall, room",
        "pays nine silver and five copper for it.",
        "this shop pays nine gold for rye_loaf, and players buy it in Chandler's Shop for four copper.",
    ] {
        assert!(answer.replace('\n', " ").contains(line), "{line}: {answer}");
    }
    shop.types_all(
        "Olad",
        &["set here buys = none", "back", "set here wares = coil_of_rope 9 copper", "set here buys = 10%"],
    );
    let answer = shop.types("Olad", "check");
    assert!(!answer.contains("pays") && !answer.contains("costs nothing"), "{answer}");
}
