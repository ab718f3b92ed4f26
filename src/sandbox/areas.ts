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
 * To add one, make a folder with the same files as the others and list its area here:
 * - `entities.ts`: tables made by `defineTable`: compact facts in camelCase, a zod schema, indexes.
 *   They are saved, restored and reset without further code.
 * - `rules.ts` (or one file per verb): what may happen and what it changes. Takes the `Sandbox`, the
 *   clock is `sandbox.time.now()`, ids `sandbox.world.ids.next()`, secrets `sandbox.world.random`.
 *   Throws `ApiError`.
 * - `render.ts`: facts to wire objects, in the post dialect; the server translates to the tweet dialect.
 * - `routes.ts`: the endpoints as data, paths in the post dialect, with the kinds of caller they
 *   accept, level, scopes, limits and their row of the fidelity ledger. Handlers are thin: read, call a rule, render.
 * - `ledger.ts`: the rows of the fidelity ledger that no single route owns, and what routes share.
 * - `area.ts`: puts these together; `schedule` plans due work (`sandbox.time.at`) from the tables.
 *
 * What areas of the data interface share is in `data-query/`: reading a query with all its faults
 * (`Query`), field selection, includes, pages, problems. A table with an `order` can be paged.
 *
 * A control endpoint that belongs to an area is a route of that area with `auth: ["control"]`.
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
