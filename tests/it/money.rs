//! Money: value of coins, sources and sinks, and trades without profit loops.

use crate::hoard::{add_money, grant, has, purse, put_on_floor, set_money, set_room_kind};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Span;
use deepwell::catalog::RoomKind;
use deepwell::game::Package;
use serde_json::json;

fn olad() -> Table {
    let mut table = Table::new(seeded(3));
    table.sit("Olad");
    table
}

/// Copper, silver, gold and platinum are worth 1, 10, 100 and 1000 coppers. Coins stack, go into the purse when taken,
/// and are changed when dropped.
#[test]
fn r5_coins_are_taken_and_dropped_at_their_value() {
    let mut table = olad();
    add_money(&mut table, "Olad", 2_000);
    let all = purse(&table, "Olad");
    for (line, worth) in
        [("30 copper", 30), ("2 silver coins", 20), ("1 gold", 100), ("1 platinum", 1_000), ("5 coppers", 5)]
    {
        let before = purse(&table, "Olad");
        let read = table.types("Olad", &format!("drop {line}"));
        assert!(read.starts_with("You lay down "), "{read}");
        assert_eq!(purse(&table, "Olad"), before - worth, "{line}");
    }
    let floor = table.types("Olad", "look");
    assert!(
        floor.contains("35 copper coins lie here.") && floor.contains("A gold coin lies here."),
        "{floor}"
    );
    assert_eq!(table.types("Olad", "get 3 copper"), "You pocket three copper coins.");
    assert_eq!(table.types("Olad", "get copper"), "You pocket 32 copper coins.", "a pile is taken whole");
    assert_eq!(table.types("Olad", "get all").lines().count(), 3);
    assert_eq!(purse(&table, "Olad"), all, "100 copper are a gold");
    assert_eq!(table.types("Olad", "drop gold"), "Say how many: 5 gold coins, for instance.");
    assert!(table.types("Olad", "drop 9 platinum").starts_with("You have not got nine platinum"));
    assert!(table.stored().ledger.iter().all(|line| line.what != "copper" || line.why == "beginner"), "D8");
}

/// Money changes hands in one batch; giving more than the purse holds is refused.
#[test]
fn given_money_moves_in_one_batch() {
    let mut table = olad();
    table.sit("Bera");
    table.hears("Bera");
    let (mine, theirs) = (purse(&table, "Olad"), purse(&table, "Bera"));
    assert_eq!(table.types("Olad", "give 3 silver to bera"), "You give Bera three silver.");
    assert!(table.hears("Bera").contains("Olad gives you three silver."));
    assert_eq!((purse(&table, "Olad"), purse(&table, "Bera")), (mine - 30, theirs + 30));
    assert_eq!(table.last_changes().characters.put.len(), 2, "both in one batch");
    assert!(table.types("Olad", "give 5 gold to bera").contains("You have not got five gold"));
    assert!(table.types("Olad", "give 1 copper to me").contains("one hand to the other"));
    table.restart();
    assert_eq!((purse(&table, "Olad"), purse(&table, "Bera")), (mine - 30, theirs + 30));
}

/// Buying and selling change purse and ledger in one batch, and no pair of prices makes a profit loop.
#[test]
fn d8_trades_make_no_profit_and_are_in_the_ledger() {
    let mut table = olad();
    let all: Vec<&str> = CATALOG
        .items
        .values()
        .filter(|item| item.key != "corpse" && !item.key.ends_with("_coin"))
        .map(|item| item.key.as_str())
        .collect();
    set_room_kind(&mut table, "Olad", RoomKind::Shop, &all);
    add_money(&mut table, "Olad", 1_000_000);
    for key in all {
        let item = &CATALOG.items[key];
        let before = purse(&table, "Olad");
        let read = table.types("Olad", &format!("buy {}", item.name));
        assert!(read.starts_with("You buy "), "{key}: {read}");
        let paid = before - purse(&table, "Olad");
        assert!(paid >= i64::from(item.value).max(1), "{key}: {paid}");
        let bought = table.last_changes().clone();
        assert!(bought.ledger.iter().any(|line| line.what == "copper" && line.amount == -paid), "{key}");
        assert!(bought.ledger.iter().any(|line| line.what == key && line.amount == 1), "{key}");
        let read = table.types("Olad", &format!("sell {}", item.name));
        assert!(purse(&table, "Olad") <= before, "{key} made money: {read}");
        if item.value >= 10 {
            assert!(read.starts_with("You sell "), "{key}: {read}");
            assert_eq!(has(&table, "Olad", key), 0);
        }
    }
}

/// A shop lists prices, values items, trades quantities and refuses invalid trades.
#[test]
fn shop_lists_buys_and_sells() {
    let mut table = olad();
    assert_eq!(table.types("Olad", "list"), "Nobody trades here.");
    set_room_kind(&mut table, "Olad", RoomKind::Shop, &["health_potion", "club", "copper_coin"]);
    set_money(&mut table, "Olad", 500);
    let list = table.types("Olad", "list");
    assert!(list.contains("a health potion: four silver and eight copper"), "{list}");
    let read = table.types("Olad", "buy 3 potions");
    assert_eq!(read, "You buy three health potions for one gold, four silver and four copper.");
    assert_eq!((has(&table, "Olad", "health_potion"), purse(&table, "Olad")), (3, 356));
    assert!(table.types("Olad", "buy 20 potions").starts_with("You have not got"));
    assert!(table.types("Olad", "buy axe").contains("for sale"));
    assert!(table.types("Olad", "value 2 potions").ends_with("you would get four silver."));
    table.types("Olad", "buy club");
    table.types("Olad", "wield club");
    assert!(table.types("Olad", "sell club").contains("remove it first"));
    assert_eq!(table.types("Olad", "sell all.potion").lines().count(), 1);
    assert!(table.types("Olad", "sell moon").contains("You have no"));
}

/// A client gets each ware with price and buy command, and `sell` for carried items; outside shops the list is empty.
#[test]
fn wares_are_sent_with_price_and_command() {
    let mut table = olad();
    table.wants("Olad", [Package::Wares]);
    assert_eq!(table.news("Olad", "Room.Wares.List"), [json!([])]);
    set_room_kind(&mut table, "Olad", RoomKind::Shop, &["health_potion", "club"]);
    set_money(&mut table, "Olad", 500);
    table.wants("Olad", [Package::Wares]);
    let wares = table.news("Olad", "Room.Wares.List").pop().expect("wares");
    let potion = json!({"name": "a health potion", "price": 48, "cost": "four silver and eight copper", "count": null,
                        "command": "buy health potion"});
    assert_eq!(wares[0], potion);
    for ware in wares.as_array().expect("a list") {
        let read = table.types("Olad", ware["command"].as_str().expect("a line"));
        assert!(read.starts_with("You buy"), "{read}");
    }
    table.wants("Olad", [Package::Items]);
    let lists = table.news("Olad", "Char.Items.List");
    let pack = lists.iter().find(|list| list["location"] == "inv").expect("the pack");
    let items = pack["items"].as_array().expect("a list");
    let sells = |item: &&serde_json::Value| item["commands"].to_string().contains("\"sell club\"");
    assert_eq!(items.iter().filter(sells).count(), 1, "{items:?}");
}

/// A travelling merchant has one of each item and stocks what players sell; a full stock evicts the oldest.
#[test]
fn a8_merchant_stock_is_bounded() {
    let mut config = seeded(3);
    config.limits.shop_stock = 3;
    let mut table = Table::new(config);
    table.sit("Olad");
    let room = set_room_kind(&mut table, "Olad", RoomKind::Merchant, &["club", "dagger", "dagger"]);
    add_money(&mut table, "Olad", 10_000);
    let list = table.types("Olad", "list");
    assert!(list.contains("two daggers: ") && list.contains(" each"), "{list}");
    assert_eq!(table.types("Olad", "buy 3 daggers"), "There are only two of it.");
    table.types("Olad", "buy dagger");
    assert_eq!(*table.world().rooms[room].stock, ["club", "dagger"]);
    grant(&mut table, "Olad", &[("longsword", 1), ("chain_mail", 1)]);
    table.types("Olad", "sell longsword");
    table.types("Olad", "sell chain");
    assert_eq!(*table.world().rooms[room].stock, ["dagger", "longsword", "chain_mail"]);
    assert!(table.types("Olad", "buy longsword").starts_with("You buy"));
}

/// Deposits and withdrawals move money without creating any; overdrafts are refused.
#[test]
fn bank_moves_money_without_creating_any() {
    let mut table = olad();
    assert_eq!(table.types("Olad", "deposit all"), "There is no bank here.");
    set_room_kind(&mut table, "Olad", RoomKind::Bank, &[]);
    set_money(&mut table, "Olad", 1_000);
    let read = table.types("Olad", "deposit 2 gold 5 silver");
    assert!(read.contains("two gold and five silver into the bank"), "{read}");
    assert_eq!((purse(&table, "Olad"), table.body("Olad").money.bank), (750, 250));
    assert!(table.types("Olad", "withdraw 3 gold").contains("keeps only two gold and five silver"));
    assert!(table.types("Olad", "deposit 99 gold").contains("You have not got"));
    table.types("Olad", "withdraw 1 gold");
    table.types("Olad", "deposit all");
    assert_eq!((purse(&table, "Olad"), table.body("Olad").money.bank), (0, 1_000));
    assert!(table.last_changes().ledger.is_empty(), "D8: neither source nor sink");
    table.restart();
    table.types("Olad", "withdraw all");
    assert_eq!(purse(&table, "Olad"), 1_000);
    assert_eq!(table.types("Olad", "balance"), "In your purse: one platinum. At the bank: no money.");
}

#[test]
fn healer_lists_prices_and_heals_for_money() {
    let mut table = olad();
    set_room_kind(&mut table, "Olad", RoomKind::Healer, &[]);
    assert!(table.types("Olad", "heal").contains("finds nothing to do"));
    let id = table.body("Olad").id;
    table.edit_stored(|stored| stored.characters.get_mut(&id).unwrap().hp = 10);
    let before = purse(&table, "Olad");
    let list = table.types("Olad", "heal");
    assert!(list.contains("heal wounds: two silver"), "{list}");
    assert!(table.types("Olad", "heal wounds").contains("closes your wounds"));
    assert!(table.types("Olad", "hp").starts_with("30 of 30"));
    assert_eq!(purse(&table, "Olad"), before - 20);
    assert!(table.last_changes().ledger.iter().any(|line| line.why == "healer" && line.amount == -20), "D8");
}

/// The same share of wounds costs as many times more as the level is higher, rounded up.
#[test]
fn healer_asks_by_level_and_by_share() {
    for (level, hp, most, price) in
        [(1, 29, 30, 1), (1, 299, 300, 1), (4, 15, 30, 60), (4, 150, 300, 60), (20, 1, 300, 598)]
    {
        let mut table = olad();
        set_room_kind(&mut table, "Olad", RoomKind::Healer, &[]);
        let id = table.body("Olad").id;
        table.edit_stored(|stored| {
            let body = stored.characters.get_mut(&id).expect("a stored body");
            (body.level, body.hp, body.max_hp) = (level, hp, most);
        });
        set_money(&mut table, "Olad", 1_000);
        assert!(table.types("Olad", "heal wounds").contains("closes your wounds"));
        assert_eq!(purse(&table, "Olad"), 1_000 - price, "level {level}, {hp} of {most}");
    }
}

#[test]
fn a7_purse_never_overflows() {
    let mut config = seeded(3);
    config.limits.coins = 1_000;
    let mut table = Table::new(config);
    table.sit("Olad");
    table.sit("Bera");
    set_money(&mut table, "Olad", 990);
    let read = table.types("Bera", "give 2 silver to olad");
    assert!(read.contains("No purse holds more than one platinum"), "{read}");
    put_on_floor(&mut table, "Olad", &[("gold_coin", 2)]);
    assert!(table.types("Olad", "get gold").contains("No purse holds more"));
    assert_eq!(purse(&table, "Olad"), 990);
    table.waits(Span::secs(1));
}

/// Dropping and taking coins adds no ledger line, and the totals of coins agree.
#[test]
fn d8_dropping_coins_adds_no_ledger_line() {
    let mut table = olad();
    let before = table.stored().ledger.len();
    for _ in 0..3 {
        assert!(table.types("Olad", "drop 30 copper").starts_with("You lay down "));
        assert!(table.types("Olad", "get 10 copper").starts_with("You pocket "));
        assert!(table.types("Olad", "get copper").starts_with("You pocket "));
    }
    assert_eq!(table.stored().ledger.len(), before);
    let stock = table.world().meta().stock["copper_coin"];
    assert_eq!(stock.made, stock.gone);
    table.restart();
}
