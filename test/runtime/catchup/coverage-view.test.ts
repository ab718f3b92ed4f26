import { expect, it } from "vitest";
import { coverageShown } from "../../../src/runtime/catchup/coverage-view.ts";
import type { CoveredKind } from "../../../src/runtime/store/coverage.ts";

const MINUTE = 60_000;

it("does not show time missed before a set-back of the clock as unproven, even when deliveries arrive again", () => {
  const now = 100 * MINUTE;
  const shown = coverageShown({
    accounts: [{ id: "1", username: "bot" }],
    spans: [{ account: "1", from: 0, to: 80 * MINUTE, state: "delivered" }],
    reachable: ["1"],
    missed: [
      { account: "1", from: 85 * MINUTE, to: 120 * MINUTE },
      { account: "2", from: 0, to: now },
    ],
    window: { from: 0, to: now },
  });

  expect(shown.accounts[0]?.spans).toEqual([
    { from: 0, to: 80 * MINUTE, state: "delivered" },
    { from: 80 * MINUTE, to: 85 * MINUTE, state: "unproven" },
    { from: 85 * MINUTE, to: 89 * MINUTE, state: "missing" },
    { from: 89 * MINUTE, to: now, state: "too-recent" },
  ]);
});

const shownOf = (needs: Partial<Parameters<typeof coverageShown>[0]>) =>
  coverageShown({
    accounts: [{ id: "1", username: "bot" }],
    spans: [],
    reachable: [],
    missed: [],
    window: { from: 0, to: 100 * MINUTE },
    ...needs,
  }).accounts;

it("shows each account its own time", () => {
  const accounts = ["1", "2"].map((id) => ({ id, username: `bot${id}` }));
  const spans = [
    { account: "1", from: 0, to: 100 * MINUTE, state: "delivered" as const },
    { account: "2", from: 0, to: 100 * MINUTE, state: "replayed" as const },
  ];

  expect(shownOf({ accounts, spans, reachable: ["1"] })).toMatchObject([
    {
      id: "1",
      username: "bot1",
      reachable: true,
      spans: [{ from: 0, to: 100 * MINUTE, state: "delivered" }],
    },
    {
      id: "2",
      username: "bot2",
      reachable: false,
      spans: [{ from: 0, to: 100 * MINUTE, state: "replayed" }],
    },
  ]);
});

it("shows the missed periods since an account was linked, in order, with their reasons", () => {
  const spans = [
    { account: "1", from: 10 * MINUTE, to: 20 * MINUTE, state: "delivered" as const },
    { account: "1", from: 30 * MINUTE, to: 40 * MINUTE, state: "lost" as const, reason: "over" },
    { account: "1", from: 40 * MINUTE, to: 50 * MINUTE, state: "lost" as const, reason: "refused" },
    { account: "1", from: 50 * MINUTE, to: 60 * MINUTE, state: "lost" as const, reason: "refused" },
  ];

  expect(shownOf({ spans })[0]?.spans).toStrictEqual([
    { from: 0, to: 10 * MINUTE, state: "none" },
    { from: 10 * MINUTE, to: 20 * MINUTE, state: "delivered" },
    { from: 20 * MINUTE, to: 30 * MINUTE, state: "missing" },
    { from: 30 * MINUTE, to: 40 * MINUTE, state: "lost", reason: "over" },
    { from: 40 * MINUTE, to: 60 * MINUTE, state: "lost", reason: "refused" },
    { from: 60 * MINUTE, to: 89 * MINUTE, state: "missing" },
    { from: 89 * MINUTE, to: 100 * MINUTE, state: "too-recent" },
  ]);
});

it("shows nothing for an account without recorded time, even when deliveries arrive", () => {
  expect(shownOf({ reachable: ["1"] })[0]?.spans).toEqual([
    { from: 0, to: 100 * MINUTE, state: "none" },
  ]);
});

it("shows the proof for each kind of event: reading for messages and mentions, a replay for all kinds", () => {
  const span = (
    at: number,
    state: "delivered" | "unproven" | "compared" | "backfilled" | "lost",
  ) => {
    return { account: "1", from: at * MINUTE, to: (at + 20) * MINUTE, state };
  };
  const spans = [
    span(0, "delivered"),
    span(20, "compared"),
    span(40, "unproven"),
    span(60, "backfilled"),
    span(80, "lost"),
  ];
  const statesOf = (kind: CoveredKind) =>
    shownOf({ spans })[0]?.kinds[kind].map(({ from, state }) => [from / MINUTE, state]);

  for (const kind of ["messages", "mentions"] as const) {
    expect(statesOf(kind)).toEqual([
      [0, "delivered"],
      [40, "unproven"],
      [60, "backfilled"],
      [80, "lost"],
    ]);
  }
  for (const kind of ["follows", "likes", "blocks", "deletions"] as const) {
    expect(statesOf(kind)).toEqual([
      [0, "delivered"],
      [20, "unproven"],
      [60, "lost"],
    ]);
  }
});

it("shows a read-back period as covered for messages and mentions, and as missing for the other kinds", () => {
  const spans = [
    { account: "1", from: 0, to: 60 * MINUTE, state: "delivered" as const },
    { account: "1", from: 70 * MINUTE, to: 100 * MINUTE, state: "unproven" as const },
  ];

  const [account] = shownOf({
    spans,
    reachable: ["1"],
    readOf: (id) => (id === "1" ? [{ from: 62 * MINUTE, to: 70 * MINUTE }] : []),
  });

  const [from, cut, to] = [60 * MINUTE, 62 * MINUTE, 70 * MINUTE];
  expect(account?.spans.slice(1, 3)).toEqual([
    { from, to: cut, state: "missing" },
    { from: cut, to, state: "missing", readBack: true },
  ]);
  expect(account?.kinds.messages.slice(1, 3)).toEqual([
    { from, to: cut, state: "missing" },
    { from: cut, to, state: "backfilled" },
  ]);
  expect(account?.kinds.follows.slice(1, 2)).toEqual([{ from, to, state: "missing" }]);
});
