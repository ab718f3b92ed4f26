import { accessTokens, apps } from "../model/apps.ts";
import { explainSignature, oauthParams } from "../auth/oauth1.ts";
import { parseHeader } from "../auth/signature.ts";
import {
  type ExchangeSide,
  type KeptExchange,
  KEPT_BODY_BYTES,
} from "../kernel/delivery/exchange-log.ts";
import { isForm } from "../server/body.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { requestTokens } from "../model/login.ts";
import type { ExchangeHead, ExchangePart, ExchangeSignature, ShownExchange } from "./objects.ts";
import { shownField, shownHeaders, shownText } from "./redact.ts";

/** Returns the metadata of an exchange, as lists of exchanges show it. */
export function exchangeHead({ exchange }: KeptExchange): ExchangeHead {
  const { seq, at, direction, method, url, query, status, ms, about } = exchange;
  return {
    seq,
    at: new Date(at).toISOString(),
    direction,
    method,
    url: query === "" ? url : `${url}?${shownText(query)}`,
    status,
    ms,
    ...about,
  };
}

/** Returns a whole exchange without its secrets. */
export function showExchange(sandbox: Sandbox, entry: KeptExchange): ShownExchange {
  const { exchange, lengths } = entry;
  const signature =
    exchange.direction === "request" ? requestSignature(sandbox, entry) : callSignature(entry);
  return {
    ...exchangeHead(entry),
    request: shownSide(exchange.request, lengths.request),
    response: shownSide(exchange.response, lengths.response),
    ...(signature === undefined ? {} : { signature }),
  };
}

function shownSide({ headers, body }: ExchangeSide, length: number): ExchangePart {
  const type = String(
    Object.entries(headers).find(([name]) => /^content-type$/i.test(name))?.[1] ?? "",
  );
  const shown = { headers: shownHeaders(headers), length };
  const isText = !/^(multipart|image|video|audio)\/|octet-stream/i.test(type);
  const text = isText ? textOf(body) : undefined;
  if (text === undefined) {
    return {
      ...shown,
      body: "",
      note: `${length} bytes of ${type || "no declared type"}, not shown as text`,
    };
  }
  const note = `the first ${KEPT_BODY_BYTES} of ${length} bytes`;
  return { ...shown, body: shownText(text), ...(length > KEPT_BODY_BYTES ? { note } : {}) };
}

/** Decodes a body; `undefined` if it is not UTF-8. Ignores an incomplete character at the end. */
function textOf(body: string | Buffer): string | undefined {
  if (typeof body === "string") return body;
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(body, {
      stream: body.length === KEPT_BODY_BYTES,
    });
  } catch {
    return undefined;
  }
}

function requestSignature(
  { world, baseUrl }: Sandbox,
  { exchange: { method, url, query, request }, lengths }: KeptExchange,
): ExchangeSignature | undefined {
  const header = (name: string): string => String(request.headers[name] ?? "");
  const isOfForm = isForm(header("content-type"));
  const host = header("host");
  const signed = {
    method,
    path: url,
    origins: [baseUrl, `http://${host}`, `https://${host}`],
    header: parseHeader(header("authorization")) ?? [],
    query: [...new URLSearchParams(query)],
    form: isOfForm ? [...new URLSearchParams(request.body.toString())] : [],
  };
  const oauth = oauthParams(signed);
  const sentSignature = oauth.get("oauth_signature");
  if (sentSignature === undefined) return undefined;
  const kind = "oauth1";
  const key = oauth.has("oauth_token") ? "••••&••••" : "••••&";
  if (isOfForm && lengths.request > KEPT_BODY_BYTES) {
    return {
      kind,
      key,
      given: sentSignature,
      note: "The form is too long to be kept, so its base string is not known.",
    };
  }
  const app = apps.in(world).first("consumerKey", oauth.get("oauth_consumer_key") ?? "");
  const token = oauth.get("oauth_token") ?? "";
  const tokenSecret =
    token === ""
      ? ""
      : (accessTokens.in(world).get(token) ?? requestTokens.in(world).get(token))?.secret;
  if (app === undefined || tokenSecret === undefined) {
    const missing = app === undefined ? "consumer key" : "token";
    const { base } = explainSignature(signed, { consumerSecret: "", tokenSecret: "" }, shownField);
    return {
      kind,
      base,
      key,
      given: sentSignature,
      note: `There is no such ${missing} now, so no signature can be compared.`,
    };
  }
  const secrets = { consumerSecret: app.consumerSecret, tokenSecret };
  return { kind, key, given: sentSignature, ...explainSignature(signed, secrets, shownField) };
}

function callSignature({ exchange }: KeptExchange): ExchangeSignature | undefined {
  const { request, direction, query } = exchange;
  const signatureHeader = Object.entries(request.headers).find(([name]) =>
    name.endsWith("webhooks-signature"),
  );
  if (signatureHeader === undefined) return undefined;
  const signed = direction === "challenge" ? query : request.body.toString();
  const [header, sentSignature] = signatureHeader;
  return {
    kind: "webhook",
    key: "••••",
    header,
    given: String(sentSignature),
    base: shownText(signed),
  };
}
