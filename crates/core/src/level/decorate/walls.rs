//! Walls at the border between open space and solid ground.

use crate::base::{Direction, Point, Rng};
use crate::data::definition;
use crate::level::{Decorator, Material, RoomedFloor};

definition! {
    /// Replaces one wall material by another next to a third.
    #[derive(Clone, Debug)]
    pub struct WallBuilder {
        /// Material to replace.
        pub from: Material => |table| table.text("from").into(),
        /// Replacement.
        pub to: Material => |table| table.text("to").into(),
        /// Material required in a neighbouring cell.
        pub beside: Material => |table| table.text_or("beside", || "empty".to_owned()).into(),
    }
}

impl Decorator for WallBuilder {
    fn decorate(&self, floor: &mut RoomedFloor, _dice: &mut Rng) {
        let beside = |at: Point| {
            let next = |side: Direction| floor.cell(at.step(side)).map(|cell| &cell.wall);
            Direction::PLANE.into_iter().any(|side| next(side) == Some(&self.beside))
        };
        let built: Vec<Point> = floor
            .cells()
            .filter(|(at, cell)| cell.wall == self.from && beside(*at))
            .map(|(at, _)| at)
            .collect();
        for at in built {
            floor.set_wall(at, &self.to);
        }
    }
}
