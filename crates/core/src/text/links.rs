//! Clickable links (OSC 8): selection of linked text, and encoding of links. Only text of the server becomes a link. A
//! click sends the command as ordinary input.

use super::Style;

/// Maximum length in bytes of a command sent by a link.
const COMMAND_BYTES_MAX: usize = 80;

/// Returns the command sent by a click on a run of this style: an exit, or a complete command. `None` for text that
/// cannot be clicked and for commands with placeholders, such as `connect NAME`.
pub(super) fn command(style: Style, run: &str) -> Option<&str> {
    let meant_to_be_typed = matches!(style, Style::Exit | Style::Command);
    let command = run.trim();
    let fit = !command.is_empty() && command.len() <= COMMAND_BYTES_MAX && !command.contains('\n');
    let complete = !command.contains(['[', ']', '|', '<', '>', '$', '"']) && !command.contains("...");
    let to_fill_in = command.split(|c: char| !c.is_alphabetic()).any(|word| {
        let mut letters = word.chars();
        letters.next().is_some_and(char::is_uppercase) && letters.next().is_some_and(char::is_uppercase)
    });
    (meant_to_be_typed && fit && complete && !to_fill_in).then_some(command)
}

/// Opens a link that sends a command. All characters except letters, digits and `.`, `_`, `~`, `-` are percent-encoded.
pub(super) fn open(out: &mut String, command: &str) {
    const HEX: &[char] = &['0', '1', '2', '3', '4', '5', '6', '7', '8', '9', 'A', 'B', 'C', 'D', 'E', 'F'];
    out.push_str("\x1b]8;;send:");
    for byte in command.bytes() {
        if byte.is_ascii_alphanumeric() || b"._~-".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.extend(['%', HEX[usize::from(byte >> 4)], HEX[usize::from(byte & 15)]]);
        }
    }
    out.push_str("\x1b\\");
}

/// Closes a link.
pub(super) fn close(out: &mut String) {
    out.push_str("\x1b]8;;\x1b\\");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn protocols_5_18_exits_and_commands_are_links() {
        assert_eq!(command(Style::Exit, "north"), Some("north"));
        assert_eq!(command(Style::Command, "party accept "), Some("party accept"));
        assert_eq!(command(Style::Command, "rescue Bera"), Some("rescue Bera"));
        for style in Style::ALL.into_iter().filter(|style| !matches!(style, Style::Exit | Style::Command)) {
            assert_eq!(command(style, "quit"), None, "{style:?}");
        }
    }

    #[test]
    fn commands_with_placeholders_are_not_links() {
        for text in [
            "",
            " ",
            "connect NAME",
            "config [SETTING [VALUE]]",
            "a\nb",
            "on|off",
            "get <thing>",
            "say $1",
            "say \"hi\"",
            "tell ...",
        ] {
            assert_eq!(command(Style::Command, text), None, "{text}");
        }
        assert_eq!(command(Style::Command, &"x".repeat(81)), None);
    }

    #[test]
    fn protocols_5_18_special_characters_are_percent_encoded() {
        let mut out = String::new();
        open(&mut out, "go oak-gate\u{e9}\u{1b}\\;");
        close(&mut out);
        assert_eq!(out, "\x1b]8;;send:go%20oak-gate%C3%A9%1B%5C%3B\x1b\\\x1b]8;;\x1b\\");
    }
}
