import {
  type ApiResponse,
  type Caller,
  type CallOptions,
  type OtherRequest,
  resources,
  type Resources,
} from "../../client/client.ts";

/**
 * The platform's interface as the account that an event belongs to: the methods of `createClient`'s client.
 *
 * Its credentials stay with the runtime, which makes the calls within the platform's limits.
 */
export interface BotClient extends Resources<"oauth1"> {
  /** Calls an endpoint that there is no method for. */
  request(other: OtherRequest, options?: CallOptions): Promise<ApiResponse>;
}

/** The client over a caller. */
export function botClient(caller: Caller): BotClient {
  return {
    ...resources(caller),
    request: ({ method, endpoint, ads, ...input }, options) => {
      const target = { method, path: endpoint, takes: ["oauth1"] } as const;
      return caller.call(ads === undefined ? target : { ...target, ads }, input, options);
    },
  };
}
