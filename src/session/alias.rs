//! Expands a typed line into commands: several commands on one line, `repeat`, and aliases.
//!
//! Each line is expanded once and the result is not expanded again, so an alias cannot call itself. The separator does
//! not split speech. The game interprets the commands.

use deepwell_core::base::limits::Limits;
use deepwell_core::base::unicode;
use deepwell_core::world::Settings;
use deepwell_game::{Input, command};

use super::{Request, Session, SessionAction, SessionStage};
use smallvec::{SmallVec, smallvec};

/// Reason why a line is refused: a sentence for the player.
type AliasRefusal = String;

/// Returns the commands of a line.
///
/// # Errors
/// There are too many commands, or one is too long.
pub(super) fn expand(
    line: &str,
    settings: &Settings,
    limits: &Limits,
) -> Result<SmallVec<[String; 1]>, AliasRefusal> {
    let most = limits.stacked_commands as usize;
    let mut commands = SmallVec::new();
    for piece in pieces(line, settings.stack.separator(), settings) {
        let (times, command) = repeated(piece);
        let meant = meant(command, settings);
        if commands.len() + meant.len().saturating_mul(times) > most {
            return Err(format!(
                "One line may hold {most} commands, and this one would hold more. Nothing was done."
            ));
        }
        if meant.iter().any(|command| command.len() > limits.line_bytes as usize) {
            return Err("With what your alias stands for, that line is too long. Nothing was done.".into());
        }
        for _ in 1..times {
            commands.extend(meant.iter().cloned());
        }
        commands.extend(meant);
    }
    Ok(commands)
}

/// Splits a line at the separator. Speech extends to the end of the line.
fn pieces<'a>(line: &'a str, separator: Option<&str>, settings: &Settings) -> SmallVec<[&'a str; 1]> {
    let Some(separator) = separator else { return smallvec![line] };
    let mut pieces = SmallVec::new();
    let mut rest = line.trim();
    while !rest.is_empty() {
        let (_, command) = repeated(rest);
        let (piece, after) = if is_spoken(command, settings) {
            (rest, "")
        } else {
            rest.split_once(separator).unwrap_or((rest, ""))
        };
        pieces.extend(Some(piece.trim()).filter(|piece| !piece.is_empty()));
        rest = after.trim_start();
    }
    pieces
}

/// Returns `true` if the command, or an alias's expansion, takes the rest of the line as text.
fn is_spoken(command: &str, settings: &Settings) -> bool {
    match alias_of(command, settings) {
        Some(text) => pieces_of_alias(text).into_iter().any(command::takes_words),
        None => command::takes_words(command),
    }
}

/// Splits off a repeat count: `repeat 3 strike` becomes 3 and `strike`.
fn repeated(piece: &str) -> (usize, &str) {
    let parts = piece.split_once(char::is_whitespace).filter(|(word, _)| word.eq_ignore_ascii_case("repeat"));
    let parts = parts.and_then(|(_, rest)| rest.trim_start().split_once(char::is_whitespace));
    let times = parts.and_then(|(number, command)| Some((number.parse::<u16>().ok()?, command.trim_start())));
    match times {
        Some((times @ 1.., command)) if !command.is_empty() => (usize::from(times), command),
        _ => (1, piece),
    }
}

/// Returns the text of the alias that the command begins with.
fn alias_of<'a>(command: &str, settings: &'a Settings) -> Option<&'a str> {
    if settings.aliases.is_empty() {
        return None;
    }
    let word = unicode::lowercase(command.split(char::is_whitespace).next()?);
    settings.aliases.get(&*word).map(String::as_str).filter(|_| command::may_be_alias(&word))
}

/// Returns the commands of an alias, which are always separated by semicolons.
fn pieces_of_alias(text: &str) -> SmallVec<[&str; 1]> {
    pieces(text, Some(";"), &Settings::default())
}

/// Returns the commands of an alias, or the command itself if it is not an alias.
fn meant(command: &str, settings: &Settings) -> SmallVec<[String; 1]> {
    let Some(text) = alias_of(command, settings) else { return smallvec![command.to_owned()] };
    let arguments = command.split_once(char::is_whitespace).map_or("", |(_, rest)| rest.trim());
    let mut commands: SmallVec<[String; 1]> =
        pieces_of_alias(text).into_iter().map(|piece| filled(piece, arguments)).collect();
    if !has_placeholder(text)
        && !arguments.is_empty()
        && let Some(last) = commands.last_mut()
    {
        last.push(' ');
        last.push_str(arguments);
    }
    commands
}

/// Returns `true` if the text has a placeholder for arguments.
fn has_placeholder(text: &str) -> bool {
    text.split('$').skip(1).any(|after| after.starts_with(['*', '1', '2', '3', '4', '5', '6', '7', '8', '9']))
}

/// Substitutes the arguments for `$1` to `$9` and `$*`; `$$` is a dollar sign.
fn filled(piece: &str, arguments: &str) -> String {
    let words: Vec<&str> = arguments.split_whitespace().collect();
    let mut command = String::with_capacity(piece.len() + arguments.len());
    let mut letters = piece.chars().peekable();
    while let Some(letter) = letters.next() {
        let slot = letters.peek().copied().filter(|_| letter == '$');
        match slot {
            Some('*') => command.push_str(arguments),
            Some('$') => command.push('$'),
            Some(digit @ '1'..='9') => {
                let at = digit.to_digit(10).map_or(0, |digit| digit as usize - 1);
                command.push_str(words.get(at).copied().unwrap_or_default());
            }
            _ => {
                command.push(letter);
                continue;
            }
        }
        letters.next();
    }
    command
}

impl Session {
    /// Expands a line that is neither a password nor a history reference. The first command is sent to the game
    /// immediately; each further command takes another token of the rate limit.
    pub(super) fn typed(&mut self, line: &str, actions: &mut Vec<SessionAction>) {
        let mut commands = match expand(line, self.screen.settings(), &self.config.limits) {
            Ok(commands) => commands.into_iter(),
            Err(refused) => return self.screen.say(&refused),
        };
        match commands.next() {
            Some(command) => self.command(command, actions),
            None => self.screen.want_prompt(),
        }
        self.expanded.extend(commands);
    }

    /// Sends a command to the game, without any part that may be a password.
    pub(super) fn command(&mut self, mut line: String, actions: &mut Vec<SessionAction>) {
        if let SessionStage::Playing(play) = &mut self.stage {
            play.asked(&line);
            line.truncate(command::without_secrets(&line).len());
            actions.push(SessionAction::Ask(Request::Game(Input::Command { session: self.id, line })));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::world::Stacking;
    use proptest::prelude::*;

    fn settings(aliases: &[(&str, &str)], stack: Stacking) -> Settings {
        let aliases = aliases.iter().map(|(name, text)| ((*name).into(), (*text).into())).collect();
        Settings { stack, aliases, ..Settings::default() }
    }

    fn commands(line: &str, settings: &Settings) -> Vec<String> {
        expand(line, settings, &Limits::default()).unwrap().into_vec()
    }

    #[test]
    fn alias_arguments_fill_placeholders_or_are_appended() {
        let settings = settings(
            &[
                ("gg", "get $1 $2;drop $1"),
                ("all", "say $* costs $$5"),
                ("k", "kill"),
                ("look", "look;exits"),
            ],
            Stacking::Off,
        );
        assert_eq!(commands("gg lamp", &settings), ["get lamp ", "drop lamp"]);
        assert_eq!(commands("GG lamp blue", &settings), ["get lamp blue", "drop lamp"]);
        assert_eq!(commands("all this; that", &settings), ["say this; that costs $5"]);
        assert_eq!(commands("k clay rat", &settings), ["kill clay rat"]);
        assert_eq!(commands("look", &settings), ["look", "exits"], "nothing is taken apart twice");
        assert_eq!(commands("kk rat", &settings), ["kk rat"]);
        assert_eq!(commands("north;south", &settings), ["north;south"], "stacking is off by default");
    }

    /// Protocols 7.7: a line is split only if the player has enabled it, and never inside speech.
    #[test]
    fn separator_splits_commands_but_not_speech() {
        let one = settings(&[("hi", "say hello $*")], Stacking::One);
        assert_eq!(commands("n; e ;;look", &one), ["n", "e", "look"]);
        assert_eq!(commands("n;say one; two", &one), ["n", "say one; two"]);
        assert_eq!(commands("'one; two", &one), ["'one; two"]);
        for line in [
            "tell bera a;b", "p a;b", "ooc a;b", ":a;b", "sa a;b", "bug a;b", "config stack ;",
            "alias x = a;b",
        ] {
            assert_eq!(commands(line, &one), [line]);
        }
        assert_eq!(commands("hi a;b", &one), ["say hello a;b"]);
        assert_eq!(commands("repeat 2 say a;b", &one), ["say a;b", "say a;b"]);
        assert_eq!(commands(" ; ;", &one), Vec::<String>::new());
        let two = settings(&[], Stacking::Two);
        assert_eq!(commands("n;;e;w", &two), ["n", "e;w"]);
    }

    #[test]
    fn repeat_repeats_a_command() {
        let settings = settings(&[("k", "kill rat;look")], Stacking::One);
        assert_eq!(commands("repeat 3 n; REPEAT 2 k", &settings).len(), 7);
        for line in ["repeat", "repeat 3", "repeat x n", "repeat 0 n", "repeat -1 n", "repeat 99999 n"] {
            assert_eq!(commands(line, &settings), [line], "the game says what is wrong");
        }
        assert!(
            expand("repeat 11 n", &settings, &Limits::default())
                .unwrap_err()
                .contains("may hold 10 commands")
        );
    }

    /// T6: neither an alias nor a second command on the line passes a password to the game.
    #[test]
    fn t6_password_arguments_are_not_sent_to_game() {
        for line in ["p correct horse", "sing;password correct horse"] {
            let mut table = crate::session::tests::harness::Table::playing();
            let settings = settings(&[("p", "sing;password $*")], Stacking::One);
            table.output(deepwell_game::Output::Settings(Box::new(settings)));
            table.type_line(line);
            assert_eq!(table.commands, ["sing", "password"], "{line}");
        }
    }

    /// A8: aliases that call themselves, call each other, double or repeat themselves.
    #[test]
    fn a8_aliases_are_not_expanded_recursively() {
        let settings = settings(
            &[("a", "a;a"), ("b", "c;c"), ("c", "b;b"), ("d", "repeat 9 d"), ("quit", "say no")],
            Stacking::One,
        );
        assert_eq!(commands("a", &settings), ["a", "a"]);
        assert_eq!(commands("b", &settings), ["c", "c"]);
        assert_eq!(commands("d", &settings), ["repeat 9 d"], "the game refuses it");
        assert_eq!(commands("quit", &settings), ["quit"], "nobody can be locked in");
        let long = settings_with_long_alias();
        let limits = Limits { line_bytes: 256, ..Limits::default() };
        assert!(expand(&format!("x {}", "y".repeat(200)), &long, &limits).unwrap_err().contains("too long"));
    }

    fn settings_with_long_alias() -> Settings {
        settings(&[("x", "say $* $* $*")], Stacking::Off)
    }

    proptest! {
        /// A8: the number of commands and bytes is bounded for any input and any aliases.
        #[test]
        fn a8_commands_and_bytes_are_bounded(
            line in "[abn; $*1-3]{0,60}|repeat [0-9]{1,6} [abn;]{1,20}",
            texts in prop::collection::vec("[abn; $*1-3]{1,40}", 2),
        ) {
            let settings = settings(&[("a", &texts[0]), ("b", &texts[1])], Stacking::One);
            let limits = Limits { line_bytes: 256, ..Limits::default() };
            if let Ok(commands) = expand(&line, &settings, &limits) {
                prop_assert!(commands.len() <= 10);
                prop_assert!(commands.iter().all(|command| command.len() <= 256));
            }
        }
    }
}
