//! Settings whose value is a keyword, and the log filter. The log itself is in `server::logging`.

use deepwell_core::base::listed;
use tracing_subscriber::filter::LevelFilter;

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

impl LogLevel {
    /// Returns the filter that passes events of this level and of more important ones.
    pub const fn filter(self) -> LevelFilter {
        match self {
            Self::Error => LevelFilter::ERROR,
            Self::Warn => LevelFilter::WARN,
            Self::Info => LevelFilter::INFO,
            Self::Debug => LevelFilter::DEBUG,
            Self::Trace => LevelFilter::TRACE,
        }
    }
}

/// Log filter directives, in the form `module=level,module=level`; may be empty. They take precedence over the log
/// level.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct LogFilter(String);

impl LogFilter {
    /// Returns the filter if all its directives are valid.
    pub fn parse(text: &str) -> Option<Self> {
        let filter = Self(text.to_owned());
        let is_valid = filter.words().all(|word| directive(word).is_some());
        is_valid.then_some(filter)
    }

    /// Returns the modules with their levels.
    pub fn directives(&self) -> impl Iterator<Item = (&str, LevelFilter)> {
        self.words().filter_map(directive)
    }

    fn words(&self) -> impl Iterator<Item = &str> {
        self.0.split(',').map(str::trim).filter(|word| !word.is_empty())
    }

    /// Returns the original text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

/// Reads `module=level`.
fn directive(word: &str) -> Option<(&str, LevelFilter)> {
    let (module, level) = word.split_once('=')?;
    let is_module = !module.is_empty() && module.chars().all(|c| c.is_alphanumeric() || "_:-".contains(c));
    Some((module, level.parse().ok()?)).filter(|_| is_module)
}
