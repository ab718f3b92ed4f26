import { pathToFileURL } from "node:url";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import { botMistake, noTrigger, whyNoBot } from "./no-bot.ts";
import { defineBot, scopeOfBot, type Bot } from "../define.ts";

/** Imports an author's module. A top-level await may take any time; the host enforces a limit. */
export function importModule(file: string): Promise<unknown> {
  return import(pathToFileURL(file).href);
}

/**
 * Returns the bot that a module exports by default. The export is checked at run time, since the module may be untyped.
 */
export function botOf(module: unknown): Bot {
  const defaultExport = defaultOf(module);
  const botRecord =
    isRecord(defaultExport) && isFunction(defaultExport["toBot"])
      ? defaultExport["toBot"]()
      : defaultExport;
  if (!isRecord(botRecord) || typeof botRecord["name"] !== "string" || !isRecord(botRecord["on"])) {
    throw new Error(whyNoBot(module, botRecord));
  }
  const mistake = botMistake({ ...botRecord, on: botRecord["on"] });
  if (mistake !== undefined) throw new Error(mistake);
  for (const [trigger, handler] of Object.entries(botRecord["on"])) {
    if (!INBOUND_TRIGGERS.some((name) => name === trigger)) {
      throw new Error(noTrigger(trigger));
    }
    if (typeof handler !== "function")
      throw new Error(`the handler of "${trigger}" is not a function`);
  }
  const { maxAge, in: scope } = botRecord;
  if (maxAge !== undefined && typeof maxAge !== "string") {
    throw new Error('maxAge is a text: a duration such as "6h", or "none"');
  }
  const aged = maxAge === undefined ? {} : { maxAge };
  const scoped = scope === undefined ? {} : { in: scopeOfBot(botRecord["name"], scope) };
  return defineBot({ name: botRecord["name"], ...aged, ...scoped, on: botRecord["on"] });
}

/** Returns the function that a module exports under `name`. If there is none, returns a text that lists its exports. */
export function exportedFunction(
  module: unknown,
  name: string,
): ((...args: readonly unknown[]) => unknown) | string {
  const target = isRecord(module) ? module[name] : undefined;
  if (isFunction(target)) return target;
  return isRecord(module) ? Object.keys(module).join(", ") || "nothing" : "nothing";
}

/** Returns the names of a module's exports, functions separately. */
export function exportsOf(module: unknown): {
  readonly functions: string[];
  readonly others: string[];
} {
  const entries = isRecord(module) ? Object.entries(module) : [];
  const names = (wanted: boolean) =>
    entries.filter(([, value]) => isFunction(value) === wanted).map(([name]) => name);
  return { functions: names(true), others: names(false) };
}

/** Returns the default export of a module. In CommonJS output of compilers, it is nested in another `default`. */
function defaultOf(module: unknown): unknown {
  const defaultExport = isRecord(module) ? module["default"] : undefined;
  return isRecord(defaultExport) && defaultExport["__esModule"] === true
    ? defaultExport["default"]
    : defaultExport;
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
