//! What clients are told as data (GMCP), one file a package: what changed is noted while a step is played, and only
//! differences are told, most of them at its end. The bodies are in `data`. No rule knows any of it.

pub(crate) mod affects;
mod channel;
mod character;
mod items;
pub(crate) mod media;
mod package;
pub(crate) mod party;
pub(crate) mod prompts;
pub(crate) mod room;
pub(crate) mod subscriptions;
pub(crate) mod surroundings;

use crate::game::data::{Package, Packages};
use package::Row;

/// Every package that a client may name, in the order in which a client is told of them.
const PACKAGES: &[Row] = &[
    character::PACKAGE,
    room::PACKAGE,
    channel::PACKAGE,
    party::PACKAGE,
    items::PACKAGE,
    affects::AFFLICTIONS,
    affects::DEFENCES,
    media::PACKAGE,
];

/// The package of a name, in any case.
pub fn package_named(name: &str) -> Option<Package> {
    PACKAGES.iter().find(|row| row.name.eq_ignore_ascii_case(name)).map(|row| row.package)
}

/// What a client gets that names nothing.
pub fn packages_by_default() -> Packages {
    PACKAGES.iter().filter(|row| row.by_default).map(|row| row.package).collect()
}

/// The packages of a client.
fn rows(wanted: &Packages) -> impl Iterator<Item = &'static Row> {
    PACKAGES.iter().filter(|row| wanted.contains(&row.package))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_package_has_one_row_and_stands_on_the_page_of_packages() {
        let page = include_str!("../../../docs/gmcp.md");
        for row in PACKAGES {
            assert_eq!(package_named(&row.name.to_uppercase()), Some(row.package));
            assert!(page.contains(&format!("\n| `{}` |", row.name)), "{}", row.name);
        }
        assert_eq!(PACKAGES.iter().map(|row| row.package).collect::<Packages>().len(), PACKAGES.len());
    }
}
