import { Readable } from "node:stream";
import pc from "picocolors";
import { main } from "../../src/cli/main.ts";
import type { Input, Io } from "../../src/cli/io.ts";

/** Output and exit code of a command. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** Command that runs until it is ended. */
export interface Running {
  /** Resolves when the command has printed `text`, as data or as a message; rejects if it ends before. */
  until(text: string | RegExp): Promise<string>;
  /** Text printed on stderr so far. */
  messages(): string;
  /** Ends the command as Ctrl-C does. */
  end(): Promise<Ran>;
  /** Resolves when the command has ended by itself. */
  readonly ended: Promise<Ran>;
}

/** Environment of a command. */
export interface Surroundings {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Text piped into stdin; without it, stdin is a terminal. */
  readonly input?: string | Promise<string>;
  /** Lines that a person types at the terminal. */
  readonly typed?: AsyncIterable<string>;
}

/** Runs the command line in this process, in `cwd`, and waits for its end. */
export function run(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return begin({ cwd }, args).ended;
}

/** Starts the command line in this process. */
export function start(cwd: string, ...args: readonly string[]): Running {
  return begin({ cwd }, args);
}

/** Starts the command line in this process, with its own environment and stdin. */
export function begin(
  { cwd, env = {}, input, typed }: Surroundings,
  args: readonly string[],
): Running {
  const ending = new AbortController();
  const looks = new Set<() => void>();
  let out = "";
  let err = "";
  const io: Io = {
    out(text) {
      out += text;
      for (const look of looks) look();
    },
    err(text) {
      err += text;
      for (const look of looks) look();
    },
    cwd,
    env: { PATH: process.env["PATH"], ...env },
    interactive: false,
    input: inputOf(input, typed),
    colors: pc.createColors(false),
    dataColors: pc.createColors(false),
    width: undefined,
    signal: ending.signal,
  };
  const ended = main(args, io, () => "0.0.0-test").then((code) => ({ code, out, err }));
  return {
    ended,
    messages: () => err,
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          const match = matchIn(`${out}\n${err}`, text);
          if (match !== undefined) resolve(match);
        };
        looks.add(look);
        look();
        void ended.then((ran) =>
          reject(new Error(`ended without printing "${text}": ${ran.out}${ran.err}`)),
        );
      }),
    end() {
      ending.abort();
      return ended;
    },
  };
}

function matchIn(printed: string, text: string | RegExp): string | undefined {
  if (typeof text === "string") return printed.includes(text) ? text : undefined;
  const [whole, group] = text.exec(printed) ?? [];
  return group ?? whole;
}

function inputOf(
  input: string | Promise<string> | undefined,
  typed: AsyncIterable<string> | undefined,
): Input {
  return {
    isTerminal: input === undefined,
    async *lines(signal) {
      if (typed !== undefined) yield* typed;
      else if (input === undefined) await aborted(signal);
      else yield* (await input).split("\n").filter((line) => line !== "");
    },
    text: async () => (await input) ?? "",
    bytes: () => bytesOf(input),
  };
}

/** Stands in for reading a line from the terminal: no line is ever entered, so it waits for an abort. */
function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve();
  return new Promise((resolve) =>
    signal.addEventListener("abort", () => resolve(), { once: true }),
  );
}

/** Returns a stream of the input. Without input, the stream never ends, as that of a terminal. */
function bytesOf(input: string | Promise<string> | undefined): Readable {
  if (input === undefined) return new Readable({ read() {} });
  return Readable.from(
    (async function* () {
      yield await input;
    })(),
  );
}
