//! Words for what rooms offer: prayers and riddles.

use crate::game::command::argument::Text;
use crate::game::command::spec::{CommandSpec, run};
use crate::game::places::{riddle, shrine};

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "pray",
        summary: "Prays at the shrine of the room. Each shrine gives to each climber once.",
        example: "pray: you hold your hands over the embers, and your blows grow heavier for a while.",
        run: run!(|turn, actor, ()| shrine::pray(turn, actor.who)),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "answer",
        syntax: "answer WORD",
        summary: "Answers the riddle of a stone face. It hears only so many answers from each climber.",
        example: "answer a shadow: the face says whether you are right.",
        takes_words: true,
        missing: "answer and a word",
        run: run!(|turn, actor, words: Text<'_>| riddle::answer(turn, actor.who, words.0)),
        ..CommandSpec::PLAYER
    },
];
