import { createInterface } from "node:readline";
import type { Readable } from "node:stream";
import type { ReadStream, WriteStream } from "node:tty";
import pc from "picocolors";
import { printable } from "../text/unseen.ts";

type Colors = ReturnType<typeof pc.createColors>;

/** A file with environment variables. */
export interface EnvFile {
  /** Absolute path of the environment file. */
  readonly path: string;
  /** Variables of the file, except those that the process's environment or an earlier file already has. */
  readonly values: Readonly<Record<string, string>>;
}

/** A command's only access to the terminal, which tests can replace. */
export interface Io {
  /** Prints data on stdout, for other programs. */
  out(text: string): void;
  /** Prints messages on stderr, for people. */
  err(text: string): void;
  readonly input: Input;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The `.env` files whose variables were added to `env`. The first takes precedence. */
  readonly envFiles?: readonly EnvFile[];
  /** Whether stderr is a terminal, so that colours and progress make sense. */
  readonly interactive: boolean;
  /** Colours for messages on stderr. */
  readonly colors: Colors;
  /** Colours for data on stdout. */
  readonly dataColors: Colors;
  /** Columns of stdout's terminal; undefined if stdout is not a terminal. */
  readonly width: number | undefined;
  /** Aborts on Ctrl-C or another request to stop. */
  readonly signal: AbortSignal;
  /** Ends of this process; absent if a command runs within another program. */
  readonly ends?: ProcessEnds;
}

/** Ends of this process that a command may change. */
export interface ProcessEnds {
  /**
   * Ends this process with exit code 0 once stdout's reader has closed the pipe. Commands without an end call it; for
   * all others, further output is discarded.
   */
  endWithReader(): void;
  /** Replaces the action of SIGHUP, which otherwise ends the command. Has no effect if stdin is a terminal. */
  onHangup(then: () => void): void;
}

/** The standard input. */
export interface Input {
  /** Whether a person types the input. */
  readonly isTerminal: boolean;
  /** Reads lines without line ends, until the end of the input or `signal` aborts. */
  lines(signal: AbortSignal): AsyncIterable<string>;
  /** Reads the whole input. */
  text(): Promise<string>;
  /** Bytes of the input, for protocols with their own line ends; absent if the input offers only text. */
  bytes?(): Readable;
}

/** The terminal of this process. */
export function processIo(): Io {
  const ending = new AbortController();
  const end = stopHandler(
    () => ending.abort(),
    () => process.exit(130),
  );
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  let hungUp = end;
  process.on("SIGHUP", () => hungUp());
  let hasReader = true;
  let needsReader = false;
  // After `answerback check | head` has closed the pipe, the command goes on without output: its exit code still
  // reports its result.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code !== "EPIPE") process.exit(1);
    hasReader = false;
    if (needsReader) process.exit(0);
  });
  // Messages without a reader, as in `answerback run 2>&1 | tee` after Ctrl-C, must not end a bot that stops or works.
  process.stderr.on("error", () => {});
  return {
    out: (text) => void (hasReader && process.stdout.write(text)),
    err: (text) => void process.stderr.write(text),
    input: inputOf(process.stdin),
    cwd: process.cwd(),
    env: process.env,
    interactive: process.stderr.isTTY && process.env["TERM"] !== "dumb",
    colors: pc.createColors(hasColors(process.stderr, process.env)),
    dataColors: pc.createColors(hasColors(process.stdout, process.env)),
    width: terminalWidth(process.stdout),
    signal: ending.signal,
    ends: {
      endWithReader() {
        needsReader = true;
        if (!hasReader) process.exit(0);
      },
      onHangup(then) {
        // Without a terminal, SIGHUP is a request to the program; with a terminal, SIGHUP means that the terminal is
        // gone.
        if (!process.stdin.isTTY) hungUp = then;
      },
    },
  };
}

/** Time in milliseconds in which two signals count as one. */
const ONE_KEY_PRESS_MS = 500;

/**
 * Returns a handler of SIGINT and SIGTERM. The first signal stops the command, a later one exits at once.
 *
 * npm forwards Ctrl-C to a script that has already received the SIGINT of the terminal, within a few milliseconds.
 */
export function stopHandler(
  stop: () => void,
  exit: () => void,
  now: () => number = () => performance.now(),
): () => void {
  let stoppedAt: number | undefined;
  return () => {
    if (stoppedAt === undefined) stop();
    else if (now() - stoppedAt >= ONE_KEY_PRESS_MS) exit();
    stoppedAt ??= now();
  };
}

/** Columns of a terminal; undefined for other streams, and for a terminal of unknown width, which reports 0. */
export function terminalWidth(stream: Pick<WriteStream, "isTTY" | "columns">): number | undefined {
  return stream.isTTY && stream.columns > 0 ? stream.columns : undefined;
}

/**
 * Wraps an Io so that it escapes invisible characters: texts from people, services and files may contain control
 * characters.
 */
export function printing(io: Io): Io {
  const clean = (text: string, { isColorSupported }: Colors): string =>
    text === REDRAW || (text.startsWith(REDRAW) && io.interactive)
      ? REDRAW + clean(text.slice(REDRAW.length), io.colors)
      : text === CLEAR_LINE && io.interactive
        ? text
        : printable(text, isColorSupported);
  return {
    ...io,
    out: (text) => io.out(clean(text, io.dataColors)),
    err: (text) => io.err(clean(text, io.colors)),
  };
}

/** Prefix of a text that replaces the last line on the terminal. */
const REDRAW = "\r";
const CLEAR_LINE = "\u001b[2K";

/** Wraps an Io so that it prints no colours. */
export function withoutColors(io: Io): Io {
  const plain = pc.createColors(false);
  return { ...io, colors: plain, dataColors: plain };
}

/** Resolves when the command has to stop. */
export function interrupted({ signal }: Pick<Io, "signal">): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

/** Whether to colour the output of a stream, by Node's rules: `FORCE_COLOR` of 0 or false disables colours. */
export function hasColors(stream: Pick<WriteStream, "isTTY">, env: Io["env"]): boolean {
  if ((env["NO_COLOR"] ?? "") !== "") return false;
  const forced = env["FORCE_COLOR"] ?? "";
  if (forced !== "") return forced !== "0" && forced !== "false";
  return stream.isTTY && env["TERM"] !== "dumb";
}

function inputOf(stdin: ReadStream): Input {
  return {
    isTerminal: stdin.isTTY,
    lines: (signal) => createInterface({ input: stdin, signal }),
    async text() {
      const chunks: Buffer[] = [];
      for await (const chunk of stdin) chunks.push(Buffer.from(chunk));
      return Buffer.concat(chunks).toString("utf8");
    },
    bytes: () => stdin,
  };
}
