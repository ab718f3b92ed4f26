import { describe, expect, it } from "vitest";
import { catchupLine, pausedLine, processLine } from "../../../src/cli/output/status-lines.ts";
import { catchupStatus } from "../../../src/runtime/catchup/catchup-status.ts";

const at = (minute: number): number => Date.UTC(2026, 0, 2, 12, minute);
const gap = { from: at(0), to: at(30) };
const job = { ...gap, by: "gap", askedAt: at(50), attempts: 1 } as const;
const lineOf = (needs: Partial<Parameters<typeof catchupStatus>[0]>) =>
  catchupLine(catchupStatus({ gaps: [], job: undefined, noReplay: undefined, ...needs }));

describe("the status of catching up", () => {
  it("is absent when no event was missed", () => {
    expect(lineOf({})).toBeUndefined();
  });

  it("shows the number of open gaps, since when, and the running replay", () => {
    expect(lineOf({ gaps: [{ from: at(10), to: at(30) }, gap], job })).toBe(
      "2 gaps open, the oldest since 2026-01-02T12:00:00.000Z; " +
        "replay of 2026-01-02T12:00:00.000Z to 2026-01-02T12:30:00.000Z under way",
    );
  });

  it("shows why a replay waits", () => {
    expect(lineOf({ gaps: [gap], job: { ...job, retryAt: at(59), reason: "no answer" } })).toMatch(
      /^1 gap open, .* is asked for again: no answer$/,
    );
  });

  it("shows that the platform does not replay for the app", () => {
    expect(lineOf({ noReplay: "403" })).toBe("no replay: 403");
  });
});

describe("the status of a pause", () => {
  it.each([
    { pause: {}, whose: "all accounts", command: "answerback resume" },
    {
      pause: { account: "100", username: "hello_bot" },
      whose: "@hello_bot",
      command: "answerback resume --account hello_bot",
    },
    { pause: { account: "100" }, whose: "@100", command: "answerback resume --account 100" },
  ])("of $whose has the command that ends it", ({ pause, whose, command }) => {
    expect(pausedLine({ ...pause, since: "2026-01-02" })).toBe(
      `${whose} since 2026-01-02: events are kept, nothing is answered; ${command}`,
    );
  });
});

const WORKER = {
  name: "w1",
  role: "worker",
  pid: 1,
  startedAt: "2026-01-01T00:00:00.000Z",
  rules: "r",
  leads: false,
  partitions: [1, 2],
  isLeaving: false,
} as const;

it.each([
  { of: {}, line: "w1, worker, 2 partitions" },
  { of: { role: "all", leads: true }, line: "w1, receiver and worker, leads, 2 partitions" },
  { of: { role: "receiver", partitions: [] }, line: "w1, receiver" },
  { of: { isLeaving: true }, line: "w1, worker, 2 partitions, is ending" },
  { of: { clockAheadMs: 999 }, line: "w1, worker, 2 partitions" },
  { of: { clockAheadMs: 2_400 }, line: "w1, worker, 2 partitions, its clock is 2 s ahead" },
  { of: { clockAheadMs: -61_000 }, line: "w1, worker, 2 partitions, its clock is 61 s behind" },
] as const)("status tells of a process: $line", ({ of, line }) => {
  expect(processLine({ ...WORKER, ...of, partitions: [...(of.partitions ?? [1, 2])] })).toBe(line);
});
