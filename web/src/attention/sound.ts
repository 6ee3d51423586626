// A short, soft sound of two notes, made here: no file, nothing to load. It sounds now or not at all.
let context: AudioContext | undefined;

const NOTES = [
  { hertz: 659, at: 0 },
  { hertz: 880, at: 0.13 },
];
const LONG = 0.5;
const LOUD = 0.12;

// A browser plays nothing before the person has touched the page. Resolves when it is known whether it does.
export async function readySound(): Promise<void> {
  try {
    context ??= new AudioContext();
    if (context.state !== 'running') await context.resume();
  } catch {
    // No sound on this machine.
  }
}

export function canSound(): boolean {
  void readySound();
  return context?.state === 'running';
}

// The clock of one that does not run stands still: whatever it was given would sound at once when it begins to.
export function playSound(): void {
  if (context?.state !== 'running') return;
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
