//! Rules for names of accounts and characters: 2 to 16 letters from a to z, not a reserved word, and visually distinct
//! from other names. The store tracks which names are taken.

use std::collections::BTreeSet;
use std::fmt;

use thiserror::Error;

/// Permitted length in letters.
pub const LETTERS: std::ops::RangeInclusive<usize> = 2..=16;

/// Valid name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Name {
    /// Display form: `Olad`.
    pub shown: String,
    /// Look-up key: `olad`.
    pub key: String,
    /// Equal for names that look alike, of which only one may be taken.
    pub skeleton: String,
}

impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.shown.fmt(f)
    }
}

/// Reason why a word is not a valid name; shown to the player.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Error)]
pub enum NameError {
    /// Fewer than two letters.
    #[error("a name has at least {} letters", LETTERS.start())]
    TooShort,
    /// More than 16 letters.
    #[error("a name has at most {} letters", LETTERS.end())]
    TooLong,
    /// Characters other than a to z.
    #[error("a name has only the letters a to z, without spaces, digits or accents")]
    NotLetters,
    /// A command, or a word that looks like one.
    #[error("that word is a command, so nobody can be called it")]
    Command,
    /// Name of a creature or an item, or a word that looks like one.
    #[error("a creature or a thing of the game is called that, so nobody else can be")]
    Item,
    /// A word used in the game's sentences, or one that looks like it.
    #[error("that word means something in the sentences of the game and cannot be a name")]
    Reserved,
    /// A title of authority, or a word that looks like one.
    #[error("that word would make others take you for one of the staff and cannot be a name")]
    Staff,
}

/// Words that would change the meaning of the game's sentences, independent of the names of commands and items.
const RESERVED: &str = "\
    north east south west northeast northwest southeast southwest up down in out back here there me my \
    mine myself you your yours yourself he him his himself she her hers herself it its itself they them \
    their theirs themself themselves we us our who someone somebody something anyone anybody anything \
    everyone everybody everything noone nobody nothing none all any each other others self the an and or \
    of to at on off from with by for yes no player players character account guest stranger name \
    password null nil undefined test unknown anonymous new create connect room exit mob item party \
    branch well voice voices message messages";

/// Titles of authority; look-alikes are refused, too.
const STAFF: &str = "\
    admin admins administrator sysadmin builder builders helper helpers owner staff mod mods moderator \
    administration sysop sysops announcement announcements warning warnings notice notices alert alerts \
    root system server operator wizard wiz immortal god gm gamemaster support security official deepwell";

/// Parses a name, or returns the reason for refusal.
///
/// Surrounding spaces are ignored. The name must not look like one of the commands or like a `called` name of a
/// creature or an item. Words reserved in every game are built in.
pub fn check<'a>(
    name: &str,
    commands: impl IntoIterator<Item = &'a str>,
    called: impl IntoIterator<Item = &'a str>,
) -> Result<Name, NameError> {
    let name = name.trim();
    if !name.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return Err(NameError::NotLetters);
    }
    if name.len() < *LETTERS.start() {
        return Err(NameError::TooShort);
    }
    if name.len() > *LETTERS.end() {
        return Err(NameError::TooLong);
    }
    let key = name.to_ascii_lowercase();
    let skeleton = skeleton(&key);
    let looks_like = |word: &str| self::skeleton(word) == skeleton;
    let alike = look_alikes(&key);
    if STAFF.split_whitespace().any(|word| looks_like(word) || alike.contains(&self::skeleton(word))) {
        return Err(NameError::Staff);
    }
    if RESERVED.split_whitespace().any(looks_like) {
        return Err(NameError::Reserved);
    }
    if commands.into_iter().any(looks_like) {
        return Err(NameError::Command);
    }
    if called.into_iter().any(looks_like) {
        return Err(NameError::Item);
    }
    let shown = key[..1].to_ascii_uppercase() + &key[1..];
    Ok(Name { shown, key, skeleton })
}

/// Pairs of letters that are hard to tell apart within a word, and as its capital.
const ALIKE: &[[u8; 2]] = &[*b"mn", *b"uv", *b"vy", *b"gq"];
const ALIKE_CAPITALS: &[[u8; 2]] = &[*b"od", *b"oq", *b"uv", *b"vy", *b"cg"];

/// Returns the skeletons of the names that differ from a name in lower case in one letter that is hard to tell apart.
///
/// They are no part of the skeleton, which would make names alike that differ in several such letters.
pub fn look_alikes(key: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for (at, letter) in key.bytes().enumerate() {
        let pairs = if at == 0 { ALIKE_CAPITALS } else { ALIKE };
        for other in pairs.iter().filter_map(|[one, two]| match letter {
            _ if letter == *one => Some(two),
            _ if letter == *two => Some(one),
            _ => None,
        }) {
            let mut bytes = key.as_bytes().to_vec();
            bytes[at] = *other;
            found.insert(skeleton(&String::from_utf8_lossy(&bytes)));
        }
    }
    found
}

/// Letter sequences that look like shorter ones, after single letters have been folded.
const PAIRS: &[(&str, &str)] = &[("rrn", "nn"), ("rl", "n"), ("cll", "cl")];

/// Returns the confusable skeleton of a word.
///
/// It is the UTS 39 skeleton of the lower-case word, which maps `m` to `rn` and covers other alphabets. Letters that
/// are hard to tell apart in a terminal are folded further. `i` and `1` become `l`, `0` becomes `o`, `vv` becomes `w`,
/// and `d` becomes `cl`, also before further `i` and `l`. `rm` becomes `nn`, and `ri` becomes `n`.
pub fn skeleton(word: &str) -> String {
    let lower = word.to_lowercase();
    let folded: String = unicode_security::skeleton(&lower)
        .flat_map(char::to_lowercase)
        .map(|c| match c {
            'i' | '1' | '|' => 'l',
            '0' => 'o',
            c => c,
        })
        .collect();
    let mut folded = folded.replace("vv", "w").replace('d', "cl");
    // A replacement may create another pair.
    while let Some((pair, letters)) = PAIRS.iter().find(|(pair, _)| folded.contains(pair)) {
        folded = folded.replace(pair, letters);
    }
    folded
}

/// Returns `true` if a text contains a name as a whole word, ignoring case.
pub fn mentions(text: &str, name: &str) -> bool {
    find(text, name, 0).is_some()
}

/// Replaces all occurrences of a name in a text.
pub fn replace(text: &mut String, name: &str, with: &str) {
    let mut from = 0;
    while let Some(at) = find(text, name, from) {
        text.replace_range(at..at + name.len(), with);
        from = at + with.len();
    }
}

/// Returns the byte offset of the next occurrence of a name.
fn find(text: &str, name: &str, from: usize) -> Option<usize> {
    let bytes = text.as_bytes();
    let is_letter = |at: Option<&u8>| at.is_some_and(|byte| byte.is_ascii_alphanumeric() || !byte.is_ascii());
    let found = |at: &usize| {
        bytes[*at..*at + name.len()].eq_ignore_ascii_case(name.as_bytes())
            && !is_letter(at.checked_sub(1).and_then(|before| bytes.get(before)))
            && !is_letter(bytes.get(at + name.len()))
    };
    (from..(bytes.len() + 1).saturating_sub(name.len())).find(found).filter(|_| !name.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn check(name: &str) -> Result<Name, NameError> {
        super::check(name, ["look"], ["rat"])
    }

    #[test]
    fn name_is_replaced_as_a_whole_word() {
        for (before, after) in [
            ("ban bera for 2h", "ban account 7 for 2h"),
            ("BERA: Bera, bera's lamp", "account 7: account 7, account 7's lamp"),
            ("beran liberals bera1 \u{e9}bera", "beran liberals bera1 \u{e9}bera"),
            ("", ""),
        ] {
            let mut text = before.to_owned();
            replace(&mut text, "Bera", "account 7");
            assert_eq!(text, after);
            assert_eq!(mentions(before, "bera"), before != after);
        }
        let mut text = "account: an Account".to_owned();
        replace(&mut text, "Account", "account 7");
        assert_eq!(text, "account 7: an account 7", "a name that stands in what takes its place");
    }

    /// Covers attempts to impersonate a taken name.
    #[test]
    fn t5_look_alikes_share_a_skeleton() {
        for (taken, spoofs) in [
            ("Olad", &["0lad", "OIad", "oiad", "Оlad", "ＯＬＡＤ", "o1ad"][..]),
            ("Mallory", &["rnallory", "Maiiory", "MalIory", "Mal1ory", "mаllоry"]),
            ("Wendy", &["VVendy", "vvendy", "Wеndy"]),
            ("Iris", &["lris", "1ris", "Irls"]),
            ("Dan", &["Clan", "cIan", "cian"]),
            ("Anna", &["Arma", "Arrna"]),
            ("Vernon", &["Vernori", "Verrion", "Vernorl"]),
            ("Claude", &["Dlaude", "Cllaude", "Diaude", "Claucle"]),
        ] {
            for spoof in spoofs {
                assert_eq!(skeleton(spoof), skeleton(taken), "{spoof}");
                assert!(
                    check(spoof).is_err() || check(spoof).unwrap().skeleton == check(taken).unwrap().skeleton
                );
            }
        }
    }

    /// Covers each pair of letters, at each place of a name, and titles of authority spelt with them.
    #[test]
    fn t5_names_that_differ_in_one_similar_letter_are_look_alikes() {
        for (taken, spoof) in [("Vernon", "Vernom"), ("Dave", "Oave"), ("Yvon", "Vvon"), ("Quinn", "Qvinn")] {
            assert!(look_alikes(&spoof.to_lowercase()).contains(&skeleton(taken)), "{spoof}");
        }
        for word in STAFF.split_whitespace() {
            for (at, letter) in word.bytes().enumerate() {
                let pairs = if at == 0 { ALIKE_CAPITALS } else { ALIKE };
                for [one, two] in pairs.iter().flat_map(|[one, two]| [[one, two], [two, one]]) {
                    if letter == *one {
                        let spoof = format!("{}{}{}", &word[..at], char::from(*two), &word[at + 1..]);
                        assert_eq!(check(&spoof), Err(NameError::Staff), "{spoof}");
                    }
                }
            }
        }
        assert!(
            look_alikes("mira").iter().all(|other| *other != skeleton("nira")),
            "capitals of these differ"
        );
    }

    #[test]
    fn ordinary_names_pass_and_differ() {
        let honest = [
            "Olad", "Olaf", "Tess", "Bo", "Anna", "Hanna", "Mira", "Nora", "Arden", "Corvin", "Wulf",
            "Griselda", "Jan", "Xyl", "Maximilianathana", "Eve", "Ed", "Robin", "Thorn", "Clem", "Dan",
            "Zoe", "Uma", "Ursa", "Quill",
        ];
        let mut seen = std::collections::BTreeMap::new();
        for name in honest {
            let checked = check(name).unwrap();
            assert_eq!(checked.to_string(), name);
            assert_eq!(seen.insert(checked.skeleton, name), None, "{name}");
        }
        let typed = check("  oLAD ").unwrap();
        assert_eq!((typed.shown.as_str(), typed.key.as_str()), ("Olad", "olad"));
    }

    #[test]
    fn invalid_names_are_refused_with_a_reason() {
        for (name, reason) in [
            ("", NameError::TooShort),
            ("x", NameError::TooShort),
            ("abcdefghijklmnopq", NameError::TooLong),
            ("two words", NameError::NotLetters),
            ("Olad2", NameError::NotLetters),
            ("Ol\u{e4}d", NameError::NotLetters),
            ("Ol\u{200B}ad", NameError::NotLetters),
            ("-Olad-", NameError::NotLetters),
            ("north", NameError::Reserved),
            ("Someone", NameError::Reserved),
            ("YOU", NameError::Reserved),
            ("look", NameError::Command),
            ("Admin", NameError::Staff),
            ("Adrnin", NameError::Staff),
            ("Admln", NameError::Staff),
            ("Administration", NameError::Staff),
            ("Announcernent", NameError::Staff),
            ("Sysop", NameError::Staff),
            ("Warning", NameError::Staff),
            ("Svstem", NameError::Staff),
            ("Notice", NameError::Staff),
            ("Voice", NameError::Reserved),
            ("VVizard", NameError::Staff),
            ("Iook", NameError::Command),
            ("Sorneone", NameError::Reserved),
            ("Buiider", NameError::Staff),
            ("Rat", NameError::Item),
        ] {
            assert_eq!(check(name), Err(reason), "{name:?}");
        }
        assert_eq!(NameError::TooLong.to_string(), "a name has at most 16 letters");
    }

    proptest! {
        #[test]
        fn accepted_names_obey_the_rules(name in "\\PC{0,20}|[a-zA-Z]{0,20}") {
            if let Ok(name) = check(&name) {
                prop_assert!(LETTERS.contains(&name.shown.len()));
                prop_assert!(name.shown.bytes().all(|b| b.is_ascii_alphabetic()));
                prop_assert_eq!(check(&name.shown).unwrap(), name.clone());
                prop_assert_eq!(skeleton(&name.skeleton), name.skeleton);
            }
        }
    }
}
