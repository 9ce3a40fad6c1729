//! Tests of the link: the format of every message, the gateway's record, and both tasks over a real socket.

mod backlog;
mod kinds;
mod socket;

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use crate::net::ClientOutbox;
use crate::session::{Delivery, Request};
use deepwell_core::base::{AccountId, CharacterId, SessionId};
use deepwell_core::text::Markup;
use deepwell_game::{Effect, Input};

const ANN: SessionId = SessionId(1);
const BEN: SessionId = SessionId(2);
const ADDRESS: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);

fn command(session: SessionId, line: &str) -> Request {
    Request::Game(Input::Command { session, line: line.to_owned() })
}

fn entered(session: SessionId, account: u32, name: &str) -> Delivery {
    Delivery::Effect(Effect::Entered {
        session,
        account: AccountId(account),
        character: CharacterId(account.into()),
        name: name.to_owned(),
        settings: Box::default(),
    })
}

fn show(text: &str) -> Delivery {
    Delivery::Show(Arc::new(Markup::plain(text)))
}

fn taken(outbox: &ClientOutbox) -> Vec<Delivery> {
    let mut out = Vec::new();
    outbox.take(&mut out).unwrap();
    out
}
