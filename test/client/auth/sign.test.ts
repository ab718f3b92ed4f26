import { createHmac } from "node:crypto";
import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import { buildRequest } from "../../../src/client/http/request.ts";
import { resolveSettings } from "../../../src/client/settings.ts";
import { type SigningKeys, signOAuth1 } from "../../../src/client/auth/sign.ts";

/** Parameters of the `Authorization: OAuth …` header, decoded. */
function parseHeader(header: string): Map<string, string> {
  expect(header).toMatch(/^OAuth /);
  return new Map(
    header
      .slice("OAuth ".length)
      .split(", ")
      .map((part) => {
        const match = /^([^=]+)="([^"]*)"$/.exec(part);
        return [decodeURIComponent(match?.[1] ?? ""), decodeURIComponent(match?.[2] ?? "")];
      }),
  );
}

/** Percent-encodes by RFC 5849 section 3.6, byte by byte. */
function encode(text: string): string {
  const unreserved = /[A-Za-z0-9\-._~]/;
  return [...Buffer.from(text, "utf8")]
    .map((byte) => {
      const char = String.fromCharCode(byte);
      const plain = byte < 128 && unreserved.test(char);
      return plain ? char : `%${byte.toString(16).toUpperCase().padStart(2, "0")}`;
    })
    .join("");
}

/** Parses the parameters of a query or form as a server does (RFC 5849, section 3.4.1.3.1). */
function decodePairs(encoded: string): [string, string][] {
  if (encoded === "") return [];
  return encoded.split("&").map((pair) => {
    const at = pair.indexOf("=");
    const halves = at < 0 ? [pair, ""] : [pair.slice(0, at), pair.slice(at + 1)];
    const [name, value] = halves.map((half) => decodeURIComponent(half.replaceAll("+", "%20")));
    return [name ?? "", value ?? ""];
  });
}

function byBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b));
}

/** Computes the expected signature by sections 3.4.1 and 3.4.2 of RFC 5849, without using the client's code. */
function expected(
  method: string,
  baseUri: string,
  params: readonly (readonly [string, string])[],
  secrets: readonly [string, string],
): string {
  const normalized = params
    .filter(([name]) => name !== "oauth_signature" && name !== "realm")
    .map(([name, value]) => [encode(name), encode(value)] as const)
    .toSorted((a, b) => byBytes(a[0], b[0]) || byBytes(a[1], b[1]))
    .map(([name, value]) => `${name}=${value}`)
    .join("&");
  const base = [method, baseUri, normalized].map(encode).join("&");
  return createHmac("sha1", secrets.map(encode).join("&")).update(base).digest("base64");
}

const VECTOR = {
  keys: {
    consumerKey: "xvz1evFS4wEEPTGEFPHBog",
    consumerSecret: "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw",
    token: {
      key: "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb",
      secret: "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE",
    },
  } satisfies SigningKeys,
  sources: {
    now: () => 1_318_622_958_000,
    nonce: () => "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg",
  },
  params: {
    include_entities: "true",
    status: "Hello Ladies + Gentlemen, a signed OAuth request!",
  },
};

describe("the published vectors", () => {
  const cases = [
    { origin: "https://api.x.com", signature: "Ls93hJiZbQ3akF3HF3x1Bz8/zU4=" },
    { origin: "https://api.twitter.com", signature: "hCtSmYh+iHYCEqBWrE7C7hYmtUk=" },
  ];
  it.each(cases)("give the same signature at $origin", ({ origin, signature }) => {
    const url = new URL(`${origin}/1.1/statuses/update.json`);
    const request = { method: "POST", url, params: VECTOR.params };
    const header = parseHeader(signOAuth1(request, VECTOR.keys, VECTOR.sources));
    expect(header.get("oauth_signature")).toBe(signature);
    expect(header.get("oauth_timestamp")).toBe("1318622958");
    expect(header.get("oauth_version")).toBe("1.0");
  });
});

describe("a signature", () => {
  const settings = resolveSettings({ baseUrl: "https://api.example.com/prefix" });
  const word = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
  const name = word.filter((text) => !text.startsWith("oauth_") && text !== "__proto__");
  const params = fc.dictionary(name, fc.string({ maxLength: 30, unit: "grapheme" }), {
    maxKeys: 6,
  });
  const secret = fc.string({ minLength: 1, maxLength: 30 });
  const request = fc.record({
    method: fc.constantFrom("GET", "POST", "PUT", "DELETE"),
    id: word.filter((text) => text !== "." && text !== ".."),
    query: params,
    form: fc.option(params, { nil: undefined }),
    keys: fc.record({ consumerSecret: secret, tokenSecret: secret }),
    nonce: fc.stringMatching(/^[A-Za-z0-9]{1,40}$/),
    now: fc.integer({ min: 0, max: 4_000_000_000_000 }),
  });

  it("follows RFC 5849 for the bytes that are sent", () => {
    fc.assert(
      fc.property(request, ({ method, id, query, form, keys, nonce, now }) => {
        fc.pre(!Object.keys(form ?? {}).some((key) => key in query));
        const endpoint = { method, path: "/2/things/:id", takes: ["oauth1"] } as const;
        const input = { path: { id }, query, ...(form === undefined ? {} : { form }) };
        const built = buildRequest(endpoint, input, settings);
        const token = { key: "42-token", secret: keys.tokenSecret };
        const header = signOAuth1(
          { method, url: built.url, params: built.signed },
          { consumerKey: "key", consumerSecret: keys.consumerSecret, token },
          { now: () => now, nonce: () => nonce },
        );
        const fields = parseHeader(header);
        const body = typeof built.body === "string" ? built.body : "";
        const wire = [...fields, ...decodePairs(built.url.search.slice(1)), ...decodePairs(body)];
        const baseUri = `https://api.example.com/prefix/2/things/${encode(id)}`;
        expect(built.url.origin + built.url.pathname).toBe(baseUri);
        const secrets = [keys.consumerSecret, keys.tokenSecret] as const;
        expect(fields.get("oauth_signature")).toBe(expected(method, baseUri, wire, secrets));
      }),
      { numRuns: 1000 },
    );
  });

  it("leaves JSON bodies out", () => {
    const endpoint = { method: "POST", path: "/2/posts", takes: ["oauth1"] } as const;
    const built = buildRequest(endpoint, { json: { text: "a=b&c" } }, settings);
    expect(built.signed).toEqual({});
  });

  it("is refused for a parameter that is given twice", () => {
    const endpoint = { method: "POST", path: "/2/things", takes: ["oauth1"] } as const;
    const input = { query: { a: "1", b: "2" }, form: { b: "3" } };
    expect(() => buildRequest(endpoint, input, settings)).toThrow(
      "POST /2/things has b both in its query and in its form",
    );
  });

  it("covers the callback of a log-in that is sent in the header", () => {
    const url = new URL("https://api.example.com/oauth/request_token");
    const callback = { oauth_callback: "https://bot.example/callback?x=1&y=2" };
    const keys = { consumerKey: "key", consumerSecret: "secret" };
    const sources = { now: () => 0, nonce: () => "n" };
    const header = parseHeader(
      signOAuth1({ method: "POST", url, params: {} }, keys, sources, callback),
    );
    expect(header.get("oauth_callback")).toBe(callback.oauth_callback);
    const signature = expected("POST", url.href, [...header], ["secret", ""]);
    expect(header.get("oauth_signature")).toBe(signature);
  });
});
