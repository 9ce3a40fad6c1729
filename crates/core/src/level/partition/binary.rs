//! Sections of unequal size: the ground is cut in two, and each part again while it is large enough.

use crate::base::grid::Rect;
use crate::base::{Dice, Direction, Point, Rng};
use crate::data::definition;
use crate::level::connect::Connectors;
use crate::level::partition::section::{Border, Section};
use crate::level::{EmptyFloor, PartitionedFloor, Partitioner, Setup};

definition! {
    /// A floor cut in two repeatedly (binary space partitioning).
    #[derive(Clone, Debug)]
    pub struct Binary with (setup: &mut Setup<'_>) {
        /// Width in cells, from west to east.
        pub width: u32 = number_or(3..=60, Self::default().width),
        /// Height in cells, from south to north.
        pub height: u32 = number_or(3..=60, Self::default().height),
        /// Minimum length of a section's side, in cells.
        pub least: u32 = number_or(3..=20, Self::default().least),
        /// Connectors of its sections.
        pub connectors: Connectors => |table| Connectors::read(table, setup),
    }
}

impl Default for Binary {
    fn default() -> Self {
        Self { width: 12, height: 9, least: 3, connectors: Connectors::default() }
    }
}

impl Binary {
    /// Cuts the ground until no side of a part is twice the minimum length. Returns the parts row by row.
    fn cut(&self, dice: &mut Rng) -> Vec<Rect> {
        let far = |length: u32| i32::try_from(length).unwrap_or(i32::MAX) - 1;
        let least = far(self.least) + 1;
        let whole = Rect { min: Point::ORIGIN, max: Point::new(far(self.width), far(self.height)) };
        let (mut left, mut done) = (vec![whole], Vec::new());
        while let Some(part) = left.pop() {
            let (width, height) = (part.max.x - part.min.x + 1, part.max.y - part.min.y + 1);
            let (mut one, mut other) = (part, part);
            if width.max(height) < 2 * least {
                done.push(part);
                continue;
            }
            let spare = |length: i32| u32::try_from(length - 2 * least).unwrap_or_default();
            if width > height || (width == height && dice.percent(50)) {
                one.max.x = part.min.x + far(self.least + dice.up_to(spare(width)));
                other.min.x = one.max.x + 1;
            } else {
                one.max.y = part.min.y + far(self.least + dice.up_to(spare(height)));
                other.min.y = one.max.y + 1;
            }
            left.extend([one, other]);
        }
        done.sort_by_key(|part| (part.min.y, part.min.x));
        done
    }
}

impl Partitioner for Binary {
    fn partition(&self, floor: EmptyFloor, dice: &mut Rng) -> PartitionedFloor {
        let mut sections: Vec<Section> = self.cut(dice).into_iter().map(Section::new).collect();
        let mut borders = Vec::new();
        for (from, one) in sections.iter().enumerate() {
            for (to, other) in sections.iter().enumerate() {
                borders.extend(border(from, &one.bounds, to, &other.bounds, dice));
            }
        }
        self.connectors.connect(&mut sections, borders, dice);
        floor.partitioned(sections)
    }
}

/// Returns the border at which the second part touches the eastern or northern side of the first, if any.
fn border(from: usize, one: &Rect, to: usize, other: &Rect, dice: &mut Rng) -> Option<Border> {
    let mut shared = |least: i32, most: i32| {
        let length = u32::try_from(most - least).ok()?;
        Some(least + i32::try_from(dice.up_to(length)).unwrap_or_default())
    };
    if other.min.x == one.max.x + 1 {
        let y = shared(one.min.y.max(other.min.y), one.max.y.min(other.max.y))?;
        return Some(Border { from, to, side: Direction::East, at: Point::new(one.max.x, y) });
    }
    if other.min.y == one.max.y + 1 {
        let x = shared(one.min.x.max(other.min.x), one.max.x.min(other.max.x))?;
        return Some(Border { from, to, side: Direction::North, at: Point::new(x, one.max.y) });
    }
    None
}
