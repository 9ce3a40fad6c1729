//! Settings whose value is a keyword, and the log filter. The log itself is in `server::logging`.

use crate::base::listed;
use crate::game::Rope;
use tracing_subscriber::EnvFilter;

/// A setting whose value is one of a list of keywords.
pub(super) trait Word {
    /// Returns the valid keywords.
    fn words(&self) -> Vec<&'static str>;
    /// Returns the keyword of the current value.
    fn word(&self) -> &'static str;
    /// Sets the value that a keyword names. Returns `false` for an unknown keyword.
    fn take(&mut self, word: &str) -> bool;
}

macro_rules! words {
    ($($name:ident)*) => {$(
        impl Word for $name {
            fn words(&self) -> Vec<&'static str> {
                Self::NAMES.map(|(word, _)| word).to_vec()
            }

            fn word(&self) -> &'static str {
                self.name()
            }

            fn take(&mut self, word: &str) -> bool {
                Self::named(word).map(|value| *self = value).is_some()
            }
        }
    )*};
}

words! { LogLevel LogFormat ProxySwitch Rope }

listed! {
    /// Level of log detail.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LogLevel {
        /// Errors only.
        Error = "error",
        /// Warnings, too.
        Warn = "warn",
        /// Server events such as start, stop and logins.
        Info = "info",
        /// Events of each connection.
        Debug = "debug",
        /// All events.
        Trace = "trace",
    }
}

listed! {
    /// Format of log lines.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LogFormat {
        /// Human-readable text.
        Text = "text",
        /// One JSON object per line.
        Json = "json",
    }
}

listed! {
    /// Use of the PROXY protocol.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ProxySwitch {
        /// Clients connect directly.
        Off = "off",
        /// Every connection begins with a PROXY protocol header.
        On = "on",
    }
}

/// Log filter directives, in the form `module=level,module=level`; may be empty. They take precedence over the log
/// level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogFilter(String);

impl LogFilter {
    /// Returns the filter if all its directives are valid.
    pub fn parse(text: &str) -> Option<Self> {
        EnvFilter::builder().parse(text).ok().map(|_| Self(text.to_owned()))
    }

    /// Returns the original text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
