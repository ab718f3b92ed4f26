import { INBOUND_TRIGGERS } from "../../events/triggers.ts";
import { triggerWord } from "../../events/trigger-words.ts";
import { didYouMean } from "../../text/did-you-mean.ts";

type Fields = Readonly<Record<string, unknown>>;

const HANDLERS = 'on: { "dm.received": async (ctx) => {} }';
const FORM = `a bot module ends in  export default defineBot({ name: "...", ${HANDLERS} }), or in  export default createBot("...").hears("hi", async (ctx) => {})`;
const KEYS = ["name", "on", "maxAge", "in"];

/**
 * Returns why the default export of a module is not a bot, and after a semicolon what to write.
 *
 * @param exported The default export; for a builder, its bot.
 */
export function whyNoBot(module: unknown, exported: unknown): string {
  if (exported === undefined) {
    const [name] = isRecord(module) ? namesOfBots(module) : [];
    return name === undefined
      ? FORM
      : `the bot is exported as "${name}", and not as default; write  export default ${name}`;
  }
  if (exported instanceof Promise) {
    return "the default export is a promise; write  export default await …";
  }
  if (Array.isArray(exported)) {
    return "the default export is a list; write one module for each bot";
  }
  if (typeof exported === "function") {
    const kind = /^class\b/.test(Function.prototype.toString.call(exported)) ? "class" : "function";
    return `a ${kind} is the default export; ${FORM}`;
  }
  if (!isRecord(exported)) return FORM;
  const [member] = namesOfBots(exported);
  if (member !== undefined) {
    return `the bot is the property "${member}" of what is exported; write  export default ${member}`;
  }
  return whyIncomplete(exported);
}

function whyIncomplete({ name, on, ...others }: Fields): string {
  if (on === undefined && name === undefined) return FORM;
  if (typeof name !== "string") return 'the bot has no name; write  name: "..."  beside on';
  const trigger = Object.keys(others).find((key) => triggerOf(key) !== undefined);
  if (on === undefined && trigger !== undefined) {
    return `"${trigger}" is not a key of a bot; write  on: { "${triggerOf(trigger)}": async (ctx) => {} }`;
  }
  return on === undefined
    ? `the bot "${name}" has no handlers; write  ${HANDLERS}`
    : `"on" of the bot "${name}" is not a map of handlers; write  ${HANDLERS}`;
}

/** Returns why a bot could never run as its author means it: a key with a slip, or no handlers; undefined if it can. */
export function botMistake(bot: Fields & { readonly on: Fields }): string | undefined {
  for (const key of Object.keys(bot)) {
    // other keys may be the author's own, such as `game`
    const plain = key.replaceAll("_", "").toLowerCase();
    const guess = KEYS.find((one) => one !== key && one.toLowerCase() === plain);
    if (guess !== undefined) return `"${key}" is not a key of a bot; did you mean "${guess}"?`;
  }
  return Object.keys(bot.on).length === 0
    ? `the bot "${String(bot["name"])}" has no handlers; write  ${HANDLERS}`
    : undefined;
}

/** Returns why a bot can't listen to a trigger, with the trigger that its author probably means. */
export function noTrigger(word: string): string {
  const guess = triggerOf(word) ?? didYouMean(word, INBOUND_TRIGGERS);
  const help =
    guess === undefined
      ? `write one of: ${INBOUND_TRIGGERS.join(", ")}`
      : `did you mean "${guess}"?`;
  return `"${word}" starts no bot; ${help}`;
}

function triggerOf(word: string): string | undefined {
  const meant = triggerWord(word);
  return INBOUND_TRIGGERS.find((one) => one === meant);
}

function namesOfBots(exports: Fields): readonly string[] {
  return Object.keys(exports).filter((name) => isBot(exports[name]));
}

function isBot(value: unknown): boolean {
  return isRecord(value) && (typeof value["toBot"] === "function" || isRecord(value["on"]));
}

function isRecord(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
