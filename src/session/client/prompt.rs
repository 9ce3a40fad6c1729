//! Prompt text in the game: hit points and pending activities, the player's own format, `> `, or nothing. `render`
//! decides when a prompt is due; for the prompts of the login dialog see `login`.

use deepwell_core::text::{Markup, Style};
use deepwell_core::world::Settings;
use deepwell_core::world::account::PromptStyle;
use deepwell_game::PromptFields;
use deepwell_game::effect::prompt;
use std::fmt::{self, Write as _};

/// Length of a usual prompt.
const PROMPT_BYTES: usize = 32;

/// Returns the prompt for these fields, in words in screen reader mode; empty if the player has turned it off. It ends
/// in `> `. While the player writes a text, it shows the line number in every style.
pub(in crate::session) fn playing(
    settings: &Settings,
    fields: Option<PromptFields>,
    screen_reader: bool,
) -> Markup {
    if let Some(line) = fields.map(|fields| fields.text_line).filter(|line| *line > 0) {
        return Markup::plain(&format!("Line {line}> "));
    }
    match (settings.prompt, fields) {
        (PromptStyle::Custom, Some(fields)) => prompt::fill(&settings.prompt_text, &fields),
        (PromptStyle::Off, _) => Markup::new(),
        (PromptStyle::Brief, _) | (PromptStyle::Full | PromptStyle::Custom, None) => Markup::plain("> "),
        (PromptStyle::Full, Some(fields)) => full(fields, screen_reader),
    }
}

fn full(fields: PromptFields, screen_reader: bool) -> Markup {
    let (before, between) = if screen_reader { (" ", " of ") } else { (":", "/") };
    let mut text = String::with_capacity(PROMPT_BYTES);
    // Writing to a string cannot fail.
    let _ = write!(text, "HP{before}{}{between}{}", fields.hp, fields.max_hp);
    let figures_end = text.len();
    let mut add = |shown: bool, part: fmt::Arguments<'_>| {
        if shown {
            let is_first = text.len() == figures_end;
            let _ = write!(text, "{}{part}", if is_first && !screen_reader { " " } else { ", " });
        }
    };
    add(fields.floor > 0, format_args!("Dungeon level {}", fields.floor));
    add(fields.might.is_some(), format_args!("might {}", fields.might.unwrap_or_default()));
    add(fields.fighting, format_args!("fighting"));
    add(fields.digging, format_args!("digging"));
    add(fields.trainings > 0, format_args!("train"));
    text.push_str("> ");
    let (figures, pending) = text.split_at(figures_end);
    let style = if prompt::is_hurt(&fields) { Style::Harm } else { Style::Plain };
    Markup::styled(style, figures).and(pending)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_style_has_its_prompt() {
        let hale = PromptFields { hp: 27, max_hp: 30, fighting: false, ..PromptFields::default() };
        let shown = |prompt, fields| {
            let settings = Settings { prompt, prompt_text: "%h hp>".into(), ..Settings::default() };
            playing(&settings, fields, false).text().to_owned()
        };
        assert_eq!(shown(PromptStyle::Full, Some(hale)), "HP:27/30> ");
        assert_eq!(
            shown(PromptStyle::Full, Some(PromptFields { hp: 3, fighting: true, ..hale })),
            "HP:3/30 fighting> "
        );
        let deep = PromptFields { floor: 2, trainings: 1, ..hale };
        assert_eq!(shown(PromptStyle::Full, Some(deep)), "HP:27/30 Dungeon level 2, train> ", "T5, T13");
        let digs = PromptFields { digging: true, ..hale };
        assert_eq!(shown(PromptStyle::Full, Some(digs)), "HP:27/30 digging> ");
        let strong = PromptFields { floor: 1, might: Some(40), ..hale };
        assert_eq!(shown(PromptStyle::Full, Some(strong)), "HP:27/30 Dungeon level 1, might 40> ", "H18");
        assert_eq!(shown(PromptStyle::Full, None), "> ");
        assert_eq!(shown(PromptStyle::Brief, Some(hale)), "> ");
        assert_eq!(shown(PromptStyle::Off, Some(hale)), "");
        assert_eq!(shown(PromptStyle::Custom, Some(hale)), "27 hp> ");
        assert_eq!(shown(PromptStyle::Custom, None), "> ");
        for style in [PromptStyle::Full, PromptStyle::Brief, PromptStyle::Off, PromptStyle::Custom] {
            assert_eq!(shown(style, Some(PromptFields { text_line: 2, ..hale })), "Line 2> ");
        }
    }

    /// Protocols 10: figures in spoken form.
    #[test]
    fn screen_reader_prompt_uses_words_instead_of_symbols() {
        let deep = PromptFields { hp: 27, max_hp: 30, floor: 2, trainings: 1, ..PromptFields::default() };
        let heard = |prompt| {
            let settings = Settings { prompt, ..Settings::default() };
            playing(&settings, Some(deep), true).text().to_owned()
        };
        assert_eq!(heard(PromptStyle::Full), "HP 27 of 30, Dungeon level 2, train> ");
        assert_eq!(heard(PromptStyle::Brief), "> ");
        assert_eq!(heard(PromptStyle::Off), "");
    }

    #[test]
    fn low_hit_points_are_highlighted() {
        let runs = |hp| {
            playing(
                &Settings::default(),
                Some(PromptFields { hp, max_hp: 30, fighting: false, ..PromptFields::default() }),
                false,
            )
            .runs()
            .map(|(style, _)| style)
            .collect::<Vec<_>>()
        };
        assert_eq!(runs(7), [Style::Harm, Style::Plain]);
        assert_eq!(runs(8), [Style::Plain]);
    }
}
