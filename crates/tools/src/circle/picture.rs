//! Detection of ASCII art in texts: maps, frames, signs and columns keep their lines and spaces.

use deepwell_core::base::unicode;

/// Columns between two tab stops.
const TAB_COLUMNS: usize = 8;
/// Spaces within a line that separate two columns.
const COLUMN_GAP: &str = "   ";
/// Number of symbols that make a line part of a picture.
const SIGNS_LEAST: usize = 3;

/// Appearance of a line.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum LineStyle {
    /// Empty line.
    Blank,
    Prose,
    /// Single letters, which belong to an adjacent picture: the `N` of a compass.
    Letters,
    /// Columns, which count as a picture if two lines have them.
    Columns,
    Drawn,
}

fn look(line: &str) -> LineStyle {
    let line = line.trim();
    let (mut all, mut letters) = (0_usize, 0_usize);
    for c in line.chars().filter(|c| !c.is_whitespace()) {
        all += 1;
        letters += usize::from(c.is_alphanumeric());
    }
    let is_framed = line.starts_with('|') && line.ends_with('|') && all >= SIGNS_LEAST;
    let is_of_letters = line.split_whitespace().all(|word| word.chars().count() == 1);
    let is_compass = is_of_letters && all >= SIGNS_LEAST && letters < all;
    if all == 0 {
        LineStyle::Blank
    } else if is_framed || is_compass || all >= SIGNS_LEAST && letters * 2 < all {
        LineStyle::Drawn
    } else if is_of_letters {
        LineStyle::Letters
    } else if line.match_indices(COLUMN_GAP).any(|(at, _)| !ends_sentence(line.get(..at).unwrap_or_default()))
    {
        LineStyle::Columns
    } else {
        LineStyle::Prose
    }
}

fn ends_sentence(text: &str) -> bool {
    text.ends_with(['.', '!', '?', ':', ';'])
}

/// Marks the lines that belong to pictures.
pub(super) fn drawn(lines: &[&str]) -> Vec<bool> {
    let looks: Vec<LineStyle> = lines.iter().map(|line| look(line)).collect();
    let mut drawn = vec![false; lines.len()];
    let mut from = 0;
    for block in looks.chunk_by(|one, other| (*one == LineStyle::Blank) == (*other == LineStyle::Blank)) {
        let columns =
            block.iter().filter(|look| matches!(look, LineStyle::Columns | LineStyle::Drawn)).count();
        let is_of_picture =
            |look: &LineStyle| *look == LineStyle::Drawn || *look == LineStyle::Columns && columns > 1;
        let first = block.iter().position(is_of_picture);
        let last = block.iter().rposition(is_of_picture);
        if let Some((first, last)) = first.zip(last) {
            let before =
                block.iter().take(first).rev().take_while(|look| **look == LineStyle::Letters).count();
            let after = block.iter().skip(last + 1).take_while(|look| **look == LineStyle::Letters).count();
            for at in first - before..=last + after {
                if let Some(drawn) = drawn.get_mut(from + at) {
                    *drawn = true;
                }
            }
        }
        from += block.len();
    }
    drawn
}

/// Returns a line of a picture with tabs expanded and forbidden characters removed.
pub(super) fn line(line: &str) -> String {
    let mut spread = String::with_capacity(line.len());
    let mut column = 0;
    for c in line.chars() {
        let blanks = if c == '\t' { TAB_COLUMNS - column % TAB_COLUMNS } else { 0 };
        spread.extend((0..blanks).map(|_| ' '));
        spread.extend((c != '\t').then_some(c));
        column += blanks.max(1);
    }
    unicode::clean(&spread).trim_end().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn_lines(text: &str) -> Vec<&str> {
        let lines: Vec<&str> = text.lines().collect();
        lines.iter().zip(drawn(&lines)).filter(|(_, is_drawn)| *is_drawn).map(|(line, _)| *line).collect()
    }

    #[test]
    fn maps_frames_compasses_and_columns_are_detected() {
        for text in [
            "+-------+\n|   N   |\n| W + E |\n|   S   |\n+-------+",
            "   N\n W + E\n   S",
            "Potion       50\nSword       100",
            "*----------*\n  THE INN\n*----------*",
            "# # #\n#   #",
        ] {
            assert_eq!(drawn_lines(text), text.lines().collect::<Vec<_>>(), "{text}");
        }
    }

    #[test]
    fn prose_is_not_a_picture() {
        for text in [
            "You see a mill.   It turns.\nI\nlike it.",
            "   Indented prose.\nA -- dash, and so on... \"Well!\" -- he said.",
            "One   gap in one line\nand none in the next.",
            "",
        ] {
            assert!(drawn_lines(text).is_empty(), "{text}");
        }
    }

    #[test]
    fn picture_line_keeps_its_spaces() {
        assert_eq!(line("  |\t|  "), "  |     |");
    }
}
