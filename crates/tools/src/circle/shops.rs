//! Conversion of shops: their wares with prices and limits, what they buy, and their hours.

use std::collections::BTreeMap;

use super::homes::Home;
use super::items::{self, Items};
use super::report::{ImportReport, NoteKind};
use super::resets::{Resets, SpawnKind};
use super::{ImportPlan, SourceRecords, bounded};
use crate::circle::records::shop::Shop;
use deepwell_core::catalog::item::shop::{DAY_HOURS, WareTerms};
use deepwell_core::catalog::{AreaShop, Bid, Hours, ItemClass, Ware};
use deepwell_core::data::Position;
use deepwell_core::text::grammar;

/// Highest limit of a ware.
const MOST: u32 = 1_000;
/// Highest price in coppers.
const PRICE_MAX: u32 = 1_000_000;
/// Highest percentage of an offer.
const PERCENT_MAX: u32 = 1_000;

/// Returns the shops by room, and reports what is kept.
pub(super) fn open(
    source: &SourceRecords,
    resets: &Resets,
    items: &Items,
    homes: &BTreeMap<i64, Home>,
    plan: ImportPlan<'_>,
    report: &mut ImportReport,
) -> BTreeMap<i64, AreaShop> {
    let mut open = BTreeMap::new();
    for (number, shop) in &source.shops {
        let whose = format!("shop {number}");
        let made = AreaShop {
            stock: stock(source, resets, items, shop, &whose, plan, report),
            buys: buys(shop, &whose, report),
            open: hours(shop, &whose, report),
            ..AreaShop::default()
        };
        let remark = "its messages, its temper, and with whom it trades are left out";
        report.note(NoteKind::Shop, &shop.place, &whose, remark);
        for room in &places(shop, resets, &whose, report) {
            let Some(home) = homes.get(room) else {
                report.note(
                    NoteKind::Shop,
                    &shop.place,
                    &whose,
                    &format!("left out, it was not read: room {room}"),
                );
                continue;
            };
            if open.contains_key(room) {
                report.note(
                    NoteKind::Shop,
                    &shop.place,
                    &whose,
                    &format!("left out, room {room} has another shop"),
                );
                continue;
            }
            let (wares, hours) = (
                grammar::counted(made.stock.len(), "ware"),
                grammar::counted(made.open.len(), "opening time"),
            );
            let remark = format!(
                "{}/{}, {wares}, {hours}, {}",
                home.zone,
                home.key,
                grammar::counted(made.buys.len(), "offer")
            );
            report.note(NoteKind::KeptShop, &shop.place, &whose, &remark);
            open.insert(*room, made.clone());
        }
    }
    open
}

/// Returns the rooms that become shops: those of the shop's list in which its keeper appears. A keeper who walks about
/// trades in any room of the list there, but a shop here stays in its room. If the keeper appears in no such room, the only
/// room of a list is still a shop.
fn places(shop: &Shop, resets: &Resets, whose: &str, report: &mut ImportReport) -> Vec<i64> {
    let appears = |room: &&i64| {
        let comings = resets.comings.get(room);
        comings.is_some_and(|comings| comings.contains_key(&SpawnKind::Creature(shop.keeper)))
    };
    let mut listed = shop.rooms.clone();
    listed.sort_unstable();
    listed.dedup();
    let mut kept: Vec<i64> = listed.iter().filter(appears).copied().collect();
    if kept.is_empty() && listed.len() == 1 {
        kept.clone_from(&listed);
    }
    let left: Vec<String> =
        listed.iter().filter(|room| !kept.contains(room)).map(ToString::to_string).collect();
    if !left.is_empty() {
        let remark =
            format!("no shop, its keeper {} does not appear there: room {}", shop.keeper, left.join(", "));
        report.note(NoteKind::Shop, &shop.place, whose, &remark);
    }
    kept
}

/// Returns the wares: those that never run out, and limited ones that the shopkeeper carries.
fn stock(
    source: &SourceRecords,
    resets: &Resets,
    items: &Items,
    shop: &Shop,
    whose: &str,
    plan: ImportPlan<'_>,
    report: &mut ImportReport,
) -> Vec<(Position, Ware)> {
    let carried = resets.carried.get(&shop.keeper).into_iter().flatten();
    let all = shop.goods.iter().map(|thing| (thing, None)).chain(carried.map(|thing| {
        let count = resets.carried_count.get(&(shop.keeper, *thing)).copied().unwrap_or(1);
        (thing, Some(count.clamp(1, MOST)))
    }));
    let mut wares = BTreeMap::new();
    for (thing, most) in all {
        let remark = match items.get(thing) {
            Some(key) if wares.contains_key(key) => continue,
            Some(key) if wares.len() < plan.limits.shop_stock as usize => {
                let cost = source.objects.get(thing).map_or(0, |object| object.cost);
                let price = cost.max(0).saturating_mul(shop.percent[0].into()) / 1_000;
                let terms = WareTerms { price: Some(bounded(price, 1, PRICE_MAX)), most };
                wares.insert(key.clone(), terms);
                continue;
            }
            Some(_) => "there is too much",
            None => "it cannot be sold",
        };
        report.note(NoteKind::Shop, &shop.place, whose, &format!("left out, {remark}: item {thing}"));
    }
    wares.into_iter().map(|(item, terms)| (Position::default(), Ware { item, terms })).collect()
}

/// Returns what the shop buys: classes of items for a percentage of their value.
fn buys(shop: &Shop, whose: &str, report: &mut ImportReport) -> Vec<(Position, Bid)> {
    let percent = shop.percent[1].min(PERCENT_MAX);
    let mut classes: Vec<ItemClass> = Vec::new();
    for (place, text) in &shop.types {
        let word = text.split([' ', '\t', '[']).next().unwrap_or_default();
        let class = items::class_named(word).filter(|class| class.may_be_placed());
        let remark = match class {
            None => format!("it does not buy {word}, which is no class here"),
            Some(class) if word.len() < text.trim().len() => {
                format!("it buys each {}, not only `{text}`", class.name())
            }
            Some(class) if class.name() != word.to_lowercase() && class != ItemClass::Armour => {
                format!("it buys each {}, for {word}", class.name())
            }
            Some(_) => String::new(),
        };
        if !remark.is_empty() {
            report.note(NoteKind::Shop, place, whose, &remark);
        }
        classes.extend(class.filter(|class| !classes.contains(class)));
    }
    let bids: Vec<Bid> = classes.into_iter().map(|class| Bid::Rate { percent, class: Some(class) }).collect();
    let bids = if bids.is_empty() { vec![Bid::NOTHING] } else { bids };
    bids.into_iter().map(|bid| (Position::default(), bid)).collect()
}

/// Returns the opening times; empty for a shop that is always open.
fn hours(shop: &Shop, whose: &str, report: &mut ImportReport) -> Vec<Hours> {
    let day = i64::from(DAY_HOURS);
    let mut open = Vec::new();
    for pair in shop.hours.chunks_exact(2) {
        let &[from, to] = pair else { continue };
        if from <= 0 && to >= day {
            return Vec::new();
        }
        if from == to {
            continue;
        }
        match (u32::try_from(from), u32::try_from(to.min(day))) {
            (Ok(from), Ok(to)) if from < DAY_HOURS && from != to => open.push(Hours { from, to }),
            _ => report.note(
                NoteKind::Shop,
                &shop.place,
                whose,
                &format!("left out, no hours: {from} to {to}"),
            ),
        }
    }
    if open.is_empty() {
        report.note(NoteKind::Shop, &shop.place, whose, "it has no hours, and is always open");
    }
    open
}
