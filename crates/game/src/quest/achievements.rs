//! Achievements of players: counted from the deeds that quests count, earned once, and listed.

use crate::effect::Class;
use crate::message::tell;
use crate::quest::count::goal_after;
use crate::quest::{QuestDeed, add_title};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::quest::achievement::Achievement;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{AchievementProgress, Character};
use smallvec::SmallVec;
use std::sync::Arc;

/// Number of open achievements in the short list.
const OPEN_LISTED: usize = 8;

/// Counts a deed of a player in all achievements that are not earned.
pub(super) fn note(turn: &mut Turn, who: CharacterId, deed: QuestDeed<'_>) {
    let catalog = Arc::clone(&turn.catalog);
    let Some(body) = turn.world.characters.get(who) else { return };
    let rows = catalog.achievements.iter().map(|one| (one, progress(body, one)));
    // On the stack, because each step of a walk is a deed.
    let open: SmallVec<[_; 64]> = rows.filter(|(_, before)| before.at.is_none()).collect();
    for (one, before) in open {
        let Some(goal) = &one.goal else { continue };
        let count = goal_after(turn, who, (goal, one.count), before.count, deed).min(one.count);
        if count == before.count {
            continue;
        }
        let at = (count >= one.count).then_some(turn.now);
        let row = AchievementProgress { count, at };
        turn.world.characters.change(who, |body| body.achievements.insert(one.key.clone(), row));
        if at.is_some() {
            tell_earned(turn, who, one);
        }
    }
}

/// Tells a player of a new achievement, and adds its title to those that the player may bear.
fn tell_earned(turn: &mut Turn, who: CharacterId, one: &Achievement) {
    let mut message = Markup::plain("You have earned an achievement: ").with(Style::Boon, &one.name).and(".");
    if let Some(title) = &one.title {
        add_title(turn, who, title);
        message.push(Style::Plain, &format!(" You may call yourself {title} now: type "));
        message.push(Style::Command, "titles");
        message.push(Style::Plain, ".");
    }
    tell::tell(turn, who, Class::Notice, message);
}

fn progress(body: &Character, one: &Achievement) -> AchievementProgress {
    body.achievements.get(&one.key).copied().unwrap_or_default()
}

/// Returns the number of achievements that a character has earned, and of all.
pub(crate) fn earned_count(turn: &Turn, who: CharacterId) -> (usize, usize) {
    let body = &turn.world.characters[who];
    let earned = turn.catalog.achievements.iter().filter(|one| progress(body, one).at.is_some());
    (earned.count(), turn.catalog.achievements.len())
}

/// Lists the achievements of a character: those earned, the last first, and those that are nearest, or all that are open.
pub(crate) fn list(turn: &Turn, who: CharacterId, lists_all: bool) -> Markup {
    let body = &turn.world.characters[who];
    let rows = turn.catalog.achievements.iter().map(|one| (one, progress(body, one)));
    let (mut earned, mut open): (Vec<_>, Vec<_>) = rows.partition(|(_, row)| row.at.is_some());
    earned.sort_by_key(|(_, row)| std::cmp::Reverse(row.at));
    let (done, all) = earned_count(turn, who);
    let mut page = Markup::styled(Style::Heading, &format!("Achievements: {done} of {all}"));
    for (one, row) in earned {
        let title = one.title.as_ref().map(|title| format!(" Title: {title}.")).unwrap_or_default();
        let at = row.at.map(|at| format!(" Earned {}.", at.utc())).unwrap_or_default();
        push(&mut page, one, &format!("{at}{title}"));
    }
    if open.is_empty() {
        return page;
    }
    page.line(Style::Heading, if lists_all { "Still open" } else { "Nearest of those still open" });
    let most = if lists_all { open.len() } else { OPEN_LISTED };
    if !lists_all {
        // The share that is done, in 1,000; those that are begun come first.
        let share = |row: AchievementProgress, of: u32| u64::from(row.count) * 1_000 / u64::from(of.max(1));
        open.sort_by_key(|(one, row)| std::cmp::Reverse(share(*row, one.count)));
    }
    for (one, row) in open.iter().take(most) {
        let state = if one.count > 1 { format!(" {} of {}.", row.count, one.count) } else { String::new() };
        push(&mut page, one, &state);
    }
    if open.len() > most {
        page.line(Style::Plain, "To list all, type ");
        page.push(Style::Command, "achievements all");
        page.push(Style::Plain, ".");
    }
    page
}

fn push(page: &mut Markup, one: &Achievement, state: &str) {
    page.line(Style::Boon, &one.name);
    page.push(Style::Plain, &format!(": {}{state}", one.text));
}
