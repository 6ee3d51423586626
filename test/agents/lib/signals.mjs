// Ends a program through its exit handlers when a signal asks it to end.
const SIGNALS = { SIGHUP: 1, SIGINT: 2, SIGTERM: 15 };

export function exitOnSignals() {
  for (const [signal, n] of Object.entries(SIGNALS)) process.on(signal, () => process.exit(128 + n));
}
