import { describe, expect, it } from "vitest";
import { handWindow } from "../../../../src/runtime/catchup/replay/by-hand.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 2, 12);
const ago = (from: number, to: number) =>
  handWindow({ from: NOW - from * MINUTE, to: NOW - to * MINUTE }, NOW);

describe("a replay requested by an operator", () => {
  it.each([
    { from: 5, to: 1, problem: /at least 31 minutes ago/, hint: "--from 2026-01-02T11:28Z" },
    { from: 60, to: 5, problem: /at least 10 minutes ago/, hint: "--to 2026-01-02T11:49Z" },
    { from: 1_500, to: 60, problem: /over 24 hours ago/, hint: "--from 2026-01-01T12:01Z" },
    { from: 60, to: 90, problem: /is not before/, hint: "whole minutes" },
  ])("from $from to $to minutes ago is refused, with a valid period", (span) => {
    const checked = ago(span.from, span.to);

    expect(checked).toMatchObject({ ok: false, problem: expect.stringMatching(span.problem) });
    expect(checked).toMatchObject({ hint: expect.stringContaining(span.hint) });
  });

  it("of five hours takes three jobs", () => {
    const checked = ago(320, 20);
    const jobs = checked.ok ? checked.jobs : [];

    expect(jobs.map(({ from, to }) => [(NOW - from) / MINUTE, (NOW - to) / MINUTE])).toEqual([
      [320, 200],
      [200, 80],
      [80, 20],
    ]);
  });
});
