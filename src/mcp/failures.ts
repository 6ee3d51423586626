// What went wrong in a call, as a tool error: a sentence, and for input the field, its value and what would be right.
import { ApiFailure } from '../api/client.js';
import type { ApiErrorBody } from '../api/types.js';

export type Detail = ApiErrorBody['error'];

// A call that cannot be carried out as it was made.
export class ToolFailure extends Error {
  override readonly name = 'ToolFailure';

  constructor(readonly detail: Detail) {
    super(detail.message);
  }
}

export const invalid = (field: string, value: unknown, expected: string): ToolFailure =>
  new ToolFailure({ code: 'invalid_input', message: `${field}: ${expected}`, field, value, expected });

export function detailOf(error: unknown): Detail {
  if (error instanceof ApiFailure || error instanceof ToolFailure) return error.detail;
  return { code: 'failed', message: error instanceof Error ? error.message : String(error) };
}

// For a model that reads it.
export const inWords = ({ message, field, value, expected }: Detail): string =>
  [
    message,
    ...(field === undefined ? [] : [`field: ${field}`]),
    ...(value === undefined ? [] : [`value: ${JSON.stringify(value)}`]),
    ...(expected === undefined ? [] : [`expected: ${expected}`]),
  ].join('\n');
