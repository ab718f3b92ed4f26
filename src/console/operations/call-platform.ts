import * as z from "zod";
import { randomNonce, signOAuth1 } from "../../client/auth/sign.ts";
import { ControlConnection } from "../../sandbox/control/connection.ts";
import type { UserTokens } from "../../sandbox/control/objects.ts";
import { bodyText, localRequest } from "../../system/local-request.ts";
import type { ConsoleNeeds, ShownSandbox } from "../console-needs.ts";
import { operation, OperationError } from "./operation.ts";
import { appOf } from "./own-app.ts";

/** Response of the sandbox's platform to a call from the console. */
export interface CalledAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Body of the response, as received. */
  readonly body: string;
  readonly ms: number;
  /** Number of the exchange that the sandbox recorded. Its record includes the signature base string. */
  readonly exchange?: number;
}

const request = z.strictObject({
  /** Path of the request, with its query. */
  path: z.string().regex(/^\/[^\s]*$/, "begin it with a slash, as in: /2/users/me"),
  /** Caller: `app` for the app's bearer token, `nobody` for no credentials, or the id of a person for OAuth 1.0a. */
  as: z.string().min(1),
});

/** Sends a GET request to the sandbox's platform as any person or app. */
export const askPlatform = operation(request, (needs, { path, as }) =>
  callPlatformAs(needs, { method: "GET", path, as }),
);

/** Sends any request to the sandbox's platform as any person or app. */
export const callPlatform = operation(
  request.extend({
    method: z.enum(["GET", "POST", "PUT", "DELETE"]),
    /** Body of the request, as JSON text. */
    body: z.string().exactOptional(),
  }),
  callPlatformAs,
);

/** Request to the sandbox's platform. `as` is `app`, `nobody` or the id of a person. */
export interface PlatformCall {
  readonly method: string;
  readonly path: string;
  readonly as: string;
  readonly body?: string;
}

const MAX_ANSWER_BYTES = 1_000_000;

/** Calls the sandbox's platform as any person or app. */
export async function callPlatformAs(
  needs: ConsoleNeeds,
  { method, path, as, body }: PlatformCall,
): Promise<CalledAnswer> {
  const { sandbox } = needs;
  if (sandbox === undefined) throw new OperationError("only the sandbox is called from here", 404);
  const url = `${sandbox.baseUrl}${path}`;
  const authorization = await authorizationOf(sandbox, { method, url, as });
  const started = performance.now();
  const answer = await localRequest(url, {
    method,
    headers: {
      ...(authorization !== undefined && { authorization }),
      ...(body !== undefined && { "content-type": "application/json" }),
    },
    ...(body !== undefined && { body }),
  });
  const text = await bodyText(answer, MAX_ANSWER_BYTES);
  const ms = Math.round(performance.now() - started);
  const headers = Object.entries(answer.headers).map(([name, value]) => [name, String(value)]);
  const exchange = await latestExchange(sandbox, method, path);
  return {
    status: answer.statusCode ?? 0,
    headers: Object.fromEntries(headers),
    body: text,
    ms,
    ...(exchange !== undefined && { exchange }),
  };
}

async function authorizationOf(
  sandbox: ShownSandbox,
  { method, url, as }: { readonly method: string; readonly url: string; readonly as: string },
): Promise<string | undefined> {
  if (as === "nobody") return undefined;
  const app = await appOf(sandbox);
  if (as === "app") return `Bearer ${app.bearerToken}`;
  const token = await tokensOf(sandbox, app.id, as);
  const at = new URL(url);
  const query = at.searchParams;
  const params = Object.fromEntries([...query.keys()].map((name) => [name, query.getAll(name)]));
  const { consumerKey, consumerSecret } = app;
  return signOAuth1(
    { method, url: at, params },
    { consumerKey, consumerSecret, token },
    { now: Date.now, nonce: randomNonce },
  );
}

/** Returns a person's access tokens for an app. They stay the same until they are revoked. */
async function tokensOf(
  { control: { url, token } }: ShownSandbox,
  app: string,
  person: string,
): Promise<{ readonly key: string; readonly secret: string }> {
  const userTokens = await new ControlConnection(url, token).post<UserTokens>(
    `/users/${encodeURIComponent(person)}/tokens`,
    { app_id: app },
  );
  return { key: userTokens.access_token, secret: userTokens.access_token_secret };
}

/** Returns the number of the latest recorded exchange with this method and path. */
async function latestExchange(
  { control }: ShownSandbox,
  method: string,
  path: string,
): Promise<number | undefined> {
  const { exchanges } = await new ControlConnection(control.url, control.token).get<{
    exchanges: readonly { seq: number; method: string; url: string }[];
  }>("/exchanges?limit=20");
  return exchanges.findLast((one) => one.method === method && one.url === path)?.seq;
}
