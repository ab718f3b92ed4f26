/** A line that a thread printed, or how many were left out. */
export interface PrintedLine {
  readonly text: string;
  readonly stream: "stdout" | "stderr";
}

/** Lines that are taken within {@link WINDOW_MS}; a person reads no more. */
const MOST_LINES = 100;
const WINDOW_MS = 10_000;
const MOST_CHARACTERS = 2_000;

/**
 * Makes lines of what a thread prints. A flood is cut off, and a line says so.
 *
 * @returns Takes pieces of text as they come.
 */
export function lineReader(
  take: (line: PrintedLine) => void,
): (text: string, stream: PrintedLine["stream"]) => void {
  const rest = { stdout: "", stderr: "" };
  let since = -Infinity;
  let lines = 0;

  return (text, stream) => {
    const now = performance.now();
    if (now - since > WINDOW_MS) [since, lines] = [now, 0];
    if (lines > MOST_LINES) return;
    const pieces = (rest[stream] + text).split("\n");
    rest[stream] = (pieces.pop() ?? "").slice(0, MOST_CHARACTERS);
    for (const piece of pieces) {
      lines += 1;
      if (lines > MOST_LINES) {
        rest[stream] = "";
        const seconds = WINDOW_MS / 1_000;
        take({
          text: `more than ${MOST_LINES} lines in ${seconds} s: the rest is dropped`,
          stream,
        });
        return;
      }
      take({ text: piece.slice(0, MOST_CHARACTERS), stream });
    }
  };
}
