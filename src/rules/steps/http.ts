import * as z from "zod";
import type { Path } from "../../config/yaml-document.ts";
import type { StepContext } from "./step-context.ts";
import type { Evaluated } from "../expression/expression.ts";
import { compileArgument } from "./written/step-argument.ts";
import type { TextTemplate } from "../expression/template.ts";
import type { View } from "../expression/view.ts";
import { HTTP_METHODS, type HttpRequest } from "../run/http-request.ts";
import { text } from "../schema/pieces.ts";
import { missing } from "./platform/action-step.ts";
import { unescapedValue } from "./written/body-template.ts";
import { hostMistake, renderUrl } from "./written/url-template.ts";
import { defineStep } from "./step-kind.ts";
import { example } from "../example.ts";

const status = z.int().min(100, "a status has three digits").max(599, "a status has three digits");
/** Characters that a header's value can't have. Letters of Latin-1, such as ü, are sent as single bytes. */
const NOT_IN_HEADER = /[^\t\x20-\x7e\x80-\xff]/u;
const HEADER = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const request = z.strictObject({
  method: z.enum(HTTP_METHODS).default("GET"),
  url: text.describe("The settings must allow its host: http: {allow: [HOST]}."),
  headers: z.record(z.string().regex(HEADER, "not the name of a header"), text).default({}),
  json: z.unknown().optional().describe("The body, as JSON."),
  body: text.optional().describe("The body, unchanged."),
  repeatable: z
    .boolean()
    .optional()
    .describe(
      "The request may be repeated after a crash. Default: true for GET, HEAD, PUT, DELETE and requests with an idempotency-key.",
    ),
  expect_status: z
    .union([status, z.array(status).min(1, "this list is empty")])
    .optional()
    .describe("Expected statuses; the step fails on others. 200 to 299 by default."),
});
type Written = z.infer<typeof request>;

/** `http: {method, url, …}` sends a request to a service; the response is `steps.<id>.status`, `.json` and `.text`. */
export const http = defineStep({
  example: example`
    actions:
      - id: order
        http:
          url: https://orders.example.test/v2/orders/\${{ url(message.text) }}
          headers: { authorization: "Bearer \${{ secrets.ORDERS_TOKEN }}" }
          expect_status: [200, 404]
        timeout: 4s
      - if: steps.order.status == 200
        then: [{ reply_dm: "It is \${{ steps.order.json.state }}." }]
        else: [{ reply_dm: I can't find that order. }]
  `,
  shape: {
    http: request.describe(
      "Send an HTTP request: steps.<id>.status, .json and .text have the response.",
    ),
  },
  gives: ["status", "json", "text"],
  triesAnew: true,
  compile({ context: outside, path, keys }) {
    const context = outside.readingSecrets();
    const at = [...path, "http"];
    const { method, expect_status: expected } = keys.http;
    const url = compileUrl(context, [...at, "url"], keys.http.url);
    const headers = compileHeaders(context, [...at, "headers"], keys.http.headers);
    const readBefore = context.secrets.length;
    const body = compileBody(context, at, keys.http);
    if (!url || !headers || !body) return undefined;
    const isBodySecret = context.secrets.length > readBefore;
    const secret = secretParts(url, headers, isBodySecret);
    const expectStatus = expected === undefined ? {} : { expectStatus: [expected].flat() };
    const once = mayRepeat(keys.http) ? {} : { once: true as const };
    return {
      perform({ view }) {
        const builtRequest = requestOf(method, { url, headers, body }, view);
        if (!builtRequest.ok) return { kind: "not-ready", message: builtRequest.error };
        return {
          kind: "http",
          request: { ...builtRequest.value, ...expectStatus, ...secret },
          ...once,
        };
      },
    };
  },
});

/** Returns the parts of a request that have secrets (headers, URL, body): they are hidden where it is shown. */
function secretParts(
  url: TextTemplate,
  headers: ReadonlyMap<string, TextTemplate>,
  body: boolean,
): Pick<HttpRequest, "secret"> {
  const names = [...headers].flatMap(([name, { secrets }]) =>
    secrets.length > 0 ? [name.toLowerCase()] : [],
  );
  const isUrl = url.secrets.length > 0;
  if (!isUrl && names.length === 0 && !body) return {};
  return { secret: { headers: names, body, ...(isUrl && { url: url.source }) } };
}

/** Idempotent methods by RFC 9110, section 9.2.2: repeating the request has no further effect. */
const IDEMPOTENT: readonly string[] = ["GET", "HEAD", "PUT", "DELETE"];

function mayRepeat({ method, headers, repeatable }: Written): boolean {
  if (repeatable !== undefined) return repeatable;
  const hasKey = Object.keys(headers).some((name) => name.toLowerCase() === "idempotency-key");
  return hasKey || IDEMPOTENT.includes(method);
}

/** Compiled body of a request. */
interface Body {
  readonly isJson: boolean;
  readonly render: (view: View) => Evaluated<string>;
}

function compileUrl(context: StepContext, path: Path, url: string): TextTemplate | undefined {
  if (!/^(https?:\/\/[^/?#]|\$\{\{)/i.test(url)) {
    const message = `"${url}" is not an address of a service`;
    const help = "write  https://HOST/PATH";
    return context.report(path, { code: "http-url", message, help });
  }
  const template = context.template(path, url);
  const mistake = template && hostMistake(template);
  return mistake ? context.report(path, mistake) : template;
}

function compileHeaders(
  context: StepContext,
  path: Path,
  written: Readonly<Record<string, string>>,
): ReadonlyMap<string, TextTemplate> | undefined {
  const headers = new Map<string, TextTemplate>();
  for (const [name, value] of Object.entries(written)) {
    const template = context.template([...path, name], value);
    if (!template) continue;
    headers.set(name, template);
    const fixed = template.pieces.filter((piece) => typeof piece === "string").join("");
    const message = headerMistake(name, fixed);
    if (message !== undefined) {
      context.report([...path, name], { code: "invalid-value", message, help: HEADER_HELP });
    }
  }
  return headers.size === Object.keys(written).length ? headers : undefined;
}

const HEADER_HELP = "leave it out, put the text into the body, or encode it with url(…)";

/** Returns the reason why a header can't have the value; undefined if it can. */
function headerMistake(name: string, value: string): string | undefined {
  const [character] = NOT_IN_HEADER.exec(value) ?? [];
  if (character === undefined) return undefined;
  const what = /[\r\n]/.test(character)
    ? "a line break"
    : `the character ${JSON.stringify(character)}`;
  return `the header ${name} would have ${what}, which HTTP headers can't have`;
}

function compileBody(
  context: StepContext,
  path: Path,
  written: Written,
): Body | "none" | undefined {
  const { method, headers, json, body } = written;
  const key = json === undefined ? "body" : "json";
  if (json === undefined && body === undefined) return "none";
  if (json !== undefined && body !== undefined) {
    const message = '"json" and "body" both set what is sent';
    return context.report(
      [...path, "body"],
      { code: "two-bodies", message, help: "keep one" },
      "key",
    );
  }
  if (method === "GET" || method === "HEAD") {
    const message = `a ${method} request has no body`;
    const help = "write  method: POST";
    return context.report([...path, key], { code: "body-without-use", message, help }, "key");
  }
  if (body !== undefined) {
    const template = context.template([...path, key], body);
    const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type");
    const mistake = template && unescapedValue(template, type?.[1] ?? "");
    if (mistake) context.report([...path, key], mistake);
    return template && { isJson: false, render: (view) => template.render(view) };
  }
  const value = compileArgument(context, [...path, key], json);
  return (
    value && {
      isJson: true,
      render(view) {
        const evaluatedValue = value(view);
        return evaluatedValue.ok
          ? { ok: true, value: JSON.stringify(evaluatedValue.value) }
          : evaluatedValue;
      },
    }
  );
}

function requestOf(
  method: HttpRequest["method"],
  parts: {
    readonly url: TextTemplate;
    readonly headers: ReadonlyMap<string, TextTemplate>;
    readonly body: Body | "none";
  },
  view: View,
): Evaluated<HttpRequest> {
  const url = renderUrl(parts.url, view);
  if (!url.ok) return url;
  const headers: Record<string, string> = {};
  for (const [name, template] of parts.headers) {
    const value = template.render(view);
    if (!value.ok) return value;
    const mistake = headerMistake(name, value.value);
    if (mistake !== undefined) return missing(`${mistake}: ${HEADER_HELP}`);
    headers[name.toLowerCase()] = value.value;
  }
  const requestHead = { method, url: url.value, headers };
  if (parts.body === "none") return { ok: true, value: requestHead };
  const body = parts.body.render(view);
  if (!body.ok) return body;
  const typed = parts.body.isJson ? { "content-type": "application/json", ...headers } : headers;
  return { ok: true, value: { ...requestHead, headers: typed, body: body.value } };
}
