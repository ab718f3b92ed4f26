import type { ControlClient } from "../../src/sandbox/index.ts";

/** A sandbox to which faults can be added. */
export interface FaultyPlatform {
  readonly sandbox: { readonly control: Pick<ControlClient, "post" | "call"> };
}

const SENDING = { direction: "request", method: "POST", path: "/2/dm_conversations/*" };
const DELIVERY = { direction: "delivery" };

/** Faults of the platform: probability in percent, matching requests, effect. */
const FAULTS: readonly (readonly [number, object, object])[] = [
  [3, SENDING, { type: "cut" }],
  [4, SENDING, { type: "cut_after" }],
  [3, SENDING, { type: "status", status: 500 }],
  [2, SENDING, { type: "status", status: 503 }],
  [2, SENDING, { type: "limit" }],
  [8, SENDING, { type: "delay", ms: 60 }],
  [3, DELIVERY, { type: "drop" }],
  [12, DELIVERY, { type: "duplicate", n: 2 }],
  [5, DELIVERY, { type: "delay", ms: 100 }],
  [5, DELIVERY, { type: "reorder", ms: 40 }],
  [5, DELIVERY, { type: "cut_after" }],
  [4, DELIVERY, { type: "status", status: 500 }],
];

/** Adds the {@link FAULTS} to the platform. */
export async function addFaults({ sandbox }: FaultyPlatform, seed: number): Promise<void> {
  for (const [place, [percent, match, fault]] of FAULTS.entries()) {
    const when = { probability: percent / 100, seed: seed * 100 + place };
    await sandbox.control.post("/faults", { match, fault, when });
  }
}

/** Removes all faults from the platform. */
export async function removeFaults({ sandbox }: FaultyPlatform): Promise<void> {
  await sandbox.control.call("DELETE", "/faults");
}
