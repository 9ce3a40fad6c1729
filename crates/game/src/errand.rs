//! The board of errands: quests that are offered in the lodge, each for an exit into the dungeon behind which it can be done.
//! Offers follow from the world's seed and the day or the week, so they are not stored.

use crate::branch::start_room;
use crate::character::quests;
use crate::expedition::founding;
use crate::quest::{self, view};
use crate::refusal::{self, Refusal, refuse};
use crate::turn::Turn;
use deepwell_core::base::{CharacterId, Dice, ExitId, RuleLimit};
use deepwell_core::catalog::draft_key;
use deepwell_core::catalog::quest::Quest;
use deepwell_core::catalog::quest::errand::{ErrandGround, ErrandLength};
use deepwell_core::text::coins::money_words;
use deepwell_core::text::{Markup, Style, grammar};
use deepwell_core::world::{Exit, QuestProgress, QuestStatus};
use std::sync::Arc;

/// Errand on the board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ErrandOffer<'t> {
    pub(crate) quest: &'t Quest,
    /// Exit behind which it counts.
    pub(crate) exit: &'t Exit,
}

/// Returns the errands that the board offers to a character now: for each length as many as the setting says, without
/// those that are done or begun, and without the last one.
pub(crate) fn offers(turn: &Turn, who: CharacterId) -> Vec<ErrandOffer<'_>> {
    let last = latest(turn, who);
    let level = turn.world.characters[who].level;
    let is_new = |offer: &ErrandOffer<'_>| {
        offer.quest.errand_level <= level
            && last != Some(offer.quest.key.as_str())
            && quests::is_open(turn, who, offer.quest)
    };
    let most = turn.config.limits.errands_offered as usize;
    let of = |length| drawn(turn, length).filter(is_new).take(most).collect::<Vec<_>>();
    ErrandLength::ALL.into_iter().flat_map(of).collect()
}

/// Returns all errands of a length that can be done now, in the order of the day or week, each with its exit.
fn drawn(turn: &Turn, length: ErrandLength) -> impl Iterator<Item = ErrandOffer<'_>> {
    let period = match length {
        ErrandLength::Short => turn.now.day(),
        ErrandLength::Long => turn.now.week(),
    };
    let seed = turn.world.meta().seed.named("errands").named(length.name()).numbered(period.unsigned_abs());
    let is_offered = |quest: &&Quest| quest.errand == Some(length) && draft_key::split(&quest.key).is_none();
    let mut all: Vec<&Quest> = turn.catalog.quests.values().filter(is_offered).collect();
    seed.rng().shuffle(&mut all);
    let ways: Vec<&Exit> = founding::ways(turn).collect();
    all.into_iter().filter_map(move |quest| {
        let mut ways = ways.clone();
        seed.named(&quest.key).rng().shuffle(&mut ways);
        let exit = ways.into_iter().find(|exit| can_be_done(turn, quest, exit))?;
        Some(ErrandOffer { quest, exit })
    })
}

/// Returns `true` if an errand can be done in the next branch behind an exit.
fn can_be_done(turn: &Turn, quest: &Quest, exit: &Exit) -> bool {
    let Ok(set) = start_room::effective_settings(turn, exit.room, &exit.settings) else { return false };
    let level = turn.catalog.level_type(&set.level_type.0);
    let theme = level.and_then(|level| turn.catalog.theme_of(level));
    theme
        .is_some_and(|theme| quest.can_be_done(&turn.catalog, ErrandGround { theme, ends: set.finishable.0 }))
}

/// Returns the key of the errand that a character has begun or ended last.
fn latest(turn: &Turn, who: CharacterId) -> Option<&str> {
    let rows = turn.world.characters[who].quests.iter().filter(|(_, row)| row.exit.is_some());
    rows.max_by_key(|(_, row)| row.at).map(|(key, _)| key.as_str())
}

/// Returns the errands that a character has taken.
fn taken(turn: &Turn, who: CharacterId) -> impl Iterator<Item = (&Quest, &QuestProgress)> {
    let rows = turn.world.characters[who].quests.iter();
    let active = rows.filter(|(_, row)| row.status == QuestStatus::Active && row.exit.is_some());
    active.filter_map(|(key, row)| Some((turn.catalog.quests.get(key)?, row)))
}

/// Lists the errands that a character has taken, and in the lodge those on the board.
pub(crate) fn board(turn: &Turn, who: CharacterId) -> Markup {
    let mut page = Markup::styled(Style::Heading, "Errands that you have taken");
    let mut is_empty = true;
    for (quest, row) in taken(turn, who) {
        is_empty = false;
        page.line(Style::Boon, &quest.name);
        let way = row.exit.map(|exit| start_room::place_words(turn, exit)).unwrap_or_default();
        page.push(Style::Plain, &format!(", {way}."));
        for step in quest::current_steps(turn, who, quest) {
            page.push(Style::Plain, &format!(" {}", view::progress_words(turn, who, quest, step)));
        }
    }
    if is_empty {
        page.line(Style::Plain, "None.");
    }
    if let Err(elsewhere) = require_board(turn, who) {
        page.line(Style::Plain, elsewhere.markup().text());
        return page;
    }
    let offers = offers(turn, who);
    page.line(Style::Heading, "Errands on the board");
    if offers.is_empty() {
        page.line(Style::Plain, "None for you now. New ones hang here tomorrow.");
        return page;
    }
    for (number, offer) in (1..).zip(&offers) {
        push_offer(turn, &mut page, number, *offer);
    }
    page.line(Style::Plain, "To take one, type ");
    page.push(Style::Command, "errand take NUMBER");
    page.push(Style::Plain, ".");
    page
}

fn push_offer(turn: &Turn, page: &mut Markup, number: usize, offer: ErrandOffer<'_>) {
    let ErrandOffer { quest, exit } = offer;
    page.line(Style::Plain, &format!("{number}. "));
    page.push(Style::Boon, &quest.name);
    let time = quest.errand.map(ErrandLength::words).unwrap_or_default();
    let steps = quest.steps.iter().filter(|step| !step.optional).map(|step| step.text.as_str());
    let state = if exit.to.is_some() { "a branch is open there now" } else { "its next branch will do" };
    for piece in [
        format!(", {time}. {} {}", quest.text, steps.collect::<Vec<_>>().join(" ")),
        format!(" The way: {}; {state}.", founding::way_words(turn, exit)),
    ] {
        page.push(Style::Plain, &piece);
    }
    let things = quest.items.iter().filter_map(|(_, key)| turn.catalog.items.get(key));
    let experience = (quest.experience > 0).then(|| format!("{} experience", quest.experience));
    let copper = (quest.copper > 0).then(|| money_words(quest.copper.into()));
    let title = quest.title.as_ref().map(|title| format!("the title {title}"));
    let things = things.map(|item| item.with_article.clone());
    let pay: Vec<String> = experience.into_iter().chain(copper).chain(title).chain(things).collect();
    if !pay.is_empty() {
        page.push(Style::Plain, &format!(" Reward: {}.", grammar::list(&pay)));
    }
}

/// Refuses anywhere but in a room with the board.
pub(crate) fn require_board(turn: &Turn, who: CharacterId) -> Result<(), Refusal> {
    if founding::is_lodge(turn, who) {
        return Ok(());
    }
    Err(refuse!(
        "The board of errands hangs where expeditions are founded, such as the Climbers' Lodge in the town."
    ))
}

/// Takes an errand from the board, by its number in the list.
pub(crate) fn take(turn: &mut Turn, who: CharacterId, number: usize) -> Result<(), Refusal> {
    require_board(turn, who)?;
    let offer = number.checked_sub(1).and_then(|at| offers(turn, who).get(at).copied());
    let offer = offer.map(|offer| (offer.quest.key.clone(), offer.exit.id));
    let (key, exit): (String, ExitId) = offer
        .ok_or_else(|| refuse!("There is no errand {number} on the board. Type errands for the list."))?;
    let has = taken(turn, who).count();
    refusal::require_below(&turn.config.limits, RuleLimit::Errands, has, |most| {
        refuse!(
            "You have taken {} already, and may have no more. Do one first, or type errand drop.",
            grammar::counted(most, "errand")
        )
    })?;
    let catalog = Arc::clone(&turn.catalog);
    let Some(quest) = catalog.quests.get(&key) else { return Err(refuse!("That errand is gone.")) };
    quest::require_startable(turn, who, quest)?;
    quest::begin(turn, who, quest, Some(exit));
    Ok(())
}

/// Gives up an errand, by its name or its beginning; the only one if no name is given.
pub(crate) fn drop(turn: &mut Turn, who: CharacterId, name: &str) -> Result<String, Refusal> {
    let typed = name.to_lowercase();
    let is_meant = |(quest, _): &(&Quest, &QuestProgress)| quest.name.to_lowercase().starts_with(&typed);
    let meant: Vec<&Quest> = taken(turn, who).filter(is_meant).map(|(quest, _)| quest).collect();
    match meant.as_slice() {
        [one] => {
            let key = one.key.clone();
            quest::abandon(turn, who, &key)
        }
        [] if typed.is_empty() => Err(refuse!("You have taken no errand.")),
        [] => Err(refuse!("You have taken no errand \"{name}\". Type errands for yours.")),
        many => {
            let names = grammar::list(many.iter().map(|quest| quest.name.as_str()));
            Err(refuse!("Say which one: {names}."))
        }
    }
}
