import type { WebhookLinkNeeds } from "../../runtime/webhook-link/link.ts";
import type { HostedBot } from "../parts.ts";
import type { AnsweringNeeds } from "./ground.ts";
import { followMachineInstances } from "../../runtime/instances/machine-instances.ts";
import {
  openOtherInstances,
  type OtherInstances,
} from "../../runtime/instances/other-instances.ts";
import { followUnknownMessages } from "../../runtime/instances/unknown-messages.ts";
import { repeatedWhileStoreFails } from "../../runtime/loop/while-store-fails.ts";
import { HOLD_MS } from "../../runtime/outbox/plan.ts";
import type { Pausing } from "./pausing.ts";

export interface InstancesNeeds extends Pick<
  HostedBot,
  "store" | "platform" | "accounts" | "world" | "process" | "events" | "clock" | "log" | "cleanup"
> {
  readonly pausing: Pausing;
}

/** Detection of other instances of the bot, while it runs. */
export interface FollowedInstances {
  readonly others: Pick<OtherInstances, "list">;
  /** Whether this machine was searched for other instances. */
  readonly isChecked: () => boolean;
  readonly onDecided: AnsweringNeeds["onDecided"];
  readonly onOtherWebhook: WebhookLinkNeeds["onOtherWebhook"];
}

/** Detects other instances that answer for the same accounts, by their traces on this machine and on the platform. */
export async function followInstances(needs: InstancesNeeds): Promise<FollowedInstances> {
  if (needs.process.dryRun === true) {
    const others = { list: () => Promise.resolve([]) };
    return { others, isChecked: () => true, onDecided: undefined, onOtherWebhook: undefined };
  }
  const { store, accounts, world, cleanup } = needs;
  const log = needs.log.child({ stage: "instances" });
  const usernameOf = (id: string): string | undefined => accounts.find(id)?.username;
  const others = await openOtherInstances({ ...needs, log, usernameOf, holdMs: HOLD_MS });
  const messages = followUnknownMessages({ ...needs, log, onOther: (one) => others.noticed(one) });
  cleanup.add("the search for unknown messages", () => messages.stop());
  let isChecked = false;
  const search = async (): Promise<void> => {
    await searchMachine({ ...needs, log }, others);
    isChecked = true;
  };
  if (world.isConfirmed()) await search();
  else {
    const ending = new AbortController();
    cleanup.add("the first search for other instances", () => ending.abort());
    world.onConfirmed(() => {
      repeatedWhileStoreFails(search, ending.signal).catch((error: unknown) => {
        if (ending.signal.aborted) return;
        log.error(
          { err: error },
          "nothing is sent: the check for other instances of this bot failed",
        );
      });
    });
  }
  return {
    others,
    isChecked: () => isChecked,
    onDecided: (kind, read) => messages.onEvent(kind, read),
    onOtherWebhook: ({ account, id, url, wasFirst }) =>
      others.noticed({
        account,
        id: `webhook:${id}`,
        reason: `the app's webhook ${url} gets its events, too, and answers the platform's challenge`,
        holdsBack: wasFirst && !store.isShared,
      }),
  };
}

async function searchMachine(needs: InstancesNeeds, others: OtherInstances): Promise<void> {
  const { store, platform, accounts, cleanup, process } = needs;
  const { folder, stateFolder } = process;
  if (stateFolder === undefined) return;
  const app = `${(await store.getMeta("world")) ?? ""} ${platform.consumerKey}`;
  const following = await followMachineInstances({
    ...needs,
    folder,
    stateFolder,
    storeId: (await store.getMeta("store-id")) ?? "",
    isShared: store.isShared,
    app,
    accounts: () => accounts.list().map(({ id }) => id),
    isHeldBack: (account) => others.isHeldBack(account),
    onOther: (instance) => others.noticed(instance),
  });
  cleanup.add("the record of this instance", () => following.stop());
}
