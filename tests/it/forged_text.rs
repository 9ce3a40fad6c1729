//! Text in requests of pages, bridges and the operator, which no line parser has cleaned: T6.

use crate::web_builder::BuilderSession;
use deepwell::base::{BranchId, RoomId};
use deepwell::catalog::DefinitionKind;
use deepwell::game::{
    BuilderRequest, Declined, Effect, Input, OutsideSpeech, PackageUpload, StaffRequest, ZonePart,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

/// Text that would end a line, control a terminal and turn its direction.
const FORGERY: &str = "mill\n2030-01-01 the operator: promote bera\r\u{1b}[2J\u{7}\u{9b}1A\u{202e}";

/// Returns a request of each kind that a page can make.
fn requests(room: RoomId) -> Vec<BuilderRequest> {
    let text = || "mill".to_owned();
    let staff = [
        StaffRequest::Overview,
        StaffRequest::Floor { branch: BranchId(1), floor: Some(1) },
        StaffRequest::Line { line: "find mill".to_owned() },
        StaffRequest::Recover { name: text(), credential: text() },
        StaffRequest::Load,
    ];
    assert_eq!(kinds::<StaffRequest>(), staff.len(), "each kind of request is here");
    let mut asks = vec![
        BuilderRequest::Zones,
        BuilderRequest::Zone { zone: text(), known: Some(text()), check: true },
        BuilderRequest::Room { room },
        BuilderRequest::Scripts { zone: text() },
        BuilderRequest::Script { script: text(), zone: text() },
        BuilderRequest::Definitions { kind: DefinitionKind::ALL[0], zone: text() },
        BuilderRequest::Definition { kind: DefinitionKind::ALL[0], key: text(), zone: text() },
        BuilderRequest::Parts { kind: ZonePart::Variable, zone: text() },
        BuilderRequest::Part { kind: ZonePart::Draft, key: text(), zone: text() },
        BuilderRequest::Pack { zone: text() },
        BuilderRequest::Build {
            room,
            revision: None,
            lines: vec!["name mill".to_owned(), "zone new".to_owned()],
        },
        BuilderRequest::Try { room, lines: vec!["name mill".to_owned()] },
    ];
    for now in [false, true] {
        let prefix = Some(text());
        asks.push(BuilderRequest::Unpack(PackageUpload {
            name: text(),
            package: "{}".to_owned(),
            prefix,
            now,
        }));
    }
    // Both uploads are of one kind, and the requests of staff are of one.
    assert_eq!(kinds::<BuilderRequest>(), asks.len(), "each kind of request is here");
    asks.extend(staff.map(BuilderRequest::Staff));
    asks
}

/// Returns the number of variants of an enum, which its deserialisation names for an unknown one.
fn kinds<T: DeserializeOwned>() -> usize {
    let Err(error) = serde_json::from_value::<T>(Value::from("no such kind")) else { panic!("no enum") };
    error.to_string().split("expected one of").nth(1).expect("a list").matches('`').count() / 2
}

/// Returns the request with the forgery in place of each text, and behind each text, one at a time.
fn forged<T: Serialize + DeserializeOwned>(request: &T) -> Vec<T> {
    let value = serde_json::to_value(request).expect("JSON");
    let mut all = Vec::new();
    visit(&value, &mut |path: &[Result<String, usize>]| {
        for keeps in [false, true] {
            let mut forged = value.clone();
            let place = path.iter().fold(&mut forged, |value, step| match step {
                Ok(name) => &mut value[name.as_str()],
                Err(index) => &mut value[*index],
            });
            let text = place.as_str().expect("a text").to_owned();
            *place = Value::from(if keeps { format!("{text} {FORGERY}") } else { FORGERY.to_owned() });
            // A keyword is read as one, or the request is refused.
            all.extend(serde_json::from_value(forged));
        }
    });
    all
}

/// Visits the path of each text in a value.
fn visit(value: &Value, found: &mut impl FnMut(&[Result<String, usize>])) {
    fn walk(
        value: &Value,
        path: &mut Vec<Result<String, usize>>,
        found: &mut impl FnMut(&[Result<String, usize>]),
    ) {
        match value {
            Value::String(_) => found(path),
            Value::Array(list) => list.iter().enumerate().for_each(|(index, value)| {
                path.push(Err(index));
                walk(value, path, found);
                path.pop();
            }),
            Value::Object(fields) => fields.iter().for_each(|(name, value)| {
                path.push(Ok(name.clone()));
                walk(value, path, found);
                path.pop();
            }),
            _ => {}
        }
    }
    walk(value, &mut Vec::new(), found);
}

/// Asserts that each line of the audit log and of the journal is one line of printable text, and that no row has a control
/// code.
fn assert_clean(page: &BuilderSession, after: &str) {
    let world = page.table.game.world();
    let audit = world.audit.iter().map(|(_, line)| (&line.name, &line.action));
    let journal = world.journal.iter().map(|(_, entry)| (&entry.name, &entry.line));
    for (name, line) in audit.chain(journal) {
        let is_printable = |text: &str| text.chars().all(deepwell::base::unicode::is_printable);
        assert!(is_printable(name) && is_printable(line), "{name:?}: {line:?} after {after}");
    }
    let rows = serde_json::to_string(&world.snapshot()).expect("JSON");
    for code in ["\\u001b", "\\u0007", "\u{9b}", "\u{202e}"] {
        assert!(!rows.contains(code), "{code} after {after}");
    }
}

#[test]
fn t6_no_field_of_a_request_forges_a_line_of_the_audit_log() {
    let mut page = BuilderSession::open();
    let town = page.town();
    let mut tried = 0;
    for ask in requests(town) {
        for ask in forged(&ask) {
            let after = format!("{ask:?}");
            let _ = page.wants("Bera", ask.clone());
            let _ = page.wants("Olad", ask);
            assert_clean(&page, &after);
            tried += 1;
        }
    }
    assert!(tried > 30, "{tried} requests");
    let audit = page.table.types("Olad", "audit zone pack");
    assert!(audit.contains("zone pack mill 2030-01-01 the operator: promote bera"), "{audit}");
}

#[test]
fn t6_no_text_of_a_bridge_or_the_operator_forges_a_line() {
    let mut page = BuilderSession::open();
    let speech = OutsideSpeech {
        channel: "ooc".into(),
        name: "Ann".into(),
        via: "test".into(),
        text: "Hello.".into(),
    };
    for speech in forged(&speech) {
        let after = format!("{speech:?}");
        let _ = page.asks(|asker| Input::Bridge { asker, said: speech });
        assert_clean(&page, &after);
    }
    for line in ["ban bera", "mute bera", "delete", "audit", "reports", "zone import", "lock", "rename bera"]
    {
        let line = format!("{line} {FORGERY}");
        let after = line.clone();
        for effect in page.table.results_of(Input::Operator {
            asker: deepwell::base::SessionId(u64::MAX),
            by: None,
            line,
        }) {
            if let Effect::Answered { answer: Err(Declined::Reason(_)) | Ok(_), .. } = effect {
                continue;
            }
            page.table.deliver(effect);
        }
        assert_clean(&page, &after);
    }
}
