//! Commands of expeditions: founding, members, ways in, camps and the safe pocket.

use crate::command::parse::{
    Actor, Argument, ArgumentForm, Carried, NameArgument, PlayerArgument, Words, coins_argument,
};
use crate::command::spec::{CommandSpec, Needs, run};
use crate::expedition::founding::Plan;
use crate::expedition::{camp, entry, founding, members, pocket, view, weekly};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::amount::{self, AmountError};
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::world::Aim;

pub(crate) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "expedition",
        aliases: &["expeditions"],
        needs: Needs::Nothing,
        syntax: "expedition [WORDS], or expedition weekly, new, new NUMBER KIND NAME, found NUMBER KIND NAME, enter \
                 EXPEDITION, invite NAME EXPEDITION, \
                 join EXPEDITION, leave EXPEDITION, remove NAME EXPEDITION, end EXPEDITION",
        summary: "Lists the expeditions that you belong to; founds one, whose branch stays yours from one evening to the next; and takes you into it. See help expeditions.",
        example: "expedition new 1 map The Long Look: you read what an expedition of that name costs, and what holds in it.",
        missing: "expedition, and new, found, enter, invite, join, leave, remove or end",
        run: run!(expedition),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "camp",
        yields_to_room: true,
        summary: "Pitches a camp in a cleared room of your expedition: rest is quick there, and the lift stops at it.",
        example: "camp: creatures keep away from the room, and the next evening can begin here.",
        run: run!(|turn, actor, ()| camp::pitch(turn, actor.who)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "lift",
        syntax: "lift [EXPEDITION]",
        yields_to_room: true,
        summary: "Takes you from the start room to the deepest camp of your expedition.",
        example: "lift: you stand in the camp where the last evening ended.",
        run: run!(|turn, actor, name: Option<NameArgument<'_>>| {
            entry::lift(turn, actor.who, NameArgument::or_nothing(name)).map_err(Refusal::of_nothing)
        }),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "pocket",
        needs: Needs::Nothing,
        summary: "Puts a thing that you carry into your safe pocket, which a recall out of an expedition leaves as it is, or takes it out again; alone, it lists what is in there.",
        example: "pocket ring: the ring comes with you, whichever way you go home.",
        run: run!(pocket_thing),
        ..CommandSpec::PLAYER
    },
];

/// Argument of `expedition`.
#[derive(Clone, Copy)]
enum Order<'a> {
    List,
    /// Lists ways and kinds.
    Offers,
    Weekly,
    Preview(Plan<'a>),
    Found(Plan<'a>),
    Enter(&'a str),
    Invite(CharacterId, &'a str),
    Join(&'a str),
    /// Leaves, asked before or `now`.
    Leave(&'a str, bool),
    Remove(&'a str, &'a str),
    EndPreview(&'a str),
    End(&'a str),
}

/// Carried item for the safe pocket.
#[derive(Clone, Copy, Debug)]
struct Pocketed(ItemId);

impl Argument<'_> for Pocketed {
    const SLOT: ArgumentForm = Carried::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let found = Carried::read(turn, actor, words).map(|Carried(item)| Self(item));
        found.map_err(|no| {
            if coins_argument::is_money(turn, words.bare()) {
                refuse!("Coins do not go into your safe pocket: a recall leaves those that you have found, and no others.")
            } else {
                no
            }
        })
    }
}

impl<'a> Argument<'a> for Order<'a> {
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (order, rest) = words.keyword();
        match (order.as_str(), rest.is_empty()) {
            ("" | "list", _) => return Ok(Self::List),
            ("new", true) => return Ok(Self::Offers),
            ("weekly", _) => return Ok(Self::Weekly),
            ("new", false) => return plan(rest).map(Self::Preview),
            ("end" | "found" | "enter" | "invite" | "join" | "leave" | "remove", _) => {}
            _ => return Err(words.missing()),
        }
        if order == "end" && !ends_with_now(rest) {
            return Ok(Self::EndPreview(rest.text()));
        }
        // All other orders change the world.
        turn.require_writable()?;
        match order.as_str() {
            "found" => plan(rest).map(Self::Found),
            "enter" => Ok(Self::Enter(rest.text())),
            "join" => Ok(Self::Join(rest.text())),
            "leave" if ends_with_now(rest) => Ok(Self::Leave(before_now(rest), true)),
            "leave" => Ok(Self::Leave(rest.text(), false)),
            "end" => Ok(Self::End(before_now(rest))),
            "remove" => {
                let (name, from) = rest.required()?.first_word();
                Ok(Self::Remove(name.text(), from.behind(&["from"]).text()))
            }
            _ => {
                let (name, to) = rest.required()?.first_word();
                let to = to.behind(&["to"]).text();
                PlayerArgument::read(turn, actor, name).map(|whom| Self::Invite(whom.0, to))
            }
        }
    }
}

fn ends_with_now(words: Words<'_>) -> bool {
    words.text().rsplit(' ').next().is_some_and(|last| last.eq_ignore_ascii_case("now"))
}

fn before_now(words: Words<'_>) -> &str {
    words.last_word().map_or("", |(name, _)| name.text())
}

/// Parses a way, a kind, a name, and perhaps a number of days behind it: "1 map Long Look for 10 days".
fn plan(words: Words<'_>) -> Result<Plan<'_>, Refusal> {
    const MISSING: Refusal = Refusal::Missing("expedition new and the number of a way, a kind and a name");
    let (way, rest) = words.first_word();
    let (aim, rest) = rest.keyword();
    let number = match amount::parse(way.text()) {
        Ok(number) => number as usize,
        Err(no @ AmountError::NotANumber) => return Err(no.into()),
        Err(_) => return Err(founding::no_way(way.text())),
    };
    let aim = Aim::ALL.into_iter().find(|one| one.name() == aim).ok_or(MISSING)?;
    let timed = rest.around("for").and_then(|(name, time)| {
        let (days, unit) = time.first_word();
        let is_time = ["day", "days"].iter().any(|word| unit.text().eq_ignore_ascii_case(word));
        Some((Some(days.text().parse().ok()?), name)).filter(|_| is_time)
    });
    let (days, name) = timed.unwrap_or((None, rest));
    if name.is_empty() {
        return Err(MISSING);
    }
    Ok(Plan { way: number, aim, days, name: name.text() })
}

fn expedition(turn: &mut Turn, actor: Actor, order: Order<'_>) -> Result<(), Refusal> {
    let who = actor.who;
    let answer = match order {
        Order::List => view::list(turn, who),
        Order::Offers => founding::offers(turn, who)?,
        Order::Weekly => weekly::describe(turn, who)?,
        Order::Preview(plan) => founding::preview(turn, who, plan)?,
        Order::EndPreview(name) => members::end_preview(turn, who, name)?,
        Order::Found(plan) => return founding::found(turn, who, plan),
        Order::Enter(name) => {
            crate::character::stats::may_act(turn, who)?;
            return entry::enter(turn, who, name);
        }
        Order::Invite(whom, to) => return members::invite(turn, who, whom, to),
        Order::Join(name) => return members::join(turn, who, name),
        Order::Leave(name, is_sure) => return members::leave(turn, who, name, is_sure),
        Order::Remove(name, from) => return members::remove(turn, who, name, from),
        Order::End(name) => return members::end(turn, who, name),
    };
    actor.answer(turn, answer)
}

fn pocket_thing(turn: &mut Turn, actor: Actor, thing: Option<Pocketed>) -> Result<(), Refusal> {
    let Some(Pocketed(item)) = thing else {
        let list = pocket::list(turn, actor.who);
        return actor.answer(turn, list);
    };
    turn.require_writable()?;
    pocket::put(turn, actor.who, item)
}
