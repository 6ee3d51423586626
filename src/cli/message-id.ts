// A message's header shows its id as "#id", so that is accepted too.
export const messageId = (ref: string): string => ref.replace(/^#/, '');
