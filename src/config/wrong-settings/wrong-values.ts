import { splitList } from "../split-list.ts";
import { suggestForPattern, written } from "../suggest-value.ts";
import { shell } from "../../text/shell.ts";
import { asText } from "../../text/as-text.ts";
import { DURATION } from "../../system/duration.ts";
import type { Path } from "../yaml-document.ts";

/**
 * Returns what to write in place of a setting's wrong value, for the values that people write after other tools:
 * `production` for `live`, `30/10m` for `30 in 10m`. Undefined for other values.
 *
 * @param path Path of the setting; items of a list have their index.
 */
export function settingMeant(path: Path, value: unknown): string | undefined {
  const name = path.map((step) => (typeof step === "number" ? "*" : step)).join(".");
  const put = HELP.get(name) ?? (LIMIT.test(name) ? limit : undefined);
  const help = put?.(value);
  return help === `write ${asText(value)}` ? undefined : help;
}

type Advice = (value: unknown) => string | undefined;

const LIMIT = /^limits\.(?:accounts\..+\.)?(?:replies|loop|equal_replies|equal_posts)$/;

const HELP: ReadonlyMap<string, Advice> = new Map<string, Advice>([
  [
    "target",
    oneOf({ live: /^(prod(uction)?|real|main)$/, sandbox: /^(dev(elopment)?|test(ing)?|local)$/ }),
  ],
  [
    "source",
    oneOf({ webhook: /^(account[_ -]?activity|aaa|web-?hooks?)$/, polling: /^(poll|pull|rest)$/ }),
  ],
  [
    "app.permission_level",
    oneOf({
      "read-write-directmessages": /write.*(direct|dm)/,
      "read-write": /write/,
      read: /^read/,
    }),
  ],
  ["accounts", accounts],
  ["accounts.*", account],
  ["rules", (value) => globs(value, "*.yaml")],
  ["rules.*", rule],
  ["bots", (value) => globs(value, "*.ts")],
  ["http", inside("http", "allow")],
  ["http.allow", list],
  ["secrets", secrets],
  ["secrets.*", (value) => writing(/^\$\{?(\w+)\}?$/.exec(asText(value))?.[1])],
  ["opt_out", (value) => inside("opt_out", "words")(value === true ? "stop" : value)],
  ["opt_out.words", list],
  ["opt_out.back", list],
  ["quiet_hours", quietHours],
  ["platform", address("platform", "base_url")],
  ["platform.base_url", withScheme],
  ["platform.ads_base_url", withScheme],
  ["webhook", address("webhook", "url")],
  ["webhook.url", withScheme],
  ["webhook.listen", listenAt],
  ["metrics", listener("metrics", 9464)],
  ["metrics.listen", listenAt],
  ["console", listener("console", 8081)],
  ["console.listen", listenAt],
  ["limits", everyLimit],
  ["store", store],
  ["log", (value) => (typeof value === "string" ? logLevel(value) : undefined)],
  ["log.file_mb", megabytes(0.01)],
  [
    "bot_limits",
    (value) => (isScalar(value) ? inMap("bot_limits", "memory_mb", value) : undefined),
  ],
  ["bot_limits.memory_mb", megabytes(32)],
]);

function isScalar(value: unknown): value is string | number {
  return typeof value === "string" || typeof value === "number";
}

function entriesOf(value: unknown): readonly (readonly [string, unknown])[] {
  return typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.entries(value)
    : [];
}

function writing(text: string | undefined): string | undefined {
  return text === undefined ? undefined : `write ${text}`;
}

/** Returns the word whose pattern matches the value. */
function oneOf(words: Readonly<Record<string, RegExp>>): Advice {
  return (value) => {
    const text = asText(value).toLowerCase().trim();
    return writing(Object.entries(words).find(([, pattern]) => pattern.test(text))?.[0]);
  };
}

function inList(items: readonly string[]): string {
  return `[${items.map((item) => written(item)).join(", ")}]`;
}

/** Converts a text with commas to a list. */
function list(value: unknown): string | undefined {
  if (!isScalar(value)) return undefined;
  const items = splitList(String(value));
  return items.length === 0 ? undefined : `write a list: ${inList(items)}`;
}

function accounts(value: unknown): string | undefined {
  const handles = entriesOf(value).map(([key]) => key);
  if (handles.length > 0) {
    return `write  accounts: ${inList(handles)}  and link each account with  answerback login`;
  }
  return isScalar(value) ? list(String(value).replaceAll(/\s+/g, ",")) : undefined;
}

function account(value: unknown): string | undefined {
  const named = entriesOf(value).find(([key]) => /^(handle|(user|screen_)?name)$/.test(key))?.[1];
  const handle = /^(?:https?:\/\/\S+\/)?(@?\w+)\/?$/.exec(asText(named ?? value))?.[1];
  if (handle !== undefined) return `write ${written(handle)}`;
  return isScalar(value) && value !== ""
    ? "write the name that the profile has after its @, as hello_bot"
    : undefined;
}

function globs(value: unknown, files: string): string | undefined {
  if (typeof value !== "string") return undefined;
  const items = splitList(value).map((item) =>
    /[*?{]|\.\w+$/.test(item) ? item : `${item.replace(/\/+$/, "")}/${files}`,
  );
  return items.length === 0 ? undefined : `write a list: ${inList(items)}`;
}

function store(value: unknown): string | undefined {
  const url: unknown = entriesOf(value).find(([key]) =>
    /^(url|uri|connection(_?string)?)$/i.test(key),
  )?.[1];
  return typeof url === "string" ? `write  store: ${written(url)}` : undefined;
}

function rule(value: unknown): string | undefined {
  return entriesOf(value).length === 0
    ? undefined
    : "put the rules into a file of their own, such as rules/my-rules.yaml, and list the file here";
}

function secrets(value: unknown): string | undefined {
  const names = entriesOf(value).map(([name]) => name);
  return names.length === 0
    ? list(value)
    : `write  secrets: ${inList(names)}  and set the variables in .env or in the environment`;
}

/** Advice for a map that has only one of its keys' values: `[stop]` for `{ words: [stop] }`. */
function inside(map: string, key: string): Advice {
  return (value) => {
    const items = Array.isArray(value)
      ? value.map(asText)
      : isScalar(value)
        ? splitList(String(value))
        : [];
    return items.length === 0 || items.includes("")
      ? undefined
      : `write  ${map}: { ${key}: ${inList(items)} }`;
  };
}

function inMap(map: string, key: string, value: string | number): string {
  return `write  ${map}: { ${key}: ${written(value)} }`;
}

function address(map: string, key: string): Advice {
  return (value) => {
    const port = listenAt(value)?.replace("write ", "");
    if (map === "webhook" && port !== undefined) return `write  webhook: { listen: ${port} }`;
    return typeof value === "string" && value.includes(".")
      ? inMap(map, key, value.includes("://") ? value : `https://${value}`)
      : undefined;
  };
}

/** Adds the scheme to an address without one, and replaces http where a URL has to be https. */
function withScheme(value: unknown): string | undefined {
  const [, rest] =
    /^(?:http:\/\/|\/\/)?([^\s/:]+\.[^\s/:]+(?:[:/]\S*)?)$/.exec(asText(value)) ?? [];
  const url = URL.parse(`https://${rest ?? ""}`);
  return rest === undefined || url === null ? undefined : `write ${written(`https://${rest}`)}`;
}

/** Adds the host to a port, and the port to a host. */
function listenAt(value: unknown): string | undefined {
  const text = asText(value)
    .replace(/^(?:https?|tcp):\/\//, "")
    .replace(/\/+$/, "");
  const [, host = "", port = ""] =
    /^(?:([a-z\d.-]*[a-z.][a-z\d.-]*)?:?)?(\d{2,5})?$/i.exec(text) ?? [];
  const isPlace = host === "localhost" || /^\d+(\.\d+){3}$/.test(host);
  if (!(isPlace || (host === "" && port !== "")) || Number(port) > 65_535) return undefined;
  return `write ${JSON.stringify(`${isPlace ? host : "127.0.0.1"}:${port === "" ? "8080" : port}`)}`;
}

function listener(map: string, port: number): Advice {
  return (value) => {
    if (value === false) return `leave  ${map}:  out`;
    const place = value === true ? `write "127.0.0.1:${port}"` : listenAt(value);
    return place === undefined
      ? undefined
      : `write  ${map}: { listen: ${place.replace("write ", "")} }`;
  };
}

function quietHours(value: unknown): string | undefined {
  const times = Array.isArray(value) ? value.map(asText) : isScalar(value) ? [String(value)] : [];
  return times.length === 0 || times.includes("")
    ? undefined
    : `write  quiet_hours: { zone: Europe/Berlin, times: [${times.map((one) => JSON.stringify(one)).join(", ")}] }  with your zone`;
}

const NO_LIMIT = /^(off|no|never|false|unlimited|infinity|null|0|-1)$/i;

function limit(value: unknown): string | undefined {
  const text = asText(value ?? "null").trim();
  if (NO_LIMIT.test(text)) return "write none";
  const [, count = "", time = ""] =
    /^(\d+)(?:\s*(?:x|times|answers|replies|messages))?\s*(?:\/|per|in|every|each|an?|,)?\s*(.*)$/i.exec(
      text,
    ) ?? [];
  if (count === "") return undefined;
  const inTime =
    time === "" ? "10m" : suggestForPattern(/^\d/.test(time) ? time : `1 ${time}`, DURATION);
  return inTime === undefined ? undefined : `write ${count} in ${inTime}`;
}

function everyLimit(value: unknown): string | undefined {
  if (typeof value === "object") return undefined;
  const help = value === "none" ? "write none" : limit(value);
  return help === undefined
    ? undefined
    : `write  limits: { replies: ${help.replace("write ", "")} }`;
}

const LEVELS = /^(trace|debug|info|warn|error|silent)$/i;

function logLevel(text: string): string | undefined {
  return LEVELS.test(text)
    ? `remove it, and start the bot with  ${shell`--log-level ${text.toLowerCase()}`}`
    : undefined;
}

/** @param least Smallest number that the setting accepts. */
function megabytes(least: number): Advice {
  return (value) => {
    const [, count, unit = "m"] = /^(\d+(?:\.\d+)?)\s*([kmg])?i?b?$/i.exec(asText(value)) ?? [];
    const scale = { k: 1 / 1_024, m: 1, g: 1_024 }[unit.toLowerCase()] ?? 1;
    const number = Number((Number(count) * scale).toFixed(2));
    const isText = typeof value === "string" && count !== undefined;
    return isText ? `write ${Math.max(least, number)}` : undefined;
  };
}
