//! `Room.Wares`: the goods for sale in a character's room, with the commands that buy them.

use super::package::PackageSpec;
use crate::effect::data::{Data, Package, WareOffer};
use crate::item::trade;
use crate::message::naming;
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::coins::money_words;

pub(super) const PACKAGE: PackageSpec = PackageSpec::new(Package::Wares).at_prompt(&[wares]);

/// Lists the goods for sale; empty where nothing is sold.
fn wares(turn: &Turn, who: CharacterId) -> Data {
    let for_sale = trade::wares(turn, who).unwrap_or_default();
    let offers = for_sale.into_iter().map(|trade::PricedWare { item, price, count }| {
        let name = match count {
            Some(count) if count > 0 => naming::item_words(turn, &item.key, count as usize),
            _ => item.with_article.clone(),
        };
        WareOffer { name, price, cost: money_words(price), count, command: format!("buy {}", item.name) }
    });
    Data::Wares(offers.collect())
}
