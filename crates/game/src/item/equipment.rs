//! Worn items and their bonuses: one item for each slot, in the order of [`Slot::ALL`].

use crate::character::stats;
use crate::character::stats::Bonus;
use crate::effect::Class;
use crate::item::stacks;
use crate::message::{naming, tell};
use crate::refusal::{Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, Slot};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::{ItemClass, ItemEvent, ItemPrototype, RuleSet};
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
use deepwell_core::world::Place;
use std::cmp::Ordering;

const WIELD: Template = Template::new("{actor} {wields|wield} {object}.");

const WEAR: Template = Template::new("{actor} {puts|put} on {object}.");

const LAY_ASIDE: Template = Template::new("{actor} {puts|put} {object} away.");

const TAKE_OFF: Template = Template::new("{actor} {takes|take} off {object}.");

/// Returns the slot's place in a description of a worn item.
pub(crate) const fn worn_words(slot: Slot) -> &'static str {
    match slot {
        Slot::Hand => "in the hand",
        Slot::Shield => "on the arm",
        Slot::Head => "on the head",
        Slot::Body => "on the body",
        Slot::Hands => "on the hands",
        Slot::Feet => "on the feet",
        Slot::Neck => "around the neck",
        Slot::Finger => "on a finger",
        Slot::Back => "over the back",
    }
}

/// Wears or wields a carried item. An item already at the slot is put away.
pub(crate) fn wear(turn: &mut Turn, who: CharacterId, item: ItemId) -> Result<(), Refusal> {
    let name = naming::the_item(turn, item);
    let Some((slot, class)) = prototypes::kind_of(turn, item).and_then(|p| Some((p.slot?, p.class))) else {
        return Err(not_wearable(&name));
    };
    if turn.world.items[item].worn.is_some() {
        return Err(refuse!("You have {name} {} already.", worn_words(slot)));
    }
    let hp = stats::hp(turn, who);
    let before = stats::worn_at(turn, who, slot);
    // A worn item cannot be part of a stack.
    let one = turn.world.split_item(item, 1);
    if let Some(before) = before {
        set_worn(turn, before, None);
        let what = naming::the_item(turn, before);
        tell::act(turn, Class::Notice, &LAY_ASIDE, who, None, &what);
    }
    set_worn(turn, one, Some(slot));
    let what = naming::stack_words(turn, one, 1);
    let template = if class == ItemClass::Weapon { &WIELD } else { &WEAR };
    tell::act(turn, Class::Notice, template, who, None, &what);
    if let Some(before) = before {
        stacks::stack_up(turn, before);
    }
    keep_hp(turn, who, hp);
    turn.emit_event(GameEvent::Learned { who, lesson: Lesson::WoreItem });
    turn.emit_event(GameEvent::Handled { who, item: one, event: ItemEvent::Wear });
    Ok(())
}

/// Takes off a worn item.
pub(crate) fn take_off(turn: &mut Turn, who: CharacterId, item: ItemId) {
    let hp = stats::hp(turn, who);
    set_worn(turn, item, None);
    let what = naming::the_item(turn, item);
    tell::act(turn, Class::Notice, &TAKE_OFF, who, None, &what);
    stacks::stack_up(turn, item);
    keep_hp(turn, who, hp);
}

/// R25: under the rule set `racket`, a better item replaces the worse one as soon as it is taken.
pub(crate) fn wear_if_better(turn: &mut Turn, who: CharacterId, item: ItemId) {
    let Some(new) = prototypes::kind_of(turn, item).filter(|_| has_racket_rules(turn, who)) else { return };
    let (Some(slot), bonus) = (new.slot, Bonus::of(new)) else { return };
    let old = stats::worn_at(turn, who, slot).and_then(|old| prototypes::kind_of(turn, old));
    if bonus.worth() > old.map_or(0, |old| Bonus::of(old).worth()) {
        // The item is carried, has a slot and is not worn, so it can be worn.
        drop(wear(turn, who, item));
    }
}

/// Returns `true` if the character's room uses the rule set `racket`.
fn has_racket_rules(turn: &Turn, who: CharacterId) -> bool {
    stats::rules_of(turn, turn.world.characters[who].room) == RuleSet::Racket
}

fn set_worn(turn: &mut Turn, item: ItemId, slot: Option<Slot>) {
    if let Some(row) = turn.world.items.edit(item) {
        debug_assert!(matches!(row.place, Place::Holder(_)), "only what is carried is worn");
        row.worn = slot;
        let place = row.place;
        turn.world.touched.note(place);
    }
}

/// Caps the hit points at the maximum after worn items may have been lost.
pub(crate) fn after_gear_change(turn: &mut Turn, who: CharacterId) {
    let most = stats::max_hp_of(turn, who);
    if turn.world.characters.get(who).is_some_and(|body| body.hp > most) {
        keep_hp(turn, who, most);
    }
}

/// Keeps the hit points unchanged across a change of gear, up to the new maximum.
fn keep_hp(turn: &mut Turn, who: CharacterId, hp: i32) {
    let (now, most) = (turn.now, stats::max_hp_of(turn, who));
    if let Some(body) = turn.world.characters.edit(who) {
        body.hp = hp.min(most);
        body.hp_at = now;
    }
    turn.emit_event(GameEvent::VitalsChanged { who });
}

/// Describes the change in bonuses if the character wore the item.
pub(crate) fn comparison(turn: &Turn, who: CharacterId, item: ItemId) -> Result<String, Refusal> {
    let name = grammar::capitalise(&naming::the_item(turn, item)).into_owned();
    let new = prototypes::kind_of(turn, item).ok_or_else(|| not_wearable(&name))?;
    compare_kind(turn, who, new, &name, Some(item))
}

/// Describes the change in bonuses if the character wore an item of a kind: `item`, or one that is for sale.
pub(crate) fn compare_kind(
    turn: &Turn,
    who: CharacterId,
    new: &ItemPrototype,
    name: &str,
    item: Option<ItemId>,
) -> Result<String, Refusal> {
    let slot = new.slot.ok_or_else(|| not_wearable(name))?;
    let bonus = Bonus::of(new);
    let own = match bonus.words() {
        bonuses if bonuses.is_empty() => format!("{name} adds nothing to your numbers."),
        bonuses => format!("{name}, {}, gives {bonuses}.", worn_words(slot)),
    };
    let old = match stats::worn_at(turn, who, slot) {
        Some(old) if Some(old) == item => return Ok(format!("{own} You wear it now.")),
        Some(old) => Some((
            naming::the_item(turn, old),
            prototypes::kind_of(turn, old).map(Bonus::of).unwrap_or_default(),
        )),
        None => None,
    };
    let Some((old, worn)) = old else {
        return Ok(format!("{own} You have nothing {}, so all of it would be gained.", worn_words(slot)));
    };
    let changes: Vec<String> = bonus
        .parts()
        .into_iter()
        .zip(worn.parts())
        .filter(|((_, new), (_, old))| new != old)
        .map(|((what, new), (_, old))| {
            let by = new.abs_diff(old);
            let what = if by == 1 { what.strip_suffix('s').unwrap_or(what) } else { what };
            format!("{} {} {what}", grammar::number(by), if new > old { "more" } else { "less" })
        })
        .collect();
    if changes.is_empty() {
        return Ok(format!("{own} That is just what {old} gives you now."));
    }
    let verdict = match bonus.worth().cmp(&worn.worth()) {
        Ordering::Greater => "better than",
        Ordering::Less => "worse than",
        Ordering::Equal => "different, but on the whole no better and no worse than",
    };
    Ok(format!("{own} It is {verdict} {old}: {}.", grammar::list(&changes)))
}

/// Ends the temporary ownership of a taken item. Outside branches it also ceases to be loot of the run.
pub(crate) fn clear_owner(turn: &mut Turn, item: ItemId, who: CharacterId) {
    let below = turn.world.rooms[turn.world.characters[who].room].branch.is_some();
    if let Some(row) = turn.world.items.edit(item) {
        (row.owner, row.owner_until) = (None, None);
        row.found_in = row.found_in.filter(|_| below);
    }
}

/// Returns the refusal to hand over or put away an item that is worn.
pub(crate) fn still_worn(name: &str) -> Refusal {
    refuse!("You wear {name}; remove it first.")
}

/// Returns the refusal to wear an item that has no slot.
fn not_wearable(name: &str) -> Refusal {
    refuse!("{} is nothing to wear or wield.", grammar::capitalise(name))
}
