//! Commands that a client may offer for an item, a creature or a player: complete lines, the most useful first.

use crate::item::{inventory, trade};
use crate::message::naming;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::catalog::{ItemClass, ItemEvent, ItemPrototype};
use deepwell_core::world::Place;
use std::borrow::Cow;

/// Returns the name that an item is typed with.
fn name_of(turn: &Turn, item: ItemId) -> Option<Cow<'_, str>> {
    let kind = || prototypes::kind_of(turn, item).map(|kind| Cow::Borrowed(kind.name.as_str()));
    naming::label_of(turn, item).or_else(kind)
}

/// Returns the commands for an item at a place.
pub(super) fn for_item(turn: &Turn, id: ItemId, place: Place) -> Vec<String> {
    let item = &turn.world.items[id];
    let (kind, class) = (prototypes::kind_of(turn, id), prototypes::class_of(turn, id));
    let Some(name) = name_of(turn, id) else { return Vec::new() };
    let holds = matches!(class, ItemClass::Container | ItemClass::Corpse);
    let line = |verb: &str| format!("{verb} {name}");
    match place {
        Place::Room(_) => {
            let mut lines = Vec::new();
            if holds {
                lines.push(line("get all from"));
            }
            if inventory::is_movable(turn, id) {
                lines.push(line("get"));
            }
            lines.push(line("examine"));
            lines
        }
        Place::Inside(container) => {
            let outer = name_of(turn, container);
            outer.map(|outer| vec![format!("get {name} from {outer}")]).unwrap_or_default()
        }
        Place::Mail(_) => Vec::new(),
        Place::Holder(_) if item.worn.is_some() => vec![line("remove"), line("examine")],
        Place::Holder(who) => {
            let mut lines = Vec::new();
            match class {
                _ if kind.is_some_and(is_used_by_script) => lines.push(line("use")),
                ItemClass::Potion => lines.push(line("use")),
                ItemClass::Food => lines.push(line("eat")),
                ItemClass::Weapon => lines.push(line("wield")),
                _ if kind.is_some_and(|kind| kind.slot.is_some()) => lines.push(line("wear")),
                ItemClass::Container => lines.push(line("get all from")),
                _ => {}
            }
            lines.extend([line("examine"), line("drop")]);
            if trade::bid(turn, who, id, 1).is_ok() {
                lines.push(line("sell"));
            }
            lines
        }
    }
}

/// Returns `true` if a script runs when items of a kind are used.
fn is_used_by_script(kind: &ItemPrototype) -> bool {
    kind.triggers.iter().any(|trigger| trigger.on == ItemEvent::Use)
}

/// Returns the name that a creature is typed with. The second of several creatures with the same name is `2.name`.
pub(super) fn name_of_creature(turn: &Turn, id: CharacterId) -> String {
    let body = &turn.world.characters[id];
    let alike = |other: &&CharacterId| turn.world.characters[**other].name == body.name;
    let here = turn.world.occupants(body.room).iter();
    let before = here.take_while(|other| **other != id).filter(alike).count();
    match before {
        0 => body.name.clone(),
        _ => format!("{}.{}", before + 1, body.name),
    }
}

/// Returns the commands for a creature; `spared` is set if it cannot be attacked.
pub(super) fn for_creature(turn: &Turn, id: CharacterId, spared: bool) -> Vec<String> {
    let name = name_of_creature(turn, id);
    let talks = prototypes::creature_prototype(turn, id).is_some_and(|creature| creature.dialogue.is_some());
    let verbs: &[&str] = match (spared, talks) {
        (true, _) => &["look", "talk to"],
        (false, true) => &["talk to", "look", "consider", "kill"],
        (false, false) => &["kill", "consider", "look"],
    };
    verbs.iter().map(|verb| format!("{verb} {name}")).collect()
}

/// Returns the commands for another player in the room.
pub(super) fn for_player(name: &str) -> Vec<String> {
    ["look", "follow", "party invite"].iter().map(|verb| format!("{verb} {name}")).collect()
}
