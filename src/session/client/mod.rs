//! Presentation settings of one client: its own capabilities, overridden by the player's settings. `render` applies
//! them.

pub(super) mod connection_info;
pub(super) mod pager;
pub(super) mod prompt;
pub(super) mod protocol_detection;
pub(super) mod render;

use crate::protocol::encoding::Encoding;
use crate::protocol::telnet::ClientCapabilities;
use deepwell_core::text::{Colours, TextForm};
use deepwell_core::world::Settings;
use deepwell_core::world::account::{Charset, Width};

/// Columns assumed for a window of unknown width.
const COLUMNS_UNKNOWN: u16 = 80;

/// Returns the form of texts for a client.
pub(super) fn text_form(settings: &Settings, capabilities: &ClientCapabilities) -> TextForm {
    if uses_screen_reader(settings, capabilities) {
        return TextForm::ScreenReader;
    }
    let width = match settings.width {
        Width::Auto if capabilities.wraps_itself => None,
        // One column less: some terminals wrap automatically at the last column.
        Width::Auto => {
            let columns = capabilities.width.or(capabilities.environ.columns).unwrap_or(COLUMNS_UNKNOWN);
            Some(columns.saturating_sub(1))
        }
        Width::Off => None,
        Width::Columns(columns) => Some(columns),
    };
    TextForm::Screen {
        colours: Colours {
            colour: settings.colour.unwrap_or(capabilities.colour),
            palette: settings.palette,
        },
        width,
        links: shows_links(settings, capabilities),
    }
}

/// Returns `true` in screen reader mode: the player's setting, or else the client's announcement.
pub(super) fn uses_screen_reader(settings: &Settings, capabilities: &ClientCapabilities) -> bool {
    settings.screen_reader.unwrap_or(capabilities.screen_reader)
}

/// Returns `true` if exits and commands are shown as links: the player's setting, or else the client's announcement.
/// Never in screen reader mode.
pub(super) fn shows_links(settings: &Settings, capabilities: &ClientCapabilities) -> bool {
    settings.links.unwrap_or(capabilities.links) && !uses_screen_reader(settings, capabilities)
}

/// Returns the character set that the player has chosen, if any.
pub(super) fn encoding(settings: &Settings) -> Option<Encoding> {
    settings.encoding.map(|charset| match charset {
        Charset::Utf8 => Encoding::Utf8,
        Charset::Ascii => Encoding::Ascii,
        Charset::Latin1 => Encoding::Latin1,
        Charset::Cp1251 => Encoding::Cp1251,
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use deepwell_core::base::ColourLevel;

    fn screen(colour: ColourLevel, width: Option<u16>) -> TextForm {
        TextForm::Screen { colours: colour.into(), width, links: false }
    }

    #[test]
    fn player_settings_override_client_capabilities() {
        let capabilities = ClientCapabilities {
            width: Some(100),
            colour: ColourLevel::True,
            ..ClientCapabilities::default()
        };
        let mut settings = Settings::default();
        assert_eq!(text_form(&settings, &capabilities), screen(ColourLevel::True, Some(99)));
        settings.colour = Some(ColourLevel::None);
        settings.width = Width::Columns(40);
        assert_eq!(text_form(&settings, &capabilities), screen(ColourLevel::None, Some(40)));
        settings.width = Width::Off;
        assert_eq!(text_form(&settings, &capabilities), screen(ColourLevel::None, None));
        assert_eq!(encoding(&settings), None);
        settings.encoding = Some(Charset::Ascii);
        assert_eq!(encoding(&settings), Some(Encoding::Ascii));
    }

    #[test]
    fn protocols_9_self_wrapping_client_gets_unwrapped_text() {
        let capabilities =
            ClientCapabilities { wraps_itself: true, width: Some(100), ..ClientCapabilities::default() };
        let width = |settings: Settings| match text_form(&settings, &capabilities) {
            TextForm::Screen { width, .. } => width,
            TextForm::ScreenReader => panic!("no screen reader was announced"),
        };
        assert_eq!(width(Settings::default()), None);
        assert_eq!(width(Settings { width: Width::Columns(40), ..Settings::default() }), Some(40));
    }

    #[test]
    fn protocols_5_18_links_follow_client_and_player_setting() {
        let capabilities = ClientCapabilities { links: true, ..ClientCapabilities::default() };
        let mut settings = Settings::default();
        assert!(
            shows_links(&settings, &capabilities) && !shows_links(&settings, &ClientCapabilities::default())
        );
        assert!(!shows_links(&settings, &ClientCapabilities { screen_reader: true, ..capabilities.clone() }));
        settings.links = Some(false);
        assert!(!shows_links(&settings, &capabilities));
        settings.links = Some(true);
        assert!(shows_links(&settings, &ClientCapabilities::default()));
    }

    #[test]
    fn unknown_window_width_wraps_at_79_columns() {
        let TextForm::Screen { width, .. } = text_form(&Settings::default(), &ClientCapabilities::default())
        else {
            panic!("no screen reader was announced");
        };
        assert_eq!(width, Some(79));
    }

    #[test]
    fn screen_reader_announcement_applies_until_overridden() {
        let capabilities = ClientCapabilities { screen_reader: true, ..ClientCapabilities::default() };
        let mut settings = Settings::default();
        assert_eq!(text_form(&settings, &capabilities), TextForm::ScreenReader);
        settings.screen_reader = Some(false);
        assert_ne!(text_form(&settings, &capabilities), TextForm::ScreenReader);
        settings.screen_reader = Some(true);
        assert_eq!(text_form(&settings, &ClientCapabilities::default()), TextForm::ScreenReader);
    }
}
