//! Banks, which keep coins for their owners.

use crate::effect::Class;
use crate::item::money::{self, MoneyPart};
use crate::message::tell;
use crate::refusal::{Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::CharacterId;
use deepwell_core::text::coins::money_words;
use deepwell_core::world::RoomKind;

fn require_bank(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    let room = turn.world.characters[who].room;
    if turn.world.rooms[room].sheet.kind == RoomKind::Bank {
        Ok(())
    } else {
        Err(refuse!("There is no bank here."))
    }
}

/// Deposits coppers into the bank.
pub(crate) fn deposit(turn: &mut Turn, who: CharacterId, amount: MoneyPart) -> Result<(), Refusal> {
    require_bank(turn, who)?;
    let copper = amount.out_of(turn.world.characters[who].money.purse)?;
    money::afford(turn, who, copper)?;
    if let Some(body) = turn.world.characters.edit(who) {
        body.money.spend(copper);
        body.money.bank = body.money.bank.saturating_add(copper);
    }
    let bank = money_words(turn.world.characters[who].money.bank);
    let message = format!("You put {} into the bank. It keeps {bank} for you.", money_words(copper));
    tell::tell(turn, who, Class::Notice, message);
    Ok(())
}

/// Withdraws coppers from the bank.
pub(crate) fn withdraw(turn: &mut Turn, who: CharacterId, amount: MoneyPart) -> Result<(), Refusal> {
    require_bank(turn, who)?;
    let money = turn.world.characters[who].money;
    let copper = amount.out_of(money.bank)?;
    if copper > money.bank {
        return Err(refuse!("The bank keeps only {} for you.", money_words(money.bank)));
    }
    money::has_room_for(turn, who, copper)?;
    if let Some(body) = turn.world.characters.edit(who) {
        body.money.bank -= copper;
        body.money.purse += copper;
    }
    let left = money_words(turn.world.characters[who].money.bank);
    let message = format!("The bank hands you {}. It still keeps {left} for you.", money_words(copper));
    tell::tell(turn, who, Class::Notice, message);
    Ok(())
}
