//! Explanations for deeds that a player may take for progress in a quest, and that do not count.

use crate::effect::Class;
use crate::message::{naming, tell};
use crate::quest::count::{is_in_place, names};
use crate::quest::{QuestDeed, count_of, current_steps, view};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::Referent;
use deepwell_core::catalog::quest::{Quest, QuestGoal, QuestStep};
use deepwell_core::text::{Markup, Style, grammar};

/// Part of a deed: the kinds that a goal names, and the kind that the deed was about.
type DeedPart<'a> = (Referent, &'a [String], &'a str);

/// Tells a player why a deed does not count, if it is like one that does: of another kind in the words of the step, in a step
/// that is not due yet, or by another player.
pub(super) fn explain(turn: &mut Turn, who: CharacterId, quest: &Quest, deed: QuestDeed<'_>) {
    let current = current_steps(turn, who, quest);
    let is_open = |step: &&QuestStep| count_of(turn, who, quest, step) < step.count;
    let is_due = |step: &QuestStep| step.optional || current.contains(step);
    let open: Vec<&QuestStep> = quest.steps.iter().filter(is_open).collect();
    let mut due = open.iter().filter(|step| is_due(step));
    let due = due.find_map(|step| Some((*step, reason(turn, step, deed)?)));
    let later = || {
        let is_named = |step: &&&QuestStep| {
            let asked = step.goal.iter().flat_map(|goal| asked(goal, deed));
            let mut asked = asked.peekable();
            asked.peek().is_some() && asked.all(|(_, kinds, key)| names(kinds, key))
        };
        open.iter().find(is_named)?;
        Some(format!("That does not count yet. First: {}", current.first()?.text))
    };
    let is_elsewhere = |step: &QuestStep| !is_in_place(turn, who, quest, step, deed);
    let explanation = match due {
        Some((step, _)) if is_elsewhere(step) => elsewhere_words(turn, who, quest, step),
        Some((_, reason)) => Some(reason),
        None => later(),
    };
    if let Some(explanation) = explanation {
        let line = Markup::styled(Style::Boon, &quest.name).and(": ").and(explanation.as_str());
        tell::tell(turn, who, Class::Notice, line);
    }
}

/// Returns where a deed would count for a step that is bound to a place. That any kind counts there need not be told at each deed.
fn elsewhere_words(turn: &Turn, who: CharacterId, quest: &Quest, step: &QuestStep) -> Option<String> {
    step.goal.iter().flat_map(QuestGoal::kinds).next()?;
    Some(match view::place_of(turn, who, quest) {
        Some(place) => format!("That does not count here, only behind the way {place}."),
        None => "That does not count here, only in the dungeon.".to_owned(),
    })
}

/// Returns the reason why a deed does not count for a step that is due; `None` if no player would expect that it does.
fn reason(turn: &Turn, step: &QuestStep, deed: QuestDeed<'_>) -> Option<String> {
    let asked = asked(step.goal.as_ref()?, deed);
    let unnamed: Vec<&DeedPart<'_>> = asked.iter().filter(|(_, kinds, key)| !names(kinds, key)).collect();
    let Some((of, kinds, key)) = unnamed.first() else {
        return (!asked.is_empty()).then(|| "Only what you kill yourself counts.".to_owned());
    };
    if !unnamed.iter().all(|(of, _, key)| step.fits(&turn.catalog, *of, key)) {
        return None;
    }
    let named: Vec<&str> = kinds.iter().filter_map(|key| plural(turn, *of, key)).collect();
    let found = match of {
        Referent::Creature => turn.catalog.creatures.get(*key)?.with_article.clone(),
        _ => naming::item_words(turn, key, 1),
    };
    Some(format!("{} does not count, only {} do.", grammar::capitalise(&found), grammar::list(&named)))
}

/// Returns the parts of a deed that a goal asks for by key; empty if it asks for other deeds.
fn asked<'a>(goal: &'a QuestGoal, deed: QuestDeed<'a>) -> Vec<DeedPart<'a>> {
    match (goal, deed) {
        (QuestGoal::Kill(kinds), QuestDeed::Killed { creature, .. })
        | (QuestGoal::Rescue(kinds), QuestDeed::Rescued { creature, .. }) => {
            vec![(Referent::Creature, kinds, creature)]
        }
        (QuestGoal::Use(kinds), QuestDeed::Used(item)) => vec![(Referent::Item, kinds, item)],
        (QuestGoal::Give(items, takers), QuestDeed::Gave { item, to, .. }) => {
            vec![(Referent::Item, items, item), (Referent::Creature, takers, to)]
        }
        _ => Vec::new(),
    }
}

fn plural<'t>(turn: &'t Turn, of: Referent, key: &str) -> Option<&'t str> {
    match of {
        Referent::Creature => turn.catalog.creatures.get(key).map(|creature| creature.plural.as_str()),
        _ => turn.catalog.items.get(key).map(|item| item.plural.as_str()),
    }
}
