//! Structured data on the link between gateway and host. The bodies have no use there but to be sent to clients, so they
//! are transferred as their JSON. `Char.Status` and `Char.Vitals` keep their values, because the session limits their rate
//! and merges their changes.

use super::character::{CharStatus, CharVitals, StatusUpdate};
use super::{Data, Package};
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::value::RawValue;
use std::borrow::Cow;
use std::sync::Arc;

/// Message of structured data whose body is JSON already. Serialises to that body.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct EncodedData {
    /// Package of the message.
    pub package: Package,
    /// GMCP name of the message.
    pub message: String,
    /// Body as JSON.
    pub body: String,
}

impl Serialize for EncodedData {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let body: &RawValue = serde_json::from_str(&self.body).map_err(serde::ser::Error::custom)?;
        body.serialize(serializer)
    }
}

/// Structured data as transferred.
#[derive(Serialize, Deserialize)]
#[expect(clippy::large_enum_variant, reason = "exists only while a message is written or read")]
enum Transferred<'a> {
    Vitals(Cow<'a, CharVitals>),
    Status { now: Cow<'a, CharStatus>, told: Option<Cow<'a, CharStatus>> },
    Other { package: Package, message: Cow<'a, str>, body: Cow<'a, str> },
}

impl Data {
    /// Returns the GMCP name of the message.
    pub fn message(&self) -> &str {
        if let Self::Encoded(data) = self { &data.message } else { self.address().1 }
    }

    /// Returns the body as JSON.
    pub fn body(&self) -> serde_json::Result<Cow<'_, str>> {
        match self {
            Self::Encoded(data) => Ok(Cow::Borrowed(&data.body)),
            data => serde_json::to_string(data).map(Cow::Owned),
        }
    }
}

pub(crate) fn serialize<S: Serializer>(data: &Data, serializer: S) -> Result<S::Ok, S::Error> {
    let transferred = match data {
        Data::CharVitals(vitals) => Transferred::Vitals(Cow::Borrowed(vitals)),
        Data::CharStatus(status) => {
            let known = status.sent.as_ref().map(Cow::Borrowed);
            Transferred::Status { now: Cow::Borrowed(&status.now), told: known }
        }
        data => {
            let (package, message) = (data.address().0, data.message());
            let body = data.body().map_err(serde::ser::Error::custom)?;
            Transferred::Other { package, message: message.into(), body }
        }
    };
    transferred.serialize(serializer)
}

pub(crate) fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Arc<Data>, D::Error> {
    Ok(Arc::new(match Transferred::deserialize(deserializer)? {
        Transferred::Vitals(vitals) => Data::CharVitals(vitals.into_owned()),
        Transferred::Status { now, told } => {
            let (now, known) = (now.into_owned(), told.map(Cow::into_owned));
            Data::CharStatus(Box::new(StatusUpdate { now, sent: known }))
        }
        Transferred::Other { package, message, body } => {
            let (message, body) = (message.into_owned(), body.into_owned());
            Data::Encoded(EncodedData { package, message, body })
        }
    }))
}
