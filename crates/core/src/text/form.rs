//! Forms in which clients read texts.

use super::palette::Colours;
use super::{Markup, ansi, plain};
use std::borrow::Cow;

/// Usual length of the colour sequences and line breaks of a text.
const MARKS_BYTES: usize = 128;

/// Form of a text for one client.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextForm {
    /// Linear text for a screen reader.
    ScreenReader,
    /// Coloured text, wrapped if there is a width.
    Screen {
        /// Colours of the styles.
        colours: Colours,
        /// Columns of a line.
        width: Option<u16>,
        /// Set if exits and commands are written as links.
        links: bool,
    },
}

impl TextForm {
    /// Renders a text. The result is kept with a text that is `shared`, so that other clients with this form reuse it.
    pub fn render(self, text: &Markup, shared: bool) -> Cow<'_, str> {
        let key = self.key();
        if let Some(kept) = text.renderings().get(key) {
            return Cow::Borrowed(kept);
        }
        let mut shown = String::with_capacity(text.text().len() + MARKS_BYTES);
        match self {
            Self::ScreenReader => plain::render(text, &mut shown),
            Self::Screen { colours, width, links: true } => {
                ansi::render_with_links(text, colours, width, &mut shown);
            }
            Self::Screen { colours, width, links: false } => ansi::render(text, colours, width, &mut shown),
        }
        if shared { text.renderings().keep(key, shown) } else { Cow::Owned(shown) }
    }

    /// Returns a different number for each form.
    fn key(self) -> u32 {
        match self {
            Self::ScreenReader => 0,
            Self::Screen { colours: Colours { colour, palette }, width, links } => {
                let bits = [(colour as u32, 2), (palette as u32, 4), (u32::from(links), 1)];
                let look = bits.into_iter().fold(1, |key, (value, bits)| key << bits | value);
                look << 17 | width.map_or(0, |columns| u32::from(columns) << 1 | 1)
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::base::{ColourLevel, Palette};
    use crate::text::Style;
    use std::collections::BTreeSet;

    fn forms() -> Vec<TextForm> {
        let mut forms = vec![TextForm::ScreenReader];
        for colour in [ColourLevel::None, ColourLevel::Sixteen, ColourLevel::TwoFiftySix, ColourLevel::True] {
            for palette in Palette::ALL {
                for width in [None, Some(0), Some(1), Some(79), Some(u16::MAX)] {
                    for links in [false, true] {
                        forms.push(TextForm::Screen { colours: Colours { colour, palette }, width, links });
                    }
                }
            }
        }
        forms
    }

    #[test]
    fn each_form_has_its_own_key() {
        let keys: BTreeSet<u32> = forms().into_iter().map(TextForm::key).collect();
        assert_eq!(keys.len(), forms().len());
    }

    /// A kept rendering is what each client would get alone.
    #[test]
    fn shared_texts_are_rendered_once_per_form() {
        let text = Markup::plain("Go ")
            .with(Style::Exit, "north")
            .and(" past the well and the lodge of the climbers.");
        for form in forms() {
            let alone = form.render(&text.clone(), false).into_owned();
            assert_eq!(form.render(&text, true), alone, "{form:?}");
            assert_eq!(form.render(&text, true), alone, "{form:?}");
        }
        let first = TextForm::ScreenReader.render(&text, true);
        assert!(matches!(first, Cow::Borrowed(_)));
        let longer = text.clone().and(" Mind the step.");
        assert!(TextForm::ScreenReader.render(&longer, true).ends_with("step."));
    }
}
