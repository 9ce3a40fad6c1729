//! Wounds: what falls leave, the rescues that they make longer, and how they close.

use crate::arena::{add_players, changes, enemy};
use crate::down::{falls, olad_is_about_to_fall};
use crate::hoard::{purse, set_money, set_room_kind};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Span;
use deepwell::catalog::RoomKind;
use deepwell::world::Posture;

const ROUND: Span = Span::secs(3);

/// Returns the maximum of hit points that Olad's wounds leave of 30.
fn left_of_30(wounds: u32) -> u32 {
    30 - 30 * wounds * CATALOG.rules.down.wound_percent / 100
}

/// Lets Olad, who has earlier wounds, fall beside Bera.
fn falls_with(wounds: u32) -> Table {
    let (mut table, orc) = olad_is_about_to_fall(true);
    let olad = table.body("Olad").id;
    changes(&mut table, olad, |body| (body.hp, body.wounds) = (1, wounds));
    falls(&mut table, "Olad");
    changes(&mut table, orc, |orc| orc.attack = 0);
    table.hears("Bera");
    table
}

/// Each rescue takes as many tries as the rules say, one a round, and the fall after the last one is the end.
#[test]
fn each_rescue_takes_its_tries_and_there_is_a_last_one() {
    let tries = &CATALOG.rules.down.rescue_tries;
    assert!(tries.is_sorted() && tries[0] == 1, "{tries:?}");
    for (earlier, tries) in (0..).zip(tries) {
        for fights in [false, true] {
            let mut table = falls_with(earlier);
            assert_eq!(table.body("Olad").wounds, earlier + 1);
            if fights {
                table.types("Bera", "kill orc");
                table.waits(ROUND);
            }
            for number in 1..=*tries {
                assert_eq!(table.body("Olad").posture, Posture::Down, "try {number} of {tries}");
                let answer = table.types("Bera", "rescue olad");
                assert_eq!(answer.contains("You pull Olad up"), number == *tries, "{answer}");
                if number < *tries {
                    let again = table.types("Bera", "rescue olad");
                    assert!(again.contains("moment") || again.contains("find your feet"), "{again}");
                }
                table.waits(ROUND);
            }
            assert_eq!(table.body("Olad").posture, Posture::Standing);
        }
    }
    let rescues = u32::try_from(tries.len()).expect("a few");
    for earlier in [rescues, rescues + 1] {
        let table = falls_with(earlier);
        assert_eq!((table.branch_of("Olad"), table.body("Olad").wounds), (None, rescues + 1));
    }
}

/// A friend is told how often to type the command, and the tries of several friends add up.
#[test]
fn tries_are_told_and_shared() {
    let mut table = falls_with(0);
    table.types("Bera", "rescue olad");
    let olad = table.body("Olad").id;
    let orc = enemy(&table);
    changes(&mut table, orc, |orc| orc.attack = 500);
    changes(&mut table, olad, |body| (body.hp, body.safe_until) = (1, None));
    table.types("Olad", "kill orc");
    let text = falls(&mut table, "Olad");
    assert!(text.contains("rescue you, once a round, three times."), "{text}");
    let heard = table.hears("Bera");
    assert!(heard.contains("rescue Olad, once a round, three times."), "{heard}");
    changes(&mut table, orc, |orc| orc.attack = 0);
    add_players(&mut table, &["Cato"]);
    for name in ["Bera", "Cato"] {
        assert!(table.types(name, "rescue olad").contains("You kneel by Olad"), "{name}");
    }
    table.waits(ROUND);
    assert!(table.types("Cato", "rescue olad").contains("You pull Olad up"));
}

/// Wounds lower the maximum of hit points, are told wherever affects are, and outlive a defeat and a restart.
#[test]
fn wounds_lower_hit_points_and_are_told() {
    let mut table = falls_with(1);
    table.types("Olad", "stop");
    table.restart();
    assert_eq!((table.branch_of("Olad"), table.body("Olad").wounds), (None, 2));
    let most = left_of_30(2);
    assert!(table.types("Olad", "hp").ends_with(&format!("of {most} hit points.")));
    for line in ["affects", "score"] {
        let answer = table.types("Olad", line);
        assert!(
            answer.contains("Wounded twice: ") && answer.contains("Nobody can help you up again."),
            "{answer}"
        );
    }
    let answer = table.types("Bera", "party");
    assert_eq!(answer.matches("Wounded twice.").count(), 1, "{answer}");
}

/// The healer closes all wounds for the price of a cure each, and restores the hit points.
#[test]
fn healer_closes_wounds_for_a_price() {
    for wounds in 0..=3 {
        let mut table = Table::new(seeded(3));
        table.sit("Olad");
        set_room_kind(&mut table, "Olad", RoomKind::Healer, &[]);
        set_money(&mut table, "Olad", 1_000);
        let olad = table.body("Olad").id;
        changes(&mut table, olad, |body| body.wounds = wounds);
        let answer = table.types("Olad", "heal wounds");
        assert_eq!(answer.contains("closes your wounds"), wounds > 0, "{answer}");
        let price = i64::from(wounds * CATALOG.rules.trade.cure_price);
        assert_eq!((purse(&table, "Olad"), table.body("Olad").wounds), (1_000 - price, 0));
        assert!(table.types("Olad", "hp").starts_with("30 of 30"));
    }
}

/// A rest where `recall` leads closes a wound a minute, and a rest elsewhere none.
#[test]
fn rest_closes_wounds_where_recall_leads() {
    let secs = i64::from(CATALOG.rules.down.wound_secs);
    for (line, closes) in [("look", true), ("west", false)] {
        let mut table = Table::new(seeded(3));
        table.sit("Olad");
        let olad = table.body("Olad").id;
        changes(&mut table, olad, |body| body.wounds = 2);
        table.types_all("Olad", &[line, "rest"]);
        table.hears("Olad");
        table.waits(Span::secs(secs - 1));
        assert_eq!(table.body("Olad").wounds, 2);
        table.waits(Span::secs(1));
        assert_eq!(table.body("Olad").wounds, if closes { 1 } else { 2 }, "{line}");
        assert_eq!(table.hears("Olad").contains("A wound closes."), closes);
        table.waits(Span::secs(secs));
        assert_eq!(table.body("Olad").wounds, if closes { 0 } else { 2 }, "{line}");
        table.waits(Span::secs(600));
        assert_eq!(table.hears("Olad").contains("You are rested: all 30 hit points"), closes);
    }
}
