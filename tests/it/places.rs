//! Room features other than fights: camps, merchants, shrines, riddles, captives, landmarks, and signs at exits.

use crate::explorer::{guarded, hero_opens, olad_finds, unblocks_the_room, walks_to};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::{CharacterId, RoomId, Span};
use deepwell::catalog::theme::furnishing::ThemeRiddle;
use deepwell::catalog::{RoomFeature, RoomKind};
use deepwell::dungeon::BranchSpec;
use deepwell::tools::branch::PlannedBranch;
use deepwell::world::{Exit, ExitState, Room, World};

/// Returns a world with Olad in a clear room of the given kind.
fn olad_in(kind: RoomKind) -> Table {
    olad_finds(kind.name(), |_, room| room.sheet.kind == kind && room.clear)
}

/// Returns the key word of the feature of Olad's room.
fn word(table: &Table, what: &str) -> String {
    table.room("Olad").challenge.feature.as_ref().and_then(RoomFeature::word).expect(what).to_owned()
}

fn riddle_of(table: &Table) -> &'static ThemeRiddle {
    let key = word(table, "a riddle");
    let riddles = &CATALOG.themes["well"].riddles;
    riddles.iter().find(|riddle| riddle.answers[0] == key).expect("a riddle of the theme")
}

/// Fights until the room is clear; returns everything Olad read.
fn fight_until_clear(table: &mut Table) -> String {
    let mut read = String::new();
    for _ in 0..200 {
        if table.room("Olad").clear {
            return read;
        }
        if table.body("Olad").target.is_none() {
            read += &table.types("Olad", "kill");
        }
        table.waits(Span::secs(3));
        read = read + "\n" + &table.hears("Olad") + "\n";
    }
    panic!("the fight does not end: {read}");
}

/// Rooms of these kinds are clear when generated, and their description names the feature.
#[test]
fn e27_feature_rooms_are_generated_clear() {
    for kind in [RoomKind::Rest, RoomKind::Merchant, RoomKind::Shrine, RoomKind::Riddle] {
        let mut table = olad_finds(kind.name(), |_, room| room.sheet.kind == kind);
        let line = table.room("Olad").challenge.hint.clone().expect("a line of its own");
        let view = table.types("Olad", "look");
        assert!(table.room("Olad").clear && !view.contains("blocked"), "{view}");
        assert!(view.contains(&line), "{view}");
    }
}

/// A merchant stocks distinct items that have a rarity.
#[test]
fn merchant_wares_are_distinct() {
    let table = olad_in(RoomKind::Merchant);
    let mut stock = table.room("Olad").stock.clone();
    let all = stock.len();
    stock.sort();
    stock.dedup();
    assert_eq!(stock.len(), all);
    assert!(stock.iter().all(|key| CATALOG.items[key].rarity > 0), "{stock:?}");
    let sold = CATALOG.items.values().any(|item| item.rarity > 0 && item.difficulty.0 <= 1);
    assert_eq!(stock.is_empty(), !sold);
}

/// A shrine gives its affect once per character, also after a restart.
#[test]
fn shrine_gives_its_affect_once_per_character() {
    let mut table = olad_in(RoomKind::Shrine);
    let affect = word(&table, "what it gives");
    let shrines = &CATALOG.themes["well"].shrines;
    let prayer = &shrines.iter().find(|shrine| shrine.affect == affect).expect("a shrine").prayer;
    let read = table.types("Olad", "pray");
    assert!(read.contains(prayer) && read.contains("You pray at the shrine."), "{read}");
    assert!(table.types("Olad", "pray").contains("only once"));
    table.restart();
    assert!(table.types("Olad", "pray").contains("only once"));
    table.sit("Bera");
    assert!(table.types("Bera", "pray").contains("no shrine here"));
}

/// Any listed answer is accepted, in any case and with an article. The reward is paid once, and the room was never
/// blocked.
#[test]
fn riddle_pays_once_for_any_listed_answer() {
    let mut table = olad_in(RoomKind::Riddle);
    let room = table.body("Olad").room;
    let riddle = riddle_of(&table);
    let answer = riddle.answers.last().expect("an answer").to_uppercase();
    let reward = table.room("Olad").challenge.reward.clone();
    let (coins, purse) = (table.room("Olad").challenge.coins, table.body("Olad").money.purse);
    assert!(coins > 0 && table.room("Olad").clear);
    assert!(table.types("Olad", "look").contains(&riddle.text));
    let read = table.types("Olad", &format!("answer the {answer}!"));
    assert!(read.contains("'Yes,' says the voice"), "{read}");
    assert_eq!(table.body("Olad").money.purse, purse + i64::from(coins), "{read}");
    assert_eq!(table.world().ground(room).len(), reward.len());
    assert!(table.types("Olad", &format!("answer {answer}")).contains("has been answered"));
    assert_eq!(table.body("Olad").money.purse, purse + i64::from(coins));
    let view = table.types("Olad", "look");
    assert!(view.contains("has been answered") && !view.contains(&riddle.text), "{view}");
}

/// After three wrong answers the riddle is closed for that player, also after a restart.
#[test]
fn riddle_closes_after_three_wrong_answers_of_a_player() {
    let mut table = olad_in(RoomKind::Riddle);
    assert!(table.types("Olad", "answer").contains("answer and a word"));
    assert!(table.types("Olad", "answer cheese").contains("two more tries"));
    assert!(table.types("Olad", "answer the cheese").contains("one more try"));
    table.restart();
    assert!(table.types("Olad", "answer CHEESE").contains("will not listen to you again"));
    let right = format!("answer {}", riddle_of(&table).answers[0]);
    assert!(table.types("Olad", &right).contains("does not listen to you any more"));
    assert!(table.room("Olad").challenge.coins > 0, "it keeps what it has");
}

/// A captive follows the rescuer once its guards are dead; in the start room it gives thanks and leaves.
#[test]
fn e26_freed_captive_follows_rescuer_to_the_start() {
    let mut table =
        olad_finds("a captive", |world, room| room.sheet.kind == RoomKind::Rescue && guarded(world, room));
    let creature = word(&table, "a captive");
    let captive =
        CATALOG.themes["well"].captives.iter().find(|captive| captive.creature == creature).unwrap();
    assert!(table.types("Olad", "look").contains(&captive.text));
    table.begins_quest("Olad", "bring_one_home");
    table.becomes("Olad", 9_999, 200);
    let read = fight_until_clear(&mut table);
    assert!(read.contains(&captive.freed), "{read}");
    let view = table.types("Olad", "look");
    assert!(!view.contains(&captive.text) && !view.contains("blocked"), "{view}");
    let (who, here) = (table.body("Olad").id, table.body("Olad").room);
    let freed = |table: &Table| -> Option<CharacterId> {
        let companion = |id: &CharacterId| table.world().characters[*id].master == Some(who);
        table.world().occupants(here).iter().copied().find(companion)
    };
    let companion = freed(&table).expect("a companion");
    let start = table.branch("Olad").start_room;
    let leads_out = |exit: &&Exit| exit.to == Some(start);
    let door = |id: &RoomId| table.world().exits.of(*id).any(|exit| leads_out(&exit));
    let door = table.rooms_of(table.branch_of("Olad").unwrap()).into_iter().find(door).expect("a first room");
    walks_to(&mut table, "Olad", door);
    assert_eq!(table.world().characters[companion].room, door, "it comes along");
    let back = table.world().exits.of(door).find(leads_out).unwrap().name.clone();
    let (purse, xp) = (table.body("Olad").money.purse, table.body("Olad").xp);
    let read = table.types("Olad", &back);
    assert!(read.contains(&captive.thanks) && read.contains("The quest Bring one home is done."), "{read}");
    assert!(table.world().characters.get(companion).is_none());
    assert!(table.body("Olad").money.purse > purse && table.body("Olad").xp > xp, "{read}");
}

/// A landmark has its own name, and gives each finder experience once.
#[test]
fn landmark_gives_experience_once_per_character() {
    let mut table = olad_finds("a landmark", |_, room| room.sheet.kind == RoomKind::Landmark);
    let name = word(&table, "a name");
    assert!(
        table.room("Olad").sheet.name.ends_with(&format!(": {name}")),
        "{}",
        table.room("Olad").sheet.name
    );
    let xp = table.body("Olad").xp;
    assert!(xp > 0);
    let back = table.world().exits.of(table.body("Olad").room).find(|exit| exit.back).unwrap();
    let (back, there) = (back.direction.unwrap(), back.direction.unwrap().opposite());
    let read = table.types_all("Olad", &[back.name(), there.name()]);
    assert!(!read.contains("You have found"), "{read}");
    assert_eq!(table.body("Olad").xp, xp, "once");
    let room = table.body("Olad").room;
    table.edit_stored(|stored| stored.rooms.get_mut(&room).unwrap().challenge.visitors.clear());
    let read = table.types_all("Olad", &[back.name(), there.name()]);
    assert!(read.contains(&format!("You have found {name}.")) && read.contains("You gain"), "{read}");
}

/// Olad next to an unexplored exit with a sign.
fn beside_a_sign() -> Table {
    olad_finds("a sign", |world, room| {
        room.clear
            && world.exits.of(room.id).any(|exit| exit.omen.is_some() && exit.state == ExitState::Unexplored)
    })
}

/// A sign is shown in the room, by `exits` and by looking at the exit. The room behind has creatures of greater depth.
/// The sign disappears once the exit is explored, and survives a restart.
#[test]
fn sign_announces_creatures_of_greater_depth() {
    let mut table = beside_a_sign();
    table.restart();
    let exit =
        table.world().exits.of(table.body("Olad").room).find(|exit| exit.omen.is_some()).unwrap().clone();
    let sign = exit.omen.to_value().unwrap();
    for typed in ["look", "exits", &format!("look {}", exit.name)] {
        let read = table.types("Olad", typed);
        assert!(read.contains(&sign), "{typed}: {read}");
    }
    let before = table.body("Olad").room;
    table.becomes("Olad", 9_999, 200);
    table.types("Olad", &exit.name);
    let room = table.room("Olad").clone();
    assert!(guarded(table.world(), &room), "there is always something to fight");
    let dump = table.game().branch_dump(table.branch_of("Olad").unwrap()).unwrap();
    let dumped =
        dump.floors.iter().flat_map(|floor| &floor.rooms).find(|dumped| dumped.num == room.id.0).unwrap();
    assert!(dumped.tags.contains(&"out_of_depth".to_owned()), "{dumped:?}");
    fight_until_clear(&mut table);
    unblocks_the_room(&mut table, "Olad");
    let back = table.world().exits.of(room.id).find(|exit| exit.back).unwrap().name.clone();
    table.types("Olad", &back);
    assert_eq!(table.body("Olad").room, before);
    assert!(!table.types("Olad", "look").contains(&sign), "a way that is known has no sign");
}

/// Guards behind a sign may be four difficulty steps higher; all others match the difficulty of the room.
#[test]
fn guards_match_the_difficulty_of_the_room() {
    let out_of_depth =
        |world: &World, room: &Room| room.made_by.is_some_and(|exit| world.exits[exit].omen.is_some());
    for deeper in [false, true] {
        let table =
            olad_finds("guards", |world, room| guarded(world, room) && out_of_depth(world, room) == deeper);
        let room = table.room("Olad");
        let more = CATALOG.themes["well"].out_of_depth.difficulty;
        let difficulty = room.difficulty + if deeper { more } else { 0 };
        for id in table.world().occupants(room.id) {
            let Some(creature) = &table.world().characters[*id].prototype else { continue };
            let prototype = &CATALOG.creatures[creature];
            assert!(!prototype.guards() || prototype.appears_at(difficulty), "{creature} at {difficulty}");
        }
    }
}

/// Play generates the same room kinds, texts and signs as the planner for the same moves.
#[test]
fn c3_played_branch_equals_planned_branch() {
    let mut table = Table::new(seeded(12));
    table.sit("Olad");
    table.types_all("Olad", &["down", "north"]);
    table.becomes("Olad", 9_999, 200);
    hero_opens(&mut table, "Olad", 60);
    let (row, world) = (table.branch("Olad").clone(), table.world());
    let spec = BranchSpec {
        seed: row.seed,
        level_type: row.theme.clone(),
        theme: row.theme.clone(),
        generator: row.generator.clone(),
        settings: CATALOG.themes["well"].settings.growth,
        difficulty_per_floor: row.difficulty_per_floor,
    };
    let mut planned = PlannedBranch::new(spec);
    let mut rooms = table.rooms_of(row.id);
    rooms.sort();
    for id in &rooms {
        let exit = &world.exits[world.rooms[*id].made_by.expect("an exit")];
        let from = &world.rooms[exit.room];
        planned.open(&CATALOG, from.at, exit.direction.expect("a direction"));
    }
    let mut signs = 0;
    for (id, planned) in rooms.iter().zip(&planned.rooms) {
        let (room, plan) = (&world.rooms[*id], &planned.plan);
        assert_eq!(
            (room.sheet.kind, &room.sheet.name, &room.sheet.description),
            (plan.sheet.kind, &plan.sheet.name, &plan.sheet.description)
        );
        for (direction, exit) in &planned.exits {
            let lived = world.exits.of(*id).find(|exit| exit.direction == Some(*direction)).expect("an exit");
            let sign = plan.omens.get(direction).filter(|_| exit.ominous);
            assert_eq!((lived.state, lived.omen.as_ref()), (exit.state, sign));
            signs += u32::from(sign.is_some());
        }
    }
    assert!(signs > 0);
}
