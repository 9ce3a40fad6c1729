//! Props: what the text of a room names, and a fighter can use once in each fight.

use crate::arena::{add_players, arena, changes, enemy, more_orcs};
use crate::manoeuvres::{mark_in, orcs_announcing, reload};
use crate::table::{CATALOG, Table};
use deepwell::base::{CharacterId, Span};
use deepwell::catalog::{Answer, Prop, RoomFlag};
use deepwell::game::{Class, Package};
use std::collections::BTreeSet;

const ROUND: Span = Span::secs(3);

/// Puts Olad before an orc, with Cato as an onlooker, in a room with this text. Players cannot fall.
fn room_with(text: &str) -> (Table, CharacterId) {
    let mut table = arena();
    add_players(&mut table, &["Cato"]);
    table.becomes("Olad", 9_999, 5);
    let orc = enemy(&table);
    changes(&mut table, orc, |body| (body.hp, body.max_hp) = (9_000, 9_999));
    rewrite(&mut table, text);
    (table, orc)
}

/// Changes the text of Olad's room.
fn rewrite(table: &mut Table, text: &str) {
    let room = table.room("Olad").id;
    table.edit_stored(|stored| {
        text.clone_into(&mut stored.rooms.get_mut(&room).expect("a room").sheet.description);
    });
}

/// Returns the lines that `Char.Actions` offers for props.
fn offered(table: &mut Table) -> Vec<String> {
    table.wants("Olad", [Package::Actions]);
    let list = table.news("Olad", "Char.Actions.List").pop().expect("a list");
    let lines = list.as_array().expect("a list").iter().filter_map(|action| action["command"].as_str());
    lines.filter(|line| line.starts_with("use ")).map(str::to_owned).collect()
}

/// Returns the longest part of the sentence of a prop that every reader reads alike.
fn told(prop: &Prop) -> &'static str {
    let path = format!("props/{}.toml", prop.key);
    mark_in(&path, "told")
}

/// Returns the text of a room that names a word.
fn text_with(noun: &str) -> String {
    format!("Grey rock closes the sides. Here is the {noun}.")
}

fn has(table: &Table, who: CharacterId, affect: Option<&String>) -> bool {
    let affects = &table.world().characters[who].affects;
    affect.is_none_or(|key| affects.iter().any(|one| one.key == *key))
}

#[test]
fn each_prop_is_used_once_where_the_room_names_it() {
    let (before, orc) = room_with("Grey rock closes the sides.");
    for prop in CATALOG.props.values() {
        for noun in &prop.nouns {
            let mut table = before.copy();
            rewrite(&mut table, &text_with(noun));
            let line = format!("You can use the {noun} here.");
            let reply = table.types("Olad", "kill orc");
            assert_eq!(reply.matches(&line).count(), 1, "{reply}");
            assert!(table.hears("Cato").contains(&line), "{noun}");
            let command = format!("use {noun}");
            assert_eq!(offered(&mut table), [command.as_str()]);
            let reply = table.types("Olad", &command);
            assert!(reply.contains(told(prop)), "{noun}: {reply}");
            assert!(table.hears("Cato").contains(told(prop)), "{noun}");
            assert!(has(&table, orc, prop.affect.as_ref()), "{noun}");
            assert!(has(&table, table.id("Olad"), prop.own_affect.as_ref()), "{noun}");
            let struck = reply.contains("You hit the orc") || reply.contains("You miss the orc");
            assert_eq!(struck, prop.strike_percent > 0, "{noun}: {reply}");
            assert!(offered(&mut table).is_empty(), "{noun}");
            let again = table.types("Olad", &command);
            assert_eq!(again, format!("The {noun} can be used once in a fight, and was."));
            table.waits(ROUND);
            assert!(!table.hears("Olad").contains(&line), "{noun}: told once");
        }
    }
}

/// The use of a prop averts what its answer averts, and what a stunned creature loses.
#[test]
fn use_of_each_prop_counts_as_its_answer() {
    let (before, _) = room_with("Grey rock closes the sides.");
    for prop in CATALOG.props.values() {
        let mut here = before.copy();
        rewrite(&mut here, &text_with(&prop.nouns[0]));
        for (key, manoeuvre) in CATALOG.manoeuvres.iter() {
            let mut table = here.copy();
            reload(&mut table, &orcs_announcing(key));
            table.types("Olad", "kill orc");
            table.waits(ROUND);
            let path = format!("manoeuvres/{key}.toml");
            assert!(table.hears("Olad").contains(mark_in(&path, "announced")), "{key}");
            let reply = table.types("Olad", &format!("use {}", prop.nouns[0]));
            table.waits(ROUND);
            let text = reply + &table.hears("Olad");
            let is_lost = prop.affect.as_deref() == Some("stunned");
            let is_averted = is_lost || manoeuvre.answers.contains(&prop.counts_as);
            let sentence = mark_in(&path, "told");
            assert_eq!(text.contains(sentence), !is_averted, "{}, {key}: {text}", prop.key);
            let is_broken_off = is_averted && prop.counts_as == Answer::Interrupt;
            assert_eq!(text.contains("what was coming"), is_broken_off, "{}, {key}: {text}", prop.key);
        }
    }
}

#[test]
fn use_of_a_prop_is_refused_with_a_reason() {
    let (mut table, _) = room_with(&text_with("ledge"));
    assert_eq!(table.types("Olad", "use ledge"), "You use the ledge in a fight, and nobody fights you.");
    assert_eq!(table.types("Olad", "use pool"), "You have no \"pool\".");
    table.types("Olad", "kill orc");
    assert_eq!(table.types("Olad", "use pool"), "You have no \"pool\".");
    table.types("Olad", "guard");
    assert!(table.types("Olad", "use ledge").contains("find your feet first"), "one answer a round");
    table.waits(ROUND);
    let heard = table.types_messages("Olad", "use shelf");
    assert!(heard.iter().all(|heard| heard.class != Class::Refusal), "another word for it: {heard:?}");
}

/// `drink` and `eat` take what is carried, a command of the room, or nothing, and never a prop: thirst costs no round.
#[test]
fn drinking_is_no_use_of_a_prop() {
    let (before, _) = room_with("Grey rock closes the sides.");
    for prop in CATALOG.props.values() {
        let noun = &prop.nouns[0];
        let mut table = before.copy();
        rewrite(&mut table, &text_with(noun));
        for begins in ["look", "kill orc"] {
            table.types("Olad", begins);
            for verb in ["drink", "quaff", "eat"] {
                let reply = table.types("Olad", &format!("{verb} {noun}"));
                let answer = format!("You neither drink nor eat the {noun}. In a fight, type use {noun}.");
                assert_eq!(reply, answer);
            }
        }
        assert!(table.types("Olad", &format!("use {noun}")).contains(told(prop)), "{noun}: not used before");
    }
    let mut table = before.copy();
    rewrite(&mut table, &text_with("pool"));
    crate::hoard::grant(&mut table, "Olad", &[("torch_stub", 1), ("antidote", 1)]);
    table.types("Olad", "kill orc");
    for carried in ["antidote", "torch"] {
        let reply = table.types("Olad", &format!("drink {carried}"));
        assert!(!reply.contains("neither") && !reply.contains("You have no"), "{reply}");
    }
    assert_eq!(table.types("Olad", "drink ale"), "You have no \"ale\".");
}

/// Things that a text denies, compares or places at an exit are not offered, nor is anything in the dark.
#[test]
fn only_what_is_at_hand_is_offered() {
    let (before, _) = room_with("Grey rock closes the sides.");
    for text in [
        "Grey rock closes the sides.",
        "There is no ledge here.",
        "The rock hangs like ropes.",
        "A ledge leads on to the north.",
        "You hear gravel slide.",
    ] {
        let mut table = before.copy();
        rewrite(&mut table, text);
        assert!(!table.types("Olad", "kill orc").contains("You can use"), "{text}");
        assert!(offered(&mut table).is_empty(), "{text}");
    }
    let mut table = before.copy();
    rewrite(&mut table, "Here are a ledge, a pool and a rope. A doorway leads to the north.");
    let reply = table.types("Olad", "kill orc");
    assert!(reply.contains("You can use the ledge or the pool here."), "the first two: {reply}");
    let room = table.room("Olad").id;
    table.edit_stored(|stored| {
        stored.rooms.get_mut(&room).expect("a room").sheet.flags = BTreeSet::from([RoomFlag::Dark]).into();
    });
    assert!(offered(&mut table).is_empty(), "in the dark");
}

/// A player is told once what a room has, however many fights follow there, and again after coming back.
#[test]
fn line_about_props_is_told_once_in_a_visit() {
    let (mut table, first) = room_with(&text_with("ledge"));
    let others = more_orcs(&mut table, 2);
    for orc in others.iter().chain([&first]) {
        changes(&mut table, *orc, |body| (body.hp, body.attack) = (1, 0));
    }
    table.becomes("Olad", 9_999, 500);
    let mut read = (String::new(), String::new());
    for _ in 0..3 {
        read.0 += &table.types("Olad", "kill orc");
        for _ in 0..20 {
            table.waits(ROUND);
            read.0 += &table.hears("Olad");
        }
        read.1 += &table.hears("Cato");
    }
    assert_eq!(read.0.matches("is dead").count(), 3, "{}", read.0);
    for read in [&read.0, &read.1] {
        assert_eq!(read.matches("You can use the ledge here.").count(), 1, "{read}");
    }
}

/// A prop can be used again in the next fight of the room, and a restart only gives back what was used.
#[test]
fn props_return_with_the_next_fight() {
    let (mut table, _) = room_with(&text_with("ledge"));
    table.types("Olad", "kill orc");
    table.types("Olad", "use ledge");
    table.waits(ROUND);
    table.restart();
    assert_eq!(offered(&mut table), ["use ledge"]);
    table.types("Olad", "use ledge");
    table.hears("Olad");
    let room = table.room("Olad").id;
    while table.room("Olad").id == room {
        table.waits(ROUND);
        table.types("Olad", "flee");
    }
    table.waits(ROUND);
    let exit = table.world().exits.of(table.room("Olad").id).find(|exit| exit.to == Some(room));
    let way = exit.expect("a way back").name.clone();
    table.types("Olad", &way);
    let reply = table.types("Olad", "kill orc") + &table.hears("Olad");
    assert!(reply.contains("You can use the ledge here."), "{reply}");
    table.waits(ROUND);
    assert!(table.types("Olad", "use ledge").contains(told(&CATALOG.props["ledge"])));
}

/// In a fight the room's lamp comes before a carried one, and is left to it when it was used.
#[test]
fn carried_things_keep_their_names() {
    let (mut table, _) = room_with(&text_with("torch"));
    crate::hoard::grant(&mut table, "Olad", &[("torch_stub", 1)]);
    assert!(!table.types("Olad", "use torch").contains("in a fight"), "the carried one");
    table.types("Olad", "kill orc");
    assert!(table.types("Olad", "use torch").contains(told(&CATALOG.props["fire"])));
    table.waits(ROUND);
    assert!(!table.types("Olad", "use torch").contains("once in a fight"));
}

/// No word means two props, and no line about them has more than nine words.
#[test]
fn nouns_of_props_are_single_words() {
    let nouns: Vec<&String> = CATALOG.props.values().flat_map(|prop| &prop.nouns).collect();
    assert!(CATALOG.props.len() >= 6 && nouns.iter().all(|noun| !noun.contains(' ')));
    assert_eq!(nouns.iter().collect::<BTreeSet<_>>().len(), nouns.len());
}
