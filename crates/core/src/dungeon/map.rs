//! ASCII maps of rooms for players, builders and the seed catalogue. [`legend`] explains every symbol in words, for
//! screen readers.

use crate::base::grid::Rect;
use crate::base::{Direction, ExitState, Point};
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

/// A room on a map.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MapRoom {
    /// Position.
    pub at: Point,
    /// Letter of the room.
    pub mark: char,
    /// Exits; `up` and `down` are not drawn.
    pub exits: Vec<MapExit>,
}

/// An exit on a map.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MapExit {
    /// Direction.
    pub direction: Direction,
    /// State.
    pub state: ExitState,
}

/// Columns per room.
const COLUMNS: i32 = 4;
/// Lines per room.
const LINES: i32 = 2;

/// Returns the area around a position that fits into this many columns and lines of text.
pub fn view_around(centre: Point, columns: u16, lines: u16) -> Rect {
    let across = ((i32::from(columns) - 1) / COLUMNS / 2).max(0);
    let along = ((i32::from(lines) - 1) / LINES / 2).max(0);
    Rect {
        min: Point::new(centre.x - across, centre.y - along),
        max: Point::new(centre.x + across, centre.y + along),
    }
}

/// Draws the rooms, north at the top, one line of text each. With a view only rooms inside are drawn. Lines have no
/// trailing spaces.
pub fn picture(rooms: &[MapRoom], view: Option<Rect>) -> Vec<String> {
    let inside = |place: Point| view.is_none_or(|view| view.contains(place));
    let mut letters = BTreeMap::new();
    for room in rooms.iter().filter(|room| inside(room.at)) {
        for exit in &room.exits {
            let beyond = room.at.step(exit.direction);
            if beyond != room.at && inside(beyond) {
                draw_link(&mut letters, room.at, *exit);
                if exit.state == ExitState::Unexplored {
                    letters.entry(cell(beyond)).or_insert('?');
                }
            }
        }
    }
    letters.extend(rooms.iter().filter(|room| inside(room.at)).map(|room| (cell(room.at), room.mark)));
    lines_of(&letters)
}

/// Letters by column and line.
type Letters = BTreeMap<(i32, i32), char>;

/// Returns the column and line of a room's letter.
const fn cell(room: Point) -> (i32, i32) {
    (room.x * COLUMNS, -room.y * LINES)
}

/// Draws an exit of a room. An arrow is never overwritten by the plain link of the opposite exit.
fn draw_link(letters: &mut Letters, room: Point, exit: MapExit) {
    let ((column, line), (dx, dy)) = (cell(room), exit.direction.delta());
    if exit.direction.is_diagonal() {
        let corner = letters.entry((column + dx * COLUMNS / 2, line - dy * LINES / 2));
        return draw_diagonal_link(corner, exit.state, dx == dy);
    }
    let along = if dx == 0 { '|' } else { '-' };
    let middle = match (exit.state, exit.direction) {
        (ExitState::OneWay, Direction::North) => '^',
        (ExitState::OneWay, Direction::South) => 'v',
        (ExitState::OneWay, Direction::East) => '>',
        (ExitState::OneWay, Direction::West) => '<',
        (ExitState::Locked, _) => '+',
        _ => along,
    };
    let reach = if dx == 0 { LINES } else { COLUMNS };
    for step in 1..reach {
        let letter = if step == reach / 2 { middle } else { along };
        let place = (column + dx * step, line - dy * step);
        let drawn = letters.entry(place).or_insert(letter);
        if *drawn == along {
            *drawn = letter;
        }
    }
}

/// Draws a diagonal exit at the corner between two cells; two that cross become one letter.
fn draw_diagonal_link(corner: Entry<'_, (i32, i32), char>, state: ExitState, rises: bool) {
    let letter = match (state, rises) {
        (ExitState::Locked, _) => '+',
        (_, true) => '/',
        (_, false) => '\\',
    };
    let drawn = corner.or_insert(letter);
    if matches!((*drawn, letter), ('/', '\\') | ('\\', '/')) {
        *drawn = 'x';
    }
}

/// Arranges letters as lines, from the leftmost used column.
fn lines_of(letters: &Letters) -> Vec<String> {
    let Some(left) = letters.keys().map(|(column, _)| *column).min() else { return Vec::new() };
    let mut lines: BTreeMap<i32, String> = BTreeMap::new();
    // Ordered by column, so each line grows to the right.
    for ((column, line), letter) in letters {
        let text = lines.entry(*line).or_default();
        let width = usize::try_from(column - left).unwrap_or(0);
        text.extend(std::iter::repeat_n(' ', width.saturating_sub(text.len())));
        text.push(*letter);
    }
    let top = lines.keys().next().copied().unwrap_or(0);
    let bottom = lines.keys().next_back().copied().unwrap_or(0);
    (top..=bottom).map(|line| lines.remove(&line).unwrap_or_default()).collect()
}

/// Explains the symbols that occur on a map of these rooms.
pub fn legend(rooms: &[MapRoom], marks: &[(char, &str)]) -> Vec<String> {
    let mut lines: Vec<String> = marks
        .iter()
        .filter(|(mark, _)| rooms.iter().any(|room| room.mark == *mark))
        .map(|(mark, meaning)| format!("{mark} is {meaning}."))
        .collect();
    let states = [
        (ExitState::Unexplored, "? is a place that has not been seen yet."),
        (ExitState::OneWay, "> < ^ v on a way: it can be walked only in that direction."),
        (ExitState::Locked, "+ on a way: it is shut."),
    ];
    for (state, line) in states {
        if rooms.iter().flat_map(|room| &room.exits).any(|exit| exit.state == state) {
            lines.push(line.to_owned());
        }
    }
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn room(x: i32, y: i32, mark: char, exits: &[(Direction, ExitState)]) -> MapRoom {
        let exits = exits.iter().map(|(direction, state)| MapExit { direction: *direction, state: *state });
        MapRoom { at: Point::new(x, y), mark, exits: exits.collect() }
    }

    fn example_2() -> Vec<MapRoom> {
        use Direction::{East, North, South, West};
        use ExitState::{OneWay, Open, Unexplored};
        vec![
            room(0, 0, 'S', &[(East, Open)]),
            room(1, 0, 'A', &[(West, Open), (North, Unexplored), (East, OneWay), (South, Open)]),
            room(1, -1, 'B', &[(North, Open), (West, Unexplored), (East, Open)]),
            room(2, -1, 'C', &[(West, Open), (North, Open)]),
            room(2, 0, 'D', &[(South, Open)]),
        ]
    }

    /// Diagonal exits are drawn from corner to corner; two that cross are drawn as a cross.
    #[test]
    fn diagonals_are_drawn_from_corner_to_corner() {
        use Direction::{NorthEast, NorthWest, SouthEast, SouthWest};
        use ExitState::{Locked, Open};
        let rooms = [
            room(0, 0, 'a', &[(NorthEast, Open)]),
            room(1, 1, 'b', &[(SouthWest, Open), (SouthEast, Locked)]),
            room(1, 0, 'c', &[(NorthWest, Open)]),
            room(0, 1, 'd', &[(SouthEast, Open)]),
            room(2, 0, 'e', &[(NorthWest, Locked)]),
        ];
        assert_eq!(picture(&rooms, None), ["d   b", "  x   +", "a   c   e"]);
    }

    /// E23: the map of worked example 2.
    #[test]
    fn e23_map_of_worked_example_2() {
        let lines = picture(&example_2(), None);
        let drawing = ["    ?", "    |", "S---A->-D", "    |   |", "?---B---C"];
        assert_eq!(lines, drawing);
    }

    #[test]
    fn rooms_outside_view_are_not_drawn() {
        let view = view_around(Point::new(2, 0), 9, 5);
        assert_eq!(picture(&example_2(), Some(view)), ["?", "|", "A->-D", "|   |", "B---C"]);
        assert!(picture(&example_2(), Some(view)).iter().all(|line| line.len() <= 9));
    }

    #[test]
    fn legend_lists_only_symbols_on_the_map() {
        let lines = legend(&example_2(), &[('S', "the start"), ('Z', "not there")]);
        assert_eq!(lines.len(), 3);
        assert_eq!(lines[0], "S is the start.");
        assert!(lines[1].starts_with('?') && lines[2].starts_with('>'), "{lines:?}");
    }
}
