import { Console } from "node:console";
import { syncBuiltinESMExports } from "node:module";
import { Writable } from "node:stream";
import type { BotLogLine } from "./messages.ts";
import { lineBudget, MOST_CHARACTERS } from "./printed-lines.ts";

/** The levels of what is not for everybody's eyes; anything else that a console has is `info`. */
const LEVELS: Readonly<Record<string, BotLogLine["level"]>> = {
  debug: "debug",
  warn: "warn",
  error: "error",
  trace: "warn",
  assert: "warn",
};

/**
 * Has all that is written to the console of this thread go to `say`, a call a line: so it keeps its level, and
 * is known to be of the handler that wrote it. A flood is cut off, and a line says so.
 */
export function tellConsole(say: (level: BotLogLine["level"], message: string) => void): void {
  const take = lineBudget();
  let level: BotLogLine["level"] = "info";
  const stream = new Writable({
    decodeStrings: false,
    write(text: unknown, _encoding, done) {
      const line = take(String(text).replace(/\n$/, "").slice(0, MOST_CHARACTERS));
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
  // whoever imports these by name gets them, too
  syncBuiltinESMExports();
}
