//! SVG rendering of the [`map`](deepwell_core::dungeon::map). Marks are letters, so that no information depends on colour.

use deepwell_core::base::grid::Rect;
use deepwell_core::base::{Direction, ExitState, Point};
use deepwell_core::dungeon::map::{MapExit, MapRoom};
use std::fmt::Write as _;

/// Distance between adjacent rooms, in pixels.
const STEP: i32 = 48;
/// Half the width of a room, in pixels.
const HALF: i32 = 14;

/// Line height of the legend, in pixels.
const LINE: i32 = 20;
/// Minimum width of a drawing, in pixels, so that the legend fits.
const LEAST_WIDTH: i32 = 520;

/// Returns an SVG document with the rooms, north at the top, and the legend below them.
pub fn drawing(rooms: &[MapRoom], title: &str, legend: &[String]) -> String {
    let mut bounds = Rect::at(rooms.first().map_or(Point::ORIGIN, |room| room.at));
    for room in rooms {
        bounds.include(room.at);
    }
    let (left, top) = (bounds.min.x - 1, bounds.max.y + 1);
    let width = ((bounds.max.x - left + 2) * STEP).max(LEAST_WIDTH);
    let bottom = (top - bounds.min.y + 2) * STEP;
    let height = legend.iter().fold(bottom, |height, _| height + LINE);
    let centre = |place: Point| ((place.x - left) * STEP + STEP / 2, (top - place.y) * STEP + STEP / 2);

    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         font-family=\"monospace\" font-size=\"14\" text-anchor=\"middle\">\n<title>{}</title>\n\
         <defs><marker id=\"arrow\" viewBox=\"0 0 8 8\" refX=\"8\" refY=\"4\" markerWidth=\"8\" \
         markerHeight=\"8\" orient=\"auto\"><path d=\"M0,0 L8,4 L0,8 z\"/></marker></defs>\n",
        escaped(title)
    );
    for room in rooms {
        for exit in room.exits.iter().filter(|exit| exit.direction.delta() != (0, 0)) {
            line(&mut svg, centre(room.at), *exit);
        }
    }
    for room in rooms {
        let (x, y) = centre(room.at);
        let mark = escaped(&room.mark.to_string());
        text(
            &mut svg,
            &format!(
                "<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"white\" stroke=\"black\"/>\
                 <text x=\"{x}\" y=\"{}\">{mark}</text>",
                x - HALF,
                y - HALF,
                2 * HALF,
                2 * HALF,
                y + 5
            ),
        );
    }
    for (line, number) in legend.iter().zip(0..) {
        let y = bottom + number * LINE;
        text(&mut svg, &format!("<text x=\"16\" y=\"{y}\" text-anchor=\"start\">{}</text>", escaped(line)));
    }
    svg.push_str("</svg>\n");
    svg
}

fn line(svg: &mut String, (x, y): (i32, i32), exit: MapExit) {
    let (dx, dy) = exit.direction.delta();
    let (from_x, from_y) = (x + dx * HALF, y - dy * HALF);
    // An unexplored exit ends before the next place and has a question mark.
    let reach = if exit.state == ExitState::Unexplored { STEP / 2 } else { STEP - HALF };
    let (to_x, to_y) = (x + dx * reach, y - dy * reach);
    let look = match exit.state {
        ExitState::Unexplored => " stroke-dasharray=\"3\"",
        ExitState::OneWay => " marker-end=\"url(#arrow)\"",
        ExitState::Locked => " stroke-width=\"4\"",
        ExitState::Open => "",
    };
    text(
        svg,
        &format!(
            "<line x1=\"{from_x}\" y1=\"{from_y}\" x2=\"{to_x}\" y2=\"{to_y}\" stroke=\"black\"{look}/>"
        ),
    );
    if exit.state == ExitState::Unexplored {
        let below = if exit.direction == Direction::South { 14 } else { 5 };
        text(svg, &format!("<text x=\"{}\" y=\"{}\">?</text>", to_x + dx * 7, to_y - dy * 7 + below));
    }
}

fn text(svg: &mut String, element: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(svg, "{element}");
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_room_and_exit_is_drawn() {
        let exit = |direction, state| MapExit { direction, state };
        let rooms = [
            MapRoom {
                at: Point::ORIGIN,
                mark: '<',
                exits: vec![exit(Direction::East, ExitState::OneWay), exit(Direction::Up, ExitState::Open)],
            },
            MapRoom {
                at: Point::new(1, 0),
                mark: 'o',
                exits: vec![exit(Direction::South, ExitState::Unexplored)],
            },
        ];
        let svg = drawing(&rooms, "a & b", &["o is a room.".to_owned()]);
        assert_eq!(svg.matches("<rect").count(), 2);
        assert_eq!(svg.matches("<line").count(), 2);
        assert!(svg.contains(">o is a room.</text>"));
        assert_eq!(svg.matches("url(#arrow)").count(), 1);
        assert!(svg.contains(">?</text>") && svg.contains("&lt;</text>") && svg.contains("a &amp; b"));
    }
}
