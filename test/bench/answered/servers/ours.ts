import { subscribe } from "node:diagnostics_channel";
import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openRuntime } from "../../../../src/host/open-runtime.ts";
import { openAccounts } from "../../../../src/runtime/accounts/registry.ts";
import {
  STORE_WORK,
  type WorkCounts,
} from "../../../../src/runtime/store/sqlite/file/work-counts.ts";
import { SECRET } from "../../ingest/secret.ts";
import { serveUsage } from "./usage.ts";

/** A runtime with one rule. Arguments: the platform's URL, the URL of the webhook. */
const [baseUrl = "", url = ""] = process.argv.slice(2);
const RULES = `version: 1
rules:
  - id: hours
    triggers: [dm.received]
    conditions: [{message.text: {contains_word: open}}]
    actions: [{reply_dm: {text: "We open at nine."}}]
`;

let counts: WorkCounts | undefined;
subscribe(STORE_WORK, (opened) => {
  if (opened instanceof Int32Array) counts = opened;
});
const data = await mkdtemp(join(tmpdir(), "answerback-bench-"));
const accounts = await openAccounts(data);
await accounts.put({
  id: "100",
  username: "hello_bot",
  accessToken: "100-token",
  accessTokenSecret: "token-secret",
  linkedAt: Date.now(),
});
const runtime = await openRuntime({
  settings: {
    target: "live",
    platform: { baseUrl },
    app: { consumerKey: "bench", consumerSecret: SECRET, bearerToken: "bench-bearer" },
    webhook: { url, listen: "127.0.0.1:0" },
  },
  rules: [{ path: "hours.yaml", text: RULES }],
  data,
});
const { webhook } = await runtime.status();
serveUsage(Number(webhook.listen.split(":").at(-1)), counts);
