//! What hangs on a body, stances, and the choice of rules, with content made for the test.

use super::*;
use crate::base::GameTime;
use crate::base::{Seed, SessionId, Span};
use crate::catalog::{BUILTIN, Catalog, RuleSet};
use crate::game::Game;
use crate::game::spawn;
use crate::game::{Effect, GameConfig, Input, Output};
use crate::world::{Settings, Snapshot};
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

/// A game in whose first room Olad stands, with nothing against him.
struct Pit {
    game: Game,
    now: GameTime,
    read: Vec<String>,
    olad: CharacterId,
}

fn catalog(racket: bool) -> Arc<Catalog> {
    let mut files: Vec<(String, String)> =
        BUILTIN.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect();
    for (key, text) in [("venom", VENOM), ("salve", SALVE), ("oath", OATH), ("glue", GLUE), ("bell", BELL)] {
        files.push((format!("affects/test_{key}.toml"), text.to_owned()));
    }
    if racket {
        let well = files.iter_mut().find(|(path, _)| path == "themes/well.toml").unwrap();
        well.1 = well.1.replacen("difficulty_per_floor =", "rules = \"racket\"\ndifficulty_per_floor =", 1);
    }
    Arc::new(Catalog::load(&files).unwrap())
}

impl Pit {
    fn new() -> Self {
        Self::with(catalog(false))
    }

    fn with(catalog: Arc<Catalog>) -> Self {
        let config = GameConfig { seed: Seed(1), ..GameConfig::default() };
        let game = Game::load(catalog, config, Snapshot::default()).unwrap();
        let mut pit = Self { game, now: GameTime(1_800_000_000_000), read: Vec::new(), olad: CharacterId(0) };
        let session = SessionId(1);
        let pre_login = Settings::default();
        pit.step(Input::Create { session, name: "Olad".into(), credential: String::new(), pre_login });
        pit.olad = pit.game.turn.world.character_by_name("Olad").unwrap();
        pit.types("down");
        pit.types("east");
        let room = pit.room();
        for mob in pit.game.turn.world.occupants(room).to_vec().into_iter().filter(|id| *id != pit.olad) {
            pit.game.turn.world.remove_character(mob);
        }
        pit
    }

    fn step(&mut self, input: Input) {
        let mut effects = Vec::new();
        self.game.step(self.now, input, &mut effects);
        let wrong = self.game.check();
        assert!(wrong.is_empty(), "{wrong:?}");
        for effect in effects {
            if let Effect::Output { output: Output::Text(_, text), .. } = effect {
                self.read.push(text.text().to_owned());
            }
        }
    }

    fn types(&mut self, line: &str) -> String {
        self.read.clear();
        self.step(Input::Command { session: SessionId(1), line: line.into() });
        self.hears()
    }

    fn hears(&mut self) -> String {
        std::mem::take(&mut self.read).join("\n")
    }

    fn waits(&mut self, span: Span) -> String {
        self.read.clear();
        let until = self.now + span;
        while let Some(due) = self.game.next_deadline().filter(|due| *due <= until) {
            self.now = self.now.max(due);
            self.step(Input::Wake);
        }
        self.now = until;
        self.step(Input::Wake);
        self.hears()
    }

    fn restarts(&mut self) {
        let stored = self.game.turn.world.snapshot();
        let (catalog, config) = (Arc::clone(&self.game.turn.catalog), self.game.turn.config.clone());
        self.game = Game::load(catalog, config, stored).unwrap();
        let account = self.game.turn.world.characters[self.olad].account.unwrap();
        let (session, pre_login) = (SessionId(1), Settings::default());
        self.step(Input::Login { session, account, name: "Olad".into(), pre_login });
    }

    fn room(&self) -> RoomId {
        self.game.turn.world.characters[self.olad].room
    }

    /// An orc that lives for ever, just come.
    fn orc(&mut self) -> CharacterId {
        let room = self.room();
        let branch = self.game.turn.world.rooms[room].branch;
        let orc = spawn::spawn_mob(&mut self.game.turn, "orc", room, branch).unwrap();
        let now = self.now;
        let body = self.game.turn.world.characters.edit(orc).unwrap();
        (body.hp, body.max_hp, body.arrived_at) = (99_999, 99_999, now);
        orc
    }

    fn hp(&self) -> i32 {
        body::hp(&self.game.turn, self.olad)
    }

    fn set_hp(&mut self, hp: i32) {
        let body = self.game.turn.world.characters.edit(self.olad).unwrap();
        (body.hp, body.max_hp) = (hp, body.max_hp.max(hp));
    }

    fn gets(&mut self, key: &str, rounds: Option<u32>) {
        let olad = self.olad;
        affects::apply_affect(&mut self.game.turn, olad, &format!("test_{key}"), rounds);
        self.step(Input::Wake);
    }
}

/// An affect is told when it begins and when it ends, adds its numbers meanwhile, and ends to the millisecond.
#[test]
fn an_affect_begins_lasts_and_ends() {
    let mut pit = Pit::new();
    let olad = pit.olad;
    let numbers = |pit: &Pit| {
        (
            body::attack_of(&pit.game.turn, olad),
            body::defence_of(&pit.game.turn, olad),
            body::max_hp_of(&pit.game.turn, olad),
            body::hp(&pit.game.turn, olad),
        )
    };
    assert_eq!(numbers(&pit), (5, 2, 30, 30));
    pit.read.clear();
    pit.gets("oath", None);
    assert_eq!(pit.hears(), "You stand straighter.");
    assert_eq!(numbers(&pit), (8, 1, 40, 30));
    assert!(pit.types("affects").contains("Sworn, for 6 seconds: Attack 3"));
    pit.gets("oath", Some(1));
    assert_eq!(pit.hears(), "", "it hangs there already, and for longer");
    assert_eq!(pit.waits(Span::millis(5_999)), "");
    assert_eq!(numbers(&pit).0, 8);
    assert_eq!(pit.waits(Span::millis(1)), "Your shoulders sink.");
    assert_eq!(numbers(&pit), (5, 2, 30, 30));
    assert!(pit.types("affects").contains("Nothing hangs on you"));
}

/// However long something hangs on a body, and however often it is looked at, one reminder waits for it: in a fight that
/// waits for its player too, whose end may be told while it is behind.
#[test]
fn what_hangs_on_a_body_has_one_reminder() {
    for waits in [false, true] {
        let mut pit = Pit::new();
        pit.set_hp(30_000);
        pit.gets("venom", Some(10));
        pit.gets("salve", Some(20));
        if waits {
            pit.types("config wait on");
            pit.orc();
            pit.types("kill orc");
        }
        let before = pit.game.stats().timers;
        pit.waits(Span::secs(45));
        assert!(pit.game.stats().timers <= before + 1, "{waits}: {} timers", pit.game.stats().timers);
        if waits {
            assert!(pit.types("affects").contains("Poisoned, for 0 seconds"), "{}", pit.types("affects"));
        }
    }
}

/// Nobody strikes who was helped up a moment ago, not even to begin a fight.
#[test]
fn a_fight_does_not_begin_with_a_blow_at_the_helped() {
    let mut pit = Pit::new();
    let orc = pit.orc();
    let now = pit.now;
    pit.game.turn.world.characters.edit(orc).unwrap().attack = 20;
    let olad = pit.game.turn.world.characters.edit(pit.olad).unwrap();
    (olad.safe_until, olad.arrived_at) = (Some(now + ROUND), now);
    for _ in 0..10 {
        engage(&mut pit.game.turn, orc, pit.olad);
        stop_fights_of(&mut pit.game.turn, orc);
        pit.game.turn.rounds.clear();
    }
    assert_eq!(pit.hp(), 30);
}

/// What bleeds takes its toll once a round for as many rounds as it lasts; what mends gives as much as there is room
/// for. Nothing else is written meanwhile.
#[test]
fn poison_and_salve_come_once_a_round() {
    let mut pit = Pit::new();
    pit.gets("venom", None);
    let read = pit.waits(Span::secs(60));
    assert_eq!(read.matches("You are poisoned: two points lost.").count(), 5, "{read}");
    assert!(read.ends_with("The cold fire dies down."), "{read}");
    let mut pit = Pit::new();
    pit.set_hp(30);
    pit.gets("venom", None);
    pit.waits(ROUND);
    assert_eq!(pit.hp(), 28);
    pit.game.cut();
    pit.waits(Span::millis(2_999));
    assert!(pit.game.cut().is_empty(), "between two rounds nothing is written");
    pit.gets("salve", None);
    pit.waits(Span::secs(3));
    assert_eq!(pit.hp(), 29, "28 - 2 + 3");
    let mut pit = Pit::new();
    pit.set_hp(29);
    pit.gets("salve", None);
    let read = pit.waits(Span::secs(30));
    assert_eq!(read.matches("better").count(), 1, "only what there is room for: {read}");
    assert_eq!(pit.hp(), 30);
}

/// Affects are rows: a restart goes on with them, and ends what came to its end meanwhile.
#[test]
fn affects_outlive_a_restart() {
    let mut pit = Pit::new();
    pit.gets("venom", Some(20));
    pit.gets("oath", None);
    pit.waits(ROUND);
    let before = pit.hp();
    pit.restarts();
    assert!(
        body::has_affect(&pit.game.turn, pit.olad, "test_venom")
            && body::has_affect(&pit.game.turn, pit.olad, "test_oath")
    );
    pit.waits(Span::secs(6));
    assert!(!body::has_affect(&pit.game.turn, pit.olad, "test_oath"), "three rounds are over");
    assert!(pit.hp() < before, "the poison goes on");
    pit.now = pit.now + Span::mins(10);
    pit.restarts();
    pit.waits(Span::millis(1));
    assert!(!body::has_affect(&pit.game.turn, pit.olad, "test_venom"));
}

/// Poison kills, and whoever fights the victim has slain it.
#[test]
fn poison_kills() {
    let mut pit = Pit::new();
    let orc = pit.orc();
    pit.set_hp(900);
    pit.types("kill orc");
    let body = pit.game.turn.world.characters.edit(orc).unwrap();
    (body.hp, body.defence) = (2, 9_999);
    body.attack = 0;
    pit.game.turn.world.characters.edit(pit.olad).unwrap().attack = 0;
    affects::apply_affect(&mut pit.game.turn, orc, "test_venom", None);
    let read = pit.waits(Span::secs(3));
    assert!(pit.game.turn.world.characters.get(orc).is_none() && read.contains("experience"), "{read}");
    let mut pit = Pit::new();
    pit.set_hp(3);
    pit.gets("venom", None);
    let read = pit.waits(Span::secs(12));
    assert!(
        read.contains("You fall.") && pit.game.turn.world.characters[pit.olad].branch.is_none(),
        "{read}"
    );
    assert!(pit.game.turn.world.characters[pit.olad].affects.is_empty(), "who is out has left it behind");
}

/// R20: what holds keeps one in the room; each struggle, one a round, takes a round off it.
#[test]
fn what_holds_can_be_struggled_with() {
    let mut pit = Pit::new();
    assert!(pit.types("struggle").contains("Nothing holds you"));
    pit.gets("glue", None);
    let room = pit.room();
    assert!(pit.types("west").contains("held fast. struggle"));
    assert_eq!(pit.room(), room);
    assert!(pit.types("struggle").contains("still holds you"));
    assert!(pit.types("struggle").contains("no strength left to struggle for another 3 seconds"));
    assert_eq!(pit.waits(Span::millis(2_999)), "");
    pit.waits(Span::millis(1));
    assert!(pit.types("struggle").contains("Your boots come loose."), "two struggles and one round of three");
    pit.types("west");
    assert_ne!(pit.room(), room);
    let mut pit = Pit::new();
    pit.gets("glue", Some(1));
    assert!(pit.types("struggle").contains("come loose"), "one round is gone with one struggle");
    let mut pit = Pit::new();
    pit.orc();
    pit.set_hp(900);
    pit.gets("glue", None);
    pit.types("kill orc");
    assert!(pit.types("flee").contains("held fast"), "nobody flees who is held");
}

/// R16: who is stunned strikes no blow and does not run, for as long as it lasts.
#[test]
fn the_stunned_strike_no_blow() {
    let mut pit = Pit::new();
    let orc = pit.orc();
    pit.set_hp(9_000);
    pit.types("kill orc");
    pit.gets("bell", Some(2));
    affects::apply_affect(&mut pit.game.turn, orc, "test_bell", Some(3));
    assert!(pit.types("flee").contains("stunned"));
    let (mine, its) = (pit.hp(), body::hp(&pit.game.turn, orc));
    let read = pit.waits(ROUND);
    assert_eq!((pit.hp(), body::hp(&pit.game.turn, orc)), (mine, its), "{read}");
    assert!(read.contains("You are stunned and strike no blow."));
    let read = pit.waits(Span::secs(60));
    assert!(pit.hp() < mine && body::hp(&pit.game.turn, orc) < its && read.contains("Your head clears."));
}

/// T17: in wait mode what hangs on one lasts as many rounds as it says, however long one thinks between them.
#[test]
fn affects_wait_with_the_rounds() {
    let mut pit = Pit::new();
    let orc = pit.orc();
    pit.set_hp(9_000);
    pit.game.turn.world.characters.edit(orc).unwrap().attack = 0;
    pit.types("config wait on");
    pit.types("kill orc");
    pit.gets("venom", Some(4));
    for pause in [600, 0, 1, 45] {
        assert_eq!(pit.waits(Span::secs(pause)), "", "{pause}");
        let read = pit.types("wait");
        assert_eq!(read.matches("two points lost").count(), 1, "{pause}: {read}");
    }
    pit.waits(Span::secs(100));
    let read = pit.types("wait");
    assert!(!read.contains("lost"), "it was over after four: {read}");
    assert!(!body::has_affect(&pit.game.turn, pit.olad, "test_venom"));
}

/// T17, T20: who waits for a round is ready even for one who has stood there as long; the stance ends with the fight.
#[test]
fn a_stance_strikes_first() {
    for (waits, first) in [(false, false), (true, true)] {
        let mut pit = Pit::new();
        let orc = pit.orc();
        pit.set_hp(9_000);
        if waits {
            pit.types("wait");
        }
        pit.waits(Span::secs(10));
        engage(&mut pit.game.turn, orc, pit.olad);
        pit.step(Input::Wake);
        let read = pit.hears();
        assert_eq!(read.contains("You were waiting for that and strike first."), first, "{read}");
        let mine = read.lines().any(|line| line.starts_with("You hit") || line.starts_with("You miss"));
        assert_eq!(mine, first, "{read}");
        assert!(!pit.game.turn.fights.is_anybody_ready());
    }
    let mut pit = Pit::new();
    pit.types("wait");
    pit.types("west");
    assert!(!pit.game.turn.fights.is_anybody_ready(), "a step ends it");
}

/// R25: a theme chooses the rule set. Under `racket` players count as 10 and 10, harm to them is scaled to 30 of 100
/// hit points, and creatures have their own table if they have one.
#[test]
fn a_theme_chooses_its_rules() {
    let pit = Pit::new();
    assert_eq!(body::rules_of(&pit.game.turn, pit.room()), RuleSet::Powers);
    let mut pit = Pit::with(catalog(true));
    assert_eq!(body::rules_of(&pit.game.turn, pit.room()), RuleSet::Racket);
    let orc = pit.orc();
    pit.set_hp(99_999);
    let body = pit.game.turn.world.characters.edit(orc).unwrap();
    // Converted like a player's: 15 and 10 of the other rules.
    (body.attack, body.defence) = (10, 2);
    pit.game.turn.world.characters.edit(pit.olad).unwrap().arrived_at = GameTime(0);
    pit.types("kill orc");
    let (mut most, mut hits, rounds) = ((0, 0), (0, 0), 4_000);
    for _ in 0..rounds {
        let before = (pit.hp(), body::hp(&pit.game.turn, orc));
        pit.waits(ROUND);
        let lost = (before.0 - pit.hp(), before.1 - body::hp(&pit.game.turn, orc));
        most = (most.0.max(lost.0), most.1.max(lost.1));
        hits = (hits.0 + usize::from(lost.0 > 0), hits.1 + usize::from(lost.1 > 0));
    }
    assert_eq!(most, (5, 9), "14 of 100 is five of 30; nine is the most below ten");
    // 10 against 10 hurts in 45 of 100 pairs, 15 against 10 in 63 (and a third): to within 3.
    assert!((1_680..=1_920).contains(&hits.1), "Olad's: {}", hits.1);
    assert!((2_410..=2_660).contains(&hits.0), "the orc's: {}", hits.0);
}

/// Blows that nobody reads are not put into words, and who is hurt is all that is written: two rooms full of fighters
/// are counted, not timed.
#[test]
fn a_crowd_costs_what_it_does() {
    let mut pit = Pit::new();
    pit.set_hp(99_999);
    for _ in 0..50 {
        pit.orc();
    }
    let room = pit.room();
    let orcs: Vec<CharacterId> =
        pit.game.turn.world.occupants(room).iter().copied().filter(|id| *id != pit.olad).collect();
    for orc in &orcs {
        engage(&mut pit.game.turn, *orc, pit.olad);
    }
    pit.step(Input::Lost { session: SessionId(1) });
    let texts = pit.game.combat_texts();
    pit.game.cut();
    let sequence = pit.game.turn.timers.len();
    pit.waits(ROUND);
    assert_eq!(pit.game.combat_texts(), texts, "no words for nobody");
    assert!(pit.game.cut().characters.put.len() <= 2, "Olad, and the one he strikes");
    assert_eq!(pit.game.turn.timers.len(), sequence, "one timer for the room");
    assert!(pit.read.is_empty());
}
