//! Names of bots, by number.

/// Returns a unique name for a number: at least two pairs of a consonant and a vowel, and `lin`.
pub(super) fn name(number: u32) -> String {
    const CONSONANTS: &[u8] = b"bdfgkmprstvz";
    const VOWELS: &[u8] = b"aeou";
    let mut rest = number as usize;
    let mut name = String::new();
    for pair in 0..5 {
        name.push(char::from(CONSONANTS[rest % CONSONANTS.len()]));
        rest /= CONSONANTS.len();
        name.push(char::from(VOWELS[rest % VOWELS.len()]));
        rest /= VOWELS.len();
        if pair > 0 && rest == 0 {
            break;
        }
    }
    name.push_str("lin");
    name[..1].to_uppercase() + &name[1..]
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn bot_names_are_unique_and_valid() {
        let names: BTreeSet<String> = (0..2_000).map(name).collect();
        assert_eq!(names.len(), 2_000);
        assert!(names.iter().all(|name| deepwell_core::text::names::check(name, [], []).is_ok()));
    }
}
