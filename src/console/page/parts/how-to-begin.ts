import type { SessionAnswer } from "../../operations/session.ts";

/** Returns a hint for an empty page: how to send the bot a first event. */
export function howToBegin({ sandbox }: SessionAnswer): string {
  if (sandbox === undefined) return "Write to the bot's account from another one.";
  return sandbox.bot === undefined
    ? "Register an app's webhook on the page Portal: its deliveries are listed here."
    : "Say something to the bot on the page Chat.";
}
