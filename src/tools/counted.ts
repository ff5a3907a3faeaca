/** Numbers with their nouns, in answers and on terminals. */

/** `1 file`, `2 files`, `2 entities`. */
export function counted(number: number, noun: string): string {
  return `${number} ${
    number === 1 ? noun : noun.endsWith("y") ? `${noun.slice(0, -1)}ies` : `${noun}s`
  }`;
}
