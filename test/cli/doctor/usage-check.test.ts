import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkPosts } from "../../../src/cli/doctor/usage-check.ts";
import { world, type World } from "../../client/support/world.ts";

let here: World;
beforeEach(async () => {
  here = await world("post");
});
afterEach(() => here.close());

describe("doctor's report on the month's posts", () => {
  test.each([
    { cap: 10, state: "ok", message: /^2 of 10 posts received this month \(20 %\), reset on 20/ },
    { cap: 0, state: "fail", message: /^0 of 0 .*: no mentions, replies or searched posts arrive/ },
    { cap: 2, state: "fail", message: /^2 of 2 .*answers are sent$/ },
  ])("is $state at a cap of $cap", async ({ cap, state, message }) => {
    const { sandbox, bot, appOnly, botId } = here;
    await bot.posts.create({ text: "one" });
    await bot.posts.create({ text: "two" });
    if (cap > 0) await bot.timelines.posts(botId);
    await sandbox.control.changeSettings({ limits: { posts_per_month: cap } });

    const line = await checkPosts(appOnly, Date.now());
    expect(line).toMatchObject({ name: "posts", state, message: expect.stringMatching(message) });
  });

  test("is a warning from 80 % on", async () => {
    const { sandbox, bot, appOnly, botId } = here;
    for (const text of ["1", "2", "3", "4"]) await bot.posts.create({ text });
    await bot.timelines.posts(botId);
    await sandbox.control.changeSettings({ limits: { posts_per_month: 5 } });

    expect(await checkPosts(appOnly, Date.now())).toMatchObject({
      state: "warn",
      fix: expect.stringContaining("larger cap"),
    });
  });

  test("is ok if the platform does not serve the endpoint to this app, and fails without a valid token", async () => {
    const { sandbox, app, appOnly } = here;
    await sandbox.control.addFault({
      match: { direction: "request", path: "/2/usage/*" },
      fault: { type: "status", status: 403 },
    });
    expect(await checkPosts(appOnly, Date.now())).toMatchObject({ state: "ok" });
    await sandbox.control.clearFaults();
    await sandbox.control.changeCredential(app.app_id, {
      kind: "bearer",
      do: "revoke",
    });
    expect(await checkPosts(appOnly, Date.now())).toMatchObject({ state: "fail" });
  });
});
