//! Occupant lines of a room view: creatures of a kind in one sentence, and players in the same state in another.

use crate::base::{CharacterId, RoomId};
use crate::game::creature::mind;
use crate::game::exit::clearing;
use crate::game::message::naming;
use crate::game::turn::Turn;
use crate::text::{Markup, Style, grammar};
use crate::world::{Character, Posture};

/// Occupants described by one sentence.
enum Sentence {
    /// Creatures with the same name and pose that are not fighting.
    Creatures { first: CharacterId, count: usize, pose: Option<String> },
    /// Players in the same state, in order of arrival.
    Players { names: Vec<CharacterId>, does: Doing },
    /// Character in a fight.
    Fighter { who: CharacterId, target: CharacterId },
}

/// End of a sentence about players, singular and plural.
type Doing = (&'static str, &'static str);

/// Adds a line for each group of occupants except the viewer. A line names at most `limits.people_named` players.
pub(crate) fn describe_occupants(turn: &Turn, room: RoomId, viewer: CharacterId, view: &mut Markup) {
    let on_guard = if turn.world.rooms[room].clear || clearing::has_way_onward(turn, room) {
        Vec::new()
    } else {
        clearing::guards(turn, room)
    };
    let mut sentences: Vec<Sentence> = Vec::new();
    for who in turn.world.occupants(room).iter().copied().filter(|who| *who != viewer) {
        let body = &turn.world.characters[who];
        if let Some(target) = body.target {
            sentences.push(Sentence::Fighter { who, target });
        } else if body.is_player() {
            add_player(&mut sentences, who, doing(body));
        } else {
            let guard = || on_guard.contains(&who).then(|| "on guard".to_owned());
            add_creature(turn, &mut sentences, who, mind::pose_of(turn, who).or_else(guard));
        }
    }
    for sentence in sentences {
        push_sentence(turn, &sentence, viewer, view);
    }
}

/// Returns the sentence ends for a player who is not fighting.
const fn doing(body: &Character) -> Doing {
    match body.posture {
        Posture::Down => (" lies here, bleeding.", " lie here, bleeding."),
        Posture::Resting => (" is here, resting.", " are here, resting."),
        _ if body.link_dead_until.is_some() => {
            (" is here, staring into the dark.", " are here, staring into the dark.")
        }
        _ => (" is here.", " are here."),
    }
}

fn add_player(sentences: &mut Vec<Sentence>, who: CharacterId, does: Doing) {
    for sentence in &mut *sentences {
        if let Sentence::Players { names, does: same } = sentence
            && *same == does
        {
            names.push(who);
            return;
        }
    }
    sentences.push(Sentence::Players { names: vec![who], does });
}

fn add_creature(turn: &Turn, sentences: &mut Vec<Sentence>, who: CharacterId, pose: Option<String>) {
    let name = |id: CharacterId| &turn.world.characters[id].name;
    for sentence in &mut *sentences {
        if let Sentence::Creatures { first, count, pose: same } = sentence
            && name(*first) == name(who)
            && *same == pose
        {
            *count += 1;
            return;
        }
    }
    sentences.push(Sentence::Creatures { first: who, count: 1, pose });
}

fn push_sentence(turn: &Turn, sentence: &Sentence, viewer: CharacterId, view: &mut Markup) {
    match sentence {
        Sentence::Creatures { first, count, pose } => {
            let (who, is) = match count {
                1 => (naming::mob_with_article(turn, *first), " is here"),
                _ => (naming::several(turn, *first, *count), " are here"),
            };
            view.line(Style::Mob, &grammar::capitalise(&who));
            view.push(Style::Plain, is);
            if let Some(pose) = pose {
                view.push(Style::Plain, &format!(", {pose}"));
            }
            view.push(Style::Plain, ".");
        }
        Sentence::Players { names, does } => {
            view.line(Style::Player, "");
            list_players(turn, names, view);
            view.push(Style::Plain, if names.len() == 1 { does.0 } else { does.1 });
        }
        Sentence::Fighter { who, target } => {
            let body = &turn.world.characters[*who];
            if body.is_player() {
                view.line(Style::Player, &body.name);
            } else {
                view.line(Style::Mob, &grammar::capitalise(&naming::mob_with_article(turn, *who)));
            }
            let whom = if *target == viewer { "you".to_owned() } else { naming::the(turn, *target) };
            view.push(Style::Plain, &format!(" is here, fighting {whom}."));
        }
    }
}

/// Adds names as a list: "Olad, Bera and Cord", or "Olad, Bera and six others".
pub(crate) fn list_players(turn: &Turn, players: &[CharacterId], list: &mut Markup) {
    let most = turn.config.limits.people_named as usize;
    let named = if players.len() > most { most } else { players.len() };
    let others = players.len() - named;
    for (at, who) in players[..named].iter().enumerate() {
        match at {
            0 => {}
            _ if at + 1 == named && others == 0 => list.push(Style::Plain, " and "),
            _ => list.push(Style::Plain, ", "),
        }
        list.push(Style::Player, &turn.world.characters[*who].name);
    }
    if others > 0 {
        list.push(Style::Plain, &format!(" and {}", grammar::counted(others, "other")));
    }
}
