//! The expedition of the week: its way, its members, its camps and what it tells.

use crate::expeditions::{delete, lodge, the_branch, walk_to_the_weekly_way};
use crate::explorer::hero_opens;
use crate::table::{Table, changed_content, seeded};
use deepwell::catalog::BUILTIN;

/// Olad is in the branch of this week, in a world whose members open so many rooms on a day.
fn olad_surveys(rooms_per_day: u32) -> Table {
    let rules = BUILTIN.iter().find(|(path, _)| *path == "rules.toml").expect("the rules").1;
    let per_day = format!("weekly_rooms_per_day = {rooms_per_day}");
    let content = changed_content(&[("rules.toml", &rules.replace("weekly_rooms_per_day = 12", &per_day))]);
    let mut table = Table::with_content(seeded(11), &content);
    for name in ["Olad", "Bera", "Cato"] {
        table.sit(name);
    }
    table.becomes("Olad", 9_000, 900);
    enters(&mut table, "Olad");
    table
}

fn enters(table: &mut Table, name: &str) {
    walk_to_the_weekly_way(table, name);
    let answer = table.types(name, "expedition enter weekly");
    assert!(answer.contains("You move the board with the name of Weekly Survey aside"), "{answer}");
}

fn way_line(table: &mut Table) -> String {
    let page = table.types("Cato", "expedition weekly");
    page.lines().find(|line| line.starts_with("The way: ")).expect("a way").to_owned()
}

/// While the branch of the week exists, its way stays although builders add and remove others; who is refused is no member.
#[test]
fn way_of_the_week_stays_while_ways_come_and_go() {
    let mut table = olad_surveys(12);
    let (branch, way) = (the_branch(&table), way_line(&mut table));
    table.make_owner("Cato");
    table.types_all("Cato", &["recall", "dig Shaft:start = shaft,out", "shaft"]);
    for change in ["open north:branch", "open east:branch", "open south:branch", "destroy north"] {
        table.types("Cato", change);
        assert_eq!(way_line(&mut table), way, "{change}");
        let answer = table.types("Bera", "expedition enter weekly");
        assert!(answer.contains("The way of this week is at"), "{change}: {answer}");
        assert_eq!(table.world().expeditions[branch].members, [table.id("Olad")], "{change}");
    }
    enters(&mut table, "Bera");
    assert_eq!(table.branch_of("Bera"), Some(branch));
}

/// A way is offered while players can walk to it from the town.
#[test]
fn ways_out_of_reach_are_not_offered() {
    let mut table = lodge(&["Olad", "Cato"]);
    table.make_owner("Cato");
    table.types_all("Cato", &["recall", "dig Pit:start = hatch,out", "hatch", "open north:branch"]);
    let offers = table.types("Olad", "expedition new");
    assert!(offers.contains("Pit, north"), "{offers}");
    table.types_all("Cato", &["recall", "destroy hatch"]);
    let pits = table.world().rooms.iter().filter(|(_, room)| room.sheet.name == "Pit").count();
    let offers = table.types("Olad", "expedition new");
    assert!(
        pits == 1 && offers.contains("Bottom of the Well, north") && !offers.contains("Pit,"),
        "{offers}"
    );
}

/// The weekly survey stays when its last member leaves it, and who comes back has opened as many rooms today.
#[test]
fn weekly_survey_outlives_its_members() {
    let mut table = olad_surveys(2);
    let branch = the_branch(&table);
    hero_opens(&mut table, "Olad", 3);
    assert!(
        table.types("Olad", "expedition leave").contains("You are below, in the branch of Weekly Survey.")
    );
    table.types("Olad", "recall now");
    assert_eq!(table.types("Olad", "expedition leave survey"), "You belong to Weekly Survey no more.");
    assert!(table.world().expeditions[branch].members.is_empty());
    table.restart();
    let page = table.types("Olad", "expedition weekly");
    assert!(page.contains("today you have opened two"), "{page}");
    enters(&mut table, "Olad");
    assert_eq!((the_branch(&table), table.rooms_of(branch).len()), (branch, 3));
    // The share of a deleted character is forgotten, also if it has left before.
    table.types_all("Olad", &["recall now", "expedition leave weekly"]);
    delete(&mut table, "Olad");
    let row = &table.world().expeditions[branch];
    assert!(row.weekly.as_ref().is_some_and(|of| of.opened.is_empty()) && row.members.is_empty());
    enters(&mut table, "Bera");
    assert_eq!(table.world().expeditions[branch].leader, table.id("Bera"));
}

/// The list tells of the weekly survey what is true for it.
#[test]
fn list_tells_the_weekly_survey_as_it_is() {
    let mut table = olad_surveys(12);
    let list = table.types("Olad", "expedition");
    for part in ["For everybody: one member. Below now: Olad.", "It ends with the week, in "] {
        assert!(list.contains(part), "{part}: {list}");
    }
    for part in ["Led by", "Asked", "Without a visit"] {
        assert!(!list.contains(part), "{part}: {list}");
    }
}

/// In the weekly survey each pitches one camp, after having opened a room.
#[test]
fn each_pitches_one_camp_in_the_weekly_survey() {
    let mut table = olad_surveys(40);
    let branch = the_branch(&table);
    let answer = table.types("Olad", "camp");
    assert!(answer.contains("those pitch a camp who have opened a room of it"), "{answer}");
    hero_opens(&mut table, "Olad", 2);
    for rooms in 3..40 {
        if table.types("Olad", "camp").starts_with("You pitch a camp.") {
            break;
        }
        hero_opens(&mut table, "Olad", rooms);
    }
    assert_eq!(table.world().expeditions[branch].camps.len(), 1);
    let rooms = table.rooms_of(branch).len();
    hero_opens(&mut table, "Olad", rooms + 1);
    let answer = table.types("Olad", "camp");
    assert!(answer.contains("each pitches one camp, and yours is pitched"), "{answer}");
}
