import type { OutageSource, OutageWorld } from "./world.ts";

/** Action that is performed in one minute of a trial, such as stopping the bot. */
export type Step = (world: OutageWorld) => Promise<unknown>;

/** Actions of a trial, by minute. */
export type Plan = ReadonlyMap<number, readonly Step[]>;

/** Draws a whole number from 0 to `below - 1`. */
export type Draw = (below: number) => number;

/** Shape of an outage: a way in which deliveries go missing. */
interface Shape {
  /** Values of the bot's setting `source` with which the shape can occur. Default: all. */
  readonly sources?: readonly OutageSource[];
  /** Adds the actions of an outage from minute `from` to minute `to`. */
  readonly plan: (at: (minute: number, step: Step) => void, outage: Outage) => void;
}

interface Outage {
  readonly from: number;
  readonly to: number;
  readonly draw: Draw;
}

const cut: Step = (world) => world.cut();
const mend: Step = (world) => world.mend();
const stop: Step = (world) => world.stopBot();
const start: Step = (world) => world.startBot();
const removeWebhooks: Step = (world) => world.removeWebhooks();
const unsubscribe =
  (account: number): Step =>
  (world) =>
    world.unsubscribe(world.bots[account] ?? "");

/** Makes deliveries of one kind of event fail. */
const failing =
  (event: string): Step =>
  (world) =>
    world.control.post("/faults", {
      match: { direction: "delivery", event },
      fault: { type: "status", status: 500 },
      when: { always: true },
    });
const noFaults: Step = (world) => world.control.call("DELETE", "/faults");

const KEYS = [
  "direct_message_events",
  "tweet_create_events",
  "follow_events",
  "favorite_events",
  "block_events",
  "mute_events",
  "tweet_delete_events",
] as const;

const replaysFail =
  (status: number): Step =>
  (world) =>
    world.control.post("/faults", {
      match: { direction: "request", method: "POST", path: "/2/*/replay*" },
      fault: { type: "status", status },
      when: { always: true },
    });

export const SHAPES = {
  none: { plan() {} },
  "link-cut": {
    plan(at, { from, to }) {
      at(from, cut);
      at(to, mend);
    },
  },
  "link-cut-twice": {
    plan(at, { from, to, draw }) {
      const middle = from + 1 + draw(to - from - 1);
      at(from, cut);
      at(middle, mend);
      at(middle + 1, cut);
      at(to, mend);
    },
  },
  "link-flaps": {
    plan(at, { from, to, draw }) {
      for (let minute = from; minute < to; minute += 2 + draw(6)) {
        at(minute, cut);
        at(minute + 1 + draw(2), mend);
      }
      at(to, mend);
    },
  },
  "bot-down": {
    plan(at, { from, to }) {
      at(from, stop);
      at(to, start);
    },
  },
  "bot-down-webhook-deleted": {
    plan(at, { from, to, draw }) {
      at(from, stop);
      at(from + draw(to - from), removeWebhooks);
      at(to, start);
    },
  },
  "bot-down-unsubscribed": {
    sources: ["webhook", "both"],
    plan(at, { from, to, draw }) {
      at(from, stop);
      at(from + draw(to - from), unsubscribe(draw(2)));
      at(to, start);
    },
  },
  "webhook-deleted": {
    plan(at, { from }) {
      at(from, removeWebhooks);
    },
  },
  unsubscribed: {
    sources: ["webhook", "both"],
    plan(at, { from, draw }) {
      at(from, unsubscribe(draw(2)));
    },
  },
  "one-kind-fails": {
    plan(at, { from, to, draw }) {
      at(from, failing(KEYS[draw(KEYS.length)] ?? KEYS[0]));
      at(to, noFaults);
    },
  },
  "one-account-fails": {
    plan(at, { from, to, draw }) {
      const account = draw(2);
      at(from, (world) =>
        world.control.post("/faults", {
          match: { direction: "delivery", account: world.bots[account] },
          fault: { type: "cut" },
          when: { always: true },
        }),
      );
      at(to, noFaults);
    },
  },
  "half-fail": {
    plan(at, { from, to, draw }) {
      at(from, (world) =>
        world.control.post("/faults", {
          match: { direction: "delivery" },
          fault: { type: "status", status: 502 },
          when: { probability: 0.7, seed: draw(1_000) },
        }),
      );
      at(to, noFaults);
    },
  },
  "platform-down": {
    plan(at, { from }) {
      at(from, (world) => world.restartPlatform());
    },
  },
  "platform-down-link-cut": {
    plan(at, { from, to, draw }) {
      at(from, cut);
      at(from + draw(to - from), (world) => world.restartPlatform());
      at(to, mend);
    },
  },
  "clock-set-back": {
    plan(at, { from, to, draw }) {
      at(from, cut);
      at(from + 1 + draw(to - from), (world) => world.setBack((1 + draw(20)) * 60_000));
      at(to, mend);
    },
  },
  "bot-down-clock-set-back": {
    plan(at, { from, to, draw }) {
      at(from, stop);
      at(from + 1 + draw(to - from), (world) => world.setBack((1 + draw(20)) * 60_000));
      at(to, start);
    },
  },
  "restart-link-cut": {
    plan(at, { from, to, draw }) {
      const middle = from + 1 + draw(to - from - 1);
      at(from, cut);
      at(middle, stop);
      at(middle, start);
      at(to, mend);
    },
  },
  "restart-webhook-deleted": {
    plan(at, { from, to, draw }) {
      const middle = from + 1 + draw(to - from - 1);
      at(from, cut);
      at(middle, stop);
      at(middle, removeWebhooks);
      at(middle, mend);
      at(middle, start);
    },
  },
  "replays-refused": {
    plan(at, { from, to }) {
      at(from, cut);
      at(from, replaysFail(403));
      at(to, mend);
    },
  },
  "replays-fail-a-while": {
    plan(at, { from, to, draw }) {
      at(from, cut);
      at(from, replaysFail(503));
      at(to, mend);
      at(to + 1 + draw(30), noFaults);
    },
  },
  relinked: {
    plan(at, { from, to, draw }) {
      const account = draw(2);
      at(from, (world) => world.revoke(account));
      at(to, (world) => world.relink(account));
    },
  },
} as const satisfies Readonly<Record<string, Shape>>;

export type ShapeName = keyof typeof SHAPES;
export const SHAPE_NAMES = Object.keys(SHAPES).filter(isShape);

export function isShape(name: string): name is ShapeName {
  return name in SHAPES;
}

/** Returns the values of the bot's setting `source` with which this shape can occur. */
export function sourcesOf(name: ShapeName): readonly OutageSource[] {
  const { sources = ["webhook", "both", "activity"] }: Shape = SHAPES[name];
  return sources;
}

/** Plans the actions of a trial of this shape, between the minutes `from` and `to`. */
export function planOf(name: ShapeName, outage: Outage): Plan {
  const steps = new Map<number, Step[]>();
  const shape: Shape = SHAPES[name];
  shape.plan((minute, step) => {
    steps.set(minute, [...(steps.get(minute) ?? []), step]);
  }, outage);
  return steps;
}
