//! Search for accounts: new ones, those of staff, those that are connected from an address, or all by the time at which
//! they were last seen.

use crate::command::parse::Words;
use crate::command::staff::audit::{Moment, moment};
use crate::refusal::{Refusal, refuse};
use crate::staff::moderation::Authority;
use crate::turn::Turn;
use deepwell_core::base::address::{self, IpAddr, IpNet};
use deepwell_core::base::{AccountId, GameTime};
use deepwell_core::text::grammar;
use deepwell_core::world::{Account, Role};
use std::cmp::Reverse;
use std::collections::BTreeMap;

/// Accounts per page.
const PAGE: usize = 20;

/// Accounts that are listed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum AccountKind {
    /// All, those seen last first.
    Seen,
    /// All, the newest first.
    New,
    /// Those with a rank, the highest first.
    Staff,
    /// Those connected from an address range.
    From(IpNet),
}

/// Search terms and page.
#[derive(Debug)]
pub(crate) struct AccountSearch {
    /// The search as typed, without the page.
    typed: String,
    kind: AccountKind,
    since: Option<Moment>,
    page: usize,
}

/// Parses a search: `[new | staff | from ADDRESS] [since TIME] [PAGE]`.
pub(crate) fn account_search(turn: &Turn, words: Words<'_>) -> Result<AccountSearch, Refusal> {
    let (mut words, page) = words.split_page_number();
    let mut search =
        AccountSearch { typed: words.text().to_owned(), kind: AccountKind::Seen, since: None, page };
    while !words.is_empty() {
        let (term, rest) = words.keyword();
        let (value, behind) = rest.first_word();
        words = match term.as_str() {
            "new" => {
                search.kind = AccountKind::New;
                rest
            }
            "staff" => {
                search.kind = AccountKind::Staff;
                rest
            }
            "from" => {
                let text = value.required()?.text();
                let range = address::network(text)
                    .ok_or_else(|| refuse!("\"{text}\" is no address and no range."))?;
                search.kind = AccountKind::From(range.trunc());
                behind
            }
            "since" => {
                search.since = Some(moment(turn, value)?);
                behind
            }
            _ => return Err(words.missing()),
        };
    }
    Ok(search)
}

/// Addresses of the connections of each connected account.
type Connected = BTreeMap<AccountId, Vec<IpAddr>>;

/// Account as it is listed.
struct ListedAccount<'a> {
    account: &'a Account,
    seen: Option<GameTime>,
    /// Addresses of its connections, as far as the reader may see them; `None` if it is not connected.
    connected: Option<&'a [IpAddr]>,
}

impl AccountSearch {
    /// Returns a page of the accounts found.
    pub(crate) fn found(&self, turn: &Turn, by: &Authority) -> String {
        let mut connected = Connected::new();
        for seat in turn.seats.values() {
            connected.entry(seat.account).or_default().extend(seat.address);
        }
        // As `netinfo` requires.
        connected.retain(|account, addresses| {
            if by.require_above(turn, *account).is_err() {
                addresses.clear();
            }
            true
        });
        let all = turn.world.accounts.iter().map(|(id, account)| found(turn, &connected, id, account));
        let mut found: Vec<ListedAccount<'_>> = all.filter(|found| self.means(found)).collect();
        match self.kind {
            AccountKind::Seen | AccountKind::From(_) => {
                found.sort_by_key(|found| (found.connected.is_none(), Reverse(found.seen)));
            }
            AccountKind::New => {
                found.sort_by_key(|found| Reverse((found.account.created_at, found.account.id)));
            }
            AccountKind::Staff => found.sort_by_key(|found| (Reverse(found.account.role), found.account.id)),
        }
        let mut lines = vec![format!("Accounts: {}.", found.len())];
        let skipped = (self.page - 1).saturating_mul(PAGE);
        lines.extend(found.iter().skip(skipped).take(PAGE).map(ListedAccount::words));
        if found.len() > skipped.saturating_add(PAGE) {
            let more = format!("account list {} {}", self.typed, self.page + 1).replace("  ", " ");
            lines.push(format!("There is more: {more}."));
        }
        lines.join("\n")
    }

    fn means(&self, found: &ListedAccount<'_>) -> bool {
        let is_meant = match self.kind {
            AccountKind::Seen | AccountKind::New => true,
            AccountKind::Staff => found.account.role > Role::Player,
            AccountKind::From(range) => {
                found.connected.is_some_and(|from| from.iter().any(|from| range.contains(from)))
            }
        };
        let at = if self.kind == AccountKind::New { Some(found.account.created_at) } else { found.seen };
        let is_recent = |moment: &Moment| at.is_some_and(|at| moment.compare(at).is_ge());
        is_meant && self.since.as_ref().is_none_or(is_recent)
    }
}

fn found<'a>(
    turn: &Turn,
    connected: &'a Connected,
    id: AccountId,
    account: &'a Account,
) -> ListedAccount<'a> {
    let seen = turn.world.characters_of(id).filter_map(|who| turn.world.seen_at(who)).max();
    let connected = connected.get(&id).map(Vec::as_slice);
    ListedAccount { account, seen: if connected.is_some() { Some(turn.now) } else { seen }, connected }
}

impl ListedAccount<'_> {
    fn words(&self) -> String {
        let Self { account, seen, connected } = self;
        let rank = if account.guest {
            "a guest".to_owned()
        } else {
            grammar::with_article(account.role.name(), None)
        };
        let seen = match (connected, seen) {
            (Some([]), _) => "connected".to_owned(),
            (Some(addresses), _) => {
                let addresses: Vec<String> = addresses.iter().map(ToString::to_string).collect();
                format!("connected from {}", addresses.join(", "))
            }
            (None, Some(seen)) => format!("last seen {}", seen.utc()),
            (None, None) => "never seen".to_owned(),
        };
        format!("{}, {rank}, made {}, {seen}", account.name, account.created_at.utc())
    }
}
