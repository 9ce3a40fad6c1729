//! Bytes to events and back: telnet and lines. Knows nothing of the game.
