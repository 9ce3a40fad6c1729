//! Words for what rooms offer: prayers and riddles.

use crate::game::command::spec::CommandSpec;
use crate::game::places::{riddle, shrine};
use crate::game::refusal::Refusal;

pub(super) const COMMANDS: &[CommandSpec] = &[
    CommandSpec {
        name: "pray",
        syntax: "pray",
        summary: "Prays at the shrine of the room. Each shrine gives to each climber once.",
        example: "pray: you hold your hands over the embers, and your blows grow heavier for a while.",
        run: |turn, actor, _| shrine::pray(turn, actor.who),
        ..CommandSpec::PLAYER
    },
    CommandSpec {
        name: "answer",
        syntax: "answer WORD",
        summary: "Answers the riddle of a stone face. It hears only so many answers from each climber.",
        example: "answer a shadow: the face says whether you are right.",
        takes_words: true,
        run: |turn, actor, words| {
            if words.is_empty() {
                return Err(Refusal::Missing("answer and a word"));
            }
            riddle::answer(turn, actor.who, words)
        },
        ..CommandSpec::PLAYER
    },
];
