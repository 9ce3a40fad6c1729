//! Code of a source without comments and without the text of its literals.

/// Returns a source with its comments removed and its string and character literals emptied. Lines keep their numbers.
pub(crate) fn bare(text: &str) -> String {
    let (mut bare, mut rest) = (String::new(), text);
    while let Some(first) = rest.chars().next() {
        let length = comment(rest).or_else(|| literal(rest, bare.chars().next_back()));
        let taken = &rest[..length.unwrap_or(first.len_utf8())];
        match length {
            Some(_) => {
                bare.push_str(if taken.ends_with(['"', '#']) { "\"\"" } else { "" });
                bare.extend(taken.matches('\n'));
            }
            None => bare.push(first),
        }
        rest = &rest[taken.len()..];
    }
    bare
}

/// Returns the length of the comment at the beginning of a text, if there is one.
fn comment(text: &str) -> Option<usize> {
    if text.starts_with("//") {
        return Some(text.find('\n').unwrap_or(text.len()));
    }
    text.starts_with("/*").then(|| text.find("*/").map_or(text.len(), |end| end + 2))
}

/// Returns the length of the literal at the beginning of a text, if there is one. `before` is the character before it.
fn literal(text: &str, before: Option<char>) -> Option<usize> {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    if let Some(raw) = text.strip_prefix('r').filter(|_| !before.is_some_and(|c| is_word(c) && c != 'b')) {
        let hashes = raw.len() - raw.trim_start_matches('#').len();
        let end = format!("\"{}", "#".repeat(hashes));
        let body = raw[hashes..].strip_prefix('"')?;
        return Some(1 + hashes + 1 + body.find(&end).map_or(body.len(), |at| at + end.len()));
    }
    let quote = text.chars().next().filter(|c| matches!(c, '"' | '\''))?;
    let mut chars = text.char_indices().skip(1);
    while let Some((at, c)) = chars.next() {
        match c {
            '\\' => _ = chars.next(),
            c if c == quote => return Some(at + 1),
            // After one character without a quote, `'` began a lifetime.
            _ if quote == '\'' && !text[1..].starts_with('\\') && at > 1 => return None,
            _ => {}
        }
    }
    (quote == '"').then_some(text.len())
}

#[test]
fn comments_and_literals_are_removed() {
    let pairs = [
        ("a(); // b()\nc();", "a(); \nc();"),
        ("a(/* b\n c */ d)", "a(\n d)"),
        (r#"say("a // \" b", c)"#, r#"say("", c)"#),
        ("say(\"a \\\n  b\", c)", "say(\"\"\n, c)"),
        ("r#\"a \"b\" \"#; for_r(\"\")", "\"\"; for_r(\"\")"),
        ("br\"a\\\"; 'x' == '\\'' || c", "b\"\";  ==  || c"),
        ("fn f<'a>(x: &'a str, y: 'static) {}", "fn f<'a>(x: &'a str, y: 'static) {}"),
        ("'\"'; tokio", "; tokio"),
    ];
    for (text, wanted) in pairs {
        assert_eq!(bare(text), wanted, "{text}");
    }
}
