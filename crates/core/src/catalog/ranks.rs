//! Ranks and their permissions. Each rank includes the permissions of the lower ones; the owner has all.

use crate::base::{Right, Rights};
use crate::data::{CatalogError, Reader};
use std::collections::BTreeMap;

/// Path of the file.
pub(super) const FILE: &str = "ranks.toml";

/// Ranks that the file defines, lowest first.
const RANKS: [&str; 3] = ["helper", "builder", "admin"];

/// Permissions of the ranks by name.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct RankPermissions(BTreeMap<&'static str, Rights>);

impl RankPermissions {
    /// Returns the ranks of the built-in content.
    pub fn builtin() -> Self {
        let file = super::BUILTIN.iter().find(|(path, _)| *path == FILE);
        file.map(|(_, text)| read(text, &mut Vec::new())).unwrap_or_default()
    }

    /// Returns the permissions of a rank; none for an unknown rank.
    pub fn of(&self, rank: &str) -> Rights {
        if rank == "owner" { Rights::ALL } else { self.0.get(rank).copied().unwrap_or_default() }
    }
}

/// Reads the file.
pub(super) fn read(text: &str, mistakes: &mut Vec<CatalogError>) -> RankPermissions {
    let Some(mut file) = Reader::parse(FILE, text, mistakes) else { return RankPermissions::default() };
    let mut own: BTreeMap<&'static str, Rights> = BTreeMap::new();
    file.tables("ranks", |table| {
        let place = table.place();
        let names: Vec<(&str, &'static str)> = RANKS.iter().map(|name| (*name, *name)).collect();
        let rank = table.choice("rank", &names);
        let mut rights = Rights::NONE;
        for (place, word) in table.placed_texts("rights", 0) {
            let known = || Right::ALL.into_iter().filter(|right| *right != Right::Grant);
            match known().find(|right| right.name() == word) {
                Some(right) => rights = rights.with(right),
                None => {
                    table.note(CatalogError::unknown_name(&place, "right", &word, known().map(Right::name)));
                }
            }
        }
        if let Some(rank) = rank
            && own.insert(rank, rights).is_some()
        {
            table.note(CatalogError::new(
                &place,
                format!("the rank `{rank}` stands twice"),
                "each rank once",
            ));
        }
    });
    file.finish();
    let mut so_far = Rights::NONE;
    let ranks = RANKS.into_iter().map(|rank| {
        so_far = so_far.and(own.get(rank).copied().unwrap_or_default());
        (rank, so_far)
    });
    RankPermissions(ranks.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let mut mistakes = Vec::new();
        read(text, &mut mistakes);
        mistakes.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn each_rank_includes_lower_ranks() {
        let mut mistakes = Vec::new();
        let text = "[[ranks]]\nrank = \"helper\"\nrights = [\"reports\"]\n[[ranks]]\nrank = \"admin\"\nrights = [\"bans\"]\n";
        let ranks = read(text, &mut mistakes);
        assert_eq!(mistakes, []);
        let reports = Rights::NONE.with(Right::Reports);
        assert_eq!(
            [ranks.of("player"), ranks.of("helper"), ranks.of("builder")],
            [Rights::NONE, reports, reports]
        );
        assert_eq!((ranks.of("admin"), ranks.of("owner")), (reports.with(Right::Bans), Rights::ALL));
    }

    #[test]
    fn errors_have_a_place_and_a_suggestion() {
        let text = "[[ranks]]\nrank = \"buidler\"\nrights = [\"dgi\", \"grant\"]\n";
        let mistakes = told(text);
        assert!(
            mistakes.iter().any(|line| line.contains("ranks.toml:2:8") && line.contains("builder")),
            "{mistakes:?}"
        );
        assert!(
            mistakes.iter().any(|line| line.contains("ranks.toml:3:11") && line.contains("dig")),
            "{mistakes:?}"
        );
        assert!(mistakes.iter().any(|line| line.contains("grant")), "the owner's alone: {mistakes:?}");
    }
}
