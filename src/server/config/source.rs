//! Reads, merges and checks the three sources of settings. Parsing of single values is in `field`.

use super::field::Raw;
use super::table::{ConfigSetting, SECTIONS, SETTINGS};
use super::{Config, ConfigError, SettingOrigin};
use deepwell_core::data::{Position, SourceFile};
use deepwell_core::text::nearest;
use std::collections::BTreeMap;
use std::path::Path;
use std::{env, fs, io};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

const DEFAULT_FILE: &str = "config.toml";
const PREFIX: &str = "DEEPWELL_";

/// Unparsed settings.
#[derive(Clone, Debug, Default)]
pub struct ConfigSources {
    /// Name and text of the file.
    pub file: Option<(String, String)>,
    /// Environment variables; those without the prefix `DEEPWELL_` are ignored.
    pub environment: Vec<(String, String)>,
    /// `--set` arguments `section.key=value`, in order.
    pub overrides: Vec<String>,
}

/// The effective configuration and the source of each value.
#[derive(Clone, Debug)]
pub struct Effective {
    /// The checked values.
    pub config: Config,
    pub(super) origins: BTreeMap<String, SettingOrigin>,
}

/// An unparsed value.
struct RawSetting {
    setting: &'static ConfigSetting,
    origin: SettingOrigin,
    raw: Raw,
}

impl ConfigSources {
    /// Reads the file and the environment. Without a `path` the file is `./config.toml`, which may be missing.
    pub fn gather(path: Option<&Path>, overrides: Vec<String>) -> Result<Self, ConfigError> {
        let name = path.unwrap_or(Path::new(DEFAULT_FILE));
        let shown = name.display().to_string();
        let start = || SettingOrigin::File(Position::start(&shown));
        let file = match fs::read(name) {
            Ok(bytes) => Some((shown.clone(), utf8(&shown, bytes)?)),
            Err(error) if path.is_none() && error.kind() == io::ErrorKind::NotFound => None,
            Err(error) => {
                return Err(ConfigError::new(&start(), format!("the file cannot be read: {error}"), ""));
            }
        };
        Ok(Self { file, ..Self::without_file(overrides) })
    }

    /// Reads the environment alone.
    pub fn without_file(overrides: Vec<String>) -> Self {
        let environment = env::vars_os()
            .map(|(key, value)| (key.to_string_lossy().into_owned(), value.to_string_lossy().into_owned()))
            .filter(|(key, _)| key.starts_with(PREFIX))
            .collect();
        Self { file: None, environment, overrides }
    }

    /// Merges the sources.
    ///
    /// # Errors
    /// All mistakes of all sources, in source order.
    pub fn check(&self) -> Result<Effective, Vec<ConfigError>> {
        let (effective, mistakes) = self.check_all();
        if mistakes.is_empty() { Ok(effective) } else { Err(mistakes) }
    }

    /// Like [`check`](Self::check), but also returns the valid settings when there are mistakes.
    pub(in crate::server) fn check_all(&self) -> (Effective, Vec<ConfigError>) {
        let mut entries = Vec::new();
        let mut mistakes = Vec::new();
        if let Some((name, text)) = &self.file {
            let source = SourceFile::new(name, text);
            FileReader { source, text, entries: &mut entries, mistakes: &mut mistakes }.document();
        }
        let mut variables: Vec<_> =
            self.environment.iter().filter(|(key, _)| key.starts_with(PREFIX)).collect();
        variables.sort();
        for (variable, value) in variables {
            match from_variable(variable) {
                Ok(Some(setting)) => {
                    let origin = SettingOrigin::Environment(variable.clone());
                    entries.push(RawSetting { setting, origin, raw: Raw::Typed(unquoted(value)) });
                }
                Ok(None) => {}
                Err(mistake) => mistakes.push(mistake),
            }
        }
        for argument in &self.overrides {
            match from_argument(argument) {
                Ok(entry) => entries.push(entry),
                Err(mistake) => mistakes.push(mistake),
            }
        }
        let mut effective = Effective { config: Config::default(), origins: BTreeMap::new() };
        mistakes.extend(entries.into_iter().filter_map(|entry| effective.take(entry).err()));
        if mistakes.is_empty() {
            // An invalid setting keeps its default, which could cause a false contradiction.
            mistakes.extend(effective.contradictions());
        }
        mistakes.sort_by(|a, b| a.place.cmp(&b.place));
        (effective, mistakes)
    }
}

impl Effective {
    /// Returns the source of a setting, given as `section.key`.
    pub fn origin(&self, name: &str) -> &SettingOrigin {
        self.origins.get(name).unwrap_or(&SettingOrigin::BuiltIn)
    }

    fn take(&mut self, RawSetting { setting, origin, raw }: RawSetting) -> Result<(), ConfigError> {
        (setting.field(&mut self.config).read)(&raw, &setting.range).map_err(|(expected, word)| {
            let written = format!("{} is {}", setting.name(), raw.shown());
            ConfigError::new(&origin, written, expected).with_nearest(word)
        })?;
        self.origins.insert(setting.name(), origin);
        Ok(())
    }
}

/// Decodes a file as UTF-8. The mistake names the position of the first invalid byte.
fn utf8(name: &str, bytes: Vec<u8>) -> Result<String, ConfigError> {
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let text = String::from_utf8_lossy(&error.as_bytes()[..good]).into_owned();
        let origin = SettingOrigin::File(SourceFile::new(name, &text).place_of(good));
        ConfigError::new(&origin, "the file is not UTF-8 text", "")
    })
}

fn find(section: &str, key: &str) -> Option<&'static ConfigSetting> {
    SETTINGS.iter().find(|setting| setting.section == section && setting.key == key)
}

/// Returns the mistake for an unknown setting or section.
fn unknown(origin: &SettingOrigin, section: &str, key: &str) -> ConfigError {
    let sections = SECTIONS.iter().map(|section| section.name);
    if !sections.clone().any(|name| name == section) {
        let expected = format!("one of {}", sections.clone().collect::<Vec<_>>().join(", "));
        return ConfigError::new(origin, format!("unknown section {section}"), expected)
            .with_nearest(nearest(section, sections));
    }
    let keys = || SETTINGS.iter().filter(|setting| setting.section == section).map(|setting| setting.key);
    let near = nearest(key, keys()).and_then(|near| find(section, near));
    let near = near.or_else(|| SETTINGS.iter().find(|setting| setting.key == key));
    let expected = format!("one of {}", keys().collect::<Vec<_>>().join(", "));
    ConfigError::new(origin, format!("unknown setting {section}.{key}"), expected)
        .with_nearest(near.map(ConfigSetting::name))
}

/// Returns the setting that a variable sets, or `None` for a variable that is not Deepwell's.
fn from_variable(variable: &str) -> Result<Option<&'static ConfigSetting>, ConfigError> {
    let rest = variable.strip_prefix(PREFIX).unwrap_or(variable);
    let origin = SettingOrigin::Environment(variable.to_owned());
    if let Some((section, key)) = rest.split_once("__") {
        let (section, key) = (section.to_lowercase(), key.to_lowercase());
        return find(&section, &key).map(Some).ok_or_else(|| unknown(&origin, &section, &key));
    }
    let variables: Vec<_> = SETTINGS.iter().map(ConfigSetting::variable).collect();
    match nearest(variable, variables.iter().map(String::as_str)) {
        None => Ok(None),
        near => {
            let mistake = "section and key must be separated by two underscores";
            Err(ConfigError::new(&origin, mistake, "").with_nearest(near))
        }
    }
}

fn from_argument(argument: &str) -> Result<RawSetting, ConfigError> {
    let origin = |name: &str| SettingOrigin::Set(name.trim().to_owned());
    let shape = |name| ConfigError::new(&origin(name), "not a setting", "section.key=value");
    let (name, value) = argument.split_once('=').ok_or_else(|| shape(argument))?;
    let (section, key) = name.trim().split_once('.').ok_or_else(|| shape(name))?;
    let setting = find(section, key).ok_or_else(|| unknown(&origin(name), section, key))?;
    Ok(RawSetting { setting, origin: origin(name), raw: Raw::Typed(unquoted(value)) })
}

/// Removes TOML quotes, so that a line of `config print` can be passed on unchanged.
pub(super) fn unquoted(value: &str) -> String {
    let value = value.trim();
    if value.starts_with(['"', '\''])
        && let Ok(DeValue::String(text)) = DeValue::parse(value).map(Spanned::into_inner)
    {
        return text.into_owned();
    }
    value.to_owned()
}

/// Collects values and mistakes from a TOML document.
struct FileReader<'a> {
    source: SourceFile<'a>,
    text: &'a str,
    entries: &'a mut Vec<RawSetting>,
    mistakes: &'a mut Vec<ConfigError>,
}

impl FileReader<'_> {
    fn document(&mut self) {
        let mut readable = self.text.to_owned();
        let (_, errors) = DeTable::parse_recoverable(self.text);
        for error in &errors {
            let byte = self.syntax(error);
            blank_line(&mut readable, byte);
        }
        // After a syntax error the parser also loses the next line and guesses values. With the broken lines blanked
        // out, it finds everything else in its place.
        let (document, errors) = DeTable::parse_recoverable(&readable);
        for error in &errors {
            self.syntax(error);
        }
        for (name, value) in document.get_ref() {
            let origin = self.origin(name.span().start);
            match value.get_ref() {
                DeValue::Table(settings) => self.section(&origin, name.get_ref(), settings),
                _ => self.mistakes.push(outside(&origin, name.get_ref())),
            }
        }
    }

    /// Records a syntax error once and returns its byte offset.
    fn syntax(&mut self, error: &toml::de::Error) -> usize {
        let byte = self.text.floor_char_boundary(error.span().map_or(self.text.len(), |span| span.start));
        let mistake = ConfigError::new(&self.origin(byte), error.message(), "");
        if !self.mistakes.contains(&mistake) {
            self.mistakes.push(mistake);
        }
        byte
    }

    fn section(&mut self, origin: &SettingOrigin, section: &str, settings: &DeTable<'_>) {
        if !SECTIONS.iter().any(|known| known.name == section) {
            self.mistakes.push(unknown(origin, section, ""));
            return;
        }
        for (key, value) in settings {
            match find(section, key.get_ref()) {
                Some(setting) => {
                    let origin = self.origin(value.span().start);
                    self.entries.push(RawSetting { setting, origin, raw: raw(value.get_ref()) });
                }
                None => self.mistakes.push(unknown(&self.origin(key.span().start), section, key.get_ref())),
            }
        }
    }

    fn origin(&self, byte: usize) -> SettingOrigin {
        SettingOrigin::File(self.source.place_of(byte))
    }
}

/// Replaces the line around `byte` with spaces. Section headers stay, for the settings below them.
fn blank_line(text: &mut String, byte: usize) {
    let start = text[..byte].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[byte..].find('\n').map_or(text.len(), |newline| byte + newline);
    if !text[start..end].trim_start().starts_with('[') {
        text.replace_range(start..end, &" ".repeat(end - start));
    }
}

/// Returns the mistake for a value above the first section.
fn outside(origin: &SettingOrigin, name: &str) -> ConfigError {
    if SECTIONS.iter().any(|section| section.name == name) {
        return ConfigError::new(origin, format!("{name} is a value"), format!("the section [{name}]"));
    }
    let near = SETTINGS.iter().find(|setting| setting.key == name).map(ConfigSetting::name);
    let near = near.or_else(|| nearest(name, SECTIONS.iter().map(|section| section.name)).map(str::to_owned));
    ConfigError::new(origin, format!("{name} is outside any section"), "a [section] above it")
        .with_nearest(near)
}

fn raw(value: &DeValue<'_>) -> Raw {
    match value {
        DeValue::String(text) => Raw::Quoted(text.clone().into_owned()),
        DeValue::Integer(number) if number.radix() == 10 => Raw::Bare(number.as_str().to_owned()),
        DeValue::Integer(number) => match u64::from_str_radix(number.as_str(), number.radix()) {
            Ok(decimal) => Raw::Bare(decimal.to_string()),
            Err(_) => Raw::Misfit("a number that is too large"),
        },
        DeValue::Float(number) => Raw::Bare(number.as_str().to_owned()),
        DeValue::Boolean(flag) => Raw::Bare(flag.to_string()),
        DeValue::Datetime(_) => Raw::Misfit("a date"),
        DeValue::Array(_) => Raw::Misfit("a list"),
        DeValue::Table(_) => Raw::Misfit("a table"),
    }
}
