//! Sentences of content that are rendered for each recipient: actor, target and bystanders.

use crate::data::{CatalogError, Reader};
use crate::text::act::{Template, TemplateMistake};

/// Requirement for a `{target}` in a sentence.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(in crate::catalog) enum TargetNeed {
    /// The sentence must not have a target.
    Absent,
    /// The sentence must name its target.
    Named,
}

/// Reads a required sentence, which must name its actor and, depending on `target`, a target.
pub(in crate::catalog) fn sentence(table: &mut Reader<'_>, name: &str, target: TargetNeed) -> Template {
    let place = table.place_of(name);
    let text = table.text(name);
    if let Some(odd) = text.chars().find(|c| !matches!(c, ' '..='~')) {
        let mistake = format!("{odd:?} is not a printable ASCII character; stock text has no other");
        table.note(CatalogError::new(&place, mistake, ""));
    }
    match Template::parse(&text) {
        Ok(template) => {
            let mistake = match (template.names("actor"), target, template.names("target")) {
                _ if text.is_empty() => None,
                (false, ..) => Some("does not say who does it, expected `{actor}`"),
                (_, TargetNeed::Named, false) => Some("does not say to whom, expected `{target}`"),
                (_, TargetNeed::Absent, true) => Some("has a `{target}`, and there is none"),
                _ => None,
            };
            if let Some(mistake) =
                mistake.or_else(|| template.names("object").then_some("has an `{object}`, and there is none"))
            {
                table.note(CatalogError::new(&place, format!("`{name}` {mistake}"), ""));
            }
            template
        }
        Err(TemplateMistake::Unpaired) => {
            table.note(CatalogError::new(&place, format!("`{name}` has a brace without its other half"), ""));
            Template::default()
        }
        Err(TemplateMistake::Unknown(piece)) => {
            let valid =
                ["actor", "target"].into_iter().flat_map(|role| FORMS.map(|form| format!("{role}{form}")));
            let valid: Vec<String> = valid.collect();
            let valid = valid.iter().map(String::as_str);
            table.note(CatalogError::unknown_name(&place, "placeholder", &piece, valid));
            Template::default()
        }
    }
}

/// Valid suffixes of a role name.
const FORMS: [&str; 7] = ["", "'s", ".they", ".them", ".their", ".theirs", ".themself"];
