//! Quests in play: start, progress, completion and the reward. The progress of a character is in its row, so that it is stored
//! in the same batch as the deed that caused it and the reward that follows.

pub(crate) mod achievements;
mod announce;
mod count;
pub(crate) mod trial;
mod uncounted;
pub(crate) mod view;

use crate::character::quests::{is_active, is_overdue, progress};
use crate::character::variables::Subjects;
use crate::character::{affects, experience, quests};
use crate::creature::script::{conditions, deeds, run};
use crate::effect::Class;
use crate::item::money;
use crate::message::{naming, tell};
use crate::party::members;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
pub(crate) use announce::{announce_changes, announce_to_all};
use deepwell_core::base::{CharacterId, ExitId, RuleLimit};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::quest::{Quest, QuestStep};
use deepwell_core::catalog::script::{ScriptDeed, ScriptLine};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{Character, QuestProgress, QuestStatus};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Deed of a player that may be a step of a quest. Texts are keys of content.
#[derive(Clone, Copy, Debug)]
pub(crate) enum QuestDeed<'a> {
    /// A creature of a kind was killed; `credited` if the player is the slayer.
    Killed { creature: &'a str, credited: bool },
    /// A room was entered.
    Entered,
    /// An item was given to a creature.
    Gave { item: &'a str, to: &'a str, count: u32 },
    /// A dialogue was begun.
    Talked(&'a str),
    /// An item was used.
    Used(&'a str),
    /// A captive was brought out of the dungeon, from a branch behind a start exit.
    Rescued { creature: &'a str, exit: Option<ExitId> },
    /// A puzzle of a kind was solved.
    Solved(&'a str),
    /// The room became clear.
    Cleared,
    /// A coffer at the end of a chain of clues was opened.
    OpenedCoffer,
    /// Something happened to the player.
    Moment(Lesson),
    /// A script says that a step is done.
    Step { quest: &'a str, step: &'a str },
    /// Items, variables or other facts may have changed.
    Changed,
}

/// Maximum number of steps that one deed completes.
const STEPS_AT_ONCE: usize = 64;

/// Returns an error if a player cannot start a quest now.
pub(crate) fn require_startable(turn: &mut Turn, who: CharacterId, quest: &Quest) -> Result<(), Refusal> {
    let body = &turn.world.characters[who];
    // Quests that no longer exist cannot be given up.
    let exists = |(key, row): &(&String, &QuestProgress)| {
        row.status == QuestStatus::Active && turn.catalog.quests.contains_key(*key)
    };
    let active = body.quests.iter().filter(exists).count();
    let name = || quest.name.clone();
    if !quests::is_open(turn, who, quest) {
        return Err(refuse!("The quest {} is not to be done again now.", name()));
    }
    refusal::require_below(&turn.config.limits, RuleLimit::Quests, active, |most| {
        refuse!("You have {most} quests, as many as you may. quest abandon NAME gives one up.")
    })?;
    let subjects = Subjects::of_room(turn.world.characters[who].room, Some(who));
    match &quest.only_if {
        Some(condition) if !conditions::holds(turn, condition, subjects) => {
            Err(refuse!("The quest {} is not for you yet.", name()))
        }
        _ => Ok(()),
    }
}

/// Starts a quest. A player who cannot start it now is told why.
pub(crate) fn start(turn: &mut Turn, who: CharacterId, key: &str) {
    let catalog = Arc::clone(&turn.catalog);
    let Some(quest) = catalog.quests.get(key) else { return };
    if let Err(reason) = require_startable(turn, who, quest) {
        turn.outbox.count_refusal(&reason);
        return tell::tell(turn, who, Class::Notice, reason.markup());
    }
    begin(turn, who, quest, None);
}

/// Begins a quest that the player can start; an errand counts only behind a start exit.
pub(crate) fn begin(turn: &mut Turn, who: CharacterId, quest: &Quest, exit: Option<ExitId>) {
    let (at, branch) = (turn.now, turn.world.characters[who].branch);
    let (name, edition) = (quest.name.clone(), Some(quest.edition()));
    let before = progress(turn, who, &quest.key).cloned().unwrap_or_default();
    let (status, counts) = (QuestStatus::Active, BTreeMap::new());
    let row = QuestProgress { status, counts, at, branch, exit, name, edition, ..before };
    turn.world.characters.change(who, |body| body.quests.insert(quest.key.clone(), row));
    let text = view::text_of(turn, who, quest);
    let begun = Markup::styled(Style::Boon, &format!("Quest: {}.", quest.name)).and(" ").and(text.as_str());
    tell::tell(turn, who, Class::Notice, begun);
    for step in current_steps(turn, who, quest) {
        tell::tell(turn, who, Class::Notice, view::step_words(turn, who, quest, step));
    }
    note(turn, who, QuestDeed::Changed);
}

/// Carries out the line of a script about a quest.
pub(crate) fn carry_out(turn: &mut Turn, who: CharacterId, deed: &ScriptDeed) {
    match deed {
        ScriptDeed::Start(quest) => start(turn, who, quest),
        ScriptDeed::Advance(quest, step) => note(turn, who, QuestDeed::Step { quest, step }),
        ScriptDeed::Finish(key) => {
            let catalog = Arc::clone(&turn.catalog);
            if let Some(quest) = catalog.quests.get(key)
                && is_active(turn, who, key)
            {
                complete(turn, who, quest);
            }
        }
        _ => {}
    }
}

/// Returns the number of times that a step has been done.
pub(crate) fn count_of(turn: &Turn, who: CharacterId, quest: &Quest, step: &QuestStep) -> u32 {
    progress(turn, who, &quest.key).and_then(|row| row.counts.get(&step.key)).copied().unwrap_or_default()
}

/// Returns the first required step that is not done, with its alternatives; empty if all are done.
pub(crate) fn current_steps<'q>(turn: &Turn, who: CharacterId, quest: &'q Quest) -> &'q [QuestStep] {
    let is_required = |group: &&[QuestStep]| !group.iter().any(|step| step.optional);
    let mut required = quest.groups().filter(is_required);
    required.find(|group| !is_done(turn, who, quest, group)).unwrap_or_default()
}

/// Returns `true` if one of the steps of a group is done.
pub(crate) fn is_done(turn: &Turn, who: CharacterId, quest: &Quest, group: &[QuestStep]) -> bool {
    group.iter().any(|step| count_of(turn, who, quest, step) >= step.count)
}

/// Notes the deed of a player in all active quests.
pub(crate) fn note(turn: &mut Turn, who: CharacterId, deed: QuestDeed<'_>) {
    if turn.world.characters.get(who).is_none_or(|body| !body.is_player()) {
        return;
    }
    achievements::note(turn, who, deed);
    let Some(body) = turn.world.characters.get(who) else { return };
    let active = body.quests.iter().filter(|(_, row)| row.status == QuestStatus::Active);
    let active: Vec<String> = active.map(|(key, _)| key.clone()).collect();
    let catalog = Arc::clone(&turn.catalog);
    for quest in active.iter().filter_map(|key| catalog.quests.get(key)) {
        if progress(turn, who, &quest.key).is_some_and(|row| is_overdue(turn, quest, row)) {
            fail(turn, who, quest);
            tell::tell(turn, who, Class::Notice, format!("Your time for the quest {} is over.", quest.name));
            continue;
        }
        note_in(turn, who, quest, deed);
    }
}

/// Notes a deed in one quest. A step that is done makes the next one current, which may be done already.
fn note_in(turn: &mut Turn, who: CharacterId, quest: &Quest, deed: QuestDeed<'_>) {
    let begun = deed;
    let (mut deed, mut has_counted) = (deed, false);
    for _ in 0..STEPS_AT_ONCE {
        let current = current_steps(turn, who, quest);
        let mut has_done = false;
        for step in quest.steps.iter().filter(|step| step.optional || current.contains(step)) {
            if is_active(turn, who, &quest.key) {
                let advanced = advance(turn, who, quest, step, deed);
                has_counted |= advanced != Advanced::Not;
                has_done |= advanced == Advanced::Done;
            }
        }
        if !is_active(turn, who, &quest.key) {
            return;
        }
        if current_steps(turn, who, quest).is_empty() {
            return complete(turn, who, quest);
        }
        if !has_counted {
            return uncounted::explain(turn, who, quest, begun);
        }
        if !has_done {
            return;
        }
        deed = QuestDeed::Changed;
    }
}

/// Effect of a deed on a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Advanced {
    /// The deed does not count.
    Not,
    /// It counts, and more is needed.
    Partly,
    /// The step is done with it.
    Done,
}

/// Adds a deed to the progress of a step.
fn advance(
    turn: &mut Turn,
    who: CharacterId,
    quest: &Quest,
    step: &QuestStep,
    deed: QuestDeed<'_>,
) -> Advanced {
    let before = count_of(turn, who, quest, step);
    if before >= step.count {
        return Advanced::Not;
    }
    let after = count::after(turn, who, quest, step, before, deed).min(step.count);
    if after == before {
        return Advanced::Not;
    }
    turn.world.characters.change(who, |body| {
        if let Some(row) = body.quests.get_mut(&quest.key) {
            row.counts.insert(step.key.clone(), after);
        }
    });
    tell::tell(turn, who, Class::Notice, view::step_words(turn, who, quest, step));
    if after < step.count {
        return Advanced::Partly;
    }
    if !step.lines.is_empty() {
        run_lines(turn, who, quest, step);
    }
    Advanced::Done
}

/// Runs the lines of a step that is done. What they pay is paid once until the quest is completed, however often it is
/// abandoned and begun again.
fn run_lines(turn: &mut Turn, who: CharacterId, quest: &Quest, step: &QuestStep) {
    let note = |body: &mut Character| {
        body.quests.get_mut(&quest.key).is_some_and(|row| !row.paid.insert(step.key.clone()))
    };
    let has_paid = turn.world.characters.change(who, note).unwrap_or_default();
    let pays = |line: &ScriptLine| line.deed.pays();
    if has_paid && step.lines.lines().iter().any(pays) {
        let message = "You had what there is for this step when you did it before.";
        tell::tell(turn, who, Class::Notice, message);
    }
    let subjects = Subjects::of_room(turn.world.characters[who].room, Some(who));
    let withheld_by = if has_paid { &quest.key } else { "" };
    run::run_without_pay(turn, &step.lines, subjects, withheld_by);
}

/// Notes a kill for the slayer and, in shared quests, for the companions who share its experience.
pub(crate) fn note_kill(turn: &mut Turn, creature: &str, slayer: CharacterId, winners: &[CharacterId]) {
    let credited = members::credited(turn, slayer);
    for who in winners {
        note(turn, *who, QuestDeed::Killed { creature, credited: *who == credited });
    }
    if !winners.contains(&credited) {
        note(turn, credited, QuestDeed::Killed { creature, credited: true });
    }
}

/// Completes a quest and gives its reward, in the same batch.
fn complete(turn: &mut Turn, who: CharacterId, quest: &Quest) {
    let now = turn.now;
    turn.world.characters.change(who, |body| {
        if let Some(row) = body.quests.get_mut(&quest.key) {
            (row.status, row.at) = (QuestStatus::Done, now);
            row.times = row.times.saturating_add(1);
            row.counts.clear();
            row.paid.clear();
        }
    });
    let done = Markup::styled(Style::Boon, &format!("The quest {} is done.", quest.name));
    tell::tell(turn, who, Class::Notice, done);
    if quest.experience > 0 {
        experience::gain_experience(turn, who, quest.experience.into(), "");
    }
    let copper = i64::from(quest.copper);
    if copper > 0
        && let Err(reason) = deeds::give_money(turn, who, copper)
    {
        turn.outbox.count_refusal(&reason);
        tell::tell(turn, who, Class::Notice, reason.markup());
        money::mint(turn, who, copper, "quest");
    }
    for (_, item) in &quest.items {
        let message = naming::item_words(turn, item, 1);
        tell::tell(turn, who, Class::Notice, format!("Your reward is {message}."));
        deeds::give(turn, item, 1, who);
    }
    if let Some(affect) = &quest.affect {
        affects::apply_affect(turn, who, affect, None);
    }
    if let Some(title) = &quest.title {
        add_title(turn, who, title);
        turn.world.characters.change(who, |body| body.title.clone_from(title));
        tell::tell(turn, who, Class::Notice, format!("You may call yourself {title} now."));
    }
    if !quest.lines.is_empty() {
        let subjects = Subjects::of_room(turn.world.characters[who].room, Some(who));
        run::run_about(turn, &quest.lines, subjects);
    }
}

/// Adds a title to those that a player may bear.
fn add_title(turn: &mut Turn, who: CharacterId, title: &str) {
    let most = turn.config.limits.titles as usize;
    turn.world.characters.change(who, |body| {
        if !body.titles.iter().any(|known| known == title) {
            body.titles.push(title.to_owned());
            let excess = body.titles.len().saturating_sub(most);
            body.titles.drain(..excess);
        }
    });
}

fn fail(turn: &mut Turn, who: CharacterId, quest: &Quest) {
    let now = turn.now;
    turn.world.characters.change(who, |body| {
        if let Some(row) = body.quests.get_mut(&quest.key) {
            (row.status, row.at) = (QuestStatus::Failed, now);
            row.counts.clear();
        }
    });
}

/// Abandons an active quest, by its key or the beginning of its name.
pub(crate) fn abandon(turn: &mut Turn, who: CharacterId, name: &str) -> Result<String, Refusal> {
    let catalog = Arc::clone(&turn.catalog);
    let key = view::quest_meant(turn, who, name)?;
    let Some(quest) = catalog.quests.get(&key).filter(|_| is_active(turn, who, &key)) else {
        return Err(refuse!("You are not on the quest \"{name}\"."));
    };
    fail(turn, who, quest);
    Ok(format!("You give up the quest {}.", quest.name))
}
