//! Abilities chosen at a level: offer, training, commands and effects: T18.

use crate::arena::{add_players, arena, arena_in, changes, enemy, more_orcs, party};
use crate::table::{Table, changed_content, seeded};
use deepwell::base::{CharacterId, GameTime, Span};
use deepwell::catalog::character::ability;
use deepwell::world::Character;

/// Length of a combat round.
const ROUND: Span = Span::secs(3);

/// Changes the row of a player's character.
fn row(table: &mut Table, who: &str, change: impl FnOnce(&mut Character)) {
    let id = table.body(who).id;
    changes(table, id, change);
}

/// Teaches a character every ability, all off cooldown.
pub(crate) fn learn_all_abilities(table: &mut Table, who: &str) {
    row(table, who, |body| {
        body.craft.abilities = ability::WORDS.iter().map(|word| ((*word).to_owned(), GameTime(0))).collect();
    });
}

/// Gives a character the experience for one level.
fn grant_level_xp(table: &mut Table, who: &str) {
    row(table, who, |body| body.xp += 350);
}

fn hp(table: &Table, who: CharacterId) -> i32 {
    table.world().characters[who].hp
}

/// Puts Olad into the arena with all abilities, facing one orc.
fn master() -> (Table, CharacterId) {
    let mut table = arena();
    learn_all_abilities(&mut table, "Olad");
    table.becomes("Olad", 9_999, 20);
    let orc = enemy(&table);
    (table, orc)
}

/// T18: two of the three abilities offered are those with the highest score from the character's deeds; the offer
/// survives a restart.
#[test]
fn t18_deeds_decide_the_offer_across_restarts() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    row(&mut table, "Olad", |body| {
        body.craft.deeds.insert("rested".into(), 40);
        body.craft.deeds.insert("fled".into(), 5);
    });
    grant_level_xp(&mut table, "Olad");
    let offer = table.body("Olad").craft.offer.clone();
    assert_eq!(offer.len(), 3, "{offer:?}");
    assert_eq!(offer[..2], ["mend", "throw"], "ten times what counts for mending, five times for throwing");
    let menu = table.types("Olad", "train");
    table.restart();
    assert_eq!(table.types("Olad", "train"), menu, "the same over a restart");
    assert!(menu.lines().all(|line| line.len() <= 40), "T13: {menu}");
    table.gauges("Olad");
    let status = table.statuses("Olad").pop().expect("a status");
    assert!(offer.iter().all(|key| status.offer.contains(key.as_str())), "GMCP: {}", status.offer);
}

/// T18: a deed is counted once each time, and only if an ability uses its count.
#[test]
fn t18_deeds_count_once_and_only_where_used() {
    let (mut table, orc) = master();
    changes(&mut table, orc, |body| (body.hp, body.max_hp) = (1, 1));
    table.types("Olad", "consider orc");
    table.types("Olad", "kill orc");
    table.waits(ROUND);
    table.types("Olad", "rest");
    let deeds = &table.body("Olad").craft.deeds;
    assert_eq!((deeds.get("considered"), deeds.get("won")), (Some(&1), Some(&1)), "{deeds:?}");
    assert!(!deeds.contains_key("fought"), "what counts for nothing is not kept: {deeds:?}");
}

/// T18: a `look` is counted in memory. The count is written when another change writes the row, when the player leaves,
/// and before the server stops.
#[test]
fn t18_deferred_counts_are_written_with_the_next_row_change() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    let looked = |table: &Table| {
        let row = &table.stored().characters[&table.body("Olad").id];
        row.craft.deeds.get("looked").copied().unwrap_or_default()
    };
    table.types_all("Olad", &["look", "look", "look"]);
    assert_eq!(looked(&table), 0, "a look writes nothing");
    table.types("Olad", "rest");
    assert_eq!(looked(&table), 3, "the row that is written anyway has the counts");
    table.types("Olad", "look");
    table.types("Olad", "quit");
    assert_eq!(looked(&table), 4, "leaving writes them");
    table.comes_back("Olad");
    table.types("Olad", "look");
    table.game.flush_counters();
    table.commit();
    assert!(looked(&table) > 4, "a stop writes them");
}

/// T18: counts still in memory decide the offer.
#[test]
fn t18_unwritten_counts_decide_the_offer() {
    let mut table = arena();
    let orc = enemy(&table);
    changes(&mut table, orc, |body| (body.hp, body.max_hp) = (1, 1));
    row(&mut table, "Olad", |body| body.xp = 349);
    let enough = table.game.catalog().abilities["sneak"].per * 50;
    table.commits = false;
    for _ in 0..enough {
        table.types("Olad", "exits");
    }
    assert!(!table.body("Olad").craft.deeds.contains_key("saw_exits"), "nothing is in the row");
    table.types("Olad", "kill orc");
    table.waits(Span::secs(20));
    assert_eq!(table.body("Olad").craft.offer.first().map(String::as_str), Some("sneak"));
}

/// T18: learning an ability spends one choice and removes it from the offer; trained stats are unaffected.
#[test]
fn t18_learning_an_ability_spends_one_choice() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    row(&mut table, "Olad", |body| (body.xp, body.attack) = (350 + 500, 9));
    table.waits(Span::secs(10));
    let first = table.body("Olad").craft.offer[0].clone();
    let read = table.types("Olad", &format!("train {first}"));
    assert!(read.contains(&format!("Type {first}.")) && read.contains("one choice left"), "{read}");
    let body = table.body("Olad");
    assert!(body.craft.abilities.contains_key(&first) && body.attack == 9 && body.trainings == 1);
    assert!(!body.craft.offer.contains(&first), "{:?}", body.craft.offer);
    assert!(table.types("Olad", &format!("train {first}")).starts_with("That cannot be learnt."));
    table.types("Olad", "train strength");
    let body = table.body("Olad");
    assert!(body.trainings == 0 && body.attack == 10 && body.craft.offer.is_empty());
    assert!(table.types("Olad", "score").contains(&format!("\nAbilities: {first}, ready\n")));
    table.restart();
    assert!(table.body("Olad").craft.abilities.contains_key(&first), "learnt for good");
}

/// T18: a character can learn every ability; after that only stats are left to train.
#[test]
fn t18_all_abilities_can_be_learnt() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    row(&mut table, "Olad", |body| body.trainings = 13);
    for _ in ability::WORDS {
        let key = table.body("Olad").craft.offer[0].clone();
        table.types("Olad", &format!("train {key}"));
    }
    assert_eq!(table.body("Olad").craft.abilities.len(), ability::WORDS.len());
    assert_eq!(table.types("Olad", "train").lines().count(), 5, "a title, three numbers, and one choice");
}

/// T15: the score sheet shows the cost of the next level and the experience still missing.
#[test]
fn t15_score_shows_cost_and_missing_experience() {
    let mut table = Table::new(seeded(1));
    table.sit("Olad");
    row(&mut table, "Olad", |body| body.xp = 100);
    let sheet = table.types("Olad", "score");
    assert!(
        sheet.contains("Experience to level up: 250\n") && sheet.contains("Cost of the next level: 350\n")
    );
}

/// T18: a player who has not learnt an ability is told how to learn it; `commands` lists only learnt abilities.
#[test]
fn t18_unlearnt_ability_is_refused_with_instructions() {
    let mut table = arena();
    for word in ability::WORDS {
        let read = table.types("Olad", &format!("{word} orc"));
        assert!(
            read.starts_with(&format!("You have not learnt to {word}.")) && read.contains("new level"),
            "{read}"
        );
        assert!(!table.types("Olad", "commands").contains(&format!("\n{word}: ")), "{word}");
        let help = table.types("Olad", &format!("help {word}"));
        assert!(help.contains("In numbers: ") && help.contains("It rests for"), "{help}");
    }
    learn_all_abilities(&mut table, "Olad");
    let commands = table.types("Olad", "commands");
    assert!(ability::WORDS.iter().all(|word| commands.contains(&format!("\n{word}: "))));
    assert_eq!(table.types("Olad", "abilities").lines().count(), 1 + ability::WORDS.len());
}

/// T18: a bash does half the damage of a blow, cancels the orc's next attack and starts a cooldown.
#[test]
fn t18_bash_stuns_target_and_starts_cooldown() {
    let (mut table, orc) = master();
    let mut landed = false;
    for _ in 0..5 {
        let before = (hp(&table, orc), table.body("Olad").hp);
        let read = table.types("Olad", "bash orc");
        assert!(read.contains("You put a shoulder behind"), "{read}");
        let lost = before.0 - hp(&table, orc);
        assert!(lost <= 11, "half of 21 at most: {lost}");
        landed |= lost > 0;
        table.waits(ROUND);
        assert_eq!(table.body("Olad").hp, before.1, "the orc is stunned, and Olad has had his blow");
        let read = table.types("Olad", "bash");
        assert_eq!(read, "You cannot bash again for 21 seconds.");
        table.waits(Span::secs(21));
    }
    assert!(landed, "80 of 100 land");
}

/// T18: most combat abilities replace the round's attack; a thrown stone does not.
#[test]
fn t18_one_ability_per_round_replaces_the_attack() {
    let (mut table, _) = master();
    table.types("Olad", "kill orc");
    table.waits(ROUND);
    let read = table.types("Olad", "feint");
    assert!(read.contains("guards the wrong side") && read.contains("The orc is unguarded."), "{read}");
    assert!(table.types("Olad", "brace").starts_with("You have to find your feet first"));
    assert!(table.types("Olad", "throw").starts_with("You have a stone in hand"));
    table.waits(ROUND);
    assert!(table.types("Olad", "brace").contains("You set your feet."));
    let sheet = table.types("Olad", "score");
    assert!(sheet.contains("Defence: 4\n"), "{sheet}");
}

/// T18: `sweep` hits every enemy in the fight, `taunt` makes every enemy target the character, `rally` affects all
/// allies.
#[test]
fn t18_area_abilities_reach_all_enemies_or_allies() {
    let (mut table, first) = master();
    let more = more_orcs(&mut table, 2);
    add_players(&mut table, &["Bera"]);
    party(&mut table, &["Olad", "Bera"]);
    table.becomes("Bera", 9_999, 5);
    let bera = table.body("Bera").id;
    table.types("Bera", "kill orc");
    for orc in &more {
        changes(&mut table, *orc, |body| body.target = Some(bera));
    }
    table.types("Olad", "kill orc");
    table.waits(ROUND);
    table.types("Olad", "taunt");
    let olad = table.body("Olad").id;
    for orc in more.iter().chain([&first]) {
        assert_eq!(table.world().characters[*orc].target, Some(olad), "all turn on who says that");
    }
    table.waits(ROUND);
    let read = table.types("Olad", "sweep");
    assert!(read.starts_with("You swing in a wide arc"), "{read}");
    table.waits(ROUND);
    let attack = table.types("Bera", "score attack");
    table.types("Olad", "rally");
    assert_ne!(table.types("Bera", "score attack"), attack, "a shout is for all on one's side");
}

/// T18: `mend`, `sneak`, `scout` and `track` work only out of combat.
#[test]
fn t18_exploration_abilities_are_refused_in_combat() {
    let (mut table, orc) = master();
    row(&mut table, "Olad", |body| body.hp = 100);
    table.types("Olad", "mend");
    assert!((108..=110).contains(&table.prompt("Olad").hp), "{}", table.prompt("Olad").hp);
    assert!(table.types("Olad", "mend orc").ends_with("is not on your side."));
    assert!(table.types("Olad", "sneak").contains("sides of your feet"));
    let room = table.body("Olad").room;
    let back = table.world().exits.of(room).find(|exit| exit.back).expect("a way back").name.clone();
    table.types("Olad", &back);
    let read = table.types("Olad", "scout");
    assert!(read.contains("one room away: an orc, unhurt"), "{read}");
    let read = table.types("Olad", "track");
    assert!(read.contains("those of an orc:") && read.contains("one room away"), "{read}");
    let forward = table.world().exits.of(table.body("Olad").room).find(|exit| exit.to == Some(room));
    let forward = forward.expect("a way forward").name.clone();
    table.types("Olad", &forward);
    table.types("Olad", "kill orc");
    assert!(!table.types("Olad", "affects").contains("softly"), "whoever strikes is heard");
    for word in ["sneak", "scout", "track", "mend"] {
        assert!(
            table.types("Olad", word).starts_with(&format!("You cannot {word} in the middle of a fight."))
        );
    }
    assert!(hp(&table, orc) > 0);
}

/// T18: a bound creature does not flee until the affect expires.
#[test]
fn t18_bound_creature_cannot_flee() {
    let (mut table, orc) = master();
    table.types("Olad", "bind orc");
    assert!(table.world().characters[orc].affects.iter().any(|affect| affect.key == "bound"));
    table.waits(Span::secs(15));
    assert!(table.world().characters[orc].affects.is_empty(), "the cord comes loose");
}

/// T18: with `config wait on`, cooldowns run only in rounds that are played.
#[test]
fn t18_cooldowns_do_not_run_while_a_round_waits() {
    let mut table = arena_in(|_| {});
    learn_all_abilities(&mut table, "Olad");
    table.becomes("Olad", 9_999, 5);
    table.types("Olad", "config wait on");
    table.types("Olad", "kill orc");
    table.types("Olad", "feint");
    table.waits(Span::secs(600));
    assert!(table.types("Olad", "feint").starts_with("You cannot feint again for"));
    let answers: String = (0..9).map(|_| table.types("Olad", "wait") + "\n").collect();
    assert_eq!(answers.matches("You can feint again.").count(), 1, "{answers}");
    assert!(table.types("Olad", "feint").contains("guards the wrong side"), "rounds that were played count");
}

/// T18: the file of an ability defines its effect.
#[test]
fn t18_ability_file_defines_the_effect() {
    let file = "gist = \"a push\"\ndescription = \"You push.\"\nearned_by = \"pushed\"\ncounts = [\"won\"]\n\
                told = \"{actor} {stares|stare} at {target}.\"\n\
                reach = \"opponent\"\naffect = \"frightened\"\nrest_rounds = 1\n";
    let mut table = Table::with_content(seeded(1), &changed_content(&[("abilities/bash.toml", file)]));
    table.sit("Olad");
    let help = table.types("Olad", "help bash");
    assert!(
        help.contains("In numbers: Frightened, -1 attack for six rounds. It rests for one round, 3 seconds."),
        "{help}"
    );
}

/// Every argument that a help page or `help train` shows behind `train` is accepted, and the page `training` names
/// every stat that can be trained.
#[test]
fn every_train_argument_shown_in_help_is_accepted() {
    let catalog = std::sync::Arc::clone(Table::new(seeded(1)).game().catalog());
    let mut shown: Vec<(String, String)> = Vec::new();
    for topic in catalog.help.topics() {
        let typed = topic.words_to_type().filter_map(|(_, line)| line.strip_prefix("train "));
        shown.extend(typed.map(|word| (topic.key.clone(), word.to_owned())));
    }
    let mut reader = Table::new(seeded(1));
    reader.sit("Olad");
    let page = reader.types("Olad", "help train");
    let word = |rest: &str| rest.chars().take_while(char::is_ascii_lowercase).collect::<String>();
    let words = page.split("train ").skip(1).map(word).filter(|word| !word.is_empty());
    shown.extend(words.map(|word| ("help train".to_owned(), word)));
    for key in catalog.training.keys() {
        assert!(shown.contains(&("training".to_owned(), key.clone())), "the page training lacks {key}");
    }
    assert!(shown.len() > catalog.training.len(), "{shown:?}");
    for (page, word) in shown {
        let mut table = Table::new(seeded(1));
        table.sit("Olad");
        row(&mut table, "Olad", |body| body.trainings = 1);
        let answer = table.types("Olad", &format!("train {word}"));
        assert_eq!(table.body("Olad").trainings, 0, "{page}: train {word}: {answer}");
    }
}
