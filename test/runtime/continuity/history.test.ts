import { describe, expect, it } from "vitest";
import { doubtOf, type History, withMark } from "../../../src/runtime/continuity/history.ts";

const STORED: History = {
  marks: [
    { run: "first", generation: 7 },
    { run: "second", generation: 3 },
  ],
  file: "12:1000",
  at: 5_000,
};
const OLDER = /older than its last run/;
const ANOTHER_FILE = /copied or moved/;

describe("a store at its start", () => {
  it.each([
    { why: "no record of this machine", recorded: undefined, file: "12:1000" },
    { why: "its last run", recorded: { run: "second", generation: 3 }, file: "12:1000" },
    {
      why: "killed between both marks",
      recorded: { run: "second", generation: 2 },
      file: "12:1000",
    },
    { why: "ran elsewhere since", recorded: { run: "first", generation: 7 }, file: "12:1000" },
    { why: "a database server has no file", recorded: undefined, file: undefined },
  ])("continues its last run: $why", ({ recorded, file }) => {
    expect(doubtOf(STORED, { recorded, file })).toBeUndefined();
  });

  it.each([
    {
      why: "a run sent more",
      recorded: { run: "second", generation: 4 },
      file: "12:1000",
      reason: OLDER,
    },
    {
      why: "an unknown run",
      recorded: { run: "third", generation: 1 },
      file: "12:1000",
      reason: OLDER,
    },
    {
      why: "an earlier run sent more",
      recorded: { run: "first", generation: 8 },
      file: "12:1000",
      reason: OLDER,
    },
    { why: "another inode", recorded: undefined, file: "13:1000", reason: ANOTHER_FILE },
    { why: "the inode was used again", recorded: undefined, file: "12:1001", reason: ANOTHER_FILE },
  ])("is in doubt: $why", ({ recorded, file, reason }) => {
    expect(doubtOf(STORED, { recorded, file })).toMatch(reason);
  });

  it("is in doubt without a history if this machine has a record of it", () => {
    const recorded = { run: "first", generation: 1 };
    expect(doubtOf(undefined, { recorded, file: "12:1000" })).toMatch(OLDER);
    expect(doubtOf(undefined, { recorded: undefined, file: "12:1000" })).toBeUndefined();
  });
});

describe("a history", () => {
  it("contains one mark for each run, the latest", () => {
    const next = withMark(STORED, { run: "first", generation: 8 }, { at: 6_000 });
    expect(next).toEqual({
      marks: [
        { run: "second", generation: 3 },
        { run: "first", generation: 8 },
      ],
      at: 6_000,
    });
  });

  it("deletes the oldest of 65 runs", () => {
    let history: History = { marks: [], at: 0 };
    for (let run = 1; run <= 65; run += 1) {
      history = withMark(history, { run: `${run}`, generation: 1 }, { at: run });
    }
    expect(history.marks).toHaveLength(64);
    expect(history.marks[0]).toEqual({ run: "2", generation: 1 });
  });
});
