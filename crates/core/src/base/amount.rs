//! Parsing of amounts typed by players. Zero, negative, huge and malformed numbers, and digits of other scripts, are
//! refused with a message.

/// Largest amount that can be typed.
pub const MOST: u32 = 1_000_000_000;

/// Reason why a word is not a valid amount.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum AmountError {
    /// Zero.
    Zero,
    /// Negative number.
    Negative,
    /// More than [`MOST`].
    TooMuch,
    /// Characters other than the digits 0 to 9.
    NotANumber,
}

impl AmountError {
    /// Returns the message for the player.
    pub const fn sentence(self) -> &'static str {
        match self {
            Self::Zero => "None at all is not an amount.",
            Self::Negative => "Less than nothing is not an amount.",
            Self::TooMuch => "There is not that much of anything.",
            Self::NotANumber => "That is not a number. Type a whole number in plain digits, such as 5.",
        }
    }
}

/// Returns `true` if a word looks like an amount: it begins like a number and is not an ordinal such as "2.rat".
pub fn is_meant(word: &str) -> bool {
    let begins = word.chars().next().is_some_and(|c| c.is_numeric() || matches!(c, '-' | '+'));
    let ordinal = word.split_once('.').is_some_and(|(number, name)| {
        !number.is_empty()
            && number.bytes().all(|b| b.is_ascii_digit())
            && name.chars().next().is_some_and(|c| !c.is_numeric())
    });
    begins && !ordinal
}

/// Parses an amount.
///
/// # Errors
/// The reason why the word is not a valid amount.
pub fn parse(word: &str) -> Result<u32, AmountError> {
    let digits = word.strip_prefix('-').unwrap_or(word);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return Err(AmountError::NotANumber);
    }
    if digits.bytes().all(|byte| byte == b'0') {
        return Err(AmountError::Zero);
    }
    if digits.len() < word.len() {
        return Err(AmountError::Negative);
    }
    // Only digits are left, so parsing can only fail by overflow.
    digits.parse::<u32>().ok().filter(|amount| *amount <= MOST).ok_or(AmountError::TooMuch)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a7_invalid_amounts_are_refused_with_a_reason() {
        for (word, error) in [
            ("0", AmountError::Zero),
            ("000", AmountError::Zero),
            ("-0", AmountError::Zero),
            ("-1", AmountError::Negative),
            ("-99999999999999999999999999", AmountError::Negative),
            ("1000000001", AmountError::TooMuch),
            ("4294967296", AmountError::TooMuch),
            ("99999999999999999999999999", AmountError::TooMuch),
            ("5x", AmountError::NotANumber),
            ("5,000", AmountError::NotANumber),
            ("5.5", AmountError::NotANumber),
            ("1e3", AmountError::NotANumber),
            ("0x10", AmountError::NotANumber),
            ("+5", AmountError::NotANumber),
            ("--5", AmountError::NotANumber),
            ("-", AmountError::NotANumber),
            ("", AmountError::NotANumber),
            ("٥", AmountError::NotANumber),
            ("５", AmountError::NotANumber),
            ("²", AmountError::NotANumber),
            ("½", AmountError::NotANumber),
        ] {
            assert_eq!(parse(word), Err(error), "{word}");
        }
        assert_eq!((parse("1"), parse("0012"), parse("1000000000")), (Ok(1), Ok(12), Ok(MOST)));
    }

    #[test]
    fn ordinals_and_names_are_not_amounts() {
        for word in ["5", "-5", "+5", "5x", "5.5", "5.", "٥", "½", "1e3", "٥.rat"] {
            assert!(is_meant(word), "{word}");
        }
        for word in ["2.rat", "all", "all.potion", "lamp", "", "x5", ".5"] {
            assert!(!is_meant(word), "{word}");
        }
    }
}
