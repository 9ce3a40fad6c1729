//! Minimal HTML pages for errors, without scripts.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

/// A page with a heading and a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct NoticePage {
    heading: &'static str,
    sentence: &'static str,
}

impl NoticePage {
    /// No page at this path.
    pub(super) const NOT_FOUND: Self = Self {
        heading: "There is nothing here",
        sentence: "The game is at <a href=\"/\">the front page</a>.",
    };
    /// The game loop does not answer.
    pub(super) const BUSY: Self = Self {
        heading: "The world does not answer",
        sentence: "The server is busy, or stops just now. Please try again in a minute.",
    };

    /// Returns the page as a response.
    pub(super) fn answer(self, status: StatusCode) -> Response {
        let Self { heading, sentence } = self;
        let html = format!(
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
             <meta name=\"viewport\" content=\"width=device-width\">\n<title>{heading}</title>\n\
             <link rel=\"stylesheet\" href=\"/plain.css\">\n</head>\n\
             <body>\n<main>\n<h1>{heading}</h1>\n<p>{sentence}</p>\n</main>\n</body>\n</html>\n"
        );
        let media_type =
            [(header::CONTENT_TYPE, "text/html; charset=utf-8"), (header::CACHE_CONTROL, "no-store")];
        (status, media_type, html).into_response()
    }
}
