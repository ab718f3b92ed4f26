import type { BotContext } from "../../../../src/bots/define.ts";
import type { PersonState } from "../../../../src/bots/durable/durable-calls.ts";

export type Ctx = BotContext<"dm.received">;

/** Call that a handler makes on its context, with the call's expected effects, which are the same at every position. */
export interface Call {
  readonly name: string;
  /** Makes the call and returns its result as a text. */
  readonly make: (ctx: Ctx) => Promise<string>;
  /** Expected result of `make`. */
  readonly gives: string;
  /** Texts that people receive from the call. */
  readonly says?: readonly string[];
  /** Whether texts of the call are sent before its step has ended. */
  readonly leavesAtOnce?: true;
  /** Values of state after the call, by their keys. */
  readonly keeps?: Readonly<Record<string, string>>;
  /** Number of hand-overs to a person. */
  readonly handsOver?: number;
  /** Positions at which the call is refused. */
  readonly refused?: "in steps" | "beside steps";
}

/** Result of a refused call. */
export const REFUSED = "refused";

/** Renders a result as a text. */
const shown = (result: unknown): string => JSON.stringify(result ?? "none").replaceAll('"', "");
const nothing = async (call: Promise<unknown>): Promise<string> => {
  await call;
  return "nothing";
};
/** Properties of the context that need no call. */
const READS: readonly Call[] = [
  {
    name: "what is there",
    gives: "hi 200 true false false false",
    async make(ctx) {
      const isThere = ctx.triggers.includes(ctx.trigger) && ctx.account.id === "100";
      const values = [ctx.text, ctx.sender.id, isThere && ctx.now >= ctx.event.at];
      return [...values, ctx.replayed, ctx.answered, ctx.signal.aborted].join(" ");
    },
  },
];

/** Keys of the state values that calls write. */
const SENDER = "state/100/person/200/n";
const CONVERSATION = "state/100/lane/100/200/n";
const ACCOUNT = "state/100/n";
export const STATE_KEYS: readonly string[] = [SENDER, CONVERSATION, ACCOUNT];

const TEXT = "said";
const DM = { type: "reply_dm", to: "200", text: TEXT } as const;

const add = (before: unknown): number => Number(before ?? 0) + 1;
/** Calls of the members of `ctx.state`. A member without a call is a compile error. */
const OF_STATE: Readonly<Record<keyof PersonState, Omit<Call, "name">>> = {
  get: { gives: "none", make: async ({ state }) => shown(await state.get("n")) },
  set: {
    gives: "nothing",
    keeps: { [SENDER]: "1" },
    make: ({ state }) => nothing(state.set("n", 1)),
  },
  update: {
    gives: "1",
    keeps: { [SENDER]: "1" },
    make: async ({ state }) => shown(await state.update("n", add)),
  },
  delete: {
    gives: "none",
    async make({ state }) {
      await state.set("n", 1);
      await state.delete("n");
      return shown(await state.get("n"));
    },
  },
  conversation: {
    gives: "1",
    keeps: { [CONVERSATION]: "1" },
    make: async ({ state }) => shown(await state.conversation.update("n", add)),
  },
  account: {
    gives: "1",
    keeps: { [ACCOUNT]: "1" },
    make: async ({ state }) => shown(await state.account.update("n", add)),
  },
};

/** All calls, by member of the context. A member without calls is a compile error. */
const BY_MEMBER: Readonly<Record<keyof Ctx, readonly Call[]>> = {
  trigger: READS,
  triggers: READS,
  event: READS,
  text: READS,
  sender: READS,
  account: READS,
  now: READS,
  replayed: READS,
  answered: READS,
  signal: READS,
  reply: [
    { name: "reply", gives: "nothing", says: [TEXT], make: (ctx) => nothing(ctx.reply(TEXT)) },
  ],
  post: [{ name: "post", gives: "nothing", says: [TEXT], make: (ctx) => nothing(ctx.post(TEXT)) }],
  send: [{ name: "send", gives: "nothing", says: [TEXT], make: (ctx) => nothing(ctx.send(DM)) }],
  sendNow: [
    {
      name: "sendNow",
      gives: "sent",
      says: [TEXT],
      leavesAtOnce: true,
      make: async (ctx) => (await ctx.sendNow(DM)).status,
    },
    {
      name: "reply, then sendNow",
      gives: "sent",
      says: ["first", TEXT],
      leavesAtOnce: true,
      async make(ctx) {
        await ctx.reply("first");
        return (await ctx.sendNow(DM)).status;
      },
    },
  ],
  client: [
    {
      name: "client, a look-up",
      gives: "ana",
      make: async (ctx) => (await ctx.client.users.get("200")).data.username,
    },
    {
      name: "client, a change",
      gives: "9",
      refused: "beside steps",
      make: async (ctx) => (await ctx.client.posts.create({ text: "once" })).id,
    },
  ],
  handOver: [
    {
      name: "handOver",
      gives: "nothing",
      handsOver: 1,
      make: (ctx) => nothing(ctx.handOver("look here")),
    },
  ],
  log: [
    {
      name: "log",
      gives: "nothing",
      make: async (ctx) => nothing(Promise.resolve(ctx.log("here"))),
    },
  ],
  step: [
    { name: "step", gives: "done", make: (ctx) => ctx.step("of its own", async () => "done") },
    {
      name: "step with calls",
      gives: "2",
      says: [TEXT],
      leavesAtOnce: true,
      keeps: { [SENDER]: "2" },
      async make(ctx) {
        await ctx.state.set("n", 1);
        return ctx.step("of its own", async () => {
          await ctx.reply(TEXT);
          return shown(await ctx.state.update("n", (before) => Number(before) + 1));
        });
      },
    },
  ],
  sleep: [
    {
      name: "sleep",
      gives: "nothing",
      refused: "in steps",
      make: (ctx) => nothing(ctx.sleep("nap", "1m")),
    },
  ],
  typing: [
    { name: "typing", gives: "nothing", refused: "in steps", make: (ctx) => nothing(ctx.typing()) },
  ],
  ask: [
    {
      name: "ask",
      gives: "none",
      says: [TEXT],
      refused: "in steps",
      make: async (ctx) => shown(await ctx.ask("which", TEXT, { timeout: "1m" })),
    },
  ],
  waitFor: [
    {
      name: "waitFor",
      gives: "none",
      refused: "in steps",
      make: async (ctx) => shown(await ctx.waitFor("like", "post.liked", { timeout: "1m" })),
    },
  ],
  state: [
    ...Object.entries(OF_STATE).map(([name, call]) => ({ name: `state.${name}`, ...call })),
    {
      name: "state.get, then state.set",
      gives: "1",
      keeps: { [SENDER]: "1" },
      async make(ctx) {
        const n = Number((await ctx.state.get("n")) ?? 0);
        await ctx.state.set("n", n + 1);
        return `${n + 1}`;
      },
    },
  ],
};

export const CALLS: readonly Call[] = [...new Set(Object.values(BY_MEMBER).flat())];
