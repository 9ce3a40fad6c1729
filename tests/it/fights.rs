//! Combat: damage, initiative, fleeing, waiting and messages.

use crate::arena::{add_players, arena, arena_in, blows, changes, enemy, more_orcs};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{GameTime, Span};

/// Length of a round in the arena.
const ROUND: Span = Span::secs(3);

/// Returns the hit points of Olad and the enemy after each of `count` rounds.
fn rounds(table: &mut Table, count: usize) -> Vec<(i32, i32)> {
    let orc = enemy(table);
    (0..count)
        .map(|_| {
            table.waits(ROUND);
            (table.body("Olad").hp, table.world().characters[orc].hp)
        })
        .collect()
}

/// Returns the frequency of each loss of hit points between two rounds.
fn losses(hp: &[i32]) -> Vec<(i32, usize)> {
    let lost: Vec<i32> = hp.windows(2).map(|pair| pair[0] - pair[1]).collect();
    let mut kinds = lost.clone();
    kinds.sort_unstable();
    kinds.dedup();
    kinds.into_iter().map(|kind| (kind, lost.iter().filter(|one| **one == kind).count())).collect()
}

/// T9: a new character has 30 hit points, attack 5, defence 2, no experience, level 1.
#[test]
fn new_character_has_the_stats_of_the_rules() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let body = table.body("Olad");
    assert_eq!((body.hp, body.max_hp, body.attack, body.defence, body.xp, body.level), (30, 30, 5, 2, 0, 1));
}

/// T8: an orc (attack 3) deals one or two to a beginner (defence 2), a beginner (attack 5) four to six to an orc
/// (defence 0). Of 100 blows 80 hit, within 4. Both attack once a round.
#[test]
fn damage_is_attack_less_defence() {
    let mut table = arena();
    table.becomes("Olad", 9_999, 5);
    table.types("Olad", "kill");
    let (olad, orc): (Vec<i32>, Vec<i32>) = rounds(&mut table, 1_001).into_iter().unzip();
    let (to_olad, to_orc) = (losses(&olad), losses(&orc));
    let kinds = |losses: &[(i32, usize)]| losses.iter().map(|(points, _)| *points).collect::<Vec<_>>();
    assert_eq!((kinds(&to_olad), kinds(&to_orc)), (vec![0, 1, 2], vec![0, 4, 5, 6]));
    for (misses, whose) in [(to_olad[0].1, "the orc's"), (to_orc[0].1, "Olad's")] {
        assert!((160..=240).contains(&misses), "{whose} misses of 1,000: {misses}");
    }
    // The roll is one more or less; zero damage counts as one, so two of three rolls give one.
    assert!((480..=590).contains(&to_olad[1].1), "{to_olad:?}");
}

/// T8, T16: the message for the death of an orc names it and the 35 experience.
#[test]
fn kill_message_names_victim_and_experience() {
    let mut table = arena();
    let orc = enemy(&table);
    changes(&mut table, orc, |orc| (orc.hp, orc.max_hp) = (10, 10));
    table.becomes("Olad", 999, 5);
    let mut read = table.types("Olad", "kill orc");
    while table.world().characters.get(orc).is_some() {
        table.waits(ROUND);
        read = read + "\n" + &table.hears("Olad");
    }
    let line = read.lines().find(|line| line.contains("experience")).expect("a line about the kill");
    assert!(line.contains("orc is dead") && line.contains("35 experience"), "T16: {line}");
    assert_eq!(table.body("Olad").xp, 35);
}

/// T20: at the start of a fight a fighter who has been in the room for a round strikes before one who has just arrived.
/// If both or neither have waited, the attacker strikes first. There is exactly one free blow.
#[test]
fn fighter_who_waited_a_round_strikes_first() {
    for (olad_waited, orc_waited, olad_first) in
        [(true, false, true), (false, true, false), (true, true, true), (false, false, true)]
    {
        let mut table = arena();
        table.becomes("Olad", 999, 5);
        let (orc, now) = (enemy(&table), table.now());
        let since = |waited: bool| if waited { now - Span::mins(1) } else { now };
        changes(&mut table, orc, |orc| orc.arrived_at = since(orc_waited));
        let olad = table.body("Olad").id;
        changes(&mut table, olad, |olad| olad.arrived_at = since(olad_waited));
        table.types("Olad", "look");
        table.hears("Olad");
        let read = table.types("Olad", "kill orc");
        let heard: Vec<&str> = read.lines().collect();
        let is_blow = |line: &&&str| line.starts_with("You hit") || line.starts_with("You miss");
        let by_olad = heard.iter().filter(is_blow).count();
        let by_orc = heard.iter().filter(|line| line.contains("you") && line.starts_with("The orc")).count();
        assert_eq!((by_olad, by_orc), (usize::from(olad_first), usize::from(!olad_first)), "{heard:?}");
        assert_eq!(heard.iter().any(|line| line.contains("strikes first")), !olad_first);
    }
}

/// T20: the waiting time is one round, to the millisecond.
#[test]
fn waiting_time_for_first_strike_is_one_round() {
    for (waited, first) in [(ROUND, true), (Span::millis(2_999), false)] {
        let mut table = arena();
        table.becomes("Olad", 999, 5);
        let (orc, now) = (enemy(&table), table.now());
        changes(&mut table, orc, |orc| orc.arrived_at = now - waited);
        let olad = table.body("Olad").id;
        changes(&mut table, olad, |olad| olad.arrived_at = now);
        let read = table.types("Olad", "kill orc");
        assert_eq!(read.contains("The orc was waiting for that and strikes first."), first, "{read}");
    }
}

/// T17: with `config wait on`, a round runs only with an acting command, exactly one per command.
#[test]
fn wait_mode_runs_one_round_per_acting_command() {
    let mut table = arena();
    table.becomes("Olad", 9_999, 5);
    table.types_all("Olad", &["config wait on", "kill orc"]);
    table.hears("Olad");
    table.waits(Span::mins(10));
    assert!(blows(&table.hears_messages("Olad")).is_empty(), "nothing happens by itself");
    for word in ["wait", "kill orc", "kill", "wait"] {
        let read = table.types("Olad", word);
        assert_eq!(read.lines().count(), 2, "one blow of each with {word}: {read}");
    }
    table.types_all("Olad", &["look", "score", "consider orc", "say hm"]);
    assert!(blows(&table.hears_messages("Olad")).is_empty(), "looking and talking take no time");
    table.types("Olad", "config wait off");
    table.waits(Span::secs(6));
    assert!(!blows(&table.hears_messages("Olad")).is_empty(), "from here on time passes again");
}

/// T17, N14: rounds do not wait if two players fight, or if the player is link-dead.
#[test]
fn wait_mode_applies_only_to_a_single_connected_player() {
    let mut table = arena();
    table.becomes("Olad", 9_999, 5);
    add_players(&mut table, &["Bera"]);
    table.types_all("Olad", &["config wait on", "kill orc"]);
    table.hears("Bera");
    table.waits(Span::secs(9));
    assert!(blows(&table.hears_messages("Bera")).len() >= 6, "two are there");
    table.make_owner("Bera");
    table.types("Bera", "goto well");
    table.waits(Span::secs(9));
    table.hears("Olad");
    table.waits(Span::secs(30));
    assert!(blows(&table.hears_messages("Olad")).is_empty(), "now Olad is alone");
    let before = table.body("Olad").hp;
    table.break_link("Olad");
    table.waits(Span::secs(60));
    assert!(table.body("Olad").hp < before, "N14: pulling the plug does not stop the orc");
}

/// T17: `wait` out of combat passes a moment; in a timed fight it reports the time to the next round.
#[test]
fn wait_out_of_wait_mode_reports_the_next_round() {
    let mut table = arena();
    table.becomes("Olad", 999, 5);
    assert!(table.types("Olad", "wait").contains("ready for whatever comes"));
    table.types("Olad", "kill orc");
    let before = table.body("Olad").hp;
    let reply = table.types("Olad", "wait");
    assert!(reply.contains("the next round comes in 3 seconds"), "{reply}");
    assert_eq!(table.body("Olad").hp, before, "nobody hurries the others");
}

/// E25, E55: `flee` takes the exit back. Its probability is shown before and after and matches the rolls: 90 of 100
/// against one enemy, 70 against three, within 5.
#[test]
fn flee_succeeds_with_the_stated_probability() {
    for (orcs, percent) in [(1, 90), (3, 70)] {
        let mut table = arena();
        table.becomes("Olad", 1_000_000, 1);
        more_orcs(&mut table, orcs - 1);
        let back =
            table.world().exits.of(table.body("Olad").room).find(|exit| exit.back).expect("a way back");
        let (arena, came_from) = (back.room, back.to.expect("a room behind"));
        let there = back.direction.expect("a direction").opposite();
        let (mut tries, mut away) = (0, 0);
        while tries < 400 {
            for n in 1..=orcs {
                table.types("Olad", &format!("kill {n}.orc"));
            }
            table.waits(ROUND);
            assert!(table.types("Olad", "consider orc").contains(&format!("Escape: {percent} percent.")));
            tries += 1;
            let reply = table.types("Olad", "flee");
            assert!(reply.contains(&format!("Your chance was {percent} in 100.")), "{reply}");
            if reply.contains("break away") {
                away += 1;
                assert_eq!(table.body("Olad").room, came_from, "E55: the way back first");
                table.types("Olad", there.name());
                assert_eq!(table.body("Olad").room, arena);
            } else {
                assert!(table.types("Olad", "flee").contains("find your feet"), "one try a round");
                assert!(table.types("Olad", there.opposite().name()).contains("flee"), "E25");
            }
        }
        let share = away * 100 / tries;
        assert!((percent - 5..=percent + 5).contains(&share), "{share} of 100, not {percent}");
    }
}

/// A failed attempt to flee costs that round's attack only.
#[test]
fn failed_flee_costs_one_attack() {
    let mut table = arena();
    table.becomes("Olad", 1_000_000, 1);
    let back = table.world().exits.of(table.body("Olad").room).find(|exit| exit.back).expect("a way back");
    let there = back.direction.expect("a direction").opposite();
    let own = |table: &mut Table| {
        table.hears("Olad");
        table.waits(ROUND);
        blows(&table.hears_messages("Olad")).iter().filter(|line| line.starts_with("You ")).count()
    };
    for _ in 0..200 {
        table.types("Olad", "kill orc");
        if table.types("Olad", "flee").contains("cuts you off") {
            assert_eq!(own(&mut table), 0, "the round is lost");
            assert_eq!(own(&mut table), 1, "the next one is not");
            return;
        }
        table.types("Olad", there.name());
    }
    panic!("200 flights in a row succeeded");
}

/// `consider` predicts the outcome of a fight in words.
#[test]
fn consider_predicts_the_outcome() {
    let mut table = arena();
    let orc = enemy(&table);
    for (hp, attack, verdict) in [
        (10, 3, "An easy fight"),
        (30, 6, "You might win"),
        (60, 12, "A deadly fight"),
        (10, 3, "about three rounds to win"),
    ] {
        changes(&mut table, orc, |orc| (orc.hp, orc.max_hp, orc.attack) = (hp, hp, attack));
        let reply = table.types("Olad", "consider orc");
        assert!(reply.contains(verdict) && reply.contains("Escape: 90 percent."), "{verdict}: {reply}");
    }
    assert!(table.types("Olad", "consider me").contains("help nobody"));
}

/// `consider` includes the creatures around that would join the fight, and leaves out guards that only watch.
#[test]
fn consider_includes_creatures_that_would_join() {
    let mut table = arena();
    let orc = enemy(&table);
    changes(&mut table, orc, |orc| (orc.hp, orc.max_hp, orc.attack) = (10, 10, 6));
    let alone = table.types("Olad", "consider orc");
    assert!(alone.contains("You should win") && alone.contains("fights alone"), "{alone}");
    let mut all = more_orcs(&mut table, 2);
    for other in &all {
        changes(&mut table, *other, |orc| (orc.hp, orc.max_hp, orc.attack) = (10, 10, 6));
    }
    assert_eq!(table.types("Olad", "consider orc"), alone, "they watch");
    all.push(orc);
    for other in all {
        changes(&mut table, other, |body| {
            (body.prototype, body.target) = (Some("rolling_skull".into()), None);
        });
    }
    let three = table.types("Olad", "consider orc");
    assert!(three.contains("fights beside two others. "), "{three}");
    assert!(!three.contains("You should win") && three.contains("Escape: 70 percent."), "{three}");
}

/// `config combat full` shows each blow, `brief` one line per fighter and round with the remaining hit points, `own`
/// only the player's own fight. Reader mode defaults to brief.
#[test]
fn combat_setting_selects_message_detail() {
    let mut table = arena();
    add_players(&mut table, &["Bera", "Cato", "Dana"]);
    table.becomes("Olad", 9_999, 5);
    table.types("Bera", "config reader on");
    table.types("Cato", "config combat own");
    table.types("Olad", "kill orc");
    for name in ["Olad", "Bera", "Cato", "Dana"] {
        table.hears(name);
    }
    let mut seen = 0;
    for _ in 0..10 {
        table.waits(ROUND);
        let heard = table.hears_messages("Bera");
        let lines = blows(&heard);
        assert_eq!(lines.len(), 2, "one line a fighter: {lines:?}");
        assert!(lines.iter().all(|line| line.contains(" hits ") || line.contains(" misses ")), "{lines:?}");
        seen += lines.iter().filter(|line| line.starts_with("The orc hits Olad for ")).count();
        assert!(blows(&table.hears_messages("Cato")).is_empty(), "that is no concern of Cato's");
        assert_eq!(blows(&table.hears_messages("Dana")).len(), 2);
    }
    assert!(seen >= 5, "sums are told: {seen}");
    table.types("Bera", "kill orc");
    table.types("Cato", "kill orc");
    table.waits(ROUND);
    table.hears("Bera");
    table.hears("Cato");
    table.waits(ROUND);
    assert_eq!(blows(&table.hears_messages("Cato")).len(), 1, "Cato's own blow");
    assert_eq!(blows(&table.hears_messages("Bera")).len(), 4, "four fighters");
    table.types("Bera", "config combat full");
    table.types("Olad", "config combat brief");
    table.waits(ROUND);
    let olad = table.hears("Olad");
    let hit = olad.lines().find(|line| line.starts_with("The orc hits you"));
    assert!(hit.is_none_or(|line| line.contains("; you have ") && line.ends_with(" left.")), "{olad}");
    table.restart();
    assert!(table.types("Olad", "config").contains("combat: brief"), "the choice is kept");
}

/// Resting heals three times as fast as standing, to the second; a step, a fight or `stand` ends it.
#[test]
fn resting_heals_three_times_as_fast() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.becomes("Olad", 1, 5);
    table.waits(Span::secs(100));
    assert_eq!(table.types("Olad", "hp"), "11 of 30 hit points.");
    assert!(table.types("Olad", "rest").contains("sit down"));
    assert!(table.types("Olad", "look me").len() > 10);
    table.waits(Span::secs(40));
    assert_eq!(table.types("Olad", "hp"), "23 of 30 hit points.");
    table.types("Olad", "down");
    table.waits(Span::secs(19));
    assert_eq!(table.types("Olad", "hp"), "24 of 30 hit points.", "a step ends it");
    assert!(table.types("Olad", "stand").contains("on your feet"));
    let mut table = arena();
    table.types("Olad", "rest");
    table.types("Olad", "kill orc");
    assert!(table.types("Olad", "rest").contains("flee"), "no rest in a fight");
}

/// A player who sits down without a hit point is whole after the same rest, however many there are to regain, and not sooner.
#[test]
fn rest_heals_every_maximum_in_the_same_time() {
    let rules = &CATALOG.rules;
    let secs = rules.healing.secs_per_hp * rules.beginner.hp * 100 / rules.healing.rest_percent;
    for most in [1, 7, 30, 31, 299, 10_000] {
        let mut table = Table::new(seeded(1));
        table.sit("Olad");
        let id = table.body("Olad").id;
        table.edit_stored(|stored| {
            let body = stored.characters.get_mut(&id).expect("a stored body");
            (body.hp, body.max_hp) = (0, most);
        });
        assert!(table.types("Olad", "rest").contains("sit down"));
        table.waits(Span::secs(i64::from(secs) - 1));
        assert!(!table.types("Olad", "hp").starts_with(&format!("{most} of")), "{most} too early");
        table.waits(Span::secs(1));
        assert!(table.types("Olad", "hp").starts_with(&format!("{most} of")), "{most} too late");
        assert_eq!(table.hears("Olad").matches("You are rested").count(), 1, "{most}");
    }
}

/// `stop` ends an attack only on an enemy that does not fight back.
#[test]
fn stop_is_refused_while_the_enemy_attacks() {
    let mut table = arena();
    table.becomes("Olad", 999, 1);
    add_players(&mut table, &["Bera"]);
    assert!(table.types("Olad", "stop").contains("not fighting"));
    table.types("Olad", "kill orc");
    let reply = table.types("Olad", "stop");
    assert!(reply.contains("does not let you stop"), "{reply}");
    table.types("Bera", "kill orc");
    let reply = table.types("Bera", "stop");
    assert_eq!(reply, "You let go of the orc.", "the orc fights Olad");
    assert_eq!(table.body("Bera").target, None);
}

/// N14: a link-dead character fights back, and the results are stored.
#[test]
fn link_dead_characters_fight_back() {
    let mut table = arena();
    table.becomes("Olad", 9_999, 5);
    let orc = enemy(&table);
    table.types("Olad", "kill orc");
    table.break_link("Olad");
    let before = table.world().characters[orc].hp;
    table.waits(Span::secs(60));
    assert!(table.world().characters[orc].hp < before);
    assert!(table.body("Olad").target == Some(orc));
    assert_eq!(table.stored().characters[&orc].hp, table.world().characters[orc].hp);
}

/// E30: in a room without fights, `attack` is refused by each of its names.
#[test]
fn attacks_in_town_are_refused() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    table.sit("Bera");
    for word in ["kill bera", "attack bera", "k bera"] {
        assert!(table.types("Olad", word).contains("Nobody fights here"), "{word}");
    }
}

/// The length of a round is a setting.
#[test]
fn round_length_is_configurable() {
    let mut table = arena_in(|config| config.round = Span::secs(7));
    table.becomes("Olad", 999, 1);
    table.types("Olad", "kill orc");
    table.hears("Olad");
    table.waits(Span::millis(6_999));
    assert!(blows(&table.hears_messages("Olad")).is_empty());
    table.waits(Span::millis(1));
    assert_eq!(blows(&table.hears_messages("Olad")).len(), 2);
    assert!(table.now() > GameTime(0));
}
