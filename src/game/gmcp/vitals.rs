//! Prompts, and `Char.Vitals` and `Char.Status`: what a client is shown of the body that it drives.

use crate::base::{CharacterId, SessionId};
use crate::game::data::Data;
use crate::game::data::character::{CharStatus, CharVitals, StatusNews};
use crate::game::effect::{Effect, Output, PromptFields};
use crate::game::happening::Happening;
use crate::game::turn::Turn;
use crate::game::{body, naming, progress, puzzle_state};
use crate::world::Posture;

/// The body's hit points may have changed: its driver's prompt and gauges show them.
pub(crate) fn show_vitals(turn: &mut Turn, who: CharacterId) {
    if let Some(session) = turn.seated.get(&who) {
        turn.outbox.prompts.insert(*session);
    }
    turn.happen(Happening::MemberChanged { who });
}

pub(crate) fn finish_prompts(turn: &mut Turn) {
    for session in std::mem::take(&mut turn.outbox.prompts) {
        let Some(seat) = turn.seats.get(&session) else { continue };
        let (character, wants) = (seat.character, seat.wants);
        let body = &turn.world.characters[character];
        let fields = PromptFields {
            hp: body::hp(turn, character),
            max_hp: body::max_hp_of(turn, character),
            fighting: body.target.is_some(),
            floor: turn.world.dungeon_level(body.room),
            trainings: body.trainings,
            might: puzzle_state::might_of(turn, character),
            level: body.level,
            missing_xp: progress::missing_experience(turn, character),
        };
        if wants.character {
            send_vitals(turn, session, character);
            send_status(turn, session, character);
        }
        turn.outbox.push(Effect::Output { session, output: Output::Prompt(fields) });
    }
}

/// Sends `Char.Vitals` if they are not what the client knows.
fn send_vitals(turn: &mut Turn, session: SessionId, who: CharacterId) {
    let vitals = vitals(turn, who);
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    if seat.vitals.as_ref() != Some(&vitals) {
        seat.vitals = Some(vitals.clone());
        turn.outbox.data(session, Data::CharVitals(vitals));
    }
}

/// Sends what of `Char.Status` is not what the client knows.
fn send_status(turn: &mut Turn, session: SessionId, who: CharacterId) {
    let status = status(turn, who);
    let Some(seat) = turn.seats.get_mut(&session) else { return };
    if seat.status.as_ref() != Some(&status) {
        let told = seat.status.replace(status.clone());
        turn.outbox.data(session, Data::CharStatus(Box::new(StatusNews { now: status, told })));
    }
}

fn status(turn: &Turn, who: CharacterId) -> CharStatus {
    let body = &turn.world.characters[who];
    let room = &turn.world.rooms[body.room];
    let party = turn.world.party_of(who).map(|party| &turn.world.parties[party].members);
    let names = party.into_iter().flatten().map(|id| turn.world.characters[*id].name.as_str());
    let enemy = body.target.filter(|enemy| turn.world.characters.get(*enemy).is_some());
    CharStatus {
        level: body.level,
        attack: body::attack_of(turn, who),
        defence: body::defence_of(turn, who),
        floor: turn.world.dungeon_level(room.id),
        room_clear: room.clear,
        training: body.trainings,
        party: names.collect::<Vec<_>>().join(", "),
        pos: match body.posture {
            Posture::Standing => "standing",
            Posture::Resting => "resting",
            Posture::Asleep => "asleep",
            Posture::Down => "down",
        },
        gold: body.money.purse,
        enemy: enemy.map(|enemy| naming::shown_name(turn, enemy)).unwrap_or_default(),
        enemypct: enemy.map_or(0, |enemy| percent(body::hp(turn, enemy), body::max_hp_of(turn, enemy))),
    }
}

fn vitals(turn: &Turn, who: CharacterId) -> CharVitals {
    let body = &turn.world.characters[who];
    let (hp, max_hp) = (body::hp(turn, who), body::max_hp_of(turn, who));
    CharVitals {
        hp,
        maxhp: max_hp,
        xp: body.xp,
        nextxp: turn.catalog.rules.levels.next(body.level),
        level: body.level,
        might: puzzle_state::might_of(turn, who),
        string: format!("HP:{hp}/{max_hp}"),
    }
}

/// How many hundredths are left; at least one of whoever has any.
fn percent(left: i32, most: i32) -> u32 {
    let hundredths = i64::from(left).max(0) * 100 / i64::from(most).max(1);
    u32::try_from(hundredths.clamp(i64::from(left > 0), 100)).unwrap_or(0)
}
