//! Words to things in reach: "rat", "2.rat", "clay lamp".

use crate::base::{CharacterId, ItemId, RoomId, Seed};
use crate::dungeon::nouns::{Sight, look_at};
use crate::game::Game;
use crate::game::command::Refusal;

/// A name with an optional ordinal: "2.rat" is the second rat.
fn ordinal(words: &str) -> (usize, String) {
    let words = words.trim().to_lowercase();
    if let Some((number, name)) = words.split_once('.')
        && let Ok(number @ 1..) = number.parse::<usize>()
    {
        return (number, name.to_owned());
    }
    let bare = ["the ", "a ", "an "].iter().find_map(|article| words.strip_prefix(article)).unwrap_or(&words);
    (1, bare.to_owned())
}

/// Whether typed words mean a thing of this name: its beginning, or the beginning of one of its words.
pub(super) fn means(typed: &str, name: &str) -> bool {
    let name = name.to_lowercase();
    !typed.is_empty() && (name.starts_with(typed) || name.split(' ').any(|part| part.starts_with(typed)))
}

/// Whether typed words mean the lever of a room.
pub(super) fn means_lever(words: &str) -> bool {
    means(&ordinal(words).1, "stiff lever")
}

/// Whether typed words mean the portcullis that a lever raises.
pub(super) fn means_portcullis(words: &str) -> bool {
    means(&ordinal(words).1, "portcullis")
}

impl Game {
    /// A being in the same room, not oneself unless "me" or "self" is typed.
    pub(super) fn being_here(&self, who: CharacterId, words: &str) -> Result<CharacterId, Refusal> {
        let (number, typed) = ordinal(words);
        if typed == "me" || typed == "self" {
            return Ok(who);
        }
        let room = self.world.characters[who].room;
        let meant = |id: &&CharacterId| **id != who && self.goes_by(**id, &typed);
        let found = self.world.occupants(room).iter().filter(meant).nth(number - 1);
        found.copied().ok_or_else(|| Refusal::NotHere(typed.clone()))
    }

    /// Whether typed words mean a being, by its name or, as a room names several of a kind, by its plural.
    fn goes_by(&self, being: CharacterId, typed: &str) -> bool {
        means(typed, &self.world.characters[being].name)
            || self.kind_it_is_called(being).is_some_and(|kind| means(typed, &kind.plural))
    }

    /// What a noun of a room's text means: the detail under it (`details` of the room).
    pub(super) fn detail_here(&self, room: RoomId, words: &str) -> Option<&str> {
        let typed = ordinal(words).1;
        let meant = |nouns: &str| nouns.split(',').any(|noun| means(&typed, noun.trim()));
        let details = &self.world.rooms[room].details;
        let exact = details.iter().find(|(nouns, _)| nouns.split(',').any(|noun| noun.trim() == typed));
        exact.or_else(|| details.iter().find(|(nouns, _)| meant(nouns))).map(|(_, text)| text.as_str())
    }

    /// What a word of a room's text means where it has no detail of its own: every noun answers.
    pub(super) fn seen_in_text(&self, room: RoomId, words: &str) -> Option<String> {
        let row = &self.world.rooms[room];
        let text = self.text_of(room);
        let theme = self.catalog.themes.get(&row.area).filter(|_| row.branch.is_some());
        let branch = row.branch.and_then(|branch| self.world.branches.get(branch));
        let sight = Sight {
            name: &row.name,
            text: &text,
            theme: theme.map(|theme| (theme, row.depth)),
            seed: branch.map_or(Seed(0), |branch| branch.seed).numbered(u64::from(room.0)),
        };
        look_at(sight, &ordinal(words).1)
    }

    /// Whether typed words mean a thing, by its name, its plural, or what it is called instead.
    fn is_called(&self, item: ItemId, typed: &str) -> bool {
        let label = self.world.items[item].label.as_deref();
        let prototype = self.kind_of(item);
        let names = prototype.into_iter().flat_map(|prototype| [&prototype.name, &prototype.plural]);
        names.map(String::as_str).chain(label).any(|name| means(typed, name))
    }

    /// The thing among these that words such as "lamp" or "2.lamp" mean.
    pub(super) fn item_among(&self, items: &[ItemId], words: &str) -> Option<ItemId> {
        let (number, typed) = ordinal(words);
        items.iter().copied().filter(|id| self.is_called(*id, &typed)).nth(number - 1)
    }

    /// All things of a name among these; all of them if no name is typed.
    pub(super) fn items_meant(&self, items: &[ItemId], words: &str) -> Vec<ItemId> {
        let typed = words.to_lowercase();
        items.iter().copied().filter(|id| typed.is_empty() || self.is_called(*id, &typed)).collect()
    }

    /// A thing on the floor.
    pub(super) fn item_here(&self, room: RoomId, words: &str) -> Result<ItemId, Refusal> {
        self.item_among(self.world.floor(room), words).ok_or_else(|| Refusal::NotHere(words.to_owned()))
    }

    /// A player's character anywhere, by its name or an unmistakable beginning of it; who plays comes first.
    pub(super) fn player_named(&self, words: &str) -> Result<CharacterId, Refusal> {
        if let Some(exact) = self.world.character_by_name(words) {
            return Ok(exact);
        }
        let mut playing =
            self.world.awake_players_named_like(words).filter(|id| self.seated.contains_key(id));
        match (words.is_empty(), playing.next(), playing.next()) {
            (false, Some(one), None) => Ok(one),
            (false, Some(_), Some(_)) => {
                Err(Refusal::Because(format!("More than one climber's name begins with \"{words}\".")))
            }
            _ => Err(Refusal::Because(format!("Nobody is called \"{words}\"."))),
        }
    }

    /// A room for builders: by number, by name, or by an alias; among several the newest.
    pub(super) fn room_named(&self, words: &str) -> Result<RoomId, Refusal> {
        let typed = words.trim().trim_start_matches('#').to_lowercase();
        if let Ok(number) = typed.parse::<u32>()
            && self.world.rooms.get(RoomId(number)).is_some()
            && !self.world.is_rubble(RoomId(number))
        {
            return Ok(RoomId(number));
        }
        let named = |name: &String| name.to_lowercase() == typed;
        let newest_first = || self.world.rooms.iter().rev().filter(|(id, _)| !self.world.is_rubble(*id));
        let by_name = newest_first().find(|(_, room)| named(&room.name));
        let found = by_name.or_else(|| newest_first().find(|(_, room)| room.aliases.iter().any(named)));
        found
            .map(|(id, _)| id)
            .ok_or_else(|| Refusal::Because(format!("There is no room called \"{words}\".")))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ordinals_and_articles() {
        assert_eq!(ordinal("2.rat"), (2, "rat".into()));
        assert_eq!(ordinal("The Clay Lamp"), (1, "clay lamp".into()));
        assert_eq!(ordinal("0.rat"), (1, "0.rat".into()));
    }

    #[test]
    fn a_word_or_its_beginning_is_enough() {
        assert!(means("lam", "clay lamp") && means("clay l", "clay lamp") && means("clay", "clay lamp"));
        assert!(!means("", "clay lamp") && !means("ay", "clay lamp"));
    }
}
