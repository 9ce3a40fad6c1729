//! `Char.Afflictions` and `Char.Defences`: affects of a character. Purely harmful affects are afflictions, all others
//! defences.

use super::package::{GmcpContext, PackageSpec};
use crate::character::wounds;
use crate::effect::data::character::{AffectAdded, AffectInfo, AffectList, AffectSign, AffectsRemoved};
use crate::effect::data::{Data, Package};
use crate::state::gmcp::Affects;
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, GameTime};
use deepwell_core::catalog::AffectPrototype;

pub(super) const AFFLICTIONS: PackageSpec =
    PackageSpec::new(Package::Afflictions).around(|look| tell_affects(look, AffectSign::Bad));

pub(super) const DEFENCES: PackageSpec =
    PackageSpec::new(Package::Defences).around(|look| tell_affects(look, AffectSign::Good));

/// Marks a character's affects as changed.
pub(crate) fn note_affects(turn: &mut Turn, who: CharacterId) {
    if [Package::Afflictions, Package::Defences].iter().any(|package| turn.wanted.contains(package))
        && let Some(session) = turn.seated.get(&who)
    {
        turn.outbox.note_surroundings(*session);
    }
}

/// Sends all affects of one side, or those added, extended and removed since the last message.
fn tell_affects(look: &mut GmcpContext<'_>, side: AffectSign) {
    let now = affects_on(look.turn, look.who, side);
    let Some(before) = look.sent.replace_affects(side, now.clone()) else {
        return look.news.push(Data::Affects(AffectList { side, list: now.into_values().collect() }));
    };
    let is_gone = |(key, _): &(&String, &AffectInfo)| !now.contains_key(*key);
    let gone: Vec<String> = before.iter().filter(is_gone).map(|(_, affect)| affect.name.clone()).collect();
    if !gone.is_empty() {
        look.news.push(Data::AffectsRemoved(AffectsRemoved { side, names: gone }));
    }
    let is_new = |(key, affect): &(String, AffectInfo)| {
        before.get(key).is_none_or(|known| known.until != affect.until)
    };
    let come = now.into_iter().filter(is_new).map(|(_, affect)| affect);
    look.news.extend(come.map(|affect| Data::AffectAdded(AffectAdded { side, affect })));
}

fn affects_on(turn: &Turn, who: CharacterId, side: AffectSign) -> Affects {
    let info = |name: String, desc: String, until: Option<GameTime>| {
        let secs = until.map(|until| until.since(turn.now).whole_secs());
        AffectInfo { name, desc, secs, until }
    };
    let known = turn.world.characters[who].affects.iter().filter_map(|affect| {
        let kind = turn.catalog.affects.get(&affect.key).filter(|kind| side_of(kind) == side)?;
        Some((kind.key.clone(), info(kind.name.clone(), kind.description.clone(), Some(affect.until))))
    });
    let mut affects: Affects = known.collect();
    if side == AffectSign::Bad
        && let Some(name) = wounds::name_of_wounds(turn, who)
    {
        let wounds = wounds::describe_wounds(turn, who);
        affects.insert(name.clone(), info(name, wounds, None));
    }
    affects
}

/// Classifies an affect. An affect that both helps and harms counts as helpful: it was chosen for its benefit.
const fn side_of(affect: &AffectPrototype) -> AffectSign {
    let AffectPrototype { attack, defence, max_hp, hp_per_round, holds, stuns, .. } = affect;
    let helps = *attack > 0 || *defence > 0 || *max_hp > 0 || *hp_per_round > 0;
    let harms = *attack < 0 || *defence < 0 || *max_hp < 0 || *hp_per_round < 0;
    if *holds || *stuns || (harms && !helps) { AffectSign::Bad } else { AffectSign::Good }
}
