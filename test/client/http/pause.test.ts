import { spawn } from "node:child_process";
import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { listening } from "../../support/listening.ts";
import { when } from "../../support/when.ts";

const CALLER = fileURLToPath(new URL("paused-caller.ts", import.meta.url));
const REQUESTS = 30;
/** Request timeouts, tried in turn: on a slow machine not all requests arrive within the shorter ones. */
const TIMEOUTS_MS = [1_000, 5_000, 20_000];

/**
 * Returns the results of 30 requests of a process that is suspended for longer than the requests' timeout, while they
 * are in progress.
 */
async function endsOfStopped(answer: (response: ServerResponse) => void): Promise<string[]> {
  for (const timeoutMs of TIMEOUTS_MS) {
    const { ends, wasInTime } = await suspended(answer, timeoutMs);
    if (wasInTime) return ends;
  }
  throw new Error("the requests took longer than their timeouts to arrive");
}

async function suspended(answer: (response: ServerResponse) => void, timeoutMs: number) {
  const waiting: ServerResponse[] = [];
  const take: RequestListener = (_request, response) => void waiting.push(response);
  return listening(take, async (origin) => {
    const args = ["--conditions=answerback-source", "--import", "tsx", CALLER, origin];
    const child = spawn(process.execPath, [...args, String(REQUESTS), String(timeoutMs)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    const printed = createInterface(child.stdout).on("line", (line) => lines.push(line));
    const over = once(printed, "close");
    await when(() => (waiting.length === REQUESTS || lines.length === 2 ? true : undefined));
    child.kill("SIGSTOP");
    const stoppedAt = performance.now();
    const wasInTime = Date.now() - Number(lines[0]) < timeoutMs;
    for (const response of waiting) answer(response);
    await when(() => (performance.now() - stoppedAt > timeoutMs ? true : undefined));
    child.kill("SIGCONT");
    await over;
    const ends: string[] = JSON.parse(lines[1] ?? "[]");
    return { ends: [...new Set(ends)], wasInTime };
  });
}

it("reads answers that arrived while the process was suspended before it gives up on them", async () => {
  const ends = await endsOfStopped((response) => response.end('{"data":{}}'));

  expect(ends).toEqual(["answered 200"]);
});

it("gives up on a request that was not answered while the process was suspended", async () => {
  const ends = await endsOfStopped(() => {});

  expect(ends).toEqual(["timeout, maybe"]);
});
