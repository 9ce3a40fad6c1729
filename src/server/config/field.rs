//! A typed reference to one setting inside a `Config`: parsing, TOML output and measurement. The list of settings is in
//! `table`.

use super::hidden::without_passwords;
use super::web_access::{Hosts, Origins};
use super::words::{LogFilter, LogFormat, LogLevel, ProxySwitch, Word};
use crate::net::Networks;
use crate::session::Extra;
use deepwell_core::base::limits::Bound;
use deepwell_core::base::{Seed, Span};
use deepwell_game::{RenewedBy, Rope, SharedChannels};
use std::net::SocketAddr;
use std::path::PathBuf;

use url::Url;

/// Keyword for an address that is not listened on, an unset path, or a task that never runs.
const OFF: &str = "off";
/// Keyword for a value that each theme decides.
const THEME: &str = "theme";

/// Expected format of a time.
const TIME_EXPECTED: &str = "a time such as 300, \"5m\" or \"200ms\"";

/// Uninterpreted value of a setting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Raw {
    /// A quoted string in a file.
    Quoted(String),
    /// A number or boolean in a file.
    Bare(String),
    /// A value from the environment or the command line, where quoting does not tell the type.
    Typed(String),
    /// A value of a type that no setting accepts, such as "a list".
    Misfit(&'static str),
}

impl Raw {
    fn text(&self) -> Option<&str> {
        match self {
            Self::Quoted(text) | Self::Typed(text) => Some(text),
            Self::Bare(_) | Self::Misfit(_) => None,
        }
    }

    fn bare(&self) -> Option<&str> {
        match self {
            Self::Bare(text) | Self::Typed(text) => Some(text),
            Self::Quoted(_) | Self::Misfit(_) => None,
        }
    }

    /// Returns the value as shown in messages.
    pub(super) fn shown(&self) -> String {
        without_passwords(&match self {
            Self::Quoted(text) => quoted(text),
            Self::Bare(text) | Self::Typed(text) => text.escape_debug().to_string(),
            Self::Misfit(kind) => (*kind).to_owned(),
        })
    }
}

/// Reference to one setting in a `Config`.
pub(super) enum Field<'a> {
    /// Text with line breaks.
    Text(&'a mut String),
    /// Text of one line.
    Line(&'a mut String),
    /// An `https://` URL, or empty.
    SecureUrl(&'a mut String),
    /// A URL, or empty.
    Url(&'a mut Option<Url>),
    /// Path of a file or folder.
    Path(&'a mut PathBuf),
    /// Path of a file or folder, or `off`.
    PathOrOff(&'a mut Option<PathBuf>),
    /// A whole number.
    Number(&'a mut u32),
    /// A whole number, or `theme`.
    NumberOrTheme(&'a mut Option<u32>),
    /// A boolean.
    Flag(&'a mut bool),
    /// A boolean, or `theme`.
    FlagOrTheme(&'a mut Option<bool>),
    /// A random seed.
    Seed(&'a mut Seed),
    /// A duration.
    Time(&'a mut Span),
    /// A duration, or `off`.
    TimeOrOff(&'a mut Option<Span>),
    /// A probability, stored in thousandths.
    Chance(&'a mut u32),
    /// A listen address.
    Address(&'a mut SocketAddr),
    /// A listen address, or `off`.
    AddressOrOff(&'a mut Option<SocketAddr>),
    /// Trusted addresses and networks.
    Networks(&'a mut Networks),
    /// One of a list of keywords.
    Word(&'a mut dyn Word),
    /// Allowed web origins.
    Origins(&'a mut Origins),
    /// Host names.
    Hosts(&'a mut Hosts),
    /// Log filter directives.
    Filter(&'a mut LogFilter),
    /// Channels shared with bridges.
    Channels(&'a mut SharedChannels),
    /// Extra MSSP variables.
    Extra(&'a mut Extra),
}

macro_rules! field_from {
    ($($kind:ty => $variant:ident;)*) => {
        $(impl<'a> From<&'a mut $kind> for Field<'a> {
            fn from(place: &'a mut $kind) -> Self {
                Self::$variant(place)
            }
        })*
    };
}

field_from! {
    String => Text;
    PathBuf => Path;
    Option<PathBuf> => PathOrOff;
    u32 => Number;
    Option<u32> => NumberOrTheme;
    bool => Flag;
    Option<bool> => FlagOrTheme;
    Seed => Seed;
    Span => Time;
    Option<Span> => TimeOrOff;
    SocketAddr => Address;
    Option<SocketAddr> => AddressOrOff;
    Networks => Networks;
    ProxySwitch => Word;
    LogLevel => Word;
    LogFormat => Word;
    Rope => Word;
    RenewedBy => Word;
    LogFilter => Filter;
    Origins => Origins;
    Hosts => Hosts;
    Option<Url> => Url;
}

impl<'a> From<Bound<'a>> for Field<'a> {
    fn from(bound: Bound<'a>) -> Self {
        match bound {
            Bound::Number(number) => Self::Number(number),
            Bound::Time(time) => Self::Time(time),
        }
    }
}

impl Field<'_> {
    /// Parses and stores a value. Returns `None` if it is not valid for this setting.
    pub(super) fn read(&mut self, raw: &Raw) -> Option<()> {
        match self {
            Self::Text(text) => **text = printable(raw.text()?, true)?,
            Self::Line(text) => **text = printable(raw.text()?, false)?,
            Self::SecureUrl(url) => **url = secure_url(printable(raw.text()?, false)?)?,
            Self::Url(url) if raw.text() == Some("") => **url = None,
            Self::Url(url) => **url = Some(web_url(raw.text()?)?),
            Self::Path(path) => **path = PathBuf::from(raw.text().filter(|path| !path.is_empty())?),
            Self::PathOrOff(path) if raw.text() == Some(OFF) => **path = None,
            Self::PathOrOff(path) => {
                **path = Some(PathBuf::from(raw.text().filter(|path| !path.is_empty())?));
            }
            Self::Number(number) => **number = raw.bare()?.parse().ok()?,
            Self::NumberOrTheme(number) if raw.text() == Some(THEME) => **number = None,
            Self::NumberOrTheme(number) => **number = Some(raw.bare()?.parse().ok()?),
            Self::Flag(flag) => **flag = raw.bare()?.parse().ok()?,
            Self::FlagOrTheme(flag) if raw.text() == Some(THEME) => **flag = None,
            Self::FlagOrTheme(flag) => **flag = Some(raw.bare()?.parse().ok()?),
            Self::Seed(seed) => seed.0 = raw.bare()?.parse().ok()?,
            Self::Time(time) => **time = span(raw)?,
            Self::TimeOrOff(time) if raw.text() == Some(OFF) => **time = None,
            Self::TimeOrOff(time) => **time = Some(span(raw)?),
            Self::Chance(permille) => **permille = thousandths(raw.bare()?)?,
            Self::Address(address) => **address = raw.text()?.parse().ok()?,
            Self::AddressOrOff(address) if raw.text() == Some(OFF) => **address = None,
            Self::AddressOrOff(address) => **address = Some(raw.text()?.parse().ok()?),
            Self::Networks(networks) => **networks = raw.text()?.parse().ok()?,
            Self::Word(word) => return word.take(raw.text()?).then_some(()),
            Self::Filter(filter) => **filter = LogFilter::parse(raw.text()?)?,
            Self::Origins(origins) => **origins = Origins::parse(raw.text()?)?,
            Self::Hosts(hosts) => **hosts = Hosts::parse(raw.text()?)?,
            Self::Channels(channels) => **channels = SharedChannels::parse(raw.text()?)?,
            Self::Extra(extra) => **extra = Extra::parse(&printable(raw.text()?, false)?)?,
        }
        Some(())
    }

    /// Describes the valid values, for messages.
    pub(super) fn expected(&self) -> String {
        match self {
            Self::Text(_) => "text in quotes without control characters".into(),
            Self::Line(_) => "one line of text in quotes without control characters".into(),
            Self::SecureUrl(_) => "a URL in quotes that begins with https://, or \"\"".into(),
            Self::Url(_) => {
                "a URL in quotes that begins with https://, http://, wss:// or ws://, or \"\"".into()
            }
            Self::Path(_) => "a path in quotes".into(),
            Self::PathOrOff(_) => format!("a path in quotes, or \"{OFF}\""),
            Self::Number(_) => "a whole number".into(),
            Self::NumberOrTheme(_) => format!("a whole number or \"{THEME}\""),
            Self::Flag(_) => "true or false".into(),
            Self::FlagOrTheme(_) => format!("true, false or \"{THEME}\""),
            Self::Seed(_) => format!("a whole number from 0 to {}", u64::MAX),
            Self::Time(_) => TIME_EXPECTED.into(),
            Self::TimeOrOff(_) => format!("{TIME_EXPECTED}, or \"{OFF}\""),
            Self::Chance(_) => "a number from 0 to 1 with at most three decimals".into(),
            Self::Address(_) => "an address and a port such as \"127.0.0.1:4000\"".into(),
            Self::AddressOrOff(_) => {
                format!("an address and a port such as \"127.0.0.1:4000\", or \"{OFF}\"")
            }
            Self::Networks(_) => "addresses and networks such as \"10.0.0.0/8, ::1\"".into(),
            Self::Word(word) => format!("one of {}", word.words().join(", ")),
            Self::Origins(_) => "comma-separated origins such as https://play.example".into(),
            Self::Hosts(_) => "comma-separated host names without ports, such as play.example".into(),
            Self::Filter(_) => "comma-separated directives such as deepwell::net=debug".into(),
            Self::Channels(_) => {
                let names: Vec<_> = SharedChannels::names().collect();
                format!("comma-separated names of channels that can be shared: {}", names.join(", "))
            }
            Self::Extra(_) => "semicolon-separated variables such as HIRING BUILDERS=1".into(),
        }
    }

    /// Returns the keywords that are valid values.
    pub(super) fn words(&self) -> Vec<&'static str> {
        match self {
            Self::Word(word) => word.words(),
            Self::NumberOrTheme(_) => vec![THEME],
            Self::Flag(_) => vec!["true", "false"],
            Self::FlagOrTheme(_) => vec![THEME, "true", "false"],
            Self::AddressOrOff(_) | Self::PathOrOff(_) | Self::TimeOrOff(_) => vec![OFF],
            _ => Vec::new(),
        }
    }

    /// Returns the value in TOML; with `tall`, text of several lines is written as a multi-line string.
    pub(super) fn toml(&self, tall: bool) -> String {
        match self {
            Self::Text(text) if tall && text.contains('\n') => {
                format!("\"\"\"\n{}\"\"\"", escaped(text).replace("\\n", "\n"))
            }
            Self::Text(text) | Self::Line(text) | Self::SecureUrl(text) => quoted(text),
            Self::Url(url) => quoted(url.as_ref().map_or("", Url::as_str)),
            Self::Path(path) => quoted(&path.to_string_lossy()),
            Self::PathOrOff(Some(path)) => quoted(&path.to_string_lossy()),
            Self::Number(number) => number.to_string(),
            Self::NumberOrTheme(Some(number)) => number.to_string(),
            Self::Flag(flag) => flag.to_string(),
            Self::FlagOrTheme(Some(flag)) => flag.to_string(),
            Self::NumberOrTheme(None) | Self::FlagOrTheme(None) => quoted(THEME),
            Self::Seed(seed) => seed.0.to_string(),
            Self::Time(time) => quoted(&time.written()),
            Self::TimeOrOff(Some(time)) => quoted(&time.written()),
            Self::Chance(permille) => chance(i64::from(**permille)),
            Self::Address(address) => quoted(&address.to_string()),
            Self::AddressOrOff(Some(address)) => quoted(&address.to_string()),
            Self::AddressOrOff(None) | Self::PathOrOff(None) | Self::TimeOrOff(None) => quoted(OFF),
            Self::Networks(networks) => quoted(&networks.to_string()),
            Self::Word(word) => quoted(word.word()),
            Self::Filter(filter) => quoted(filter.as_str()),
            Self::Origins(origins) => quoted(&origins.text()),
            Self::Hosts(hosts) => quoted(&hosts.text()),
            Self::Channels(channels) => quoted(&channels.text()),
            Self::Extra(extra) => quoted(extra.as_str()),
        }
    }

    /// Returns the value in the units of the setting's range, or `None` if the type has no range.
    pub(super) fn measure(&self) -> Option<i64> {
        match self {
            Self::Text(text) | Self::Line(text) | Self::SecureUrl(text) => {
                i64::try_from(text.chars().count()).ok()
            }
            Self::Number(number) | Self::Chance(number) => Some(i64::from(**number)),
            Self::NumberOrTheme(number) => number.map(i64::from),
            Self::Time(time) => Some(time.0),
            Self::TimeOrOff(time) => time.map(|time| time.0),
            _ => None,
        }
    }

    /// Formats a bound of the range.
    pub(super) fn measure_in_words(&self, measure: i64) -> String {
        match self {
            Self::Text(_) | Self::Line(_) | Self::SecureUrl(_) => format!("{measure} letters"),
            Self::Time(_) | Self::TimeOrOff(_) => Span(measure).written(),
            Self::Chance(_) => chance(measure),
            _ => measure.to_string(),
        }
    }
}

/// Returns the text with normalised line ends, if it has no control characters and no line breaks except where `lines`
/// allows them.
fn printable(text: &str, lines: bool) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let printable = text.chars().all(|c| !c.is_control() || (lines && c == '\n'));
    printable.then_some(text)
}

/// Returns the text if it is empty or an `https://` URL.
fn secure_url(text: String) -> Option<String> {
    let secure = text.is_empty() || (text.starts_with("https://") && !text.contains([' ', '"', '<', '>']));
    secure.then_some(text)
}

/// Returns the URL, if its scheme is that of a web server or of a WebSocket.
fn web_url(text: &str) -> Option<Url> {
    Url::parse(text).ok().filter(|url| matches!(url.scheme(), "https" | "http" | "wss" | "ws"))
}

fn span(raw: &Raw) -> Option<Span> {
    let (Raw::Quoted(text) | Raw::Bare(text) | Raw::Typed(text)) = raw else { return None };
    parse_span(text).ok()
}

/// Parses a duration.
///
/// # Errors
/// A description of the expected format.
pub fn parse_span(text: &str) -> Result<Span, &'static str> {
    Span::parse(text).ok_or(TIME_EXPECTED)
}

/// Parses a decimal number as thousandths, without floating-point rounding.
fn thousandths(text: &str) -> Option<u32> {
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    if fraction.len() > 3 || !fraction.bytes().all(|digit| digit.is_ascii_digit()) {
        return None;
    }
    let whole: u32 = whole.parse().ok()?;
    let fraction: u32 = format!("{fraction:0<3}").parse().ok()?;
    whole.checked_mul(1_000)?.checked_add(fraction)
}

fn chance(permille: i64) -> String {
    let digits = format!("{}.{:03}", permille / 1_000, permille % 1_000);
    let short = digits.trim_end_matches('0');
    if short.ends_with('.') { format!("{short}0") } else { short.to_owned() }
}

fn quoted(text: &str) -> String {
    format!("\"{}\"", escaped(text))
}

fn escaped(text: &str) -> String {
    let mut out = String::new();
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            c if c.is_control() => out.extend(format!("\\u{:04X}", u32::from(c)).chars()),
            c => out.push(c),
        }
    }
    out
}
