import { afterEach, beforeEach, expect, it } from "vitest";
import { appOf } from "../../src/console/operations/own-app.ts";
import { type RunningSandbox, startSandbox } from "../../src/sandbox/index.ts";

let sandbox: RunningSandbox;
beforeEach(async () => {
  sandbox = await startSandbox();
});
afterEach(() => sandbox.close());

/** Requests the app several times at once, as a page does when it opens. */
async function requestedAtOnce() {
  const { url: baseUrl, adsUrl, control } = sandbox;
  const requests = [1, 2, 3].map(() => appOf({ baseUrl, adsUrl, control }));
  const keys = await Promise.all(requests);
  return { keys, apps: await control.apps() };
}

it("several requests at once share one app, also after the sandbox was emptied", async () => {
  for (let time = 1; time <= 2; time += 1) {
    const { keys, apps } = await requestedAtOnce();

    expect(apps.map(({ name }) => name)).toEqual(["Console"]);
    expect(new Set(keys.map(({ consumerKey }) => consumerKey)).size).toBe(1);
    await sandbox.reset();
  }
});

it("several requests at once get the same new keys of an earlier console's app", async () => {
  await sandbox.control.app({ name: "Console" });

  const { keys, apps } = await requestedAtOnce();

  expect(apps).toHaveLength(1);
  expect(new Set(keys.map(({ consumerKey }) => consumerKey)).size).toBe(1);
  const { status } = await fetch(`${sandbox.url}/2/users/by/username/nobody`, {
    headers: { authorization: `Bearer ${keys[0]?.bearerToken ?? ""}` },
  });
  expect(status).not.toBe(401);
});
