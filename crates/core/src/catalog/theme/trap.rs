//! Traps: their signs, and their effects on characters who spring them.

use crate::catalog::Script;
use crate::data::{Position, Reader, definition};

/// Path of the file.
pub(in crate::catalog) const FILE: &str = "traps.toml";

definition! {
    /// A trap, a table of `content/traps.toml`.
    #[derive(Clone, Debug, PartialEq, Eq)]
    pub struct Trap {
        /// Stable key in storage.
        pub key: String = text(),
        /// Sentence that reveals it in the room before it; `{exit}` is the exit.
        pub sign: String = text(),
        /// Nouns of the sign for a closer look and for commands.
        pub nouns: Vec<String> = texts(1),
        /// Text for a closer look.
        pub detail: String = text(),
        /// Message to a player who jumps it.
        pub jumped: String = text(),
        /// Message to a player who disarms it.
        pub disarmed: String = text(),
        /// Script that runs on a character who springs it.
        pub script: Script => |table| Script::read(table, "script"),
        /// Place of the definition.
        pub place: Position => |table| table.place(),
    }
}

impl Trap {
    /// Returns the sign for an exit.
    pub fn sign_at(&self, exit: &str) -> String {
        self.sign.replace("{exit}", exit)
    }
}

definition! {
    struct TrapFile {
        traps: Vec<Trap> = tables(read_one),
    }
}

/// Reads a trap; a script that can kill is an error.
fn read_one(table: &mut Reader<'_>) -> Trap {
    let trap = Trap::read(table);
    if trap.script.kills() {
        table.record_mistake("script", "harms", "`bruise`, which leaves the last hit point");
    }
    trap
}

/// Reads the file.
pub(in crate::catalog) fn read(
    text: &str,
    mistakes: &mut Vec<crate::data::CatalogError>,
) -> Option<Vec<Trap>> {
    Reader::whole(FILE, text, mistakes, TrapFile::read).map(|file| file.traps)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// E40: a trap that could kill is reported with its place.
    #[test]
    fn e40_lethal_trap_is_rejected() {
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
