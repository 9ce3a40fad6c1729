//! Password changes and recovery codes, for players and at the login prompt. Every operation checks a secret first and
//! is rate-limited like a login. The game receives only hashes.

use std::sync::Arc;

use rand::TryRng as _;
use rand::rngs::SysRng;

use crate::server::access::password_hashing::{Applicant, Authenticator, Denied};
use crate::server::access::verification::Attempt;
use crate::session::{Delivery, Secret};
use deepwell_core::base::AccountId;
use deepwell_core::world::Settings;
use deepwell_game::Input;

/// Alphabet of recovery codes, without letters that are easily confused when read aloud or copied by hand.
const LETTERS: &[u8] = b"ABCDEFGHJKMNPQRSTVWXYZ0123456789";

/// Groups of a recovery code, and letters in each group: 100 bits in all.
const GROUPS: usize = 4;
const GROUP: usize = 5;

/// The account of a logged-in player, with its name and password hash.
pub(in crate::server) struct Holder {
    pub(in crate::server) account: AccountId,
    pub(in crate::server) name: String,
    pub(in crate::server) credential: Arc<str>,
}

impl Holder {
    async fn verify(&self, attempt: &Attempt, password: Secret) -> Result<(), Denied> {
        let known = Some((self.account, Arc::clone(&self.credential)));
        attempt.auth.verify(attempt.applicant(), &self.name, known, password).await
    }
}

/// Changes the password of a logged-in player.
pub(in crate::server) fn change_password(attempt: Attempt, holder: Holder, old: Secret, new: Secret) {
    attempt.run(of_password, async move |attempt| {
        holder.verify(&attempt, old).await?;
        let Holder { account, credential: proof, .. } = holder;
        let credential = attempt.auth.hash(attempt.applicant(), new).await?;
        Ok(Input::NewPassword { session: attempt.session, account, credential }.proved(account, &proof))
    });
}

/// Creates a recovery code for a logged-in player.
pub(in crate::server) fn make_recovery(attempt: Attempt, holder: Holder, password: Secret) {
    attempt.run(of_password, async move |attempt| {
        holder.verify(&attempt, password).await?;
        let Holder { account, credential: proof, .. } = holder;
        let (code, credential) = new_hashed_code(&attempt.auth, attempt.applicant()).await?;
        attempt.outbox.deliver(Delivery::RecoveryMade(code));
        Ok(Input::Recovery { session: attempt.session, account, credential }.proved(account, &proof))
    });
}

/// Deletes the account of a logged-in player, who confirmed with the account name and password.
pub(in crate::server) fn delete_account(attempt: Attempt, holder: Holder, password: Secret, named: &Secret) {
    if !named.0.trim().eq_ignore_ascii_case(&holder.name) {
        return attempt.outbox.deliver(Delivery::PasswordRefused(NOT_THE_NAME.into()));
    }
    attempt.run(of_password, async move |attempt| {
        holder.verify(&attempt, password).await?;
        let Holder { account, credential, .. } = holder;
        Ok(Input::DeleteAccount { session: attempt.session, account }.proved(account, &credential))
    });
}

const NOT_THE_NAME: &str = "That is not the name of your account. Nothing was deleted.";

/// Creates a one-time code for a player who lost the password. The game checks the staff member's permission.
pub(in crate::server) fn make_code(attempt: Attempt, account: AccountId) {
    attempt.run(of_password, async move |attempt| {
        let (code, credential) = new_hashed_code(&attempt.auth, attempt.applicant()).await?;
        attempt.outbox.deliver(Delivery::RecoveryMade(code));
        Ok(Input::OneTimeCode { session: attempt.session, account, credential }.into())
    });
}

/// Credentials for a login with a recovery code.
pub(in crate::server) struct Recovery {
    pub(in crate::server) name: String,
    pub(in crate::server) code: Secret,
    /// The new password.
    pub(in crate::server) password: Secret,
    pub(in crate::server) pre_login: Box<Settings>,
}

/// Logs in with a recovery code. An account without a code takes the same time and gives the same message.
pub(in crate::server) fn recover(attempt: Attempt, known: Option<(AccountId, Arc<str>)>, recovery: Recovery) {
    let Recovery { name, code, password, pre_login } = recovery;
    attempt.run(of_code, async move |attempt| {
        attempt.auth.verify(attempt.applicant(), &name, known.clone(), plain(&code)).await?;
        let (account, proof) = known.ok_or(Denied::Wrong)?;
        let credential = attempt.auth.hash(attempt.applicant(), password).await?;
        let session = attempt.session;
        Ok(Input::Recovered { session, account, name, credential, pre_login }.proved(account, &proof))
    });
}

/// Answer to a failed password check.
fn of_password(why: Denied) -> Delivery {
    let sentence = match why {
        Denied::Wrong => "That is not your password. Nothing was changed.",
        other => other.sentence(),
    };
    Delivery::PasswordRefused(sentence.into())
}

/// Answer to a failed recovery code.
fn of_code(why: Denied) -> Delivery {
    match why {
        Denied::Wrong => Delivery::LoginFailed("That name and that code do not belong together.".into()),
        other => other.into(),
    }
}

/// Generates a new random code and its hash.
pub(in crate::server) async fn new_hashed_code(
    auth: &Authenticator,
    applicant: Applicant<'_>,
) -> Result<(Secret, String), Denied> {
    let code = new_code()?;
    let credential = auth.hash(applicant, plain(&code)).await?;
    Ok((code, credential))
}

/// Generates a new random code.
fn new_code() -> Result<Secret, Denied> {
    let mut bytes = [0; GROUPS * GROUP];
    SysRng.try_fill_bytes(&mut bytes).map_err(|_| Denied::Fault)?;
    let mut code = String::with_capacity(GROUPS * (GROUP + 1));
    for (at, byte) in bytes.iter().enumerate() {
        if at > 0 && at % GROUP == 0 {
            code.push('-');
        }
        code.push(char::from(LETTERS[usize::from(byte % 32)]));
    }
    Ok(Secret(code))
}

/// Normalises a code for comparison: removes separators and maps letters to upper case.
fn plain(code: &Secret) -> Secret {
    Secret(code.0.chars().filter(char::is_ascii_alphanumeric).map(|c| c.to_ascii_uppercase()).collect())
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::BTreeSet;

    #[test]
    fn codes_are_unique_and_unambiguous() {
        let codes: BTreeSet<String> = (0..50).map(|_| new_code().unwrap().0.clone()).collect();
        assert_eq!(codes.len(), 50);
        for code in codes {
            assert_eq!(code.split('-').map(str::len).collect::<Vec<_>>(), [GROUP; GROUPS], "{code}");
            assert!(!code.contains(['I', 'L', 'O', 'U']), "{code}");
        }
    }

    #[test]
    fn code_comparison_ignores_case_and_separators() {
        let typed = plain(&Secret(" abcde fghjk-MNPQR.stvwx ".into()));
        assert!(typed == plain(&Secret("ABCDE-FGHJK-MNPQR-STVWX".into())));
    }
}
