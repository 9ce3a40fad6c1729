//! Rules for new passwords.

/// Refusal of a password with bytes that are invalid in the client's character set.
pub(super) const ILLEGIBLE: &str = "Your program sends letters that cannot be read, so that password would match others. Choose the \
     letters of your program first: encoding latin1, or encoding cp1251 for Cyrillic, at the name prompt; config encoding latin1 in \
     the game. Then try again.";

/// Minimum length of a password in characters.
const PASSWORD_CHARS_MIN: usize = 6;

/// Maximum length of a password in bytes.
const PASSWORD_BYTES_MAX: usize = 128;

/// Returns the problem with a new password, if any.
pub(super) fn flaw(name: &str, password: &str) -> Option<&'static str> {
    if password.contains(char::REPLACEMENT_CHARACTER) {
        Some(ILLEGIBLE)
    } else if password.chars().count() < PASSWORD_CHARS_MIN {
        Some("That password is too short: it needs at least six characters.")
    } else if password.len() > PASSWORD_BYTES_MAX {
        Some("That password is too long: it may have 128 bytes, which is as many plain letters.")
    } else if password.eq_ignore_ascii_case(name) {
        Some("Your name is the first thing anybody would try. Choose another password.")
    } else {
        None
    }
}
