import { describe, expect, it, test } from "vitest";
import { Nonces } from "../../../src/sandbox/auth/nonces.ts";
import { checkFreshness, isSignatureValid } from "../../../src/sandbox/auth/oauth1.ts";
import { baseString, encode, parseHeader, sign } from "../../../src/sandbox/auth/signature.ts";
import { signPayload } from "../../../src/sandbox/webhooks/challenge.ts";

const PARAMS: [string, string][] = [
  ["include_entities", "true"],
  ["oauth_consumer_key", "xvz1evFS4wEEPTGEFPHBog"],
  ["oauth_nonce", "kYjzVBB8Y0ZFabxSWbWovY3uYSQ2pTgmZeNu2VS4cg"],
  ["oauth_signature_method", "HMAC-SHA1"],
  ["oauth_timestamp", "1318622958"],
  ["oauth_token", "370773112-GmHxMAgYyLbNEtIKZeRNFsMKPR9EyMZeS9weJAEb"],
  ["oauth_version", "1.0"],
  ["status", "Hello Ladies + Gentlemen, a signed OAuth request!"],
];
const CONSUMER_SECRET = "kAcSOqF21Fu85e7zjz7ZN2U4ZRhfV3WpwPAoE3Z7kBw";
const TOKEN_SECRET = "LswwdoUaIvS8ltyTt5jkRh4J50vUPVVHtR2YPi5kE";

test.each([
  { header: 'OAuth a="1",b = "2" , c=3', says: { a: "1", b: "2", c: "3" }, why: "space around" },
  { header: 'OAuth a="x"y", b="2"', says: { b: "2" }, why: "a quote within a value" },
  { header: "OAuth a b=1,=2,c", says: {}, why: "parts that are no parameters" },
  { header: `OAuth a=${" ".repeat(3_000)}"x`, says: { a: "x" }, why: "an open quote" },
  { header: `OAuth a=${" ".repeat(3_000)}"x"y`, says: {}, why: "much white space" },
])("reads a header with $why, soon", ({ header, says }) => {
  const started = process.cpuUsage();

  expect(Object.fromEntries(parseHeader(header) ?? [])).toEqual(says);

  // A pattern with unbounded repetitions would take seconds here, because it backtracks over the white space.
  expect(process.cpuUsage(started).user).toBeLessThan(500_000);
});

describe("an OAuth 1.0a signature", () => {
  test.each([
    {
      origin: "https://api.x.com",
      signature: "Ls93hJiZbQ3akF3HF3x1Bz8/zU4=",
      why: "the newer host",
    },
    {
      origin: "https://api.twitter.com",
      signature: "hCtSmYh+iHYCEqBWrE7C7hYmtUk=",
      why: "the older host",
    },
  ])("is the published one for $origin: $why", ({ origin, signature }) => {
    const base = baseString("post", `${origin}/1.1/statuses/update.json`, PARAMS);

    expect(sign(base, CONSUMER_SECRET, TOKEN_SECRET)).toBe(signature);
  });

  it("encodes characters that URL encoding leaves unchanged", () => {
    expect(encode("Ladies + Gentlemen!'()*-._~")).toBe(
      "Ladies%20%2B%20Gentlemen%21%27%28%29%2A-._~",
    );
  });

  it("reads a header with base64 values", () => {
    expect(parseHeader('OAuth oauth_nonce="a%2Bb%3D", oauth_token="t"')).toEqual([
      ["oauth_nonce", "a+b="],
      ["oauth_token", "t"],
    ]);
  });

  it("fits when a parameter is sent twice and signed once", () => {
    const header: [string, string][] = [["oauth_token", "t"]];
    const url = "https://api.x.com/oauth/access_token";
    const signature = sign(baseString("POST", url, [...header, ["oauth_verifier", "v"]]), "c", "s");

    const fits = isSignatureValid(
      {
        method: "POST",
        path: "/oauth/access_token",
        origins: ["http://127.0.0.1:1"],
        header: [...header, ["oauth_signature", signature]],
        query: [],
        form: [
          ["oauth_token", "t"],
          ["oauth_verifier", "v"],
        ],
      },
      { consumerSecret: "c", tokenSecret: "s" },
    );

    expect(fits).toBe(true);
  });
});

describe("freshness", () => {
  const oauth = (over: Record<string, string> = {}): Map<string, string> =>
    new Map(
      Object.entries({
        oauth_signature_method: "HMAC-SHA1",
        oauth_timestamp: "1000",
        oauth_nonce: "n+/=",
        ...over,
      }),
    );
  const nonces = (): Nonces => new Nonces(() => 0);

  test.each([
    { clocks: [1_000_000], why: "the clocks agree" },
    { clocks: [9_999_000, 1_300_000], why: "one clock is 300 s away" },
  ])("passes when $why", ({ clocks }) => {
    expect(() => checkFreshness(oauth(), clocks, nonces())).not.toThrow();
  });

  test.each([
    { over: {}, clocks: [1_301_000], why: "both clocks are further away" },
    { over: { oauth_timestamp: "now" }, clocks: [1_000_000], why: "the timestamp is not a number" },
  ])("is out of bounds when $why", ({ over, clocks }) => {
    expect(() => checkFreshness(oauth(over), clocks, nonces())).toThrow("Timestamp out of bounds.");
  });

  test.each([
    { version: "1.0", why: "what the interface writes" },
    { version: "1.0A", why: "npm oauth is set up with the revision's letter" },
  ])("takes oauth_version $version: $why", ({ version }) => {
    const reply = oauth({ oauth_version: version });

    expect(() => checkFreshness(reply, [1_000_000], nonces())).not.toThrow();
  });

  it("refuses another version", () => {
    const reply = oauth({ oauth_version: "2.0" });

    expect(() => checkFreshness(reply, [1_000_000], nonces())).toThrow("Could not authenticate");
  });

  it("refuses a nonce that was used", () => {
    const used = nonces();
    checkFreshness(oauth(), [1_000_000], used);

    expect(() => checkFreshness(oauth(), [1_000_000], used)).toThrow("Could not authenticate you.");
  });
});

it("signs bodies and queries as the published examples", () => {
  expect(signPayload('{"test_number":1,"test_string":"two"}', "test")).toBe(
    "sha256=YWHphPn/JFq43jkF0y4/w8R/SelmLjvpunhVFY8JhlI=",
  );
  expect(signPayload("test=1&other_test=2", "test")).toBe(
    "sha256=25Cu3iwbbiqBTwQRzcKJZwisjf736V2Q8UaTlkfLSoc=",
  );
});
