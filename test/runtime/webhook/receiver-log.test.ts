import { expect, it } from "vitest";
import { openLog } from "../../../src/runtime/log.ts";
import { type ReceiverLog, receiverLog } from "../../../src/runtime/webhook/receiver-log.ts";

const CASES: readonly {
  readonly report: (log: ReceiverLog) => void;
  readonly line: object;
}[] = [
  {
    report: (log) => log.unsigned(),
    line: { level: 40, msg: expect.stringContaining("signature header") },
  },
  {
    report: (log) => log.forged(7),
    line: { level: 40, bytes: 7, msg: expect.stringContaining("does not match") },
  },
  { report: (log) => log.givenUp("too-slow"), line: { level: 40, why: "too-slow" } },
  {
    report: (log) => log.tooLarge(),
    line: { level: 40, msg: expect.stringContaining("too large") },
  },
  {
    report: (log) => log.notJson(8),
    line: { level: 40, bytes: 8, msg: expect.stringContaining("JSON") },
  },
  {
    report: (log) => log.tooDeep(9),
    line: { level: 40, bytes: 9, msg: expect.stringContaining("too deep") },
  },
  { report: (log) => log.challenged(true), line: { level: 20, answered: true } },
  {
    report: (log) => log.behind(10),
    line: { level: 40, bytes: 10, msg: expect.stringContaining("waiting") },
  },
  {
    report: (log) => log.notStored(new Error("disk full")),
    line: { level: 50, err: { message: "disk full" } },
  },
];

it.each(CASES)("a thousand strangers cause one line: $line", ({ report, line }) => {
  const lines: unknown[] = [];
  const log = receiverLog(
    openLog({
      level: "debug",
      destination: { write: (text) => void lines.push(JSON.parse(text)) },
    }),
  );
  for (let times = 0; times < 1_000; times += 1) report(log);

  expect(lines).toEqual([expect.objectContaining({ times: 1 })]);
  expect(lines[0]).toMatchObject(line);
});
