//! A shop in a file of an area: its wares, what it buys, and its hours, with their places.

use crate::catalog::item::shop::{
    Bid, DAY_HOURS, Hours, ShopMistake, ShopTerms, Ware, WareTerms, opening_times,
};
use crate::data::{CatalogError, FileField, Position, Reader, WrittenField};

/// Terms of a shop in a file, with their places.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct AreaShop {
    /// Items for sale.
    pub stock: Vec<(Position, Ware)>,
    /// Items that it buys.
    pub buys: Vec<(Position, Bid)>,
    /// Opening times.
    pub open: Vec<Hours>,
    /// Sentence while it is closed.
    pub closed: String,
    /// Hour at which limited stock is refilled.
    pub refill: u32,
}

impl AreaShop {
    /// Reads the fields of a room.
    pub(in crate::catalog) fn read(room: &mut Reader<'_>) -> Self {
        room.about("Items for sale, by key, each perhaps with a price and a limit: `lamp 2 silver x10`.");
        let stock = parsed(room, "stock", Ware::parse);
        room.about(
            "Items that the shop buys: `60%` of the value of all items, `weapon 40%` of a class, an item by key, or `none`.",
        );
        let buys = parsed(room, "buys", Bid::parse);
        room.about("Opening hours of the shop by the town's clock: `8-20`; always open if absent.");
        let place = room.place_of("open");
        let hours = room.texts("open", 0);
        let open = opening_times(hours.iter().map(String::as_str)).unwrap_or_else(|mistake| {
            room.note(CatalogError::new(&place, mistake.to_string(), "hours such as \"8-20\""));
            Vec::new()
        });
        room.about("Sentence while the shop is closed.");
        let closed = room.text_or("closed", String::new);
        room.about("Hour at which limited wares of the shop are in stock again.");
        Self { stock, buys, open, closed, refill: room.number_or("refill", 0..=DAY_HOURS - 1, 0) }
    }

    /// Returns the form in a file of a shop's stock and terms.
    pub fn of(stock: &[String], terms: &ShopTerms) -> Self {
        let placed = |ware| (Position::default(), ware);
        Self {
            stock: terms.wares_of(stock).map(placed).collect(),
            buys: terms.buys.iter().map(|bid| (Position::default(), bid.clone())).collect(),
            open: terms.open.clone(),
            closed: terms.closed.clone(),
            refill: terms.refill,
        }
    }

    /// Returns the items for sale, each once.
    pub fn items(&self) -> Vec<String> {
        let mut items = Vec::new();
        for (_, ware) in &self.stock {
            if !items.contains(&ware.item) {
                items.push(ware.item.clone());
            }
        }
        items
    }

    /// Returns the terms.
    pub fn terms(&self) -> ShopTerms {
        let own = self.stock.iter().filter(|(_, ware)| ware.terms != WareTerms::default());
        ShopTerms {
            wares: own.map(|(_, ware)| (ware.item.clone(), ware.terms)).collect(),
            buys: self.buys.iter().map(|(_, bid)| bid.clone()).collect(),
            open: self.open.clone(),
            closed: self.closed.clone(),
            refill: self.refill,
        }
    }

    /// Returns the items that the shop sells or buys by name, with their places.
    pub fn named(&self) -> impl Iterator<Item = (&Position, &str)> {
        let sold = self.stock.iter().map(|(place, ware)| (place, ware.item.as_str()));
        sold.chain(self.buys.iter().filter_map(|(place, bid)| Some((place, bid.item()?))))
    }
}

impl FileField for AreaShop {
    fn write(&self, _: &'static str, fields: &mut Vec<WrittenField>) {
        let Self { stock, buys, open, closed, refill } = self;
        stock.iter().map(|(_, ware)| ware.to_string()).collect::<Vec<_>>().write("stock", fields);
        buys.iter().map(|(_, bid)| bid.to_string()).collect::<Vec<_>>().write("buys", fields);
        open.iter().map(ToString::to_string).collect::<Vec<_>>().write("open", fields);
        closed.write("closed", fields);
        refill.write("refill", fields);
    }
}

/// Reads a list of texts that are parsed, and records the mistakes.
fn parsed<T>(
    room: &mut Reader<'_>,
    name: &str,
    parse: impl Fn(&str) -> Result<T, ShopMistake>,
) -> Vec<(Position, T)> {
    let mut read = Vec::new();
    for (place, words) in room.placed_texts(name, 0) {
        match parse(&words) {
            Ok(one) => read.push((place, one)),
            Err(mistake) => room.note(CatalogError::new(&place, mistake.to_string(), "")),
        }
    }
    read
}
