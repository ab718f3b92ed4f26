import { describe, expect, it } from "vitest";
import {
  type Ending,
  type GateNeeds,
  type Use,
  Gate,
} from "../../../../src/runtime/outbox/gate/gate.ts";
import { openSpentLimits } from "../../../../src/runtime/outbox/gate/spent-limits.ts";
import { openLog } from "../../../../src/runtime/log.ts";

const NOW = 1_000_000_000;
const MINUTE = 60_000;
const QUARTER = 15 * MINUTE;

const posting = (account: string): Use => ({
  account,
  endpoint: "POST /2/posts",
  limits: [
    { limit: 100, windowMs: QUARTER, per: "account" },
    { limit: 10_000, windowMs: 24 * 60 * MINUTE, per: "app" },
  ],
});
const answered = (remaining: number, ofTheApp = 9_999): Ending => ({
  kind: "answered",
  reason: "",
  reportedLimits: {
    endpoint: "POST /2/posts",
    window: { limit: 100, remaining, resetAt: NOW + QUARTER },
    appDay: { limit: 10_000, remaining: ofTheApp, resetAt: NOW + 20 * 60 * MINUTE },
    userDay: undefined,
    account: undefined,
  },
});
const REFUSED: Ending = { kind: "refused", reason: "401", fix: "check the keys" };
const AWAY: Ending = { kind: "unavailable", reason: "503" };

/** Creates a gate, and records the rate limits and failures that it reports as trouble. */
function opened(over: Partial<GateNeeds> = {}): {
  readonly gate: Gate;
  readonly reports: string[];
} {
  const reports: string[] = [];
  const gate = new Gate({
    now: () => NOW,
    onTrouble: ({ account = "all", reason }) => reports.push(`${account}: ${reason}`),
    onSolved: ({ account = "all" }) => reports.push(`${account} again`),
    ...over,
  });
  return { gate, reports };
}
const request = ({ gate }: { readonly gate: Gate }, account: string, ending: Ending): void =>
  gate.begin(posting(account))(ending);

describe("the gate of all requests", () => {
  it("counts no request that was not sent, also if responses report no limit", () => {
    const { gate } = opened();
    const use: Use = { ...posting("100"), limits: [{ limit: 2, windowMs: QUARTER, per: "app" }] };
    gate.begin(use)({ kind: "answered", reason: "" });
    for (let time = 0; time < 5; time++) gate.begin(use)({ kind: "untried", reason: "held" });

    expect(gate.ask(use)).toEqual({ kind: "go" });
    gate.begin(use);
    expect(gate.ask(use)).toMatchObject({ kind: "wait" });
  });

  it("holds back an account whose limit is used up, and no other account", () => {
    const here = opened();
    request(here, "100", answered(0));
    request(here, "200", answered(5));

    expect(here.gate.ask(posting("100"))).toMatchObject({
      kind: "wait",
      reason: "POST /2/posts: all 100 requests of the limit are used",
    });
    expect(here.gate.ask(posting("200")).kind).toBe("go");
  });

  it("holds back all accounts when the app's limit is used up", () => {
    const here = opened();
    request(here, "100", answered(5, 0));

    expect(here.gate.ask(posting("200"))).toMatchObject({
      kind: "wait",
      until: NOW + 20 * 60 * MINUTE + 1_000,
    });
  });

  it("holds back a refused account, and reports that once", () => {
    const here = opened();
    request(here, "100", REFUSED);
    request(here, "100", REFUSED);
    request(here, "200", answered(5));

    expect(here.gate.ask(posting("100")).kind).toBe("wait");
    expect(here.gate.ask(posting("200")).kind).toBe("go");
    expect(here.reports).toEqual(["100: 401"]);
    expect(here.gate.troubles()).toMatchObject([{ account: "100", fix: "check the keys" }]);
  });

  it("reports when the account can send again", () => {
    const here = opened();
    request(here, "100", REFUSED);
    request(here, "100", answered(5));

    expect(here.reports).toEqual(["100: 401", "100 again"]);
    expect(here.gate.troubles()).toEqual([]);
  });

  it("holds back all accounts from an endpoint that does not answer, whichever account noticed", () => {
    const here = opened();
    for (const account of ["1", "2", "3", "4", "5"]) request(here, account, AWAY);

    expect(here.gate.ask(posting("6"))).toMatchObject({
      kind: "wait",
      reason: "POST /2/posts: 503",
    });
    expect(here.gate.ask({ ...posting("6"), endpoint: "GET /2/users/:id" }).kind).toBe("go");
    expect(here.reports).toEqual(["all: 503"]);
  });

  it("forgets the refusals of an account whose tokens have changed, and no other troubles", () => {
    const here = opened();
    for (const account of ["100", "200"]) request(here, account, REFUSED);
    const away = { ...posting("100"), endpoint: "GET /2/users/:id" };
    for (let time = 0; time < 5; time++) here.gate.begin(away)(AWAY);
    const ended = here.gate.forgetRefusals("100");

    expect(ended).toMatchObject([{ account: "100", endpoint: "POST /2/posts", reason: "401" }]);
    expect(here.gate.ask(posting("100"))).toEqual({ kind: "go" });
    expect(here.gate.ask(posting("200")).kind).toBe("wait");
    expect(here.gate.troubles().map(({ account = "all" }) => account)).toEqual(["200", "all"]);
    const isOpen = here.gate.circuits().map((one) => `${one.account ?? "all"} ${one.isOpen}`);
    expect(isOpen).toEqual(["all false", "200 true", "all true", "100 false"]);
  });

  it("ignores the refusal of a request that began before the account's tokens changed", () => {
    const here = opened();
    const ended = here.gate.begin(posting("100"));
    here.gate.forgetRefusals("100");
    ended(REFUSED);

    expect(here.gate.ask(posting("100"))).toEqual({ kind: "go" });
    expect([here.gate.troubles(), here.reports]).toEqual([[], []]);
  });

  describe("an endpoint that does not answer", () => {
    const WAIT = 5_000;
    const awayAt = () => {
      let now = NOW;
      const here = opened({ now: () => now });
      for (let time = 0; time < 5; time++) request(here, "100", AWAY);
      return { ...here, advance: (ms: number) => void (now += ms) };
    };
    const state = ({ gate }: { readonly gate: Gate }) => ({
      troubles: gate.troubles().map(({ reason }) => reason),
      isOpen: gate.circuits()[0]?.isOpen,
    });

    it("is a trouble while requests wait for it, and after a failed probe", () => {
      const here = awayAt();
      here.advance(WAIT + MINUTE - 1);
      expect(state(here)).toEqual({ troubles: ["503"], isOpen: true });

      here.advance(MINUTE);
      request(here, "100", AWAY);
      expect(state(here)).toEqual({ troubles: ["503"], isOpen: true });
    });

    it("is none once its wait is over for a minute and no request has followed", () => {
      const here = awayAt();
      here.advance(WAIT + MINUTE);

      expect(state(here)).toEqual({ troubles: [], isOpen: false });
    });

    it("is reported as working again by the next request, also if it was no trouble any more", () => {
      const here = awayAt();
      here.advance(WAIT + MINUTE);
      request(here, "100", answered(5));

      expect(here.reports).toEqual(["all: 503", "all again"]);
    });
  });

  it("shows the refusal of an account until a request succeeds, also if none follows", () => {
    let now = NOW;
    const here = opened({ now: () => now });
    request(here, "100", REFUSED);
    now += 60 * MINUTE;

    expect(here.gate.troubles()).toMatchObject([{ account: "100" }]);
  });

  it("holds back an account that is not linked, without an alarm", () => {
    const here = opened({ mayAct: (account) => account !== "100" });

    expect(here.gate.ask(posting("100"))).toMatchObject({ kind: "wait", until: NOW + MINUTE });
    expect(here.gate.ask(posting("200")).kind).toBe("go");
    expect(here.reports).toEqual([]);
  });
});

it("limits that were used up are known after a restart", async () => {
  const storedLimits = new Map<string, string>();
  const store = {
    getMeta: async (name: string) => storedLimits.get(name),
    setMeta: async (name: string, value: string) => void storedLimits.set(name, value),
  };
  const log = openLog({ level: "silent" });
  const { save } = await openSpentLimits(store, log);
  const before = opened({ onSpent: save });
  request(before, "100", answered(0));
  request(before, "200", answered(5));
  await Promise.resolve();

  const after = opened();
  after.gate.remember((await openSpentLimits(store, log)).before);
  expect(after.gate.ask(posting("100")).kind).toBe("wait");
  expect(after.gate.ask(posting("200")).kind).toBe("go");
});
