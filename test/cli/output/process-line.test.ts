import { expect, it } from "vitest";
import { processLine } from "../../../src/cli/output/process-line.ts";

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
