// Waiting with an end: programs that are not ours have no event to await, so we look at short intervals.

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

const LOOK_MS = 20;

// What `look` returns once it is truthy, or undefined when the time is over.
export async function soon(look, ms, every = LOOK_MS) {
  for (const end = Date.now() + ms; ; ) {
    const value = await look();
    if (value) return value;
    if (Date.now() > end) return undefined;
    await sleep(every);
  }
}

export async function until(look, what, ms = 20_000, every = LOOK_MS) {
  const value = await soon(look, ms, every);
  if (!value) throw new Error(`not within ${ms} ms: ${what}`);
  return value;
}
