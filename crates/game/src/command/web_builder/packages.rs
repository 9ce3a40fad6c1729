//! Packages of zones in the web builder, sent and received in its requests. Rights and refusals are those of `zone pack`
//! and `zone unpack`.

use crate::access::{audit_log, sanctions};
use crate::building::zones::files::{self, Unpacking};
use crate::building::zones::outcome::Failed;
use crate::command::parse::Actor;
use crate::effect::Declined;
use crate::effect::files::FilePurpose;
use crate::input::builder_request::PackageUpload;
use crate::refusal::Refusal;
use crate::turn::Turn;
use deepwell_core::base::Right;
use deepwell_core::world::Sanction;
use serde::Serialize;

/// Package of a zone.
#[derive(Serialize)]
pub(super) struct PackageView {
    /// Name of its file, without suffix.
    name: String,
    /// JSON of its archive.
    package: String,
}

/// Result of an upload.
#[derive(Serialize)]
pub(super) struct UploadResult {
    /// Sentences for the builder.
    words: Vec<String>,
    /// Set if the package cannot be taken in.
    refused: bool,
}

/// Refuses a builder who may not type a command with these rights, and logs the command otherwise.
fn permit(turn: &mut Turn, actor: Actor, rights: &[Right], line: &str) -> Result<(), Refusal> {
    sanctions::require_no_sanction(turn, actor.account, Sanction::Freeze)?;
    rights.iter().try_for_each(|right| actor.require(turn, *right))?;
    if !turn.read_only {
        audit_log::audit(turn, Some(actor.account), line);
    }
    Ok(())
}

/// Returns the package of a zone.
pub(super) fn pack(turn: &mut Turn, actor: Actor, zone: String) -> Result<PackageView, Declined> {
    permit(turn, actor, &[Right::Zones], &format!("zone pack {zone}"))?;
    let package = files::packed(turn, actor.account, &zone)?;
    Ok(PackageView { name: zone, package })
}

/// Tells what an uploaded package would bring, or takes it in.
pub(super) fn unpack(
    turn: &mut Turn,
    actor: Actor,
    upload: &PackageUpload,
) -> Result<UploadResult, Declined> {
    let purpose = if upload.now { FilePurpose::Import } else { FilePurpose::Compare };
    let prefix = upload.prefix.as_deref().filter(|prefix| !prefix.is_empty());
    // The builder may be anywhere, so the change belongs to no room.
    let account = Some(actor.account);
    let asked = Unpacking { name: &upload.name, prefix, purpose, account, room: None };
    permit(turn, actor, &[Right::Zones, Right::Prototypes, Right::Scripts], &asked.line())?;
    let report = files::unpack(turn, &asked, &upload.package);
    let refused = report.is_err();
    Ok(UploadResult { words: report.unwrap_or_else(Failed::lines), refused })
}
