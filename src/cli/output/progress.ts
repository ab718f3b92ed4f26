import type { Io } from "../io.ts";

/** Shows the progress of a long task. */
export interface ProgressBar {
  at(done: number, total: number): void;
  /** Removes the progress bar from the terminal. */
  end(): void;
}

const CELLS = 30;
/** Minimum interval in milliseconds between two progress lines in a log; `BAR_MS`: between two updates of the bar. */
const LINE_MS = 10_000;
const BAR_MS = 100;

/**
 * Shows progress on stderr: a bar on a terminal, occasional lines in a log.
 *
 * @param now Returns the time of a monotonic clock in milliseconds.
 */
export function progressOf(
  { err, interactive, colors }: Pick<Io, "err" | "interactive" | "colors">,
  what: string,
  now: () => number = () => performance.now(),
): ProgressBar {
  let shownAt = now();
  let isShown = false;
  return {
    at(done, total) {
      if (now() - shownAt < (interactive ? BAR_MS : LINE_MS)) return;
      shownAt = now();
      const share = total === 0 ? 1 : done / total;
      const percent = `${Math.floor(share * 100)} %`.padStart(5);
      if (!interactive) {
        err(`${what}: ${percent.trim()}\n`);
        return;
      }
      const full = Math.floor(share * CELLS);
      const bar = "█".repeat(full) + colors.dim("░".repeat(CELLS - full));
      err(`\r${what} ${bar} ${percent}`);
      isShown = true;
    },
    end() {
      if (isShown) err("\r\u001b[2K");
    },
  };
}
