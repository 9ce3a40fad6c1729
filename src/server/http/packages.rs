//! Packages in the requests of the web builder: a zip archive in Base64 over HTTP, the JSON of its texts in the game.
//! Archives come from strangers' hands: reading one is bounded, and happens off the tasks of the server.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;
use tokio::task::spawn_blocking;

use deepwell_core::base::limits::Limits;
use deepwell_core::data::archive::{Archive, ArchiveError, ArchiveLimits};
use deepwell_game::Declined;

/// Maximum size of the texts of an uploaded package, as a multiple of the size of a request.
const UNPACKED: u32 = 8;

const NO_BASE64: &str = "The file of the package did not arrive as it was sent. Choose it again.";
const TOO_LARGE: &str = "The package is too large for this page. Put it into the folder packages beside the data of the server, and type zone unpack and its name in the game.";
const NO_PACKAGE: &str = "The package cannot be packed.";

/// Returns the limits of an uploaded archive.
pub(super) fn limits(limits: &Limits) -> ArchiveLimits {
    let bytes = limits.package_bytes.min(limits.desk_bytes.saturating_mul(UNPACKED));
    ArchiveLimits { files: limits.package_files, bytes }
}

/// Returns the JSON of an archive's texts from its bytes in Base64, or a sentence for the builder.
pub(super) async fn opened(encoded: String, limits: ArchiveLimits) -> Result<String, Declined> {
    let read = move || {
        let bytes = STANDARD.decode(encoded).map_err(|_| NO_BASE64.to_owned())?;
        let archive = Archive::from_bytes(&bytes, &limits).map_err(|error| match error {
            ArchiveError::TooLarge(_) => TOO_LARGE.to_owned(),
            error => format!("The file is no package: {error}."),
        })?;
        serde_json::to_string(&archive).map_err(|error| Declined::Reason(error.to_string()))
    };
    spawn_blocking(read).await.unwrap_or_else(|_| Err(no_package()))
}

/// Returns the game's answer to a request for a package, with the archive as bytes in Base64.
pub(super) async fn packed(answer: Vec<String>) -> Result<Vec<String>, Declined> {
    let write = move || {
        let mut answer: Value = serde_json::from_str(&answer.concat()).ok()?;
        let package = answer.get_mut("package")?;
        let archive: Archive = serde_json::from_str(package.as_str()?).ok()?;
        *package = Value::String(STANDARD.encode(archive.to_bytes().ok()?));
        Some(vec![answer.to_string()])
    };
    spawn_blocking(write).await.ok().flatten().ok_or_else(no_package)
}

fn no_package() -> Declined {
    Declined::Reason(NO_PACKAGE.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn archive(texts: &[(&str, &str)]) -> Archive {
        Archive(texts.iter().map(|(path, text)| ((*path).to_owned(), (*text).to_owned())).collect())
    }

    async fn upload(bytes: &[u8]) -> Result<String, Declined> {
        opened(STANDARD.encode(bytes), ArchiveLimits { files: 3, bytes: 2_000 }).await
    }

    async fn refused(texts: &[(&str, &str)]) -> String {
        upload(&archive(texts).to_bytes().unwrap()).await.expect_err("it is refused").to_string()
    }

    #[tokio::test]
    async fn downloaded_package_can_be_uploaded() {
        let archive = archive(&[("zones/mill.toml", "a = 1\n"), ("scripts/bell.luau", "return {}\n")]);
        let text = serde_json::to_string(&archive).unwrap();
        let answer = serde_json::json!({ "name": "mill", "package": text }).to_string();
        let response: Value = serde_json::from_str(&packed(vec![answer]).await.unwrap().concat()).unwrap();
        assert_eq!(response["name"], "mill");
        let encoded = response["package"].as_str().unwrap().to_owned();
        assert_eq!(opened(encoded, ArchiveLimits { files: 3, bytes: 2_000 }).await, Ok(text));
        assert_eq!(packed(vec!["{}".to_owned()]).await, Err(no_package()));
    }

    #[tokio::test]
    async fn hostile_files_are_refused() {
        let bomb = "a".repeat(100_000);
        assert_eq!(refused(&[("zones/mill.toml", &bomb)]).await, TOO_LARGE);
        assert_eq!(upload(&[b'x'; 3_000]).await, Err(Declined::Reason(TOO_LARGE.to_owned())));
        assert!(refused(&[("../mill.toml", "x")]).await.contains("is no path below the archive"));
        let many = [("a", "x"), ("b", "x"), ("c", "x"), ("d", "x")];
        assert!(refused(&many).await.contains("it holds 4 files"));
        assert!(
            upload(b"no archive")
                .await
                .unwrap_err()
                .to_string()
                .contains("The file is no package: it is no zip")
        );
        let limits = ArchiveLimits { files: 3, bytes: 2_000 };
        assert_eq!(
            opened("no base64!".to_owned(), limits).await,
            Err(Declined::Reason(NO_BASE64.to_owned()))
        );
    }
}
