import { describe, expect, it, test } from "vitest";
import type { AccessLevel, OAuthScope } from "../../../src/protocol/access.ts";
import type { UserRow } from "../../../src/sandbox/model/accounts.ts";
import type { AppRow } from "../../../src/sandbox/model/apps.ts";
import type { RequestCaller } from "../../../src/sandbox/auth/caller.ts";
import { checkPermission } from "../../../src/sandbox/auth/check-permission.ts";
import { Nonces } from "../../../src/sandbox/auth/nonces.ts";
import {
  CODE_MS,
  isExpired,
  REQUEST_TOKEN_MS,
  SESSION_MS,
  USER_TOKEN_MS,
} from "../../../src/sandbox/login/lifetimes.ts";

const user: UserRow = {
  id: "1",
  username: "ana",
  name: "Ana",
  password: "p",
  email: "",
  createdAt: 0,
  profile: {},
};
const app: AppRow = {
  id: "1",
  projectId: "1",
  name: "a",
  iconUrl: "",
  description: "",
  organizationName: "",
  organizationUrl: "",
  purpose: "",
  level: "read",
  callbackUrls: [],
  websiteUrl: "",
  termsUrl: "",
  privacyUrl: "",
  email: false,
  signIn: false,
  oauth1: true,
  oauth2: true,
  oauth2Type: "web",
  dialect: "post",
  suspended: false,
  consumerKey: "k",
  consumerSecret: "s",
  bearerToken: "b",
  clientId: "c",
  createdAt: 0,
};
const oauth1 = (level: AccessLevel): RequestCaller => ({
  kind: "oauth1",
  app,
  user,
  level,
  token: "t",
});
const oauth2 = (scopes: readonly OAuthScope[]): RequestCaller => ({
  kind: "oauth2",
  app,
  user,
  scopes,
  token: "t",
});

/** Error with which a caller is refused; undefined if the call is allowed. */
function refusalOf(...[caller, route]: Parameters<typeof checkPermission>): unknown {
  try {
    checkPermission(caller, route);
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : error;
  }
}
const saying = (text: string) => expect.stringContaining(text);

const LEVELS = ["read", "read-write", "read-write-directmessages"] as const;

describe("an access level", () => {
  const CASES = LEVELS.flatMap((has, at) =>
    LEVELS.map((needs, needed) => ({ has, needs, isEnough: at >= needed })),
  );

  test.each(CASES)("$has is enough for $needs: $isEnough", ({ has, needs, isEnough }) => {
    expect(refusalOf(oauth1(has), { path: "/1.1/x", level: needs })).toEqual(
      isEnough ? undefined : saying("oauth1 app permissions"),
    );
  });
});

describe("scopes", () => {
  test.each<{ has: OAuthScope[]; needs: OAuthScope[]; isEnough: boolean }>([
    { has: [], needs: [], isEnough: true },
    { has: ["tweet.read"], needs: ["tweet.read"], isEnough: true },
    { has: ["tweet.read", "users.read"], needs: ["tweet.read"], isEnough: true },
    { has: ["tweet.read"], needs: ["tweet.read", "users.read"], isEnough: false },
    { has: [], needs: ["tweet.read"], isEnough: false },
    { has: ["tweet.read"], needs: ["tweet.write"], isEnough: false },
  ])("$has are enough for $needs: $isEnough", ({ has, needs, isEnough }) => {
    expect(refusalOf(oauth2(has), { path: "/2/x", scopes: needs })).toEqual(
      isEnough ? undefined : saying("Forbidden"),
    );
  });
});

describe("an app without a project", () => {
  test.each([
    { path: "/1.1/x", projectId: "", isLetThrough: true },
    { path: "/2/x", projectId: "1", isLetThrough: true },
    { path: "/2/x", projectId: "", isLetThrough: false },
  ])("$path, project $projectId: $isLetThrough", ({ path, projectId, isLetThrough }) => {
    const caller: RequestCaller = { kind: "bearer", app: { ...app, projectId } };
    expect(refusalOf(caller, { path })).toEqual(
      isLetThrough ? undefined : saying("attached to a project"),
    );
  });
});

describe("a nonce", () => {
  const MINUTE = 60_000;

  it("is claimed once within a quarter of an hour, and again when it is forgotten", () => {
    let now = 0;
    const nonces = new Nonces(() => now);

    expect([nonces.claim("a"), nonces.claim("a"), nonces.claim("b")]).toEqual([true, false, true]);
    now = 15 * MINUTE + 1;
    expect([nonces.claim("c"), nonces.claim("a")]).toEqual([true, false]);
    now = 30 * MINUTE + 2;
    expect([nonces.claim("a"), nonces.claim("c")]).toEqual([true, false]);
  });
});

describe("credentials with a lifetime", () => {
  test.each([
    { what: "a request token", ms: REQUEST_TOKEN_MS },
    { what: "an authorization code", ms: CODE_MS },
    { what: "a user's token", ms: USER_TOKEN_MS },
    { what: "a browser's session", ms: SESSION_MS },
  ])("$what holds for $ms ms and no longer", ({ ms }) => {
    expect([isExpired(5, ms, 5 + ms - 1), isExpired(5, ms, 5 + ms)]).toEqual([false, true]);
  });
});
