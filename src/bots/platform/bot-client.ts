import {
  type ApiResponse,
  type Caller,
  type CallOptions,
  type OtherRequest,
  resources,
  type Resources,
} from "../../client/client.ts";

/**
 * Client that calls the platform as the account that received the event. It has the methods of `createClient`'s client.
 *
 * The host sends the calls with the account's credentials, within the platform's rate limits.
 */
export interface BotClient extends Resources<"oauth1"> {
  /** Calls an endpoint for which the client has no method. */
  request(other: OtherRequest, options?: CallOptions): Promise<ApiResponse>;
}

/** Creates the client of a handler. Its methods call endpoints through `caller`. */
export function botClient(caller: Caller): BotClient {
  return {
    ...resources(caller),
    request: ({ method, endpoint, ads, ...input }, options) => {
      const target = { method, path: endpoint, takes: ["oauth1"] } as const;
      return caller.call(ads === undefined ? target : { ...target, ads }, input, options);
    },
  };
}
