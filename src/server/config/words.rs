//! Settings whose value is one word of a short list, and the log filter.
//! Not the log itself: see `server::logging`.

use crate::game::Rope;
use tracing_subscriber::EnvFilter;

/// A setting whose value is one of a few words.
pub(super) trait Word {
    /// The words that may be written.
    fn words(&self) -> &'static [&'static str];
    /// The word that stands for the value.
    fn word(&self) -> &'static str;
    /// Takes the value that the word stands for; `false` if it stands for none.
    fn take(&mut self, word: &str) -> bool;
}

macro_rules! words {
    ($(#[$about:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $word:literal,)* }) => {
        $(#[$about])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        pub enum $name {
            $($(#[$doc])* $variant,)*
        }

        impl Word for $name {
            fn words(&self) -> &'static [&'static str] {
                &[$($word),*]
            }

            fn word(&self) -> &'static str {
                match self {
                    $(Self::$variant => $word,)*
                }
            }

            fn take(&mut self, word: &str) -> bool {
                *self = match word {
                    $($word => Self::$variant,)*
                    _ => return false,
                };
                true
            }
        }

        impl $name {
            /// The word that stands for it in the configuration.
            pub fn as_str(self) -> &'static str {
                self.word()
            }
        }
    };
}

words! {
    /// How much is logged.
    LogLevel {
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

words! {
    /// How a line of the log looks.
    LogFormat {
        /// For people.
        Text = "text",
        /// One JSON object a line.
        Json = "json",
    }
}

words! {
    /// Whether connections come through proxies.
    ProxySwitch {
        /// They come from the clients themselves.
        Off = "off",
        /// Each begins with the header of a proxy.
        On = "on",
    }
}

impl Word for Rope {
    fn words(&self) -> &'static [&'static str] {
        &["off", "once", "free"]
    }

    fn word(&self) -> &'static str {
        match self {
            Self::Off => "off",
            Self::Once => "once",
            Self::Free => "free",
        }
    }

    fn take(&mut self, word: &str) -> bool {
        *self = match word {
            "off" => Self::Off,
            "once" => Self::Once,
            "free" => Self::Free,
            _ => return false,
        };
        true
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
