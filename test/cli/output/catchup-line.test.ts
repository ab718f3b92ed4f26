import { describe, expect, it } from "vitest";
import { catchupLine } from "../../../src/cli/output/catchup-line.ts";
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
