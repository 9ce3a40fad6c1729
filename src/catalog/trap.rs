//! Traps: what betrays one, and what becomes of whoever does not see it.

use super::Script;
use crate::data::{Position, Reader, definition};

/// The file they are in.
pub(super) const FILE: &str = "traps.toml";

definition! {
    /// A trap, a table of `content/traps.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Trap {
        /// Stable name in storage.
        pub key: String = text(),
        /// What betrays it, in the room before it; `{exit}` is the way.
        pub sign: String = text(),
        /// Words of the sign that answer a closer look, and by which one names it.
        pub nouns: Vec<String> = texts(1),
        /// What a closer look shows.
        pub detail: String = text(),
        /// What whoever jumps it reads.
        pub jumped: String = text(),
        /// What whoever disarms it reads.
        pub disarmed: String = text(),
        /// What happens to whoever springs it.
        pub script: Script => |table| Script::read(table, "script"),
        /// Where it is defined.
        pub place: Position => |table| table.place(),
    }
}

impl Trap {
    /// What betrays it beside an exit.
    pub fn sign_at(&self, exit: &str) -> String {
        self.sign.replace("{exit}", exit)
    }
}

definition! {
    struct TrapFile {
        traps: Vec<Trap> = tables(read_one),
    }
}

/// Reads one; a trap that kills is a mistake.
fn read_one(table: &mut Reader<'_>) -> Trap {
    let trap = Trap::read(table);
    if trap.script.kills() {
        table.wrong("script", "harms", "`bruise`, which leaves the last hit point");
    }
    trap
}

/// Reads the file.
pub(super) fn read(text: &str, mistakes: &mut Vec<crate::data::CatalogError>) -> Option<Vec<Trap>> {
    Reader::whole(FILE, text, mistakes, TrapFile::read).map(|file| file.traps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E40: a trap that could kill is a mistake with its place.
    #[test]
    fn e40_no_trap_kills() {
        let text = |deed: &str| {
            format!(
                "[[traps]]\nkey = \"a\"\nsign = \"b {{exit}}\"\nnouns = [\"b\"]\ndetail = \"c\"\njumped = \"d\"\n\
                 disarmed = \"e\"\nscript = [\"{deed}\"]\n"
            )
        };
        let mut mistakes = Vec::new();
        let traps = read(&text("bruise 3"), &mut mistakes).unwrap();
        assert_eq!((traps[0].sign_at("north").as_str(), mistakes.len()), ("b north", 0));
        read(&text("harm 3"), &mut mistakes);
        assert_eq!(mistakes.len(), 1);
        assert!(mistakes[0].to_string().starts_with("traps.toml:"), "{}", mistakes[0]);
    }
}
