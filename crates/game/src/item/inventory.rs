//! Carrying: taking, dropping, giving and stowing items, in whole stacks or parts, within the limits. Commands resolve
//! the names of items and characters.

use crate::effect::Class;
use crate::item::{equipment, money, stacks};
use crate::message::{naming, notices, tell};
use crate::refusal::{self, Refusal, refuse};
use crate::state::event::GameEvent;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RuleLimit};
use deepwell_core::catalog::help::guide::Lesson;
use deepwell_core::catalog::{ItemClass, ItemEvent};
use deepwell_core::text::act::Template;
use deepwell_core::text::grammar;
use deepwell_core::world::Place;

const TAKE: Template = Template::new("{actor} {takes|take} {object}.");

const POCKET: Template = Template::new("{actor} {pockets|pocket} {object}.");

const PUT_DOWN: Template = Template::new("{actor} {puts|put} down {object}.");

const PUT_IN: Template = Template::new("{actor} {puts|put} {object}.");

const GIVE: Template = Template::new("{actor} {gives|give} {target} {object}.");

/// Refuses with `full` if the character cannot carry `count` of the item in addition to its items.
fn require_can_carry(
    turn: &Turn,
    who: CharacterId,
    item: ItemId,
    count: u32,
    full: impl Fn() -> Refusal,
) -> Result<(), Refusal> {
    let (row, place) = (&turn.world.items[item], Place::Holder(who));
    if stacks::stack_for(turn, row, count, place).is_some() {
        return Ok(());
    }
    let held = turn.world.root(item) == Some(place);
    let nested = if held { 0 } else { turn.world.with_contents(item).len() - 1 };
    let (limits, carried) = (&turn.config.limits, turn.world.carried(who).len());
    let nested = stacks::nested_at(turn, place) + nested;
    refusal::require_below(limits, RuleLimit::ItemsCarried, carried, |_| full())?;
    refusal::require_at_most(limits, RuleLimit::ItemsNested, nested, |_| full())
}

/// Returns `true` if the character can carry `count` of the item in addition to its items.
pub(crate) fn can_carry(turn: &Turn, who: CharacterId, item: ItemId, count: u32) -> bool {
    require_can_carry(turn, who, item, count, hands_full).is_ok()
}

/// Returns the refusal if the item, or its container, belongs to another character for now.
fn ownership_refusal(turn: &Turn, who: CharacterId, item: ItemId) -> Option<Refusal> {
    if let Err(no) = may_take(turn, item) {
        return Some(no);
    }
    let row = &turn.world.items[item];
    if let Some(owner) = row.owner.filter(|owner| *owner != who)
        && row.owner_until.is_some_and(|until| until > turn.now)
        && let Some(name) = turn.world.name_of(owner)
        && !in_same_party(turn, who, owner)
    {
        let what = naming::the_item(turn, item);
        return Some(refuse!("{} is {name}'s for now.", grammar::capitalise(&what)));
    }
    match row.place {
        Place::Inside(container) => ownership_refusal(turn, who, container),
        Place::Room(_) | Place::Holder(_) | Place::Mail(_) => None,
    }
}

/// Returns `true` if two characters are in one party.
fn in_same_party(turn: &Turn, one: CharacterId, other: CharacterId) -> bool {
    turn.world.parties.of(one).is_some_and(|party| turn.world.parties.of(other) == Some(party))
}

/// Returns `true` if players can pick an item up: it is neither a corpse nor fixed.
pub(crate) fn is_movable(turn: &Turn, item: ItemId) -> bool {
    let is_fixed = prototypes::kind_of(turn, item).is_some_and(|kind| kind.fixed);
    !is_fixed && prototypes::class_of(turn, item) != ItemClass::Corpse
}

/// Takes `count` of an item from the ground or out of a container in reach.
pub(crate) fn take(turn: &mut Turn, who: CharacterId, item: ItemId, count: u32) -> Result<(), Refusal> {
    if !is_movable(turn, item) {
        let name = naming::the_item(turn, item);
        let is_corpse = prototypes::class_of(turn, item) == ItemClass::Corpse;
        return Err(if is_corpse {
            refuse!("Nobody would carry {name}. Type get all from corpse for what is in it.")
        } else {
            refuse!("{} cannot be moved.", grammar::capitalise(&name))
        });
    }
    if let Some(no) = ownership_refusal(turn, who, item) {
        return Err(no);
    }
    receive(turn, who, item, count)
}

/// Takes items out of a container with a single message. Items that the character cannot carry stay there.
pub(crate) fn take_together(turn: &mut Turn, who: CharacterId, items: &[ItemId], container: ItemId) {
    let (mut taken, mut names) = (Vec::new(), Vec::new());
    let mut no = None;
    for item in items {
        let count = turn.world.items[*item].count;
        let name = naming::stack_words(turn, *item, count);
        match acquire(turn, who, *item, count) {
            Ok(part) => {
                names.push(name);
                taken.extend(part);
            }
            Err(refusal) => no = Some(refusal),
        }
    }
    if !names.is_empty() {
        let what = format!("{} from {}", grammar::list(&names), naming::the_item(turn, container));
        tell::act(turn, Class::Notice, &TAKE, who, None, &what);
        turn.emit_event(GameEvent::Learned { who, lesson: Lesson::GotItem });
    }
    for part in taken {
        equipment::wear_if_better(turn, who, part);
        turn.emit_event(GameEvent::Handled { who, item: part, event: ItemEvent::Get });
    }
    if let Some(no) = no {
        tell::refuse(turn, who, &no);
    }
}

/// Moves `count` of an item to a character: coins into the purse, other items to the carried items. Returns the carried
/// item; `None` for coins.
///
/// # Errors
/// If the character cannot carry it, or the purse is full.
pub(crate) fn acquire(
    turn: &mut Turn,
    who: CharacterId,
    item: ItemId,
    count: u32,
) -> Result<Option<ItemId>, Refusal> {
    if prototypes::class_of(turn, item) == ItemClass::Coin {
        money::pocket(turn, who, item, count)?;
        return Ok(None);
    }
    require_can_carry(turn, who, item, count, hands_full)?;
    let part = turn.world.split_item(item, count);
    equipment::clear_owner(turn, part, who);
    Ok(Some(stacks::move_and_stack(turn, part, count, Place::Holder(who))))
}

/// Takes an item without regard to its owner, with messages.
fn receive(turn: &mut Turn, who: CharacterId, item: ItemId, count: u32) -> Result<(), Refusal> {
    let from = turn.world.items[item].place;
    let mut what = naming::stack_words(turn, item, count);
    if let Place::Inside(container) = from {
        what = format!("{what} from {}", naming::the_item(turn, container));
    }
    let part = acquire(turn, who, item, count)?;
    if let Some(part) = part {
        tell::act(turn, Class::Notice, &TAKE, who, None, &what);
        turn.emit_event(GameEvent::Learned { who, lesson: Lesson::GotItem });
        equipment::wear_if_better(turn, who, part);
        turn.emit_event(GameEvent::Handled { who, item: part, event: ItemEvent::Get });
    } else {
        tell::act(turn, Class::Notice, &POCKET, who, None, &what);
        turn.emit_event(GameEvent::Learned { who, lesson: Lesson::GotMoney });
    }
    if let Place::Inside(container) = from {
        clear_away(turn, container);
    }
    Ok(())
}

/// Puts `count` of an item on the ground.
pub(crate) fn put_down(turn: &mut Turn, who: CharacterId, item: ItemId, count: u32) {
    let what = naming::stack_words(turn, item, count);
    let room = turn.world.characters[who].room;
    let part = stacks::move_and_stack(turn, item, count, Place::Room(room));
    equipment::after_gear_change(turn, who);
    tell::act(turn, Class::Notice, &PUT_DOWN, who, None, &what);
    turn.emit_event(GameEvent::Handled { who, item: part, event: ItemEvent::Drop });
    stacks::trim_ground(turn, room, part);
}

/// Gives `count` of an item to a character in the room.
pub(crate) fn give_item(
    turn: &mut Turn,
    who: CharacterId,
    item: ItemId,
    count: u32,
    to: CharacterId,
) -> Result<(), Refusal> {
    let too_much = || refuse!("{} cannot carry any more.", turn.world.characters[to].name);
    require_can_carry(turn, to, item, count, too_much)?;
    let what = naming::stack_words(turn, item, count);
    stacks::move_and_stack(turn, item, count, Place::Holder(to));
    equipment::after_gear_change(turn, who);
    tell::act(turn, Class::Notice, &GIVE, who, Some(to), &what);
    notices::keep_gift(turn, who, to);
    Ok(())
}

/// Gives `count` of an item to a creature, which uses it up.
pub(crate) fn give_to_creature(turn: &mut Turn, who: CharacterId, item: ItemId, count: u32, to: CharacterId) {
    let what = naming::stack_words(turn, item, count);
    let part = turn.world.split_item(item, count);
    tell::act(turn, Class::Notice, &GIVE, who, Some(to), &what);
    turn.world.remove_item(part, "given");
    equipment::after_gear_change(turn, who);
}

/// Puts `count` of an item into a container in reach.
pub(crate) fn put_in(
    turn: &mut Turn,
    who: CharacterId,
    item: ItemId,
    count: u32,
    container: ItemId,
) -> Result<(), Refusal> {
    let into = naming::the_item(turn, container);
    let holds = prototypes::kind_of(turn, container).map_or(0, |prototype| prototype.holds as usize);
    if prototypes::class_of(turn, container) != ItemClass::Container || holds == 0 {
        return Err(refuse!("Nothing can be put into {into}."));
    }
    if turn.world.items[item].worn.is_some() {
        return Err(equipment::still_worn(&naming::the_item(turn, item)));
    }
    if item == container {
        return Err(refuse!("However you turn it, {into} does not go into itself."));
    }
    if !turn.world.fits_inside(item, container) {
        return Err(refuse!("Bags within bags within bags: {into} takes no more of them."));
    }
    let place = Place::Inside(container);
    let (limits, inside) = (&turn.config.limits, turn.world.contents(container).len());
    let full = || refuse!("{} is full.", grammar::capitalise(&into));
    if stacks::stack_for(turn, &turn.world.items[item], count, place).is_none() {
        refusal::require_below(limits, RuleLimit::ItemsInside, inside, |_| full())?;
        if inside >= holds {
            return Err(full());
        }
    }
    let root = turn.world.root(container);
    let nested = root.map_or(0, |root| stacks::nested_at(turn, root));
    let adds = if turn.world.items[item].place == place { 0 } else { turn.world.with_contents(item).len() };
    refusal::require_at_most(limits, RuleLimit::ItemsNested, nested + adds, |_| full())?;
    let what = format!("{} into {into}", naming::stack_words(turn, item, count));
    let part = stacks::move_and_stack(turn, item, count, place);
    tell::act(turn, Class::Notice, &PUT_IN, who, None, &what);
    turn.emit_event(GameEvent::Handled { who, item: part, event: ItemEvent::Put });
    Ok(())
}

/// Removes a corpse once it is empty.
pub(crate) fn clear_away(turn: &mut Turn, container: ItemId) {
    let empty = turn.world.contents(container).is_empty();
    if empty && prototypes::class_of(turn, container) == ItemClass::Corpse {
        turn.world.remove_item(container, "emptied");
    }
}

/// Refuses to take an item while it is being rolled for.
fn may_take(turn: &Turn, item: ItemId) -> Result<(), Refusal> {
    match turn.world.parties.rolled_for(item) {
        Some(_) => Err(refuse!("Dice are out for that; wait until it is settled.")),
        None => Ok(()),
    }
}

/// Returns the refusal of more items than the character can carry.
pub(crate) fn hands_full() -> Refusal {
    refuse!("You cannot carry any more.")
}
