// How large a request may be, for the daemon that refuses it and the client that need not send it.

// A message of 1 MiB in JSON, every character escaped.
export const MAX_BODY_BYTES = 8 * 1024 * 1024;
export const MAX_TEXT_BYTES = 1024 * 1024;
