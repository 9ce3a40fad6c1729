//! What Mudlet fetches: the package with map and gauges, packed while building.

use axum::http::header;
use axum::response::{IntoResponse as _, Response};

/// The path of the package.
pub const PACKAGE: &str = "/deepwell.mpackage";
/// Its version, which stands in `clients/mudlet/config.lua`, too: Mudlet installs it again when it changes.
pub const VERSION: &str = "1";
/// The path of the map of the rooms that last.
pub const MAP: &str = "/map.xml";

/// The package: an archive of `clients/mudlet/config.lua` and the script.
const BYTES: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/deepwell.mpackage"));

/// Answers with the package.
pub(super) async fn package() -> Response {
    ([(header::CONTENT_TYPE, "application/zip")], BYTES).into_response()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_offered_is_the_version_packed() {
        let config = include_str!("../../../clients/mudlet/config.lua");
        assert!(config.contains(&format!("version = \"{VERSION}\"")), "{config}");
        let name = b"config.lua";
        assert!(
            BYTES.windows(name.len()).any(|bytes| bytes == name),
            "not compressed, so its names can be read"
        );
    }
}
