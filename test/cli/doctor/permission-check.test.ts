import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { checkPermission } from "../../../src/cli/doctor/permission-check.ts";
import type { EventSource } from "../../../src/config/settings.ts";
import type { AccessLevel } from "../../../src/protocol/access.ts";
import { world, type World } from "../../client/support/world.ts";

const DM = "read-write-directmessages";

let here: World;
beforeEach(async () => {
  here = await world("post", { permission_level: "read-write" });
});
afterEach(() => here.close());

interface Case {
  readonly source: EventSource;
  readonly rules: AccessLevel;
  readonly written?: AccessLevel;
  readonly linked?: boolean;
}

async function permissionLine({ source, rules, written, linked = true }: Case) {
  const { bot: client } = here;
  await client.users.me();
  const app = written === undefined ? {} : { permissionLevel: written };
  return checkPermission({ source, app }, rules, linked ? [{ username: "hello_bot", client }] : []);
}

describe("doctor's report on the permission level", () => {
  test.each([
    { why: "enough for the rules", source: "polling", rules: "read-write", state: "ok" },
    { why: "too low for the rules", source: "polling", rules: DM, state: "fail" },
    { why: "too low for the source", source: "webhook", rules: "read", state: "fail" },
    { why: "as written", source: "activity", rules: "read", written: "read-write", state: "ok" },
    { why: "not as written", source: "activity", rules: "read", written: DM, state: "warn" },
    { why: "unknown", source: "activity", rules: "read", linked: false, state: "warn" },
    {
      why: "written, too low",
      source: "activity",
      rules: DM,
      written: "read-write",
      linked: false,
      state: "fail",
    },
  ] as const)("is $state: $why", async ({ state, ...project }) => {
    expect(await permissionLine(project)).toMatchObject({ name: "permission", state });
  });

  test("names account, level and fix", async () => {
    expect(await permissionLine({ source: "polling", rules: DM })).toEqual({
      name: "permission",
      state: "fail",
      message: `the tokens of @hello_bot may only read-write; the rules and the source need ${DM}`,
      fix: "in the portal set App permissions: Read, write and direct messages; then log in again, because tokens keep their level: answerback login --username hello_bot",
    });
  });
});
