//! The puzzle that a command line asks for.

use super::Failure;
use crate::catalog::Catalog;
use crate::puzzle::{Config, Entry, ParamKind, Value};
use crate::server::config::nearest;

/// The might that a party begins with where no theme says another.
const POWER: i64 = 40;

/// A puzzle as a theme sets it up, or with its defaults if the theme does not list it, with some parameters changed.
pub(super) fn entry(catalog: &Catalog, theme: &str, name: &str, params: &[String]) -> Result<Entry, Failure> {
    let Some(puzzle) = catalog.puzzles.find(name) else {
        let hint = nearest(name, catalog.puzzles.names()).map(|name| format!(", did you mean `{name}`?"));
        let expected = catalog.puzzles.names().collect::<Vec<_>>().join(", ");
        let hint = hint.unwrap_or_default();
        return Err(Failure::Usage(format!("unknown puzzle {name}, expected one of {expected}{hint}")));
    };
    let by_level = catalog.level(theme).and_then(|level| catalog.theme_of(level));
    let theme = catalog.themes.get(theme).or(by_level);
    let listed = theme.and_then(|theme| theme.puzzles.iter().find(|entry| entry.puzzle.name() == name));
    let mut entry = listed.cloned().unwrap_or_else(|| {
        let config = Config::of(&*puzzle).with_power(POWER);
        Entry::new(puzzle, config)
    });
    for param in params {
        let wrong = |why: String| Failure::Usage(format!("{param}: {why}"));
        let (key, value) =
            param.split_once('=').ok_or_else(|| wrong("a parameter looks like rooms=8".into()))?;
        let declared = entry.puzzle.params().iter().find(|declared| declared.name == key);
        let declared = declared.ok_or_else(|| wrong(format!("{name} has no parameter {key}")))?;
        let value = read(declared.kind, value).map_err(|takes| wrong(format!("{key} takes {takes}")))?;
        entry.config = entry.config.with(declared.name, value);
        entry.puzzle.check_param(declared.name, &entry.config).map_err(wrong)?;
    }
    Ok(entry)
}

/// Reads the value of a parameter, or says what it takes.
fn read(kind: ParamKind, value: &str) -> Result<Value, String> {
    match kind {
        ParamKind::Number { least, most, .. } => {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.map(Value::Number).ok_or_else(|| format!("{least} to {most}"))
        }
        ParamKind::Truth { .. } => value.parse().map(Value::Truth).map_err(|_| "true or false".to_owned()),
        ParamKind::Choice(words) if words.contains(&value) => Ok(Value::Word(value.to_owned())),
        ParamKind::Choice(words) => Err(words.join(" or ")),
        ParamKind::Texts => Ok(Value::Texts(value.split('|').map(str::to_owned).collect())),
    }
}
