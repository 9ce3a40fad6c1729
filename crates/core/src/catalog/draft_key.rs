//! Keys of the versions that drafts of zones have of definitions: `mill_draft__hare` is the `hare` of the draft of the mill.

/// Ending of the key of a draft.
pub const DRAFT_ENDING: &str = "_draft";

/// Sign between the key of a draft and that of a definition, with the ending of the former.
const SIGN: &str = "_draft__";

/// Returns the key of a draft's version of a definition.
pub fn join(draft: &str, key: &str) -> String {
    format!("{draft}__{key}")
}

/// Splits the key of a draft's version into those of the draft and of the definition; `None` for any other key.
pub fn split(key: &str) -> Option<(&str, &str)> {
    let at = key.rfind(SIGN).filter(|at| *at > 0)? + DRAFT_ENDING.len();
    Some((&key[..at], &key[at + 2..]))
}

/// Returns the key that a builder types for a definition.
pub fn plain(key: &str) -> &str {
    split(key).map_or(key, |(_, plain)| plain)
}

/// Returns the key of a definition as sentences name it: `hare in the draft of mill`.
pub fn described(key: &str) -> String {
    split(key).map_or_else(|| key.to_owned(), |(draft, plain)| described_in(plain, draft))
}

/// Returns the key of a definition that belongs to a draft as sentences name it.
pub fn described_in(plain: &str, draft: &str) -> String {
    format!("{plain} in the draft of {}", draft.strip_suffix(DRAFT_ENDING).unwrap_or(draft))
}

/// Returns a text in which the versions of all drafts have the keys of their definitions.
pub fn plain_text(text: &str) -> String {
    let (mut done, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(SIGN) {
        done.push_str(rest[..at].trim_end_matches(|c: char| c.is_ascii_alphanumeric() || c == '_'));
        rest = &rest[at + SIGN.len()..];
    }
    done.push_str(rest);
    done
}

/// Returns a text in which the versions, rooms and variables of a draft have their published names.
pub fn published_text(text: &str, draft: &str, zone: &str) -> String {
    let (mut done, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(at) = rest.find(draft) {
        let (before, found) = rest.split_at(at);
        let is_part = |c: char| c.is_ascii_alphanumeric() || c == '_';
        let is_inside = before.chars().next_back().or_else(|| done.chars().next_back()).is_some_and(is_part);
        let after = &found[draft.len()..];
        done.push_str(before);
        rest = match after.strip_prefix("__") {
            Some(key) if !is_inside && key.starts_with(is_part) => key,
            _ if !is_inside && after.starts_with('/') => {
                done.push_str(zone);
                after
            }
            _ => {
                done.push_str(draft);
                after
            }
        };
    }
    done.push_str(rest);
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn key_of_a_version_names_its_draft() {
        let key = join("mill_draft", "hare");
        assert_eq!((split(&key), plain(&key)), (Some(("mill_draft", "hare")), "hare"));
        for key in ["hare", "mill_draft_hare", "_draft__hare", "mill_draft"] {
            assert_eq!((split(key), plain(key)), (None, key));
        }
    }

    #[test]
    fn plain_text_has_no_keys_of_versions() {
        for (text, expected) in [
            ("give mill_draft__hare, barn_draft__fox", "give hare, fox"),
            ("\u{e9}mill_draft__hare", "\u{e9}hare"),
            ("mill_draft/loft in mill_draft", "mill_draft/loft in mill_draft"),
        ] {
            assert_eq!(plain_text(text), expected);
        }
        assert_eq!(described("mill_draft__hare"), "hare in the draft of mill");
        assert_eq!(described("hare"), "hare");
    }

    #[test]
    fn published_text_has_no_names_of_the_draft() {
        for (text, expected) in [
            ("give mill_draft__hare", "give hare"),
            ("mill_draft/loft and {var:mill_draft/heat}", "mill/loft and {var:mill/heat}"),
            ("windmill_draft__hare mill_draft mill_draft_x", "windmill_draft__hare mill_draft mill_draft_x"),
            ("mill_draft__hare;mill_draft__fox", "hare;fox"),
        ] {
            assert_eq!(published_text(text, "mill_draft", "mill"), expected);
        }
    }
}
