import type { CallOptions } from "../http/api-caller.ts";
import type { Caller } from "../http/caller.ts";
import { APP_OR_SCOPED, type Endpoint, type Endpoints } from "../http/endpoint.ts";
import type { Params } from "../http/endpoint.ts";
import { readOne, readSeveral, type SpaceResult, type SpacesResult } from "../reading/read.ts";
import type {
  EmptySelection,
  SpaceOf,
  SpaceSelection,
  ValidSpaceSelection,
} from "../reading/selection.ts";
import { spacesWith } from "../reading/shapes.ts";

/** Parameters of a search for spaces. */
export interface SpaceSearchParams extends SpaceSelection {
  /** Words of the title, up to 2048 characters. */
  readonly query: string;
  /** State to search for; default both live and scheduled. */
  readonly state?: "live" | "scheduled" | "all" | undefined;
  /** Number of results, from 1 to 100; default 100. There are no further pages. */
  readonly maxResults?: number | undefined;
}

/** Spaces (conversations by voice): look up and search. */
export interface SpacesMethods {
  /**
   * Returns a space.
   *
   * @throws PlatformError with `notFound` if it does not exist
   *
   * @example
   * const { data } = await client.spaces.get("1DXxyRYNejbKM", { spaceFields: ["title", "started_at"] });
   * console.log(data.state, data.title);
   */
  get<const S extends SpaceSelection = EmptySelection>(
    spaceId: string,
    selection?: ValidSpaceSelection<S>,
    options?: CallOptions,
  ): Promise<SpaceResult<S>>;
  /** Returns up to 100 spaces by id; `errors` lists those that do not exist. */
  lookup<const S extends SpaceSelection = EmptySelection>(
    spaceIds: readonly string[],
    selection?: ValidSpaceSelection<S>,
    options?: CallOptions,
  ): Promise<SpacesResult<S>>;
  /** Returns the live and scheduled spaces of up to 100 users. */
  byCreators<const S extends SpaceSelection = EmptySelection>(
    userIds: readonly string[],
    selection?: ValidSpaceSelection<S>,
    options?: CallOptions,
  ): Promise<SpacesResult<S>>;
  /** Returns spaces whose title contains the words. */
  search<const S extends SpaceSearchParams>(
    search: ValidSpaceSelection<S, SpaceSearchParams>,
    options?: CallOptions,
  ): Promise<SpacesResult<S>>;
}

/** Endpoints of the space methods. */
export const SPACES = {
  get: { method: "GET", path: "/2/spaces/:id", takes: APP_OR_SCOPED },
  lookup: { method: "GET", path: "/2/spaces", takes: APP_OR_SCOPED },
  byCreators: { method: "GET", path: "/2/spaces/by/creator_ids", takes: APP_OR_SCOPED },
  search: { method: "GET", path: "/2/spaces/search", takes: APP_OR_SCOPED },
} as const satisfies Endpoints<SpacesMethods>;

/** Creates the methods of spaces, which send their requests through `caller`. */
export function spaces(caller: Caller): SpacesMethods {
  const several =
    (endpoint: Endpoint, parameter: string) =>
    <S extends SpaceSelection>(
      named: readonly string[],
      selection?: ValidSpaceSelection<S>,
      options?: CallOptions,
    ) =>
      read<S>(caller, endpoint, { [parameter]: named }, selection, options);
  return {
    get: <S extends SpaceSelection>(
      id: string,
      selection?: ValidSpaceSelection<S>,
      options?: CallOptions,
    ) =>
      readOne<SpaceOf<S>, S>(caller, {
        endpoint: SPACES.get,
        input: { path: { id } },
        selection,
        shape: spacesWith<S>(selection),
        options,
      }),
    lookup: several(SPACES.lookup, "ids"),
    byCreators: several(SPACES.byCreators, "user_ids"),
    search: <S extends SpaceSearchParams>(
      search: ValidSpaceSelection<S, SpaceSearchParams>,
      options?: CallOptions,
    ) => {
      const { query, state, maxResults } = search;
      const params = { query, state, max_results: maxResults };
      return read<S>(caller, SPACES.search, params, search, options);
    },
  };
}

function read<S extends SpaceSelection>(
  caller: Caller,
  endpoint: Endpoint,
  query: Params,
  selection: S | undefined,
  options: CallOptions | undefined,
) {
  const shape = spacesWith<S>(selection);
  return readSeveral<SpaceOf<S>, S>(caller, {
    endpoint,
    input: { query },
    selection,
    shape,
    options,
  });
}
