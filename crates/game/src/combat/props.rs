//! Props: what the text of a room names, and a fighter can use once in each fight.

use crate::attack;
use crate::character::{affects, stats};
use crate::combat::manoeuvres;
use crate::combat::rounds::deeds;
use crate::effect::Class;
use crate::item::light;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::room::look;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::{Answer, Prop};
use deepwell_core::dungeon::props::props_in;
use deepwell_core::text::{Markup, Style};

/// Returns the props of a room that can be seen, each with the word that names it.
fn seen_in(turn: &Turn, room: RoomId) -> Vec<(&Prop, String)> {
    if !light::is_lit(turn, room) {
        return Vec::new();
    }
    props_in(&turn.catalog.props, &look::text_of(turn, room))
}

/// Returns the props that a fighter can still use in this fight, each with the word that names it.
pub(crate) fn usable(turn: &Turn, who: CharacterId) -> Vec<(&Prop, String)> {
    let room = turn.world.characters[who].room;
    let mut found = seen_in(turn, room);
    found.retain(|(prop, _)| !turn.rounds.is_used(room, &prop.key));
    found
}

/// Returns `true` if a word names a prop of the room. A carried item of that name comes first, unless the prop can be used
/// now.
pub(crate) fn is_meant(turn: &Turn, who: CharacterId, word: &str, has_item: bool) -> bool {
    let room = turn.world.characters[who].room;
    let is_open =
        |prop: &Prop| manoeuvres::opponent(turn, who).is_some() && !turn.rounds.is_used(room, &prop.key);
    named(turn, room, word).is_some_and(|(prop, _)| !has_item || is_open(prop))
}

/// Returns the word by which a prop of the room is used, if a word names one.
pub(crate) fn noun_of(turn: &Turn, room: RoomId, word: &str) -> Option<String> {
    named(turn, room, word).map(|(_, noun)| noun)
}

fn named<'t>(turn: &'t Turn, room: RoomId, word: &str) -> Option<(&'t Prop, String)> {
    let word = word.to_lowercase();
    seen_in(turn, room).into_iter().find(|(prop, noun)| *noun == word || prop.nouns.contains(&word))
}

/// Tells those in a room with a fight what they can use, once until they leave the room.
pub(crate) fn tell_usable(turn: &mut Turn, room: RoomId) {
    let knows = |who: &CharacterId| turn.awake.get(*who).is_some_and(|body| body.stance.knows_props);
    let is_told = |who: &CharacterId| turn.seated.contains_key(who) && !knows(who);
    let readers: Vec<CharacterId> = turn.world.occupants(room).iter().copied().filter(is_told).collect();
    let Some(reader) = readers.first() else { return };
    let nouns: Vec<String> = usable(turn, *reader).into_iter().map(|(_, noun)| noun).collect();
    if nouns.is_empty() {
        return;
    }
    let mut line = Markup::plain("You can ");
    line.push(Style::Command, "use");
    line.push(Style::Plain, &format!(" the {} here.", nouns.join(" or the ")));
    for reader in readers {
        turn.awake.edit(reader).stance.knows_props = true;
        tell::tell(turn, reader, Class::Combat, line.clone());
    }
}

/// Returns a line by which a fighter averts what a creature has announced: the use of a prop, or else the first answer that is
/// not a blow.
pub(crate) fn averting_line(turn: &Turn, who: CharacterId) -> Option<String> {
    let (_, answers) = manoeuvres::announced_to(turn, who)?;
    let mut averting = usable(turn, who).into_iter().filter(|(prop, _)| answers.contains(&prop.counts_as));
    let simple =
        || answers.first().filter(|answer| **answer != Answer::Strike).map(|answer| answer.name().to_owned());
    averting.next().map(|(_, noun)| format!("use {noun}")).or_else(simple)
}

/// Takes the round of a fighter for the use of a prop.
pub(crate) fn use_prop(turn: &mut Turn, who: CharacterId, word: &str) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    let room = turn.world.characters[who].room;
    let missing = || Refusal::NotHere(word.to_owned());
    let (prop, noun) =
        named(turn, room, word).map(|(prop, noun)| (prop.clone(), noun)).ok_or_else(missing)?;
    if stats::is_stunned(turn, who) {
        return Err(refuse!("You are stunned and cannot use the {noun}."));
    }
    let nobody = || refuse!("You use the {noun} in a fight, and nobody fights you.");
    let announcing = manoeuvres::announced_to(turn, who).map(|(creature, _)| creature);
    let opponent = announcing.or_else(|| manoeuvres::opponent(turn, who)).ok_or_else(nobody)?;
    if turn.rounds.is_used(room, &prop.key) {
        return Err(refuse!("The {noun} can be used once in a fight, and was."));
    }
    attack::require_round(turn, who)?;
    turn.rounds.note_used(room, &prop.key);
    deeds::begin(turn, who, opponent);
    tell::act(turn, Class::Combat, &prop.told, who, Some(opponent), "");
    if prop.counts_as == Answer::Interrupt {
        manoeuvres::break_off(turn, who, opponent);
    }
    if let Some(affect) = &prop.own_affect {
        affects::apply_affect(turn, who, affect, None);
    }
    if let Some(affect) = &prop.affect {
        affects::apply_affect(turn, opponent, affect, prop.affect_rounds);
    }
    if prop.strike_percent > 0 {
        attack::strike(turn, who, opponent, prop.strike_percent);
    }
    manoeuvres::spend_round(turn, who, prop.counts_as);
    Ok(())
}
