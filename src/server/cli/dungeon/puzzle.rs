//! The puzzle selected on the command line.

use super::CliFailure;
use deepwell_core::catalog::Catalog;
use deepwell_core::puzzle::{ParamKind, ParamValue, PuzzleConfig, PuzzleEntry};
use deepwell_core::text::nearest;

/// Default might of a party without a theme.
const POWER: i64 = 40;

/// Returns a puzzle with the theme's parameters, or with defaults if the theme does not list it, and applies `params`.
pub(super) fn entry(
    catalog: &Catalog,
    theme: &str,
    name: &str,
    params: &[String],
) -> Result<PuzzleEntry, CliFailure> {
    let Some(puzzle) = catalog.puzzles.find(name) else {
        let hint = nearest(name, catalog.puzzles.names()).map(|name| format!(", did you mean `{name}`?"));
        let expected = catalog.puzzles.names().collect::<Vec<_>>().join(", ");
        let hint = hint.unwrap_or_default();
        return Err(CliFailure::Usage(format!("unknown puzzle {name}, expected one of {expected}{hint}")));
    };
    let by_level_type = catalog.level_type(theme).and_then(|level_type| catalog.theme_of(level_type));
    let theme = catalog.themes.get(theme).or(by_level_type);
    let listed = theme.and_then(|theme| theme.puzzles.iter().find(|entry| entry.puzzle.name() == name));
    let mut entry = listed.cloned().unwrap_or_else(|| {
        let config = PuzzleConfig::of(&*puzzle).with_power(POWER);
        PuzzleEntry::new(puzzle, config)
    });
    for param in params {
        let usage_error = |why: String| CliFailure::Usage(format!("{param}: {why}"));
        let (key, value) = param
            .split_once('=')
            .ok_or_else(|| usage_error("expected a parameter such as rooms=8".into()))?;
        let declared = entry.puzzle.description().params.iter().find(|declared| declared.name == key);
        let declared = declared.ok_or_else(|| usage_error(format!("{name} has no parameter {key}")))?;
        let value = read(declared.kind, value)
            .ok_or_else(|| usage_error(format!("{key} takes {}", values(declared.kind))))?;
        entry.config = entry.config.with(&declared.name, value);
        entry
            .puzzle
            .check_param(&declared.name, &entry.config)
            .map_err(|why| usage_error(why.to_string()))?;
    }
    Ok(entry)
}

/// Parses the value of a parameter; `None` if it is not valid.
fn read(kind: ParamKind, value: &str) -> Option<ParamValue> {
    match kind {
        ParamKind::Number { least, most, .. } => {
            let number = value.parse().ok().filter(|number| (least..=most).contains(number));
            number.map(ParamValue::Number)
        }
        ParamKind::Truth { .. } => value.parse().map(ParamValue::Truth).ok(),
        ParamKind::Choice(words) => words.contains(&value).then(|| ParamValue::Word(value.to_owned())),
        ParamKind::Texts => Some(ParamValue::Texts(value.split('|').map(str::to_owned).collect())),
    }
}

/// Describes the valid values of a parameter.
fn values(kind: ParamKind) -> String {
    match kind {
        ParamKind::Number { least, most, .. } => format!("{least} to {most}"),
        ParamKind::Truth { .. } => "true or false".to_owned(),
        ParamKind::Choice(words) => words.join(" or "),
        ParamKind::Texts => "texts separated by |".to_owned(),
    }
}
