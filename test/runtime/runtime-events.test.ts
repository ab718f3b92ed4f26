import { describe, expect, it } from "vitest";
import { runtimeEvents, type NewRuntimeEvent } from "../../src/runtime/runtime-events.ts";

const removed = (id: string): NewRuntimeEvent => ({
  type: "account-removed",
  data: { id, username: `user${id}` },
});

const NOW = Date.UTC(2026, 0, 1);

describe("runtime events", () => {
  it("are numbered, dated and passed to listeners of their type", () => {
    const events = runtimeEvents({ now: () => NOW, onListenerError: () => {} });
    const linked: unknown[] = [];
    const stop = events.on("account-linked", (event) => linked.push(event));
    events.publish(removed("1"));
    events.publish({ type: "account-linked", data: { id: "2", username: "b" } });
    stop();
    events.publish({ type: "account-linked", data: { id: "3", username: "c" } });

    expect(linked).toEqual([
      {
        seq: 2,
        at: "2026-01-01T00:00:00.000Z",
        type: "account-linked",
        data: { id: "2", username: "b" },
      },
    ]);
  });

  it("are stored for clients that return, the oldest are dropped first", () => {
    const events = runtimeEvents({ now: () => NOW, onListenerError: () => {}, capacity: 3 });
    for (let id = 1; id <= 10; id++) events.publish(removed(String(id)));
    const all: number[] = [];
    const late: number[] = [];
    events.subscribe(({ seq }) => all.push(seq), 0);
    events.subscribe(({ seq }) => late.push(seq), 9);
    events.publish(removed("11"));

    expect(all.slice(-4)).toEqual([8, 9, 10, 11]);
    expect(all).not.toContain(1);
    expect(late).toEqual([10, 11]);
  });

  it("reach other listeners even if one throws, and the error is reported", () => {
    const faults: unknown[] = [];
    const events = runtimeEvents({
      now: () => NOW,
      onListenerError: (error) => faults.push(error),
    });
    const fault = new Error("mine");
    const got: number[] = [];
    events.subscribe(() => {
      throw fault;
    });
    events.subscribe(({ seq }) => got.push(seq));
    events.publish(removed("1"));

    expect(got).toEqual([1]);
    expect(faults).toEqual([fault]);
  });

  it("report the error of an async listener, which would end the process otherwise", async () => {
    const fault = new Error("mine");
    const failing = (): unknown => Promise.reject(fault);
    const reported = new Promise((resolve) => {
      const events = runtimeEvents({ now: () => NOW, onListenerError: resolve });
      events.on("account-removed", failing);
      events.publish(removed("1"));
    });

    expect(await reported).toBe(fault);
  });
});
