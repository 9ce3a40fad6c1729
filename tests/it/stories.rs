//! Stories of the four exits of the well: chains of quests that people of the town begin and end.

use crate::errands::ground;
use crate::explorer::olad_finds;
use crate::hoard::{has, purse};
use crate::table::{CATALOG, Table, seeded};
use deepwell::base::Seed;
use deepwell::catalog::quest::{Quest, QuestGoal, QuestStep};
use deepwell::catalog::{Dialogue, RoomKind, Script};
use deepwell::dungeon::BranchSpec;
use deepwell::tools::branch::PlannedBranch;
use deepwell::world::{QuestStatus, Room};

/// Prefix of a scene in which a script completes a step, as landmarks do; the quest and the step follow.
const DEED: &str = "deed ";

/// Seeds and rooms of the walks that look for landmarks.
const WALKS: (u64, u32) = (40, 60);

/// A story: the level type behind its exit, its quests in order, and the scenes of both endings, which differ from the choice on.
struct Story {
    level: &'static str,
    quests: [&'static str; 4],
    reward: &'static str,
    achievement: &'static str,
    /// Typed lines and deeds from the square to the choice.
    scenes: &'static [&'static str],
    endings: [Ending; 2],
}

/// Ending of a story.
struct Ending {
    /// Typed lines and deeds from the choice to the end.
    scenes: &'static [&'static str],
    /// Part of the text that ends the last quest.
    end: &'static str,
    /// Part of the greeting afterwards, by the person in the same room.
    after: &'static str,
}

static STORIES: [Story; 4] = [
    Story {
        level: "well",
        quests: ["boot_1", "boot_2", "boot_3", "boot_4"],
        reward: "climbing_irons",
        achievement: "story_boot",
        scenes: &[
            "north",
            "talk climber",
            "nothing. good evening.",
            "talk climber",
            "whose boot is that on the rack?",
            "what became of her?",
            "i look for her mark.",
            "deed boot_1 mark",
            "talk climber",
            "1",
            "and then?",
            "i go to where the floor went.",
            "deed boot_2 deep",
            "deed boot_2 ledge",
            "talk climber",
            "1",
            "she was alive when she wrote it.",
            "who else was hurt that week?",
            "south",
            "east",
            "south",
            "talk trainer",
            "1",
            "1",
            "deed boot_3 coffer",
            "talk trainer",
            "1",
            "1",
            "1",
        ],
        endings: [
            Ending {
                scenes: &[
                    "i tell him that you are alive.",
                    "deed boot_4 down",
                    "north",
                    "west",
                    "north",
                    "talk climber",
                    "1",
                ],
                end: "it has been sixty steps",
                after: "that is her stool",
            },
            Ending {
                scenes: &[
                    "i tell him that anneke is dead.",
                    "deed boot_4 down",
                    "north",
                    "west",
                    "north",
                    "talk climber",
                    "1",
                ],
                end: "With her face to the well.",
                after: "One of them I no longer count",
            },
        ],
    },
    Story {
        level: "long seam",
        quests: ["survey_1", "survey_2", "survey_3", "survey_4"],
        reward: "brass_plumb",
        achievement: "story_survey",
        scenes: &[
            "west",
            "south",
            "talk clerk",
            "1",
            "1",
            "deed survey_1 voles",
            "deed survey_1 mark",
            "talk clerk",
            "1",
            "1",
            "1",
            "deed survey_2 deep",
            "deed survey_2 mark",
            "talk clerk",
            "1",
            "1",
            "1",
            "deed survey_3 plumb",
            "deed survey_3 mark",
            "talk clerk",
        ],
        endings: [
            Ending {
                scenes: &[
                    "it is your hand.",
                    "1",
                    "1",
                    "deed survey_4 down",
                    "deed survey_4 mark",
                    "talk clerk",
                    "1",
                ],
                end: "One can wait a long time for that word.",
                after: "a granddaughter",
            },
            Ending {
                scenes: &[
                    "it is no hand that i know.",
                    "1",
                    "1",
                    "deed survey_4 down",
                    "deed survey_4 mark",
                    "talk clerk",
                    "1",
                ],
                end: "Then everything balances.",
                after: "Thirty-nine, forty, forty-two.",
            },
        ],
    },
    Story {
        level: "cellars",
        quests: ["hide_1", "hide_2", "hide_3", "hide_4"],
        reward: "cork_face",
        achievement: "story_hide",
        scenes: &[
            "west",
            "talk chandler",
            "1",
            "1",
            "deed hide_1 breaths",
            "deed hide_1 mark",
            "talk chandler",
            "1",
            "1",
            "1",
            "deed hide_2 deep",
            "deed hide_2 mark",
            "talk chandler",
            "1",
            "1",
            "1",
            "deed hide_3 down",
            "deed hide_3 mark",
            "talk chandler",
            "1",
        ],
        endings: [
            Ending {
                scenes: &[
                    "i call that he is found.",
                    "deed hide_4 deep",
                    "deed hide_4 mark",
                    "talk chandler",
                    "1",
                ],
                end: "Ninety-nine. A hundred.",
                after: "A hundred, and here I come.",
            },
            Ending {
                scenes: &[
                    "i call that he has won.",
                    "deed hide_4 deep",
                    "deed hide_4 mark",
                    "talk chandler",
                    "1",
                ],
                end: "Then nobody is it any more.",
                after: "No numbers today.",
            },
        ],
    },
    Story {
        level: "sunken house",
        quests: ["house_1", "house_2", "house_3", "house_4"],
        reward: "eel_ring",
        achievement: "story_house",
        scenes: &[
            "north",
            "west",
            "talk bonesetter",
            "1",
            "1",
            "deed house_1 mourners",
            "deed house_1 mark",
            "east",
            "south",
            "east",
            "talk ropemaker",
            "1",
            "1",
            "1",
            "deed house_2 end",
            "west",
            "north",
            "west",
            "talk bonesetter",
            "1",
            "1",
            "1",
            "deed house_3 mark",
        ],
        endings: [
            Ending {
                scenes: &["talk bonesetter", "1", "1", "deed house_4 end", "talk bonesetter", "1"],
                end: "It is for the salt.",
                after: "I went to him first",
            },
            Ending {
                scenes: &[
                    "east", "south", "east", "talk ropemaker", "1", "1", "deed house_4 end",
                    "talk ropemaker", "1",
                ],
                end: "has stopped pulling",
                after: "I went to her first",
            },
        ],
    },
];

/// Returns `true` if a quest is part of a story.
pub(crate) fn is_part_of_a_story(key: &str) -> bool {
    STORIES.iter().any(|story| story.quests.contains(&key))
}

fn quests(story: &Story) -> impl Iterator<Item = &'static Quest> {
    story.quests.map(|key| &CATALOG.quests[key]).into_iter()
}

fn lines(script: &Script) -> Vec<String> {
    Vec::from(script.clone())
}

/// Returns all lines of dialogues.
fn lines_of_dialogues() -> Vec<String> {
    CATALOG.dialogues.values().flat_map(Dialogue::scripts).flat_map(lines).collect()
}

/// Olad (owner) in the square.
fn square() -> Table {
    let mut table = Table::new(seeded(5));
    table.sit("Olad");
    table.make_owner("Olad");
    table
}

/// Plays scenes of Olad. Returns what he is told in the last one.
fn plays(table: &mut Table, scenes: &[&str]) -> String {
    let mut text = String::new();
    for scene in scenes {
        if let Some(step) = scene.strip_prefix(DEED) {
            table.types("Olad", &format!("trigger say onward as onward = advance {step}"));
            text = table.types("Olad", "say onward");
            assert!(text.contains(" Done."), "{scene}: {text}");
        } else {
            text = table.types("Olad", scene);
            let is_answer = !scene.contains("talk") && !["north", "east", "south", "west"].contains(scene);
            assert!(!is_answer || text.contains("You say: "), "{scene}: {text}");
        }
    }
    text
}

/// Both endings of each story are reached by talking and by the steps below, told, and rewarded.
#[test]
fn stories_are_played_to_both_endings() {
    for story in &STORIES {
        for ending in &story.endings {
            let mut table = square();
            let before = purse(&table, "Olad");
            plays(&mut table, story.scenes);
            let text = plays(&mut table, ending.scenes);
            let last = CATALOG.quests[story.quests[3]].name.as_str();
            assert!(text.contains(ending.end), "{last}: {text}");
            assert!(text.contains(&format!("The quest {last} is done.")), "{text}");
            let copper: i64 = quests(story).map(|quest| i64::from(quest.copper)).sum();
            assert_eq!(purse(&table, "Olad") - before, copper, "{last}");
            assert_eq!(has(&table, "Olad", story.reward), 1, "{last}");
            let body = table.body("Olad");
            for key in story.quests {
                assert_eq!(
                    (body.quests[key].status, body.quests[key].times),
                    (QuestStatus::Done, 1),
                    "{key}"
                );
            }
            assert!(body.achievements[story.achievement].at.is_some(), "{last}");
        }
    }
}

/// After a story the person who ends it greets with other words, also after a restart, and does not begin it again.
#[test]
fn people_speak_differently_after_a_story() {
    for story in &STORIES {
        for ending in &story.endings {
            let mut table = square();
            plays(&mut table, story.scenes);
            plays(&mut table, ending.scenes);
            table.restart();
            let mut scenes = ending.scenes.iter().copied();
            let talk = scenes.rfind(|scene| scene.starts_with("talk")).expect("a talk");
            let before = purse(&table, "Olad");
            let answer = table.types("Olad", talk);
            assert!(answer.contains(ending.after), "{answer}");
            table.types_all("Olad", &["1", talk, "1", talk]);
            let body = table.body("Olad");
            assert!(story.quests.iter().all(|key| body.quests[*key].times == 1));
            assert!(
                has(&table, "Olad", story.reward) == 1 && purse(&table, "Olad") == before,
                "rewarded once"
            );
        }
    }
}

/// A player who puts off the next part is offered it again.
#[test]
fn next_part_is_offered_until_it_is_begun() {
    let mut table = square();
    plays(
        &mut table,
        &["west", "south", "talk clerk", "1", "1", "deed survey_1 voles", "deed survey_1 mark"],
    );
    plays(&mut table, &["talk clerk", "fourteen chains.", "i only read it."]);
    for _ in 0..2 {
        let answer = table.types("Olad", "talk clerk");
        assert!(answer.contains("About the surveyor."), "{answer}");
        plays(&mut table, &["about the surveyor.", "another day."]);
    }
    let begun = plays(&mut table, &["talk clerk", "about the surveyor.", "i bring it to you."]);
    assert!(begun.contains("Quest: The field book."), "{begun}");
    assert!(!table.types("Olad", "talk clerk").contains("About the surveyor."));
}

/// The old climber tells of the boot from the second talk on, without a tail.
#[test]
fn boot_is_explained_without_tails() {
    let mut table = square();
    table.types_all("Olad", &["north", "talk climber", "3"]);
    let answer = table.types_all("Olad", &["talk climber", "whose boot is that on the rack?"]);
    assert!(answer.contains("Her name was Anneke."), "{answer}");
}

/// A thing that has to be carried down is given again to a player who has lost it.
#[test]
fn lost_things_of_stories_are_given_again() {
    let mut table = square();
    let hide = &STORIES[2];
    let until = hide.scenes.iter().position(|scene| *scene == "deed hide_3 down").expect("a scene");
    plays(&mut table, &hide.scenes[..until]);
    assert_eq!(has(&table, "Olad", "childs_sledge"), 1);
    table.types("Olad", "drop sledge");
    let answer = table.types("Olad", "talk chandler");
    assert!(answer.contains("You receive a child's sledge."), "{answer}");
    assert_eq!(has(&table, "Olad", "childs_sledge"), 1);
}

/// Every quest of a story is begun by a dialogue, and every step that waits for a script is advanced by a landmark behind the
/// exit of the story or by a dialogue.
#[test]
fn quests_of_stories_are_begun_and_advanced() {
    let spoken = lines_of_dialogues();
    for story in &STORIES {
        let kind = CATALOG.level_type(story.level).expect("a level type that ships");
        let theme = CATALOG.theme_of(kind).expect("its theme");
        for quest in quests(story) {
            assert!(spoken.contains(&format!("start {}", quest.key)), "no dialogue begins {}", quest.key);
            let waits = |step: &&QuestStep| step.goal == Some(QuestGoal::Script);
            for step in quest.steps.iter().filter(waits) {
                let line = format!("advance {} {}", quest.key, step.key);
                let seen =
                    theme.landmarks.iter().filter(|mark| lines(&mark.on_enter).contains(&line)).count();
                assert!(seen >= 5 || spoken.contains(&line), "{line}: {seen} landmarks");
            }
        }
    }
}

/// All goals of a story can be met behind its exit, and what it asks to kill is behind no other exit of the well.
#[test]
fn goals_of_stories_can_be_met_behind_their_exit() {
    for story in &STORIES {
        for quest in quests(story) {
            assert!(quest.can_be_done(&CATALOG, ground(story.level)), "{}", quest.key);
            for step in &quest.steps {
                let Some(QuestGoal::Kill(kinds)) = &step.goal else { continue };
                for other in STORIES.iter().filter(|other| other.level != story.level) {
                    let theme = ground(other.level).theme;
                    let found = theme.creatures.iter().find(|creature| kinds.contains(creature));
                    assert_eq!(found, None, "{}: also behind the exit of the {}", quest.key, other.level);
                }
            }
        }
    }
}

/// Most branches behind each exit have a landmark among their first rooms, and the well a grave and a coffer.
#[test]
fn walks_find_the_rooms_of_stories() {
    for story in &STORIES {
        let walks: Vec<Vec<RoomKind>> = (0..WALKS.0)
            .map(|seed| {
                let spec = BranchSpec::of(&CATALOG, story.level, Seed(seed));
                let rooms = PlannedBranch::walk(spec, &CATALOG, WALKS.1, 1).rooms;
                rooms.iter().map(|room| room.plan.sheet.kind).collect()
            })
            .collect();
        let share = |found: &[RoomKind]| {
            let with = walks.iter().filter(|walk| walk.iter().any(|kind| found.contains(kind))).count();
            with * 100 / walks.len()
        };
        assert!(share(&[RoomKind::Landmark]) >= 60, "{}: {}", story.level, share(&[RoomKind::Landmark]));
        if story.level == "well" {
            assert!(share(&[RoomKind::Landmark, RoomKind::Grave]) >= 90);
            assert!(share(&[RoomKind::Coffer]) >= 80);
        }
    }
}

/// A landmark below advances the step of a player who enters it.
#[test]
fn landmark_advances_a_story() {
    let is_marked = |room: &Room| serde_json::to_string(room).expect("a row").contains("advance boot_1 mark");
    let mut table = olad_finds("a landmark of the story", |_, room| is_marked(room));
    table.becomes("Olad", 9_999, 999);
    table.begins_quest("Olad", "boot_1");
    let back = table.world().exits.of(table.body("Olad").room).find(|exit| exit.back).expect("a way back");
    let back = back.direction.expect("a direction");
    let answer = table.types_all("Olad", &[back.name(), back.opposite().name()]);
    assert!(answer.contains("'A. and W., dry so far.'"), "{answer}");
    assert_eq!(table.body("Olad").quests["boot_1"].counts["mark"], 1);
}

/// Steps of stories are told in at most twenty words.
#[test]
fn steps_of_stories_are_short() {
    for step in STORIES.iter().flat_map(quests).flat_map(|quest| &quest.steps) {
        assert!(step.text.split_whitespace().count() <= 20, "{}", step.text);
    }
}
