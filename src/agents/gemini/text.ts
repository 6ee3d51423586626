// A text that a hook was told: Gemini leaves one empty where it has none.
export const text = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;
