//! Tests of quests.

use super::*;
use crate::data::Reader;

const TAILS: &str = "name = \"Tails\"\ntext = \"Three tails.\"\nrepeat = \"daily\"\n\
    [[steps]]\nkey = \"rats\"\ntext = \"Kill rats.\"\nkill = \"rat\"\ncount = 3\n\
    [[steps]]\nkey = \"back\"\ntext = \"Come back.\"\nreach = \"town/lodge\"\n";

fn read(text: &str) -> (Quest, Vec<String>) {
    let mut mistakes = Vec::new();
    let quest = Reader::whole("quests/tails.toml", text, &mut mistakes, Quest::read).expect("TOML");
    quest.check(&Catalog::builtin(), &mut mistakes);
    (quest, mistakes.iter().map(ToString::to_string).collect())
}

#[test]
fn quest_is_read_with_steps_and_rewards() {
    let (quest, mistakes) = read(&format!("experience = 40\nitems = [\"club\"]\n{TAILS}"));
    assert_eq!(mistakes, Vec::<String>::new());
    assert_eq!((quest.repeat, quest.experience, quest.items.len()), (Repeat::Daily, 40, 1));
    assert_eq!(
        quest.step("rats").and_then(|step| step.goal.clone()),
        Some(QuestGoal::Kill(vec!["rat".into()]))
    );
}

#[test]
fn quests_that_need_each_other_are_a_mistake() {
    let needs = |key: &str| format!("only_if = \"quest {key} done and level 2\"\n{TAILS}");
    let mut mistakes = Vec::new();
    let mut read =
        |file: &str, text: &str| Reader::whole(file, text, &mut mistakes, Quest::read).expect("TOML");
    let quests = [
        read("quests/one.toml", &needs("two")),
        read("quests/two.toml", &needs("three")),
        read("quests/three.toml", &needs("one")),
        read("quests/four.toml", &needs("one")),
    ];
    let mut catalog = Catalog::builtin();
    catalog.quests =
        quests.into_iter().map(|quest| (quest.key.clone(), quest)).collect::<BTreeMap<_, _>>().into();
    catalog.quests.values().for_each(|quest| quest.check(&catalog, &mut mistakes));
    let messages: Vec<String> = mistakes.iter().map(ToString::to_string).collect();
    assert_eq!(messages.len(), 3, "{messages:#?}");
    let mistake = "the quest `one` can never begin: it needs `two`, which needs `three`, which needs `one`";
    assert!(messages.iter().any(|line| line.contains(mistake)), "{messages:#?}");
}

#[test]
fn mistakes_of_a_quest_are_reported_together() {
    let text = TAILS
        .replace("kill = \"rat\"", "kill = \"rta\"")
        .replace("reach = \"town/lodge\"", "reach = \"town/lodeg\"\noptional = true")
        + "[[steps]]\nkey = \"rats\"\ntext = \"?\"\noptional = true\n[[steps]]\nkey = \"x\"\ntext = \"?\"\nfetch = \"club\"\nuse = \"club\"\n";
    let (_, mistakes) = read(&format!("{text}alternative = true\n"));
    for begin in [
        "quests/tails.toml:4:1: unknown creature `rta`",
        "quests/tails.toml:9:1: unknown room `lodeg`",
        "quests/tails.toml:14:1: the step has no goal, or more than one",
        "quests/tails.toml:14:1: two steps have the key `rats`",
        "quests/tails.toml:18:1: the step has no goal, or more than one",
        "quests/tails.toml:18:1: the step `x` is an alternative to nothing",
    ] {
        assert!(mistakes.iter().any(|line| line.starts_with(begin)), "{begin}: {mistakes:#?}");
    }
    let (_, mistakes) =
        read(&TAILS.replace("reach", "optional = true\nreach").replace("count", "optional = true\ncount"));
    assert!(
        mistakes.iter().any(|line| line.contains("the quest `tails` has no required step")),
        "{mistakes:#?}"
    );
}
