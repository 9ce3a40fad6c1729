//! Removal of colour codes from area files. A scheme is applied only where the file shows that it uses it: a code
//! before a word and, in the same text, a code that ends the colour. All other code characters are kept.

use std::collections::BTreeMap;

/// Maximum length of `[F123]` behind the `@`, in bytes.
const BRACKET_BYTES_MAX: usize = 8;

/// A notation for colours.
struct Scheme {
    /// Name in the report.
    name: &'static str,
    /// Characters that begin a code.
    sign: &'static str,
    /// Letters of codes; empty for two digits.
    codes: &'static str,
    /// The letters that end a colour.
    resets: &'static str,
    /// Set when a doubled code character is an escaped literal.
    doubles: bool,
    /// Set when the code character is too common in prose to be reported.
    is_common: bool,
}

const SCHEMES: [Scheme; 9] = [
    Scheme::new("TAB", "\t", "nrRgGyYbBmMcCwWaAdDjJlLoOpPtTvVuUeE0123456789", "n", false, true),
    Scheme::new("@", "@", "nrRgGyYbBmMcCwWaAdDjJlLoOpPtTvVuUeE0123456789", "n", true, false),
    Scheme::new("&", "&", "nNrRgGyYbBmMcCpPoOzwWdDkKlLxX0123456789*", "nNxX0wdD", true, false),
    Scheme::new("{", "{", "nrRgGyYbBmMcCwWdDxX0123456789*", "xXn0", true, false),
    Scheme::new("\\c", "\\c", "", "", false, false),
    Scheme::new("/c", "/c", "nrRgGyYbBmMcCwWdDxX0", "nwxW0", false, false),
    Scheme::new("#", "#", "nNrRgGyYbBmMcCpPwWdDxX", "nNxXwW", true, false),
    Scheme::new("^", "^", "nNrRgGyYbBmMcCpPwWdDxX", "nNxXwW", true, false),
    Scheme::new("`", "`", "nNrRgGyYbBmMcCpPwWdDxX0123456789", "nNxX7w0", true, true),
];

/// A text without colour codes.
#[derive(Debug, Default)]
pub(super) struct Uncoloured {
    pub(super) text: String,
    /// Number of removed codes, by scheme.
    pub(super) taken: BTreeMap<&'static str, u32>,
    /// Possible codes that were kept: the line, counted from 1, and the code.
    pub(super) doubtful: Vec<(u32, String)>,
}

/// Removes the colour codes of a file. The number of lines does not change.
pub(super) fn without_colours(text: &str) -> Uncoloured {
    let mut done = Uncoloured { text: String::with_capacity(text.len()), ..Uncoloured::default() };
    let mut rest = text;
    while let Some((before, behind)) = rest.split_once('\u{1b}') {
        done.text.push_str(before);
        let skipped = sequence(behind).inspect(|_| *done.taken.entry("ESC").or_default() += 1);
        rest = behind.get(skipped.unwrap_or(0)..).unwrap_or_default();
    }
    done.text.push_str(rest);
    for scheme in SCHEMES.iter().filter(|scheme| text.contains(scheme.sign)) {
        scheme.take_out(&mut done);
    }
    done.doubtful.sort();
    done.doubtful.dedup();
    done
}

/// Returns the length of the control sequence behind an escape character.
fn sequence(rest: &str) -> Option<usize> {
    let rest = rest.strip_prefix('[')?;
    let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
    (end < 16).then_some(end + 2)
}

/// A possible colour code and its surroundings.
struct ColourCode<'t> {
    /// The text before the sign.
    before: &'t str,
    /// The letters of the code.
    letters: &'t str,
    /// The text behind the code.
    behind: &'t str,
    /// Byte offset of the end of the previous code.
    last_end: usize,
    /// Set when a colour has begun and not ended.
    is_open: bool,
}

impl ColourCode<'_> {
    fn follows_code(&self) -> bool {
        self.last_end > 0 && self.last_end == self.before.len()
    }

    fn follows_word(&self) -> bool {
        !self.follows_code() && self.before.ends_with(char::is_alphanumeric)
    }

    fn precedes_word(&self) -> bool {
        self.behind.starts_with(char::is_alphanumeric)
    }

    /// Returns `true` if the text behind the code allows it to end a colour.
    fn ends_colour(&self) -> bool {
        !self.precedes_word() && !self.behind.starts_with('}')
    }

    /// Returns `true` if the code is part of a word: `R&D`, `B&Bs`, `bob@circle.org`, `http://a/creek`.
    fn is_of_word(&self) -> bool {
        if !self.follows_word() {
            return false;
        }
        let head = self.before.trim_end_matches(char::is_alphanumeric).len();
        let letters = self.before.len() - head;
        let is_coloured = self.last_end > head || self.last_end > 0 && self.last_end == head;
        let tail = self.behind.trim_start_matches(char::is_alphanumeric);
        let rest = self.behind.get(..self.behind.len() - tail.len()).unwrap_or_default();
        // A lower-case code after an open colour ends it; an upper-case letter is more likely part of a word such as
        // `R&D`.
        let is_short = !is_coloured
            && (!self.is_open || is_capital(self.letters))
            && (letters == 1 || letters <= 3 && self.before.get(head..).is_some_and(is_capital))
            && (rest.is_empty() || rest == "s");
        let is_address = tail.starts_with(['.', '-'])
            && tail.get(1..).is_some_and(|tail| tail.starts_with(|c: char| c.is_ascii_lowercase()))
            && !is_coloured;
        let goes_on = !self.is_open && !is_capital(self.letters) && self.precedes_word();
        is_short || is_address || goes_on
    }
}

fn is_capital(text: &str) -> bool {
    !text.is_empty() && text.chars().all(char::is_uppercase)
}

impl Scheme {
    const fn new(
        name: &'static str,
        sign: &'static str,
        codes: &'static str,
        resets: &'static str,
        doubles: bool,
        is_common: bool,
    ) -> Self {
        Self { name, sign, codes, resets, doubles, is_common }
    }

    /// Returns the length in bytes of the code behind a code character; `None` if no code follows.
    fn length(&self, behind: &str) -> Option<usize> {
        if self.codes.is_empty() {
            let digits = behind.get(..2)?;
            return digits.bytes().all(|byte| byte.is_ascii_digit()).then_some(2);
        }
        let first = behind.chars().next()?;
        if first == '[' && matches!(self.sign, "@" | "\t") {
            return behind.find(']').filter(|end| *end < BRACKET_BYTES_MAX).map(|end| end + 1);
        }
        self.codes.contains(first).then_some(first.len_utf8())
    }

    fn is_reset(&self, code: &str) -> bool {
        self.resets.contains(code)
    }

    /// Calls `each` with the byte offset and the surroundings of every code of a text.
    fn codes(&self, text: &str, mut each: impl FnMut(usize, &ColourCode<'_>)) {
        let (mut from, mut last_end, mut is_open) = (0, 0, false);
        while let Some(at) = text.get(from..).and_then(|rest| rest.find(self.sign)).map(|at| from + at) {
            let between = text.get(from..at).unwrap_or_default();
            is_open &= !between.contains("~\n") && !between.contains("~\r");
            let behind = text.get(at + self.sign.len()..).unwrap_or_default();
            if self.doubles && behind.starts_with(self.sign) {
                from = at + 2 * self.sign.len();
                continue;
            }
            from = at + self.sign.len();
            let Some(length) = self.length(behind) else { continue };
            let (code, behind) = behind.split_at_checked(length).unwrap_or_default();
            let before = text.get(..at).unwrap_or_default();
            let found = ColourCode { before, letters: code, behind, last_end, is_open };
            each(at, &found);
            if !found.is_of_word() {
                is_open = !self.is_reset(code);
                last_end = from + length;
                from = last_end;
            }
        }
    }

    /// Returns `true` if the text shows that it uses this scheme.
    fn is_used(&self, text: &str) -> bool {
        let (mut begun, mut is_used) = (false, false);
        self.codes(text, |_, code| {
            begun &= code.is_open;
            if self.codes.is_empty() {
                is_used = true;
            } else if code.is_of_word() {
            } else if self.is_reset(code.letters) && begun && code.ends_colour() {
                is_used = true;
            } else if !code.follows_word() && self.opens(code) {
                begun = true;
            }
        });
        is_used
    }

    /// Returns `true` if the code is directly before the text that it colours.
    fn opens(&self, code: &ColourCode<'_>) -> bool {
        code.precedes_word()
            || code.behind.starts_with(['"', '\'', '(', '[', '<', '*', '-'])
            || code.behind.starts_with(self.sign)
    }

    fn take_out(&self, done: &mut Uncoloured) {
        let text = std::mem::take(&mut done.text);
        let is_used = self.is_used(&text);
        let (mut kept, mut from) = (String::with_capacity(text.len()), 0);
        let mut taken = 0;
        let (mut line, mut counted) = (1, 0);
        self.codes(&text, |at, code| {
            if is_used && !code.is_of_word() {
                kept.push_str(&self.undoubled(text.get(from..at).unwrap_or_default(), true));
                from = at + self.sign.len() + code.letters.len();
                taken += 1;
            } else if !self.is_common && (is_used || self.opens(code) || "@&".contains(self.sign)) {
                let lines = text.get(counted..at).unwrap_or_default().matches('\n').count();
                (line, counted) = (line + u32::try_from(lines).unwrap_or(u32::MAX - line), at);
                done.doubtful.push((line, format!("{}{}", self.sign, code.letters)));
            }
        });
        kept.push_str(&self.undoubled(text.get(from..).unwrap_or_default(), is_used));
        if taken > 0 {
            done.taken.insert(self.name, taken);
        }
        done.text = kept;
    }

    /// Replaces doubled code characters by one: everywhere if the scheme is used, else only `@` and `&` within words.
    fn undoubled(&self, text: &str, is_used: bool) -> String {
        let doubled = self.sign.repeat(2);
        if !self.doubles || !text.contains(&doubled) {
            return text.to_owned();
        }
        if is_used {
            return text.replace(&doubled, self.sign);
        }
        if !matches!(self.sign, "@" | "&") {
            return text.to_owned();
        }
        let mut parts = text.split(doubled.as_str());
        let mut kept = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let is_inside = kept.ends_with(char::is_alphanumeric) && part.starts_with(char::is_alphanumeric);
            kept.push_str(if is_inside { self.sign } else { &doubled });
            kept.push_str(part);
        }
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plain(text: &str) -> String {
        without_colours(text).text
    }

    #[test]
    fn codes_of_used_schemes_are_removed() {
        for coloured in [
            "@RRed@n Inn, @ythe@n inn",
            "&RRed&n Inn, &ythe&n inn",
            "&RRed&w Inn, &ythe&w inn",
            "\tRRed\tn Inn, \tythe\tn inn",
            "{RRed{x Inn, {ythe{x inn",
            "\\c02Red\\c00 Inn, \\c11the\\c00 inn",
            "/crRed/cw Inn, /cythe/cw inn",
            "#rRed#n Inn, #ythe#n inn",
            "^rRed^n Inn, ^ythe^n inn",
            "`rRed`n Inn, `ythe`n inn",
            "\u{1b}[1;31mRed\u{1b}[0m Inn, the inn",
            "@RR@Ye@rd@n Inn, @[F123]the@n inn",
        ] {
            let done = without_colours(coloured);
            assert_eq!(done.text, "Red Inn, the inn", "{coloured}");
            assert_eq!(done.taken.len(), 1, "{coloured}");
            assert!(done.doubtful.is_empty(), "{coloured}: {:?}", done.doubtful);
        }
    }

    #[test]
    fn code_characters_without_a_scheme_are_kept() {
        for text in [
            "The R&D office of the B&B, next to D&D. Letters go to bob@circle.org.",
            "Salt & pepper, &c., Smith &co and ann@nowhere.org.",
            "either/case, and/credit, http://a/creek, /cold",
            "House #g and #1, x^r, 2^n, `cat' and `dog', {Red} {x} {y}.",
            "\tYou see a mill.\n\tYonder is a gate.\nIt\tnow turns.",
            "^^^ ### @@@ &&& {{{",
            "C:\\code, \\c, \\c1",
            "@",
            "&",
        ] {
            let done = without_colours(text);
            assert_eq!(done.text, text);
            assert!(done.taken.is_empty(), "{text}");
        }
        assert_eq!(plain("bob@@circle.org, R&&D"), "bob@circle.org, R&D");
    }

    #[test]
    fn words_with_code_characters_are_kept() {
        let text = plain("&RThe R&D office&n of the B&Bs: &gD&&D&n, r&b and salt && pepper.~\n");
        assert_eq!(text, "The R&D office of the B&Bs: D&D, r&b and salt & pepper.~\n");
        assert_eq!(
            plain("@RRed@n letters go to bob@circle.org, or a@@b."),
            "Red letters go to bob@circle.org, or a@b."
        );
        assert_eq!(plain("&Ra&n sword"), "a sword");
    }

    #[test]
    fn doubtful_codes_are_reported_with_their_lines() {
        let done = without_colours("one\n&Rtwo\nthree @Yfour\n");
        assert_eq!(done.text, "one\n&Rtwo\nthree @Yfour\n");
        assert_eq!(done.doubtful, [(2, "&R".to_owned()), (3, "@Y".to_owned())]);
    }
}
