//! Lids of containers: opening, closing, and picking of locks.

use crate::character::stats;
use crate::effect::Class;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::{GameEvent, Sound};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, Dice, ItemId};
use deepwell_core::catalog::{ItemEvent, ItemPrototype};
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;

const OPEN: Template = Template::new("{actor} {opens|open} {object}.");

const SHUT: Template = Template::new("{actor} {shuts|shut} {object}.");

const PICK: Template = Template::new("{actor} {works|work} at the lock of {object}, and it gives.");

/// Returns the prototype of a container with a lid.
pub(crate) fn lidded_kind(turn: &Turn, item: ItemId) -> Option<&ItemPrototype> {
    prototypes::kind_of(turn, item).filter(|kind| kind.closes)
}

/// Refuses to reach into a closed container.
pub(crate) fn require_open(turn: &Turn, container: ItemId) -> Result<(), Refusal> {
    if turn.world.items[container].shut {
        return Err(refuse!("{} is shut.", grammar::capitalise(&naming::the_item(turn, container))));
    }
    Ok(())
}

/// Opens or closes a container. Opening one with a lock requires its key.
pub(crate) fn work(turn: &mut Turn, who: CharacterId, container: ItemId, shut: bool) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    let name = naming::the_item(turn, container);
    let Some(kind) = lidded_kind(turn, container) else {
        return Err(refuse!("{} cannot be opened or shut.", grammar::capitalise(&name)));
    };
    if turn.world.items[container].shut == shut {
        let state = if shut { "shut" } else { "open" };
        return Err(in_state_already(&name, state));
    }
    let mut what = name.clone();
    if let Some(key) = kind.opens_with.as_ref().filter(|_| !shut) {
        let is_key = |item: &ItemId| turn.world.items[*item].prototype == *key;
        let key = turn.world.carried(who).iter().copied().find(is_key);
        let key = key.ok_or_else(|| {
            refuse!("{} is locked, and you carry nothing that opens it.", grammar::capitalise(&name))
        })?;
        what = format!("{name} with {}", naming::the_item(turn, key));
    }
    let template = if shut { &SHUT } else { &OPEN };
    set_shut(turn, who, container, shut, template, &what);
    Ok(())
}

/// Picks the lock of a container. A failed attempt takes as long as a blow.
pub(crate) fn pick(turn: &mut Turn, who: CharacterId, container: ItemId) -> Result<(), Refusal> {
    stats::may_act(turn, who)?;
    stats::require_peace(turn, who)?;
    let name = naming::the_item(turn, container);
    let kind = lidded_kind(turn, container).filter(|kind| kind.opens_with.is_some());
    let Some(percent) = kind.map(|kind| kind.pick_percent) else {
        return Err(refuse!("{} has no lock to pick.", grammar::capitalise(&name)));
    };
    if !turn.world.items[container].shut {
        return Err(in_state_already(&name, "open"));
    }
    if percent == 0 {
        return Err(refuse!("The lock of {name} is beyond anybody who has no key."));
    }
    stats::require_free_hands(turn, who)?;
    stats::get_up(turn, who);
    if turn.dice.flavour.percent(percent) {
        set_shut(turn, who, container, false, &PICK, &name);
        return Ok(());
    }
    turn.awake.edit(who).hands_busy_until = Some(turn.now + turn.config.round);
    Err(refuse!("You work at the lock of {name}, and it holds."))
}

fn set_shut(
    turn: &mut Turn,
    who: CharacterId,
    container: ItemId,
    shut: bool,
    template: &Template,
    what: &str,
) {
    turn.world.items.change(container, |row| row.shut = shut);
    tell::act(turn, Class::Notice, template, who, None, what);
    turn.emit_event(GameEvent::SoundedAround { who, sound: Sound::Door });
    let event = if shut { ItemEvent::Close } else { ItemEvent::Open };
    turn.emit_event(GameEvent::Handled { who, item: container, event });
}

/// Returns the refusal to bring a lid into the state that it has.
fn in_state_already(name: &str, state: &str) -> Refusal {
    refuse!("{} is {state} already.", grammar::capitalise(name))
}
