//! Answers of `consider`, for every creature and any company on both sides.

use crate::arena::{arena, changes, enemy, more_orcs};
use crate::table::{CATALOG, Table};
use deepwell::base::CharacterId;
use deepwell::catalog::CreaturePrototype;
use deepwell::text::grammar;

/// Maximum number of words of the answer.
const WORDS_MAX: usize = 25;

/// Number of creatures beside the considered one.
const OTHERS: u64 = 20;

/// Puts Olad before a creature of a kind with `hp` hit points. Of the others, the first `foes` fight Olad, and the rest are his
/// companions.
fn faces(table: &mut Table, all: &[CharacterId], kind: &CreaturePrototype, hp: i32, foes: usize) {
    let olad = table.body("Olad").id;
    table.edit_stored(|stored| {
        for (at, id) in all.iter().enumerate() {
            let Some(body) = stored.characters.get_mut(id) else { continue };
            (body.prototype, body.name) = (Some(kind.key.clone()), kind.name.clone());
            (body.hp, body.attack) = (hp, kind.attack.cast_signed());
            (body.defence, body.affects) = (kind.defence.cast_signed(), Vec::new());
            let fights = at <= foes;
            (body.target, body.master) = (fights.then_some(olad), (!fights).then_some(olad));
        }
        let body = stored.characters.get_mut(&olad).expect("Olad");
        (body.hp, body.target) = (9_999, Some(all[0]));
    });
}

/// `consider` takes at most 25 words, without a sign that is not read aloud, and counts those that fight.
#[test]
fn consider_is_short_and_counts_for_every_creature() {
    for (hp, foes) in [(9_999, 0), (1, 7), (5_000, 20)] {
        let mut table = arena();
        table.becomes("Olad", 9_999, 1);
        let mut all = vec![enemy(&table)];
        all.extend(more_orcs(&mut table, OTHERS));
        for kind in CATALOG.creatures.values() {
            faces(&mut table, &all, kind, hp, foes);
            let answer = table.types("Olad", "consider");
            let sentence = answer.lines().find(|line| line.contains(" Escape: ")).unwrap_or(&answer);
            let count = sentence.split_whitespace().count();
            assert!(count <= WORDS_MAX, "{}: {count} words: {sentence}", kind.key);
            let is_spoken = |sign: char| sign.is_alphanumeric() || " .,:'-".contains(sign);
            assert!(sentence.chars().all(is_spoken), "{}: {sentence}", kind.key);
            let company = match foes {
                0 => "fights alone.".to_owned(),
                _ => format!("fights beside {} others.", grammar::number(foes)),
            };
            assert!(sentence.contains(&company) && sentence.contains("Escape: "), "{}: {sentence}", kind.key);
        }
    }
}

/// Companions shorten the fight that `consider` predicts, and the answer says so.
#[test]
fn consider_adds_the_blows_of_companions() {
    let mut table = arena();
    let orc = enemy(&table);
    let olad = table.body("Olad").id;
    changes(&mut table, orc, |body| (body.hp, body.attack) = (60, 3));
    let alone = table.types("Olad", "consider orc");
    assert!(alone.contains("about 15 rounds to win, 29 to fall."), "{alone}");
    let friend = more_orcs(&mut table, 1)[0];
    changes(&mut table, friend, |body| (body.master, body.attack) = (Some(olad), 15));
    let with_a_friend = table.types("Olad", "consider 1.orc");
    assert!(with_a_friend.contains(" together: about four rounds to win, 29 to fall."), "{with_a_friend}");
    let refused = table.types("Olad", "consider 2.orc");
    assert!(refused.contains("on your side"), "{refused}");
}
