//! Actions of scripted parties; each is stored immediately.

use crate::simulate::Breach;
use crate::simulate::stage::SimulatedGame;
use deepwell_core::base::{CharacterId, SessionId, Span};
use deepwell_game::Input;

/// Game time between two actions.
const PACE: Span = Span::secs(3);

impl SimulatedGame {
    /// Advances the clock and runs due timers.
    pub(super) fn tick(&mut self) {
        self.now = self.now + PACE;
        self.act(Input::Wake);
    }

    pub(super) fn act(&mut self, input: Input) {
        self.step(input);
        self.store();
    }

    /// Creates a character and its session.
    pub(super) fn create(&mut self, name: &str) -> Result<(CharacterId, SessionId), Breach> {
        let session = self.open();
        let credential = "none: scripted characters have no password".into();
        self.act(Input::Create { session, name: name.into(), credential, pre_login: Box::default() });
        let character = self.world().character_by_name(name);
        Ok((character.ok_or_else(|| Breach(format!("{name} could not log in")))?, session))
    }
}
