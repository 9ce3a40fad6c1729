//! Simplex noise in fixed point: the same values on every platform and in every release, because no floats are used. It
//! is three-dimensional noise, of which a floor uses one slice: the rules of the straight-line maze were measured on
//! such slices, and two-dimensional noise has fewer open cells.

use crate::base::{Point, Seed};

/// The number one in fixed point. It is divisible by 6 and by 1,000, so the skew of the simplex grid and scales in
/// thousandths are exact.
pub const ONE: i64 = 6_000 << 11;

/// Largest scale of [`Noise::at`], in thousandths. Beyond it samples of neighbours are uncorrelated.
pub const SCALE_MAX: u32 = 4_000;

/// Midpoints of the edges of a cube, in the order of the usual table.
const GRADIENTS: &[[i64; 3]] = &[
    [1, 1, 0],
    [-1, 1, 0],
    [1, -1, 0],
    [-1, -1, 0],
    [1, 0, 1],
    [-1, 0, 1],
    [1, 0, -1],
    [-1, 0, -1],
    [0, 1, 1],
    [0, -1, 1],
    [0, 1, -1],
    [0, -1, -1],
];

/// One slice of infinite noise.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Noise {
    seed: Seed,
    /// Offset of the slice in the third dimension. It is random, because slices differ in their share of positive
    /// values.
    slice: i64,
}

impl Noise {
    /// Returns the slice of a seed.
    pub fn new(seed: Seed) -> Self {
        let drawn = seed.named("slice").0 >> 40;
        // At most 2^24, times one: far below the range of the arithmetic.
        let slice = i64::try_from(drawn).unwrap_or(0).wrapping_mul(ONE / 1_000);
        Self { seed: seed.named("gradients"), slice }
    }

    /// Returns the value at a cell of a grid with a spacing of `scale` thousandths: from -[`ONE`] to [`ONE`].
    pub fn at(&self, cell: Point, scale: u32) -> i64 {
        let step = i64::from(scale.min(SCALE_MAX)) * (ONE / 1_000);
        self.value([i64::from(cell.x) * step, i64::from(cell.y) * step, self.slice])
    }

    /// Returns the value at a point given in fixed point.
    fn value(&self, place: [i64; 3]) -> i64 {
        // In skewed coordinates every simplex is a part of a unit cube. Counting in thirds keeps them exact.
        let sum: i64 = place.iter().sum();
        let cube = place.map(|x| (3 * x + sum).div_euclid(3 * ONE));
        let unskewed = cube.iter().sum::<i64>() * (ONE / 6);
        let inside = [0, 1, 2].map(|axis: usize| place[axis] - cube[axis] * ONE + unskewed);
        let mut corner = [0; 3];
        let mut total = self.corner(cube, corner, inside);
        for axis in by_size(inside) {
            corner[axis] = 1;
            total += self.corner(cube, corner, inside);
        }
        total.clamp(-ONE, ONE)
    }

    /// Returns the contribution of a corner of the simplex. The sum over all four corners is between -[`ONE`] and
    /// [`ONE`].
    fn corner(&self, cube: [i64; 3], corner: [i64; 3], inside: [i64; 3]) -> i64 {
        let unskewed = corner.iter().sum::<i64>() * (ONE / 6);
        let from = [0, 1, 2].map(|axis: usize| inside[axis] - corner[axis] * ONE + unskewed);
        let near = ONE * 6 / 10 - from.iter().map(|d| d * d).sum::<i64>() / ONE;
        if near <= 0 {
            return 0;
        }
        let square = near * near / ONE;
        let gradient = self.gradient([cube[0] + corner[0], cube[1] + corner[1], cube[2] + corner[2]]);
        let slope: i64 = gradient.iter().zip(from).map(|(g, d)| g * d).sum();
        32 * (square * square / ONE) * slope / ONE
    }

    /// Returns the gradient at a corner of the skewed grid; all twelve are equally likely.
    fn gradient(&self, at: [i64; 3]) -> [i64; 3] {
        let spread = [0x9e37_79b9_7f4a_7c15_u64, 0xc2b2_ae3d_27d4_eb4f, 0x1656_67b1_9e37_79f9];
        let key = at
            .iter()
            .zip(spread)
            .fold(0_u64, |key, (n, factor)| key.wrapping_add(n.cast_unsigned().wrapping_mul(factor)));
        let wide = u128::from(self.seed.numbered(key).0) * 12;
        let index = usize::try_from(wide >> 64).unwrap_or(0);
        GRADIENTS.get(index).copied().unwrap_or([1, 1, 0])
    }
}

/// Returns the axes by decreasing component; of equal components the earlier axis comes first.
const fn by_size([x, y, z]: [i64; 3]) -> [usize; 3] {
    match (x >= y, y >= z, x >= z) {
        (true, true, _) => [0, 1, 2],
        (true, false, true) => [0, 2, 1],
        (true, false, false) => [2, 0, 1],
        (false, false, _) => [2, 1, 0],
        (false, true, false) => [1, 2, 0],
        (false, true, true) => [1, 0, 2],
    }
}

/// Derives the seed of one position.
pub(crate) fn place_seed(seed: Seed, place: Point) -> Seed {
    let (x, y) = (u64::from(place.x.cast_unsigned()), u64::from(place.y.cast_unsigned()));
    seed.numbered(x << 32 | y)
}

/// Returns `true` for `percent` of 100 positions, decided by each position's own seed.
pub(crate) fn place_percent(seed: Seed, place: Point, percent: u32) -> bool {
    u128::from(place_seed(seed, place).0) * 100 < u128::from(percent) << 64
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::Dice as _;

    /// R24, C3: the values never change; a change would reshape every maze in use.
    #[test]
    fn values_never_change() {
        let noise = Noise::new(Seed(1));
        let row: Vec<i64> = (-4..4).map(|x| noise.at(Point::new(x, 3), 500)).collect();
        assert_eq!(
            row,
            [2_337_061, 1_047_119, 5_590_828, 31_093, -7_497_377, 6_386_324, 5_265_649, 5_197_291]
        );
        let far = [Point::new(i32::MAX, i32::MIN), Point::new(-2_000_000_000, 77)];
        assert_eq!(far.map(|cell| noise.at(cell, 500)), [1_867_776, 5_260_507]);
        assert_eq!(
            [1, 100, 2_000].map(|scale| noise.at(Point::new(5, -9), scale)),
            [-7_067_589, 6_905_493, -374_726]
        );
    }

    /// The values are between minus one and one, balanced around zero, and large on both sides.
    #[test]
    fn values_are_spread_around_zero() {
        let (mut sum, mut least, mut most, mut count) = (0_i64, ONE, -ONE, 0);
        for seed in 0..200 {
            let noise = Noise::new(Seed(seed));
            for cell in (0..400).map(|n| Point::new(n % 20, n / 20)) {
                let value = noise.at(cell, 500);
                assert!(value.abs() <= ONE, "{value}");
                (least, most) = (least.min(value), most.max(value));
                sum += value;
                count += 1;
            }
        }
        assert!((sum / count).abs() < ONE / 100, "mean {}", sum / count);
        assert!(least < -ONE * 8 / 10 && most > ONE * 8 / 10, "{least} to {most}");
    }

    /// Noise is smooth: neighbouring points differ little, and no sum had to be clamped.
    #[test]
    fn noise_is_smooth() {
        let mut dice = Seed(5).rng();
        for seed in 0..200 {
            let noise = Noise::new(Seed(seed));
            let mut draw = || i64::from(dice.up_to(40_000_000)) - 20_000_000;
            let place = [draw(), draw(), draw()];
            let value = noise.value(place);
            for axis in 0..3 {
                let mut beside = place;
                beside[axis] += ONE / 1_000;
                let difference = (noise.value(beside) - value).abs();
                assert!(difference < ONE / 50, "seed {seed}: {difference} at {place:?}");
            }
        }
    }

    /// Comparison with the textbook form in floating point: the fixed-point error is negligible.
    #[test]
    #[expect(clippy::cast_precision_loss, reason = "the textbook counts in floats")]
    fn values_agree_with_the_textbook() {
        let one = ONE as f64;
        for (n, seed) in (0..500).zip(0..) {
            let noise = Noise::new(Seed(seed));
            let place = [n * 7_654_321, n * -1_234_577, noise.slice];
            let [x, y, z] = place.map(|v| v as f64 / one);
            let skew = (x + y + z) / 3.0;
            let cube = [x, y, z].map(|v| (v + skew).floor());
            let back = cube.iter().sum::<f64>() / 6.0;
            let inside = [x - cube[0] + back, y - cube[1] + back, z - cube[2] + back];
            let mut order = [0, 1, 2];
            order.sort_by(|a: &usize, b| inside[*b].total_cmp(&inside[*a]));
            let mut corner = [0.0; 3];
            let mut total = 0.0;
            for axis in [None, Some(order[0]), Some(order[1]), Some(order[2])] {
                if let Some(axis) = axis {
                    corner[axis] = 1.0;
                }
                let back = corner.iter().sum::<f64>() / 6.0;
                let from: Vec<f64> = (0..3).map(|a| inside[a] - corner[a] + back).collect();
                let near = 0.6 - from.iter().map(|d| d * d).sum::<f64>();
                #[expect(clippy::cast_possible_truncation, reason = "whole numbers")]
                let at = [0, 1, 2].map(|a: usize| (cube[a] + corner[a]) as i64);
                let gradient = noise.gradient(at).map(|g| g as f64);
                let slope: f64 = gradient.iter().zip(&from).map(|(g, d)| g * d).sum();
                total += if near > 0.0 { near.powi(4) * slope } else { 0.0 };
            }
            let value = noise.value(place) as f64 / one;
            assert!((value - 32.0 * total).abs() < 0.001, "{value} is not {}", 32.0 * total);
        }
    }

    /// The share of positions is met, and a single position always gives the same answer.
    #[test]
    fn percentage_of_positions_is_met() {
        let places = || (0..10_000).map(|n| Point::new(n % 100 - 50, n / 100 - 50));
        let count = |percent| places().filter(|place| place_percent(Seed(3), *place, percent)).count();
        assert_eq!((count(0), count(100)), (0, 10_000));
        assert!((900..1_100).contains(&count(10)), "{}", count(10));
        assert!(!place_percent(Seed(3), Point::new(1, 2), 0));
    }
}
