//! Manoeuvres: what creatures announce a round ahead, and the answers of those who fight them.

use crate::arena::{add_players, arena, changes, enemy};
use crate::table::{CATALOG, Table, changed_content};
use deepwell::base::{CharacterId, Span};
use deepwell::catalog::{Answer, BUILTIN, Catalog, Manoeuvre};
use deepwell::game::{Content, Input};
use std::sync::Arc;

const ROUND: Span = Span::secs(3);

/// Returns the shipped text of a file.
fn shipped(path: &str) -> &'static str {
    BUILTIN.iter().find(|(name, _)| *name == path).expect("a file").1
}

/// Puts Olad before an orc that announces this manoeuvre at every chance, and neither can fall.
fn before(key: &str) -> (Table, CharacterId) {
    let (mut table, orc) = before_orc();
    reload(&mut table, &orcs_announcing(key));
    (table, orc)
}

/// Puts Olad before an orc, and neither can fall.
fn before_orc() -> (Table, CharacterId) {
    let mut table = arena();
    table.becomes("Olad", 9_999, 5);
    let orc = enemy(&table);
    changes(&mut table, orc, |body| (body.hp, body.max_hp) = (9_000, 9_999));
    (table, orc)
}

pub(crate) fn reload(table: &mut Table, catalog: &Arc<Catalog>) {
    table.step(Input::Content { askers: Vec::new(), content: Content(Arc::clone(catalog)) });
}

/// Returns content with orcs that announce one manoeuvre at every chance.
pub(crate) fn orcs_announcing(key: &str) -> Arc<Catalog> {
    let orc =
        shipped("mobs/orc.toml").replacen("strikes =", &format!("manoeuvres = [\"{key}\"]\nstrikes ="), 1);
    let path = format!("manoeuvres/{key}.toml");
    let lines =
        shipped(&path).lines().filter(|line| !line.starts_with("percent")).chain(["percent = 100", ""]);
    let always = lines.collect::<Vec<_>>().join("\n");
    changed_content(&[("mobs/orc.toml", &orc), (&path, &always)])
}

/// Returns the longest part of a sentence of a manoeuvre that every reader reads alike.
fn mark(key: &str, sentence: &str) -> &'static str {
    mark_in(&format!("manoeuvres/{key}.toml"), sentence)
}

/// Returns the longest part of a sentence of a file that every reader reads alike.
pub(crate) fn mark_in(path: &str, sentence: &str) -> &'static str {
    let line = shipped(path).lines().find(|line| line.starts_with(sentence));
    let text = line.and_then(|line| line.split('"').nth(1)).expect("a sentence");
    let parts = text.split('{').map(|part| part.rsplit('}').next().unwrap_or_default());
    parts.max_by_key(|part| part.len()).expect("a part")
}

/// Answers of a player to what is announced, with the line to type.
const ANSWERS: [(Answer, &str); 4] = [
    (Answer::Guard, "guard"),
    (Answer::Dodge, "step aside"),
    (Answer::Interrupt, "interrupt"),
    (Answer::Strike, ""),
];

/// Each manoeuvre meets or misses after each answer as its file says, and tells which.
#[test]
fn each_answer_averts_what_it_should() {
    assert_eq!(ANSWERS.len(), Answer::ALL.len());
    let (before, orc) = before_orc();
    for (key, manoeuvre) in CATALOG.manoeuvres.iter() {
        let content = orcs_announcing(key);
        for (answer, line) in ANSWERS {
            let mut table = before.copy();
            reload(&mut table, &content);
            let reply = table.types("Olad", "kill orc");
            assert!(!reply.contains(mark(key, "announced")), "{key}: {reply}");
            table.waits(ROUND);
            let text = table.hears("Olad");
            assert!(text.contains(mark(key, "announced")), "{key}: {text}");
            let advice = text.lines().find(|line| line.starts_with("Answer: ")).unwrap_or_default();
            let name = if answer == Answer::Strike { "go on" } else { answer.name() };
            assert_eq!(advice.contains(name), manoeuvre.answers.contains(&answer), "{key}: {text}");
            let before = table.world().characters[orc].hp;
            let reply = if line.is_empty() { String::new() } else { table.types("Olad", line) };
            table.waits(ROUND);
            let text = reply + &table.hears("Olad");
            let is_averted = manoeuvre.answers.contains(&answer);
            if answer == Answer::Interrupt && is_averted {
                assert!(text.contains("what was coming"), "{key}: {text}");
                assert!(!text.contains(mark(key, "told")), "{key}: {text}");
            } else {
                assert_eq!(text.contains(mark(key, "averted")), is_averted, "{key}, {answer:?}: {text}");
                assert_eq!(text.contains(mark(key, "told")), !is_averted, "{key}, {answer:?}: {text}");
            }
            let has = |who: CharacterId, affect: &Option<String>| {
                let affects = &table.world().characters[who].affects;
                affect.as_ref().is_none_or(|key| affects.iter().any(|one| one.key == *key))
            };
            if is_averted {
                assert!(
                    manoeuvre.affect.is_none() || !has(table.id("Olad"), &manoeuvre.affect),
                    "{key}: {text}"
                );
                assert!(answer == Answer::Interrupt || has(orc, &manoeuvre.exposed), "{key}: {text}");
            } else {
                assert!(
                    has(table.id("Olad"), &manoeuvre.affect) && has(orc, &manoeuvre.own_affect),
                    "{key}: {text}"
                );
                assert!(
                    manoeuvre.heals_percent == 0 || table.world().characters[orc].hp > before,
                    "{key}: {text}"
                );
            }
        }
    }
}

/// A player who answers what is announced loses far less than one who only strikes.
#[test]
fn answers_halve_what_a_fight_costs() {
    let lost = |answers: bool| {
        let mut table = arena();
        let orc = enemy(&table);
        changes(&mut table, orc, |body| (body.hp, body.max_hp, body.attack) = (90_000, 90_000, 20));
        let all = "manoeuvres = [\"heavy_blow\", \"flurry\", \"pounce\", \"feint\", \"crush\"]\nstrikes =";
        let text = shipped("mobs/orc.toml").replacen("strikes =", all, 1);
        let content = changed_content(&[("mobs/orc.toml", &text)]);
        table.becomes("Olad", 60_000, 1);
        reload(&mut table, &content);
        table.types("Olad", "kill orc");
        for _ in 0..200 {
            table.waits(ROUND);
            let heard = table.hears("Olad");
            let advice =
                heard.lines().rev().find_map(|line| line.strip_prefix("Answer: ")).unwrap_or_default();
            let word = advice.split([' ', '.']).next().unwrap_or_default();
            if answers && ["guard", "dodge", "interrupt"].contains(&word) {
                table.types("Olad", word);
            }
        }
        60_000 - table.body("Olad").hp
    };
    let (idle, careful) = (lost(false), lost(true));
    assert!(careful * 10 < idle * 6, "{careful} with answers, {idle} without");
}

/// A guard halves ordinary blows, and a dodge does not.
#[test]
fn guard_halves_ordinary_blows() {
    let lost = |line: &str| {
        let mut table = arena();
        let orc = enemy(&table);
        changes(&mut table, orc, |body| (body.hp, body.max_hp, body.attack) = (90_000, 90_000, 40));
        table.becomes("Olad", 60_000, 1);
        table.types("Olad", "kill orc");
        for _ in 0..100 {
            table.types("Olad", line);
            table.waits(ROUND);
        }
        60_000 - table.body("Olad").hp
    };
    let [idle, guards, dodges] = ["look", "guard", "dodge"].map(lost);
    assert!((40..60).contains(&(guards * 100 / idle)), "{guards} of {idle}");
    assert!((80..120).contains(&(dodges * 100 / idle)), "{dodges} of {idle}");
}

/// An answer needs a fight, and takes the blow of the round.
#[test]
fn answers_need_a_fight_and_take_the_blow() {
    let (mut table, orc) = before("crush");
    assert_eq!(table.types("Olad", "guard"), "You guard in a fight, and nobody fights you.");
    assert!(table.types("Olad", "interrupt").contains("nobody fights you"));
    table.types("Olad", "kill orc");
    assert!(table.types("Olad", "interrupt").contains("Nothing here is about to do anything"));
    table.waits(ROUND);
    let before = table.world().characters[orc].hp;
    table.hears("Olad");
    table.types("Olad", "dodge");
    assert!(table.types("Olad", "guard").contains("find your feet first"), "one answer a round");
    table.waits(ROUND);
    assert!(table.world().characters[orc].hp >= before, "the answer took the blow");
}

/// A sweeping manoeuvre concerns all who fight the creature, each by their own answer, and nobody who looks on.
#[test]
fn sweeping_manoeuvres_meet_each_by_their_answer() {
    let (mut table, _) = before("wide_swing");
    add_players(&mut table, &["Bera", "Cato"]);
    reload(&mut table, &orcs_announcing("wide_swing"));
    table.types("Olad", "kill orc");
    table.types("Bera", "kill orc");
    table.waits(ROUND);
    let advice = "Answer: guard.";
    assert!(table.hears("Bera").contains(advice) && !table.hears("Cato").contains(advice));
    table.types("Bera", "guard");
    table.waits(ROUND);
    let text = table.hears("Olad");
    assert!(text.contains(mark("wide_swing", "told")), "{text}");
    assert!(!table.hears("Cato").contains("hurts you"));
}

/// A stunned creature loses what it had begun; a reload without the manoeuvre and a restart lose it without a word.
#[test]
fn announced_manoeuvres_can_be_lost() {
    let (mut table, orc) = before("crush");
    table.types("Olad", "kill orc");
    table.waits(ROUND);
    assert!(table.hears("Olad").contains(mark("crush", "announced")));
    table.restart();
    table.waits(ROUND);
    assert!(!table.hears("Olad").contains(mark("crush", "told")));
    reload(&mut table, &orcs_announcing("crush"));
    table.waits(ROUND);
    assert!(table.hears("Olad").contains(mark("crush", "announced")));
    reload(&mut table, &orcs_announcing("flurry"));
    reload(&mut table, &CATALOG);
    table.waits(ROUND);
    table.waits(ROUND);
    assert!(table.world().characters.get(orc).is_some());
}

/// Each answer alone averts some manoeuvre, and nearly every creature that fights has one, with differing answers over all
/// difficulties.
#[test]
fn manoeuvres_are_spread_over_creatures_and_answers() {
    let all: Vec<&Manoeuvre> = CATALOG.manoeuvres.values().collect();
    assert!(all.len() >= 12, "{}", all.len());
    for answer in Answer::ALL {
        assert!(all.iter().any(|one| one.answers == [answer]), "{answer:?}");
    }
    let fights = |one: &&deepwell::catalog::CreaturePrototype| one.guards() && one.weight > 0;
    let fighters: Vec<_> = CATALOG.creatures.values().filter(fights).collect();
    let armed = fighters.iter().filter(|one| !one.manoeuvres.is_empty()).count();
    assert!(armed * 10 >= fighters.len() * 9, "{armed} of {}", fighters.len());
    for difficulty in 0..=30 {
        let here = fighters.iter().filter(|one| one.appears_at(difficulty)).flat_map(|one| &one.manoeuvres);
        let kinds: std::collections::BTreeSet<&String> = here.collect();
        assert!(kinds.len() >= 4, "difficulty {difficulty}: {kinds:?}");
    }
}

/// Creatures of every kind whose attack is 0 strike and shoot no blow, announce none, and are called harmless.
#[test]
fn creatures_without_attack_never_strike() {
    let strikes = |manoeuvre: &&Manoeuvre| manoeuvre.strike_percent > 0;
    let blows: Vec<&str> =
        CATALOG.manoeuvres.values().filter(strikes).map(|one| mark(&one.key, "announced")).collect();
    let mut announced = 0;
    let (before, orc) = before_orc();
    for kind in CATALOG.creatures.values() {
        let mut table = before.copy();
        changes(&mut table, orc, |body| {
            (body.prototype, body.name, body.attack) = (Some(kind.key.clone()), kind.name.clone(), 0);
        });
        let noun = kind.name.split(' ').next_back().expect("a word");
        let explodes = kind.behaviours.iter().any(|part| part.name() == "explode");
        let mut text = table.types("Olad", &format!("consider {noun}"));
        assert_eq!(text.contains("A harmless fight"), !explodes, "{}: {text}", kind.key);
        if !explodes {
            table.waits(Span::secs(9));
            assert_eq!(table.body("Olad").target, None, "{} begins no fight", kind.key);
        }
        text += &table.types("Olad", &format!("kill {noun}"));
        for _ in 0..6 {
            table.waits(ROUND);
            text += &table.hears("Olad");
        }
        assert!(text.contains("You hit") || text.contains("You miss"), "{}: {text}", kind.key);
        assert!(explodes || !text.contains(" you for "), "{}: {text}", kind.key);
        assert!(!text.contains("misses you"), "{}: {text}", kind.key);
        assert!(!blows.iter().any(|blow| text.contains(blow)), "{}: {text}", kind.key);
        announced += usize::from(text.contains("Answer: "));
    }
    assert!(announced > 0, "other manoeuvres are still announced");
}
