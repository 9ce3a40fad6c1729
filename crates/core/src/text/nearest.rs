//! Suggestions for mistyped names. Callers supply the candidates.

/// Returns the first of the candidates closest to a mistyped word. The distance is at most two edits, or one for a word
/// of up to four letters. An edit is an additional, missing or wrong letter, or a swap of two neighbours.
pub fn nearest<'n>(written: &str, candidates: impl IntoIterator<Item = &'n str>) -> Option<&'n str> {
    let slips = if written.chars().count() <= 4 { 1 } else { 2 };
    nearest_within(slips, written, candidates)
}

/// Like [`nearest`], with a given maximum number of edits.
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

/// Returns the edit distance of two words; `None` if it exceeds `most`. Words of very different length are rejected
/// without a comparison, so that long input is cheap.
pub fn slips_between(most: usize, written: &str, name: &str) -> Option<usize> {
    let close = written.chars().count().abs_diff(name.chars().count()) <= most;
    let slips = close.then(|| strsim::osa_distance(written, name));
    slips.filter(|slips| *slips <= most)
}

/// Returns up to `many` candidates by edit distance, closest first; ties keep their order.
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
    fn short_words_allow_one_edit_and_long_ones_two() {
        assert_eq!(nearest("sede", ["seed", "name"]), Some("seed"));
        assert_eq!(nearest("sdea", ["seed"]), None);
        assert_eq!(nearest("wndwo", ["window"]), Some("window"));
        assert_eq!(nearest("wndws", ["welcome", "windmill"]), None);
        assert_eq!(nearest_within(1, "wndwo", ["window"]), None);
    }

    #[test]
    fn edit_distance_is_bounded() {
        assert_eq!(slips_between(2, "wndwo", "window"), Some(2));
        assert_eq!(slips_between(2, "wndow", "window"), Some(1));
        assert_eq!(slips_between(1, "wndwo", "window"), None);
        assert_eq!(slips_between(2, &"w".repeat(4096), "window"), None);
        assert_eq!(slips_between(2, "éte", "été"), Some(1), "letters, not bytes");
    }

    #[test]
    fn closest_candidate_wins_and_ties_keep_order() {
        assert_eq!(nearest("lokcs", ["block", "locks", "looks"]), Some("locks"));
        assert_eq!(nearest("of", ["on", "off"]), Some("on"));
    }
}
