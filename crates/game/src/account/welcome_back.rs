//! Summary for a returning player: what the character had begun, its expeditions, what is open below and who is there, and
//! what the town tells since. Mail, news of the operator and notices have lines by themselves.

use crate::effect::Class;
use crate::message::{rumours, tell};
use crate::quest::view;
use crate::room::look;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime, Span};
use deepwell_core::text::{Markup, Style, grammar};

/// Absence from which the summary is told.
const AWAY_LEAST: Span = Span::mins(10);
/// Maximum number of quests that are named.
const QUESTS_NAMED: usize = 3;

/// Tells the summary to a player whose character was last in the world at `since`, in at most three lines.
pub(crate) fn tell_summary(turn: &mut Turn, who: CharacterId, since: GameTime) {
    let away = turn.now.since(since);
    if away < AWAY_LEAST {
        return;
    }
    let mut page = Markup::plain(&format!("You were last here {away} ago."));
    let quests = view::active_names(turn, who);
    if !quests.is_empty() {
        let more = quests.len().saturating_sub(QUESTS_NAMED);
        let more = (more > 0).then(|| format!("{} more", grammar::number(more)));
        let named = quests.into_iter().take(QUESTS_NAMED).map(str::to_owned).chain(more);
        page.push(Style::Plain, &format!(" You have begun {}: type ", grammar::list(named)));
        page.push(Style::Command, "quests");
        page.push(Style::Plain, ".");
    }
    let expeditions: Vec<&str> = turn.world.expeditions.of(who).map(|row| row.name.as_str()).collect();
    if !expeditions.is_empty() {
        page.push(
            Style::Plain,
            &format!(" Your way below stays open with {}: type ", grammar::list(expeditions)),
        );
        page.push(Style::Command, "expedition");
        page.push(Style::Plain, ".");
    }
    if let Some(open) = look::open_below(turn) {
        page.line(Style::Plain, &open);
    }
    let rumours = rumours::told_since(turn, who, since);
    if let Some(newest) = rumours.first() {
        page.line(Style::Plain, &format!("While you were away: {newest}"));
        if rumours.len() > 1 {
            page.push(Style::Plain, " Type ");
            page.push(Style::Command, "news");
            page.push(Style::Plain, " for more.");
        }
    }
    tell::tell(turn, who, Class::Notice, page);
}
