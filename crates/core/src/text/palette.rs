//! Colours of each style, for different kinds of colour vision. Text carries the full meaning without colours; a
//! palette only separates styles that should differ at a glance.

use super::Style;
use crate::base::{ColourLevel, Palette};

/// Colour settings of a client.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Colours {
    /// Level of colour support.
    pub colour: ColourLevel,
    /// Palette chosen by the player.
    pub palette: Palette,
}

impl From<ColourLevel> for Colours {
    fn from(colour: ColourLevel) -> Self {
        Self { colour, palette: Palette::Usual }
    }
}

/// SGR parameters for 16 colours, 256 colours and true colour; `""` for none.
type Codes = [&'static str; 3];

/// Returns the SGR parameters of a style; empty if it has no colour.
pub(super) fn sgr(style: Style, colours: Colours) -> &'static str {
    let [sixteen, xterm, rgb] = match colours.palette {
        Palette::Usual => usual(style),
        Palette::Deuteranopia | Palette::Protanopia => blue_and_yellow(style),
        Palette::Tritanopia => red_and_cyan(style),
        Palette::Contrast => bright(style),
        Palette::Light => dark(style),
        Palette::Mono => without_hues(style),
    };
    match colours.colour {
        ColourLevel::None => "",
        ColourLevel::Sixteen => sixteen,
        ColourLevel::TwoFiftySix => xterm,
        ColourLevel::True => rgb,
    }
}

/// Default palette. No black, white or blue, as the background is unknown, and no blinking. Styles that are often
/// adjacent differ.
const fn usual(style: Style) -> Codes {
    match style {
        Style::Plain => ["", "", ""],
        Style::RoomName => ["1;36", "1;38;5;80", "1;38;2;86;203;210"],
        Style::Exit => ["36", "38;5;73", "38;2;95;170;175"],
        Style::Blocked => ["1;31", "1;38;5;203", "1;38;2;240;90;80"],
        Style::Hint => ["1;33", "1;38;5;221", "1;38;2;240;205;90"],
        Style::Highlight => ["1;4;33", "1;4;38;5;221", "1;4;38;2;240;205;90"],
        Style::Player => ["1;32", "1;38;5;114", "1;38;2;130;210;120"],
        Style::Creature => ["1;35", "1;38;5;176", "1;38;2;205;135;215"],
        Style::Item => ["33", "38;5;179", "38;2;205;170;95"],
        Style::Speech => ["", "38;5;152", "38;2;175;210;215"],
        Style::Harm => ["31", "38;5;167", "38;2;215;95;85"],
        Style::Kill => ["33", "38;5;208", "38;2;240;145;60"],
        Style::Boon => ["32", "38;5;107", "38;2;135;175;95"],
        Style::Command => ["1", "1;38;5;180", "1;38;2;220;180;140"],
        Style::Heading => ["1", "1;38;5;80", "1;38;2;86;203;210"],
        Style::System => ["35", "38;5;140", "38;2;170;140;210"],
        Style::Faint => ["", "38;5;245", "38;2;138;138;138"],
    }
}

/// Palette for red-green deficiency: warm colours mean harm, blue ones benefit.
const fn blue_and_yellow(style: Style) -> Codes {
    match style {
        Style::Exit => ["36", "38;5;74", "38;2;90;165;215"],
        Style::Blocked => ["1;33", "1;38;5;172", "1;38;2;225;120;0"],
        Style::Hint => ["1", "1;38;5;222", "1;38;2;250;235;140"],
        Style::Highlight => ["1;4", "1;4;38;5;222", "1;4;38;2;250;235;140"],
        Style::Player => ["1;36", "1;38;5;75", "1;38;2;110;190;255"],
        Style::Creature => ["1;35", "1;38;5;175", "1;38;2;220;105;160"],
        Style::Harm => ["33", "38;5;172", "38;2;220;130;20"],
        Style::Kill => ["33", "38;5;214", "38;2;245;165;60"],
        Style::Boon => ["36", "38;5;75", "38;2;100;180;240"],
        other => usual(other),
    }
}

/// Palette for blue-yellow deficiency, which confuses blue with green and yellow with pink.
const fn red_and_cyan(style: Style) -> Codes {
    match style {
        Style::Exit => ["36", "38;5;73", "38;2;80;170;170"],
        Style::Blocked => ["1;31", "1;38;5;203", "1;38;2;240;80;70"],
        Style::Hint => ["1", "1;38;5;223", "1;38;2;250;225;190"],
        Style::Highlight => ["1;4", "1;4;38;5;223", "1;4;38;2;250;225;190"],
        Style::Player => ["1;36", "1;38;5;115", "1;38;2;120;215;190"],
        Style::Creature => ["1;35", "1;38;5;168", "1;38;2;235;110;140"],
        Style::Item => ["1", "38;5;181", "38;2;210;190;180"],
        Style::Harm => ["31", "38;5;167", "38;2;220;85;75"],
        Style::Boon => ["36", "38;5;73", "38;2;70;190;170"],
        other => usual(other),
    }
}

/// Bright palette for a dark background.
const fn bright(style: Style) -> Codes {
    match style {
        Style::Plain => ["", "", ""],
        Style::RoomName | Style::Heading => ["1;36", "1;38;5;123", "1;38;2;120;255;255"],
        Style::Exit => ["1;36", "38;5;123", "38;2;120;240;240"],
        Style::Blocked => ["1;31", "1;38;5;210", "1;38;2;255;140;130"],
        Style::Hint => ["1;33", "1;38;5;228", "1;38;2;255;255;120"],
        Style::Highlight => ["1;4;33", "1;4;38;5;228", "1;4;38;2;255;255;120"],
        Style::Player => ["1;32", "1;38;5;120", "1;38;2;150;255;150"],
        Style::Creature => ["1;35", "1;38;5;219", "1;38;2;255;160;255"],
        Style::Item => ["1;33", "38;5;222", "38;2;255;215;120"],
        Style::Speech => ["1", "38;5;195", "38;2;220;240;255"],
        Style::Harm => ["1;31", "38;5;210", "38;2;255;150;140"],
        Style::Kill => ["1;33", "38;5;215", "38;2;255;180;100"],
        Style::Boon => ["1;32", "38;5;156", "38;2;170;255;130"],
        Style::Command => ["1", "1;38;5;223", "1;38;2;255;225;190"],
        Style::System => ["1;35", "38;5;189", "38;2;225;200;255"],
        Style::Faint => ["", "38;5;252", "38;2;210;210;210"],
    }
}

/// Dark palette for a light background, on which blue is readable.
const fn dark(style: Style) -> Codes {
    match style {
        Style::Plain => ["", "", ""],
        Style::RoomName => ["1;34", "1;38;5;23", "1;38;2;0;85;95"],
        Style::Exit => ["34", "38;5;23", "38;2;0;80;85"],
        Style::Blocked => ["1;31", "1;38;5;124", "1;38;2;160;0;0"],
        Style::Hint => ["1;35", "1;38;5;58", "1;38;2;105;70;0"],
        Style::Highlight => ["1;4;35", "1;4;38;5;58", "1;4;38;2;105;70;0"],
        Style::Player => ["1;34", "1;38;5;22", "1;38;2;0;90;0"],
        Style::Creature => ["1;35", "1;38;5;90", "1;38;2;120;0;120"],
        Style::Item => ["", "38;5;94", "38;2;110;65;0"],
        Style::Speech => ["", "38;5;23", "38;2;20;60;80"],
        Style::Harm => ["31", "38;5;88", "38;2;150;0;0"],
        Style::Kill => ["31", "38;5;94", "38;2;110;65;0"],
        Style::Boon => ["34", "38;5;22", "38;2;0;70;120"],
        Style::Command => ["1", "1;38;5;94", "1;38;2;90;55;0"],
        Style::Heading => ["1", "1;38;5;23", "1;38;2;0;85;95"],
        Style::System => ["35", "38;5;54", "38;2;85;30;120"],
        Style::Faint => ["", "38;5;240", "38;2;85;85;85"],
    }
}

/// Palette without hues: only bold and underlined.
const fn without_hues(style: Style) -> Codes {
    let code = match style {
        Style::RoomName
        | Style::Hint
        | Style::Player
        | Style::Kill
        | Style::Boon
        | Style::Command
        | Style::Heading => "1",
        Style::Exit | Style::Harm | Style::System => "4",
        Style::Blocked | Style::Highlight => "1;4",
        Style::Plain | Style::Creature | Style::Item | Style::Speech | Style::Faint => "",
    };
    [code, code, code]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn t16_kill_line_is_orange_at_every_colour_level() {
        let codes = LEVELS.iter().map(|level| codes(Style::Kill, *level, Palette::Usual));
        assert_eq!(codes.collect::<Vec<_>>(), ["33", "38;5;208", "38;2;240;145;60"]);
    }

    const LEVELS: &[ColourLevel] = &[ColourLevel::Sixteen, ColourLevel::TwoFiftySix, ColourLevel::True];

    /// Pairs of styles that must differ at a glance.
    const APART: &[(Style, Style)] = &[
        (Style::Harm, Style::Boon),
        (Style::Blocked, Style::Hint),
        (Style::Blocked, Style::Exit),
        (Style::Blocked, Style::RoomName),
        (Style::Player, Style::Creature),
        (Style::Player, Style::Item),
        (Style::Creature, Style::Item),
    ];

    /// Minimum distance at which two colours count as different; black and white are 255 apart.
    const LEAST: i64 = 40;

    /// Matrix of a colour vision deficiency on linear light, in thousandths (Machado, Oliveira, Fernandes 2009).
    type Eye = [[i64; 3]; 3];
    const ALL_CONES: Eye = [[1_000, 0, 0], [0, 1_000, 0], [0, 0, 1_000]];
    const PROTANOPIA: Eye = [[152, 1_053, -205], [115, 786, 99], [-4, -48, 1_052]];
    const DEUTERANOPIA: Eye = [[367, 861, -228], [280, 673, 47], [-12, 43, 969]];
    const TRITANOPIA: Eye = [[1_256, -77, -179], [-78, 931, 148], [5, 691, 304]];

    fn codes(style: Style, colour: ColourLevel, palette: Palette) -> &'static str {
        sgr(style, Colours { colour, palette })
    }

    /// Returns the colour that xterm shows for a code on a dark background.
    fn shown(code: &str) -> [i64; 3] {
        let numbers: Vec<i64> = code.split(';').filter_map(|number| number.parse().ok()).collect();
        let bold = numbers.contains(&1);
        let (on, off) = if bold { (255, 0) } else { (205, 0) };
        match numbers.as_slice() {
            [.., 38, 2, red, green, blue] => [*red, *green, *blue],
            [.., 38, 5, n] if *n >= 232 => [8 + 10 * (n - 232); 3],
            [.., 38, 5, n] => {
                let step = |n: i64| [0, 95, 135, 175, 215, 255][usize::try_from(n % 6).unwrap()];
                [step((n - 16) / 36), step((n - 16) / 6), step(n - 16)]
            }
            [.., hue @ 31..=36] => [1, 2, 4].map(|bit| if (hue - 30) & bit == 0 { off } else { on }),
            _ => [if bold { 240 } else { 220 }; 3],
        }
    }

    /// Returns a colour as perceived, with linear light approximated by the square of the value.
    fn seen(eye: &Eye, colour: [i64; 3]) -> [i64; 3] {
        let light = colour.map(|c| c * c);
        eye.map(|row| {
            let sum: i64 = row.iter().zip(light).map(|(part, light)| part * light).sum();
            (sum / 1_000).clamp(0, 255 * 255).isqrt()
        })
    }

    /// Returns the weighted distance of two colours: green weighs most, blue least.
    fn distance(a: [i64; 3], b: [i64; 3]) -> i64 {
        let parts = a.iter().zip(b).zip([3, 4, 2]).map(|((a, b), weight)| weight * (a - b) * (a - b));
        (parts.sum::<i64>() / 9).isqrt()
    }

    fn too_near(palette: Palette, eye: &Eye) -> Vec<(ColourLevel, Style, Style)> {
        let mut near = Vec::new();
        for &colour in LEVELS {
            for &(one, other) in APART {
                let see = |style| seen(eye, shown(codes(style, colour, palette)));
                if distance(see(one), see(other)) < LEAST {
                    near.push((colour, one, other));
                }
            }
        }
        near
    }

    /// Also checks that the default palette would fail for these deficiencies.
    #[test]
    fn each_palette_separates_styles_for_its_colour_vision() {
        for (palette, eye) in [
            (Palette::Usual, &ALL_CONES),
            (Palette::Protanopia, &PROTANOPIA),
            (Palette::Deuteranopia, &DEUTERANOPIA),
            (Palette::Tritanopia, &TRITANOPIA),
        ] {
            assert_eq!(too_near(palette, eye), [], "{palette:?}");
        }
        let mixed_up = too_near(Palette::Usual, &DEUTERANOPIA);
        assert!(mixed_up.contains(&(ColourLevel::TwoFiftySix, Style::Harm, Style::Boon)), "{mixed_up:?}");
        assert!(!too_near(Palette::Usual, &TRITANOPIA).is_empty());
    }

    /// Returns the WCAG contrast of two colours in hundredths, with squares in place of its transfer curve.
    fn contrast(a: [i64; 3], b: [i64; 3]) -> i64 {
        let light =
            |c: [i64; 3]| (2_126 * c[0] * c[0] + 7_152 * c[1] * c[1] + 722 * c[2] * c[2]) / (255 * 255);
        let (a, b) = (light(a) + 500, light(b) + 500);
        100 * a.max(b) / a.min(b)
    }

    /// Requires 7:1 for bright on dark, and 4.5:1 for dark on light.
    #[test]
    fn background_palettes_have_enough_contrast() {
        for colour in [ColourLevel::TwoFiftySix, ColourLevel::True] {
            for style in Style::ALL.into_iter().filter(|style| *style != Style::Plain) {
                let bright = contrast(shown(codes(style, colour, Palette::Contrast)), [0; 3]);
                assert!(bright >= 700, "{style:?} {colour:?}: {bright}");
                let dark = contrast(shown(codes(style, colour, Palette::Light)), [255; 3]);
                assert!(dark >= 450, "{style:?} {colour:?}: {dark}");
            }
        }
    }

    #[test]
    fn mono_palette_separates_styles_by_bold_and_underline() {
        for (one, other) in
            [(Style::Harm, Style::Boon), (Style::Blocked, Style::Hint), (Style::Player, Style::Creature)]
        {
            for &colour in LEVELS {
                assert_ne!(codes(one, colour, Palette::Mono), codes(other, colour, Palette::Mono));
            }
        }
    }

    /// Only semicolons, no blinking, no black or white; blue only for light backgrounds.
    #[test]
    fn protocols_7_3_palettes_use_only_safe_codes() {
        for palette in Palette::ALL {
            for style in Style::ALL {
                for &colour in LEVELS {
                    let code = codes(style, colour, palette);
                    assert!(code.bytes().all(|b| b.is_ascii_digit() || b == b';'), "{style:?}");
                }
                let sixteen = codes(style, ColourLevel::Sixteen, palette);
                for part in sixteen.split(';') {
                    let blue = part == "34" && palette == Palette::Light;
                    assert!(
                        blue || ["", "1", "4", "31", "32", "33", "35", "36"].contains(&part),
                        "{style:?} {part}"
                    );
                }
                assert_eq!(codes(style, ColourLevel::None, palette), "");
            }
            assert_eq!(codes(Style::Plain, ColourLevel::True, palette), "");
        }
        assert_eq!(codes(Style::Blocked, ColourLevel::Sixteen, Palette::Usual), "1;31", "E32: red");
        assert_eq!(codes(Style::Hint, ColourLevel::Sixteen, Palette::Usual), "1;33", "E51: yellow");
    }
}
