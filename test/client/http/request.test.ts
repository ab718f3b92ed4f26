import { describe, expect, it } from "vitest";
import { buildRequest, type CallInput } from "../../../src/client/http/request.ts";
import { resolveSettings } from "../../../src/client/settings.ts";
import { UsageError } from "../../../src/errors.ts";

const settings = resolveSettings({ baseUrl: "https://api.example.com" });

/** URL of a request with values that only untyped code can pass. */
function urlOf(input: { readonly path?: object; readonly query?: object }): string {
  const { path = {}, query = {} } = input;
  const endpoint = { method: "GET", path: "/2/things/:id", takes: ["oauth1"] } as const;
  const values: CallInput = { path: { id: "1", ...path }, query: { ...query } };
  return buildRequest(endpoint, values, settings).url.href;
}

describe("values that untyped code passes", () => {
  it.each([
    { id: 1001, in: "/2/things/1001" },
    { id: 1001n, in: "/2/things/1001" },
    { id: "a b", in: "/2/things/a%20b" },
  ])("are written as text: $id", ({ id, in: path }) => {
    expect(urlOf({ path: { id }, query: { ids: [id] } })).toContain(path);
  });

  it.each([undefined, null, "", ".", "..", true, {}, [], Number.NaN, 2 ** 60])(
    "are refused in a path: %j",
    (id) => {
      expect(() => urlOf({ path: { id } })).toThrow(UsageError);
      expect(() => urlOf({ path: { id } })).toThrow(
        /^GET \/2\/things\/:id needs a value for :id, and got /,
      );
    },
  );

  it.each([null, {}, Number.NaN, 2 ** 60, Symbol("x"), () => 1, [null]])(
    "are refused in a query: %j",
    (max) => {
      expect(() => urlOf({ query: { max } })).toThrow(/^GET \/2\/things\/:id got .+ for max/);
    },
  );
});

describe("a path template", () => {
  const urlFor = (path: string): string =>
    buildRequest({ method: "GET", path, takes: ["oauth1"] }, {}, settings).url.href;

  it.each(["/2/users/me?user.fields=description", "/2/users/me?", "/2/users/me#top"])(
    "with parameters is refused, because the signature would not cover them: %s",
    (path) => {
      expect(() => urlFor(path)).toThrow(UsageError);
      expect(() => urlFor(path)).toThrow(/in its path: put parameters into `query`/);
    },
  );

  it.each(["2/users/me", "@other.example/2/users/me", "https://other.example/", ""])(
    "that does not begin with a slash is refused, because it would name another host: %j",
    (path) => {
      expect(() => urlFor(path)).toThrow(/^the endpoint ".*" is no path/);
    },
  );
});
