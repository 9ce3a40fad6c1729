//! The straight-line maze at the resolution of tiles: halls three tiles wide, one every ten tiles in both directions.
//! The layout `lattice` has one room per crossing; these tests show that the tiles add no connections.

use crate::base::{Direction, Point, Seed};
use crate::level::layout::Lattice;
use crate::level::layout::plane::{Cells as _, Plane as _};
use crate::level::noise::{Noise, ONE};

/// Distance between halls, in tiles.
const CELL: i32 = 10;

/// Returns `true` if a tile may be hall: its remainder by ten is 4 to 6 in one of the axes.
const fn is_hall(tile: Point) -> bool {
    in_hall(tile.x) || in_hall(tile.y)
}

const fn in_hall(ordinate: i32) -> bool {
    matches!(ordinate.unsigned_abs() % CELL.unsigned_abs(), 4..=6)
}

/// Returns the cell of a tile, rounded down: -5 is in cell -1.
const fn cell_of(tile: Point) -> Point {
    Point::new(tile.x.div_euclid(CELL), tile.y.div_euclid(CELL))
}

/// Returns `true` if a tile can be walked on, given the open cells: every tile of the landing, and elsewhere tiles that
/// are hall and open.
fn is_floor(tile: Point, is_open: impl Fn(Point) -> bool) -> bool {
    let landing = tile.x.abs() <= 3 && tile.y.abs() <= 3;
    landing || is_hall(tile) && is_open(cell_of(tile))
}

/// Returns `true` if a tile may have stairs: where two halls cross.
const fn may_hold_stairs(tile: Point) -> bool {
    tile.x.unsigned_abs() % CELL.unsigned_abs() == 5 && tile.y.unsigned_abs() % CELL.unsigned_abs() == 5
}

/// R8: the test vectors of the rule.
#[test]
fn halls_are_three_tiles_wide() {
    let hall = |x, y| is_hall(Point::new(x, y));
    assert_eq!([hall(5, 5), hall(4, 0), hall(13, 2), hall(-5, 17)], [true, true, false, true]);
    let row: String = (-12..=12).map(|x| if hall(x, 0) { '#' } else { '.' }).collect();
    assert_eq!(row, "......###.......###......");
}

/// R9: rounded down, not towards zero.
#[test]
fn cells_are_rounded_down() {
    let cell = |x, y| cell_of(Point::new(x, y));
    assert_eq!([cell(-5, 9), cell(0, 10), cell(-10, -11)], [(-1, 0), (0, 1), (-1, -2)].map(point));
}

fn point((x, y): (i32, i32)) -> Point {
    Point::new(x, y)
}

/// R13: over 72,000 tiles the tiles agree with the rooms: a cell is solid, or one plus-shaped crossing that reaches all
/// four edges. Each crossing has one tile for stairs.
#[test]
fn tiles_agree_with_rooms() {
    let mut open_cells = 0;
    for seed in 0..8 {
        let maze = Lattice::default().cells(Some(Seed(seed)));
        let is_open = |cell: Point| maze.is_open(cell);
        for cell in (0..90).map(|n| Point::new(n % 10 - 5, n / 10 - 4)) {
            let tiles = (0..100).map(|n| Point::new(cell.x * 10 + n % 10, cell.y * 10 + n / 10));
            let floor: Vec<Point> = tiles
                .filter(|tile| is_floor(*tile, is_open) && !(tile.x.abs() <= 3 && tile.y.abs() <= 3))
                .collect();
            if !is_open(cell) {
                assert!(floor.is_empty(), "{cell}: {floor:?}");
                continue;
            }
            open_cells += 1;
            assert_eq!((floor.len(), connected(&floor)), (51, true), "{cell}");
            for side in Direction::PLANE {
                let edge = floor.iter().filter(|tile| cell_of(tile.step(side)) != cell).count();
                assert_eq!(edge, 3, "{cell} {side}");
            }
            assert_eq!(floor.iter().filter(|tile| may_hold_stairs(**tile)).count(), 1, "{cell}");
        }
    }
    assert!(open_cells > 300, "{open_cells}");
}

/// R7, R10, R12: a cell is open where the noise is above -0.25 at half its coordinates and at those of its eastern or
/// northern neighbour; the landing is open regardless of noise.
#[test]
fn cell_is_open_where_noise_is_high() {
    let (maze, noise) = (Lattice::default().cells(Some(Seed(5))), Noise::new(Seed(5)));
    let high = |x: i32, y: i32| noise.at(Point::new(x, y), 500) > -ONE / 4;
    for (x, y) in (0..900).map(|n| (n % 30 - 15, n / 30 - 15)).filter(|cell| *cell != (0, 0)) {
        let rule = high(x, y) && high(x + 1, y) || high(x, y) && high(x, y + 1);
        assert_eq!(maze.is_open(Point::new(x, y)), rule, "({x},{y})");
    }
    let landing = (0..49).map(|n| Point::new(n % 7 - 3, n / 7 - 3));
    assert!(landing.into_iter().all(|tile| is_floor(tile, |_| false)), "R12");
    assert!(!is_floor(Point::new(5, 5), |_| false) && is_floor(Point::new(5, 5), |_| true));
    assert!(!is_floor(Point::new(8, 8), |_| true), "neither hall nor landing");
}

fn connected(tiles: &[Point]) -> bool {
    let mut reached = vec![tiles[0]];
    let mut next = 0;
    while let Some(tile) = reached.get(next).copied() {
        let beside = Direction::PLANE.map(|side| tile.step(side));
        let fresh: Vec<Point> =
            beside.into_iter().filter(|tile| tiles.contains(tile) && !reached.contains(tile)).collect();
        reached.extend(fresh);
        next += 1;
    }
    reached.len() == tiles.len()
}
