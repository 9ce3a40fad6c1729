//! Argument types of commands. Each kind of argument is parsed, and refused if invalid, in one place for all commands.
//! Arguments specific to one command are built from these next to the command.

use crate::command::parse::actor::Actor;
use crate::command::parse::pick::Wish;
use crate::command::parse::words::Words;
use crate::command::parse::{pick, resolve};
use crate::exit::hidden;
use crate::party::members;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, ExitId, ItemId, amount};

/// Form of an argument in the syntax of a command.
#[derive(Clone, Copy, Debug)]
pub(crate) enum ArgumentForm {
    /// No argument; anything typed is ignored.
    Nothing,
    /// One argument, as in `THING`.
    One(&'static str),
    /// Optional argument.
    Maybe(&'static Self),
    /// Two arguments in sequence.
    Both(&'static Self, &'static Self),
    /// Several forms; the command states its syntax explicitly.
    Several,
}

impl ArgumentForm {
    /// Returns the syntax as shown after the command name; `None` if the command must state it.
    pub(crate) fn syntax(self) -> Option<String> {
        Some(match self {
            Self::Nothing => String::new(),
            Self::One(name) => name.into(),
            Self::Maybe(slot) => format!("[{}]", slot.syntax()?),
            Self::Both(one, other) => format!("{} {}", one.syntax()?, other.syntax()?),
            Self::Several => return None,
        })
    }
}

/// A value parsed from the text after a command.
pub(crate) trait Argument<'a>: Sized {
    /// Form in the syntax of a command.
    const SLOT: ArgumentForm = ArgumentForm::Several;

    /// Parses the argument.
    ///
    /// # Errors
    /// If the argument is missing or invalid.
    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal>;
}

impl Argument<'_> for () {
    const SLOT: ArgumentForm = ArgumentForm::Nothing;

    fn read(_: &Turn, _: Actor, _: Words<'_>) -> Result<Self, Refusal> {
        Ok(())
    }
}

impl<'a, A: Argument<'a>> Argument<'a> for Option<A> {
    const SLOT: ArgumentForm = ArgumentForm::Maybe(&A::SLOT);

    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        if words.is_empty() { Ok(None) } else { A::read(turn, actor, words).map(Some) }
    }
}

impl<'a, A: Argument<'a>, B: Argument<'a>> Argument<'a> for (A, B) {
    const SLOT: ArgumentForm = ArgumentForm::Both(&A::SLOT, &B::SLOT);

    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let (first, rest) = words.first_word();
        let rest = rest.required()?;
        Ok((A::read(turn, actor, first)?, B::read(turn, actor, rest)?))
    }
}

/// Rest of the line as typed; the rule must handle an empty text.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SpeechArgument<'a>(pub(crate) &'a str);

impl<'a> Argument<'a> for SpeechArgument<'a> {
    const SLOT: ArgumentForm = ArgumentForm::One("WORDS");

    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        Ok(Self(words.text()))
    }
}

/// Rest of the line as typed; must not be empty.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TextArgument<'a>(pub(crate) &'a str);

impl<'a> Argument<'a> for TextArgument<'a> {
    const SLOT: ArgumentForm = ArgumentForm::One("WORDS");

    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        Ok(Self(words.required()?.text()))
    }
}

/// Name without its article, to be resolved by the rule.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NameArgument<'a>(pub(crate) &'a str);

impl<'a> NameArgument<'a> {
    /// Returns the name, or an empty string.
    pub(crate) fn or_nothing(name: Option<Self>) -> &'a str {
        name.map_or("", |name| name.0)
    }
}

impl<'a> Argument<'a> for NameArgument<'a> {
    const SLOT: ArgumentForm = ArgumentForm::One("THING");

    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        Ok(Self(words.required()?.bare()))
    }
}

/// Number.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Count(pub(crate) u32);

impl Argument<'_> for Count {
    const SLOT: ArgumentForm = ArgumentForm::One("NUMBER");

    fn read(_: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        Ok(Self(amount::parse(words.required()?.text())?))
    }
}

/// Character in the same room, including the actor.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Being(pub(crate) CharacterId);

impl Argument<'_> for Being {
    const SLOT: ArgumentForm = ArgumentForm::One("NAME");

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        resolve::being_here(turn, actor.who, words.required()?.bare()).map(Self)
    }
}

/// Player character, in any room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PlayerArgument(pub(crate) CharacterId);

impl Argument<'_> for PlayerArgument {
    const SLOT: ArgumentForm = ArgumentForm::One("NAME");

    fn read(turn: &Turn, _: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        resolve::player_named(turn, words.required()?.text()).map(Self)
    }
}

/// Member of the actor's party.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MemberArgument(pub(crate) CharacterId);

impl Argument<'_> for MemberArgument {
    const SLOT: ArgumentForm = ArgumentForm::One("NAME");

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        members::member_named(turn, actor.who, words.required()?.text()).map(Self)
    }
}

/// Exit of the room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WayOut(pub(crate) ExitId);

impl Argument<'_> for WayOut {
    const SLOT: ArgumentForm = ArgumentForm::One("EXIT");

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let words = words.required()?;
        let named = |name| hidden::seen_named(turn, actor.who, name).map(|exit| Self(exit.id));
        named(words.text()).or_else(|| named(words.bare())).ok_or(Refusal::NoWay)
    }
}

/// Carried item, preferably one not worn.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Carried(pub(crate) ItemId);

impl Argument<'_> for Carried {
    const SLOT: ArgumentForm = ArgumentForm::One("THING");

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let (pack, name) = (pick::pack_of(turn, actor.who), words.required()?.bare());
        let found = resolve::item_among(turn, &pack, name).map(Self);
        found.ok_or_else(|| Refusal::NotCarried(name.to_owned()))
    }
}

/// Item carried or on the ground of the room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct InReach(pub(crate) ItemId);

impl Argument<'_> for InReach {
    const SLOT: ArgumentForm = ArgumentForm::One("THING");

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        let name = words.required()?.bare();
        let mut reach = pick::pack_of(turn, actor.who);
        reach.extend(turn.world.ground(turn.world.characters[actor.who].room));
        let found = resolve::item_among(turn, &reach, name).map(Self);
        found.ok_or_else(|| Refusal::NotHere(name.to_owned()))
    }
}

/// Container, carried or in the room.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Container(pub(crate) ItemId);

impl Argument<'_> for Container {
    const SLOT: ArgumentForm = ArgumentForm::One("CONTAINER");

    fn read(turn: &Turn, actor: Actor, words: Words<'_>) -> Result<Self, Refusal> {
        pick::container_here(turn, actor.who, words.required()?.bare()).map(Self)
    }
}

impl<'a> Argument<'a> for Wish<'a> {
    const SLOT: ArgumentForm =
        ArgumentForm::Both(&ArgumentForm::Maybe(&ArgumentForm::One("NUMBER")), &ArgumentForm::One("THING"));

    fn read(_: &Turn, _: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        Wish::parse(words.required()?.text())
    }
}

/// Carried items with their counts.
#[derive(Clone, Debug)]
pub(crate) struct Packed<'a> {
    /// Request as typed.
    pub(crate) wish: Wish<'a>,
    /// Matching items; never empty.
    pub(crate) items: Vec<(ItemId, u32)>,
}

impl<'a> Argument<'a> for Packed<'a> {
    const SLOT: ArgumentForm = Wish::SLOT;

    fn read(turn: &Turn, actor: Actor, words: Words<'a>) -> Result<Self, Refusal> {
        let wish = Wish::read(turn, actor, words)?;
        Ok(Self { wish, items: pick::picked_from_pack(turn, actor.who, wish)? })
    }
}
