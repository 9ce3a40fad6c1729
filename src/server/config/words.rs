//! Settings whose value is one word of a short list, and the log filter.
//! Not the log itself: see `server::logging`.

use crate::base::listed;
use crate::game::Rope;
use tracing_subscriber::EnvFilter;

/// A setting whose value is one of a few words.
pub(super) trait Word {
    /// The words that may be written.
    fn words(&self) -> Vec<&'static str>;
    /// The word that stands for the value.
    fn word(&self) -> &'static str;
    /// Takes the value that the word stands for; `false` if it stands for none.
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
    /// How much is logged.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LogLevel {
        /// Only what went wrong.
        Error = "error",
        /// What may go wrong, too.
        Warn = "warn",
        /// The life of the server.
        Info = "info",
        /// The life of each connection.
        Debug = "debug",
        /// Everything.
        Trace = "trace",
    }
}

listed! {
    /// How a line of the log looks.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object a line.
        Json = "json",
    }
}

listed! {
    /// Whether connections come through proxies.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ProxySwitch {
        /// They come from the clients themselves.
        Off = "off",
        /// Each begins with the header of a proxy.
        On = "on",
    }
}

/// Exceptions from the log level, in the form `module=level,module=level`; empty for none.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogFilter(String);

impl LogFilter {
    /// Takes the text if every part of it can be understood.
    pub fn parse(text: &str) -> Option<Self> {
        EnvFilter::builder().parse(text).ok().map(|_| Self(text.to_owned()))
    }

    /// As it was written.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}
