//! Files of the web client: embedded, or read from a folder at the start. Files added to `web/` are embedded
//! automatically.

use std::collections::BTreeMap;
use std::collections::hash_map::DefaultHasher;
use std::hash::{Hash as _, Hasher as _};
use std::io::{self, Write as _};
use std::path::Path;

use axum::Extension;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri, header};
use axum::response::{IntoResponse as _, Response};
use bytes::Bytes;
use flate2::Compression;
use flate2::write::GzEncoder;

use crate::net::websocket::ClientOrigin;
use crate::server::http::notice::NoticePage;
use crate::server::http::websocket::caller_behind_proxies;
use crate::server::http::{Http, browser};

/// Embedded files, by their paths in `web/`.
const BUILTIN: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/web.rs"));

/// File served for the path of a folder.
const INDEX: &str = "index.html";

/// Pages that set the browser cookie: the web client, the web builder and the staff page.
const INDEX_PATH: &str = "/";
pub(super) const BUILD: &str = "/build/";
pub(super) const STAFF: &str = "/staff/";

/// A file to serve.
#[derive(Clone, Debug)]
struct WebFile {
    bytes: Bytes,
    /// The gzip-compressed bytes, if they are sufficiently smaller.
    small: Option<Bytes>,
    media_type: &'static str,
    /// Changes with the bytes, so that browsers can cache the file.
    etag: HeaderValue,
}

/// All files, by their paths below `/`.
#[derive(Clone, Debug, Default)]
pub struct WebFiles {
    files: BTreeMap<String, WebFile>,
}

impl WebFiles {
    /// Returns the embedded files.
    pub fn builtin() -> Self {
        let mut files = Self::default();
        for (path, bytes) in BUILTIN {
            files.add((*path).to_owned(), Bytes::from_static(bytes));
        }
        files
    }

    /// Reads the files of a folder recursively. Skips hidden files, which belong to editors or git.
    pub fn read(folder: &Path) -> io::Result<Self> {
        let mut files = Self::default();
        files.collect(folder, "")?;
        Ok(files)
    }

    fn collect(&mut self, folder: &Path, below: &str) -> io::Result<()> {
        for entry in std::fs::read_dir(folder)? {
            let path = entry?.path();
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            if name.starts_with('.') {
                continue;
            }
            if path.is_dir() {
                self.collect(&path, &format!("{below}{name}/"))?;
            } else {
                self.add(format!("{below}{name}"), std::fs::read(&path)?.into());
            }
        }
        Ok(())
    }

    fn add(&mut self, path: String, bytes: Bytes) {
        let mut hasher = DefaultHasher::new();
        bytes.hash(&mut hasher);
        let etag = HeaderValue::from_str(&format!("\"{:016x}\"", hasher.finish()));
        let Ok(etag) = etag else { return };
        let media_type = media_type(&path);
        let small = compressed(&bytes).filter(|small| small.len() < bytes.len() / 10 * 9);
        self.files.insert(path, WebFile { bytes, small, media_type, etag });
    }

    /// Returns the file at a request path.
    fn find(&self, path: &str) -> Option<&WebFile> {
        let path = path.strip_prefix('/')?;
        if path.is_empty() || path.ends_with('/') {
            return self.files.get(&format!("{path}{INDEX}"));
        }
        self.files.get(path)
    }
}

/// Compresses bytes with gzip. The files are public, so the compressed length reveals nothing.
fn compressed(bytes: &[u8]) -> Option<Bytes> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::best());
    encoder.write_all(bytes).ok()?;
    encoder.finish().ok().map(Bytes::from)
}

fn media_type(path: &str) -> &'static str {
    match path.rsplit_once('.').map_or("", |(_, ending)| ending) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" | "mjs" => "text/javascript; charset=utf-8",
        "json" => "application/json",
        "webmanifest" => "application/manifest+json",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "woff2" => "font/woff2",
        "txt" => "text/plain; charset=utf-8",
        "mpackage" => "application/zip",
        _ => "application/octet-stream",
    }
}

/// Serves the file at the request path, or `304 Not Modified`.
pub(super) async fn answer(
    State(http): State<Http>,
    Extension(caller): Extension<ClientOrigin>,
    uri: Uri,
    asked: HeaderMap,
) -> Response {
    let is_builder_page = [BUILD, STAFF].iter().any(|page| uri.path().starts_with(page));
    if is_builder_page && !http.web_builder.is_enabled() {
        return NoticePage::NOT_FOUND.answer(StatusCode::NOT_FOUND);
    }
    let mut answer = answer_from(&http.files, &uri, &asked);
    let is_page = [INDEX_PATH, BUILD, STAFF].iter().any(|page| {
        let file = http.files.find(page);
        file.is_some() && answer.headers().get(header::ETAG) == file.map(|file| &file.etag)
    });
    if is_page
        && let Some(cookie) = browser::cookie(&asked, caller_behind_proxies(caller, &http.proxies, &asked))
    {
        answer.headers_mut().insert(header::SET_COOKIE, cookie);
    }
    answer
}

fn answer_from(files: &WebFiles, uri: &Uri, asked: &HeaderMap) -> Response {
    let Some(file) = files.find(uri.path()) else {
        return NoticePage::NOT_FOUND.answer(StatusCode::NOT_FOUND);
    };
    // Browsers must revalidate each time: web client and server are updated together.
    let keep =
        [(header::ETAG, file.etag.clone()), (header::CACHE_CONTROL, HeaderValue::from_static("no-cache"))];
    if known(asked, &file.etag) {
        return (StatusCode::NOT_MODIFIED, keep).into_response();
    }
    let media_type = [(header::CONTENT_TYPE, file.media_type), (header::VARY, "accept-encoding")];
    if let Some(small) = file.small.clone().filter(|_| takes_gzip(asked)) {
        return (keep, media_type, [(header::CONTENT_ENCODING, "gzip")], small).into_response();
    }
    (keep, media_type, file.bytes.clone()).into_response()
}

/// Returns `true` if the browser accepts gzip.
fn takes_gzip(asked: &HeaderMap) -> bool {
    let codings = asked.get_all(header::ACCEPT_ENCODING).iter().filter_map(|value| value.to_str().ok());
    // Browsers list it without a weight; a client that gives weights gets the uncompressed file.
    codings.flat_map(|value| value.split(',')).any(|coding| coding.trim() == "gzip")
}

/// Returns `true` if the browser has the file with this tag.
fn known(asked: &HeaderMap, etag: &HeaderValue) -> bool {
    let tags = asked.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
    let mut tags = tags.flat_map(|value| value.split(',')).map(|tag| tag.trim().trim_start_matches("W/"));
    tags.any(|tag| tag == "*" || tag.as_bytes() == etag.as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_client_is_embedded() {
        let files = WebFiles::builtin();
        let index = files.find("/").unwrap();
        assert!(index.bytes.starts_with(b"<!DOCTYPE html>"));
        assert_eq!(index.media_type, "text/html; charset=utf-8");
        assert_eq!(files.find("/index.html").unwrap().etag, index.etag);
        assert!(
            files.find("").is_none()
                && files.find("/index").is_none()
                && files.find("/../Cargo.toml").is_none()
        );
    }

    #[test]
    fn web_folder_is_read_recursively() {
        let folder = tempfile::tempdir().unwrap();
        std::fs::create_dir(folder.path().join("modules")).unwrap();
        std::fs::write(folder.path().join("index.html"), "one").unwrap();
        std::fs::write(folder.path().join("modules/map.js"), "two").unwrap();
        std::fs::write(folder.path().join(".map.js.swp"), "three").unwrap();
        let files = WebFiles::read(folder.path()).unwrap();
        assert_eq!(files.files.len(), 2);
        let map = files.find("/modules/map.js").unwrap();
        assert_eq!(
            (map.bytes.as_ref(), map.media_type),
            (b"two".as_slice(), "text/javascript; charset=utf-8")
        );
        assert_ne!(map.etag, files.find("/").unwrap().etag);
        assert!(WebFiles::read(&folder.path().join("nowhere")).is_err());
    }

    /// The first page view must load quickly on a slow connection: within 160 KB. The limit is lower, so that growth is noticed
    /// early. Only builders and staff load their pages.
    #[test]
    fn web_client_is_below_100_kilobytes_compressed() {
        let files = WebFiles::builtin();
        let bytes = |of_builders: bool| -> usize {
            let is_of_builders = |path: &str| [BUILD, STAFF].iter().any(|page| path.starts_with(&page[1..]));
            let counted = files.files.iter().filter(|(path, _)| is_of_builders(path) == of_builders);
            counted.map(|(_, file)| file.small.as_ref().unwrap_or(&file.bytes).len()).sum()
        };
        let (client, builders) = (bytes(false), bytes(true));
        assert!(client < 100_000 && builders < 60_000, "{client} and {builders}");
        let asked = |text| HeaderMap::from_iter([(header::ACCEPT_ENCODING, HeaderValue::from_static(text))]);
        assert!(takes_gzip(&asked("deflate, gzip, br")) && !takes_gzip(&asked("br, gzip;q=0")));
        assert!(!takes_gzip(&HeaderMap::new()));
    }

    #[test]
    fn matching_etag_is_recognised() {
        let etag = HeaderValue::from_static("\"0123\"");
        let asked = |text: &'static str| {
            HeaderMap::from_iter([(header::IF_NONE_MATCH, HeaderValue::from_static(text))])
        };
        assert!(known(&asked("\"9\", W/\"0123\""), &etag) && known(&asked("*"), &etag));
        assert!(!known(&asked("\"9\""), &etag) && !known(&HeaderMap::new(), &etag));
    }
}
