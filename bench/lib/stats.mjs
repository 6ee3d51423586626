// Medians and tails of samples.

export function quantile(samples, q) {
  const sorted = [...samples].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(q * sorted.length) - 1))] ?? Number.NaN;
}

export const median = (samples) => quantile(samples, 0.5);

// The bad tail: the slowest one in a hundred, or the lowest where higher is better.
export const tail = (samples, higherIsBetter = false) => quantile(samples, higherIsBetter ? 0.01 : 0.99);

// Milliseconds that a piece of work takes.
export async function timed(work) {
  const start = process.hrtime.bigint();
  await work();
  return Number(process.hrtime.bigint() - start) / 1e6;
}
