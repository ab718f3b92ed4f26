import { expect, it } from "vitest";
import { faultsText, figuresOf } from "./report.ts";
import type { RoundOutcome } from "./round.ts";

const CLEAN: RoundOutcome = {
  acknowledged: 1,
  answered: 1,
  faults: [],
  disturbances: new Map(),
  refused: 0,
  longestWaitMs: 0,
  restMs: 0,
  story: ["worker-1 is killed"],
  ownEnds: [],
};

it("shows the log of a process that ended by itself, also in a round without faults", () => {
  const ownEnds = ["worker-2 ended with 1:\nTypeError"];

  expect(faultsText(CLEAN, 7)).toBe("");
  expect(faultsText({ ...CLEAN, ownEnds }, 7)).toBe(
    "seed 7:\nworker-1 is killed\nworker-2 ended with 1:\nTypeError\n",
  );
});

it("counts an answer that no message called for as doubled", () => {
  const fault = { kind: "invented", lane: "100/200", about: "m1", story: [] } as const;

  expect(figuresOf([{ ...CLEAN, faults: [fault] }], 7, 0)).toMatchObject({ doubled: 1 });
});
