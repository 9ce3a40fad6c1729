//! Formatting of amounts of money.

use crate::text::grammar;

/// Coin names and their values in copper, greatest first. A test checks them against the content.
const NAMES: &[(&str, i64)] = &[("platinum", 1_000), ("gold", 100), ("silver", 10), ("copper", 1)];

/// Formats an amount in copper as "three gold, four silver and two copper".
pub(crate) fn money_words(copper: i64) -> String {
    let mut rest = copper.max(0);
    let mut parts = Vec::new();
    for (name, worth) in NAMES {
        let count = rest / worth;
        rest %= worth;
        if count > 0 {
            let number = u32::try_from(count).map_or_else(|_| count.to_string().into(), grammar::number);
            parts.push(format!("{number} {name}"));
        }
    }
    if parts.is_empty() { "no money".into() } else { grammar::list(&parts) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::{Catalog, ItemClass};

    #[test]
    fn money_uses_largest_coins_first() {
        assert_eq!(money_words(0), "no money");
        assert_eq!(money_words(1), "one copper");
        assert_eq!(money_words(3_254), "three platinum, two gold, five silver and four copper");
        assert_eq!(money_words(i64::MAX), "9223372036854775 platinum, eight gold and seven copper");
    }

    /// R5: copper, silver, gold and platinum coins are worth 0.01, 0.1, 1 and 10 gold, and they stack.
    #[test]
    fn r5_coin_values_match_content() {
        let catalog = Catalog::builtin();
        for (name, worth) in NAMES {
            let coin = &catalog.items[&format!("{name}_coin")];
            assert_eq!(
                (i64::from(coin.value), coin.class, coin.stacks),
                (*worth, ItemClass::Coin, true),
                "{name}"
            );
        }
    }
}
