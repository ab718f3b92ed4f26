import { describe, expect, it, test } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { admission, type Backlog } from "../../../src/runtime/webhook/admission.ts";

const bounds = {
  shedFrom: { undecided: 100, storing: 1_000 },
  admitFrom: { undecided: 50, storing: 300 },
};

/** Creates the admission control of a webhook, whose backlog the test sets. Also returns the logged lines. */
function gate(first: Backlog = { undecided: 0, storing: 0 }) {
  let now = first;
  const lines: string[] = [];
  const log = openLog({
    level: "info",
    destination: { write: (line) => void lines.push(JSON.parse(line).msg) },
  });
  const { admits, status } = admission({ backlog: () => now, bounds, log });
  const at = (backlog: Partial<Backlog>): boolean => {
    now = { ...now, ...backlog };
    return admits();
  };
  return { at, status, lines };
}

describe("admission of deliveries", () => {
  test.each([
    { backlog: { undecided: 99, storing: 999 }, admits: true, why: "both are below their bound" },
    { backlog: { undecided: 100, storing: 0 }, admits: false, why: "too many wait for a decision" },
    {
      backlog: { undecided: 0, storing: 1_000 },
      admits: false,
      why: "too much waits for the disk",
    },
  ])("admits: $admits, when $why", ({ backlog, admits }) => {
    expect(gate().at(backlog)).toBe(admits);
  });

  it("keeps shedding until the backlog has fallen to the lower bound", () => {
    const { at } = gate();

    expect(at({ undecided: 100 })).toBe(false);
    expect(at({ undecided: 51 })).toBe(false);
    expect(at({ undecided: 50 })).toBe(true);
  });

  it("keeps admitting until the backlog has grown to the upper bound", () => {
    const { at } = gate();
    at({ undecided: 100 });
    at({ undecided: 50 });

    expect(at({ undecided: 99 })).toBe(true);
    expect(at({ undecided: 100 })).toBe(false);
  });

  it("waits until both counts are below their bounds, whichever one started the shedding", () => {
    const { at } = gate();
    at({ undecided: 100 });

    expect(at({ undecided: 0, storing: 301 })).toBe(false);
    expect(at({ undecided: 0, storing: 300 })).toBe(true);
  });

  it("counts refused deliveries, and reports whether it still refuses", () => {
    const { at, status } = gate();
    at({ undecided: 100 });
    at({ undecided: 80 });

    expect(status()).toEqual({ shedding: true, shed: 2 });
    at({ undecided: 0 });
    expect(status()).toEqual({ shedding: false, shed: 2 });
  });

  it("logs the start and the end of a flood once, however many deliveries it refuses", () => {
    const { at, lines } = gate();
    for (let i = 0; i < 1_000; i++) at({ undecided: 100 });
    at({ undecided: 0 });

    expect(lines).toEqual([
      "deliveries refused with 503: too much work is waiting",
      "deliveries are accepted again",
    ]);
  });
});
