//! Invariants of the game, beyond those of the world.

use crate::Game;
use crate::attack::duel;
use crate::staff::{bans, moderation};
use deepwell_core::base::CharacterId;
use deepwell_core::world::Posture;
use std::collections::BTreeSet;

impl Game {
    /// Checks every invariant of the world and of the game. Returns the violations; empty if all hold.
    pub fn check(&self) -> Vec<String> {
        let (turn, world) = (&self.turn, &self.turn.world);
        let mut violations = world.check();
        for (session, seat) in &turn.seats {
            if turn.seated.get(&seat.character) != Some(session) {
                violations.push(format!("character {}: driven by two sessions", seat.character));
            }
            if world.characters.get(seat.character).is_none_or(|c| !c.awake) {
                violations.push(format!("character {}: driven, but not in the world", seat.character));
            }
        }
        if turn.seats.len() != turn.seated.len() {
            violations.push(format!("{} seats, {} characters seated", turn.seats.len(), turn.seated.len()));
        }
        let waiting: BTreeSet<CharacterId> =
            world.awake_players().filter(|id| !turn.seated.contains_key(id)).collect();
        for id in waiting {
            if world.characters[id].link_dead_until.is_none() {
                violations.push(format!("character {id}: link-dead without a deadline (N14)"));
            }
        }
        // Sanctions and bans do not expire while the world is read-only, nor before the next step that runs due timers.
        if turn.timers.next().is_none_or(|due| due > turn.now) {
            violations.extend(moderation::overdue(turn).into_iter().chain(bans::overdue(turn)));
        }
        for (id, body) in world.characters.iter().filter(|(_, body)| body.target.is_some()) {
            if !turn.rounds.is_round_scheduled(body.room) {
                violations.push(format!("character {id}: fights, and no round is to come"));
            }
            if body.posture != Posture::Standing {
                violations.push(format!("character {id}: fights {:?}", body.posture));
            }
        }
        // Players fight each other only in duels.
        for (id, foe) in world.characters.iter().filter_map(|(id, _)| Some((id, duel::opponent(turn, id)?))) {
            let [body, other] = [id, foe].map(|id| &world.characters[id]);
            let is_mutual = other.target == Some(id) && other.room == body.room;
            if !is_mutual || !turn.seated.contains_key(&id) {
                violations.push(format!("character {id}: fights player {foe} outside of a duel"));
            }
        }
        for (id, body) in world.characters.iter().filter(|(_, body)| body.posture == Posture::Down) {
            if body.hp != 0 || body.down_until.is_none() || !body.is_player() || !body.awake {
                violations.push(format!(
                    "character {id}: down, with {} hit points until {:?}",
                    body.hp, body.down_until
                ));
            }
        }
        violations
    }
}
