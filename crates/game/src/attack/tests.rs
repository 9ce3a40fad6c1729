//! Tests of affects, stances and rule sets, with content created for the test.

use super::*;
use crate::character::spawn;
use crate::table::{Table, changed_content};
use crate::{GameConfig, Input};
use deepwell_core::base::{GameTime, Seed, Span};
use deepwell_core::catalog::{BUILTIN, Catalog, RuleSet};
use std::sync::Arc;

const ROUND: Span = Span::secs(3);

const VENOM: &str = r#"
name = "poisoned"
description = "You lose two hit points a round."
begins = "Cold fire runs up your arm."
ends = "The cold fire dies down."
hp_per_round = -2
rounds = 5
"#;

const SALVE: &str = r#"
name = "salved"
description = "You gain three hit points a round."
begins = "The salve is warm."
ends = "The salve has dried."
hp_per_round = 3
rounds = 4
"#;

const OATH: &str = r#"
name = "sworn"
description = "Attack 3, defence 2 and 10 hit points more."
begins = "You stand straighter."
ends = "Your shoulders sink."
attack = 3
defence = -1
max_hp = 10
rounds = 2
"#;

const GLUE: &str = r#"
name = "stuck"
description = "You cannot leave the room."
begins = "Your boots stick."
ends = "Your boots come loose."
holds = true
rounds = 3
"#;

const BELL: &str = r#"
name = "stunned"
description = "You strike no blows."
begins = "Your ears ring."
ends = "Your head clears."
stuns = true
rounds = 1
"#;

fn catalog(racket: bool) -> Arc<Catalog> {
    let affects = [("venom", VENOM), ("salve", SALVE), ("oath", OATH), ("glue", GLUE), ("bell", BELL)];
    let affects = affects.map(|(key, text)| (format!("affects/test_{key}.toml"), text));
    let mut changed: Vec<(&str, &str)> = affects.iter().map(|(path, text)| (path.as_str(), *text)).collect();
    let shipped = BUILTIN.iter().find(|(path, _)| *path == "themes/well.toml").unwrap().1;
    let well = shipped.replacen("difficulty_per_floor =", "rules = \"racket\"\ndifficulty_per_floor =", 1);
    if racket {
        changed.push(("themes/well.toml", &well));
    }
    changed_content(&changed)
}

/// Creates a game with Olad in the first dungeon room, without creatures.
fn in_pit() -> Table {
    in_pit_of(&catalog(false))
}

fn in_pit_of(catalog: &Arc<Catalog>) -> Table {
    let mut config = GameConfig { seed: Seed(1), ..GameConfig::default() };
    // Otherwise the closing of the entrance would be heard.
    config.dungeon.reset_chance_permille = 0;
    let mut pit = Table::with_content(config, catalog);
    pit.sit("Olad");
    pit.types_all("Olad", &["down", "north"]);
    let (olad, room) = (pit.id("Olad"), pit.room("Olad").id);
    for creature in pit.world().occupants(room).to_vec().into_iter().filter(|id| *id != olad) {
        pit.game.turn.world.remove_character(creature);
    }
    pit
}

impl Table {
    /// Returns the text sent to Olad during the given time.
    fn hears_during(&mut self, span: Span) -> String {
        self.hears("Olad");
        self.waits(span);
        self.hears("Olad")
    }

    /// Spawns an orc that cannot be killed in practice and has just arrived.
    fn orc(&mut self) -> CharacterId {
        let (room, branch) = (self.room("Olad").id, self.room("Olad").branch);
        let orc = spawn::spawn_creature(&mut self.game.turn, "orc", room, branch).unwrap();
        let now = self.now();
        let body = self.game.turn.world.characters.edit(orc).unwrap();
        (body.hp, body.max_hp, body.arrived_at) = (99_999, 99_999, now);
        orc
    }

    fn hp(&self) -> i32 {
        stats::hp(&self.game.turn, self.id("Olad"))
    }

    fn set_hp(&mut self, hp: i32) {
        let olad = self.id("Olad");
        let body = self.game.turn.world.characters.edit(olad).unwrap();
        (body.hp, body.max_hp) = (hp, body.max_hp.max(hp));
    }

    fn gets(&mut self, key: &str, rounds: Option<u32>) {
        let olad = self.id("Olad");
        affects::apply_affect(&mut self.game.turn, olad, &format!("test_{key}"), rounds);
        self.step(Input::Wake);
    }
}

/// An affect announces its start and end, changes stats while active, and ends to the millisecond.
#[test]
fn affect_changes_stats_until_it_ends() {
    let mut pit = in_pit();
    let olad = pit.id("Olad");
    let numbers = |pit: &Table| {
        (
            stats::attack_of(&pit.game.turn, olad),
            stats::defence_of(&pit.game.turn, olad),
            stats::max_hp_of(&pit.game.turn, olad),
            stats::hp(&pit.game.turn, olad),
        )
    };
    assert_eq!(numbers(&pit), (5, 2, 30, 30));
    pit.hears("Olad");
    pit.gets("oath", None);
    assert_eq!(pit.hears("Olad"), "You stand straighter.");
    assert_eq!(numbers(&pit), (8, 1, 40, 30));
    assert!(pit.types("Olad", "affects").contains("Sworn, for 6 seconds: Attack 3"));
    pit.gets("oath", Some(1));
    assert_eq!(pit.hears("Olad"), "", "it hangs there already, and for longer");
    assert_eq!(pit.hears_during(Span::millis(5_999)), "");
    assert_eq!(numbers(&pit).0, 8);
    assert_eq!(pit.hears_during(Span::millis(1)), "Your shoulders sink.");
    assert_eq!(numbers(&pit), (5, 2, 30, 30));
    assert!(pit.types("Olad", "affects").contains("Nothing hangs on you"));
}

/// Each affected character has one pending timer, however many affects it has and however often they are checked. This
/// includes fights in wait mode, where an affect may end during a paused round.
#[test]
fn affected_character_has_one_timer() {
    for waits in [false, true] {
        let mut pit = in_pit();
        pit.set_hp(30_000);
        pit.gets("venom", Some(10));
        pit.gets("salve", Some(20));
        if waits {
            pit.types("Olad", "config wait on");
            pit.orc();
            pit.types("Olad", "kill orc");
        }
        let before = pit.game.stats().timers;
        pit.waits(Span::secs(45));
        assert!(pit.game.stats().timers <= before + 1, "{waits}: {} timers", pit.game.stats().timers);
        if waits {
            assert!(
                pit.types("Olad", "affects").contains("Poisoned, for 0 seconds"),
                "{}",
                pit.types("Olad", "affects")
            );
        }
    }
}

/// A player who was just revived cannot be attacked, not even by the first blow of a fight.
#[test]
fn just_revived_player_takes_no_first_blow() {
    let mut pit = in_pit();
    let orc = pit.orc();
    let now = pit.now();
    pit.game.turn.world.characters.edit(orc).unwrap().attack = 20;
    let olad = pit.id("Olad");
    let body = pit.game.turn.world.characters.edit(olad).unwrap();
    (body.safe_until, body.arrived_at) = (Some(now + ROUND), now);
    for _ in 0..10 {
        engage(&mut pit.game.turn, orc, olad);
        stop_fights_of(&mut pit.game.turn, orc);
        pit.game.turn.rounds.clear();
    }
    assert_eq!(pit.hp(), 30);
}

/// Damage over time applies once per round; healing over time stops at maximum hit points. No other rows are written.
#[test]
fn damage_and_healing_over_time_apply_once_per_round() {
    let mut pit = in_pit();
    pit.gets("venom", None);
    let read = pit.hears_during(Span::secs(60));
    assert_eq!(read.matches("You are poisoned: two points lost.").count(), 5, "{read}");
    assert!(read.ends_with("The cold fire dies down."), "{read}");
    let mut pit = in_pit();
    pit.set_hp(30);
    pit.gets("venom", None);
    pit.waits(ROUND);
    assert_eq!(pit.hp(), 28);
    pit.commits = false;
    pit.waits(Span::millis(2_999));
    assert!(pit.game.cut().is_empty(), "between two rounds nothing is written");
    pit.gets("salve", None);
    pit.waits(Span::secs(3));
    assert_eq!(pit.hp(), 29, "28 - 2 + 3");
    let mut pit = in_pit();
    pit.set_hp(29);
    pit.gets("salve", None);
    let read = pit.hears_during(Span::secs(30));
    assert_eq!(read.matches("better").count(), 1, "only what there is room for: {read}");
    assert_eq!(pit.hp(), 30);
}

/// Affects are stored: they continue after a restart, and those that expired during it end.
#[test]
fn affects_survive_a_restart() {
    let mut pit = in_pit();
    pit.gets("venom", Some(20));
    pit.gets("oath", None);
    pit.waits(ROUND);
    let before = pit.hp();
    pit.restart();
    assert!(
        stats::has_affect(&pit.game.turn, pit.id("Olad"), "test_venom")
            && stats::has_affect(&pit.game.turn, pit.id("Olad"), "test_oath")
    );
    pit.waits(Span::secs(6));
    assert!(!stats::has_affect(&pit.game.turn, pit.id("Olad"), "test_oath"), "three rounds are over");
    assert!(pit.hp() < before, "the poison goes on");
    pit.sleeps(Span::mins(10));
    pit.restart();
    pit.waits(Span::millis(1));
    assert!(!stats::has_affect(&pit.game.turn, pit.id("Olad"), "test_venom"));
}

/// Poison kills, and the victim's opponent gets the credit.
#[test]
fn death_by_poison_is_credited_to_the_opponent() {
    let mut pit = in_pit();
    let orc = pit.orc();
    pit.set_hp(900);
    pit.types("Olad", "kill orc");
    let body = pit.game.turn.world.characters.edit(orc).unwrap();
    (body.hp, body.defence) = (2, 9_999);
    body.attack = 0;
    pit.game.turn.world.characters.edit(pit.id("Olad")).unwrap().attack = 0;
    affects::apply_affect(&mut pit.game.turn, orc, "test_venom", None);
    let read = pit.hears_during(Span::secs(3));
    assert!(pit.game.turn.world.characters.get(orc).is_none() && read.contains("experience"), "{read}");
    let mut pit = in_pit();
    pit.set_hp(3);
    pit.gets("venom", None);
    let read = pit.hears_during(Span::secs(12));
    assert!(
        read.contains("You fall.") && pit.game.turn.world.characters[pit.id("Olad")].branch.is_none(),
        "{read}"
    );
    assert!(
        pit.game.turn.world.characters[pit.id("Olad")].affects.is_empty(),
        "who is out has left it behind"
    );
}

/// A held character cannot leave the room; each struggle, once per round, shortens the hold by a round.
#[test]
fn r20_struggling_shortens_a_hold() {
    let mut pit = in_pit();
    assert!(pit.types("Olad", "struggle").contains("Nothing holds you"));
    pit.gets("glue", None);
    let room = pit.room("Olad").id;
    assert!(pit.types("Olad", "south").contains("held fast. struggle"));
    assert_eq!(pit.room("Olad").id, room);
    assert!(pit.types("Olad", "struggle").contains("still holds you"));
    assert!(pit.types("Olad", "struggle").contains("no strength left to struggle for another 3 seconds"));
    assert_eq!(pit.hears_during(Span::millis(2_999)), "");
    pit.waits(Span::millis(1));
    assert!(
        pit.types("Olad", "struggle").contains("Your boots come loose."),
        "two struggles and one round of three"
    );
    pit.types("Olad", "south");
    assert_ne!(pit.room("Olad").id, room);
    let mut pit = in_pit();
    pit.gets("glue", Some(1));
    assert!(pit.types("Olad", "struggle").contains("come loose"), "one round is gone with one struggle");
    let mut pit = in_pit();
    pit.orc();
    pit.set_hp(900);
    pit.gets("glue", None);
    pit.types("Olad", "kill orc");
    assert!(pit.types("Olad", "flee").contains("held fast"), "nobody flees who is held");
}

/// A stunned character can neither attack nor flee.
#[test]
fn r16_stunned_characters_neither_attack_nor_flee() {
    let mut pit = in_pit();
    let orc = pit.orc();
    pit.set_hp(9_000);
    pit.types("Olad", "kill orc");
    pit.gets("bell", Some(2));
    affects::apply_affect(&mut pit.game.turn, orc, "test_bell", Some(3));
    assert!(pit.types("Olad", "flee").contains("stunned"));
    let (mine, its) = (pit.hp(), stats::hp(&pit.game.turn, orc));
    let read = pit.hears_during(ROUND);
    assert_eq!((pit.hp(), stats::hp(&pit.game.turn, orc)), (mine, its), "{read}");
    assert!(read.contains("You are stunned and strike no blow."));
    let read = pit.hears_during(Span::secs(60));
    assert!(pit.hp() < mine && stats::hp(&pit.game.turn, orc) < its && read.contains("Your head clears."));
}

/// In wait mode affects last their number of rounds, however long the player waits between commands.
#[test]
fn t17_affects_last_their_rounds_in_wait_mode() {
    let mut pit = in_pit();
    let orc = pit.orc();
    pit.set_hp(9_000);
    pit.game.turn.world.characters.edit(orc).unwrap().attack = 0;
    pit.types("Olad", "config wait on");
    pit.types("Olad", "kill orc");
    pit.gets("venom", Some(4));
    for pause in [600, 0, 1, 45] {
        assert_eq!(pit.hears_during(Span::secs(pause)), "", "{pause}");
        let read = pit.types("Olad", "wait");
        assert_eq!(read.matches("two points lost").count(), 1, "{pause}: {read}");
    }
    pit.waits(Span::secs(100));
    let read = pit.types("Olad", "wait");
    assert!(!read.contains("lost"), "it was over after four: {read}");
    assert!(!stats::has_affect(&pit.game.turn, pit.id("Olad"), "test_venom"));
}

/// The ready stance strikes first even against an equally settled opponent, and ends with the fight.
#[test]
fn t17_t20_ready_stance_strikes_first() {
    for (waits, first) in [(false, false), (true, true)] {
        let mut pit = in_pit();
        let orc = pit.orc();
        pit.set_hp(9_000);
        if waits {
            pit.types("Olad", "wait");
        }
        pit.waits(Span::secs(10));
        let olad = pit.id("Olad");
        engage(&mut pit.game.turn, orc, olad);
        pit.step(Input::Wake);
        let read = pit.hears("Olad");
        assert_eq!(read.contains("You were waiting for that and strike first."), first, "{read}");
        let mine = read.lines().any(|line| line.starts_with("You hit") || line.starts_with("You miss"));
        assert_eq!(mine, first, "{read}");
        assert!(!pit.game.turn.awake.is_any_ready());
    }
    let mut pit = in_pit();
    pit.types("Olad", "wait");
    pit.types("Olad", "south");
    assert!(!pit.game.turn.awake.is_any_ready(), "a step ends it");
}

/// The theme selects the rule set. Under `racket` players count as 10 and 10, and damage to them is scaled to 30 of 100
/// hit points. Creatures use their own `racket` stats if they have any.
#[test]
fn r25_theme_selects_the_rule_set() {
    let pit = in_pit();
    assert_eq!(stats::rules_of(&pit.game.turn, pit.room("Olad").id), RuleSet::Powers);
    let mut pit = in_pit_of(&catalog(true));
    assert_eq!(stats::rules_of(&pit.game.turn, pit.room("Olad").id), RuleSet::Racket);
    let orc = pit.orc();
    pit.set_hp(99_999);
    let body = pit.game.turn.world.characters.edit(orc).unwrap();
    // Converted like a player's stats: 15 and 10 in the other rule set.
    (body.attack, body.defence) = (10, 2);
    pit.game.turn.world.characters.edit(pit.id("Olad")).unwrap().arrived_at = GameTime(0);
    pit.types("Olad", "kill orc");
    let (mut most, mut hits, rounds) = ((0, 0), (0, 0), 4_000);
    for _ in 0..rounds {
        let before = (pit.hp(), stats::hp(&pit.game.turn, orc));
        pit.waits(ROUND);
        let lost = (before.0 - pit.hp(), before.1 - stats::hp(&pit.game.turn, orc));
        most = (most.0.max(lost.0), most.1.max(lost.1));
        hits = (hits.0 + usize::from(lost.0 > 0), hits.1 + usize::from(lost.1 > 0));
    }
    assert_eq!(most, (5, 9), "14 of 100 is five of 30; nine is the most below ten");
    // 10 against 10 hurts in 45 of 100 pairs, 15 against 10 in 63 (and a third): within 3.
    assert!((1_680..=1_920).contains(&hits.1), "Olad's: {}", hits.1);
    assert!((2_410..=2_660).contains(&hits.0), "the orc's: {}", hits.0);
}

/// Blows without readers produce no text, and only damaged rows are written. Measured by counting for two rooms full of
/// fighters, not by timing.
#[test]
fn unread_blows_produce_no_text() {
    let mut pit = in_pit();
    pit.set_hp(99_999);
    for _ in 0..50 {
        pit.orc();
    }
    let (olad, room) = (pit.id("Olad"), pit.room("Olad").id);
    let orcs: Vec<CharacterId> =
        pit.game.turn.world.occupants(room).iter().copied().filter(|id| *id != olad).collect();
    for orc in &orcs {
        engage(&mut pit.game.turn, *orc, olad);
    }
    pit.break_link("Olad");
    let texts = pit.game.turn.blows.texts;
    pit.commits = false;
    pit.hears("Olad");
    let sequence = pit.game.turn.timers.len();
    pit.waits(ROUND);
    assert_eq!(pit.game.turn.blows.texts, texts, "no words for nobody");
    assert!(pit.game.cut().characters.put.len() <= 2, "Olad, and the one he strikes");
    assert_eq!(pit.game.turn.timers.len(), sequence, "one timer for the room");
    assert!(pit.hears("Olad").is_empty());
}

/// Forty rounds write only the rows of damaged characters, and produce no text once the only reader has left.
#[test]
fn fights_write_only_damaged_characters() {
    let mut pit = in_pit();
    pit.set_hp(1_000_000);
    let orc = pit.orc();
    pit.types("Olad", "kill orc");
    pit.break_link("Olad");
    // The errand boy of the town goes to sleep meanwhile.
    (0..5).for_each(|_| pit.waits(ROUND));
    let texts = pit.game.turn.blows.texts;
    let mut written = 0;
    for _ in 0..40 {
        let before = (pit.body("Olad").hp, pit.world().characters[orc].hp);
        pit.waits(ROUND);
        let after = (pit.body("Olad").hp, pit.world().characters[orc].hp);
        let hurt = usize::from(before.0 != after.0) + usize::from(before.1 != after.1);
        let rows = if hurt == 0 { 0 } else { pit.last_changes().characters.put.len() };
        assert!(rows <= hurt, "{rows} rows written, {hurt} hurt");
        written += rows;
    }
    assert!(written >= 40, "somebody was hurt");
    assert_eq!(pit.game.turn.blows.texts, texts, "nobody reads it");
}
