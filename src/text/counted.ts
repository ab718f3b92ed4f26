/** Formats a number with its noun, such as `1 rule` or `2 rules`. */
export function counted(count: number, noun: string, plural = `${noun}s`): string {
  return `${count} ${count === 1 ? noun : plural}`;
}
