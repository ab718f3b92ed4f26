import { type Document, isMap, parseDocument } from "yaml";
import { toListen, type Listen } from "../../config/settings.ts";
import { UsageError } from "../../errors.ts";
import { APP_KEY_NAMES } from "./portal.ts";

/** Where the live platform and the bot find each other; what is absent is still to be said. */
export interface LivePlaces {
  /** `platform.base_url`. */
  readonly baseUrl?: string | undefined;
  /** `webhook.url`. */
  readonly webhookUrl?: string | undefined;
}

const LISTEN = "127.0.0.1:8080";
const OWN_KEYS = ["version", "target", "platform", "app", "webhook", "store"] as const;

/**
 * Settings for the live platform, made of the project's own: rules, bots, limits and the like are the same.
 *
 * @param text Of `answerback.yaml`.
 * @throws {UsageError} when that is not YAML.
 */
export function liveSettings(text: string, places: LivePlaces): string {
  const document = read(text);
  const { listen } = placesOf(document);
  const schema = /^# yaml-language-server:.*\n/m.exec(text)?.[0] ?? "";
  for (const key of OWN_KEYS) document.delete(key);
  document.commentBefore = null;
  const same = isMap(document.contents) && document.contents.items.length > 0;
  return `${schema}#
# Settings of the live bot: commands take them with --live. The values of \${{ env.NAME }} stand in .env.
version: 1

target: live
${platformPart(places)}
app:
${APP_KEY_NAMES.map((name) => `  ${name.toLowerCase()}: \${{ env.${name} }}\n`).join("")}
webhook:
${line("url", places.webhookUrl, "https://bot.example/webhook # public; a proxy leads it to listen")}  listen: ${listen.host}:${listen.port}

store: file:../data.live # the sandbox's is another

# From here on as in answerback.yaml: what is changed there is to be changed here.

${same ? document.toString(AS_WRITTEN) : ""}`;
}

function platformPart({ baseUrl }: LivePlaces): string {
  const about = "# where the platform's interface answers";
  return baseUrl === undefined
    ? `# platform:\n#   base_url: https://api.example.com ${about}\n`
    : `platform:\n  base_url: ${baseUrl} ${about}\n`;
}

function line(key: string, value: string | undefined, example: string): string {
  return value === undefined ? `  # ${key}: ${example}\n` : `  ${key}: ${value}\n`;
}

/** Live settings with places put in; what else stands in them stays. */
export function withPlaces(text: string, { baseUrl, webhookUrl }: LivePlaces): string {
  const said = text
    .replace(NO_PLATFORM, (example) =>
      baseUrl === undefined ? example : platformPart({ baseUrl }),
    )
    .replace(NO_URL, (example) =>
      webhookUrl === undefined ? example : line("url", webhookUrl, ""),
    );
  const document = read(said);
  const there = placesOf(document);
  const isSaid = (now: string | undefined, then?: string): boolean =>
    now === undefined || now === then;
  if (isSaid(baseUrl, there.baseUrl) && isSaid(webhookUrl, there.webhookUrl)) return said;
  if (baseUrl !== undefined) document.setIn(["platform", "base_url"], baseUrl);
  if (webhookUrl !== undefined) document.setIn(["webhook", "url"], webhookUrl);
  return document.toString(AS_WRITTEN);
}

/** The places that {@link liveSettings} left open. */
const NO_PLATFORM = /^# platform:\n#   base_url: .*\n/m;
const NO_URL = /^  # url: .*\n/m;
const AS_WRITTEN = { lineWidth: 0, flowCollectionPadding: false } as const;

/** What settings say of their places. */
export function placesIn(text: string): LivePlaces & { readonly listen: Listen } {
  return placesOf(read(text));
}

function placesOf(document: Document): LivePlaces & { readonly listen: Listen } {
  const given = (...path: readonly string[]): string | undefined => {
    const value = document.getIn(path);
    return typeof value === "string" ? value : undefined;
  };
  const listen = given("webhook", "listen") ?? "";
  return {
    baseUrl: given("platform", "base_url"),
    webhookUrl: given("webhook", "url"),
    listen: toListen(/^[^\s:]+:\d+$/.test(listen) ? listen : LISTEN),
  };
}

function read(text: string): Document {
  const document = parseDocument(text);
  if (document.errors.length === 0 && isMap(document.contents)) return document;
  throw new UsageError("the project's settings can't be read", {
    hint: "mend them first: answerback check",
  });
}
