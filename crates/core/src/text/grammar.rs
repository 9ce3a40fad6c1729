//! English grammar for generated sentences: articles, plurals, lists, numbers in words. Rules only, without a
//! dictionary: content declares the exceptions on the noun itself.

use std::borrow::Cow;

/// Returns `a` or `an`, by the initial sound of a noun.
pub fn article(noun: &str) -> &'static str {
    let word: String =
        noun.chars().take_while(|c| c.is_alphanumeric()).take(8).collect::<String>().to_lowercase();
    let begins = |starts: &[&str]| starts.iter().any(|start| word.starts_with(start));
    let silent_h = begins(&["hour", "heir", "honest", "honor", "honour"]);
    // Starts with the sound of "you" or of "won".
    let consonant = begins(&["eu", "ewe", "uni", "use", "usu", "ute", "uto", "once", "one"])
        && !begins(&["unin", "unim"]);
    if silent_h || (begins(&["a", "e", "i", "o", "u", "8", "11", "18"]) && !consonant) { "an" } else { "a" }
}

/// Returns a noun with its indefinite article: `an old rope`.
///
/// `given` is the article declared in the content, such as `some` or `a pair of`; an empty one means none.
pub fn with_article(noun: &str, given: Option<&str>) -> String {
    match given {
        Some("") => noun.to_owned(),
        Some(given) => format!("{given} {noun}"),
        None => format!("{} {noun}", article(noun)),
    }
}

/// Returns a noun with its definite article: `the rope`. A proper name, whose indefinite form has no article, gets none
/// here either.
///
/// `indefinite` is the form declared in the content, as in `Marta`, `the Warden` or `a pair of boots`.
pub fn definite(noun: &str, indefinite: &str) -> String {
    let is_name = indefinite == noun && noun.starts_with(char::is_uppercase);
    if is_name || indefinite.starts_with("the ") { indefinite.to_owned() } else { format!("the {noun}") }
}

/// Returns the plural of a noun: `torches`, `flasks of oil`.
///
/// `given` is the plural declared in the content, for irregular words (`mice`).
pub fn plural<'a>(noun: &'a str, given: Option<&'a str>) -> Cow<'a, str> {
    if let Some(given) = given {
        return Cow::Borrowed(given);
    }
    // Only the head of the phrase is inflected.
    let head = [" of ", " in ", " with ", " from "]
        .iter()
        .filter_map(|link| noun.find(link))
        .min()
        .unwrap_or(noun.len());
    let (head, rest) = noun.split_at(head);
    let after_consonant = |ending: char| {
        head.strip_suffix(ending)
            .is_some_and(|stem| !stem.ends_with(['a', 'e', 'i', 'o', 'u']) && !stem.is_empty())
    };
    Cow::Owned(if after_consonant('y') {
        format!("{}ies{rest}", &head[..head.len() - 1])
    } else if head.ends_with(['s', 'x', 'z']) || head.ends_with("ch") || head.ends_with("sh") {
        format!("{head}es{rest}")
    } else {
        format!("{head}s{rest}")
    })
}

/// Returns a counted noun with a regular plural: `one rat`, `twelve rats`, `13 rats`. Counts outside of `u32`
/// become its maximum.
pub fn counted(count: impl TryInto<u32>, noun: &str) -> String {
    counted_as(count, noun, None)
}

/// Returns a counted noun. `given` as for [`plural`].
pub fn counted_as(count: impl TryInto<u32>, noun: &str, given: Option<&str>) -> String {
    let count = count.try_into().unwrap_or(u32::MAX);
    let noun = if count == 1 { Cow::Borrowed(noun) } else { plural(noun, given) };
    format!("{} {noun}", number(count))
}

/// Returns a number in words up to twelve, in digits beyond.
pub fn number(n: impl TryInto<u32>) -> Cow<'static, str> {
    match n.try_into().unwrap_or(u32::MAX) {
        0 => "zero".into(),
        n @ 1..13 => spelled(n.into()),
        n => n.to_string().into(),
    }
}

/// Returns a number in words up to 999, in digits beyond: `no`, `forty-two`, `a hundred and ten`.
pub fn spelled(n: u64) -> Cow<'static, str> {
    const SMALL: &str = "no one two three four five six seven eight nine ten eleven twelve thirteen fourteen \
                         fifteen sixteen seventeen eighteen nineteen";
    const TENS: &str = "none ten twenty thirty forty fifty sixty seventy eighty ninety";
    let word = |list: &'static str, n: u64| {
        list.split(' ').nth(usize::try_from(n).unwrap_or(usize::MAX)).unwrap_or_default()
    };
    match n {
        0..20 => word(SMALL, n).into(),
        20..100 if n.is_multiple_of(10) => word(TENS, n / 10).into(),
        20..100 => format!("{}-{}", word(TENS, n / 10), word(SMALL, n % 10)).into(),
        100..1_000 => {
            let hundreds = if n < 200 { "a" } else { word(SMALL, n / 100) };
            let rest =
                if n.is_multiple_of(100) { String::new() } else { format!(" and {}", spelled(n % 100)) };
            format!("{hundreds} hundred{rest}").into()
        }
        _ => n.to_string().into(),
    }
}

/// Returns a frequency: `once`, `twice`, `three times`, `13 times`.
pub fn times(n: u32) -> Cow<'static, str> {
    match n {
        1 => Cow::Borrowed("once"),
        2 => Cow::Borrowed("twice"),
        n => Cow::Owned(format!("{} times", number(n))),
    }
}

/// Joins items into an enumeration: `a, b and c`; `none` for no items.
pub fn list_or<S: AsRef<str>>(none: &str, items: impl IntoIterator<Item = S>) -> String {
    let joined = list(items);
    if joined.is_empty() { none.to_owned() } else { joined }
}

/// Joins items into an enumeration: `a, b and c`; empty for no items.
pub fn list<S: AsRef<str>>(items: impl IntoIterator<Item = S>) -> String {
    let items: Vec<S> = items.into_iter().collect();
    let mut joined = String::new();
    for (at, item) in items.iter().enumerate() {
        joined.push_str(link(at, items.len()));
        joined.push_str(item.as_ref());
    }
    joined
}

/// Returns a text, or `none` if it is empty.
pub fn or_none(text: &str) -> &str {
    if text.is_empty() { "none" } else { text }
}

/// Returns the separator before the item at a position.
fn link(at: usize, items: usize) -> &'static str {
    match at {
        0 => "",
        _ if at + 1 == items => " and ",
        _ => ", ",
    }
}

/// Returns the text with its first letter capitalised.
pub fn capitalise(text: &str) -> Cow<'_, str> {
    let mut letters = text.chars();
    match letters.next() {
        Some(first) if first.is_lowercase() => {
            let mut capitalised: String = first.to_uppercase().collect();
            capitalised.push_str(letters.as_str());
            Cow::Owned(capitalised)
        }
        _ => Cow::Borrowed(text),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn articles_follow_the_sound() {
        for noun in [
            "rope", "unicorn", "uniform", "one-eyed rat", "ewer-like jug", "house", "European coin", "user",
            "",
        ] {
            assert_eq!(article(noun), "a", "{noun}");
        }
        for noun in [
            "old rope", "hourglass", "Orc", "heirloom", "unlit torch", "uninvited guest", "8th key",
            "umbrella",
        ] {
            assert_eq!(article(noun), "an", "{noun}");
        }
        assert_eq!(with_article("orc", None), "an orc");
        assert_eq!(with_article("water", Some("some")), "some water");
        assert_eq!(with_article("Excalibur", Some("")), "Excalibur");
        assert_eq!(definite("Marta", "Marta"), "Marta");
        assert_eq!(definite("Warden", "the Warden"), "the Warden");
        assert_eq!(definite("boots", "a pair of boots"), "the boots");
        assert_eq!(definite("orc", "an orc"), "the orc");
    }

    #[test]
    fn plurals_follow_rules_or_the_content() {
        for (one, many) in [
            ("rat", "rats"),
            ("torch", "torches"),
            ("brush", "brushes"),
            ("box", "boxes"),
            ("cross", "crosses"),
            ("ruby", "rubies"),
            ("key", "keys"),
            ("flask of oil", "flasks of oil"),
            ("box with a lid of brass", "boxes with a lid of brass"),
        ] {
            assert_eq!(plural(one, None), many);
        }
        assert_eq!(plural("mouse", Some("mice")), "mice");
    }

    #[test]
    fn numbers_up_to_twelve_are_words() {
        assert_eq!(counted(0, "rat"), "zero rats");
        assert_eq!(counted_as(1, "mouse", Some("mice")), "one mouse");
        assert_eq!(counted_as(12, "mouse", Some("mice")), "twelve mice");
        assert_eq!(counted(13, "rat"), "13 rats");
        assert_eq!(counted(u64::MAX, "rat"), format!("{} rats", u32::MAX));
    }

    #[test]
    fn lists_are_joined_with_and() {
        assert_eq!(list::<&str>([]), "");
        assert_eq!(list_or::<&str>("nobody", []), "nobody");
        assert_eq!(list_or("nobody", ["a"]), "a");
        assert_eq!(list(["a"]), "a");
        assert_eq!(list(["a", "b"]), "a and b");
        assert_eq!(list(["a", "b", "c"]), "a, b and c");
    }

    #[test]
    fn first_letter_is_capitalised() {
        assert_eq!(capitalise("the well"), "The well");
        assert_eq!(capitalise("Olad"), "Olad");
        assert_eq!(capitalise("\"hm\""), "\"hm\"");
    }
}
