import { isDeepStrictEqual } from "node:util";
import { type Document, isMap, isNode, isScalar, parseDocument, stringify } from "yaml";
import { toListen, type Listen } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import type { Io } from "../io.ts";
import { APP_KEY_NAMES } from "./portal.ts";

/** Addresses of the live platform and the bot. An unknown address is absent. */
export interface LivePlaces {
  /** Value of `platform.base_url`. */
  readonly baseUrl?: string | undefined;
  /** Value of `webhook.url`. */
  readonly webhookUrl?: string | undefined;
}

const LISTEN = "127.0.0.1:8080";
const OWN_KEYS = [
  "version",
  "target",
  "platform",
  "app",
  "webhook",
  "store",
  "data",
  "role",
] as const;

/**
 * Creates settings for the live platform from the project's sandbox settings. Rules, bots, limits and other settings
 * that do not depend on the platform are copied.
 *
 * @param sandboxText Text of `answerback.yaml`.
 * @throws {UsageError} if the text is not YAML.
 */
export function liveSettings(sandboxText: string, places: LivePlaces): string {
  const text = sandboxText.replace(/^\uFEFF/, "").replaceAll("\r\n", "\n");
  const document = read(text);
  const { listen } = placesOf(document, {});
  const writtenListen = textAt(document, "webhook", "listen") ?? "";
  const shownListen = writtenListen.includes("${{")
    ? writtenListen
    : `${listen.host}:${listen.port}`;
  const adsBaseUrl = textAt(document, "platform", "ads_base_url");
  const schema = /^# yaml-language-server:.*\n/m.exec(text)?.[0] ?? "";
  const dialect = textAt(document, "platform", "dialect") ?? "post";
  const head = `${schema}#
# Settings of the live bot: commands take them with --live. The values of \${{ env.NAME }} stand in .env.
version: 1

target: live
platform:
${line("base_url", places.baseUrl, EXAMPLES.baseUrl)}  dialect: ${dialect} # or tweet: what it calls what people write
${adsBaseUrl === undefined ? "" : `  ads_base_url: ${plain(adsBaseUrl)}\n`}
app:
${APP_KEY_NAMES.map((name) => `  ${name.toLowerCase()}: \${{ env.${name} }}\n`).join("")}
webhook:
${line("url", places.webhookUrl, EXAMPLES.webhookUrl)}  listen: ${plain(shownListen)}

store: file:../data.live # the sandbox's is another

# From here on as in answerback.yaml: what is changed there is to be changed here.

`;
  const others = othersOf(document);
  const written = head + withoutOwn(text, document);
  return isDeepStrictEqual(othersOf(parseDocument(written)), others)
    ? written
    : head + rewritten(document);
}

/** Values of the settings that do not depend on the platform; undefined if the text is not a map in YAML. */
function othersOf({ contents, errors }: Document): unknown {
  if (errors.length > 0 || !isMap(contents)) return undefined;
  return contents.items.filter(({ key }) => !isOwn(key)).map((pair) => JSON.stringify(pair));
}

/** Writes the settings that do not depend on the platform again, because they are indented or in braces. */
function rewritten(document: Document): string {
  const { contents } = document;
  if (!isMap(contents)) return "";
  contents.items = contents.items.filter(({ key }) => !isOwn(key));
  contents.flow = false;
  document.commentBefore = null;
  contents.commentBefore = null;
  return contents.items.length === 0 ? "" : document.toString(AS_WRITTEN);
}

/** Text of the settings that do not depend on the platform, with its formatting and comments. */
function withoutOwn(text: string, { contents }: Document): string {
  const pairs = isMap(contents) ? contents.items : [];
  let keptText = "";
  // comments before the first setting describe the file and are dropped
  let from = startOf(pairs[0]?.key);
  for (const { key, value } of pairs) {
    if (!isOwn(key)) continue;
    keptText += text.slice(from, startOf(key));
    const to = (isNode(value) ? value.range?.[1] : undefined) ?? startOf(key);
    // YAML places the end of a block value at the beginning of the next line
    const end = text.slice(0, to).trimEnd().length;
    from = end + (REST_OF_SETTING.exec(text.slice(end))?.[0].length ?? 0);
  }
  return `${keptText}${text.slice(from)}`.replaceAll(/\n{3,}/g, "\n\n").replace(/^\n+/, "");
}

/** Text after a setting's value that belongs to the setting: the remainder of its line, and indented comments below. */
const REST_OF_SETTING = /^.*(?:\n[ \t]+#.*)*\n?/;

/** Whether a key belongs to a setting that is written for each platform. */
function isOwn(key: unknown): boolean {
  const own: readonly string[] = OWN_KEYS;
  return isScalar(key) && own.includes(String(key.value));
}

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

const EXAMPLES = {
  baseUrl: "https://api.example.com # where the platform's interface answers",
  webhookUrl: "https://bot.example/webhook # public; a proxy leads it to listen",
} as const;

function line(key: string, value: string | undefined, example: string): string {
  const about = example.slice(example.indexOf(" #"));
  return value === undefined ? `  # ${key}: ${example}\n` : `  ${key}: ${plain(value)}${about}\n`;
}

/** Returns a text in YAML, with quotes only if it needs them. */
function plain(value: string): string {
  return stringify(value, AS_WRITTEN).trimEnd();
}

/**
 * Sets the addresses in the text of live settings, and keeps its other settings, comments and line ends.
 *
 * @throws {UsageError} if the text is not YAML, or one of the two parts is not a map.
 */
export function withPlaces(text: string, { baseUrl, webhookUrl }: LivePlaces): string {
  const before = text.replaceAll("\r\n", "\n");
  const half = withPlace(before, ["platform", "base_url"], baseUrl, EXAMPLES.baseUrl);
  const after = withPlace(half, ["webhook", "url"], webhookUrl, EXAMPLES.webhookUrl);
  if (after === before) return text;
  return before === text ? after : after.replaceAll("\n", "\r\n");
}

/** Sets one address in the text of live settings: in the open line of {@link liveSettings}, if it is still there. */
function withPlace(
  text: string,
  path: readonly [part: string, key: string],
  value: string | undefined,
  example: string,
): string {
  const document = read(text);
  if (value === undefined || textAt(document, ...path) === value) return text;
  const [part, key] = path;
  const open = line(key, undefined, example);
  if (!document.hasIn(path) && text.includes(open)) {
    return text.replace(open, () => line(key, value, example));
  }
  const there = document.get(part, true);
  if (isScalar(there) && there.value === null) {
    const map = document.createNode({});
    map.commentBefore = there.comment ?? null;
    document.set(part, map);
  } else if (there !== undefined && !isMap(there)) {
    throw new UsageError(`can't set ${part}.${key}, because ${part} is not a map of its own`, {
      hint: `write it into the settings file:  ${part}: { ${key}: ${value} }`,
    });
  }
  document.setIn(path, value);
  return document.toString(AS_WRITTEN);
}

const AS_WRITTEN = { lineWidth: 0, flowCollectionPadding: false } as const;

/** Addresses of a settings file. */
type WrittenPlaces = LivePlaces & { readonly listen: Listen };

/** Reads the addresses from the text of a settings file. `environment` has the variables of the address to listen at. */
export function placesIn(text: string, environment: Io["env"] = {}): WrittenPlaces {
  return placesOf(read(text), environment);
}

function placesOf(document: Document, environment: Io["env"]): WrittenPlaces {
  const written = textAt(document, "webhook", "listen") ?? "";
  const listen = written.replaceAll(
    /\$\{\{\s*env\.(\w+)\s*\}\}/g,
    (_, name: string) => environment[name] ?? "",
  );
  return {
    baseUrl: textAt(document, "platform", "base_url"),
    webhookUrl: textAt(document, "webhook", "url"),
    listen: toListen(/^\S+:\d+$/.test(listen) ? listen : LISTEN),
  };
}

function textAt(document: Document, ...path: readonly string[]): string | undefined {
  const value = document.getIn(path);
  return typeof value === "string" ? value : undefined;
}

function read(text: string): Document {
  const document = parseDocument(text);
  if (document.errors.length === 0 && isMap(document.contents)) return document;
  throw new UsageError("the project's settings can't be read", {
    hint: "fix them first; find the problems with: answerback check",
  });
}
