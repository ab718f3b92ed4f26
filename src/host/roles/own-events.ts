import { followOutages } from "../../runtime/outages/outages.ts";
import type { WorldConfirmation } from "../../runtime/platform/confirm-world.ts";
import { type Searches, startSearches } from "../../runtime/search/search-source.ts";
import { startSchedules } from "../../runtime/schedule/schedules.ts";
import type { Store } from "../../runtime/store/store.ts";
import type { BotParts } from "../parts.ts";
import type { KeepAs } from "../receive.ts";
import type { LinkWatch } from "./event-link.ts";

/** Parts of a bot that are needed to create events for schedules, outages and searches. */
export interface OwnEventsNeeds extends Pick<
  BotParts,
  "settings" | "accounts" | "clients" | "clock" | "log" | "cleanup"
> {
  readonly rules: Pick<BotParts["rules"], "ruleset" | "onChanged">;
  readonly store: Pick<Store, "getMeta" | "setMeta">;
  readonly world: Pick<WorldConfirmation, "onConfirmed">;
  readonly keepAs: KeepAs;
  /** Reports whether the platform's events arrive. */
  readonly watch: LinkWatch;
  /** Called with the searches for `post.found` triggers once they have started. */
  readonly onSearching: (searches: Searches) => void;
}

/** Starts schedules, link outages and searches, once the store is confirmed to belong to the platform. */
export function startOwnEvents(needs: OwnEventsNeeds): void {
  const { rules, accounts, keepAs, store, clock, log, world, watch, cleanup } = needs;
  let isOver = false;
  cleanup.add("the start of schedules and outages", () => void (isOver = true));
  world.onConfirmed(() => {
    if (isOver) return;
    const schedules = startSchedules({
      ruleset: () => rules.ruleset,
      accounts: accounts.list,
      keepAs,
      memory: store,
      clock,
      log: log.child({ stage: "schedule" }),
    });
    const outages = followOutages({
      ...watch,
      isServed: (id) => {
        const account = accounts.find(id);
        return account !== undefined && account.revoked === undefined;
      },
      append: keepAs("link"),
      memory: store,
      clock,
      log: log.child({ stage: "link" }),
    });
    const searches = startSearches({
      ruleset: () => rules.ruleset,
      accounts: accounts.list,
      clientOf: needs.clients.of,
      way: needs.settings.search,
      app: needs.clients.app,
      append: keepAs("search"),
      memory: store,
      clock,
      log: log.child({ stage: "search" }),
      random: Math.random,
    });
    needs.onSearching(searches);
    cleanup.add("the searches", () => searches.stop());
    cleanup.add("the link's outages", () => outages.stop());
    cleanup.add("the schedules", () => schedules.stop());
    cleanup.add(
      "the watch over the active rules",
      rules.onChanged(() => {
        schedules.wake();
        searches.wake();
      }),
    );
    cleanup.add(
      "the watch over the linked accounts",
      accounts.subscribe(() => {
        schedules.wake();
        searches.wake();
      }),
    );
  });
}
