import { afterEach, beforeEach, expect, it } from "vitest";
import { callPlatformAs } from "../../src/console/operations/call-platform.ts";
import { openLog } from "../../src/runtime/log.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

/** Gets a path as a person, as the page API does. */
async function getAsAna(path: string) {
  const ana = await sandbox.control.user("ana");
  const { url: baseUrl, adsUrl, control } = sandbox;
  const needs = {
    sandbox: { baseUrl, adsUrl, control },
    log: openLog({ level: "silent" }),
  };
  return callPlatformAs(needs, { method: "GET", path, as: ana });
}

it.each([
  ["once", "?user.fields=name"],
  ["twice", "?expansions=a&user.fields=name&user.fields=created_at"],
  ["with an empty value", "?user.fields=name&user.fields="],
  ["with characters to encode", "?user.fields=a%2Cb&user.fields=a%20b&user.fields=%C3%A9%3D1"],
])("a call with a parameter %s is signed as it is sent", async (_, query) => {
  const { status, body } = await getAsAna(`/2/users/me${query}`);

  expect(status, body).not.toBe(401);
});
