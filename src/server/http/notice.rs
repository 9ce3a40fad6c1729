//! Short pages for when there is nothing to show: they need neither style nor script.

use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

/// A page of a heading and a sentence.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Notice {
    heading: &'static str,
    sentence: &'static str,
}

impl Notice {
    /// Nothing is at this path.
    pub(super) const NOT_FOUND: Self = Self {
        heading: "There is nothing here",
        sentence: "The game is at <a href=\"/\">the front page</a>.",
    };
    /// The world does not answer.
    pub(super) const BUSY: Self = Self {
        heading: "The world does not answer",
        sentence: "The server is busy, or stops just now. Please try again in a minute.",
    };

    /// The page as an answer.
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
