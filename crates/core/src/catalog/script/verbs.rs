//! Tables of verbs with arguments: actions and tests of scripts, and events. The row of a verb determines how it is parsed
//! and formatted, and which variables and other content it refers to.

use crate::catalog::references::Referent;
use crate::catalog::script::slot;

/// Kind of an argument.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArgumentKind {
    /// Text with slots, up to the end of the line.
    Text,
    /// Words up to the end of the line.
    Words,
    /// The same, perhaps none.
    WordsIfAny,
    /// Key of other content.
    Key(Referent),
    /// Key of a step of the quest before it.
    Step,
    /// Name of a variable.
    Variable,
    /// Name of a variable before `=`.
    Assigned,
    /// Text with slots behind `=`, perhaps none.
    Value,
    /// Number between these bounds.
    Number(u32, u32),
    /// Number from 1 to this maximum, and 1 if it is absent.
    Count(u32),
    /// Number from 1 to this maximum, perhaps with this unit behind it.
    Unit(u32, char),
    /// Any other word.
    Word,
}

impl ArgumentKind {
    /// Returns the kind of content that the argument refers to.
    pub const fn referent(self) -> Option<Referent> {
        if let Self::Key(of) = self { Some(of) } else { None }
    }

    /// Renames the variables in an argument of this kind.
    pub fn rename_variables(self, text: &mut String, mut rename: impl FnMut(&str) -> String) {
        match self {
            Self::Variable | Self::Assigned => *text = rename(text),
            Self::Text | Self::Value => *text = slot::with_variables(text, rename),
            _ => {}
        }
    }
}

/// Arguments that are being parsed.
#[derive(Debug)]
pub struct VerbArguments<'t> {
    /// All arguments as typed.
    pub whole: &'t str,
    /// Words that are not parsed yet.
    pub words: std::vec::IntoIter<&'t str>,
}

impl<'t> VerbArguments<'t> {
    /// Splits arguments at blanks.
    pub fn of(whole: &'t str) -> Self {
        Self { whole, words: whole.split_whitespace().collect::<Vec<_>>().into_iter() }
    }

    /// Takes all words.
    fn rest(&mut self) -> &'t str {
        self.words = Vec::new().into_iter();
        self.whole
    }
}

/// Argument of a verb.
pub trait VerbArgument {
    /// Parses it; `None` if the words do not fit.
    fn read(kind: ArgumentKind, arguments: &mut VerbArguments<'_>) -> Option<Self>
    where
        Self: Sized;

    /// Formats it as it is typed, with its text as `quote` returns it; empty if it is omitted.
    fn print(&self, kind: ArgumentKind, quote: fn(&str) -> String) -> String;

    /// Returns its text, if it is one.
    fn text(&self) -> Option<&String> {
        None
    }

    /// Returns the same for editing.
    fn text_mut(&mut self) -> Option<&mut String> {
        None
    }
}

impl VerbArgument for String {
    fn read(kind: ArgumentKind, arguments: &mut VerbArguments<'_>) -> Option<Self> {
        let text = match kind {
            ArgumentKind::WordsIfAny => arguments.rest(),
            ArgumentKind::Text | ArgumentKind::Words => {
                Some(arguments.rest()).filter(|text| !text.is_empty())?
            }
            ArgumentKind::Assigned => {
                let name = arguments.whole.split_once('=')?.0.trim();
                (!name.is_empty() && !name.contains(char::is_whitespace)).then_some(name)?
            }
            ArgumentKind::Value => arguments.rest().split_once('=')?.1.trim(),
            _ => arguments.words.next()?,
        };
        Some(text.to_owned())
    }

    fn print(&self, kind: ArgumentKind, quote: fn(&str) -> String) -> String {
        if kind == ArgumentKind::Value { format!("= {self}") } else { quote(self) }
    }

    fn text(&self) -> Option<&String> {
        Some(self)
    }

    fn text_mut(&mut self) -> Option<&mut String> {
        Some(self)
    }
}

impl VerbArgument for u32 {
    fn read(kind: ArgumentKind, arguments: &mut VerbArguments<'_>) -> Option<Self> {
        let (least, most, text) = match kind {
            ArgumentKind::Count(_) if arguments.words.len() < 2 => return Some(1),
            ArgumentKind::Count(most) => (1, most, arguments.words.next()?),
            ArgumentKind::Number(least, most) => (least, most, arguments.words.next()?),
            ArgumentKind::Unit(most, unit) => {
                let text = arguments.rest();
                (1, most, text.strip_suffix(unit).unwrap_or(text).trim_end())
            }
            _ => return None,
        };
        text.parse().ok().filter(|number| (least..=most).contains(number))
    }

    fn print(&self, kind: ArgumentKind, _: fn(&str) -> String) -> String {
        match kind {
            ArgumentKind::Count(_) if *self == 1 => String::new(),
            ArgumentKind::Unit(_, unit) => format!("{self}{unit}"),
            _ => self.to_string(),
        }
    }
}

/// A verb as it is listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct VerbRow {
    /// Verb.
    pub verb: &'static str,
    /// Description of its arguments.
    pub form: &'static str,
    /// One-line help.
    pub about: &'static str,
}

/// Enumeration that `verbs!` declares.
pub trait ScriptVerb: Sized {
    /// Verbs.
    const ROWS: &'static [VerbRow];

    /// Parses the arguments of a verb; `None` if the verb is unknown or they do not fit.
    fn read(verb: &str, arguments: &mut VerbArguments<'_>) -> Option<Self>;

    /// Returns the verb, and the arguments with their kinds.
    fn parts(&self) -> (&'static str, Vec<(ArgumentKind, &dyn VerbArgument)>);

    /// Returns the texts among the arguments, with their kinds, for editing.
    fn texts_mut(&mut self) -> Vec<(ArgumentKind, &mut String)>;

    /// Returns the texts among the arguments, with their kinds.
    fn texts(&self) -> impl Iterator<Item = (ArgumentKind, &String)> {
        self.parts().1.into_iter().filter_map(|(kind, argument)| Some((kind, argument.text()?)))
    }

    /// Returns all verbs.
    fn names() -> impl Iterator<Item = &'static str> {
        Self::ROWS.iter().map(|row| row.verb)
    }

    /// Returns all verbs with the descriptions of their arguments behind them.
    fn forms() -> Vec<String> {
        Self::ROWS
            .iter()
            .map(|VerbRow { verb, form, .. }| format!("{verb} {form}").trim_end().to_owned())
            .collect()
    }
}

/// Declares an enumeration of verbs whose texts a function formats: one row for each, with its arguments and their kinds,
/// its word, and a description of its arguments.
macro_rules! verbs {
    (
        $(#[$meta:meta])*
        pub enum $name:ident as $quote:path {
            $($(#[$($doc:tt)*])* $row:ident $(($($value:ident: $type:ty = $kind:expr),+))? = $word:tt $($form:literal)?,)*
        }
    ) => {
        $(#[$meta])*
        pub enum $name { $($(#[$($doc)*])* $row $(($($type),+))?,)* }

        impl ScriptVerb for $name {
            const ROWS: &'static [$crate::catalog::script::verbs::VerbRow] =
                &[$($crate::catalog::script::verbs::VerbRow {
                    verb: $word,
                    form: concat!($($form)?),
                    about: concat!($($crate::data::doc_text!($($doc)*)),*).trim_ascii(),
                }),*];

            fn read(verb: &str, arguments: &mut VerbArguments<'_>) -> Option<Self> {
                let read = match verb {
                    $($word => Self::$row $(($(VerbArgument::read($kind, arguments)?),+))?,)*
                    _ => return None,
                };
                (arguments.words.len() == 0).then_some(read)
            }

            fn parts(&self) -> (&'static str, Vec<(ArgumentKind, &dyn VerbArgument)>) {
                match self {
                    $(Self::$row $(($($value),+))? => ($word, vec![$($(($kind, $value as _)),+)?]),)*
                }
            }

            fn texts_mut(&mut self) -> Vec<(ArgumentKind, &mut String)> {
                let texts: Vec<(ArgumentKind, Option<&mut String>)> = match self {
                    $(Self::$row $(($($value),+))? => vec![$($(($kind, $value.text_mut())),+)?],)*
                };
                texts.into_iter().filter_map(|(kind, text)| Some((kind, text?))).collect()
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                let (verb, arguments) = self.parts();
                f.write_str(verb)?;
                let printed = arguments.into_iter().map(|(kind, argument)| argument.print(kind, $quote));
                printed.filter(|text| !text.is_empty()).try_for_each(|text| write!(f, " {text}"))
            }
        }
    };
}
pub(in crate::catalog) use verbs;
