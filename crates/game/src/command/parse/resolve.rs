//! Resolution of typed names to objects in reach: "rat", "2.rat", "clay lamp".

use crate::access::drafts;
use crate::branch::asleep;
use crate::command::parse::words::without_article;
use crate::item::{lid, trade};
use crate::message::naming::{self, means};
use crate::refusal::{Refusal, refuse};
use crate::room::look;
use crate::turn::{Turn, prototypes};
use deepwell_core::base::{CharacterId, ItemId, RoomId, Seed};
use deepwell_core::dungeon::nouns::{ReadableRoom, look_at, words_of};
use deepwell_core::text::grammar;
use deepwell_core::world::Room;
use std::collections::BTreeSet;

/// Parses a name with an optional ordinal: "2.rat" is the second rat.
fn ordinal(typed: &str) -> (usize, String) {
    let typed = without_article(typed).to_lowercase();
    if let Some((number, name)) = typed.split_once('.')
        && let Ok(number @ 1..) = number.parse::<usize>()
    {
        return (number, name.to_owned());
    }
    (1, typed)
}

/// Returns `true` if the typed words mean an item by the noun at the end of its name, not only by a word before it: "ring" for
/// a brass ring, but not "brass".
pub(crate) fn means_noun(turn: &Turn, item: ItemId, phrase: &str) -> bool {
    let typed = ordinal(phrase).1;
    let ends = |name: &str| {
        let name = name.to_lowercase();
        let last = name.rsplit(' ').next().unwrap_or_default().to_owned();
        typed.split(' ').next_back().is_some_and(|word| last.starts_with(word)) && means(&typed, &name)
    };
    let label = naming::label_of(turn, item);
    let kind = prototypes::kind_of(turn, item);
    kind.into_iter().flat_map(|kind| [kind.name.as_str(), &kind.plural]).chain(label.as_deref()).any(ends)
}

/// Returns `true` if the typed words match the lever of a room.
pub(crate) fn means_lever(phrase: &str) -> bool {
    means(&ordinal(phrase).1, "stiff lever")
}

/// Returns `true` if the typed words match the portcullis raised by a lever.
pub(crate) fn means_portcullis(phrase: &str) -> bool {
    means(&ordinal(phrase).1, "portcullis")
}

/// Finds a character in the same room; the actor only by "me" or "self".
pub(crate) fn being_here(turn: &Turn, who: CharacterId, phrase: &str) -> Result<CharacterId, Refusal> {
    let (number, typed) = ordinal(phrase);
    if typed == "me" || typed == "self" {
        return Ok(who);
    }
    nth_being(turn, who, turn.workplace(who), number, &typed)
}

/// Finds another character in a room.
pub(crate) fn being_in(
    turn: &Turn,
    who: CharacterId,
    room: RoomId,
    phrase: &str,
) -> Result<CharacterId, Refusal> {
    let (number, typed) = ordinal(phrase);
    nth_being(turn, who, room, number, &typed)
}

fn nth_being(
    turn: &Turn,
    who: CharacterId,
    room: RoomId,
    number: usize,
    typed: &str,
) -> Result<CharacterId, Refusal> {
    let meant = |id: &&CharacterId| **id != who && goes_by(turn, **id, typed);
    let found = turn.world.occupants(room).iter().filter(meant).nth(number - 1);
    found.copied().ok_or_else(|| Refusal::NotHere(typed.to_owned()))
}

/// Returns `true` if the typed words match a character's name, or its plural as shown in rooms with several of a kind.
fn goes_by(turn: &Turn, being: CharacterId, typed: &str) -> bool {
    let body = &turn.world.characters[being];
    means(typed, &body.name)
        || match prototypes::unrenamed_prototype(turn, being) {
            Some(kind) => means(typed, &kind.plural),
            None => !body.is_player() && means(typed, &grammar::plural(&body.name, None)),
        }
}

/// Finds the detail of a room for a noun (`details` of the room).
pub(crate) fn detail_here<'a>(turn: &'a Turn, room: RoomId, phrase: &str) -> Option<&'a str> {
    let typed = ordinal(phrase).1;
    let meant = |nouns: &str| nouns.split(',').any(|noun| means(&typed, noun.trim()));
    let details = &turn.world.rooms[room].sheet.details;
    named_detail(turn, room, phrase)
        .or_else(|| details.iter().find(|(nouns, _)| meant(nouns)).map(|(_, text)| text.as_str()))
}

/// Finds the detail of a room that has a noun exactly as typed.
pub(crate) fn named_detail<'a>(turn: &'a Turn, room: RoomId, phrase: &str) -> Option<&'a str> {
    let typed = ordinal(phrase).1;
    let details = &turn.world.rooms[room].sheet.details;
    let exact = details.iter().find(|(nouns, _)| nouns.split(',').any(|noun| noun.trim() == typed));
    exact.map(|(_, text)| text.as_str())
}

/// Generates a description for a noun in a room's text that has no detail. Every noun gets an answer.
pub(crate) fn seen_in_text(turn: &Turn, room: RoomId, phrase: &str) -> Option<String> {
    let row = &turn.world.rooms[room];
    let text = look::text_of(turn, room);
    let theme = turn.catalog.themes.get(&row.area).filter(|_| row.branch.is_some());
    let branch = row.branch.and_then(|branch| turn.world.branches.get(branch));
    let sight = ReadableRoom {
        name: &row.sheet.name,
        text: &text,
        theme: theme.map(|theme| (theme, row.depth)),
        seed: branch.map_or(Seed(0), |branch| branch.seed).numbered(u64::from(room.0)),
    };
    look_at(sight, &ordinal(phrase).1)
}

/// Generates a description for a noun that appears only in the description of something here: a creature, an item on
/// the ground or carried, a detail, or another noun of the text. Player descriptions are excluded.
pub(crate) fn seen_closer(turn: &Turn, who: CharacterId, things: &[ItemId], phrase: &str) -> Option<String> {
    let room = turn.world.characters[who].room;
    let typed = ordinal(phrase).1;
    let beings = turn.world.occupants(room).iter().map(|id| &turn.world.characters[*id]);
    let beings = beings.filter(|body| !body.is_player()).map(|body| body.description.as_str());
    let things = turn.world.ground(room).iter().chain(things);
    let things = things.filter_map(|item| Some(prototypes::kind_of(turn, *item)?.description.as_str()));
    let details = turn.world.rooms[room].sheet.details.values().map(String::as_str);
    let near: Vec<&str> = beings.chain(things).chain(details).collect();
    let seed = Seed(u64::from(room.0));
    let in_it = |text: &str| look_at(ReadableRoom { name: "", text, theme: None, seed }, &typed);
    near.into_iter().find_map(in_it).or_else(|| {
        let readable = format!("{} {}", turn.world.rooms[room].sheet.name, look::text_of(turn, room));
        let nouns: BTreeSet<String> = words_of(&readable).into_iter().collect();
        nouns.iter().filter_map(|noun| seen_in_text(turn, room, noun)).find_map(|seen| in_it(&seen))
    })
}

/// Returns `true` if the typed words match an item's name, plural or label.
fn is_called(turn: &Turn, item: ItemId, typed: &str) -> bool {
    let label = naming::label_of(turn, item).map(|label| label.to_lowercase());
    let prototype = prototypes::kind_of(turn, item);
    let names = prototype.into_iter().flat_map(|prototype| [&prototype.name, &prototype.plural]);
    let is_label = |label: &str| means(typed, label) || means(typed, &grammar::plural(label, None));
    names.map(String::as_str).any(|name| means(typed, name)) || label.as_deref().is_some_and(is_label)
}

/// Finds an item in a list by words such as "lamp" or "2.lamp".
pub(crate) fn item_among(turn: &Turn, items: &[ItemId], phrase: &str) -> Option<ItemId> {
    let (number, typed) = ordinal(phrase);
    items.iter().copied().filter(|id| is_called(turn, *id, &typed)).nth(number - 1)
}

/// Returns all items in a list with a name; the whole list if the name is empty.
pub(crate) fn items_meant(turn: &Turn, items: &[ItemId], phrase: &str) -> Vec<ItemId> {
    let typed = phrase.to_lowercase();
    items.iter().copied().filter(|id| typed.is_empty() || is_called(turn, *id, &typed)).collect()
}

/// Finds an item on the ground.
pub(crate) fn item_here(turn: &Turn, room: RoomId, phrase: &str) -> Result<ItemId, Refusal> {
    item_among(turn, turn.world.ground(room), phrase).ok_or_else(|| Refusal::NotHere(phrase.to_owned()))
}

/// Finds a ware for sale in the room of a character.
pub(crate) fn ware_here<'t>(turn: &'t Turn, who: CharacterId, phrase: &str) -> Option<trade::PricedWare<'t>> {
    let typed = without_article(phrase).to_lowercase();
    let wares = trade::wares(turn, who).ok()?;
    wares.into_iter().find(|ware| means(&typed, &ware.item.name) || means(&typed, &ware.item.plural))
}

/// Finds a container with a lid, on the ground or carried.
pub(crate) fn lidded_in_reach(turn: &Turn, who: CharacterId, phrase: &str) -> Option<ItemId> {
    let on_ground = turn.world.ground(turn.world.characters[who].room).iter();
    let lidded = on_ground.chain(turn.world.carried(who)).copied();
    let lidded: Vec<ItemId> = lidded.filter(|item| lid::lidded_kind(turn, *item).is_some()).collect();
    item_among(turn, &lidded, phrase)
}

/// Finds a player character in any room, by its name or an unambiguous prefix. Connected players have priority. Refuses if
/// the character is absent, and has to be woken first.
pub(crate) fn player_named(turn: &Turn, name: &str) -> Result<CharacterId, Refusal> {
    if let Some(exact) = turn.world.character_by_name(name) {
        require_present(turn, exact)?;
        return Ok(exact);
    }
    let mut playing = turn.world.awake_players_named_like(name).filter(|id| turn.seated.contains_key(id));
    match (name.is_empty(), playing.next(), playing.next()) {
        (false, Some(one), None) => Ok(one),
        (false, Some(_), Some(_)) => Err(refuse!("More than one climber's name begins with \"{name}\".")),
        _ => Err(no_such_player(name)),
    }
}

/// Finds a player character as [`player_named`] does, absent or not.
pub(crate) fn player_anywhere(turn: &Turn, name: &str) -> Result<CharacterId, Refusal> {
    turn.world.character_by_name(name).map_or_else(|| player_named(turn, name), Ok)
}

/// Refuses if a player's character is absent.
pub(crate) fn require_present(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    turn.world.account_of(who).map_or(Ok(()), |account| asleep::require_awake(turn, account))
}

/// Finds a room for a builder: the current room as `here`, or by number, `ZONE/KEY`, name or alias. If several match, rooms
/// of the builder's current draft have priority, then rooms in no draft, and then the newest.
pub(crate) fn room_named(turn: &Turn, who: CharacterId, phrase: &str) -> Result<RoomId, Refusal> {
    if phrase.trim().eq_ignore_ascii_case("here") {
        return Ok(turn.workplace(who));
    }
    let typed = phrase.trim().trim_start_matches('#').to_lowercase();
    let bare = without_article(&typed);
    if let Some((zone, key)) = typed.split_once('/')
        && let Some(room) = turn.world.rooms.of_key(zone, key)
    {
        return Ok(room);
    }
    if let Ok(number) = typed.parse::<u32>()
        && turn.world.rooms.get(RoomId(number)).is_some()
        && !turn.world.is_in_expired_branch(RoomId(number))
    {
        return Ok(RoomId(number));
    }
    let here = turn.workplace(who);
    let is_far = |id: RoomId| match drafts::draft_around(turn, id) {
        Some(_) => turn.world.rooms[id].area != turn.world.rooms[here].area,
        None => drafts::draft_around(turn, here).is_some(),
    };
    let is_called = |name: &String, typed: &str| {
        if name.is_ascii() { name.eq_ignore_ascii_case(typed) } else { name.to_lowercase() == typed }
    };
    // A name before an alias, and the typed words before those without an article, which may be part of the name.
    let rank = |room: &Room| {
        let called = |typed: &str| {
            let is_alias = || room.sheet.aliases.iter().any(|alias| is_called(alias, typed));
            if is_called(&room.sheet.name, typed) { Some(0) } else { is_alias().then_some(1) }
        };
        called(&typed).or_else(|| called(bare).map(|rank| rank + 2))
    };
    let ranked = turn.world.rooms.iter().rev().filter_map(|(id, room)| Some((id, rank(room)?)));
    let standing = ranked.filter(|(id, _)| !turn.world.is_in_expired_branch(*id));
    let mut best: Option<((u8, bool), RoomId)> = None;
    for (id, rank) in standing {
        let place = (rank, is_far(id));
        if best.is_none_or(|(other, _)| place < other) {
            best = Some((place, id));
        }
        if place == (0, false) {
            break;
        }
    }
    let name = without_article(phrase);
    best.map(|(_, id)| id).ok_or_else(|| refuse!("There is no room called \"{name}\"."))
}

/// Returns the refusal of a name that no player has.
pub(crate) fn no_such_player(name: &str) -> Refusal {
    refuse!("Nobody is called \"{name}\".")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_and_articles() {
        assert_eq!(ordinal("2.rat"), (2, "rat".into()));
        assert_eq!(ordinal("The Clay Lamp"), (1, "clay lamp".into()));
        assert_eq!(ordinal("the 2.rat"), (2, "rat".into()));
        assert_eq!(ordinal("0.rat"), (1, "0.rat".into()));
    }

    #[test]
    fn names_match_by_word_or_prefix() {
        assert!(means("lam", "clay lamp") && means("clay l", "clay lamp") && means("clay", "clay lamp"));
        assert!(!means("", "clay lamp") && !means("ay", "clay lamp"));
        assert!(means("lamp oil", "flask of lamp oil") && means("of lamp", "flask of lamp oil"));
        assert!(!means("flask oil", "flask of lamp oil"));
    }
}
