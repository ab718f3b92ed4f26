import { pathToFileURL } from "node:url";
import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import { defineBot, type Bot } from "../define.ts";

/** Imports a module of the user's. It may wait at its top level: the host decides for how long. */
export function importModule(file: string): Promise<unknown> {
  return import(pathToFileURL(file).href);
}

/** The module's default export, checked: a module is its author's text, and nothing has checked it. */
export function botOf(module: unknown): Bot {
  const given = defaultOf(module);
  const found = isRecord(given) && isFunction(given["toBot"]) ? given["toBot"]() : given;
  if (!isRecord(found) || typeof found["name"] !== "string" || !isRecord(found["on"])) {
    throw new Error(
      'a bot module ends in  export default defineBot({ name: "...", on: { "dm.received": async (ctx) => {} } }), or in  export default createBot("...").hears("hi", async (ctx) => {})',
    );
  }
  for (const [trigger, handler] of Object.entries(found["on"])) {
    if (!INBOUND_TRIGGERS.some((name) => name === trigger)) {
      throw new Error(`"${trigger}" starts no bot; write one of: ${INBOUND_TRIGGERS.join(", ")}`);
    }
    if (typeof handler !== "function")
      throw new Error(`the handler of "${trigger}" is not a function`);
  }
  const { maxAge } = found;
  if (maxAge !== undefined && typeof maxAge !== "string") {
    throw new Error('maxAge is a text: a duration such as "6h", or "none"');
  }
  const aged = maxAge === undefined ? {} : { maxAge };
  return defineBot({ name: found["name"], ...aged, on: found["on"] });
}

/** What a module exports under `name`, when that is a function; else what it exports, in words. */
export function exportedFunction(
  module: unknown,
  name: string,
): ((...args: readonly unknown[]) => unknown) | string {
  const target = isRecord(module) ? module[name] : undefined;
  if (isFunction(target)) return target;
  return isRecord(module) ? Object.keys(module).join(", ") || "nothing" : "nothing";
}

/** The names that a module exports. */
export function exportsOf(module: unknown): {
  readonly functions: string[];
  readonly others: string[];
} {
  const entries = isRecord(module) ? Object.entries(module) : [];
  const names = (wanted: boolean) =>
    entries.filter(([, value]) => isFunction(value) === wanted).map(([name]) => name);
  return { functions: names(true), others: names(false) };
}

/** The default export; a module compiled to CommonJS wraps it once more. */
function defaultOf(module: unknown): unknown {
  const found = isRecord(module) ? module["default"] : undefined;
  return isRecord(found) && found["__esModule"] === true ? found["default"] : found;
}

function isFunction(value: unknown): value is (...args: readonly unknown[]) => unknown {
  return typeof value === "function";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
