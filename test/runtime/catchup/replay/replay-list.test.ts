import { describe, expect, it } from "vitest";
import type { JobRecord } from "../../../../src/runtime/catchup/replay/job-record.ts";
import { replayList } from "../../../../src/runtime/catchup/replay/replay-list.ts";

const MINUTE = 60_000;
const NOW = Date.UTC(2026, 0, 2, 12);
/** Window between two times, in minutes before now. */
const ago = (from: number, to: number) => ({ from: NOW - from * MINUTE, to: NOW - to * MINUTE });

const jobOf = (span: { readonly from: number; readonly to: number }, by: JobRecord["by"]) => ({
  ...span,
  by,
  askedAt: NOW,
  attempts: 1,
});

describe("the list of replays", () => {
  it("numbers the jobs of an operator's request, and hands them out in order", () => {
    const list = replayList();

    expect(list.ask(ago(200, 20), NOW)).toEqual({ accepted: true, ids: [1, 2] });
    expect(list.ask(ago(60, 20), NOW)).toEqual({ accepted: true, ids: [3] });
    expect(list.all(undefined)).toEqual([
      { id: 1, by: "hand", ...ago(200, 80), state: "queued" },
      { id: 2, by: "hand", ...ago(80, 20), state: "queued" },
      { id: 3, by: "hand", ...ago(60, 20), state: "queued" },
    ]);
    expect([list.next(), list.next(), list.next(), list.next()]).toMatchObject([
      ago(200, 80),
      ago(80, 20),
      ago(60, 20),
      undefined,
    ]);
  });

  it("refuses a request that the platform would refuse, with the reason", () => {
    const list = replayList();

    expect(list.ask(ago(5, 1), NOW)).toMatchObject({
      accepted: false,
      problem: expect.stringContaining("at least 31 minutes ago"),
      hint: expect.stringContaining("--from"),
    });
    expect(list.all(undefined)).toEqual([]);
  });

  it("refuses all requests if no replay is ever available", () => {
    const answer = replayList("polling has no replays").ask(ago(60, 20), NOW);

    expect(answer).toMatchObject({ accepted: false, problem: "polling has no replays" });
    expect(answer).toHaveProperty("hint", expect.stringContaining("read back"));
  });

  it("shows the current job, its number if an operator requested it, and why it waits", () => {
    const list = replayList();
    const planned = jobOf(ago(90, 60), "gap");
    expect(list.all(planned)).toStrictEqual([{ by: "gap", ...ago(90, 60), state: "running" }]);

    list.ask(ago(60, 20), NOW);
    list.next();
    const waiting = { ...jobOf(ago(60, 20), "hand"), retryAt: NOW, reason: "rate limit" };
    expect(list.all(waiting)).toStrictEqual([
      { id: 1, by: "hand", ...ago(60, 20), state: "waiting", reason: "rate limit" },
    ]);
  });

  it("shows each finished job with its own events", () => {
    const list = replayList();
    list.ask(ago(60, 20), NOW);
    list.next();
    list.count(2);
    list.count(1);
    list.countKnown(4);
    list.countKnown(3);
    list.ended({ job: jobOf(ago(60, 20), "hand"), outcome: "complete" });
    list.ended({ job: jobOf(ago(90, 60), "check"), outcome: "refused", reason: "no plan" });

    expect(list.all(undefined)).toStrictEqual([
      { id: 1, by: "hand", ...ago(60, 20), state: "complete", events: 3, duplicates: 7 },
      {
        by: "check",
        ...ago(90, 60),
        state: "refused",
        events: 0,
        duplicates: 0,
        reason: "no plan",
      },
    ]);
  });

  it("shows the twenty latest finished jobs", () => {
    const list = replayList();
    for (let end = 21; end > 0; end -= 1) {
      list.ended({ job: jobOf(ago(100 + end, 100), "gap"), outcome: "complete" });
    }

    expect(list.all(undefined)).toHaveLength(20);
    expect(list.all(undefined)[0]).toMatchObject(ago(120, 100));
  });
});
