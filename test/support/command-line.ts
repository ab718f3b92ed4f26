import pc from "picocolors";
import { main } from "../../src/cli/main.ts";
import type { Input, Io } from "../../src/cli/io.ts";

/** What a command printed, and how it ended. */
export interface Ran {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A command that goes on until it is ended. */
export interface Running {
  /** Resolves once stdout holds `text`; rejects when the command ends before. */
  until(text: string): Promise<void>;
  /** As Ctrl-C does. */
  end(): Promise<Ran>;
}

/** Runs the command line in this process, in `cwd`, and waits for its end. */
export function run(cwd: string, ...args: readonly string[]): Promise<Ran> {
  return begin(cwd, args).ended;
}

/** Starts the command line in this process. */
export function start(cwd: string, ...args: readonly string[]): Running {
  const { ended, output, abort } = begin(cwd, args);
  return {
    until: (text) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (output().out.includes(text)) resolve();
        };
        listeners.add(look);
        look();
        void ended.then(({ err }) => reject(new Error(`ended without printing "${text}": ${err}`)));
      }),
    end() {
      abort();
      return ended;
    },
  };
}

/** A terminal that nobody types into. */
const NOTHING: Input = {
  isTerminal: true,
  async *lines() {},
  text: () => Promise.resolve(""),
};

const listeners = new Set<() => void>();

function begin(cwd: string, args: readonly string[]) {
  const ending = new AbortController();
  let out = "";
  let err = "";
  const io: Io = {
    out(text) {
      out += text;
      for (const look of listeners) look();
    },
    err: (text) => void (err += text),
    cwd,
    env: { PATH: process.env["PATH"] },
    interactive: false,
    input: NOTHING,
    colors: pc.createColors(false),
    dataColors: pc.createColors(false),
    width: undefined,
    signal: ending.signal,
  };
  const ended = main(args, io, "0.0.0-test").then((code) => ({ code, out, err }));
  return { ended, output: () => ({ out, err }), abort: () => ending.abort() };
}
