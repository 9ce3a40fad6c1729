//! Variables and drafts of zones as shown in the web builder, in the form of definitions.

use super::definitions::{DefinitionLine, DefinitionList, DefinitionView, FieldView};
use crate::access::permissions;
use crate::building::zones;
use crate::building::zones::draft;
use crate::command::build::variable::require_declared;
use crate::effect::Declined;
use crate::input::builder_request::ZonePart;
use crate::turn::Turn;
use deepwell_core::base::{AccountId, Right};
use deepwell_core::catalog::reference;
use deepwell_core::text::grammar;

/// Lists the variables of a zone, or all drafts.
pub(super) fn list(
    turn: &Turn,
    account: AccountId,
    zone: &str,
    kind: ZonePart,
) -> Result<DefinitionList, Declined> {
    zones::require_zone(turn, zone)?;
    let has = |right| permissions::has(turn, account, right);
    let line = |key: &str, words| DefinitionLine { key: key.to_owned(), made: true, words };
    let (may, list, fields) = match kind {
        ZonePart::Variable => {
            let declared = zones::row(turn, zone).variables;
            let list = declared.iter().map(|(name, variable)| line(name, variable.to_string())).collect();
            let fields = reference::variable_fields().map(FieldView::from).collect();
            (has(Right::Scripts) && zones::may_build(turn, account, zone), list, fields)
        }
        ZonePart::Draft => {
            let drafts = draft::all(turn).map(|(key, draft)| {
                let rooms = grammar::counted(turn.world.rooms.of_zone(key).len(), "room");
                line(key, format!("a draft of {} with {rooms}", draft.of))
            });
            (has(Right::Zones), drafts.collect(), Vec::new())
        }
    };
    Ok(DefinitionList { may, list, more: 0, fields })
}

/// Returns a variable with its declaration, or a draft with its zone.
pub(super) fn one(
    turn: &Turn,
    account: AccountId,
    zone: &str,
    kind: ZonePart,
    key: &str,
) -> Result<DefinitionView, Declined> {
    let has = |right| permissions::has(turn, account, right);
    let (key, may, fields) = match kind {
        ZonePart::Variable => {
            let variable = require_declared(turn, zone, key)?;
            let fields = vec![
                ("of", variable.of.name().to_owned()),
                ("type", variable.default.kind().name().to_owned()),
                ("default", variable.default.to_string()),
                ("reset", variable.reset.name().to_owned()),
            ];
            (key.to_owned(), has(Right::Scripts) && zones::may_build(turn, account, zone), fields)
        }
        ZonePart::Draft => {
            let (key, draft) = draft::meant(turn, key)?;
            let may = has(Right::Publish) && zones::may_build(turn, account, &key);
            (key, may, vec![("of", draft.of)])
        }
    };
    let fields = fields.into_iter().map(|(field, value)| (field.to_owned(), value.into())).collect();
    let text_chars = turn.config.limits.description_chars;
    Ok(DefinitionView { key, may, fields, text_chars, ..DefinitionView::default() })
}
