//! The list of players who look for company, and members of a party who join its fights.

use crate::arena::{add_players, arena, party};
use crate::table::{Table, seeded};
use deepwell::base::Span;

#[test]
fn players_who_look_for_company_are_listed() {
    let mut table = Table::new(seeded(11));
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
    }
    assert!(table.types("Olad", "company").contains("Nobody just now."));
    assert!(table.types("Olad", "company off").contains("You are not on the list."));
    table.types("Olad", "company the well, slowly");
    table.waits(Span::mins(3));
    let list = table.types("Bera", "lfg");
    assert!(list.contains("Olad, level 1, for 3 minutes: the well, slowly"), "{list}");
    table.types("Olad", "company the caves");
    assert!(table.types("Bera", "company").contains("Olad, level 1, for 0 seconds: the caves"));
    table.types("Bera", "ignore olad");
    let list = table.types("Bera", "company");
    assert!(list.contains("Olad") && !list.contains("the caves"), "{list}");
    table.types_all("Cato", &["party invite olad"]);
    table.types("Olad", "party accept");
    assert!(table.types("Cato", "company").contains("Nobody just now."), "Olad has found company");
    table.types("Bera", "company anything");
    table.types("Bera", "quit");
    assert!(table.types("Cato", "company").contains("Nobody just now."));
}

/// Bera joins Olad's fight only as a member of the party, only if she has set so, and not while she is frozen.
#[test]
fn members_join_the_fight_if_they_have_set_so() {
    for (in_party, setting, frozen, joins) in [
        (true, "on", false, true),
        (true, "off", false, false),
        (false, "on", false, false),
        (true, "on", true, false),
    ] {
        let mut table = arena();
        add_players(&mut table, &["Bera"]);
        if in_party {
            party(&mut table, &["Olad", "Bera"]);
        }
        table.types("Bera", &format!("config assist {setting}"));
        if frozen {
            table.make_owner("Olad");
            table.types("Olad", "freeze bera for 10m noise");
        }
        table.types("Olad", "kill orc");
        assert_eq!(table.body("Bera").target.is_some(), joins, "{in_party} {setting} {frozen}");
    }
}
