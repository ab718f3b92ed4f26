import { type Document, isMap, isNode, isScalar, parseDocument } from "yaml";
import { toListen, type Listen } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
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
 * @param text Text of `answerback.yaml`.
 * @throws {UsageError} if the text is not YAML.
 */
export function liveSettings(text: string, places: LivePlaces): string {
  const document = read(text);
  const { listen } = placesOf(document);
  const adsBaseUrl = textAt(document, "platform", "ads_base_url");
  const schema = /^# yaml-language-server:.*\n/m.exec(text)?.[0] ?? "";
  const dialect = textAt(document, "platform", "dialect") ?? "post";
  return `${schema}#
# Settings of the live bot: commands take them with --live. The values of \${{ env.NAME }} stand in .env.
version: 1

target: live
platform:
${line("base_url", places.baseUrl, EXAMPLES.baseUrl)}  dialect: ${dialect} # or tweet: what it calls what people write
${adsBaseUrl === undefined ? "" : `  ads_base_url: ${adsBaseUrl}\n`}
app:
${APP_KEY_NAMES.map((name) => `  ${name.toLowerCase()}: \${{ env.${name} }}\n`).join("")}
webhook:
${line("url", places.webhookUrl, EXAMPLES.webhookUrl)}  listen: ${listen.host}:${listen.port}

store: file:../data.live # the sandbox's is another

# From here on as in answerback.yaml: what is changed there is to be changed here.

${withoutOwn(text, document)}`;
}

/** Text of the settings that do not depend on the platform, with its formatting and comments. */
function withoutOwn(text: string, { contents }: Document): string {
  const own: readonly string[] = OWN_KEYS;
  const pairs = isMap(contents) ? contents.items : [];
  let keptText = "";
  // comments before the first setting describe the file and are dropped
  let from = startOf(pairs[0]?.key);
  for (const { key, value } of pairs) {
    if (!isScalar(key) || !own.includes(String(key.value))) continue;
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

function startOf(node: unknown): number {
  return isNode(node) ? (node.range?.[0] ?? 0) : 0;
}

const EXAMPLES = {
  baseUrl: "https://api.example.com # where the platform's interface answers",
  webhookUrl: "https://bot.example/webhook # public; a proxy leads it to listen",
} as const;

function line(key: string, value: string | undefined, example: string): string {
  const about = example.slice(example.indexOf(" #"));
  return value === undefined ? `  # ${key}: ${example}\n` : `  ${key}: ${value}${about}\n`;
}

/** Sets the addresses in the text of live settings, and keeps all other text. */
export function withPlaces(text: string, { baseUrl, webhookUrl }: LivePlaces): string {
  const said = text
    .replace(NO_BASE_URL, (open) => (baseUrl ? line("base_url", baseUrl, EXAMPLES.baseUrl) : open))
    .replace(NO_URL, (open) => (webhookUrl ? line("url", webhookUrl, EXAMPLES.webhookUrl) : open));
  const document = read(said);
  const there = placesOf(document);
  const isSaid = (now: string | undefined, then?: string): boolean =>
    now === undefined || now === then;
  if (isSaid(baseUrl, there.baseUrl) && isSaid(webhookUrl, there.webhookUrl)) return said;
  if (baseUrl !== undefined) document.setIn(["platform", "base_url"], baseUrl);
  if (webhookUrl !== undefined) document.setIn(["webhook", "url"], webhookUrl);
  return document.toString(AS_WRITTEN);
}

/** Placeholders for unknown addresses, from {@link liveSettings}. */
const NO_BASE_URL = /^  # base_url: .*\n/m;
const NO_URL = /^  # url: .*\n/m;
const AS_WRITTEN = { lineWidth: 0, flowCollectionPadding: false } as const;

/** Reads the addresses from the text of a settings file. */
export function placesIn(text: string): LivePlaces & { readonly listen: Listen } {
  return placesOf(read(text));
}

function placesOf(document: Document): LivePlaces & { readonly listen: Listen } {
  const listen = textAt(document, "webhook", "listen") ?? "";
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
