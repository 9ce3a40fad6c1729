//! The name that somebody meant who mistyped one. Which names there are is for the callers to know.

/// The first of those candidates that are most like a mistyped word: at most two slips away, one in a word of up to four
/// letters. A slip is a letter too many, too few, or wrong, or two neighbours exchanged.
pub fn nearest<'n>(written: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let slips = if written.chars().count() <= 4 { 1 } else { 2 };
    nearest_within(slips, written, candidates)
}

/// As [`nearest`], with so many slips at most.
pub fn nearest_within<'n>(
    slips: usize,
    written: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Option<&'n str> {
    let near = candidates
        .into_iter()
        .filter_map(|candidate| Some((slips_between(slips, written, candidate)?, candidate)));
    near.min_by_key(|(distance, _)| *distance).map(|(_, candidate)| candidate)
}

/// How many slips lie between two words; none if they are more than `most`. Words of different length are told apart without
/// comparing them, so that a line of thousands of letters costs nothing.
pub fn slips_between(most: usize, written: &str, name: &str) -> Option<usize> {
    let close = written.chars().count().abs_diff(name.chars().count()) <= most;
    let slips = close.then(|| strsim::osa_distance(written, name));
    slips.filter(|slips| *slips <= most)
}

/// So many of the candidates as are least unlike a word, the most like it first; of those that are equally like it, the first.
pub fn least_unlike<'n>(
    many: usize,
    written: &str,
    candidates: impl IntoIterator<Item = &'n str>,
) -> Vec<&'n str> {
    let mut all: Vec<&str> = candidates.into_iter().collect();
    all.sort_by_cached_key(|candidate| strsim::osa_distance(written, candidate));
    all.truncate(many);
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_words_forgive_one_slip_and_long_ones_two() {
        assert_eq!(nearest("sede", ["seed", "name"]), Some("seed"));
        assert_eq!(nearest("sdea", ["seed"]), None);
        assert_eq!(nearest("wndwo", ["window"]), Some("window"));
        assert_eq!(nearest("wndws", ["welcome", "windmill"]), None);
        assert_eq!(nearest_within(1, "wndwo", ["window"]), None);
    }

    #[test]
    fn slips_are_counted_up_to_a_bound() {
        assert_eq!(slips_between(2, "wndwo", "window"), Some(2));
        assert_eq!(slips_between(2, "wndow", "window"), Some(1));
        assert_eq!(slips_between(1, "wndwo", "window"), None);
        assert_eq!(slips_between(2, &"w".repeat(4096), "window"), None);
        assert_eq!(slips_between(2, "éte", "été"), Some(1), "letters, not bytes");
    }

    #[test]
    fn the_nearer_one_wins_and_of_equals_the_first() {
        assert_eq!(nearest("lokcs", ["block", "locks", "looks"]), Some("locks"));
        assert_eq!(nearest("of", ["on", "off"]), Some("on"));
    }
}
