//! The configuration as text: the effective values with their sources, and the shipped file. Both are valid TOML.

use super::table::{SECTIONS, SETTINGS};
use super::{Config, Effective, SettingOrigin};
use std::fmt::Write;

/// Settings to show.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ShownSettings {
    /// All settings.
    All,
    /// Settings whose value differs from the default.
    Changed,
}

impl Effective {
    /// Returns the settings with their values and sources, as `deepwell config print` shows them.
    pub fn print(&self, which: ShownSettings) -> String {
        let (values, defaults) = (self.config.values(), Config::default().values());
        let mut out = String::new();
        for section in SECTIONS {
            let rows = SETTINGS.iter().zip(values.iter().zip(&defaults));
            let rows = rows.filter(|(setting, (value, default))| {
                setting.section == section.name && (which == ShownSettings::All || value != default)
            });
            for (number, (setting, ((name, value), _))) in rows.enumerate() {
                if number == 0 {
                    let gap = if out.is_empty() { "" } else { "\n" };
                    let _ = writeln!(out, "{gap}[{}]", section.name);
                }
                let origin = match self.origin(name) {
                    SettingOrigin::File(place) => format!("{}:{}", place.file, place.line),
                    origin => origin.to_string(),
                };
                let _ = writeln!(out, "{} = {value} # {origin}", setting.key);
            }
        }
        out
    }
}

impl Config {
    /// Returns the shipped `config.toml`: every setting with its comment and default. Settings of a section follow each
    /// other without a blank line, so that the first sections fit on a screen or two.
    pub fn shipped() -> String {
        let mut config = Self::default();
        let mut out = String::from(HEADER);
        for section in SECTIONS {
            out.push('\n');
            comment(&mut out, section.about);
            let _ = writeln!(out, "[{}]", section.name);
            for setting in SETTINGS.iter().filter(|setting| setting.section == section.name) {
                comment(&mut out, setting.about);
                if setting.needs_restart {
                    note_restart(&mut out);
                }
                let value = tall(setting.field(&mut config).toml);
                let _ = writeln!(out, "{} = {value}", setting.key);
            }
        }
        out
    }
}

const HEADER: &str = "\
# All settings of Deepwell with their defaults. A setting may be omitted; an unknown setting is an error.
# The environment (DEEPWELL_SECTION__KEY=value) overrides this file, and `--set section.key=value` overrides both.
# Times are seconds, or text with a unit: 300, \"5m\", \"1h\", \"7d\", \"200ms\".
# `deepwell control reload` applies a changed setting, unless its comment says that it needs a restart.
# `deepwell check` reports mistakes; `deepwell config print` shows the effective settings and their sources.
";

const NEEDS_RESTART: &str = "Needs a restart.";

/// Maximum length of a line of a comment to which a sentence is added.
const COMMENT_WIDTH: usize = 114;

/// Returns text of several lines as a multi-line string, and other values unchanged.
fn tall(value: String) -> String {
    if !value.contains("\\n") {
        return value;
    }
    format!("\"\"\"\n{}\"\"", value[1..].replace("\\n", "\n"))
}

fn comment(out: &mut String, lines: &[&str]) {
    for line in lines {
        let _ = writeln!(out, "# {}", line.trim());
    }
}

/// Adds that a setting needs a restart to the comment at the end of the text, on its last line if there is room.
fn note_restart(out: &mut String) {
    let width = out.lines().next_back().map_or(0, str::len);
    if width + " ".len() + NEEDS_RESTART.len() > COMMENT_WIDTH {
        return comment(out, &[NEEDS_RESTART]);
    }
    out.truncate(out.trim_end().len());
    let _ = writeln!(out, " {NEEDS_RESTART}");
}
