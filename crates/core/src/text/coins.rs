//! Formatting of amounts of money.

use crate::text::grammar;

/// Coin names and their values in copper, greatest first. They match the content.
const NAMES: &[(&str, i64)] = &[("platinum", 1_000), ("gold", 100), ("silver", 10), ("copper", 1)];

/// Returns the names of the coins.
pub fn names() -> impl Iterator<Item = &'static str> {
    NAMES.iter().map(|(name, _)| *name)
}

/// Returns the value in copper of a coin by its name.
pub fn worth_of(name: &str) -> Option<i64> {
    NAMES.iter().find(|(coin, _)| *coin == name).map(|(_, worth)| *worth)
}

/// Formats an amount in copper as "three gold, four silver and two copper".
pub fn money_words(copper: i64) -> String {
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
    grammar::list_or("no money", parts)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn money_uses_largest_coins_first() {
        assert_eq!(money_words(0), "no money");
        assert_eq!(money_words(1), "one copper");
        assert_eq!(money_words(3_254), "three platinum, two gold, five silver and four copper");
        assert_eq!(money_words(i64::MAX), "9223372036854775 platinum, eight gold and seven copper");
    }
}
