//! Phrases that players chalk on the walls of branches, for those who come later. They go with the branch.

use crate::access::sanctions;
use crate::character::stats;
use crate::effect::Class;
use crate::item::light;
use crate::message::tell;
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, RuleLimit};
use deepwell_core::catalog::Chalk;
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::{ChalkMark, Room};

/// Nouns for a closer look at phrases.
const NOUNS: [&str; 4] = ["chalk", "phrase", "phrases", "writing"];

/// Lists the phrases with their numbers.
pub(crate) fn list(turn: &Turn) -> Result<Markup, Refusal> {
    let phrases = &turn.catalog.chalk.phrases;
    if phrases.is_empty() {
        return Err(refuse!("Nobody writes on walls here."));
    }
    let mut list = Markup::styled(Style::Heading, "On a wall below you can chalk");
    for (at, phrase) in phrases.iter().enumerate() {
        list.line(Style::Plain, &format!("{}: {}", at + 1, Chalk::with(phrase, "EXIT")));
    }
    list.line(Style::Plain, "Each takes a piece of chalk. Type ");
    list.push(Style::Command, "chalk NUMBER");
    list.push(Style::Plain, ", and the exit if there is one in it.");
    Ok(list)
}

/// Chalks a phrase on the wall of the room, in place of an earlier one of the same player.
pub(crate) fn write(
    turn: &mut Turn,
    who: CharacterId,
    number: u32,
    exit: Option<ExitId>,
) -> Result<(), Refusal> {
    turn.require_writable()?;
    sanctions::require_voice(turn, who)?;
    stats::require_free_hands(turn, who)?;
    let phrases = &turn.catalog.chalk.phrases;
    let phrase = (number as usize).checked_sub(1).and_then(|at| phrases.get(at));
    let phrase = phrase.ok_or_else(|| refuse!("There is no phrase {number}. Type chalk for the list."))?;
    let text = match exit.filter(|_| Chalk::has_exit(phrase)) {
        Some(exit) => Chalk::with(phrase, &turn.world.exits[exit].name),
        None if Chalk::has_exit(phrase) => {
            return Err(refuse!("Which exit do you mean? Type chalk {number} and an exit."));
        }
        None => phrase.clone(),
    };
    let room = turn.world.characters[who].room;
    if turn.world.rooms[room].branch.is_none() {
        return Err(refuse!("Walls are for writing on below, in the dungeon."));
    }
    if !light::is_lit(turn, room) {
        return Err(light::too_dark());
    }
    let key = &turn.catalog.chalk.item;
    let piece = turn.world.carried(who).iter().find(|item| turn.world.items[**item].prototype == *key);
    let piece = *piece.ok_or_else(|| refuse!("You have no chalk. The chandler in the town sells it."))?;
    let limits = &turn.config.limits;
    let mut marks = turn.world.rooms[room].chalk.clone();
    marks.retain(|mark| mark.by != who);
    let most = limits.phrases_per_room as usize;
    refusal::require_at_most(limits, RuleLimit::PhrasesPerRoom, 1, |_| {
        refuse!("Chalk does not hold on these walls.")
    })?;
    if marks.len() >= most {
        turn.outbox.count_limit(RuleLimit::PhrasesPerRoom);
        let wiped = marks.len() + 1 - most;
        marks.drain(..wiped);
    }
    marks.push(ChalkMark { by: who, text: text.clone() });
    turn.world.remove_from_stack(piece, 1, "chalk");
    turn.world.rooms.change(room, |row| row.chalk = marks);
    tell::tell(turn, who, Class::Reply, format!("You chalk on the wall: {text}"));
    tell::tell_others(turn, who, Class::Notice, &format!(" chalks on the wall: {text}"));
    Ok(())
}

/// Returns the phrases on the walls of a room as sentences, without those of players whom the character ignores.
pub(crate) fn lines(turn: &Turn, who: CharacterId, room: &Room) -> impl Iterator<Item = String> {
    let is_read = move |mark: &&ChalkMark| !turn.world.is_ignoring(who, mark.by);
    room.chalk.iter().filter(is_read).map(|mark| match turn.world.name_of(mark.by) {
        Some(name) => format!("{name} has chalked on the wall: {}", mark.text),
        None => format!("In chalk on the wall: {}", mark.text),
    })
}

/// Returns what is seen of the phrases in a character's room by one of their nouns.
pub(crate) fn seen(turn: &Turn, who: CharacterId, noun: &str) -> Option<String> {
    let room = &turn.world.rooms[turn.world.characters[who].room];
    let is_meant = NOUNS.iter().any(|known| known.eq_ignore_ascii_case(noun));
    let lines: Vec<String> = lines(turn, who, room).filter(|_| is_meant).collect();
    (!lines.is_empty()).then(|| lines.join(" "))
}
