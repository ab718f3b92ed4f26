import { createHmac } from "node:crypto";
import OAuth from "oauth-1.0a";
import type { WireExchange } from "../client/whole-interface/recorder.ts";
import type { Stage } from "../client/whole-interface/stage.ts";
import type { WireAnswer } from "./published.ts";

/** A request with its authorization. */
export type Asked = Pick<WireExchange, "method" | "target" | "authorization" | "requestBody">;

export const pathOf = (target: string): string => target.split("?")[0] ?? "";

/** Repeats a recorded request to the sandbox, with a new signature if it was signed. */
export async function askAgain(stage: Stage, exchange: Asked): Promise<WireAnswer> {
  const { method, target, requestBody: body } = exchange;
  const answer = await fetch(stage.sandbox.url + target, {
    method,
    headers: {
      ...(await authorized(stage, exchange)),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body }),
  });
  return { method, path: pathOf(target), status: answer.status, body: await answer.text() };
}

async function authorized(
  stage: Stage,
  { method, target, authorization }: Asked,
): Promise<Readonly<Record<string, string>>> {
  if (authorization === undefined || authorization.startsWith("Bearer ")) {
    return authorization === undefined ? {} : { authorization };
  }
  const [, userId = ""] = /oauth_token="(\d+)-/.exec(authorization) ?? [];
  const user = await stage.credentialsOf(userId);
  const signer = new OAuth({
    consumer: { key: user.consumerKey, secret: user.consumerSecret },
    signature_method: "HMAC-SHA1",
    hash_function: (base, key) => createHmac("sha1", key).update(base).digest("base64"),
  });
  const token = { key: user.accessToken, secret: user.accessTokenSecret };
  const url = stage.sandbox.url + target;
  return { ...signer.toHeader(signer.authorize({ url, method }, token)) };
}
