/** Worker thread that runs one of the two sets of rules of a backtest. */
import { parentPort, workerData } from "node:worker_threads";
import { messageOf } from "../../../system/error-message.ts";
import { type FromSide, type SideRules, type ToSide, workOf } from "./side.ts";

const rules: SideRules = workerData;
const work = workOf(rules);
parentPort?.on("message", (next: ToSide) => {
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
  const answer = (one: FromSide): void => parentPort?.postMessage(one);
  work(next).then(
    (news) => answer({ news }),
    (error: unknown) => answer({ error: messageOf(error) }),
  );
});
