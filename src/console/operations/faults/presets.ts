import * as z from "zod";
import type { ConsoleNeeds, ShownSandbox } from "../../console-needs.ts";
import type { FaultSpec } from "../../../sandbox/control/objects.ts";
import { operation, OperationError } from "../operation.ts";
import { controlOf } from "../sandbox-control.ts";
import { breaking, type BreakageKind, breakNow } from "./breakages.ts";
import { controlCurl, faultCommand } from "./fault-command.ts";

/** Preset for a failure that occurs on live platforms. */
export interface ShownPreset {
  readonly name: string;
  /** Effect of the preset, in one sentence. */
  readonly says: string;
  /** Terminal command with the same effect. */
  readonly command: string;
}

interface Preset {
  readonly name: string;
  readonly says: string;
  /**
   * Starts the preset: a kind of breakage, or a function that returns faults to add.
   *
   * @param now Time by the sandbox's clock, in milliseconds since the epoch.
   * @param account User id of the bot.
   */
  readonly by: BreakageKind | ((now: number, account: string | undefined) => readonly FaultSpec[]);
}

const OUTAGE_MS = 2 * 3_600_000;
const deliveries = { direction: "delivery" } as const;
const challenges = { direction: "challenge" } as const;
const always = { always: true } as const;

const calls = (account: string | undefined) =>
  account === undefined
    ? ({ direction: "request", path: "/2/*" } as const)
    : ({ direction: "request", path: "/2/*", account } as const);

/** Presets in the order in which they are shown. */
const PRESETS: readonly Preset[] = [
  {
    name: "2-hour outage",
    says: "For two hours of the sandbox's clock neither deliveries nor challenges reach the bot.",
    by: (now) => {
      const when = { until: new Date(now + OUTAGE_MS).toISOString() };
      return [deliveries, challenges].map((match) => ({ match, fault: { type: "cut" }, when }));
    },
  },
  {
    name: "Flaky network",
    says: "Three of ten deliveries get no answer, so the platform tries them again.",
    by: () => [
      { match: deliveries, fault: { type: "cut" }, when: { probability: 0.3, seed: "flaky" } },
    ],
  },
  {
    name: "Duplicate storm",
    says: "Each delivery comes three times; the bot should answer once.",
    by: () => [{ match: deliveries, fault: { type: "duplicate", n: 3 }, when: always }],
  },
  {
    name: "Out of order",
    says: "Every second delivery is overtaken by the next two.",
    by: () => [{ match: deliveries, fault: { type: "reorder", n: 2 }, when: { every: 2 } }],
  },
  {
    name: "Slow bot",
    says: "Each delivery takes two seconds to arrive.",
    by: () => [{ match: deliveries, fault: { type: "delay", ms: 2_000 }, when: always }],
  },
  {
    name: "Challenge expired",
    says: "The next challenge gets no answer in time, and the webhook is no longer valid.",
    by: () => [{ match: challenges, fault: { type: "timeout" }, when: { next: 1 } }],
  },
  {
    name: "Challenge failing",
    says: "Each challenge is answered with 500 until the fault is removed.",
    by: () => [{ match: challenges, fault: { type: "status", status: 500 }, when: always }],
  },
  {
    name: "5xx burst",
    says: "The platform answers the bot's next five calls with 503.",
    by: (_, account) => [
      { match: calls(account), fault: { type: "status", status: 503 }, when: { next: 5 } },
    ],
  },
  {
    name: "Too many requests (429)",
    says: "The bot's next call is refused with 429, as if its rate limit were used up.",
    by: (_, account) => [{ match: calls(account), fault: { type: "limit" }, when: { next: 1 } }],
  },
  {
    name: "Token revoked",
    says: "The bot's account revokes the app's authorization: its tokens and its subscription end. Logging in again restores both.",
    by: "token",
  },
  {
    name: "Cap reached",
    says: "The daily limits for writing, of the app and of the bot, are used up: the platform refuses with 429 for an hour of its clock, and the bot waits.",
    by: "cap",
  },
  {
    name: "Clock skew",
    says: "The next three calls are refused because their timestamp is out of bounds.",
    by: (_, account) => [{ match: calls(account), fault: { type: "skew" }, when: { next: 3 } }],
  },
];

/** Returns the presets that can be started in this console. */
export const faultPresets = operation(
  z.strictObject({}),
  async (needs): Promise<readonly ShownPreset[]> => {
    const { sandbox } = needs;
    const now = await nowOf(needs);
    return PRESETS.flatMap(({ name, says, by }) => {
      const command = commandOf(by, now, sandbox);
      return command === undefined ? [] : [{ name, says, command }];
    });
  },
);

/** Returns the terminal command of a preset; undefined if the preset can't be started in this console. */
function commandOf(
  by: Preset["by"],
  now: number,
  sandbox: ShownSandbox | undefined,
): string | undefined {
  if (typeof by === "function") return by(now, sandbox?.bot?.id).map(faultCommand).join("\n");
  const { app, bot, control } = sandbox ?? {};
  if (app === undefined || bot === undefined || control === undefined) return undefined;
  const { method, path, body } = breaking({ app, bot }, by);
  return controlCurl(`${control.url}${path}`, body, method);
}

/** Adds the faults, or causes the breakage, of a preset. */
export const startPreset = operation(
  z.strictObject({ name: z.string() }),
  async (needs, { name }): Promise<{ readonly says: string }> => {
    const preset = PRESETS.find((one) => one.name === name);
    if (preset === undefined) throw new OperationError(`there is no preset ${name}`, 404);
    if (typeof preset.by === "string") await breakNow(needs, preset.by);
    else {
      const specs = preset.by(await nowOf(needs), needs.sandbox?.bot?.id);
      for (const spec of specs) await controlOf(needs).addFault(spec);
    }
    return { says: `${name} has started.` };
  },
);

async function nowOf(needs: ConsoleNeeds): Promise<number> {
  return Date.parse((await controlOf(needs).clock()).now);
}
