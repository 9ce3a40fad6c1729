//! Combat, potions and armour, in a hand-built room where fighting is allowed.

use crate::rows::delver::{Delver, hero_server_with};
use crate::rows::sheet::value;
use crate::server::Server;

/// Starts a server with the shipped combat numbers, except for more hit points and short rounds.
pub(super) fn plain_server(changes: &[(&str, &str, &str)], settings: &[&str]) -> Server {
    let plain = [
        ("rules.toml", "\nhp = 90000\n", "\nhp = 900\n"),
        ("rules.toml", "\nattack = 9000\n", "\nattack = 5\n"),
        ("rules.toml", "\nhit_percent = 100\n", "\nhit_percent = 80\n"),
    ];
    hero_server_with(&[&plain, changes].concat(), settings)
}

/// Puts the owner into a newly dug room where fighting is allowed.
pub(super) fn owner_in_pit(server: &Server) -> Delver {
    let mut olad = Delver::owner(server, "Olad");
    olad.all(&["east", "dig Pit = hatch, out", "hatch", "set here fights = yes"]);
    olad
}

/// Returns the first number, in digits or words, of each line that starts with `begins` and contains `ends`.
pub(super) fn points(text: &str, begins: &str, ends: &str) -> Vec<i64> {
    let words = [
        "no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
        "twelve",
    ];
    let number = |word: &str| {
        word.parse()
            .ok()
            .or_else(|| words.iter().position(|one| *one == word).and_then(|at| i64::try_from(at).ok()))
    };
    let lines = text.lines().filter(|line| line.starts_with(begins) && line.contains(ends));
    lines.filter_map(|line| line.split_whitespace().find_map(number)).collect()
}

/// Fights a creature until it is dead; returns the output.
fn fight(delver: &mut Delver, name: &str) -> String {
    let mut text = delver.ask(&format!("kill {name}"));
    for _ in 0..400 {
        if text.contains(" is dead") {
            return text;
        }
        delver.client.read_for(std::time::Duration::from_millis(50));
        text += "\n";
        text += &delver.ask("");
    }
    panic!("{name} stands: {text}");
}

#[test]
fn t8_t10_t19_orcs_are_fought_alone_and_in_groups() {
    let server = plain_server(&[], &["world.seed=7"]);
    let mut olad = owner_in_pit(&server);
    olad.ask("spawn orc");
    let text = fight(&mut olad, "orc");
    let given = points(&text, "You hit the orc for ", "point");
    assert!(
        given.iter().all(|harm| (4..=6).contains(harm)) && given.iter().sum::<i64>() >= 10,
        "5 less 0: {text}"
    );
    let taken = points(&text, "The orc ", "you for ");
    assert!(taken.iter().all(|harm| (1..=2).contains(harm)), "3 less 2: {text}");
    assert!(text.contains("you gain 35 experience"), "{text}");

    let mut bera = Delver::create(&server, "Bera");
    bera.all(&["east", "hatch"]);
    olad.ask("party invite Bera");
    bera.ask("party accept");
    olad.ask("spawn orc");
    assert!(fight(&mut olad, "orc").contains("you gain 28 experience"), "four fifths for each of two");
    assert_eq!(value(&bera.ask("score"), "Experience"), 28);

    // No creature attacks while it is being examined.
    olad.all(&["set here fights = no", "spawn rat", "spawn troll", "spawn iron_minotaur"]);
    let rounds = ["rat", "troll", "iron minotaur"].map(|name| {
        let answer = olad.ask(&format!("consider {name}"));
        let (_, fall) = answer.split_once(" to win, ").expect("an estimate");
        points(fall, "", " to fall.")[0]
    });
    assert!(
        rounds[0] > rounds[1] && rounds[1] > rounds[2],
        "the deeper its home, the sooner one falls: {rounds:?}"
    );
}

#[test]
fn r2_r3_r4_armour_weapons_and_potions_have_ruled_effects() {
    let server = plain_server(&[], &[]);
    let mut olad = owner_in_pit(&server);
    for (key, word, defence) in [
        ("leather_armour", "leather", 1),
        ("chain_mail", "chain", 2),
        ("plate_armour", "plate", 3),
        ("enchanted_armour", "enchanted", 5),
    ] {
        olad.all(&[&format!("spawn {key}"), &format!("get {word}"), &format!("wear {word}")]);
        assert_eq!(value(&olad.ask("score"), "Defence"), 2 + defence, "{key}");
        olad.all(&[&format!("remove {word}"), &format!("drop {word}")]);
    }
    for (key, word, attack) in [
        ("club", "club", 1),
        ("dagger", "dagger", 2),
        ("battle_axe", "axe", 3),
        ("longsword", "longsword", 3),
        ("magic_sword", "magic", 5),
    ] {
        olad.all(&[&format!("spawn {key}"), &format!("get {word}"), &format!("wield {word}")]);
        assert_eq!(value(&olad.ask("score"), "Attack"), 5 + attack, "{key}");
        olad.all(&[&format!("remove {word}"), &format!("drop {word}")]);
    }
    olad.all(&["spawn health_potion", "get health"]);
    assert!(olad.ask("use health potion").contains("wasted"), "nothing is drunk by somebody who is whole");
    olad.ask("set here on_enter = harm 40");
    olad.all(&["out", "hatch", "set here on_enter ="]);
    let hp = |answer: String| {
        answer.split_whitespace().next().and_then(|word| word.parse::<i64>().ok()).expect("hit points")
    };
    let before = hp(olad.ask("hp"));
    olad.ask("use health potion");
    let after = hp(olad.ask("hp"));
    assert!((10..=14).contains(&(after - before)), "ten, and what heals by itself: {before}, {after}");
    assert!(!olad.ask("inventory").contains("health potion"), "it is gone");
}
