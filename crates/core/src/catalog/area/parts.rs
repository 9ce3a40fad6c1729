//! Zone files in parts, each a number of rooms, so that a large file is parsed in several steps.

use crate::catalog::Area;
use crate::data::{CatalogError, Reader};
use std::ops::Range;

/// Beginning of a room, which is where a file is divided.
const ROOM: &str = "\n[[rooms]]\n";

/// Returns the end of the part of a file that begins at a byte: before the first room after `bytes` more, or that of the
/// file. What comes before the first room belongs to it.
pub fn end_of_part(text: &str, begin: usize, bytes: usize) -> usize {
    let mut from = begin.saturating_add(bytes).min(text.len());
    if begin == 0 {
        from = from.max(text.find(ROOM).map_or(text.len(), |head| head + ROOM.len()));
    }
    while !text.is_char_boundary(from) {
        from += 1;
    }
    text[from..].find(ROOM).map_or(text.len(), |at| from + at + 1)
}

impl Area {
    /// Reads a part of a file, below a number of lines. `None` if it is no valid TOML; as multi-line texts may contain
    /// what looks like a room, the file is then to be read as a whole.
    pub fn parse_part(
        path: &str,
        text: &str,
        part: Range<usize>,
        above: u32,
        mistakes: &mut Vec<CatalogError>,
    ) -> Option<Self> {
        Reader::whole_below((path, text.get(part)?), above, mistakes, Self::read)
    }

    /// Adds the rooms and variables of the next part of the file.
    pub fn extend(&mut self, part: Self) {
        self.start = self.start.take().or(part.start);
        self.variables.extend(part.variables);
        self.rooms.extend(part.rooms);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::Catalog;
    use crate::catalog::area::zone_file;
    use proptest::prelude::*;

    /// Reads a text in parts, and as a whole if a part is no valid TOML.
    fn in_parts(text: &str, bytes: usize) -> (Option<Area>, Vec<CatalogError>, usize) {
        let (mut area, mut mistakes): (Option<Area>, _) = (None, Vec::new());
        let (mut begin, mut above, mut parts) = (0, 0, 0);
        while begin < text.len() || parts == 0 {
            let end = end_of_part(text, begin, bytes);
            let Some(part) = Area::parse_part("zones/mill.toml", text, begin..end, above, &mut mistakes)
            else {
                mistakes.clear();
                return (Area::parse("zones/mill.toml", text, &mut mistakes), mistakes, 1);
            };
            match &mut area {
                Some(area) => area.extend(part),
                None => area = Some(part),
            }
            above += u32::try_from(text[begin..end].matches('\n').count()).unwrap_or(u32::MAX);
            (begin, parts) = (end, parts + 1);
        }
        (area, mistakes, parts)
    }

    /// The shipped areas, with mistakes and multi-line texts.
    fn texts() -> Vec<String> {
        let shipped: Vec<String> = Catalog::builtin().areas.values().map(zone_file::write).collect();
        let more = shipped.iter().map(|text| {
            text.replacen("\nname = ", "\nnaem = ", 40)
                .replace("\n[[rooms.exits]]\n", "\n[[variables]]\nname = 1\n[[rooms.exits]]\n")
        });
        let more: Vec<String> = more.collect();
        let odd = "[[rooms]]\nkey = \"a\"\ndescription = \"\"\"\n[[rooms]]\nkey = 1\n\"\"\"\n[[rooms]]\nkey = \"b\"\n";
        let broken = "[[rooms]]\nkey = \"a\"\n\n[[rooms]]\nkey = = 1\n\n[[rooms]]\nkey = \"b\"\n";
        shipped.into_iter().chain(more).chain([odd, broken, "", "rooms = []\n"].map(str::to_owned)).collect()
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(40))]

        /// A file gives the same rooms, mistakes and places in parts of any size as in one.
        #[test]
        fn file_in_parts_is_the_same_as_whole(at in any::<prop::sample::Index>(), bytes in 0_usize..5_000) {
            let texts = texts();
            let text = &texts[at.index(texts.len())];
            let mut mistakes = Vec::new();
            let whole = Area::parse("zones/mill.toml", text, &mut mistakes);
            let (area, mut found, parts) = in_parts(text, bytes);
            mistakes.sort();
            found.sort();
            prop_assert_eq!(&area, &whole);
            prop_assert_eq!(found, mistakes);
            prop_assert!(parts > 1 || text.len() < 400 || bytes > 0);
        }
    }
}
