//! Login by GMCP: the package `Char.Login`, version 1. The server offers it; the client sends a name and a password, or
//! asks for the text login, and receives the result.
//!
//! Offered only on connections that others cannot read. For the text login see `login`.

use serde::Deserialize;
use serde_json::json;

use crate::session::{Secret, Session, SessionAction, SessionStage};

/// Name of the package in lower case, as clients list it.
pub(in crate::session) const MODULE: &str = "char.login";

/// State of the login by GMCP.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(in crate::session) enum CharLogin {
    /// Not offered yet.
    #[default]
    NotOffered,
    /// The client may send a name and a password.
    Offered,
    /// The client has sent them and awaits the result.
    Tried,
}

/// Offers the supported login methods and the version of the package: at the name prompt, and only on a connection that
/// others cannot read.
pub(in crate::session) fn offer(session: &mut Session) {
    let at_the_door =
        matches!(session.stage, SessionStage::Login(_)) && session.char_login == CharLogin::NotOffered;
    if at_the_door && session.connection.privacy.is_fit_for_secrets() && session.subscriptions.takes_login() {
        session.char_login = CharLogin::Offered;
        let offer = json!({"type": ["password-credentials"], "version": 1}).to_string();
        session.screen.terminal().gmcp("Char.Login.Default", &offer);
    }
}

/// Takes credentials sent by GMCP; an empty body requests the text login.
pub(in crate::session) fn take_credentials(
    session: &mut Session,
    body: &str,
    actions: &mut Vec<SessionAction>,
) {
    let offered = session.char_login != CharLogin::NotOffered;
    if let SessionStage::Login(login) = &mut session.stage
        && offered
        && !login.waits()
    {
        session.input_at = session.now;
        // Otherwise the text prompt is already shown.
        if let Some(Credentials { name, password }) = Credentials::read(body) {
            session.char_login = CharLogin::Tried;
            actions.push(SessionAction::Ask(login.take_credentials(name, password, &mut session.screen)));
        }
    }
}

/// Sends the result to a client that logged in by GMCP.
pub(in crate::session) fn tell_result(session: &mut Session, refused: Option<&str>) {
    if session.char_login == CharLogin::Tried {
        session.char_login = CharLogin::Offered;
        let result = match refused {
            None => json!({"success": true}),
            Some(message) => json!({"success": false, "message": message}),
        };
        session.screen.terminal().gmcp("Char.Login.Result", &result.to_string());
    }
}

/// Credentials sent by a client.
#[derive(Clone, PartialEq, Debug)]
struct Credentials {
    /// Name of the account or of one of its characters, as typed.
    name: String,
    /// Password.
    password: Secret,
}

impl Credentials {
    /// Reads the body of `Char.Login.Credentials`. Returns `None` if the client requests the text login: the object is
    /// empty, has no password, or has an unknown form.
    fn read(body: &str) -> Option<Self> {
        let CredentialsBody { account, password } = serde_json::from_str(body).ok()?;
        // `account:character` enters that character.
        let name = match account.split_once(':') {
            Some((account, "")) => account,
            Some((_, character)) => character,
            None => &account,
        };
        let password = Secret(password);
        (!name.trim().is_empty() && !password.0.is_empty() && password.is_legible())
            .then(|| Self { name: name.trim().to_owned(), password })
    }
}

#[derive(Deserialize)]
struct CredentialsBody {
    account: String,
    password: String,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::session::tests::harness::{HANDSHAKE, Table, WRONG};
    use crate::session::{ConnectionInfo, Privacy, Request};
    use deepwell_core::base::limits::Limits;

    /// Creates a client with the package at the name prompt.
    fn at_the_door(privacy: Privacy) -> (Table, String) {
        let mut table =
            Table::over(ConnectionInfo { privacy, ..ConnectionInfo::default() }, Limits::default());
        table.receive(HANDSHAKE);
        let text = table.receive(&message(r#"Core.Supports.Set ["Char 1","Char.Login 1"]"#));
        (table, text)
    }

    fn message(text: &str) -> Vec<u8> {
        [b"\xff\xfa\xc9", text.as_bytes(), b"\xff\xf0"].concat()
    }

    #[test]
    fn protocols_6_5_login_by_gmcp_sends_result() {
        let (mut table, offer) = at_the_door(Privacy::Tls);
        assert_eq!(offer, r#"<SB 201 Char.Login.Default {"type":["password-credentials"],"version":1}>"#);
        let answer =
            table.receive(&message(r#"Char.Login.Credentials {"account":"Olad","password":"wrong horse"}"#));
        assert!(answer.contains(r#"Char.Login.Result {"success":false,"message":"#), "{answer}");
        assert!(answer.contains(WRONG) && answer.ends_with("Your name: <EOR>"), "{answer}");
        let right = table
            .receive(&message(r#"Char.Login.Credentials {"account":"Olad","password":"correct horse"}"#));
        assert!(right.contains(r#"Char.Login.Result {"success":true}"#), "{right}");
        assert!(table.session.is_playing());
        assert!(!table.trace.contains("horse"), "T6: no password in a trace: {}", table.trace);
    }

    #[test]
    fn protocols_6_5_empty_credentials_continue_text_login() {
        let (mut table, _) = at_the_door(Privacy::Tls);
        assert_eq!(table.receive(&message("Char.Login.Credentials {}")), "", "the question stands already");
        table.type_line("connect Olad correct horse");
        assert!(table.session.is_playing());
        assert!(!legible(&table).contains("Char.Login.Result"), "who typed is told in text alone");
    }

    #[test]
    fn protocols_6_5_login_by_gmcp_requires_private_connection() {
        let (mut table, text) = at_the_door(Privacy::Open);
        assert_eq!(text, "");
        table.receive(&message(r#"Char.Login.Credentials {"account":"Olad","password":"correct horse"}"#));
        assert!(!table.session.is_playing());
    }

    #[test]
    fn a3_gmcp_login_failures_count_like_text_failures() {
        let (mut table, _) = at_the_door(Privacy::Tls);
        for _ in 0..Limits::default().login_tries {
            assert_eq!(table.closed, None);
            table.receive(&message(r#"Char.Login.Credentials {"account":"Olad","password":"wrong horse"}"#));
        }
        assert_eq!(table.closed, Some(deepwell_game::CloseReason::LoginFailed));
    }

    /// N2: checking a password costs far more than sending one.
    #[test]
    fn n2_only_one_login_is_checked_at_a_time() {
        let (mut table, _) = at_the_door(Privacy::Tls);
        let credentials = message(r#"Char.Login.Credentials {"account":"Olad","password":"wrong horse"}"#);
        let mut actions = Vec::new();
        table.session.receive(&credentials.repeat(20), table.now, &mut actions);
        assert!(
            matches!(actions.as_slice(), [SessionAction::Ask(Request::Authenticate { .. })]),
            "{actions:?}"
        );
    }

    #[test]
    fn protocols_6_5_login_by_gmcp_that_waits_is_told_in_text() {
        let (mut table, _) = at_the_door(Privacy::Tls);
        table.queued = vec![2];
        let text = table
            .receive(&message(r#"Char.Login.Credentials {"account":"Olad","password":"correct horse"}"#));
        assert!(text.contains("\nYou are number 2 at the gate.\n"), "{text}");
        assert_eq!(text.matches("Char.Login.Result").count(), 1, "{text}");
        assert!(!text.contains("Door"), "{text}");
    }

    fn legible(table: &Table) -> String {
        String::from_utf8_lossy(&table.sent).into_owned()
    }

    fn read(body: &str) -> Option<(String, String)> {
        Credentials::read(body).map(|it| (it.name.clone(), it.password.0.clone()))
    }

    #[test]
    fn protocols_6_5_account_name_may_include_character() {
        let pair = |name: &str| Some((name.to_owned(), "correct horse".to_owned()));
        assert_eq!(read(r#"{"account":"Olad","password":"correct horse"}"#), pair("Olad"));
        assert_eq!(read(r#"{"account":"Olad:Bera","password":"correct horse"}"#), pair("Bera"));
        assert_eq!(read(r#"{"account":"Olad:","password":"correct horse"}"#), pair("Olad"));
    }

    #[test]
    fn n10_malformed_credentials_request_text_login() {
        for body in [
            "",
            "{}",
            "[]",
            "nonsense",
            r#"{"account":"Olad"}"#,
            r#"{"account":"Olad","password":""}"#,
            r#"{"account":"","password":"secret"}"#,
            r#"{"account":7,"password":"secret"}"#,
        ] {
            assert_eq!(read(body), None, "{body}");
        }
    }
}
