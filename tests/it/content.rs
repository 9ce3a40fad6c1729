//! Consistency of the shipped creatures, items, affects and loot tables across files.

use crate::table::CATALOG;
use deepwell::base::Slot;
use deepwell::catalog::{Behaviour, CreaturePrototype, ItemClass, LootTable, RacketNumbers};
use deepwell::level::Crossing;
use std::collections::{BTreeMap, BTreeSet};

/// Depths checked for content that has no lower limit.
const FAR_DOWN: [u32; 5] = [60, 100, 250, 1_000, 10_000];

/// Words shared by several creatures of a family.
const FAMILIES: [&str; 6] = ["goblin", "minotaur", "orc", "rat", "spider", "troll"];

/// Returns the creatures that themes can spawn; captives and other special creatures are defined elsewhere.
fn drawn() -> Vec<&'static CreaturePrototype> {
    let keys: BTreeSet<&String> = CATALOG.themes.values().flat_map(|theme| &theme.creatures).collect();
    keys.into_iter().map(|key| &CATALOG.creatures[key]).collect()
}

fn part<T>(creature: &CreaturePrototype, pick: impl Fn(&Behaviour) -> Option<T>) -> Option<T> {
    creature.behaviours.iter().find_map(pick)
}

fn explodes(creature: &CreaturePrototype) -> bool {
    part(creature, |part| matches!(part, Behaviour::Explode { .. }).then_some(())).is_some()
}

/// R1: the four creatures of the reference have its numbers; the rat flees, the goblin and its bomber seek, the bomb
/// does not move.
#[test]
fn creatures_of_the_reference_have_its_numbers() {
    for (key, attack, defence) in
        [("rat", 10, 10), ("goblin", 15, 5), ("bomb", 50, 10), ("bomber_goblin", 15, 5)]
    {
        let creature = &CATALOG.creatures[key];
        assert_eq!(creature.racket, Some(RacketNumbers { hp: 10, attack, defence }), "{key}");
        assert_eq!(explodes(creature), key.contains("bomb"), "{key}");
    }
    let half = |part: &Behaviour| matches!(part, Behaviour::Seek { percent: 50 }).then_some(());
    for key in ["goblin", "bomber_goblin", "minotaur", "spider"] {
        assert!(part(&CATALOG.creatures[key], half).is_some(), "R17: {key} seeks half the time");
    }
    let rat = &CATALOG.creatures["rat"];
    assert_eq!(part(rat, |part| matches!(part, Behaviour::Flee { percent: 50, .. }).then_some(())), Some(()));
    assert!(!CATALOG.creatures["bomb"].roams(), "a bomb stands still");
}

/// R16, R18: the behaviours of minotaur and spider.
#[test]
fn minotaur_charges_and_spider_spins_webs() {
    let minotaur = &CATALOG.creatures["minotaur"];
    assert!(minotaur.behaviours.contains(&Behaviour::Charge { damage_percent: 150 }));
    assert_eq!(
        part(minotaur, |part| if let Behaviour::Heard { rooms, .. } = part { Some(*rooms) } else { None }),
        Some(2)
    );
    assert!(CATALOG.creatures["spider"].behaviours.contains(&Behaviour::Webs));
}

/// T8: orc and troll have the numbers of the reference.
#[test]
fn orc_and_troll_have_the_reference_numbers() {
    for (key, numbers) in [("orc", (10, 3, 0, 35)), ("troll", (16, 4, 1, 100))] {
        let creature = &CATALOG.creatures[key];
        assert_eq!((creature.hp, creature.attack, creature.defence, creature.xp), numbers, "{key}");
        assert!(creature.guards(), "{key}");
    }
}

/// R2 to R5, P21: the items of the reference have its numbers, and each item class and slot has several kinds.
#[test]
fn items_of_the_reference_have_its_numbers() {
    for (key, defence) in
        [("leather_armour", 1), ("chain_mail", 2), ("plate_armour", 3), ("enchanted_armour", 5)]
    {
        let item = &CATALOG.items[key];
        assert_eq!(
            (item.class, item.slot, item.attack, item.defence),
            (ItemClass::Armour, Some(Slot::Body), 0, defence)
        );
    }
    for (key, attack) in [("club", 1), ("dagger", 2), ("battle_axe", 3), ("longsword", 3), ("magic_sword", 5)]
    {
        let item = &CATALOG.items[key];
        assert_eq!(
            (item.class, item.slot, item.attack, item.defence),
            (ItemClass::Weapon, Some(Slot::Hand), attack, 0)
        );
    }
    assert_eq!(
        (CATALOG.items["health_potion"].class, CATALOG.items["health_potion"].heals),
        (ItemClass::Potion, 10)
    );
    for (key, value) in
        [("copper_coin", 1), ("silver_coin", 10), ("gold_coin", 100), ("platinum_coin", 1_000)]
    {
        let item = &CATALOG.items[key];
        assert_eq!((item.class, item.value, item.stacks), (ItemClass::Coin, value, true), "{key}");
    }
    for class in
        [ItemClass::Weapon, ItemClass::Armour, ItemClass::Potion, ItemClass::Food, ItemClass::Container]
    {
        let many = CATALOG.items.values().filter(|item| item.class == class && item.rarity > 0).count();
        assert!(many >= 4, "{class:?}: {many}");
    }
    for (name, slot) in Slot::ALL.map(|slot| (slot.name(), slot)) {
        assert!(CATALOG.items.values().filter(|item| item.slot == Some(slot)).count() >= 3, "{name}");
    }
}

/// R22: five of a hundred maze rooms hold an item, one of four kinds with equal weight.
#[test]
fn maze_loot_has_four_equal_weights() {
    let maze = &CATALOG.loot["maze"];
    let things: Vec<(&str, u32)> = maze.items.iter().map(|item| (item.item.as_str(), item.weight)).collect();
    assert_eq!(things, [("leather_armour", 1), ("club", 1), ("health_potion", 1), ("copper_coin", 1)]);
    assert_eq!((maze.item_percent, maze.coins_percent), (5, 0));
    assert!(maze.items.iter().all(|item| item.difficulty == (0, u32::MAX)), "at any difficulty");
    let weight = |key: &str| CATALOG.creatures[key].weight;
    assert_eq!(
        (weight("rat"), weight("spider")),
        (3 * weight("minotaur"), weight("minotaur")),
        "3/5, 1/5, 1/5"
    );
}

/// Every behaviour type is used by a creature that can spawn.
#[test]
fn every_behaviour_type_is_used_by_a_creature() {
    let used: BTreeSet<&str> =
        drawn().iter().flat_map(|creature| &creature.behaviours).map(Behaviour::name).collect();
    let parts = [
        "attack", "call_for_help", "charge", "explode", "flee", "guard", "heard", "pack", "seek", "shoot",
        "sleep", "wander", "webs",
    ];
    assert_eq!(used.into_iter().collect::<Vec<_>>(), parts);
}

/// T19, E14: at least two kinds of guards, without bombs, can spawn at every difficulty, however deep.
#[test]
fn two_kinds_of_guards_exist_at_every_difficulty() {
    for theme in CATALOG.themes.values() {
        for difficulty in (0..=40).chain(FAR_DOWN) {
            let guards = theme.creatures.iter().map(|key| &CATALOG.creatures[key]);
            let guards = guards
                .filter(|creature| {
                    creature.guards() && !explodes(creature) && creature.appears_at(difficulty)
                })
                .count();
            assert!(guards >= 2, "{}: {guards} at difficulty {difficulty}", theme.key);
        }
    }
}

/// T19: fights cost more hit points with depth. Damage and health are those of a new character against the average
/// guard; four blows of five land.
#[test]
fn fight_cost_rises_with_difficulty() {
    let cost = |difficulty: u32| {
        let guards: Vec<_> = drawn()
            .into_iter()
            .filter(|creature| creature.guards() && !explodes(creature) && creature.appears_at(difficulty))
            .collect();
        let one = |creature: &CreaturePrototype| {
            let beginner = CATALOG.rules.beginner;
            let (attack, defence) = (beginner.attack, beginner.defence);
            let dealt = attack.saturating_sub(creature.defence).max(1);
            let taken = creature.attack.saturating_sub(defence).max(1);
            100 * creature.hp / dealt * taken * creature.weight
        };
        guards.iter().map(|creature| one(creature)).sum::<u32>()
            / guards.iter().map(|creature| creature.weight).sum::<u32>()
    };
    let costs: Vec<u32> = [1, 3, 5, 7, 9, 12, 16, 20, 25, 30, 40, 60].map(cost).to_vec();
    assert!(costs.is_sorted(), "{costs:?}");
    assert!(costs[0] < 500, "near the well a fight costs a sixth of one's health: {costs:?}");
    assert!(costs[5] > 10_000, "deep down nobody wins who has learned nothing: {costs:?}");
}

/// An item's bonus is at most one point per three steps of difficulty, plus a few hit points.
#[test]
fn item_bonuses_are_limited_by_difficulty() {
    for item in CATALOG.items.values() {
        let first = item.difficulty.0;
        assert!(item.attack + item.defence <= 1 + first / 3, "{}", item.key);
        assert!(item.max_hp <= 3 + first, "{}", item.key);
        assert!(
            item.attack + item.defence + item.max_hp == 0 || item.slot.is_some(),
            "{}: of no use",
            item.key
        );
        assert_eq!(
            item.holds > 0,
            matches!(item.class, ItemClass::Container | ItemClass::Corpse),
            "{}",
            item.key
        );
        assert!(item.rarity == 0 || item.value > 0, "{}: found, and worth nothing", item.key);
    }
    let best = |depth: u32, slot| {
        let found = |item: &&deepwell::catalog::ItemPrototype| item.difficulty.0 <= depth && item.rarity > 0;
        let fitting = CATALOG.items.values().filter(found).filter(|item| item.slot == Some(slot));
        fitting.map(|item| item.attack + item.defence).max()
    };
    for depth in (0..30).step_by(6) {
        for slot in [Slot::Hand, Slot::Body] {
            assert!(best(depth + 6, slot) > best(depth, slot), "{slot:?}: nothing better below {depth}");
        }
    }
}

/// Loot tables refer to existing items and keep within the difficulty range of each item.
#[test]
fn loot_tables_refer_to_existing_items_in_range() {
    for creature in drawn() {
        let table = creature.loot.as_ref().map(|key| CATALOG.loot.get(key));
        assert!(
            table.is_some_and(|table| table.is_some()) || (table.is_none() && explodes(creature)),
            "{}",
            creature.key
        );
    }
    let difficulties = |table: &LootTable| {
        for drawn in &table.items {
            let item =
                &CATALOG.items.get(&drawn.item).unwrap_or_else(|| panic!("{}: {}", table.key, drawn.item));
            let (first, last) = drawn.difficulty;
            assert!(item.difficulty.0 <= first && last <= item.difficulty.1, "{}: {}", table.key, drawn.item);
            assert_ne!(item.class, ItemClass::Corpse);
        }
    };
    CATALOG.loot.values().filter(|table| table.key != "maze").for_each(difficulties);
    for creature in drawn() {
        let Some(table) = creature.loot.as_ref().map(|key| &CATALOG.loot[key]) else { continue };
        let found = |difficulty: u32| {
            let fits = |item: &&deepwell::catalog::LootItem| {
                (item.difficulty.0..=item.difficulty.1).contains(&difficulty)
            };
            table.items.iter().filter(fits).count()
        };
        let last = creature.difficulty.1.min(60);
        assert!(
            (creature.difficulty.0..=last).all(|difficulty| found(difficulty) >= 1),
            "{} holds nothing",
            creature.key
        );
    }
    for tier in 1..=6 {
        assert!(CATALOG.loot.contains_key(&format!("tier_{tier}")));
    }
}

/// Items refer to existing affects; a long affect is either beneficial or can be ended.
#[test]
fn item_affects_exist_and_long_affects_help_or_end() {
    for item in CATALOG.items.values() {
        for key in item.affect.iter().chain(&item.cures) {
            assert!(CATALOG.affects.contains_key(key), "{}: {key}", item.key);
        }
        let used = matches!(item.class, ItemClass::Potion | ItemClass::Food);
        let does = item.heals > 0 || item.affect.is_some() || !item.cures.is_empty();
        assert!(used == does, "{}: used, and nothing happens", item.key);
    }
    assert!(CATALOG.affects["webbed"].holds && CATALOG.affects["stunned"].stuns, "R16, R20");
    for affect in CATALOG.affects.values() {
        let numbers = [affect.attack, affect.defence, affect.max_hp, affect.hp_per_round];
        let gains = numbers.iter().any(|number| *number > 0) && !affect.holds && !affect.stuns;
        let does = numbers.iter().any(|number| *number != 0) || affect.holds || affect.stuns || affect.hushes;
        assert!(does, "{} does nothing", affect.key);
        assert!(gains || affect.rounds <= 20, "{} goes on and on", affect.key);
    }
}

/// T13: the three stats that can be trained.
#[test]
fn three_stats_can_be_trained() {
    let choices = |key: &str| {
        let training = &CATALOG.training[key];
        (training.order, training.max_hp, training.attack, training.defence)
    };
    assert_eq!(choices("constitution"), (1, 20, 0, 0));
    assert_eq!(choices("strength"), (2, 0, 1, 0));
    assert_eq!(choices("agility"), (3, 0, 0, 1));
}

/// A word identifies one creature, except within a family; no two items share a name.
#[test]
fn creature_words_and_item_names_are_unambiguous() {
    let mut by_word: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    for creature in drawn() {
        for word in creature.name.split(' ').filter(|word| word.len() > 2 && *word != "the") {
            by_word.entry(word).or_default().push(&creature.key);
        }
    }
    for (word, keys) in &by_word {
        assert!(keys.len() == 1 || FAMILIES.contains(word), "{word} means {keys:?}");
        // Names also match by prefix.
        let longer = by_word.keys().filter(|other| other.len() > word.len() && other.starts_with(word));
        let longer: Vec<_> = longer.filter(|other| **other != "bomber").collect();
        assert!(longer.is_empty(), "{word} means {longer:?} as well");
    }
    let mut names = BTreeSet::new();
    let things = CATALOG.items.values().flat_map(|item| [&item.name, &item.plural]).collect::<BTreeSet<_>>();
    for name in CATALOG
        .items
        .values()
        .map(|item| &item.name)
        .chain(CATALOG.creatures.values().map(|creature| &creature.name))
    {
        assert!(names.insert(name), "{name} stands for two");
    }
    assert!(CATALOG.creatures.values().all(|creature| !things.contains(&creature.name)));
}

/// Returns all texts of creatures, items and affects, each with its file.
fn prose() -> Vec<(String, String)> {
    let mut texts = Vec::new();
    for creature in CATALOG.creatures.values() {
        let mut add = |text: &str| texts.push((creature.place.file.clone(), text.to_owned()));
        add(&creature.description);
        add(&creature.death);
        for part in &creature.behaviours {
            match part {
                Behaviour::Explode { warning, blast, .. } => {
                    add(warning);
                    add(blast);
                }
                Behaviour::Heard { sound: text, .. } | Behaviour::CallForHelp { line: text, .. } => add(text),
                _ => {}
            }
        }
    }
    for item in CATALOG.items.values() {
        texts.push((item.place.file.clone(), item.description.clone()));
    }
    for affect in CATALOG.affects.values() {
        for text in [&affect.description, &affect.begins, &affect.ends] {
            texts.push((affect.place.file.clone(), text.clone()));
        }
    }
    texts
}

/// Texts are whole sentences in ASCII, and no sentence occurs twice.
#[test]
fn texts_are_ascii_sentences_without_repetition() {
    let mut seen: BTreeMap<String, String> = BTreeMap::new();
    // Text that a variant inherits from its prototype counts once.
    let texts: BTreeSet<(String, String)> = prose().into_iter().map(|(file, text)| (text, file)).collect();
    let mut last = String::new();
    for (text, file) in texts {
        assert!(text.chars().all(|c| c == ' ' || c.is_ascii_graphic()), "{file}: {text}");
        assert!(text.starts_with(|c: char| c.is_ascii_uppercase()), "{file}: {text}");
        assert!(text.ends_with(['.', '!', '?']), "{file}: {text}");
        if text == last {
            continue;
        }
        for sentence in text.split_inclusive(['.', '!', '?']).map(str::trim).filter(|part| part.len() > 20) {
            let before = seen.insert(sentence.to_lowercase(), file.clone());
            assert!(before.is_none(), "{file} and {}: {sentence}", before.unwrap_or_default());
        }
        last = text;
    }
}

/// The conditions of a creature read correctly after "is", its strikes before the victim.
#[test]
fn conditions_and_strikes_fit_their_sentences() {
    for creature in CATALOG.creatures.values() {
        for phrase in &creature.conditions {
            let first = phrase.split(' ').next().unwrap_or_default();
            assert!(
                !["is", "has", "was", "looks"].contains(&first) && !phrase.ends_with('.'),
                "{}: {phrase}",
                creature.key
            );
        }
        let different: BTreeSet<&String> = creature.conditions.iter().collect();
        assert_eq!(different.len(), creature.conditions.len(), "{}", creature.key);
        assert!(creature.strikes.len() >= 2 || explodes(creature), "{}: one way to strike", creature.key);
        for strike in &creature.strikes {
            let verb = strike.split(' ').next().unwrap_or_default();
            assert!(verb.ends_with('s') && !strike.ends_with(" of"), "{}: it {strike} you", creature.key);
        }
    }
}

/// P19, P21, P22: themes add no items or creatures of which their level type sets the number; the crypt names all its
/// materials.
#[test]
fn crypt_themes_add_no_counted_items_or_spiders() {
    for key in ["crypt", "catacombs"] {
        let theme = &CATALOG.themes[key];
        assert!(
            !theme.creatures.iter().any(|creature| creature.contains("spider")),
            "{key}: {:?}",
            theme.creatures
        );
        let drawn = theme.hoards.iter().flat_map(|hoard| &CATALOG.loot[&hoard.table].items);
        for item in drawn.map(|drawn| &drawn.item).chain(&theme.treasure) {
            let class = CATALOG.items[item].class;
            let counted = matches!(class, ItemClass::Weapon | ItemClass::Potion | ItemClass::Food);
            assert!(!counted, "{key}: {item}");
        }
    }
    let scenery = &CATALOG.themes["crypt"].scenery;
    assert!(["rock", "brick"].iter().all(|floor| scenery.grounds.contains_key(*floor)));
    assert!(["rock", "ground"].iter().all(|wall| scenery.walls.contains_key(*wall)));
}

/// R13, R22: halls are named by their exits. The maze is inhabited: one creature in five is a minotaur, one a spider,
/// the rest are rats.
#[test]
fn maze_theme_has_hall_names_and_inhabitants() {
    let theme = &CATALOG.themes["daedalus"];
    for (name, passage) in Crossing::ALL.map(|passage| (passage.name(), passage)) {
        let names: BTreeSet<&String> =
            theme.scenery.passages[&passage].iter().map(|name| &name.text).collect();
        assert!(names.len() >= 8, "{name}: {names:?}");
    }
    let halls = theme.inhabitants.as_ref().expect("somebody lives there");
    let living: BTreeMap<&str, u32> =
        halls.creatures.iter().map(|living| (living.creature.as_str(), living.weight)).collect();
    assert_eq!(living, BTreeMap::from([("minotaur", 1), ("rat", 3), ("spider", 1)]));
    assert_eq!((halls.percent, halls.loot.as_deref()), (50, Some("maze")));
}

/// E39: each band of a theme for whole floors or mazes has enough opening sentences to avoid early repetition.
#[test]
fn theme_bands_have_enough_sentences() {
    for key in ["crypt", "catacombs", "daedalus"] {
        let theme = &CATALOG.themes[key];
        for band in theme.bands.values().chain([&theme.other]) {
            let lengths = [band.openings.len(), band.details.len(), band.ways_on.len(), band.dead_ends.len()];
            let enough = lengths.iter().zip([12, 12, 8, 6]).all(|(many, least)| *many >= least);
            assert!(enough, "{key}, {}: {lengths:?}", band.family);
        }
        assert!(theme.nouns.len() >= 60, "{key}: {} nouns", theme.nouns.len());
    }
}

/// The verbs of attacks take "you" as their object: a verb that ends in a particle would need it before the particle, as in
/// "bowls you over". The list has those whose particle is a preposition.
#[test]
fn verbs_of_attacks_take_an_object() {
    const PARTICLES: &[&str] =
        &["apart", "aside", "away", "back", "down", "off", "open", "out", "over", "under", "up"];
    const PREPOSITIONS: &[&str] = &[
        "blows over",
        "breaks a halo over",
        "breaks over",
        "closes over",
        "comes up under",
        "folds over",
        "goes over",
        "grates over",
        "hooks its horns under",
        "pours over",
        "rolls over",
        "runs up",
        "scrapes its lintel over",
        "shovels earth over",
    ];
    for creature in CATALOG.creatures.values() {
        for verb in &creature.strikes {
            let last = verb.rsplit(' ').next().unwrap_or_default();
            let fits = !PARTICLES.contains(&last) || PREPOSITIONS.contains(&verb.as_str());
            assert!(fits, "{}: \"The {} {verb} you\"", creature.key, creature.name);
        }
    }
}
