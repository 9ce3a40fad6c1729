//! Commands by which builders see their work as players will: at another hour, and with all that comes by the clock.

use crate::building::{pace, zones};
use crate::command::parse::{Actor, Argument, Words, site};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::refusal::{Refusal, refuse};
use crate::room::reset;
use crate::turn::{Turn, time_of_day};
use deepwell_core::base::{Right, RoomId};
use deepwell_core::catalog::item::shop::DAY_HOURS;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "try",
        right: Some(Right::Look),
        needs: Needs::Nothing,
        syntax: "try [night|day|HOUR|off]",
        summary: "Lets you alone meet the world as at another hour of the town: time, the hours of shops, conditions such as night, and where the schedules of creatures have them. Creatures stay where they are, and nobody else notices. off ends it, and alone it tells the hour that you try.",
        example: "try night: it is midnight for you until you type try off.",
        missing: "try and night, day, an hour from 0 to 23, or off",
        run: run!(try_hour),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "respawn",
        right: Some(Right::Creatures),
        syntax: "respawn here|ROOM|ZONE now",
        summary: "Resets a room or all rooms of a zone at once: what the spawn rules lack comes, chests are full and shut, sold wares are in stock, and doors are as they were built. It tells what has come. Conditions and limits of the rules hold.",
        example: "respawn here now: two rats come in, and the chest is full again.",
        missing: "respawn, here, a room or a zone, and now",
        builds: false,
        run: run!(respawn),
        ..CommandSpec::BUILDER
    },
];

/// Hour at which `try night` and `try day` are.
const NIGHT: u32 = 0;
const DAY: u32 = 12;

/// Argument of `try`.
#[derive(Clone, Copy)]
enum Tried {
    Tell,
    Off,
    Hour(u32),
}

impl Argument<'_> for Tried {
    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let word = words.text().to_lowercase();
        let hour = || word.parse().ok().filter(|hour| *hour < DAY_HOURS).map(Self::Hour);
        match word.as_str() {
            "" => Ok(Self::Tell),
            "off" => Ok(Self::Off),
            "night" => Ok(Self::Hour(NIGHT)),
            "day" => Ok(Self::Hour(DAY)),
            _ => hour().ok_or_else(|| words.missing()),
        }
    }
}

fn try_hour(turn: &mut Turn, actor: Actor, tried: Tried) -> Result<(), Refusal> {
    let tried = match tried {
        Tried::Tell => time_of_day::tried_hour(turn, actor.who),
        Tried::Off => {
            turn.awake.edit(actor.who).tried_hour = None;
            None
        }
        Tried::Hour(hour) => {
            turn.awake.edit(actor.who).tried_hour = Some(hour);
            Some(hour)
        }
    };
    let message = match tried.map(time_of_day::hour_words) {
        Some(hour) => format!("For you alone it is {hour}. try off brings back the hour of the town."),
        None => "For you it is the hour of the town, as for all others.".to_owned(),
    };
    actor.answer(turn, message)
}

/// Argument of `respawn`: a room or a zone.
struct Resetting(Vec<RoomId>);

impl Argument<'_> for Resetting {
    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (what, now) = words.last_word().ok_or_else(|| words.missing())?;
        if !now.text().eq_ignore_ascii_case("now") {
            return Err(words.missing());
        }
        let zone = what.text().to_lowercase();
        if zones::require_zone(turn, &zone).is_ok() {
            zones::require_author(turn, actor.account, &zone)?;
            let count = turn.world.rooms.of_zone(&zone).len();
            if pace::are_many(turn, count) {
                return Err(refuse!(
                    "The zone {zone} has {count} rooms, too many to reset at once: respawn here now resets one."
                ));
            }
            return Ok(Self(zones::rooms(turn, &zone).map(|room| room.id).collect()));
        }
        site::room(turn, actor.who, what.text()).map(|room| Self(vec![room]))
    }
}

fn respawn(turn: &mut Turn, actor: Actor, Resetting(rooms): Resetting) -> Result<(), Refusal> {
    if rooms.is_empty() {
        return Err(refuse!("There is no room to reset."));
    }
    let done = reset::reset(turn, &rooms);
    let answer = done.words(turn);
    actor.answer(turn, answer)
}
