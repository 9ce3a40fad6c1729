//! Following another party member. The movement of followers is in `movement`.

use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::{Markup, Style};

/// Starts following another member of the party.
pub(crate) fn follow(turn: &mut Turn, who: CharacterId, whom: CharacterId) -> Result<(), Refusal> {
    if who == whom {
        return stop_following(turn, who);
    }
    let name = &turn.world.characters[whom].name;
    if turn.world.characters[who].following == Some(whom) {
        return Err(refuse!("You follow {name} already."));
    }
    if turn.world.leads_to(whom, who) {
        return Err(refuse!("{name} follows you; then nobody would go anywhere."));
    }
    stop_before(turn, who);
    turn.world.characters.change(who, |body| body.following = Some(whom));
    let message = Markup::plain("You follow ").with(Style::Player, &turn.world.characters[whom].name);
    tell::tell(turn, who, Class::Reply, message.and("."));
    tell::tell(turn, whom, Class::Notice, naming::name_of(turn, who).and(" follows you."));
    Ok(())
}

/// Stops following.
pub(crate) fn stop_following(turn: &mut Turn, who: CharacterId) -> Result<(), Refusal> {
    if turn.world.characters[who].following.is_none() {
        return Err(refuse!("You follow nobody. Type follow and the name of a companion."));
    }
    stop_before(turn, who);
    Ok(())
}

fn stop_before(turn: &mut Turn, who: CharacterId) {
    let Some(ahead) = turn.world.characters[who].following else { return };
    turn.world.characters.change(who, |body| body.following = None);
    let message = Markup::plain("You do not follow ").with(Style::Player, &turn.world.characters[ahead].name);
    tell::tell(turn, who, Class::Reply, message.and(" any more."));
    tell::tell(turn, ahead, Class::Notice, naming::name_of(turn, who).and(" does not follow you any more."));
}
