//! `Char.Macros`: the macros and highlights of the player.

use super::package::PackageSpec;
use crate::effect::data::{Data, MacroList, Package};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::world::Settings;
use deepwell_core::world::account::MACRO_KEYS;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Macros).at_prompt(&[list]);

fn list(turn: &Turn, who: CharacterId) -> Data {
    let account = turn.world.account_of(who).and_then(|account| turn.world.accounts.get(account));
    let settings = account.map(|account| &account.settings);
    let macros = settings.into_iter().flat_map(Settings::macros);
    Data::Macros(MacroList {
        keys: MACRO_KEYS,
        macros: macros.map(|(key, line)| (key, line.to_owned())).collect(),
        highlights: settings.into_iter().flat_map(|settings| &settings.highlights).cloned().collect(),
    })
}
