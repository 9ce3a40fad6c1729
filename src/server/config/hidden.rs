//! Passwords in addresses, which are not shown with the settings.

/// Text in place of a secret.
const HIDDEN: &str = "***";

/// Returns a text without the passwords in the addresses that it contains. `nats://TOKEN@` is a password as well.
pub(super) fn without_passwords(text: &str) -> String {
    let mut parts = text.split("://");
    let mut out = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let is_nats = ["nats", "tls"].iter().any(|scheme| out.ends_with(scheme));
        out.push_str("://");
        // Up to the last `@`, because passwords in badly written addresses may contain one.
        let end = part.find([',', '/', '"', ' ', '\\']).unwrap_or(part.len());
        let (authority, rest) = part.split_at(end);
        let Some((secret, host)) = authority.rsplit_once('@') else {
            out.push_str(part);
            continue;
        };
        match secret.split_once(':') {
            Some((user, _)) => out.extend([user, ":", HIDDEN]),
            None => out.push_str(if is_nats { HIDDEN } else { secret }),
        }
        out.extend(["@", host, rest]);
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_in_addresses_are_hidden() {
        for (text, expected) in [
            ("nats://world:secret@10.0.0.5:4222", "nats://world:***@10.0.0.5:4222"),
            (
                "\"nats://a:s1@h:1, tls://b:s%402@h:2,nats://token@h\" # config.toml:3",
                "\"nats://a:***@h:1, tls://b:***@h:2,nats://***@h\" # config.toml:3",
            ),
            ("nats://a:s@cr:et@h, was nats://h", "nats://a:***@h, was nats://h"),
            ("https://user:pw@example.org/path?x=a@b", "https://user:***@example.org/path?x=a@b"),
            ("https://user@example.org/", "https://user@example.org/"),
            ("https://example.org/a:b@c", "https://example.org/a:b@c"),
            ("mail me@example.org: no address", "mail me@example.org: no address"),
        ] {
            assert_eq!(without_passwords(text), expected);
        }
    }
}
