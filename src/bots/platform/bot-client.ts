import {
  type ApiResponse,
  type Caller,
  type CallOptions,
  type OtherRequest,
  resources,
  type Resources,
} from "../../client/client.ts";

/**
 * The platform's interface, as the account that received the event: the methods of `createClient`'s client.
 *
 * The runtime keeps the credentials and makes the calls within the platform's limits.
 */
export interface BotClient extends Resources<"oauth1"> {
  /** Calls an endpoint that has no method here. */
  request(other: OtherRequest, options?: CallOptions): Promise<ApiResponse>;
}

/** Creates the client over a caller. */
export function botClient(caller: Caller): BotClient {
  return {
    ...resources(caller),
    request: ({ method, endpoint, ads, ...input }, options) => {
      const target = { method, path: endpoint, takes: ["oauth1"] } as const;
      return caller.call(ads === undefined ? target : { ...target, ads }, input, options);
    },
  };
}
