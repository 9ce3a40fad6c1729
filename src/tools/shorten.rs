//! Makes what fails as short as can be, by leaving out parts of it.

/// The shortest list that can be had by leaving out halves, quarters, and so on down to single elements, of one that
/// fails. `fails` says whether a list still does, and if so how many of its elements are enough. Whoever has tried often
/// enough says no from then on.
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
        // What could not be left out before may be, now that something else is gone.
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
    fn what_is_not_needed_is_left_out() {
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

    /// A pair that only goes together is left out by halves; what it hid behind is then looked at again.
    #[test]
    fn what_is_needed_by_something_else_goes_after_it() {
        let fails = |list: &[u32]| {
            let (a, b) = (list.contains(&1), list.contains(&2));
            (list.contains(&9) && (a || !b)).then_some(list.len())
        };
        assert_eq!(shortened(vec![1, 2, 3, 4, 5, 9], fails), [9]);
    }
}
