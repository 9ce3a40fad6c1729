//! The configuration as text: the values in force with where they came from, and the shipped file.
//! Both are TOML that can be read back.

use super::table::{SECTIONS, SETTINGS};
use super::{Config, Effective, Origin};
use std::fmt::Write;

impl Effective {
    /// Every setting with its value and where that came from, as `deepwell config print` shows it.
    pub fn print(&self) -> String {
        let mut config = self.config.clone();
        let mut out = String::new();
        for (number, section) in SECTIONS.iter().enumerate() {
            let gap = if number == 0 { "" } else { "\n" };
            let _ = writeln!(out, "{gap}[{}]", section.name);
            for setting in SETTINGS.iter().filter(|setting| setting.section == section.name) {
                let origin = match self.origins.get(&setting.name()) {
                    None => Origin::BuiltIn.to_string(),
                    Some(Origin::File(place)) => format!("{}:{}", place.file, place.line),
                    Some(origin) => origin.to_string(),
                };
                let value = setting.field(&mut config).toml(false);
                let _ = writeln!(out, "{} = {value} # {origin}", setting.key);
            }
        }
        out
    }
}

impl Config {
    /// The text of the shipped `config.toml`: every setting with its comment and its default.
    pub fn shipped() -> String {
        let mut config = Self::default();
        let mut out = String::from(HEADER);
        for section in SECTIONS {
            out.push('\n');
            comment(&mut out, section.about);
            let _ = writeln!(out, "[{}]", section.name);
            for setting in SETTINGS.iter().filter(|setting| setting.section == section.name) {
                out.push('\n');
                comment(&mut out, setting.about);
                let _ = writeln!(out, "{} = {}", setting.key, setting.field(&mut config).toml(true));
            }
        }
        out
    }
}

const HEADER: &str = "\
# Every setting of Deepwell with its default. A line may be left out; a line that is not known is an error.
# The environment (DEEPWELL_SECTION__KEY=value) wins over this file, and `--set section.key=value` over both.
# Times are seconds, or text with a unit: 300, \"5m\", \"1h\", \"7d\", \"200ms\".
# `deepwell check` tells what is wrong here, `deepwell config print` what is in force and why.
";

fn comment(out: &mut String, lines: &[&str]) {
    for line in lines {
        let _ = writeln!(out, "# {}", line.trim());
    }
}
