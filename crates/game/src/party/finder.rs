//! Players who look for company: each says so in a few words, and all who look are listed.

use crate::access::audibility;
use crate::refusal::{Refusal, refuse};
use crate::state::awake::Seeking;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::{Markup, Style, grammar};

/// Maximum number of players on the list.
const LISTED: usize = 40;

/// Puts a player on the list with a few words.
pub(crate) fn seek(turn: &mut Turn, who: CharacterId, text: &str) -> Result<(), Refusal> {
    let wish = audibility::spoken(turn, who, text)?;
    turn.seekers.add(who, Seeking { words: wish, since: turn.now });
    Ok(())
}

/// Takes a player off the list.
pub(crate) fn end(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    if turn.seekers.remove(who) { Ok(()) } else { Err(refuse!("You are not on the list.")) }
}

/// Lists the players who look for company, without the words of those whom the viewer ignores.
pub(crate) fn list(turn: &Turn, viewer: CharacterId) -> Markup {
    let seated = turn.seekers.iter().filter(|(who, _)| turn.seated.contains_key(who));
    let mut page = Markup::styled(Style::Heading, "Climbers who look for company");
    let mut is_empty = true;
    for (who, seeking) in seated.take(LISTED) {
        is_empty = false;
        let body = &turn.world.characters[who];
        page.line(Style::Player, &body.name);
        let party = turn.world.parties.of(who).map_or(1, |party| turn.world.parties[party].members.len());
        let others = if party > 1 {
            format!(", with {}", grammar::counted(party - 1, "other"))
        } else {
            String::new()
        };
        let age = turn.now.since(seeking.since);
        page.push(Style::Plain, &format!(", level {}{others}, for {age}", body.level));
        if turn.world.is_ignoring(viewer, who) {
            page.push(Style::Plain, ".");
        } else {
            page.push(Style::Plain, ": ");
            page.push(Style::Speech, &seeking.words);
        }
    }
    if is_empty {
        page.line(Style::Plain, "Nobody just now.");
    }
    page.line(Style::Plain, "Type ");
    page.push(Style::Command, "company WORDS");
    page.push(Style::Plain, " to be listed, ");
    page.push(Style::Command, "company off");
    page.push(Style::Plain, " to be off the list, and ");
    page.push(Style::Command, "party invite NAME");
    page.push(Style::Plain, " to ask somebody.");
    page
}
