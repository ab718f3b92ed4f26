import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { expect, it } from "vitest";
import { ControlClient } from "../../../src/sandbox/index.ts";
import { compareIds } from "../../../src/sandbox/kernel/world/ids.ts";

const SCRIPT = fileURLToPath(new URL("./saved-sandbox.ts", import.meta.url));

/** A sandbox in a process of its own, over a state file. */
async function start(
  state: string,
): Promise<{ control: ControlClient; kill: () => Promise<void> }> {
  const child = spawn(process.execPath, ["--conditions=source", "--import", "tsx", SCRIPT, state], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line] = await once(createInterface(child.stdout), "line");
  const ready = JSON.parse(String(line)) as { control_url: string; control_token: string };
  return {
    control: new ControlClient(ready.control_url, ready.control_token),
    kill: async () => {
      child.kill("SIGKILL");
      await once(child, "exit");
    },
  };
}

interface State {
  readonly tables: Record<string, { id: string; senderId: string; recipientId: string }[]>;
}

it("after kill -9 a kept world is whole as of a moment before, and no id comes again", async () => {
  const state = join(await mkdtemp(join(tmpdir(), "sandbox-")), "world.jsonl");
  const given: string[] = [];
  let kept = 0;
  for (let round = 0; round < 3; round += 1) {
    const { control, kill } = await start(state);
    const { tables } = await control.get<State>("/state");
    const people = new Set(tables["users"]?.map(({ id }) => id));
    const messages = tables["messages"] ?? [];
    // Nothing refers to what was lost, and what was saved before is still there.
    for (const { senderId, recipientId } of messages) {
      expect([people.has(senderId), people.has(recipientId)]).toEqual([true, true]);
    }
    expect(messages.length).toBeGreaterThanOrEqual(kept);
    const name = (who: string): string => `${who}_${round}`;
    const [a, b] = [await control.user(name("a")), await control.user(name("b"))];
    given.push(a, b);
    // Long enough for saves to have begun and ended among the acts.
    for (const until = Date.now() + 1_600; Date.now() < until;) {
      given.push((await control.act(a, { type: "dm", to: b, text: "hello" })).id);
    }
    kept = messages.length + 1;
    await kill();
  }
  const { control, kill } = await start(state);
  given.push(await control.user("last"));
  await kill();

  expect(new Set(given).size).toBe(given.length);
  expect([...given].sort(compareIds)).toEqual(given);
});
