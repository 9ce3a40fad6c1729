//! Reading and editing of a help page's text by header line.

use crate::data::FileValue;

/// Field name of the body, which is treated like a header line.
pub const BODY: &str = "text";

/// Returns the header lines and the body in file order.
pub fn fields(page: &str) -> Vec<(String, FileValue)> {
    let (top, body) = parts(page);
    let lines = top.lines().filter_map(|line| {
        let (name, text) = line.split_once(':')?;
        let text = text.trim();
        let parts = || text.split(',').map(|part| FileValue::Text(part.trim().to_owned()));
        let value =
            if is_list(name) { FileValue::List(parts().collect()) } else { FileValue::Text(text.to_owned()) };
        Some((name.trim().to_owned(), value))
    });
    lines.chain([(BODY.to_owned(), FileValue::Text(body.to_owned()))]).collect()
}

/// Returns the page with a field set, or removed for `None`.
pub fn with(page: &str, name: &str, value: Option<&FileValue>) -> String {
    let (top, body) = parts(page);
    let text = value.map(words).unwrap_or_default();
    if name == BODY {
        return whole(top.lines(), &text);
    }
    // The header ends at the first empty line, so a value must be on one line.
    let phrase = text.split_whitespace().collect::<Vec<_>>().join(" ");
    let line = value.map(|_| format!("{name}: {phrase}"));
    let is_it = |line: &str| line.split_once(':').is_some_and(|(other, _)| other.trim() == name);
    let mut lines: Vec<&str> = top.lines().collect();
    match (lines.iter().position(|line| is_it(line)), &line) {
        (Some(at), Some(line)) => lines[at] = line,
        (Some(at), None) => _ = lines.remove(at),
        (None, Some(line)) => lines.push(line),
        (None, None) => {}
    }
    whole(lines.into_iter(), body)
}

/// Formats paragraphs given one per line: separated by empty lines, except for list items.
pub fn body(paragraphs: &str) -> String {
    let is_item = |line: &str| line.starts_with("- ");
    let mut body = String::new();
    let mut after_item = false;
    for line in paragraphs.lines().map(str::trim).filter(|line| !line.is_empty()) {
        body.push_str(match (body.is_empty(), after_item && is_item(line)) {
            (true, _) => "",
            (_, true) => "\n",
            _ => "\n\n",
        });
        body.push_str(line);
        after_item = is_item(line);
    }
    body
}

fn is_list(name: &str) -> bool {
    matches!(name, "aliases" | "see")
}

/// Returns the parts before and after the first empty line.
fn parts(page: &str) -> (&str, &str) {
    let mut at = 0;
    for line in page.split_inclusive('\n') {
        if line.trim().is_empty() {
            return (&page[..at], page[at..].trim());
        }
        at += line.len();
    }
    (page, "")
}

fn whole<'l>(top: impl Iterator<Item = &'l str>, body: &str) -> String {
    let top: String = top.flat_map(|line| [line, "\n"]).collect();
    format!("{top}\n{body}\n")
}

/// Formats a value for a header line.
fn words(value: &FileValue) -> String {
    match value {
        FileValue::Text(text) => text.trim().to_owned(),
        FileValue::List(values) => values.iter().map(words).collect::<Vec<_>>().join(", "),
        other => crate::data::edit::written(other),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MILL: &str = "title: The mill\naliases: wheel, stones\n\nIt turns.\n\n- one\n- two\n";

    fn text(value: &str) -> FileValue {
        FileValue::Text(value.to_owned())
    }

    #[test]
    fn edit_changes_only_its_line() {
        assert_eq!(with(MILL, "title", Some(&text("A mill"))), MILL.replace("The mill", "A mill"));
        assert_eq!(with(MILL, "see", Some(&text("a, b"))), MILL.replace("stones\n", "stones\nsee: a, b\n"));
        assert_eq!(with(MILL, "aliases", None), MILL.replace("aliases: wheel, stones\n", ""));
        assert_eq!(
            with(MILL, BODY, Some(&text("Gone.\n"))),
            "title: The mill\naliases: wheel, stones\n\nGone.\n"
        );
        assert_eq!(with(MILL, "title", Some(&text("a\n\nb"))), MILL.replace("The mill", "a b"));
        assert_eq!(with("title: T", "group", Some(&text("well"))), "title: T\ngroup: well\n\n\n");
    }

    #[test]
    fn page_is_rebuilt_from_its_fields() {
        let mut page = String::new();
        for (name, value) in fields(MILL) {
            page = with(&page, &name, Some(&value));
        }
        assert_eq!(page, MILL);
    }

    #[test]
    fn paragraphs_are_separated_and_list_items_are_not() {
        assert_eq!(body("It turns.\n- one\n- two\nOn."), "It turns.\n\n- one\n- two\n\nOn.");
    }
}
