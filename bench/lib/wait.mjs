// Waiting with an end: for a promise, for a condition outside of our reach, for a time.

export const sleep = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

export async function within(promise, ms, what) {
  let timer;
  const late = new Promise((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms: ${what}`)), ms);
  });
  try {
    return await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}

// Files of other processes have no event worth trusting: look at short intervals.
export async function until(look, what, ms = 20_000, everyMs = 2) {
  for (const end = Date.now() + ms; ; ) {
    const value = await look();
    if (value) return value;
    if (Date.now() > end) throw new Error(`not within ${ms} ms: ${what}`);
    await sleep(everyMs);
  }
}
