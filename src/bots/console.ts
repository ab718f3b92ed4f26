import { Console } from "node:console";
import { syncBuiltinESMExports } from "node:module";
import { Writable } from "node:stream";
import type { BotLogLine } from "./messages.ts";
import { lineBudget, MAX_LINE_CHARACTERS } from "./printed-lines.ts";

/** Log level of each `console` method; other methods log at `info`. */
const LEVELS: Readonly<Record<string, BotLogLine["level"]>> = {
  debug: "debug",
  warn: "warn",
  error: "error",
  trace: "warn",
  assert: "warn",
};

/**
 * Sends all `console` output of this thread to `say`, with one call for each line. Each line thus keeps its level and
 * is attributed to the running handler. Lines over the limit of `lineBudget` are dropped; one line reports that.
 */
export function tellConsole(say: (level: BotLogLine["level"], message: string) => void): void {
  const take = lineBudget();
  let level: BotLogLine["level"] = "info";
  const stream = new Writable({
    decodeStrings: false,
    write(text: unknown, _encoding, done) {
      const line = take(String(text).replace(/\n$/, "").slice(0, MAX_LINE_CHARACTERS));
      if (line !== undefined) say(level, line);
      done();
    },
  });
  const ours = new Console({ stdout: stream, stderr: stream });
  for (const [name, method] of Object.entries(ours)) {
    if (typeof method !== "function") continue;
    const written = (...args: readonly unknown[]): unknown => {
      level = LEVELS[name] ?? "info";
      return Reflect.apply(method, ours, args);
    };
    Object.defineProperty(console, name, { value: written, writable: true, configurable: true });
  }
  // also replaces the functions in modules that import them by name, such as `import { log } from "node:console"`
  syncBuiltinESMExports();
}
