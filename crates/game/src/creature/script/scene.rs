//! Context of a running script: whom it is about, and the texts of its lines.

use crate::character::variables;
use crate::character::variables::Subjects;
use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, RoomId};
use deepwell_core::catalog::script::slot::{self, TextPiece, TextSlot};
use deepwell_core::text::grammar;
use std::borrow::Cow;

/// Context of a running script.
#[derive(Clone, Copy, Debug)]
pub(in crate::creature) struct ScriptScene<'w> {
    /// Room, creature and target.
    pub(in crate::creature) subjects: Subjects,
    /// Room of the target when the script began.
    pub(in crate::creature) target_in: RoomId,
    /// Words said or typed after a command, or the item used or looked at.
    pub(in crate::creature) words: &'w str,
    /// Key of the quest of which the lines are a step that has paid before, so that it does not pay again; empty for other
    /// scripts.
    pub(in crate::creature) withheld_by: &'w str,
}

impl ScriptScene<'_> {
    /// Returns the context without its target if that has left or sleeps.
    pub(in crate::creature) fn now(self, turn: &Turn) -> Self {
        let target = self.subjects.target.filter(|who| !is_gone(turn, *who, self.target_in));
        Self { subjects: Subjects { target, ..self.subjects }, ..self }
    }
}

/// Returns `true` if a character is not awake in a room.
pub(in crate::creature) fn is_gone(turn: &Turn, who: CharacterId, from: RoomId) -> bool {
    turn.world.characters.get(who).is_none_or(|body| body.room != from || !body.awake)
}

/// Returns a text about subjects with its slots filled in.
pub(crate) fn filled_about(turn: &Turn, text: &str, subjects: Subjects) -> String {
    filled(turn, text, ScriptScene { subjects, target_in: subjects.room, words: "", withheld_by: "" })
        .into_owned()
}

/// Returns a text with its slots filled in.
pub(in crate::creature) fn filled<'t>(turn: &Turn, text: &'t str, scene: ScriptScene<'_>) -> Cow<'t, str> {
    if !text.contains('{') {
        return Cow::Borrowed(text);
    }
    let pieces = slot::pieces(text).map(|piece| match piece {
        TextPiece::Text(text) => Cow::Borrowed(text),
        TextPiece::Slot(TextSlot::Variable(name)) => {
            let value = variables::value(turn, scene.subjects, name);
            value.map_or(Cow::Borrowed(""), |value| value.to_string().into())
        }
        TextPiece::Slot(TextSlot::Word(word)) => word_for(turn, word, scene),
    });
    pieces.collect::<String>().into()
}

/// Returns the text for a slot.
fn word_for<'t>(turn: &'t Turn, word: &str, scene: ScriptScene<'t>) -> Cow<'t, str> {
    let Subjects { room, creature, item, target } = scene.subjects;
    let creature_name = || match (creature, item) {
        (Some(creature), _) => naming::the(turn, creature),
        (None, Some(item)) => naming::the_item(turn, item),
        (None, None) => "the voice".to_owned(),
    };
    match word {
        "player" => {
            target.map_or(Cow::Borrowed("somebody"), |who| turn.world.characters[who].name.as_str().into())
        }
        "player.they" => Cow::Borrowed("they"),
        "player.them" => Cow::Borrowed("them"),
        "player.their" => Cow::Borrowed("their"),
        "creature" => creature_name().into(),
        "Creature" => grammar::capitalise(&creature_name()).into_owned().into(),
        "room" => turn.world.rooms[room].sheet.name.as_str().into(),
        "words" => scene.words.into(),
        _ => Cow::Borrowed(""),
    }
}
