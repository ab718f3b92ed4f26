import { randomUUID } from "node:crypto";
import { EVENT_WORDS, type Dialect } from "../../../protocol/dialects.ts";
import { renameKeys } from "../../../protocol/rename-keys.ts";
import { toDialect } from "../../kernel/http/dialect.ts";

const TO_TWEET = new Map(Object.entries(EVENT_WORDS));
/** Prefix that marks a string of digits to be written as a JSON number. It is random, so that no input contains it. */
const SENTINEL = `${randomUUID()}:`;

/**
 * Marks an id that event bodies contain as an integer, which may exceed a JavaScript number's precision. Only
 * {@link stringifyEvent} and {@link stringifyData} serialize marked ids correctly.
 */
export function wireInt(id: string): string {
  return SENTINEL + id;
}

const NUMBERS = new RegExp(`"${SENTINEL}(-?\\d+)"`, "gu");

/** Serializes a webhook body with the app's names, `tweet` or `post`, and with marked ids as numbers. */
export function stringifyEvent(body: object, dialect: Dialect): string {
  const translated = dialect === "post" ? body : renameKeys(body, TO_TWEET);
  return JSON.stringify(translated).replace(NUMBERS, "$1");
}

/** Serializes a body of the activity interface, whose objects are those of API v2, with marked ids as numbers. */
export function stringifyData(body: Readonly<Record<string, unknown>>, dialect: Dialect): string {
  return JSON.stringify(toDialect(body, dialect)).replace(NUMBERS, "$1");
}

const DAYS = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

/** Formats the date text of posts and users in events, such as `Sun Aug 15 13:32:13 +0000 2021`. */
export function dateText(at: number): string {
  const date = new Date(at);
  const [time] = date.toISOString().slice(11).split(".");
  const day = String(date.getUTCDate()).padStart(2, "0");
  return `${DAYS[date.getUTCDay()]} ${MONTHS[date.getUTCMonth()]} ${day} ${time} +0000 ${date.getUTCFullYear()}`;
}
