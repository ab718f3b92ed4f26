import pc from "picocolors";

/** The only way a command talks to the terminal, so tests need none. */
export interface Io {
  /** Data, for the next program. */
  out(text: string): void;
  /** Messages, for the person. */
  err(text: string): void;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Somebody watches: colours and progress make sense. */
  readonly interactive: boolean;
  readonly colors: ReturnType<typeof pc.createColors>;
  /** Aborted when the person wants it to end (Ctrl-C), or the system does. */
  readonly signal: AbortSignal;
}

/** The terminal of this process. */
export function processIo(): Io {
  const ending = new AbortController();
  const end = (): void => {
    if (ending.signal.aborted) process.exit(130);
    ending.abort();
  };
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    cwd: process.cwd(),
    env: process.env,
    interactive: process.stderr.isTTY && process.env["TERM"] !== "dumb",
    colors: pc.createColors(pc.isColorSupported && process.stderr.isTTY),
    signal: ending.signal,
  };
}

/** Resolves when the person wants it to end. */
export function ended({ signal }: Pick<Io, "signal">): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}
