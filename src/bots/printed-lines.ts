/** A line that a thread printed, or how many were left out. */
export interface PrintedLine {
  readonly text: string;
  readonly stream: "stdout" | "stderr";
}

/** Lines that are taken within {@link WINDOW_MS}; a person reads no more. */
const MOST_LINES = 100;
const WINDOW_MS = 10_000;
/** Of one line. */
export const MOST_CHARACTERS = 2_000;

/**
 * Lets through so many lines in a while.
 *
 * @returns Gives a line as it is to be told: itself; that the rest is dropped; or nothing, where that was told.
 */
export function lineBudget(): (line: string) => string | undefined {
  let since = -Infinity;
  let lines = 0;
  return (line) => {
    const now = performance.now();
    if (now - since > WINDOW_MS) [since, lines] = [now, 0];
    lines += 1;
    if (lines <= MOST_LINES) return line;
    if (lines > MOST_LINES + 1) return undefined;
    return `more than ${MOST_LINES} lines in ${WINDOW_MS / 1_000} s: the rest is dropped`;
  };
}

/**
 * Makes lines of what a thread prints. A flood is cut off, and a line says so.
 *
 * @returns Takes pieces of text as they come.
 */
export function lineReader(
  take: (line: PrintedLine) => void,
): (text: string, stream: PrintedLine["stream"]) => void {
  const rest = { stdout: "", stderr: "" };
  const budget = lineBudget();
  return (text, stream) => {
    const pieces = (rest[stream] + text).split("\n");
    rest[stream] = (pieces.pop() ?? "").slice(0, MOST_CHARACTERS);
    for (const piece of pieces) {
      const line = budget(piece.slice(0, MOST_CHARACTERS));
      if (line !== undefined) take({ text: line, stream });
    }
  };
}
