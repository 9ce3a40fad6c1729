// Sounds of the game, made in the browser of a few tones each, without files. Their captions say the same in words.

/** Shape of the wave, and the tones one after the other: pitch in hertz, and seconds. */
const SOUNDS = {
  "hit.ogg": ["square", [[180, 0.05], [90, 0.08]]],
  "hurt.ogg": ["sawtooth", [[140, 0.08], [70, 0.14]]],
  "door.ogg": ["triangle", [[98, 0.3], [147, 0.4]]],
  "tell.ogg": ["sine", [[660, 0.09], [880, 0.14]]],
  "level.ogg": ["sine", [[523, 0.12], [659, 0.12], [784, 0.24]]],
  "fall.ogg": ["sawtooth", [[220, 0.12], [110, 0.3]]],
  "collapse.ogg": ["sawtooth", [[55, 0.6], [41, 0.9]]],
};

/** Loudness of a tone at full volume: several may sound at the same time. */
const LOUDEST = 0.3;

export class Sounds {
  /** Created with the first sound, because browsers allow none before the player has pressed something. */
  #audio = null;
  /** Volume from 0 to 1. */
  volume = 0;

  /** Plays the sound of a message; `volume` is a percentage. Sounds that are not known here are silent. */
  play({ name, volume = 100 } = {}) {
    if (!(this.volume > 0) || !Object.hasOwn(SOUNDS, name ?? "")) return;
    const [shape, tones] = SOUNDS[name];
    this.#audio ??= new AudioContext();
    this.#audio.resume();
    const loud = Math.max(LOUDEST * this.volume * (Math.min(Number(volume) || 0, 100) / 100), 0.001);
    let at = this.#audio.currentTime;
    for (const [pitch, secs] of tones) {
      this.#tone(shape, pitch, at, at + secs, loud);
      at += secs;
    }
  }

  /** Plays a tone that dies away, so that its end is no click. */
  #tone(shape, pitch, from, to, loud) {
    const [wave, gain] = [this.#audio.createOscillator(), this.#audio.createGain()];
    wave.type = shape;
    wave.frequency.value = pitch;
    gain.gain.setValueAtTime(loud, from);
    gain.gain.exponentialRampToValueAtTime(0.001, to);
    wave.connect(gain).connect(this.#audio.destination);
    wave.start(from);
    wave.stop(to);
  }
}
