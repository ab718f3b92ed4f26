/** Line that a thread has printed, or the notice that further lines were dropped. */
export interface PrintedLine {
  readonly text: string;
  readonly stream: "stdout" | "stderr";
}

/** Maximum number of lines that are logged within {@link WINDOW_MS}. */
const MAX_LINES = 100;
const WINDOW_MS = 10_000;
/** Maximum length of a logged line, in characters. */
export const MAX_LINE_CHARACTERS = 2_000;

/**
 * Limits the number of lines in a period.
 *
 * @returns A function that returns the text to log for a line: the line itself, a notice that further lines are
 * dropped, or undefined.
 */
export function lineBudget(): (line: string) => string | undefined {
  let since = -Infinity;
  let lines = 0;
  return (line) => {
    const now = performance.now();
    if (now - since > WINDOW_MS) [since, lines] = [now, 0];
    lines += 1;
    if (lines <= MAX_LINES) return line;
    if (lines > MAX_LINES + 1) return undefined;
    return `more than ${MAX_LINES} lines in ${WINDOW_MS / 1_000} s: the rest is dropped`;
  };
}

/**
 * Splits the output of a thread into lines. Output over the limit is dropped, and one line reports that.
 *
 * @returns A function that accepts pieces of the output in order.
 */
export function lineReader(
  take: (line: PrintedLine) => void,
): (text: string, stream: PrintedLine["stream"]) => void {
  const rest = { stdout: "", stderr: "" };
  const budget = lineBudget();
  return (text, stream) => {
    const pieces = (rest[stream] + text).split("\n");
    rest[stream] = (pieces.pop() ?? "").slice(0, MAX_LINE_CHARACTERS);
    for (const piece of pieces) {
      const line = budget(piece.slice(0, MAX_LINE_CHARACTERS));
      if (line !== undefined) take({ text: line, stream });
    }
  };
}
