//! Money: made, spent and handed over, and never otherwise changed (D8).

use crate::base::CharacterId;
use crate::game::Game;
use crate::game::command::Refusal;

impl Game {
    /// Coppers come into the world and into a purse.
    pub(crate) fn mint(&mut self, who: CharacterId, copper: i64, why: &str) {
        if copper > 0
            && let Some(body) = self.world.characters.edit(who)
        {
            body.money.purse = body.money.purse.saturating_add(copper);
            let now = self.now;
            self.world.book_money(now, copper, why, Some(who));
        }
    }

    /// Coppers leave a purse and the world.
    pub(crate) fn sink(&mut self, who: CharacterId, copper: i64, why: &str) -> Result<(), Refusal> {
        let purse = self.world.characters[who].money.purse;
        if copper < 0 || copper > purse {
            return Err(Refusal::TooPoor(copper));
        }
        if let Some(body) = self.world.characters.edit(who) {
            body.money.purse -= copper;
            body.money.run = body.money.run.min(body.money.purse);
        }
        let now = self.now;
        self.world.book_money(now, -copper, why, Some(who));
        Ok(())
    }
}

/// "3 gold, 4 silver and 2 copper".
pub(crate) fn money_words(copper: i64) -> String {
    format!("{copper} copper")
}
