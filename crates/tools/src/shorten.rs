//! Minimisation of failing inputs by removing elements.

/// Returns a shorter list that still fails, by removing halves, quarters, and so on down to single elements. `fails`
/// returns `None` if a list passes, or else the number of its leading elements that suffice. To stop early, let `fails`
/// return `None` from then on.
pub fn shortened<T: Clone>(mut list: Vec<T>, mut fails: impl FnMut(&[T]) -> Option<usize>) -> Vec<T> {
    let mut size = list.len() / 2;
    while size > 0 {
        let (mut at, before) = (0, list.len());
        while at < list.len() {
            let end = (at + size).min(list.len());
            let mut shorter = [&list[..at], &list[end..]].concat();
            match fails(&shorter) {
                Some(enough) => {
                    shorter.truncate(enough);
                    list = shorter;
                }
                None => at = end,
            }
        }
        // An element that was needed before may be removable after other elements are gone.
        if size > 1 || list.len() == before {
            size /= 2;
        }
    }
    list
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unneeded_elements_are_removed() {
        let needs = |wanted: &[u32]| {
            let wanted = wanted.to_vec();
            move |list: &[u32]| {
                let last = wanted.iter().map(|n| list.iter().position(|m| m == n)).max()?;
                wanted.iter().all(|n| list.contains(n)).then(|| last.unwrap_or(0) + 1)
            }
        };
        assert_eq!(shortened((0..1_000).collect(), needs(&[3, 500, 501])), [3, 500, 501]);
        assert_eq!(shortened((0..1_000).collect(), needs(&[0])), [0]);
    }

    /// Two elements that can only be removed together are removed as one half; elements that they protected are then
    /// tried again.
    #[test]
    fn elements_needed_by_others_are_retried() {
        let fails = |list: &[u32]| {
            let (a, b) = (list.contains(&1), list.contains(&2));
            (list.contains(&9) && (a || !b)).then_some(list.len())
        };
        assert_eq!(shortened(vec![1, 2, 3, 4, 5, 9], fails), [9]);
    }
}
