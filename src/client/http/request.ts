import type { Dialect } from "../../protocol/dialects.ts";
import { UsageError } from "../../errors.ts";
import { isLoopback } from "./base-url.ts";
import type { ClientSettings } from "../settings.ts";
import { encodeParams, endpointUrl, percentEncode } from "./url.ts";
import { pathToDialect } from "./dialect.ts";
import {
  type Endpoint,
  nameOf,
  type Params,
  paramTexts,
  PATH_NAME,
  pathTexts,
} from "./endpoint.ts";

/** Parameters and body of one call. */
export interface CallInput {
  /** Path parameters by name. */
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Params;
  /** JSON body; undefined keys are omitted. */
  readonly json?: object;
  /** Body in form encoding. */
  readonly form?: Params;
  /** URL of a message's media file, used instead of path and query. The response's body is `{media_type, base64}`. */
  readonly url?: string;
  /** Body that is sent unchanged. */
  readonly raw?: { readonly body: Buffer; readonly contentType: string };
}

/** A request without its authorization. */
export interface BuiltRequest {
  readonly url: URL;
  readonly body: string | Buffer | undefined;
  readonly contentType: string | undefined;
  /** Parameters that an OAuth 1.0a signature covers. */
  readonly signed: Readonly<Record<string, string>>;
  /** Encoding in which the bytes of a media file are read; absent if the response is JSON. */
  readonly encoding?: "base64";
}

function fillPath(endpoint: Endpoint, values: CallInput["path"], dialect: Dialect): string {
  const texts = pathTexts(endpoint, values);
  return pathToDialect(endpoint.path, dialect).replace(PATH_NAME, (_, name: string) =>
    percentEncode(texts[name] ?? ""),
  );
}

function baseOf(endpoint: Endpoint, settings: ClientSettings): { base: URL; prefix: string } {
  if (endpoint.ads === undefined) return { base: settings.baseUrl, prefix: "" };
  if (settings.adsBaseUrl === undefined) {
    throw new UsageError(`${nameOf(endpoint)} is on the advertising host, which is not set`, {
      hint: "give createClient an adsBaseUrl",
    });
  }
  return { base: settings.adsBaseUrl, prefix: `/${settings.adsVersion}` };
}

/** Hosts from which the live service serves media files of messages. */
const MESSAGE_MEDIA_HOSTS = ["ton.twitter.com", "ton.x.com"];

/**
 * Parses the URL of a media file in a message. Only the hosts of the live service and of the API get signed requests.
 *
 * @throws UsageError
 */
function messageMediaUrl(text: string, base: URL): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLive = url?.protocol === "https:" && MESSAGE_MEDIA_HOSTS.includes(url.host);
  if (url !== undefined && isLoopback(url) && isLoopback(base)) url.hostname = base.hostname;
  const isOwn = url?.origin === base.origin && url.pathname.startsWith("/1.1/ton/data/dm/");
  if (url !== undefined && url.search === "" && (isLive || isOwn)) return url;
  throw new UsageError(`this is not the URL of a message's medium: ${JSON.stringify(text)}`, {
    hint: "pass media_url of the message; media of posts need no credentials, so fetch(url) gets them",
  });
}

/**
 * Builds the request of a call.
 *
 * @throws UsageError if a parameter is missing, would change the path, or has a value that is no text. Further reasons: a
 * parameter is in both the query and the form, a `Date` is invalid, a text has half of a surrogate pair, which UTF-8
 * can't encode, or `url` is not the URL of a message's media file.
 */
export function buildRequest(
  endpoint: Endpoint,
  input: CallInput,
  settings: ClientSettings,
): BuiltRequest {
  const { base, prefix } = baseOf(endpoint, settings);
  if (input.url !== undefined) {
    const url = messageMediaUrl(input.url, base);
    return { url, body: undefined, contentType: undefined, signed: {}, encoding: "base64" };
  }
  const query = paramTexts(endpoint, input.query);
  const form = paramTexts(endpoint, input.form);
  const url = endpointUrl(base, prefix + fillPath(endpoint, input.path, settings.dialect));
  if (input.query !== undefined) url.search = encodeParams(query);
  const twice = Object.keys(form).find((name) => Object.hasOwn(query, name));
  if (twice !== undefined) {
    throw new UsageError(`${nameOf(endpoint)} has ${twice} both in its query and in its form`, {
      hint: "give each parameter once",
    });
  }
  const signed = { ...query, ...form };
  if (input.json !== undefined) {
    return { url, body: JSON.stringify(input.json), contentType: "application/json", signed };
  }
  if (input.form !== undefined) {
    const contentType = "application/x-www-form-urlencoded";
    return { url, body: encodeParams(form), contentType, signed };
  }
  return { url, body: input.raw?.body, contentType: input.raw?.contentType, signed };
}
