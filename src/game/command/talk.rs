//! Words for speaking.

use super::Refusal;
use super::spec::{Actor, CommandSpec, Touches};
use crate::game::Game;
use crate::world::Role;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "say",
        aliases: &["'"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "say WORDS",
        summary: "Speaks to everybody in the room. An apostrophe does the same.",
        example: "'mind the lever: everybody here hears it.",
        run: |game, actor, words| game.say(actor.who, words),
    },
    CommandSpec {
        name: "emote",
        aliases: &[":"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "emote WORDS",
        summary: "Shows the room what you do. A colon does the same.",
        example: ":wrings out a sleeve. shows your name and those words.",
        run: |game, actor, words| game.emote(actor.who, words),
    },
    CommandSpec {
        name: "tell",
        aliases: &["whisper"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "tell NAME WORDS",
        summary: "Speaks to one climber, wherever they are.",
        example: "tell bera take the east exit: only Bera hears it.",
        run: tell,
    },
    CommandSpec {
        name: "reply",
        aliases: &["r"],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "reply WORDS",
        summary: "Answers whoever told you something last.",
        example: "reply coming: the one who spoke to you hears it.",
        run: |game, actor, words| game.reply(actor.who, words),
    },
    CommandSpec {
        name: "ooc",
        aliases: &[],
        role: Role::Player,
        touches: Touches::Nothing,
        syntax: "ooc WORDS",
        summary: "Speaks to everybody who plays, out of character.",
        example: "ooc good night: everybody hears it.",
        run: |game, actor, words| game.ooc(actor.who, words),
    },
];

fn tell(game: &mut Game, actor: Actor, words: &str) -> Result<(), Refusal> {
    let (name, words) = words
        .split_once(char::is_whitespace)
        .ok_or(Refusal::Missing("tell, a name, and what you want to say"))?;
    let to = game.player_named(name)?;
    game.tell_to(actor.who, to, words)
}
