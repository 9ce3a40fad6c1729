//! The state of a quest for its builders: told step by step, forgotten, or set to a step, without its lines and rewards.

use crate::character::quests::{is_active, progress};
use crate::quest::{count_of, current_steps};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::quest::Quest;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{QuestProgress, QuestStatus};

/// Forgets all that a player has done in a quest. Returns `false` if there is nothing to forget.
pub(crate) fn reset(turn: &mut Turn, who: CharacterId, key: &str) -> bool {
    let is_known = progress(turn, who, key).is_some();
    if is_known {
        turn.world.characters.change(who, |body| body.quests.remove(key));
    }
    is_known
}

/// Puts a player at a step of a quest, by its place: the required steps before it count as done, it and those after it
/// do not.
pub(crate) fn go_to_step(turn: &mut Turn, who: CharacterId, quest: &Quest, place: usize) {
    let mut counts = std::collections::BTreeMap::new();
    let mut begun = 0;
    for group in quest.groups() {
        begun += group.len();
        if begun > place {
            break;
        }
        let required = group.first().filter(|step| !step.optional);
        counts.extend(required.map(|step| (step.key.clone(), step.count)));
    }
    let (at, branch) = (turn.now, turn.world.characters[who].branch);
    let (name, edition) = (quest.name.clone(), Some(quest.edition()));
    let before = progress(turn, who, &quest.key).cloned().unwrap_or_default();
    let row = QuestProgress { status: QuestStatus::Active, counts, at, branch, name, edition, ..before };
    turn.world.characters.change(who, |body| body.quests.insert(quest.key.clone(), row));
}

/// Tells the state of a quest of a player: whether it is begun, and each step by its key.
pub(crate) fn state(turn: &Turn, who: CharacterId, quest: &Quest) -> Markup {
    let name = &turn.world.characters[who].name;
    let mut page = Markup::styled(Style::Heading, &format!("{} of {name}, quest {}", quest.name, quest.key));
    let Some(row) = progress(turn, who, &quest.key) else {
        page.line(Style::Plain, "Not begun.");
        return page;
    };
    let since = row.at.utc();
    page.line(
        Style::Plain,
        &match row.status {
            QuestStatus::Active => format!("Begun {since}."),
            QuestStatus::Done => format!("Done {}, last {since}.", grammar::times(row.times)),
            QuestStatus::Failed => format!("Given up, or its time was over, {since}."),
        },
    );
    let current = current_steps(turn, who, quest);
    for (number, step) in (1..).zip(&quest.steps) {
        let now = is_active(turn, who, &quest.key) && current.contains(step);
        let (count, of) = (count_of(turn, who, quest, step), step.count);
        let now = if now { ", now" } else { "" };
        page.line(Style::Plain, &format!("Step {number}, {}: {count} of {of}{now}. {}", step.key, step.text));
    }
    page
}
