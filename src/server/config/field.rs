//! Kinds of settings: how their values are read, written in TOML and measured. The list of settings is in `table`.

use super::hidden::without_passwords;
use super::web_access::{AllowedOrigins, Hosts};
use super::words::{LogFilter, LogFormat, LogLevel, ProxySwitch};
use crate::net::Networks;
use crate::session::ExtraVariables;
use deepwell_core::base::{Seed, Span};
use deepwell_core::text::nearest;
use deepwell_game::{RenewedBy, Rope, SharedChannels};
use std::net::SocketAddr;
use std::ops::RangeInclusive;
use std::path::PathBuf;

use url::Url;

/// Keyword for an address that is not listened on, an unset path, or a task that never runs.
const OFF: &str = "off";
/// Keyword for a value that each theme decides.
const THEME: &str = "theme";

/// Keyword for no URL.
const EMPTY: &str = "";

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

/// Kind of a setting: the type of its value, or a name for one of several kinds with the same type.
pub(super) trait SettingKind {
    /// Type of the value.
    type Value;

    /// Keyword for no value, where a setting may have none.
    const UNSET: &'static str = OFF;

    /// Describes the valid values, for messages.
    fn expected() -> String;

    /// Returns the keywords that are valid values.
    fn words() -> Vec<&'static str> {
        Vec::new()
    }

    /// Parses a value. Returns `None` if it is not valid.
    fn parse(raw: &Raw) -> Option<Self::Value>;

    /// Returns the value in TOML.
    fn toml(value: &Self::Value) -> String;

    /// Returns the value in the units of the setting's range with the format of a bound, or `None` without a range.
    fn measure(_: &Self::Value) -> Option<Measure> {
        None
    }
}

type Measure = (i64, fn(i64) -> String);

/// Declares kinds: `TYPE`, `NAME: TYPE` or `TYPE | KEYWORD for no value`; what is expected, with keywords; how it is read
/// and written; and its measure.
macro_rules! kinds {
    (@type $kind:ident) => { $kind };
    (@type $kind:ident $type:ident) => { $type };
    ($($kind:ident $(: $type:ident)? $(| $unset:ident)? = $expected:expr $(=> $words:expr)?,
        |$raw:ident| $parse:expr, |$value:ident| $toml:expr $(, $measure:expr)?;)*) => {$(
        impl SettingKind for $kind {
            type Value = kinds!(@type $kind $($type)?);

            $(const UNSET: &'static str = $unset;)?

            fn expected() -> String {
                $expected.into()
            }

            $(fn words() -> Vec<&'static str> {
                $words
            })?

            fn parse($raw: &Raw) -> Option<Self::Value> {
                $parse
            }

            fn toml($value: &Self::Value) -> String {
                $toml
            }

            $(fn measure($value: &Self::Value) -> Option<Measure> {
                $measure
            })?
        }
    )*};
}

/// Text of one line.
pub(super) struct OneLine;
/// An `https://` URL, or empty.
pub(super) struct SecureUrl;
/// A probability, stored in thousandths.
pub(super) struct Chance;

kinds! {
    String = "text in quotes without control characters",
        |raw| printable(raw.text()?, true), |text| quoted(text), letters(text);
    OneLine: String = "one line of text in quotes without control characters",
        |raw| printable(raw.text()?, false), |text| quoted(text), letters(text);
    SecureUrl: String = "a URL in quotes that begins with https://, or \"\"",
        |raw| secure_url(printable(raw.text()?, false)?), |url| quoted(url), letters(url);
    Url | EMPTY = "a URL in quotes that begins with https://, http://, wss:// or ws://",
        |raw| web_url(raw.text()?), |url| quoted(url.as_str());
    PathBuf = "a path in quotes",
        |raw| raw.text().filter(|path| !path.is_empty()).map(Self::from), |path| quoted(&path.to_string_lossy());
    u32 | THEME = "a whole number",
        |raw| raw.bare()?.parse().ok(), |number| number.to_string(),
        Some((i64::from(*number), |bound| bound.to_string()));
    bool | THEME = "true or false" => vec!["true", "false"],
        |raw| raw.bare()?.parse().ok(), |flag| flag.to_string();
    Seed = format!("a whole number from 0 to {}", u64::MAX),
        |raw| raw.bare()?.parse().ok().map(Self), |seed| seed.0.to_string();
    Span = TIME_EXPECTED,
        |raw| Self::parse(raw.text().or(raw.bare())?), |time| quoted(&time.written()),
        Some((time.0, |bound| Self(bound).written()));
    Chance: u32 = "a number from 0 to 1 with at most three decimals",
        |raw| thousandths(raw.bare()?), |permille| chance(i64::from(*permille)),
        Some((i64::from(*permille), chance));
    SocketAddr = "an address and a port such as \"127.0.0.1:4000\"",
        |raw| raw.text()?.parse().ok(), |address| quoted(&address.to_string());
    Networks = "addresses and networks such as \"10.0.0.0/8, ::1\"",
        |raw| raw.text()?.parse().ok(), |networks| quoted(&networks.to_string());
    LogFilter = "comma-separated directives such as deepwell::net=debug",
        |raw| Self::parse(raw.text()?), |filter| quoted(filter.as_str());
    AllowedOrigins = "comma-separated origins such as https://play.example",
        |raw| Self::parse(raw.text()?), |origins| quoted(&origins.text());
    Hosts = "comma-separated host names without ports, such as play.example",
        |raw| Self::parse(raw.text()?), |hosts| quoted(&hosts.text());
    SharedChannels = "comma-separated names of channels that can be shared: ".to_owned()
        + &Self::names().collect::<Vec<_>>().join(", "),
        |raw| Self::parse(raw.text()?), |channels| quoted(&channels.text());
    ExtraVariables = "semicolon-separated variables such as HIRING BUILDERS=1",
        |raw| Self::parse(&printable(raw.text()?, false)?), |extra| quoted(extra.as_str());
}

macro_rules! keywords {
    ($($kind:ident)*) => {
        kinds! {$(
            $kind = format!("one of {}", Self::words().join(", ")) => Self::NAMES.map(|(word, _)| word).to_vec(),
                |raw| Self::named(raw.text()?), |value| quoted(value.name());
        )*}
    };
}

keywords! { LogLevel LogFormat ProxySwitch RenewedBy Rope }

impl<T: SettingKind<Value = T>> SettingKind for Option<T> {
    type Value = Self;

    fn expected() -> String {
        match T::UNSET {
            THEME => format!("{} or \"{THEME}\"", T::expected().replace(" or ", ", ")),
            unset => format!("{}, or \"{unset}\"", T::expected()),
        }
    }

    fn words() -> Vec<&'static str> {
        [T::UNSET].into_iter().filter(|word| !word.is_empty()).chain(T::words()).collect()
    }

    fn parse(raw: &Raw) -> Option<Self> {
        if raw.text() == Some(T::UNSET) { Some(None) } else { T::parse(raw).map(Some) }
    }

    fn toml(value: &Self) -> String {
        value.as_ref().map_or_else(|| quoted(T::UNSET), T::toml)
    }

    fn measure(value: &Self) -> Option<Measure> {
        value.as_ref().and_then(T::measure)
    }
}

/// One setting in a `Config`.
pub(super) struct ConfigField<'a> {
    /// The value in TOML.
    pub(super) toml: String,
    /// Parses and stores a value that is valid and within the range.
    pub(super) read: Box<ReadSetting<'a>>,
}

/// Returns, for a value that is not valid, a description of the valid ones and the nearest keyword.
type ReadSetting<'a> =
    dyn FnOnce(&Raw, &RangeInclusive<i64>) -> Result<(), (String, Option<&'static str>)> + 'a;

/// Returns the setting whose value is at a place.
pub(super) fn field<K: SettingKind>(place: &mut K::Value) -> ConfigField<'_> {
    let toml = K::toml(place);
    let read = move |raw: &Raw, range: &RangeInclusive<i64>| {
        let nearest = || raw.text().and_then(|word| nearest(word, K::words()));
        let value = K::parse(raw).ok_or_else(|| (K::expected(), nearest()))?;
        if let Some((measure, phrase)) = K::measure(&value)
            && !range.contains(&measure)
        {
            return Err((format!("{} to {}", phrase(*range.start()), phrase(*range.end())), None));
        }
        *place = value;
        Ok(())
    };
    ConfigField { toml, read: Box::new(read) }
}

/// Returns the text with normalised line ends, if it has no control characters and no line breaks except where `lines`
/// allows them.
fn printable(text: &str, lines: bool) -> Option<String> {
    let text = text.replace("\r\n", "\n");
    let printable = text.chars().all(|c| !c.is_control() || (lines && c == '\n'));
    printable.then_some(text)
}

/// Returns the number of characters of a text.
fn letters(text: &str) -> Option<Measure> {
    Some((i64::try_from(text.chars().count()).ok()?, |bound| format!("{bound} letters")))
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
