import { activity } from "./activity/area.ts";
import { activityInterface } from "./activity-interface/area.ts";
import { media } from "./media/area.ts";
import { messages } from "./messages/area.ts";
import { places } from "./places/area.ts";
import { polls } from "./polls/area.ts";
import { posts } from "./posts/area.ts";
import { accounts } from "./accounts/area.ts";
import { ads } from "./ads/area.ts";
import { apps } from "./apps/area.ts";
import { control } from "./control/area.ts";
import type { Area } from "./server/route.ts";
import { lists } from "./lists/area.ts";
import { filteredStream } from "./filtered-stream/area.ts";
import { legacy } from "./legacy/area.ts";
import { login } from "./login/area.ts";
import { search } from "./search/area.ts";
import { spaces } from "./spaces/area.ts";
import { webhooks } from "./webhooks/area.ts";

/**
 * Every area of the platform.
 *
 * The sandbox has floors. A file imports from its own floor and from lower floors, which `.dependency-cruiser.cjs`
 * checks:
 * - `kernel/`: worlds, time, deliveries.
 * - `model/`: tables created by `defineTable` (rows in camelCase, a zod schema, indexes) and functions that need only
 *   tables, such as who may see a post. Tables are saved, restored and reset without further code.
 * - `rendering/`: converts rows to the JSON of the interface, in the post dialect (`repost_count`). The server
 *   translates to the tweet dialect (`retweet_count`) if the caller uses it.
 * - an area's `rules.ts`, or a file per verb: the behaviour. It changes tables, emits events and throws `ApiError`. Use
 *   `sandbox.time.now()` for times, `sandbox.world.ids.next()` for ids, and `sandbox.world.random` for secrets.
 * - an area's `routes.ts`, `*-routes.ts`, `*request*.ts`: endpoints as data. Each has a path in the post dialect, the
 *   kinds of caller, access level, scopes, rate limits and a row of the fidelity ledger. Handlers are thin: they read
 *   the request, call the behaviour and render the result. Code that areas share is in `server/` and `data-query/`.
 *
 * To add an area, create a folder and list its `area.ts` here. The area's `schedule` function schedules pending work
 * (`sandbox.time.at`) from the tables. A table with an `order` can be paged. A control endpoint of an area has
 * `auth: ["control"]`.
 */
export const AREAS: readonly Area[] = [
  control,
  apps,
  login,
  accounts,
  posts,
  polls,
  places,
  lists,
  spaces,
  search,
  filteredStream,
  messages,
  webhooks,
  activity,
  activityInterface,
  legacy,
  ads,
  media,
];
