//! Names of players, creatures and items in a sentence, single or in groups.

use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId};
use deepwell_core::text::{Markup, grammar};
use std::borrow::Cow;

/// Returns the name of an item that differs from that of its kind, without article: "corpse of a goblin", "cairn of Bera".
pub(crate) fn label_of(turn: &Turn, item: ItemId) -> Option<Cow<'_, str>> {
    let row = &turn.world.items[item];
    let mark = prototypes::kind_of(turn, item).filter(|kind| kind.marks_falls);
    let fallen = row.owner.and_then(|who| turn.world.name_of(who));
    match (mark, fallen) {
        (Some(kind), Some(name)) => Some(Cow::Owned(format!("{} of {name}", kind.name))),
        _ => row.label.as_deref().map(Cow::Borrowed),
    }
}

/// Returns the name of an item for a count: "a clay lamp", "three clay lamps", "a corpse of a goblin".
pub(crate) fn stack_words(turn: &Turn, item: ItemId, count: u32) -> String {
    let row = &turn.world.items[item];
    if row.burns_until.is_some()
        && let Some(kind) = prototypes::kind_of(turn, item)
    {
        let (one, many) = (format!("burning {}", kind.name), format!("burning {}", kind.plural));
        return grammar::counted_as(count as usize, &one, Some(&many));
    }
    match label_of(turn, item) {
        Some(label) if count == 1 => grammar::with_article(&label, None),
        Some(label) => grammar::counted(count, &label),
        None => item_words(turn, &row.prototype, count as usize),
    }
}

/// Returns the definite name of an item: "the clay lamp", "the corpse of a goblin".
pub(crate) fn the_item(turn: &Turn, item: ItemId) -> String {
    if let Some(label) = label_of(turn, item) {
        return format!("the {label}");
    }
    prototypes::kind_of(turn, item)
        .map_or_else(|| "the thing".to_owned(), |kind| grammar::definite(&kind.name, &kind.with_article))
}

/// Returns the name of a character as others see it, at the beginning of a sentence.
pub(crate) fn name_of(turn: &Turn, who: CharacterId) -> Markup {
    use deepwell_core::text::{Style, grammar};
    let body = &turn.world.characters[who];
    if body.is_player() {
        Markup::styled(Style::Player, &body.name)
    } else {
        Markup::styled(Style::Creature, &grammar::capitalise(&the(turn, who)))
    }
}

/// Returns "the clay rat", or a player's name, for the middle of a sentence.
pub(crate) fn the(turn: &Turn, who: CharacterId) -> String {
    let body = &turn.world.characters[who];
    if body.is_player() {
        return body.name.clone();
    }
    grammar::definite(&body.name, &creature_with_article(turn, who))
}

/// Groups items by kind, in order of first occurrence, as "a clay lamp" or "three clay lamps". Returns each text with
/// its count.
pub(crate) fn grouped(turn: &Turn, items: &[ItemId]) -> Vec<(String, usize)> {
    let mut kinds: Vec<(ItemId, u32)> = Vec::new();
    for id in items {
        let item = &turn.world.items[*id];
        let alike = |other: &ItemId| {
            let label = label_of(turn, *other);
            let other = &turn.world.items[*other];
            (&other.prototype, label, other.burns_until.is_some())
                == (&item.prototype, label_of(turn, *id), item.burns_until.is_some())
        };
        match kinds.iter_mut().find(|(kind, _)| alike(kind)) {
            Some((_, count)) => *count = count.saturating_add(item.count),
            None => kinds.push((*id, item.count)),
        }
    }
    kinds.into_iter().map(|(id, count)| (stack_words(turn, id, count), count as usize)).collect()
}

/// Returns the name of an item kind for a count: "a clay lamp", "three clay lamps".
pub(crate) fn item_words(turn: &Turn, key: &str, count: usize) -> String {
    match turn.catalog.items.get(key) {
        Some(item) if count == 1 => item.with_article.clone(),
        Some(item) => grammar::counted_as(count, &item.name, Some(&item.plural)),
        None => "something that has lost its shape".into(),
    }
}

/// Groups creatures by name. Returns the first of each kind and the count.
pub(crate) fn alike(turn: &Turn, creatures: &[CharacterId]) -> Vec<(CharacterId, usize)> {
    let mut kinds: Vec<(CharacterId, usize)> = Vec::new();
    for id in creatures {
        let name = &turn.world.characters[*id].name;
        match kinds.iter_mut().find(|(first, _)| turn.world.characters[*first].name == *name) {
            Some((_, count)) => *count += 1,
            None => kinds.push((*id, 1)),
        }
    }
    kinds
}

/// Returns "two clay rats" for `count` creatures like this one.
pub(crate) fn several(turn: &Turn, one: CharacterId, count: usize) -> String {
    let body = &turn.world.characters[one];
    let plural = prototypes::unrenamed_prototype(turn, one).map(|creature| creature.plural.as_str());
    grammar::counted_as(count, &body.name, plural)
}

/// Returns the indefinite name of a creature: "a clay rat".
pub(crate) fn creature_with_article(turn: &Turn, creature: CharacterId) -> String {
    let body = &turn.world.characters[creature];
    let prototype = prototypes::unrenamed_prototype(turn, creature);
    prototype
        .map_or_else(|| grammar::with_article(&body.name, None), |creature| creature.with_article.clone())
}

/// Returns "a clay rat", or a player's name.
pub(crate) fn shown_name(turn: &Turn, who: CharacterId) -> String {
    let body = &turn.world.characters[who];
    if body.is_player() { body.name.clone() } else { creature_with_article(turn, who) }
}

/// Returns the name of an item with its count: "a clay lamp".
pub(crate) fn item(turn: &Turn, item: ItemId) -> String {
    turn.world.items.get(item).map_or_else(String::new, |row| stack_words(turn, item, row.count))
}

/// Returns `true` if the typed words are the beginning of a name, or of its rest from any word on: "lamp o"
/// for a flask of lamp oil.
pub(crate) fn means(typed: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    let begins = |at: usize| name[at..].starts_with(typed);
    !typed.is_empty() && (begins(0) || name.match_indices(' ').any(|(at, _)| begins(at + 1)))
}
