//! Healers, who close wounds and end harmful affects for a price.

use crate::character::{affects, stats, wounds};
use crate::effect::Class;
use crate::item::money;
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::catalog::AffectPrototype;
use deepwell_core::text::coins::money_words;
use deepwell_core::world::RoomKind;

/// Service of a healer and its price.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Treatment {
    /// Name that the player types: "wounds", or the name of an affect.
    pub(crate) name: String,
    /// Affect that the treatment ends; `None` for wounds.
    pub(crate) affect: Option<String>,
    /// Price in coppers.
    pub(crate) price: i64,
}

/// Returns the treatments that a healer offers a character, with prices.
pub(crate) fn treatments(turn: &Turn, who: CharacterId) -> Result<Vec<Treatment>, Refusal> {
    if turn.world.rooms[turn.world.characters[who].room].sheet.kind != RoomKind::Healer {
        return Err(refuse!("There is no healer here."));
    }
    let rules = &turn.catalog.rules;
    let trade = rules.trade;
    let mut list = Vec::new();
    let most = stats::max_hp_of(turn, who);
    let hurt = most - stats::hp(turn, who);
    let wounds = turn.world.characters[who].wounds;
    if hurt > 0 || wounds > 0 {
        let whole = i64::from(trade.hp_price)
            * i64::from(rules.beginner.hp)
            * i64::from(turn.world.characters[who].level);
        let price =
            (whole * i64::from(hurt)).unsigned_abs().div_ceil(u64::from(most.unsigned_abs())).cast_signed();
        let price = price + i64::from(wounds) * i64::from(trade.cure_price);
        list.push(Treatment { name: "wounds".into(), affect: None, price });
    }
    let body = &turn.world.characters[who];
    for affect in body.affects.iter().filter_map(|affect| turn.catalog.affects.get(&affect.key)) {
        if is_harmful(affect) && !list.iter().any(|known| known.affect.as_ref() == Some(&affect.key)) {
            let (name, affect) = (affect.name.clone(), Some(affect.key.clone()));
            list.push(Treatment { name, affect, price: i64::from(trade.cure_price) });
        }
    }
    Ok(list)
}

/// Pays for a treatment and applies it.
pub(crate) fn treat(turn: &mut Turn, who: CharacterId, treatment: &Treatment) -> Result<(), Refusal> {
    money::sink(turn, who, treatment.price, "healer")?;
    let price = money_words(treatment.price);
    if let Some(key) = &treatment.affect {
        affects::end_affect(turn, who, key);
        let message = format!("The healer takes {price}, and you are no longer {}.", treatment.name);
        tell::tell(turn, who, Class::Notice, message);
    } else {
        wounds::set_wounds(turn, who, 0);
        stats::heal(turn, who, i32::MAX);
        tell::tell(turn, who, Class::Notice, format!("The healer takes {price} and closes your wounds."));
    }
    Ok(())
}

/// Returns `true` if an affect is harmful.
fn is_harmful(affect: &AffectPrototype) -> bool {
    affect.hp_per_round < 0
        || affect.holds
        || affect.stuns
        || affect.attack < 0
        || affect.defence < 0
        || affect.max_hp < 0
}
