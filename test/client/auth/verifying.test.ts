import * as fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { Client, OtherRequest } from "../../../src/client/client.ts";
import { createClient } from "../../../src/client/create-client.ts";
import { PlatformError } from "../../../src/client/errors.ts";
import { world, type World } from "../support/world.ts";

const REQUESTS = 1_000;
const AT_ONCE = 50;

/** Endpoints that accept OAuth 1.0a signatures, one for each HTTP method. The tests ignore their responses. */
const ENDPOINTS = [
  { method: "GET", endpoint: "/2/users/by/username/:id" },
  { method: "POST", endpoint: "/2/users/:id/likes" },
  { method: "PUT", endpoint: "/2/posts/:id/hidden" },
  { method: "DELETE", endpoint: "/2/posts/:id" },
] as const;

const word = fc.string({ minLength: 1, maxLength: 20, unit: "grapheme" });
const params = (prefix: string) =>
  fc.dictionary(
    word.map((name) => prefix + name),
    fc.string({ maxLength: 30, unit: "grapheme" }),
    { maxKeys: 6 },
  );

/** Requests with letters of every script in paths, queries and forms. */
const request: fc.Arbitrary<OtherRequest> = fc
  .record({
    target: fc.constantFrom(...ENDPOINTS),
    id: word.filter((text) => text !== "." && text !== ".."),
    query: params("q"),
    form: params("f"),
  })
  .map(({ target, id, query, form }) => ({
    ...target,
    path: { id },
    query,
    ...(target.method === "POST" || target.method === "PUT" ? { form } : {}),
  }));

let here: World;
beforeAll(async () => {
  here = await world();
  await here.sandbox.control.call("PATCH", "/settings", { limits: { enabled: false } });
});
afterAll(() => here.close());

/** Whether the sandbox accepted the signature: it returns the access level only to authenticated callers. */
async function isProven(client: Client<"oauth1">, otherRequest: OtherRequest): Promise<boolean> {
  try {
    await client.request(otherRequest);
    return true;
  } catch (error) {
    if (error instanceof PlatformError) return error.refusal.accessLevel !== undefined;
    throw error;
  }
}

it(`the signatures of ${REQUESTS} generated requests hold before the sandbox's verifier`, async () => {
  const requests = fc.sample(request, { numRuns: REQUESTS, seed: 5849 });
  const unproven: OtherRequest[] = [];
  // Each request has a time limit, so only a limited number of requests may wait for a busy processor at once.
  for (let first = 0; first < REQUESTS; first += AT_ONCE) {
    const some = requests.slice(first, first + AT_ONCE);
    const proven = await Promise.all(some.map((one) => isProven(here.bot, one)));
    unproven.push(...some.filter((_, nth) => proven[nth] !== true));
  }
  expect(unproven).toEqual([]);
});

it("the verifier accepts no signature that is made with another secret", async () => {
  const { consumerSecret } = here.credentials;
  const credentials = { ...here.credentials, consumerSecret: `${consumerSecret}x` };
  const forger = createClient({ baseUrl: here.sandbox.url, credentials, retry: false });
  const requests = fc.sample(request, { numRuns: 50, seed: 5849 });
  const proven = await Promise.all(requests.map((one) => isProven(forger, one)));
  expect(proven).toEqual(requests.map(() => false));
  await forger.close();
});
