//! Limits of the whole world: the player or network with the most gives way, so that none keeps others out. A8.

use crate::table::{Table, seeded};
use deepwell::base::address::IpAddr;
use deepwell::base::limits::Limits;
use deepwell::game::{GameConfig, Input};

/// Olad, who has taken all places, and Bera and Cato.
fn with(limits: Limits) -> Table {
    let mut table = Table::new(GameConfig { limits, ..seeded(1) });
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
        table.types(name, "north");
    }
    table
}

/// Lines of which each takes a place, and the number of places taken.
type Case = (fn(&mut Limits), &'static str, fn(&Table) -> usize);

const CASES: &[Case] = &[
    (|limits| limits.mails = 4, "mail to cato = Hello.", |table| table.world().mails.len()),
    (|limits| limits.notes = 4, "board write Rope = Hello.", |table| table.world().notes.len()),
    (|limits| limits.reports = 4, "bug The lamp is dark.", |table| table.world().reports.len()),
];

#[test]
fn a8_player_with_the_most_entries_gives_way_to_others() {
    for (change, line, count) in CASES {
        let mut limits = Limits::default();
        change(&mut limits);
        let mut table = with(limits);
        let takes = |table: &mut Table, name: &str| {
            let before = count(table);
            let answer = table.types(name, line);
            (count(table) - before, answer)
        };
        for _ in 0..4 {
            assert_eq!(takes(&mut table, "Olad").0, 1, "{line}");
        }
        let refused = table.types("Olad", line);
        assert_eq!(count(&table), 4, "{line}: {refused}");
        for _ in 0..2 {
            let (more, answer) = takes(&mut table, "Bera");
            let is_taken =
                answer.contains("Your mail to") || answer.contains("hangs") || answer.contains("Thank you");
            assert!(is_taken && more == 0, "{line}: {answer}");
        }
        let answer = table.types("Bera", line);
        assert!(
            !answer.contains("Your mail to") && !answer.contains("hangs") && !answer.contains("Thank you"),
            "{answer}"
        );
        table.restart();
        assert_eq!(count(&table), 4, "{line}");
    }
}

#[test]
fn a8_network_with_the_most_guests_gives_way_to_others() {
    let mut table = Table::new(GameConfig { limits: Limits { guests: 4, ..Limits::default() }, ..seeded(7) });
    let mut visits = |nth: u8, from: [u8; 4]| {
        let before = table.refusals().len();
        let guest = Input::Visit {
            session: deepwell::base::SessionId(1_000 + u64::from(nth)),
            pre_login: Box::default(),
        };
        let effects = table.results_of(guest.sent_from(IpAddr::from(from)));
        let is_in = effects.iter().any(|effect| matches!(effect, deepwell::game::Effect::Entered { .. }));
        let all = table.world().accounts.iter().filter(|(_, row)| row.guest).count();
        (is_in && table.refusals().len() == before, all)
    };
    for nth in 0..4 {
        assert_eq!(visits(nth, [192, 0, 2, nth]), (true, usize::from(nth) + 1));
    }
    assert_eq!(visits(4, [192, 0, 2, 9]), (false, 4), "their own network has most");
    assert_eq!(visits(5, [203, 0, 113, 1]), (true, 4));
    assert_eq!(visits(6, [203, 0, 113, 2]), (true, 4));
    assert_eq!(visits(7, [203, 0, 113, 3]), (false, 4), "both have as many");
}

/// Characters made to be thrown away are no source of money, whether of one account or of many from one address.
#[test]
fn a8_new_characters_of_an_account_or_address_share_purses() {
    let limits = Limits { purses_per_day: 3, characters_per_account: 9, ..Limits::default() };
    let mut table = Table::new(GameConfig { limits, ..seeded(1) });
    table.sit("Olad");
    let names = ["Bexa", "Mira", "Tova", "Nils"];
    for name in names {
        table.types("Olad", &format!("character new {name}"));
    }
    let purses = names.map(|name| table.body(name).money.purse);
    let purse = table.body("Olad").money.purse;
    assert!(purse > 0);
    assert_eq!(purses, [purse, purse, 0, 0], "three of the account have one");
}
