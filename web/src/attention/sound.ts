// A short, soft sound of two notes, made here: no file, nothing to load.
let context: AudioContext | undefined;

const NOTES = [
  { hertz: 659, at: 0 },
  { hertz: 880, at: 0.13 },
];
const LONG = 0.5;
const LOUD = 0.12;

// A browser plays nothing before the person has touched the page.
export function readySound(): void {
  try {
    context ??= new AudioContext();
    if (context.state === 'suspended') void context.resume();
  } catch {
    // No sound on this machine.
  }
}

export function playSound(): void {
  readySound();
  if (!context) return;
  for (const { hertz, at } of NOTES) {
    const start = context.currentTime + at;
    const tone = context.createOscillator();
    const volume = context.createGain();
    tone.type = 'sine';
    tone.frequency.value = hertz;
    volume.gain.setValueAtTime(0, start);
    volume.gain.linearRampToValueAtTime(LOUD, start + 0.015);
    volume.gain.exponentialRampToValueAtTime(0.0001, start + LONG);
    tone.connect(volume).connect(context.destination);
    tone.start(start);
    tone.stop(start + LONG);
  }
}
