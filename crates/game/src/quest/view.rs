//! Quests as text and as data.

use crate::branch::start_room;
use crate::character::quests::{is_overdue, progress};
use crate::effect::data::{Data, QuestInfo, QuestStepInfo};
use crate::quest::{count_of, current_steps, is_done};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::quest::{Quest, QuestStep};
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{QuestProgress, QuestStatus};

/// Returns the quest that a player means among those begun, by the key or the beginning of the name.
pub(crate) fn quest_meant(turn: &Turn, who: CharacterId, name: &str) -> Result<String, Refusal> {
    let typed = name.to_lowercase();
    let of_key = known(turn, who).find(|(quest, _)| quest.key == typed);
    let called = || known(turn, who).find(|(quest, _)| quest.name.to_lowercase().starts_with(&typed));
    let found = of_key.or_else(called).map(|(quest, _)| quest.key.clone());
    found.ok_or_else(|| no_such_quest(name))
}

/// Returns a step with its progress: "Tails: Kill three rats. 2 of 3."
pub(crate) fn step_words(turn: &Turn, who: CharacterId, quest: &Quest, step: &QuestStep) -> Markup {
    let count = count_of(turn, who, quest, step);
    let progress = match (count >= step.count, step.count) {
        (true, _) => " Done.".to_owned(),
        (false, 1) => String::new(),
        (false, of) => format!(" {count} of {of}."),
    };
    Markup::styled(Style::Boon, &quest.name).and(": ").and(step.text.as_str()).and(progress.as_str())
}

/// Returns the text of a step that is not done, with its progress: "Kill three rats. 2 of 3."
pub(crate) fn progress_words(turn: &Turn, who: CharacterId, quest: &Quest, step: &QuestStep) -> String {
    let (count, of) = (count_of(turn, who, quest, step), step.count);
    let progress = if of > 1 { format!(" {count} of {of}.") } else { String::new() };
    format!("{}{progress}", step.text)
}

/// Returns the quests of a player that still exist.
fn known(turn: &Turn, who: CharacterId) -> impl Iterator<Item = (&Quest, &QuestProgress)> {
    let own = turn.world.characters[who].quests.iter();
    own.filter_map(|(key, row)| Some((turn.catalog.quests.get(key)?, row)))
}

/// Returns the text of a quest, and for an errand where it can be done.
pub(crate) fn text_of(turn: &Turn, who: CharacterId, quest: &Quest) -> String {
    match place_of(turn, who, quest) {
        Some(place) => format!("{} Where: {place}. Each branch behind that way counts.", quest.text),
        None => quest.text.clone(),
    }
}

/// Describes the start exit to which an errand of a player is bound.
pub(super) fn place_of(turn: &Turn, who: CharacterId, quest: &Quest) -> Option<String> {
    let exit = progress(turn, who, &quest.key).and_then(|row| row.exit)?;
    Some(start_room::place_words(turn, exit))
}

fn active(turn: &Turn, who: CharacterId) -> impl Iterator<Item = (&Quest, &QuestProgress)> {
    known(turn, who).filter(|(_, row)| row.status == QuestStatus::Active)
}

/// Returns the names of the active quests of a player.
pub(crate) fn active_names(turn: &Turn, who: CharacterId) -> Vec<&str> {
    active(turn, who).map(|(quest, _)| quest.name.as_str()).collect()
}

/// Lists the active quests of a player, each with its current step, and the number of completed ones.
pub(crate) fn list(turn: &Turn, who: CharacterId) -> Markup {
    let mut page = Markup::styled(Style::Heading, "Quests");
    let mut is_empty = true;
    for (quest, row) in active(turn, who) {
        is_empty = false;
        page.line(Style::Boon, &quest.name);
        let current =
            current_steps(turn, who, quest).iter().map(|step| progress_words(turn, who, quest, step));
        let steps = current.collect::<Vec<_>>().join(" Or: ");
        let is_over = is_overdue(turn, quest, row);
        page.push(Style::Plain, &format!(": {}", if is_over { "your time is over." } else { &steps }));
    }
    if is_empty {
        page.line(
            Style::Plain,
            "You have none. People who want something done tell you when you talk to them.",
        );
    }
    let done = known(turn, who).filter(|(_, row)| row.times > 0).count();
    if done > 0 {
        page.line(Style::Plain, &format!("You have completed {}.", grammar::counted(done, "quest")));
    }
    page
}

/// Shows one quest of a player with all its steps.
pub(crate) fn sheet(turn: &Turn, who: CharacterId, name: &str) -> Result<Markup, Refusal> {
    let key = quest_meant(turn, who, name)?;
    let (Some(quest), Some(row)) = (turn.catalog.quests.get(&key), progress(turn, who, &key)) else {
        return Err(no_such_quest(name));
    };
    let mut page = Markup::styled(Style::Heading, &quest.name);
    page.line(Style::Plain, &text_of(turn, who, quest));
    match row.status {
        QuestStatus::Active if is_overdue(turn, quest, row) => page.line(Style::Plain, "Your time is over."),
        QuestStatus::Active => {
            let current = current_steps(turn, who, quest);
            for (group, step) in quest.groups().flat_map(|group| group.iter().map(move |step| (group, step)))
            {
                let (count, of) = (count_of(turn, who, quest, step), step.count);
                let state = match (count >= of, step.optional) {
                    (true, _) => "Done".to_owned(),
                    (false, true) => format!("If you like, {count} of {of}"),
                    _ if is_done(turn, who, quest, group) => "Not needed".to_owned(),
                    _ if !current.contains(step) => "Later".to_owned(),
                    _ if step.alternative => format!("Or, {count} of {of}"),
                    _ => format!("Now, {count} of {of}"),
                };
                page.line(Style::Plain, &format!("{state}: {}", step.text));
            }
        }
        QuestStatus::Done => {
            page.line(Style::Plain, &format!("You have done it {}.", grammar::times(row.times)));
        }
        QuestStatus::Failed => page.line(Style::Plain, "You have given it up, or your time was over."),
    }
    Ok(page)
}

/// Returns the active quests of a player for clients.
pub(crate) fn data(turn: &Turn, who: CharacterId) -> Data {
    let active = known(turn, who).filter(|(_, row)| row.status == QuestStatus::Active);
    let info = |(quest, _): (&Quest, &QuestProgress)| {
        let current = current_steps(turn, who, quest);
        let shown = quest.steps.iter().filter(|step| {
            step.optional || current.contains(step) || count_of(turn, who, quest, step) >= step.count
        });
        QuestInfo {
            name: quest.name.clone(),
            text: text_of(turn, who, quest),
            steps: shown
                .map(|step| QuestStepInfo {
                    text: step.text.clone(),
                    count: count_of(turn, who, quest, step),
                    of: step.count,
                    optional: step.optional,
                })
                .collect(),
            about: format!("quest {}", quest.key),
            abandon: format!("quest abandon {}", quest.key),
        }
    };
    Data::Quests(active.map(info).collect())
}

/// Returns the refusal of a quest that the character does not have.
fn no_such_quest(name: &str) -> Refusal {
    refuse!("You know no quest \"{name}\". quests lists those that you have.")
}
