// Text as data: nothing in it may end a bracketed paste, press a key or move a cursor.

// Newline and tab stay; CR LF and a lone CR become a newline; every other control character becomes its visible picture.
export function visibleText(text: string): string {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/[\u0000-\u0008\u000b-\u001f]/g, (char) => String.fromCharCode(0x2400 + char.charCodeAt(0)))
    .replace(/\u007f/g, '\u2421')
    .replace(/[\u0080-\u009f]/g, (char) => `\\x${char.charCodeAt(0).toString(16)}`)
    .toWellFormed();
}
