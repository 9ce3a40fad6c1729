//! Every kind of message survives the link.

use std::sync::Arc;

use proptest::collection::vec;
use proptest::option::of;
use proptest::prelude::*;
use proptest::sample::select;
use serde_json::json;
use tokio::sync::{mpsc, oneshot};
use tokio_util::bytes::BytesMut;
use tokio_util::codec::Decoder as _;

use super::{ADDRESS, ANN, command};
use crate::server::game_loop::question::GameQuestion;
use crate::server::link::frame::{
    Attached, Hello, LinkError, LinkEvent, LinkPlayer, Outgoing, Sent, ToGateway, ToHost, codec, decode,
};
use crate::server::link::question;
use crate::session::{BrowserKey, Delivery, MsspFigures, NameStatus, Request, Secret};
use deepwell_core::base::{AccountId, CharacterId, SessionId};
use deepwell_core::text::{Markup, Style};
use deepwell_core::world::Settings;
use deepwell_game::effect::Local;
use deepwell_game::effect::data::{CharStatus, CharVitals, EncodedData, StatusUpdate};
use deepwell_game::{Class, CloseReason, Data, Effect, Input, Output, Package, PromptFields};

/// Sends a frame through the codec, split at a byte.
fn through<T: serde::de::DeserializeOwned>(frame: &impl serde::Serialize, split: usize) -> T {
    let mut out = Outgoing::default();
    out.push(frame).unwrap();
    let bytes = out.bytes().to_vec();
    let (first, second) = bytes.split_at(split % bytes.len());
    let (mut codec, mut read) = (codec(), BytesMut::from(first));
    assert!(codec.decode(&mut read).unwrap().is_none(), "a part of a frame is no frame");
    read.extend_from_slice(second);
    let body = codec.decode(&mut read).unwrap().unwrap();
    assert!(read.is_empty());
    decode(&body).unwrap()
}

fn secret() -> impl Strategy<Value = Secret> {
    any::<String>().prop_map(Secret)
}

fn settings() -> impl Strategy<Value = Box<Settings>> {
    of(any::<bool>()).prop_map(|screen_reader| Box::new(Settings { screen_reader, ..Settings::default() }))
}

fn browser() -> impl Strategy<Value = BrowserKey> {
    any::<[u8; 32]>().prop_map(BrowserKey)
}

fn markup() -> impl Strategy<Value = Markup> {
    (any::<String>(), any::<String>()).prop_map(|(plain, styled)| {
        let mut markup = Markup::plain(&plain);
        markup.push(Style::System, &styled);
        markup
    })
}

/// Requests of every kind. A new kind fails to compile in [`request_kind`] until it is added.
fn request() -> impl Strategy<Value = Request> {
    let text = any::<String>;
    let session = || any::<u64>().prop_map(SessionId);
    prop_oneof![
        text().prop_map(|name| Request::LookUp { name }),
        text().prop_map(|name| Request::CheckName { name }),
        select(vec![Request::Who, Request::Players, Request::Status]),
        (text(), secret(), settings()).prop_map(|(name, password, pre_login)| Request::Authenticate {
            name,
            password,
            pre_login
        }),
        settings().prop_map(|pre_login| Request::Visit { pre_login }),
        (text(), secret()).prop_map(|(name, password)| Request::Join { name, password }),
        (text(), secret(), settings()).prop_map(|(name, password, pre_login)| Request::Create {
            name,
            password,
            pre_login
        }),
        (secret(), secret()).prop_map(|(old, new)| Request::ChangePassword { old, new }),
        secret().prop_map(|password| Request::MakeRecovery { password }),
        (secret(), secret()).prop_map(|(password, name)| Request::DeleteAccount { password, name }),
        any::<u32>().prop_map(|account| Request::MakeCode { account: AccountId(account) }),
        (text(), secret(), secret(), settings()).prop_map(|(name, code, password, pre_login)| {
            Request::Recover { name, code, password, pre_login }
        }),
        (browser(), secret()).prop_map(|(browser, token)| Request::KeepSeat { browser, token }),
        (text(), browser(), secret(), secret(), settings()).prop_map(
            |(name, browser, token, next, pre_login)| {
                Request::TakeSeat { name, browser, token, next, pre_login }
            }
        ),
        (session(), markup()).prop_map(|(to, text)| Request::Report { to, text }),
        (session(), text()).prop_map(|(session, line)| command(session, &line)),
        session().prop_map(|session| {
            let packages = [Package::Room, Package::Map].into();
            Request::Game(Input::Wants { session, packages })
        }),
        session().prop_map(|session| Request::Game(Input::UsesScreenReader { session })),
    ]
}

/// Lists the kinds that [`request`] draws.
const fn request_kind(request: &Request) -> usize {
    match request {
        Request::LookUp { .. } => 0,
        Request::CheckName { .. } => 1,
        Request::Who => 2,
        Request::Players => 3,
        Request::Status => 4,
        Request::Authenticate { .. } => 5,
        Request::Visit { .. } => 6,
        Request::Join { .. } => 7,
        Request::Create { .. } => 8,
        Request::ChangePassword { .. } => 9,
        Request::MakeRecovery { .. } => 10,
        Request::DeleteAccount { .. } => 11,
        Request::MakeCode { .. } => 12,
        Request::Recover { .. } => 13,
        Request::KeepSeat { .. } => 14,
        Request::TakeSeat { .. } => 15,
        Request::Report { .. } => 16,
        Request::Game(_) => 17,
    }
}

fn output() -> impl Strategy<Value = Output> {
    let vitals = (any::<i32>(), of(any::<i64>()), any::<String>()).prop_map(|(hp, might, string)| {
        Data::CharVitals(CharVitals { hp, maxhp: 9, xp: 1, nextxp: 2, level: 3, might, string })
    });
    let status = (any::<i64>(), any::<String>()).prop_map(|(gold, enemy)| {
        let sent = CharStatus { gold, pos: "resting".into(), ..CharStatus::default() };
        let now = CharStatus { enemy, ..sent.clone() };
        Data::CharStatus(Box::new(StatusUpdate { now, sent: Some(sent) }))
    });
    prop_oneof![
        (select(&Class::ALL[..]), markup()).prop_map(|(class, text)| Output::Text(class, Arc::new(text))),
        (any::<i32>(), of(any::<i64>())).prop_map(|(hp, might)| {
            Output::Prompt(PromptFields { hp, might, ..PromptFields::default() })
        }),
        vitals.prop_map(|data| Output::Data(Arc::new(data))),
        status.prop_map(|data| Output::Data(Arc::new(data))),
        settings().prop_map(Output::Settings),
        any::<u32>().prop_map(|lines| Output::Local(Local::History(lines))),
        select(vec![Local::SeatKept, Local::Join]).prop_map(Output::Local),
    ]
}

fn effect() -> impl Strategy<Value = Effect> {
    let session = || any::<u64>().prop_map(SessionId);
    prop_oneof![
        (session(), output()).prop_map(|(session, output)| Effect::Output { session, output }),
        (session(), any::<String>(), settings()).prop_map(|(session, name, settings)| Effect::Entered {
            session,
            account: AccountId(5),
            character: CharacterId(6),
            name,
            settings,
        }),
        (session(), any::<String>()).prop_map(|(session, reason)| Effect::Refused { session, reason }),
        session().prop_map(|session| Effect::Close { session, why: CloseReason::TakenOver }),
        (session(), session(), any::<String>()).prop_map(|(session, asker, name)| Effect::Inspect {
            session,
            asker,
            name
        }),
        session().prop_map(|session| Effect::MakeCode { session, account: AccountId(7) }),
    ]
}

/// Deliveries of every kind.
fn delivery() -> impl Strategy<Value = Delivery> {
    let text = any::<String>;
    let standing =
        prop_oneof![select(vec![NameStatus::Known, NameStatus::Free]), text().prop_map(NameStatus::Unfit),];
    prop_oneof![
        effect().prop_map(Delivery::Effect),
        standing.prop_map(Delivery::NameLookedUp),
        (text(), of(text())).prop_map(|(name, flaw)| Delivery::NameChecked { name, flaw }),
        vec(text(), 0..5).prop_map(Delivery::Players),
        text().prop_map(|reason| Delivery::LoginFailed(reason.into())),
        text().prop_map(|reason| Delivery::LoginPostponed(reason.into())),
        any::<u32>().prop_map(Delivery::Queued),
        text().prop_map(|reason| Delivery::PasswordRefused(reason.into())),
        markup().prop_map(|text| Delivery::NotAnswered(Arc::new(text))),
        text().prop_map(|reason| Delivery::Reattached(reason.into())),
        secret().prop_map(Delivery::RecoveryMade),
        any::<u64>().prop_map(|rooms| Delivery::Status(MsspFigures { rooms, ..MsspFigures::default() })),
        markup().prop_map(|text| Delivery::Show(Arc::new(text))),
    ]
}

const fn delivery_kind(delivery: &Delivery) -> usize {
    match delivery {
        Delivery::Effect(_) => 0,
        Delivery::NameLookedUp(_) => 1,
        Delivery::NameChecked { .. } => 2,
        Delivery::Players(_) => 3,
        Delivery::LoginFailed(_) => 4,
        Delivery::LoginPostponed(_) => 5,
        Delivery::PasswordRefused(_) => 6,
        Delivery::NotAnswered(_) => 7,
        Delivery::Reattached(_) => 8,
        Delivery::RecoveryMade(_) => 9,
        Delivery::Status(_) => 10,
        Delivery::Show(_) => 11,
        Delivery::Queued(_) => 12,
    }
}

proptest! {
    #[test]
    fn every_request_round_trips(request in request(), number: u64, split: usize) {
        let event = LinkEvent::Asked { session: ANN, request };
        let received: ToHost = through(&Sent::Event { number, event: &event }, split);
        prop_assert_eq!(&received, &ToHost::Event { number, event });
        prop_assert_eq!(through::<ToHost>(&received, split), received);
    }

    #[test]
    fn every_delivery_round_trips(deliveries in vec(delivery(), 0..5), split: usize) {
        let frame = ToGateway::Deliver { session: ANN, deliveries };
        prop_assert_eq!(through::<ToGateway>(&frame, split), frame);
    }

    #[test]
    fn random_bytes_are_refused_or_read_without_panic(body in vec(any::<u8>(), 0..200)) {
        let _ = decode::<ToHost>(&body);
        let _ = decode::<ToGateway>(&body);
    }
}

/// The two properties above prove something only for the kinds that they draw.
#[test]
fn every_kind_is_drawn() {
    use proptest::strategy::ValueTree as _;
    let mut runner = proptest::test_runner::TestRunner::deterministic();
    let (requests, deliveries) = (request(), delivery());
    let (mut asked, mut delivered) = ([false; 18], [false; 13]);
    for _ in 0..2_000 {
        asked[request_kind(&requests.new_tree(&mut runner).unwrap().current())] = true;
        delivered[delivery_kind(&deliveries.new_tree(&mut runner).unwrap().current())] = true;
    }
    assert_eq!((asked, delivered), ([true; 18], [true; 13]));
}

#[test]
fn hello_and_short_frames_round_trip() {
    let player = Some(LinkPlayer { account: AccountId(3), name: "Ann".to_owned() });
    let attached = Attached { session: ANN, address: ADDRESS, player, wants: [Package::Room].into() };
    let hello = ToHost::Hello(Hello {
        gateway: 9,
        program: "1.0".to_owned(),
        sessions: vec![attached],
        reads_beats: true,
    });
    assert_eq!(through::<ToHost>(&hello, 5), hello);
    for event in [LinkEvent::Connected { session: ANN, address: ADDRESS }, LinkEvent::Ended { session: ANN }]
    {
        let frame = ToHost::Event { number: 7, event };
        assert_eq!(through::<ToHost>(&frame, 3), frame);
    }
    for frame in [
        ToGateway::Welcome { program: "1.0".to_owned(), sends_beats: true },
        ToGateway::Alive,
        ToGateway::Refused("no".to_owned()),
        ToGateway::TooSlow { session: ANN },
        ToGateway::Handled(vec![1, u64::MAX]),
        ToGateway::Answered { number: 1, answer: None },
        ToGateway::Restarting,
    ] {
        assert_eq!(through::<ToGateway>(&frame, 2), frame);
    }
}

/// The browser gets the same bytes by a gateway as from a single process.
#[test]
fn structured_data_keeps_its_json() {
    let data = Data::CharName { name: "Ann".to_owned(), fullname: "Ann the \"Bold\"".to_owned() };
    let output = Output::Data(Arc::new(data.clone()));
    let frame = ToGateway::Deliver {
        session: ANN,
        deliveries: vec![Delivery::Effect(Effect::Output { session: ANN, output })],
    };
    let ToGateway::Deliver { deliveries, .. } = through(&frame, 9) else { panic!("another frame") };
    let [Delivery::Effect(Effect::Output { output: Output::Data(received), .. })] = &deliveries[..] else {
        panic!("not data: {deliveries:?}")
    };
    let expected = EncodedData {
        package: data.address().0,
        message: "Char.Name".to_owned(),
        body: data.body().unwrap().into(),
    };
    assert_eq!(**received, Data::Encoded(expected));
    assert_eq!((received.message(), received.body().unwrap()), (data.message(), data.body().unwrap()));
}

/// Programs of other releases read these bytes.
#[tokio::test]
async fn questions_keep_their_json() {
    let (questions, mut asked) = mpsc::channel(1);
    let (page, waiting) = oneshot::channel();
    let (question, page) = question::split(GameQuestion::Who(page)).unwrap();
    let frame = ToHost::Asked { number: 1, asked: question };
    assert_eq!(json!(frame), json!({"Asked": {"number": 1, "asked": "Who"}}));
    let ToHost::Asked { asked: question, .. } = through(&frame, 4) else { panic!("another frame") };
    let game = async {
        let Some(GameQuestion::Who(answer)) = asked.recv().await else { panic!("another question") };
        answer.send(vec!["Ann".to_owned()]).unwrap();
    };
    let (answer, ()) = tokio::join!(question::ask_game(&questions, question), game);
    let frame = ToGateway::Answered { number: 1, answer };
    assert_eq!(json!(frame), json!({"Answered": {"number": 1, "answer": {"Who": ["Ann"]}}}));
    let ToGateway::Answered { answer: Some(answer), .. } = through(&frame, 4) else { panic!("no answer") };
    page.answer(answer);
    assert_eq!(waiting.await.unwrap(), ["Ann"]);
}

#[test]
fn secrets_are_hidden_in_debug_output() {
    let request = Request::MakeRecovery { password: Secret("hunter22".to_owned()) };
    let frame = ToHost::Event { number: 1, event: LinkEvent::Asked { session: ANN, request } };
    assert!(!format!("{frame:?}").contains("hunter22"));
    let code = Delivery::RecoveryMade(Secret("ABCD1234".to_owned()));
    let frame = ToGateway::Deliver { session: ANN, deliveries: vec![code] };
    assert!(!format!("{frame:?}").contains("ABCD1234"));
}

#[test]
fn n1_frame_above_the_limit_is_refused_before_it_is_read() {
    let mut read = BytesMut::from(&[0xff, 0xff, 0xff, 0xff][..]);
    assert!(codec().decode(&mut read).is_err());
    let text = "x".repeat(17 << 20);
    let mut out = Outgoing::default();
    let refused = out.push(&ToGateway::Refused(text));
    assert!(matches!(refused, Err(LinkError::TooLong(_))), "{refused:?}");
    assert!(out.is_empty(), "a part of the frame would be written");
}
