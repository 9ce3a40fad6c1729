//! The composition: configuration, the driver of the game loop, start and stop.
