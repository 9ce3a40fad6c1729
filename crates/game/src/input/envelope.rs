//! An input with its origin.

use super::Input;
use deepwell_core::base::AccountId;
use deepwell_core::base::address::IpAddr;
use serde::{Deserialize, Serialize};

/// Input with the address and the proof that it came with. An input without either converts into one.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Envelope {
    /// The input.
    pub input: Input,
    /// Address of the client, if it matters.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub caller: Option<IpAddr>,
    /// Secret that the input depends on. The input is rejected if the secret has changed since it was proved.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub proof: Option<LoginProof>,
}

/// Proved secret of an account.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct LoginProof {
    /// Account concerned.
    pub account: AccountId,
    /// Hash that the secret was compared with: that of the password or of the recovery code.
    pub hash: String,
}

impl From<Input> for Envelope {
    fn from(input: Input) -> Self {
        Self { input, caller: None, proof: None }
    }
}

impl Envelope {
    /// Adds the address of the client.
    #[must_use]
    pub fn sent_from(self, address: IpAddr) -> Self {
        Self { caller: Some(address), ..self }
    }
}

impl Input {
    /// Adds a proof: the input is rejected unless the account's password or recovery code still has this hash.
    #[must_use]
    pub fn proved(self, account: AccountId, hash: &str) -> Envelope {
        Envelope { proof: Some(LoginProof { account, hash: hash.to_owned() }), ..self.into() }
    }

    /// Adds the address of the client.
    #[must_use]
    pub fn sent_from(self, address: IpAddr) -> Envelope {
        Envelope::from(self).sent_from(address)
    }
}
