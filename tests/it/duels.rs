//! Duels: consent, every end, what they leave alone, and who stays outside.

use crate::table::{Table, seeded};
use deepwell::base::{Dice, GameTime, Seed, Span};
use deepwell::game::Class;
use deepwell::world::{Character, Posture};

const ROUND: Span = Span::secs(3);

/// Puts players into the ring of the town.
fn ring(names: &[&str]) -> Table {
    let mut table = Table::new(seeded(3));
    for name in names {
        table.sit(name);
        table.types_all(name, &["east", "south"]);
        table.becomes(name, 60, 9);
    }
    for name in names {
        assert_eq!(table.room(name).sheet.name, "Practice Ground");
        table.hears(name);
    }
    table
}

/// Lets Olad and Bera agree on a duel.
fn begins(table: &mut Table) {
    table.types("Olad", "duel bera");
    let reply = table.types("Bera", "duel olad");
    assert!(reply.contains("The duel begins."), "{reply}");
    assert_eq!(table.body("Olad").target, Some(table.id("Bera")));
    assert_eq!(table.body("Bera").target, Some(table.id("Olad")));
}

/// Returns `true` if a duel is over and neither fights.
fn is_over(table: &Table) -> bool {
    ["Olad", "Bera"].iter().all(|name| table.body(name).target.is_none())
}

/// What a duel must not change.
fn kept(body: &Character) -> (i64, u32, i64, Posture, String) {
    let things = format!("{:?} {:?} {:?}", body.wounds, body.quests, body.room);
    (body.xp, body.level, body.money.purse, body.posture, things)
}

/// A duel goes on to a tenth of the hit points of either, and takes nothing else.
#[test]
fn duel_ends_at_a_tenth_and_costs_nothing() {
    let mut table = ring(&["Olad", "Bera", "Cato"]);
    let before = ["Olad", "Bera"].map(|name| kept(table.body(name)));
    let items = table.world().items.iter().count();
    begins(&mut table);
    let mut seen = String::new();
    for _ in 0..60 {
        table.waits(ROUND);
        seen += &table.hears("Cato");
        if is_over(&table) {
            break;
        }
        for name in ["Olad", "Bera"] {
            assert!(table.body(name).hp > 6, "over at a tenth");
        }
    }
    assert!(is_over(&table), "{seen}");
    let least = ["Olad", "Bera"].map(|name| table.body(name).hp).into_iter().min();
    assert_eq!(least, Some(6));
    assert_eq!(seen.matches(" drops to one knee.").count(), 1, "{seen}");
    assert_eq!(seen.matches(" wins the duel.").count(), 1, "{seen}");
    assert!(!seen.contains("falls") && !seen.contains("near death"), "{seen}");
    assert_eq!(["Olad", "Bera"].map(|name| kept(table.body(name))), before);
    assert_eq!(table.world().items.iter().count(), items);
    table.waits(Span::mins(1));
    assert!(is_over(&table));
}

/// Each way to give up ends the duel for both, and the other wins.
#[test]
fn every_way_out_ends_a_duel() {
    let before = ring(&["Olad", "Bera", "Cato"]);
    for how in ["yield", "stop", "flee", "cut"] {
        let mut table = before.copy();
        begins(&mut table);
        for _ in 0..40 {
            match how {
                "cut" => table.break_link("Olad"),
                _ => _ = table.types("Olad", how),
            }
            if is_over(&table) || how != "flee" {
                break;
            }
            table.waits(ROUND);
        }
        assert!(is_over(&table), "{how}");
        let text = table.hears("Bera");
        assert!(text.contains("You win the duel."), "{how}: {text}");
        assert!(table.hears("Cato").contains("Bera wins the duel."), "{how}");
        table.waits(ROUND);
        assert!(!table.hears("Bera").contains("hit"), "{how}");
    }
    let mut table = before.copy();
    begins(&mut table);
    table.restart();
    assert!(is_over(&table), "a restart");
    assert_eq!(table.types("Olad", "yield"), "You are in no duel.");
}

/// A request needs a ring, a player who is there and whole, and an answer in time; moving on takes it back.
#[test]
fn duel_needs_consent() {
    let mut table = ring(&["Olad", "Bera"]);
    assert_eq!(table.types("Olad", "duel me"), "It takes two for a duel.");
    let asked = table.types("Olad", "duel bera");
    assert_eq!(asked, "You ask Bera for a duel.");
    assert!(table.hears("Bera").contains("Olad asks you for a duel. Within a minute, type duel Olad"));
    assert!(is_over(&table), "asked only");
    assert_eq!(table.types("Olad", "duel bera"), "You have asked Bera already.");
    table.waits(Span::secs(61));
    assert_eq!(table.types("Bera", "duel olad"), "You ask Olad for a duel.");
    table.types_all("Bera", &["north", "south"]);
    assert_eq!(table.types("Olad", "duel bera"), "You ask Bera for a duel.", "Bera has left since");
    assert!(is_over(&table));
    table.types("Bera", "ignore olad");
    assert_eq!(
        table.types("Bera", "duel olad"),
        "You ask Olad for a duel.",
        "what an ignored player asked is void"
    );
    assert!(is_over(&table));
    table.waits(Span::secs(61));
    table.hears("Bera");
    assert_eq!(table.types("Olad", "duel bera"), "You ask Bera for a duel.");
    assert_eq!(table.hears("Bera"), "", "ignored");
    table.types("Bera", "unignore olad");
    let (bera, now) = (table.id("Bera"), table.now());
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&bera).expect("Bera");
        (body.hp, body.hp_at) = (10, now);
    });
    assert!(table.types("Olad", "duel bera").contains("Bera is too badly hurt"));
    assert!(table.types("Bera", "duel olad").contains("You are too badly hurt"));
    table.types_all("Olad", &["north"]);
    table.types_all("Bera", &["north"]);
    assert!(table.types("Olad", "duel bera").contains("Duels are fought in a ring."));
    table.types_all("Olad", &["south", "kill bera"]);
    assert_eq!(table.body("Olad").target, None);
}

/// The number of requests to one player is limited.
#[test]
fn requests_to_one_player_are_limited() {
    let names = ["Olad", "Bera", "Cato", "Dora", "Egil", "Fina", "Gora"];
    let mut table = ring(&names);
    let most = table.game().config().limits.duel_requests as usize;
    assert_eq!(most, 5);
    for (at, name) in names[1..].iter().enumerate() {
        let heard = table.types_messages(name, "duel olad");
        let is_refused = heard.iter().any(|heard| heard.class == Class::Refusal);
        assert_eq!(is_refused, at >= most, "{name}: {heard:?}");
    }
}

/// Nobody else takes part: friends who assist, blows, rescue and mending by others are kept out, and a fighter has one foe.
#[test]
fn others_stay_out_of_a_duel() {
    let mut table = ring(&["Olad", "Bera", "Cato", "Dora"]);
    table.types("Olad", "party invite cato");
    table.types("Cato", "party accept");
    table.types("Cato", "config assist on");
    let cato = table.id("Cato");
    table.edit_stored(|stored| {
        stored
            .characters
            .get_mut(&cato)
            .expect("Cato")
            .craft
            .abilities
            .insert("mend".to_owned(), GameTime(0));
    });
    begins(&mut table);
    table.waits(ROUND);
    assert_eq!(table.body("Cato").target, None, "the party only watches");
    for line in ["kill bera", "assist olad", "rescue olad", "mend olad", "duel bera"] {
        let heard = table.types_messages("Cato", line);
        assert!(heard.iter().any(|heard| heard.class == Class::Refusal), "{line}: {heard:?}");
    }
    assert_eq!(table.types("Olad", "kill dora"), "You are in a duel; yield or flee first.");
    assert_eq!(table.types("Olad", "kill bera"), "You are fighting Bera already.");
    let reply = table.types("Olad", "guard");
    assert!(reply.contains("behind a raised arm"), "{reply}");
    for name in ["Cato", "Dora"] {
        assert_eq!(table.body(name).target, None);
    }
}

/// Players who type anything in the ring leave no invariant broken; the table checks all after each step.
#[test]
fn random_lines_in_a_ring_keep_all_invariants() {
    const LINES: [&str; 12] = [
        "duel olad", "duel bera", "duel cato", "yield", "flee", "guard", "stop", "kill bera", "rest",
        "north", "south", "recall",
    ];
    let names = ["Olad", "Bera", "Cato"];
    let mut table = ring(&names);
    let mut dice = Seed(5).named("duels").rng();
    let mut wins = 0;
    for step in 0..600 {
        let name = *dice.pick(&names).expect("a name");
        let line = *dice.pick(&LINES).expect("a line");
        let mut heard = table.types(name, line);
        if step % 4 == 0 {
            table.waits(ROUND);
        }
        if table.room(name).sheet.name != "Practice Ground"
            && table.body(name).target.is_none()
            && step % 3 == 0
        {
            table.types_all(name, &["recall", "east", "south"]);
        }
        heard += &table.hears(name);
        wins += heard.matches("You win the duel.").count();
        assert!(table.body(name).posture != Posture::Down, "{heard}");
    }
    assert!(wins > 5, "{wins} duels");
}
