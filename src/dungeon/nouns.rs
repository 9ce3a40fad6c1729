//! What somebody sees who looks at a word of a room's text: what the theme says of that noun, else the sentence in which
//! it stands. Nothing of this is stored with a room; it follows from its text, its theme and its seed.

use crate::base::{Dice, Seed};
use crate::catalog::{Noun, Theme};
use crate::dungeon::describe;
use crate::text::sentence::sentences;

/// A place to look at.
#[derive(Clone, Copy, Debug)]
pub struct Sight<'a> {
    /// What its name line says.
    pub name: &'a str,
    /// Every sentence that somebody there reads.
    pub text: &'a str,
    /// The theme it was made by, if it was, and its depth.
    pub theme: Option<(&'a Theme, u32)>,
    /// Where the draws of the place begin.
    pub seed: Seed,
}

/// Words that mean nothing by themselves: nobody looks at them.
pub(crate) const STOP: &[&str] = &[
    "a", "about", "above", "across", "after", "again", "against", "all", "almost", "along", "also", "an",
    "and", "another", "any", "are", "around", "as", "at", "be", "because", "been", "before", "behind",
    "below", "beside", "between", "beyond", "both", "but", "by", "can", "could", "did", "do", "does", "each",
    "else", "enough", "ever", "every", "for", "from", "had", "has", "have", "he", "her", "here", "him",
    "his", "how", "i", "if", "in", "into", "is", "it", "its", "just", "like", "may", "me", "might", "more",
    "most", "my", "never", "no", "nor", "not", "now", "of", "off", "on", "once", "one", "only", "or",
    "other", "our", "out", "over", "rest", "seem", "seems", "she", "should", "since", "so", "some", "such",
    "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "those", "though",
    "through", "to", "too", "towards", "under", "until", "us", "very", "was", "we", "were", "what", "when",
    "where", "which", "while", "who", "whose", "why", "with", "within", "without", "would", "you", "your",
];

/// Words that say of a thing what not every thing of its name is. Where a text says one of them beside a noun, what the
/// theme tells of that noun in general may be untrue.
const QUALITIES: &[&str] = &[
    "black",
    "blue",
    "broken",
    "brown",
    "burnt",
    "burnt-out",
    "clean",
    "cracked",
    "damp",
    "dead",
    "dirty",
    "dry",
    "empty",
    "folded",
    "fresh",
    "frozen",
    "full",
    "gilded",
    "golden",
    "green",
    "grey",
    "hot",
    "lit",
    "new",
    "painted",
    "polished",
    "red",
    "rotten",
    "rusty",
    "scrubbed",
    "silver",
    "singed",
    "soaked",
    "sodden",
    "sooty",
    "split",
    "stuffed",
    "swept",
    "torn",
    "unlit",
    "warm",
    "washed",
    "wet",
    "white",
    "whole",
    "yellow",
];

/// The shortest beginning of a word that is taken for it.
const SHORTEST: usize = 3;

/// What is seen; none if no such word stands there. `typed` is in lower case and without article; the beginning of a
/// word is enough.
pub fn look_at(sight: Sight<'_>, typed: &str) -> Option<String> {
    let typed = typed.trim();
    let (word, sentence) = found(sight, typed)?;
    let seed = sight.seed.named("look").named(&word);
    let said = sight.theme.and_then(|(theme, depth)| {
        let noun = noun_for(theme, depth, &word, sight)?;
        let mut dice = seed.rng();
        let text = dice.pick(&noun.texts)?;
        let words = describe::words(text, &[], depth, theme, &mut dice).words;
        says_so(&words, &qualities_of(&word, &sentence)).then_some(words)
    });
    Some(said.unwrap_or_else(|| {
        let before = ["You look closer.", "You give it a longer look."];
        let quoted = whole_quotation(sight.text, &sentence).unwrap_or(&sentence);
        format!("{} {quoted}", seed.rng().pick(&before).copied().unwrap_or_default())
    }))
}

/// A sentence of a text with those beside it that stand in one quotation with it.
fn whole_quotation<'t>(text: &'t str, sentence: &str) -> Option<&'t str> {
    let (mut start, mut end, mut is_open, mut is_meant) = (0, 0, false, false);
    for part in sentences(text) {
        let at = end + text.get(end..)?.find(part)?;
        if !is_open {
            (start, is_meant) = (at, false);
        }
        end = at + part.len();
        is_meant |= part == sentence;
        is_open = leaves_open(part, is_open);
        if is_meant && !is_open {
            return text.get(start..end);
        }
    }
    None
}

/// Whether a quotation goes on behind a sentence.
fn leaves_open(sentence: &str, was_open: bool) -> bool {
    let mut before = ' ';
    let mut is_open = was_open;
    for letter in sentence.chars() {
        if letter == '\'' {
            is_open = before == ' ' || is_open && !['.', '!', '?', ','].contains(&before);
        }
        before = letter;
    }
    is_open
}

/// What a sentence says that a thing is like, right before or behind its name.
fn qualities_of(word: &str, sentence: &str) -> Vec<String> {
    let words = words_of(sentence);
    let (first, last) =
        (word.split(' ').next().unwrap_or_default(), word.rsplit(' ').next().unwrap_or_default());
    let at = |name: &str| words.iter().position(|other| other == name);
    let (Some(start), Some(end)) = (at(first), at(last)) else { return Vec::new() };
    let beside = words.iter().enumerate().filter(|(at, _)| (start.saturating_sub(2)..=end + 1).contains(at));
    beside.map(|(_, word)| word.clone()).filter(|word| QUALITIES.contains(&word.as_str())).collect()
}

/// Whether a text says of a thing all these qualities.
fn says_so(text: &str, qualities: &[String]) -> bool {
    let said = words_of(text);
    qualities.iter().all(|quality| said.contains(quality))
}

/// The word or words of the text that somebody means, as they stand there, and the sentence around them.
fn found(sight: Sight<'_>, typed: &str) -> Option<(String, String)> {
    if typed.is_empty() || STOP.contains(&typed) {
        return None;
    }
    let told: Vec<&str> = sentences(sight.text).collect();
    let exact = |words: &[String]| holds(words, typed);
    let begins = |words: &[String]| {
        let long = typed.len() >= SHORTEST;
        words.iter().find(|word| long && word.starts_with(typed) && !STOP.contains(&word.as_str())).cloned()
    };
    let in_text = |find: &dyn Fn(&[String]) -> Option<String>| {
        told.iter().find_map(|sentence| Some((find(&words_of(sentence))?, (*sentence).to_owned())))
    };
    // The name of a room has no sentence of its own: the first of its text stands for it.
    let first = told.first().copied().unwrap_or(sight.name);
    let in_name =
        |find: &dyn Fn(&[String]) -> Option<String>| Some((find(&words_of(sight.name))?, first.to_owned()));
    in_text(&exact).or_else(|| in_name(&exact)).or_else(|| in_text(&begins)).or_else(|| in_name(&begins))
}

/// The typed words, if they stand among these in the same order.
fn holds(words: &[String], typed: &str) -> Option<String> {
    let wanted = words_of(typed);
    let stands = !wanted.is_empty() && words.windows(wanted.len()).any(|window| window == wanted);
    stands.then(|| wanted.join(" "))
}

/// What the theme says of a word at a depth: under the word itself, under it as one or many, under its last word
/// ("brown water"), or under a longer name that stands in the text ("rowing boat" for "boat").
fn noun_for<'t>(theme: &'t Theme, depth: u32, word: &str, sight: Sight<'_>) -> Option<&'t Noun> {
    let nouns = || theme.nouns.iter().filter(|noun| noun.appears_at(depth));
    let named = |word: &str| nouns().find(|noun| noun.names.iter().any(|name| alike(name, word)));
    let longer = || {
        let text = words_of(sight.text);
        let part = |name: &String| name.split(' ').any(|part| part == word) && holds(&text, name).is_some();
        nouns().find(|noun| noun.names.iter().any(part))
    };
    named(word).or_else(longer).or_else(|| named(word.rsplit([' ', '-']).next()?))
}

/// Whether two words are one noun, as one or as many.
fn alike(one: &str, two: &str) -> bool {
    one == two || plural_of(one, two) || plural_of(two, one)
}

fn plural_of(many: &str, one: &str) -> bool {
    let Some(stem) = many.strip_suffix('s') else { return false };
    stem == one
        || stem.strip_suffix('e') == Some(one)
        || stem.strip_suffix("ie").is_some_and(|stem| one.strip_suffix('y') == Some(stem))
        || stem.strip_suffix("ve").is_some_and(|stem| one.strip_suffix('f') == Some(stem))
}

/// The words of a text in lower case, without what stands between them.
pub fn words_of(text: &str) -> Vec<String> {
    let parts = text.split(|c: char| !c.is_alphanumeric() && c != '-' && c != '\'');
    let words = parts.map(|part| {
        let bare = part.trim_matches(['-', '\'']);
        bare.strip_suffix("'s").unwrap_or(bare).to_lowercase()
    });
    words.filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::catalog::pattern::Piece;
    use crate::catalog::{Catalog, Pattern};

    fn sight<'a>(text: &'a str, theme: Option<(&'a Theme, u32)>) -> Sight<'a> {
        Sight { name: "Stone hallway", text, theme, seed: Seed(1) }
    }

    #[test]
    fn a_quotation_is_told_whole() {
        let text =
            "Mud. A line of chalk reads: 'What stands here guards something. Don't leave.' A rail leads on.";
        let whole = "A line of chalk reads: 'What stands here guards something. Don't leave.'";
        for word in ["stands", "leave"] {
            let seen = look_at(sight(text, None), word).unwrap();
            assert!(seen.ends_with(whole), "{seen}");
        }
        assert!(look_at(sight(text, None), "rail").unwrap().ends_with(" A rail leads on."));
        assert!(look_at(sight("'Tis mud. A rail.", None), "rail").unwrap().ends_with(" A rail."));
    }

    #[test]
    fn sentences_end_where_they_end() {
        let text = "One. It reads: 'Stop here. Go.' Three! 'Four,' it says. and so on. Five";
        assert_eq!(
            sentences(text).collect::<Vec<_>>(),
            ["One.", "It reads: 'Stop here.", "Go.'", "Three!", "'Four,' it says. and so on.", "Five"]
        );
        assert_eq!(sentences(" ").count(), 0);
    }

    /// What stands in the text is seen, by itself, by its beginning, as one or many; nothing else is.
    #[test]
    fn every_word_of_a_text_can_be_looked_at() {
        let text = "Brown water stands deep. A line of foam marks the wall.";
        let seen = |typed| look_at(sight(text, None), typed);
        for typed in ["foam", "foa", "line", "line of foam", "wall"] {
            assert!(seen(typed).unwrap().ends_with(" A line of foam marks the wall."), "{typed}");
        }
        assert!(seen("hallway").unwrap().ends_with(" Brown water stands deep."), "a word of the name");
        for typed in ["", "fo", "sea", "the", "of", "wall foam"] {
            assert_eq!(seen(typed), None, "{typed}");
        }
    }

    /// The theme's nouns speak first, those of the depth, and only of what is there.
    #[test]
    fn the_nouns_of_the_theme_come_first() {
        let mut theme = Catalog::builtin().themes["well"].clone();
        let noun = |names: &[&str], depth, text: &str| Noun {
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            depth,
            texts: vec![Pattern::parse(text).unwrap()],
        };
        theme.nouns = vec![
            noun(&["water", "puddle"], (0, 3), "It is {air} and brown."),
            noun(&["water"], (4, 9), "It is clear."),
            noun(&["rowing boat"], (0, 9), "It has no oars."),
            noun(&["berry"], (0, 9), "They are sour."),
            noun(&["dragon"], (0, 9), "It is not here."),
        ];
        let text = "Brown water stands here. There is a rowing boat. Berries grow in it.";
        let seen = |typed, depth| look_at(sight(text, Some((&theme, depth))), typed);
        let shallow = seen("water", 1).unwrap();
        assert!(shallow.starts_with("It is ") && shallow.ends_with(" and brown.") && !shallow.contains('{'));
        let clear = "There is water here. It is a spring.";
        assert_eq!(look_at(sight(clear, Some((&theme, 5))), "water").unwrap(), "It is clear.");
        let brown = seen("water", 5).unwrap();
        assert!(brown.ends_with("Brown water stands here."), "what the text says is true: {brown}");
        assert_eq!(seen("boat", 1).unwrap(), "It has no oars.");
        assert_eq!(seen("berries", 1).unwrap(), "They are sour.");
        assert_eq!(seen("dragon", 1), None);
        assert_eq!(seen("puddle", 1), None, "there is no puddle in this room");
        assert!(seen("water", 99).unwrap().ends_with("Brown water stands here."));
    }

    /// What contradicts what.
    const OPPOSITES: &[(&str, &[&str])] = &[
        ("white", &["black", "dirt", "dirty", "soot", "red", "green", "brown", "grey", "rust"]),
        ("black", &["white", "pale"]),
        ("red", &["green", "white", "blue"]),
        ("green", &["red", "white", "blue"]),
        ("clean", &["dirt", "dirty", "soot", "dust", "grime", "mud", "stained"]),
        ("dry", &["wet", "damp", "soaked", "dripping", "drips"]),
        ("wet", &["dry", "dusty"]),
        ("damp", &["dry"]),
        ("sodden", &["dry", "stiff"]),
        ("new", &["old", "worn", "rotten"]),
        ("empty", &["full", "holds"]),
        ("full", &["empty"]),
        ("warm", &["cold", "cool"]),
        ("cold", &["warm", "hot"]),
        ("broken", &["whole"]),
        ("torn", &["whole", "cut"]),
        ("burnt-out", &["burns", "burning", "lit"]),
        ("smooth", &["rough"]),
        ("rough", &["smooth"]),
    ];

    /// Every sentence of a band, with each word of each slot in it at least once.
    fn told_at(theme: &Theme, depth: u32) -> Vec<String> {
        let band = theme.band(depth);
        let scenery = &theme.scenery;
        let lists = [
            &band.openings,
            &band.details,
            &band.ways_on,
            &band.dead_ends,
            &theme.hints,
            &theme.out_of_depth.omens,
        ];
        let lists = lists.into_iter().chain(theme.sentences.values());
        let lists = lists.chain(scenery.spaces.values()).chain(scenery.grounds.values());
        let patterns = lists.chain(scenery.walls.values()).chain(scenery.nearby.values()).flatten();
        let mut told: Vec<String> = Vec::new();
        for pattern in patterns {
            let most =
                pattern.slots().map(|slot| theme.words_for(depth, slot).len()).max().unwrap_or(1).max(1);
            for nth in 0..most {
                let piece = |piece: &Piece| match piece {
                    Piece::Text(text, _) => text.clone(),
                    Piece::Slot(slot) => {
                        let words = theme.words_for(depth, slot);
                        words.get(nth % words.len().max(1)).cloned().unwrap_or_default()
                    }
                };
                told.push(pattern.pieces.iter().map(piece).collect());
            }
        }
        told.extend(theme.landmarks.iter().map(|landmark| landmark.description.clone()));
        told.extend(theme.shrines.iter().map(|shrine| shrine.text.clone()));
        told.extend(theme.captives.iter().map(|captive| captive.text.clone()));
        told
    }

    /// Whatever a text names can be looked at, in every sentence of every theme at every depth, and what is seen does not
    /// contradict what the text says of it.
    #[test]
    fn what_is_seen_fits_what_is_told() {
        let catalog = Catalog::builtin();
        let mut wrong = std::collections::BTreeSet::new();
        for theme in catalog.themes.values() {
            let deepest = theme.bands.keys().next_back().map_or(1, |depth| depth + 1);
            let mut seen_at = std::collections::BTreeSet::new();
            for (depth, text) in (1..=deepest)
                .flat_map(|depth| told_at(theme, depth).into_iter().map(move |text| (depth, text)))
            {
                if !seen_at.insert((theme.band(depth).family.clone(), text.clone())) {
                    continue;
                }
                let words = words_of(&text);
                let nouns = words.iter().enumerate().filter(|(_, word)| !STOP.contains(&word.as_str()));
                for (at, word) in nouns {
                    let seen = look_at(sight(&text, Some((theme, depth))), word);
                    let Some(seen) = seen else {
                        wrong.insert(format!("{}: nothing is seen of {word} in: {text}", theme.key));
                        continue;
                    };
                    let first = words.iter().position(|other| other == word);
                    let beside =
                        words.get(at.saturating_sub(2)..(at + 2).min(words.len())).unwrap_or_default();
                    let is_quoted = sentences(&text).any(|sentence| seen.ends_with(sentence));
                    if is_quoted || first != Some(at) {
                        continue;
                    }
                    let said = words_of(&seen);
                    let against =
                        OPPOSITES.iter().filter(|(quality, _)| beside.iter().any(|other| other == quality));
                    for (quality, opposite) in
                        against.flat_map(|(quality, all)| all.iter().map(move |one| (quality, one)))
                    {
                        if said.iter().any(|word| word == opposite)
                            && !said.iter().any(|word| word == quality)
                        {
                            wrong.insert(format!(
                                "{}, depth {depth}: {quality} {word} is {opposite}: {seen} | {text}",
                                theme.key
                            ));
                        }
                    }
                }
            }
        }
        assert!(wrong.is_empty(), "{wrong:#?}");
    }
}
