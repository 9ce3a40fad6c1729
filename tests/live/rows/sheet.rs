//! Experience, levels and the score sheet.

use crate::rows::delver::{Delver, hero_server};
use crate::server::Server;

/// Returns the number after a name on the score sheet.
pub(super) fn value(sheet: &str, name: &str) -> i64 {
    let line = sheet.lines().find_map(|line| line.strip_prefix(&format!("{name}: ")));
    line.and_then(|value| value.parse().ok()).unwrap_or_else(|| panic!("no {name} in {sheet}"))
}

#[test]
fn t9_t11_t15_t17_c6_new_character_has_default_stats() {
    let server = Server::start(&[]);
    let mut olad = server.create("Olad");
    let sheet = olad.ask("score");
    let six = ["Level", "Experience", "Experience to level up", "Maximum HP", "Attack", "Defence"];
    assert_eq!(six.map(|name| value(&sheet, name)), [1, 0, 350, 30, 5, 2]);
    assert!(olad.ask("wait").contains("wait"));
    assert!(olad.ask("hp").contains("30 of 30"));
    let other = hero_server(&[]);
    let sheet = other.create("Olad").ask("score");
    assert_eq!(value(&sheet, "Maximum HP"), 90_000, "a number of the rules is content");
}

#[test]
fn t12_t13_t14_t16_t18_fights_give_experience_and_levels() {
    let server = hero_server(&["world.seed=6"]);
    let mut olad = Delver::create(&server, "Olad");
    olad.all(&["down", "north"]);
    for _ in 0..60 {
        if olad.told.contains("you have reached level 3") {
            break;
        }
        assert!(olad.open_a_room());
    }
    let kill = olad.told.lines().find(|line| line.contains(" is dead, and you gain ")).expect("a kill");
    assert!(kill.contains(" experience"), "{kill}");
    let [second, third] =
        ["level 2.", "level 3."].map(|level| olad.told.find(&format!("you have reached {level}")));
    assert!(second.is_some() && second < third, "one after the other");
    let menu = olad.ask("train");
    for choice in ["train constitution", "train strength", "train agility"] {
        assert!(menu.contains(choice), "{menu}");
    }
    assert!(menu.contains("from 90000"), "what one has: {menu}");
    let answer = olad.ask("train patience");
    assert!(answer.contains("constitution"), "it asks again: {answer}");
    let before = value(&olad.ask("score"), "Maximum HP");
    olad.ask("train constitution");
    assert_eq!(value(&olad.ask("score"), "Maximum HP"), before + 20);
    let menu = olad.ask("train");
    assert!(menu.matches("train ").count() > 3, "abilities are offered beside the numbers: {menu}");
    // Only the stairs require pending training choices first.
    assert!(olad.open_a_room());
}
