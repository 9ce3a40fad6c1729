//! Spawning of creatures and items from their prototypes.

use crate::character::{activity, stats};
use crate::turn::prototypes::points;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{BranchId, CharacterId, ItemId, RoomId};
use deepwell_core::catalog::{ItemClass, RuleSet};
use deepwell_core::world::{Character, Item, Place};

/// Spawns a creature. Returns `None` for an unknown prototype.
pub(crate) fn spawn_creature(
    turn: &mut Turn,
    key: &str,
    room: RoomId,
    branch: Option<BranchId>,
) -> Option<CharacterId> {
    let prototype = turn.catalog.creatures.get(key)?;
    let (hp, attack, defence) =
        match prototype.racket.filter(|_| stats::rules_of(turn, room) == RuleSet::Racket) {
            Some(racket) => (racket.hp, racket.attack, racket.defence),
            None => (prototype.hp, prototype.attack, prototype.defence),
        };
    let (name, description, xp) =
        (prototype.name.clone(), prototype.description.clone(), i64::from(prototype.xp));
    let id = turn.world.new_character_id();
    turn.world.add_character(Character {
        prototype: Some(key.to_owned()),
        description,
        awake: true,
        branch,
        hp: points(hp),
        max_hp: points(hp),
        attack: points(attack),
        defence: points(defence),
        xp,
        ..Character::new(id, name, room, turn.now)
    });
    activity::begin_life(turn, id);
    Some(id)
}

/// Spawns an item; `why` is the reason in the ledger. Coins are created as money. An item created in a branch is loot
/// of the run for the player who takes it.
pub(crate) fn spawn_item(turn: &mut Turn, key: &str, place: Place, why: &str) -> Option<ItemId> {
    let prototype = turn.catalog.items.get(key)?;
    let copper = if prototype.class == ItemClass::Coin { prototype.value } else { 0 };
    let around = match place {
        Place::Inside(container) => turn.world.root(container)?,
        place => place,
    };
    let room = match around {
        Place::Holder(holder) => turn.world.characters.get(holder)?.room,
        Place::Room(room) => room,
        Place::Inside(_) | Place::Mail(_) => return None,
    };
    let found_in = turn.world.rooms.get(room)?.branch;
    let id = turn.world.new_item_id();
    turn.world.add_item(Item { copper, found_in, ..Item::new(id, key, place, turn.now) }, why);
    refill(turn, id);
    Some(id)
}

/// Closes a container with a lid, and puts in what is missing of its contents.
pub(crate) fn refill(turn: &mut Turn, container: ItemId) {
    let Some(kind) =
        prototypes::kind_of(turn, container).filter(|kind| kind.closes || !kind.filled_with.is_empty())
    else {
        return;
    };
    let (closes, mut missing) = (kind.closes, kind.filled_with.clone());
    for inside in turn.world.contents(container) {
        let key = &turn.world.items[*inside].prototype;
        if let Some(at) = missing.iter().position(|wanted| wanted == key) {
            missing.remove(at);
        }
    }
    for key in missing {
        // A container inside would be filled in turn, without end if it holds its own kind.
        if turn.catalog.items.get(&key).is_some_and(|kind| kind.filled_with.is_empty()) {
            spawn_item(turn, &key, Place::Inside(container), "spawn");
        }
    }
    if closes && !turn.world.items[container].shut {
        turn.world.items.change(container, |row| row.shut = true);
    }
}
