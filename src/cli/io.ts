import { createInterface } from "node:readline";
import type { ReadStream, WriteStream } from "node:tty";
import pc from "picocolors";
import { printable } from "../text/unseen.ts";

type Colors = ReturnType<typeof pc.createColors>;

/** The only way a command uses the terminal, so that tests need none. */
export interface Io {
  /** Data, for the next program. */
  out(text: string): void;
  /** Messages, for the person. */
  err(text: string): void;
  readonly input: Input;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The file that some of the environment comes from. */
  readonly envFile?: { readonly path: string; readonly values: object };
  /** A person watches stderr: colours and progress make sense. */
  readonly interactive: boolean;
  /** Colours of messages. */
  readonly colors: Colors;
  /** Colours of data. */
  readonly dataColors: Colors;
  /** Columns of the terminal that shows the data; undefined when no terminal does. */
  readonly width: number | undefined;
  /** Aborted by Ctrl-C or another request to stop. */
  readonly signal: AbortSignal;
  /** Has SIGHUP do something else than end the command, where no terminal is there to hang up. */
  readonly onHangup?: (then: () => void) => void;
}

/** The standard input. */
export interface Input {
  /** A person types it. */
  readonly isTerminal: boolean;
  /** Line by line, without line ends, until it ends or `signal` is aborted. */
  lines(signal: AbortSignal): AsyncIterable<string>;
  /** All of it. */
  text(): Promise<string>;
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
  let hungUp = end;
  process.on("SIGHUP", () => hungUp());
  // `answerback events | head` closes the pipe after its last line.
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    process.exit(error.code === "EPIPE" ? 0 : 1);
  });
  return {
    out: (text) => void process.stdout.write(text),
    err: (text) => void process.stderr.write(text),
    input: inputOf(process.stdin),
    cwd: process.cwd(),
    env: process.env,
    interactive: process.stderr.isTTY && process.env["TERM"] !== "dumb",
    colors: pc.createColors(hasColors(process.stderr, process.env)),
    dataColors: pc.createColors(hasColors(process.stdout, process.env)),
    width: process.stdout.isTTY ? process.stdout.columns : undefined,
    signal: ending.signal,
    onHangup(then) {
      // with a terminal it means that the terminal is gone
      if (!process.stdin.isTTY) hungUp = then;
    },
  };
}

/**
 * The same terminal, to which nothing is printed that a reader would not see: texts of people, services and files may have
 * control characters.
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

/** Begins what is drawn over the last line. */
const REDRAW = "\r";
const CLEAR_LINE = "\u001b[2K";

/** The same terminal without colours. */
export function withoutColors(io: Io): Io {
  const plain = pc.createColors(false);
  return { ...io, colors: plain, dataColors: plain };
}

/** Resolves when the command is to stop. */
export function interrupted({ signal }: Pick<Io, "signal">): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

/** Whether what is printed there is coloured: as Node decides it, FORCE_COLOR of 0 or false says no. */
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
  };
}
