//! Line charts in SVG. Series differ in their marks and dashes, so that no information depends on colour.

use super::thousands;
use std::fmt::Write as _;

/// Size of a drawing and of the margins around its axes, in pixels.
const WIDTH: f64 = 640.0;
const HEIGHT: f64 = 360.0;
const LEFT: f64 = 80.0;
const RIGHT: f64 = 24.0;
const TOP: f64 = 64.0;
const BOTTOM: f64 = 52.0;
/// Number of intervals of the vertical axis, at most.
const TICKS: f64 = 5.0;
/// Half the size of a mark, in pixels.
const MARK: f64 = 4.0;

/// A named line.
pub(crate) struct Series {
    pub(crate) name: String,
    pub(crate) points: Vec<(f64, f64)>,
}

/// A chart whose axes begin at zero.
pub(crate) struct Plot {
    pub(crate) title: &'static str,
    pub(crate) x: &'static str,
    pub(crate) y: &'static str,
    pub(crate) series: Vec<Series>,
}

/// Returns a round step that divides `most` into a few intervals.
fn step(most: f64) -> f64 {
    let least = (most / TICKS).max(f64::MIN_POSITIVE);
    let power = 10_f64.powf(least.log10().floor());
    [1.0, 2.0, 5.0, 10.0]
        .into_iter()
        .map(|factor| factor * power)
        .find(|step| *step >= least)
        .unwrap_or(least)
}

impl Plot {
    /// Returns an SVG document.
    pub(crate) fn svg(&self) -> String {
        let points = || self.series.iter().flat_map(|series| &series.points);
        let x_most = points().map(|point| point.0).fold(1.0, f64::max);
        let y_step = step(points().map(|point| point.1).fold(0.0, f64::max));
        let y_most = (points().map(|point| point.1).fold(0.0, f64::max) / y_step).ceil().max(1.0) * y_step;
        let place = |(x, y): (f64, f64)| {
            let across = LEFT + x / x_most * (WIDTH - LEFT - RIGHT);
            (across, HEIGHT - BOTTOM - y / y_most * (HEIGHT - TOP - BOTTOM))
        };
        let mut svg = format!(
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{WIDTH}\" height=\"{HEIGHT}\" \
             font-family=\"sans-serif\" font-size=\"12\">\n<title>{title}</title>\n\
             <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"white\"/>\n\
             <text x=\"{LEFT}\" y=\"20\" font-size=\"14\">{title}</text>\n",
            title = self.title
        );
        self.draw_axes(&mut svg, y_step, y_most, place);
        for (number, series) in self.series.iter().enumerate() {
            draw_series(&mut svg, number, series, place);
        }
        svg.push_str("</svg>\n");
        svg
    }

    fn draw_axes(
        &self,
        svg: &mut String,
        y_step: f64,
        y_most: f64,
        place: impl Fn((f64, f64)) -> (f64, f64),
    ) {
        let (left, bottom) = place((0.0, 0.0));
        let right = WIDTH - RIGHT;
        let mut y = 0.0;
        while y <= y_most + y_step / 2.0 {
            let (_, at) = place((0.0, y));
            let digits = if y_step < 1.0 { format!("{y:.1}") } else { thousands(y) };
            write(
                svg,
                &format!(
                    "<line x1=\"{left}\" y1=\"{at:.1}\" x2=\"{right}\" y2=\"{at:.1}\" stroke=\"#ddd\"/>\
                     <text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{digits}</text>",
                    left - 6.0,
                    at + 4.0
                ),
            );
            y += y_step;
        }
        for (x, _) in self.series.first().map_or(&[][..], |series| &series.points) {
            let (at, _) = place((*x, 0.0));
            let label = thousands(*x);
            write(
                svg,
                &format!(
                    "<line x1=\"{at:.1}\" y1=\"{bottom}\" x2=\"{at:.1}\" y2=\"{}\" stroke=\"black\"/>\
                     <text x=\"{at:.1}\" y=\"{}\" text-anchor=\"middle\">{label}</text>",
                    bottom + 4.0,
                    bottom + 18.0
                ),
            );
        }
        write(
            svg,
            &format!(
                "<path d=\"M{left},{} V{bottom} H{right}\" fill=\"none\" stroke=\"black\"/>\
                 <text x=\"{:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>\
                 <text x=\"8\" y=\"{}\">{}</text>",
                TOP - 8.0,
                f64::midpoint(left, right),
                HEIGHT - 10.0,
                self.x,
                TOP - 14.0,
                self.y
            ),
        );
    }
}

fn draw_series(svg: &mut String, number: usize, series: &Series, place: impl Fn((f64, f64)) -> (f64, f64)) {
    let (colour, dash) = [("#0b5cad", ""), ("#b5470b", " stroke-dasharray=\"6 4\"")][number % 2];
    let path: Vec<String> =
        series.points.iter().map(|point| place(*point)).map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
    let line = |points: &str| {
        format!("<polyline points=\"{points}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"2\"{dash}/>")
    };
    write(svg, &line(&path.join(" ")));
    for point in &series.points {
        write(svg, &mark(number, place(*point), colour));
    }
    // Legend, at the right above the axes.
    let (x, y) = (WIDTH - RIGHT - 190.0, 20.0 + 16.0 * number as f64);
    write(svg, &line(&format!("{x},{y} {},{y}", x + 32.0)));
    write(svg, &mark(number, (x + 16.0, y), colour));
    write(svg, &format!("<text x=\"{}\" y=\"{}\">{}</text>", x + 40.0, y + 4.0, series.name));
}

/// Returns a circle for the first series, a square for the second.
fn mark(number: usize, (x, y): (f64, f64), colour: &str) -> String {
    if number.is_multiple_of(2) {
        return format!("<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{MARK}\" fill=\"{colour}\"/>");
    }
    let (left, top, size) = (x - MARK, y - MARK, 2.0 * MARK);
    format!("<rect x=\"{left:.1}\" y=\"{top:.1}\" width=\"{size}\" height=\"{size}\" fill=\"{colour}\"/>")
}

fn write(svg: &mut String, element: &str) {
    // Writing to a String cannot fail.
    let _ = writeln!(svg, "{element}");
}
