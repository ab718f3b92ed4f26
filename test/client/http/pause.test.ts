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
const TIMEOUT_MS = 1_000;

/**
 * Returns the results of 30 requests of a process that is suspended for longer than the requests' timeout, while they
 * are in progress.
 */
async function endsOfStopped(answer: (response: ServerResponse) => void): Promise<string[]> {
  const waiting: ServerResponse[] = [];
  const take: RequestListener = (_request, response) => void waiting.push(response);
  return listening(take, async (origin) => {
    const args = ["--conditions=source", "--import", "tsx", CALLER, origin];
    const child = spawn(process.execPath, [...args, String(REQUESTS), String(TIMEOUT_MS)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    const line = once(createInterface(child.stdout), "line");
    await when(() => (waiting.length === REQUESTS ? true : undefined));
    child.kill("SIGSTOP");
    const stoppedAt = performance.now();
    for (const response of waiting) answer(response);
    await when(() => (performance.now() - stoppedAt > TIMEOUT_MS ? true : undefined));
    child.kill("SIGCONT");
    const [text] = await line;
    const ends: string[] = JSON.parse(String(text));
    return [...new Set(ends)];
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
