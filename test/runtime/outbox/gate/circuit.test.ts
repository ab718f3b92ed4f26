import { expect, it } from "vitest";
import { Circuit } from "../../../../src/runtime/outbox/gate/circuit.ts";

const circuit = () => new Circuit({ failures: 3, firstMs: 1_000, longestMs: 4_000 });

/** Reports a request to the circuit breaker: `open` for a success, `shut` for a failure. */
function request(of: Circuit, way: "open" | "shut", now: number): void {
  of.began();
  of.ended(way, { begunAt: now, now }, "503");
}

/** Makes the circuit breaker reject requests, by three failures at `now`. */
function opened(now: number): Circuit {
  const shut = circuit();
  for (let n = 0; n < 3; n++) request(shut, "shut", now);
  return shut;
}

it("lets any number of requests go while they succeed", () => {
  const calm = circuit();
  for (let n = 0; n < 99; n++) calm.began();

  expect(calm.ask(0)).toEqual({ kind: "go" });
});

it("lets requests go one at a time after a failure", () => {
  const doubtful = circuit();
  request(doubtful, "shut", 0);
  expect(doubtful.ask(0)).toEqual({ kind: "go" });
  doubtful.began();
  expect(doubtful.ask(0)).toEqual({ kind: "busy" });
  doubtful.ended("open", { begunAt: 0, now: 0 }, "");

  expect(doubtful.ask(0)).toEqual({ kind: "go" });
});

it("lets no request go for a while after several failures in a row", () => {
  expect(opened(500).ask(501)).toEqual({ kind: "wait", until: 1_500, reason: "503" });
});

it("then lets a single request go as a probe", () => {
  const shut = opened(0);
  expect(shut.ask(1_000)).toEqual({ kind: "go" });
  shut.began();

  expect(shut.ask(1_000)).toEqual({ kind: "busy" });
});

it("closes when the probe succeeds", () => {
  const shut = opened(0);
  request(shut, "open", 1_000);

  expect(shut.isOpen).toBe(false);
  expect(shut.ask(1_000)).toEqual({ kind: "go" });
});

it("stays open twice as long each time that the probe fails, up to a limit", () => {
  const shut = opened(0);
  const waits = [1_000, 3_000, 7_000, 11_000].map((now) => {
    request(shut, "shut", now);
    return (shut.opened?.until ?? 0) - now;
  });

  expect(waits).toEqual([2_000, 4_000, 4_000, 4_000]);
});

it("does not stay open longer because of requests that had left before it opened", () => {
  const shut = circuit();
  for (let n = 0; n < 9; n++) shut.began();
  for (const now of [0, 1, 2, 3, 1_003, 2_004, 4_005, 8_006]) {
    shut.ended("shut", { begunAt: 0, now }, "503");
  }

  expect(shut.opened?.until).toBe(1_002);
  shut.ended("untried", { begunAt: 0, now: 8_006 }, "");
  request(shut, "shut", 9_000);
  expect(shut.opened?.until).toBe(11_000);
});

it("ignores a request that never left", () => {
  const doubtful = circuit();
  request(doubtful, "shut", 0);
  doubtful.began();
  doubtful.ended("untried", { begunAt: 0, now: 0 }, "");
  request(doubtful, "shut", 0);

  expect(doubtful.isOpen).toBe(false);
});

it("waits as long as planned when the clock is set back", () => {
  const shut = opened(9_000_000);
  shut.setBack(8_000_000);

  expect(shut.ask(1_000_500)).toMatchObject({ kind: "wait", until: 1_001_000 });
});
