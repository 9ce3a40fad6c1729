//! Experience, levels, and the choices they bring (T9 to T14, T18).

use crate::base::CharacterId;
use crate::game::{Class, Game};
use crate::text::Markup;

impl Game {
    /// Somebody gains experience for the end of `whom` (T10, T16).
    pub(crate) fn gain_experience(&mut self, who: CharacterId, xp: i64, whom: &str) {
        if let Some(body) = self.world.characters.edit(who) {
            body.xp = body.xp.saturating_add(xp);
        }
        let words = format!("{whom} is dead, and you gain {xp} experience.");
        self.tell(who, Class::Combat, Markup::plain(&words));
    }

    /// Each step: whoever has enough experience rises one level (T14).
    pub(super) fn level_ups(&mut self) {}
}
