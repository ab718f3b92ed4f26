import { afterEach, beforeEach, expect, it } from "vitest";
import { createClient } from "../../../src/client/create-client.ts";
import type { WebhookConfig } from "../../../src/client/client.ts";
import { openLog } from "../../../src/runtime/log.ts";
import {
  type LookForOthers,
  type OtherWebhook,
  otherWebhooks,
} from "../../../src/runtime/webhook-link/other-webhooks.ts";
import { answerChallenge } from "../../../src/runtime/webhook/challenge.ts";
import { startSandbox, type RunningSandbox } from "../../../src/sandbox/index.ts";
import { listening } from "../../support/listening.ts";

const OWN = "https://bot.example/webhook";
const ACCOUNT = "100";

let sandbox: RunningSandbox;
let noticed: OtherWebhook[];
/** Part that fails the next time: the platform, or the store that records the evidence. */
let failing: "platform" | "store" | undefined;
beforeEach(async () => {
  sandbox = await startSandbox({ settings: { limits: { enabled: false } } });
  noticed = [];
  failing = undefined;
});
afterEach(() => sandbox.close());

function fail(part: typeof failing): void {
  if (failing !== part) return;
  failing = undefined;
  throw new Error(`the ${part} fails`);
}

interface Looked {
  readonly look: LookForOthers;
  /** Webhook of another instance, which answers the platform's challenges. */
  readonly other: WebhookConfig;
  /** Webhook of this instance. */
  readonly own: WebhookConfig;
}

async function withOther(work: (looked: Looked) => Promise<void>): Promise<void> {
  const app = await sandbox.control.app();
  const client = createClient({
    baseUrl: sandbox.url,
    credentials: { type: "bearer", bearerToken: app.bearer_token },
  });
  const look = otherWebhooks({
    app: client,
    way: {
      async present(_id, accounts) {
        fail("platform");
        return new Set(accounts);
      },
    },
    url: OWN,
    log: openLog({ level: "silent" }),
    challenges: () => 0,
    async onOther(other) {
      fail("store");
      noticed.push(other);
    },
  });
  await listening(
    (request, response) => {
      const query = new URLSearchParams(request.url?.split("?")[1]);
      const answer = answerChallenge(query.get("crc_token"), app.consumer_secret);
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify(answer.ok ? answer.body : {}));
    },
    async (origin) => {
      await sandbox.control.host("other.example", origin);
      const other = await client.webhooks.create("https://other.example/webhook");
      await work({ look, other, own: { ...other, id: "own", url: OWN } });
    },
  );
  await client.close();
}

it.each(["platform", "store"] as const)(
  "another webhook stays the older one if the %s fails while this instance has none yet",
  async (part) => {
    await withOther(async ({ look, other, own }) => {
      failing = part;
      await look([other], [ACCOUNT]);
      expect(noticed).toEqual([]);
      await look([other, own], [ACCOUNT]);

      expect(noticed).toMatchObject([{ account: ACCOUNT, id: other.id, wasFirst: true }]);
    });
  },
);

it("a webhook that appears beside the own one is not the older one", async () => {
  await withOther(async ({ look, other, own }) => {
    await look([own], [ACCOUNT]);
    await look([own, other], [ACCOUNT]);

    expect(noticed).toMatchObject([{ account: ACCOUNT, id: other.id, wasFirst: false }]);
  });
});

it("a webhook that was not valid while this instance had none is not the older one", async () => {
  await withOther(async ({ look, other, own }) => {
    await look([{ ...other, valid: false }], [ACCOUNT]);
    await look([own, other], [ACCOUNT]);

    expect(noticed).toMatchObject([{ account: ACCOUNT, id: other.id, wasFirst: false }]);
  });
});
