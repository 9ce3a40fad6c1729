//! Incapacitated characters: rescue, bleeding out and recovery at the start.

use crate::arena::{add_players, arena, blows, changes, enemy, more_orcs, party};
use crate::table::Table;
use deepwell::base::{CharacterId, Span};
use deepwell::world::{Place, Posture};

const ROUND: Span = Span::secs(3);

/// Puts Bera and Olad in front of an orc that incapacitates with one hit; Olad fights it.
pub(crate) fn olad_is_about_to_fall(together: bool) -> (Table, CharacterId) {
    let mut table = arena();
    add_players(&mut table, &["Bera"]);
    if together {
        party(&mut table, &["Olad", "Bera"]);
    }
    let orc = enemy(&table);
    changes(&mut table, orc, |orc| orc.attack = 500);
    table.types("Olad", "kill orc");
    (table, orc)
}

pub(crate) fn falls(table: &mut Table, who: &str) -> String {
    let mut read = String::new();
    for _ in 0..50 {
        table.waits(ROUND);
        read = read + "\n" + &table.hears(who);
        if table.body(who).posture == Posture::Down || table.branch_of(who).is_none() {
            return read;
        }
    }
    panic!("{who} stands: {read}");
}

/// A character that falls next to an ally is incapacitated: it cannot act, can talk and look, keeps its items, and its
/// attacker changes target.
#[test]
fn incapacitated_character_can_only_talk_and_look() {
    for together in [true, false] {
        let (mut table, orc) = olad_is_about_to_fall(together);
        table.types("Bera", "kill orc");
        changes(&mut table, orc, |orc| orc.attack = 3);
        let olad = table.body("Olad").id;
        changes(&mut table, olad, |olad| olad.hp = 1);
        let read = falls(&mut table, "Olad");
        assert!(read.contains("You fall. You are down") && read.contains("60 seconds"), "{read}");
        assert!(read.contains("50 percent of what you found"), "the loss is announced: {read}");
        let body = table.body("Olad");
        assert_eq!((body.hp, body.target, body.posture), (0, None, Posture::Down));
        let heard = table.hears("Bera");
        assert!(heard.contains("Olad falls and lies there") && heard.contains("rescue Olad"), "{heard}");
        assert_eq!(
            table.world().characters[orc].target,
            Some(table.body("Bera").id),
            "the orc turns to Bera"
        );
        let back = table.world().exits.of(table.body("Olad").room).find(|exit| exit.back);
        let back = back.map(|exit| exit.name.clone()).expect("a way back");
        for word in ["kill orc", "flee", "get all", &back, "recall", "rest", "rescue bera", "quit", "wait"] {
            let reply = table.types("Olad", word);
            assert!(reply.contains("You are down") || reply.contains("not fighting"), "{word}: {reply}");
            assert_eq!(table.body("Olad").posture, Posture::Down, "{word}");
        }
        assert!(table.types("Olad", "look").contains("Bera is here, fighting the orc."));
        assert!(table.types("Bera", "look").contains("Olad lies here, bleeding."));
        table.types("Olad", "say help!");
        assert!(table.hears("Bera").contains("help!"));
        assert!(table.types("Olad", "hp").contains("0 of 26"));
        table.waits(Span::secs(20));
        assert_eq!(table.body("Olad").hp, 0, "nobody strikes who is down, and it does not heal");
    }
}

/// An ally in the room can rescue, in combat or not. The rescued character has at least 30 percent of its hit points
/// and cannot be attacked for a round. In combat the rescue costs the ally's attack.
#[test]
fn ally_rescues_an_incapacitated_character() {
    for fights in [false, true] {
        let (mut table, orc) = olad_is_about_to_fall(true);
        falls(&mut table, "Olad");
        changes(&mut table, orc, |orc| orc.attack = 3);
        if fights {
            table.types("Bera", "kill orc");
            table.waits(Span::secs(1));
        }
        table.hears("Bera");
        table.hears("Olad");
        assert!(table.types("Bera", "rescue olad").contains("You pull Olad up from the floor."));
        let heard = table.hears("Olad");
        assert!(heard.contains("You are up again, with 8 hit points"), "30 percent of 26: {heard}");
        let body = table.body("Olad");
        assert_eq!((body.hp, body.posture, body.down_until), (8, Posture::Standing, None));
        assert_eq!(body.safe_until, Some(table.now() + ROUND));
        table.hears("Bera");
        table.waits(Span::millis(2_999));
        let struck = blows(&table.hears_messages("Bera")).iter().any(|line| line.starts_with("You "));
        assert!(!struck, "the helper's blow is spent");
        assert!(table.body("Olad").hp >= 8, "nothing strikes Olad meanwhile");
        assert!(table.types("Olad", "rest").contains("sit"), "and Olad may act again");
    }
}

/// A rescue restores 30 percent of the maximum hit points that the wound leaves, rounded up.
#[test]
fn rescue_restores_30_percent_rounded_up() {
    for (max_hp, expected) in [(30, 8), (31, 9), (50, 13), (7, 2), (1, 1)] {
        let (mut table, _) = olad_is_about_to_fall(true);
        let olad = table.body("Olad").id;
        changes(&mut table, olad, |olad| (olad.hp, olad.max_hp) = (1, max_hp));
        falls(&mut table, "Olad");
        table.types("Bera", "rescue olad");
        assert_eq!(table.body("Olad").hp, expected, "of {max_hp}");
    }
}

/// Without a rescue the character is moved to the start after exactly 60 seconds, with half of its hit points.
#[test]
fn unrescued_character_bleeds_out_after_60_seconds() {
    let (mut table, _) = olad_is_about_to_fall(true);
    falls(&mut table, "Olad");
    let until = table.body("Olad").down_until.expect("a deadline");
    table.waits(Span(until.0 - table.now().0 - 1));
    assert_eq!(table.body("Olad").posture, Posture::Down);
    assert!(table.branch_of("Olad").is_some());
    table.restart();
    assert_eq!(table.body("Olad").posture, Posture::Down, "a restart changes nothing");
    table.waits(Span::millis(1));
    let body = table.body("Olad");
    assert_eq!((body.hp, body.posture, body.branch, body.down_until), (13, Posture::Standing, None, None));
    assert_eq!(table.room("Olad").sheet.name, "Bottom of the Well");
    assert!(table.hears("Olad").contains("You come to at the start"));
    assert!(table.hears("Bera").contains("Olad falls, and the dark takes the body."));
}

/// A character without allies is moved to the start immediately and keeps its items.
#[test]
fn character_without_allies_is_out_immediately() {
    let mut table = arena();
    let orc = enemy(&table);
    let olad = table.body("Olad").id;
    changes(&mut table, orc, |orc| orc.attack = 500);
    let carried = table.world().carried(olad).len();
    table.types("Olad", "kill orc");
    let read = falls(&mut table, "Olad");
    assert!(read.contains("You fall. The dark closes over you") && !read.contains("You are down"), "{read}");
    let body = table.body("Olad");
    assert_eq!((body.hp, body.posture, body.branch), (13, Posture::Standing, None));
    assert_eq!(table.world().carried(olad).len(), carried);
    assert!(
        table.world().items.iter().all(|(_, item)| !matches!(item.place, Place::Holder(id) if id == orc))
    );
}

/// The fall of the last party member moves all members out together.
#[test]
fn fully_incapacitated_party_is_out_together() {
    let (mut table, _) = olad_is_about_to_fall(true);
    falls(&mut table, "Olad");
    assert_eq!(table.body("Olad").posture, Posture::Down);
    table.types("Bera", "kill orc");
    falls(&mut table, "Bera");
    for name in ["Olad", "Bera"] {
        assert_eq!((table.branch_of(name), table.body(name).posture), (None, Posture::Standing), "{name}");
        assert_eq!(table.body(name).hp, 13, "{name}");
    }
}

/// The wait for help ends when the last possible rescuer leaves the branch, or with `stop`.
#[test]
fn wait_for_help_ends_when_no_rescuer_is_left() {
    let (mut table, _) = olad_is_about_to_fall(true);
    falls(&mut table, "Olad");
    table.types("Bera", "recall");
    assert_eq!(table.branch_of("Olad"), None, "Bera has gone home");
    let (mut table, _) = olad_is_about_to_fall(true);
    falls(&mut table, "Olad");
    table.types("Bera", "quit");
    assert_eq!(table.branch_of("Olad"), None, "Bera sleeps");
    let (mut table, _) = olad_is_about_to_fall(true);
    falls(&mut table, "Olad");
    let read = table.types("Olad", "stop");
    assert!(read.contains("You come to at the start"), "{read}");
}

/// N14: an incapacitated link-dead character bleeds out as usual, and a link-dead character can be incapacitated.
#[test]
fn link_death_does_not_prevent_bleeding_out() {
    let (mut table, _) = olad_is_about_to_fall(true);
    table.break_link("Olad");
    for _ in 0..50 {
        table.waits(ROUND);
        if table.body("Olad").posture == Posture::Down {
            break;
        }
    }
    assert_eq!(table.body("Olad").posture, Posture::Down, "link-dead, one can be struck down");
    table.waits(Span::secs(20));
    let read = table.comes_back("Olad");
    assert!(read.contains("You are down") && read.contains("After 40 seconds you are out"), "{read}");
    table.break_link("Olad");
    table.waits(Span::secs(39));
    table.waits(Span::secs(2));
    assert_eq!((table.body("Olad").posture, table.branch_of("Olad")), (Posture::Standing, None));
}

/// `rescue` on a standing ally redirects exactly one attacker.
#[test]
fn rescue_draws_one_attacker_away() {
    let (mut table, first) = olad_is_about_to_fall(true);
    changes(&mut table, first, |orc| orc.attack = 3);
    let second = more_orcs(&mut table, 1)[0];
    table.becomes("Olad", 999, 5);
    table.types("Olad", "kill 2.orc");
    table.types("Olad", "kill orc");
    let (olad, bera) = (table.body("Olad").id, table.body("Bera").id);
    let after = |table: &Table| [first, second].map(|orc| table.world().characters[orc].target);
    assert_eq!(after(&table), [Some(olad), Some(olad)]);
    let reply = table.types("Bera", "rescue olad");
    assert!(reply.contains("You step between Olad and the orc."), "{reply}");
    assert_eq!(after(&table), [Some(bera), Some(olad)]);
    assert!(table.types("Bera", "rescue olad").contains("find your feet"), "one a round");
    table.waits(ROUND);
    table.types("Bera", "rescue olad");
    assert_eq!(after(&table), [Some(bera), Some(bera)]);
    table.waits(ROUND);
    assert!(table.types("Bera", "rescue olad").contains("Nothing threatens Olad"));
    assert!(table.types("Bera", "rescue bera").contains("no \"bera\" here"));
}

/// A collapse moves an incapacitated character to the start, standing, with its items.
#[test]
fn collapse_moves_incapacitated_character_to_the_start() {
    let mut table = arena();
    add_players(&mut table, &["Bera"]);
    let (olad, branch) = (table.body("Olad").id, table.branch("Olad").id);
    let until = table.now() + Span::secs(60);
    table.edit_stored(|stored| {
        let body = stored.characters.get_mut(&olad).expect("a stored body");
        (body.hp, body.posture, body.down_until) = (0, Posture::Down, Some(until));
        let row = stored.branches.get_mut(&branch).expect("a stored branch");
        row.last_updated_at = row.last_updated_at - row.max_life - row.max_life;
        for tasks in stored.start_tasks.values_mut() {
            tasks.next_check_at = until - Span::secs(1);
        }
    });
    table.edit_stored(|stored| {
        let row = stored.branches.get_mut(&branch).expect("a stored branch");
        row.last_updated_at = row.last_updated_at - row.max_life - row.max_life;
    });
    table.waits(Span::secs(59));
    assert_eq!(table.branch_of("Olad"), None, "the branch is gone");
    let start = table.room("Olad").id;
    assert_eq!((table.body("Olad").posture, table.body("Olad").hp), (Posture::Standing, 1));
    table.waits(Span::secs(2));
    assert_eq!(table.room("Olad").id, start, "nobody bleeds out who is home");
}

/// `roll` needs no action, so it is available to an incapacitated character.
#[test]
fn incapacitated_character_may_still_roll() {
    let (mut table, _) = olad_is_about_to_fall(true);
    falls(&mut table, "Olad");
    assert_eq!(table.types("Olad", "roll need"), "Nothing waits for your answer.");
    assert!(table.types("Olad", "ignore bera").contains("no longer hear Bera"));
}
