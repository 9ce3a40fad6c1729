//! Item selections with counts: "lamp", "2.lamp", "3 potions", "all", "all.potion".

use crate::character::stats;
use crate::command::parse::resolve;
use crate::command::parse::words::without_article;
use crate::message::naming;
use crate::refusal::{Refusal, refuse};
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, amount};
use deepwell_core::catalog::ItemClass;
use deepwell_core::text::grammar;

/// Item selection as typed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Wish<'a> {
    /// All items of a name, or all items if the name is empty.
    All(&'a str),
    /// A number of items of a name.
    Some(u32, &'a str),
    /// One item; for coins the whole pile.
    One(&'a str),
}

impl<'a> Wish<'a> {
    /// Parses a selection.
    pub(crate) fn parse(typed: &'a str) -> Result<Self, Refusal> {
        let typed = without_article(typed);
        if let Some(kind) = all_of(typed) {
            return Ok(Self::All(without_article(kind)));
        }
        let (first, rest) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
        if !amount::is_meant(first) {
            return Ok(Self::One(typed));
        }
        let count = amount::parse(first)?;
        match rest.trim() {
            "" => Err(refuse!("{count} of what?")),
            name => Ok(Self::Some(count, without_article(name))),
        }
    }

    /// Returns the name in the selection.
    pub(crate) const fn name(self) -> &'a str {
        match self {
            Self::All(name) | Self::Some(_, name) | Self::One(name) => name,
        }
    }
}

/// Returns the name in "all", "all.lamp" or "all lamps"; empty for everything.
fn all_of(typed: &str) -> Option<&str> {
    if typed.eq_ignore_ascii_case("everything") {
        return Some("");
    }
    let rest = typed.get(..3).filter(|all| all.eq_ignore_ascii_case("all")).map(|_| &typed[3..])?;
    match rest.chars().next() {
        None => Some(""),
        Some('.') => Some(&rest[1..]),
        Some(c) if c.is_whitespace() => Some(rest.trim()),
        Some(_) => None,
    }
}

/// Selects items with their counts from a list; empty if none matches.
pub(crate) fn picked(turn: &Turn, among: &[ItemId], wish: Wish<'_>) -> Result<Vec<(ItemId, u32)>, Refusal> {
    let count = |item: ItemId| turn.world.items[item].count;
    match wish {
        Wish::All(kind) => {
            Ok(resolve::items_meant(turn, among, kind).into_iter().map(|item| (item, count(item))).collect())
        }
        Wish::One(name) => {
            let whole = |item: ItemId| prototypes::class_of(turn, item) == ItemClass::Coin;
            let found = resolve::item_among(turn, among, name);
            Ok(found.map(|item| (item, if whole(item) { count(item) } else { 1 })).into_iter().collect())
        }
        Wish::Some(wanted, name) => {
            let mut left = wanted;
            let mut picked = Vec::new();
            for item in resolve::items_meant(turn, among, name) {
                let part = count(item).min(left);
                left -= part;
                if part > 0 {
                    picked.push((item, part));
                }
            }
            if left > 0 && !picked.is_empty() {
                return Err(refuse!(
                    "There {} only {} of that.",
                    if wanted - left == 1 { "is" } else { "are" },
                    grammar::number(wanted - left)
                ));
            }
            Ok(picked)
        }
    }
}

/// Returns the carried items of a character: those not worn, then those worn.
pub(crate) fn pack_of(turn: &Turn, who: CharacterId) -> Vec<ItemId> {
    let mut pack = loose_of(turn, who);
    pack.extend(stats::worn_by(turn, who).into_iter().map(|(_, item)| item));
    pack
}

/// Returns the items that a character carries but does not wear.
pub(crate) fn loose_of(turn: &Turn, who: CharacterId) -> Vec<ItemId> {
    let loose = |item: &ItemId| turn.world.items[*item].worn.is_none();
    turn.world.carried(who).iter().copied().filter(loose).collect()
}

/// Selects items that a character carries; "all" excludes worn items.
pub(crate) fn picked_from_pack(
    turn: &Turn,
    who: CharacterId,
    wish: Wish<'_>,
) -> Result<Vec<(ItemId, u32)>, Refusal> {
    let among = if matches!(wish, Wish::All(_)) { loose_of(turn, who) } else { pack_of(turn, who) };
    let picked = picked(turn, &among, wish)?;
    if !picked.is_empty() {
        return Ok(picked);
    }
    Err(match wish {
        Wish::All(kind) => carries_none(kind),
        _ => Refusal::NotCarried(wish.name().to_owned()),
    })
}

/// Finds a container on the ground or carried.
pub(crate) fn container_here(turn: &Turn, who: CharacterId, typed: &str) -> Result<ItemId, Refusal> {
    let mut reach = turn.world.ground(turn.world.characters[who].room).to_vec();
    reach.extend(turn.world.carried(who));
    let holds =
        |item: &ItemId| matches!(prototypes::class_of(turn, *item), ItemClass::Container | ItemClass::Corpse);
    let containers: Vec<ItemId> = reach.iter().copied().filter(holds).collect();
    if let Some(found) = resolve::item_among(turn, &containers, typed) {
        return Ok(found);
    }
    match resolve::item_among(turn, &reach, typed) {
        Some(other) => {
            let name = naming::the_item(turn, other);
            Err(refuse!("{} holds nothing.", grammar::capitalise(&name)))
        }
        None => Err(Refusal::NotHere(typed.to_owned())),
    }
}

/// Returns " like that" for a named kind of item, or an empty string.
pub(crate) const fn like(kind: &str) -> &'static str {
    if kind.is_empty() { "" } else { " like that" }
}

/// Returns the refusal for a kind of which the character carries no item.
pub(crate) fn carries_none(kind: &str) -> Refusal {
    refuse!("You carry nothing{}.", like(kind))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn item_selections_are_parsed() {
        assert_eq!(Wish::parse("ALL"), Ok(Wish::All("")));
        assert_eq!(Wish::parse("all.potion"), Ok(Wish::All("potion")));
        assert_eq!(Wish::parse("all potions"), Ok(Wish::All("potions")));
        assert_eq!(Wish::parse("alloy bar"), Ok(Wish::One("alloy bar")));
        assert_eq!(Wish::parse("3 potions"), Ok(Wish::Some(3, "potions")));
        assert_eq!(Wish::parse("2.potion"), Ok(Wish::One("2.potion")));
        assert_eq!(Wish::parse("clay lamp"), Ok(Wish::One("clay lamp")));
        assert_eq!(Wish::parse("the clay lamp"), Ok(Wish::One("clay lamp")));
        assert_eq!(Wish::parse("all the potions"), Ok(Wish::All("potions")));
        assert_eq!(Wish::parse("the 3 potions"), Ok(Wish::Some(3, "potions")));
        for odd in ["0 potions", "-1 potion", "99999999999 potions", "3x potions", "٣ potions", "5"] {
            assert!(Wish::parse(odd).is_err(), "{odd}");
        }
    }
}
