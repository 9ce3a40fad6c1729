//! Riddles: each player may answer, and has a limited number of wrong answers. The theme describes the asker, so these
//! rules only call it a voice.

use crate::character::stats;
use crate::effect::Class;
use crate::exit::clearing;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::room::features::hoard;
use crate::room::puzzle::deeds;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::puzzle::plain_answer;
use deepwell_core::text::act::Template;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{RoomFeature, RoomKind};

const MUTTER: Template = Template::new("{actor} {mutters|mutter} an answer to the riddle.");

/// Hint of a room whose riddle has been answered.
const ANSWERED: &str = "The riddle that was asked here has been answered, and the voice is silent.";

/// Answers the riddle or puzzle of the room.
pub(crate) fn answer(turn: &mut Turn, who: CharacterId, typed: &str) -> Result<(), Refusal> {
    if let Some(answered) = deeds::answer_puzzle(turn, who, typed) {
        return answered;
    }
    let (answers, left) = require_riddle(turn, who)?;
    let answer = plain_answer(typed);
    if answer.is_empty() {
        return Err(Refusal::Missing("answer and a word"));
    }
    let right = answers.contains(&answer);
    tell::act(turn, Class::Notice, &MUTTER, who, None, "");
    if right {
        solve_riddle(turn, who);
    } else {
        fail_riddle(turn, who, left.saturating_sub(1));
    }
    Ok(())
}

/// Returns the right answers to the riddle that the room asks a player, and the number of answers still heard from them.
pub(crate) fn require_riddle(turn: &Turn, who: CharacterId) -> Result<(&[String], u32), Refusal> {
    let room = turn.world.characters[who].room;
    let row = &turn.world.rooms[room];
    if row.sheet.kind != RoomKind::Riddle {
        return Err(refuse!("Nothing here has asked you a riddle."));
    }
    stats::require_peace(turn, who)?;
    let Some(RoomFeature::Riddle { answer: key }) = &row.challenge.feature else {
        return Err(refuse!("The voice is silent. Its riddle has been answered."));
    };
    let guesses = row.challenge.visitors.get(&who).copied().unwrap_or(0);
    let left = turn.catalog.rules.places.riddle_tries.saturating_sub(guesses);
    if left == 0 {
        return Err(refuse!("The voice does not listen to you any more."));
    }
    let known = hoard::theme_of(turn, room).map_or(&[][..], |theme| &theme.riddles);
    let riddle = known.iter().find(|riddle| riddle.answers.first() == Some(key));
    let riddle = riddle.ok_or_else(|| refuse!("The voice seems to have forgotten its own riddle."))?;
    Ok((&riddle.answers, left))
}

fn fail_riddle(turn: &mut Turn, who: CharacterId, left: u32) {
    let room = turn.world.characters[who].room;
    turn.world.rooms.change(room, |row| *row.challenge.visitors.entry(who).or_default() += 1);
    let message = if left == 0 {
        "'No,' says the voice. It will not listen to you again.".to_owned()
    } else {
        let more = grammar::counted(left, "more try");
        format!("'No,' says the voice. It will hear {more} from you.")
    };
    tell::tell(turn, who, Class::Notice, Markup::plain(&message));
    let message = "'No,' says the voice.";
    tell::tell_room(turn, room, &[who], Class::Notice, Markup::plain(message));
}

fn solve_riddle(turn: &mut Turn, who: CharacterId) {
    let room = turn.world.characters[who].room;
    if let Some(row) = turn.world.rooms.edit(room) {
        row.challenge.feature = None;
        row.challenge.hint = Some(ANSWERED.into());
        row.challenge.visitors.clear();
        row.sheet.details.clear();
    }
    let message = "'Yes,' says the voice, with a sigh, and falls silent.";
    tell::tell_room(turn, room, &[], Class::Notice, Markup::styled(Style::Boon, message));
    clearing::give_rewards(turn, room);
    hoard::find_coins(turn, who, room);
}
