import type { CallInput } from "../../client/client.ts";
import { type Endpoint, nameOf, paramTexts, pathTexts } from "../../client/http/endpoint.ts";
import { UsageError } from "../../errors.ts";
import { platformRequest, type PlatformRequest } from "../platform-request.ts";

/**
 * Returns a call of an endpoint as plain data, to be sent to the host. Parameters become text as in the platform client.
 *
 * @throws {UsageError} if a part of the call is invalid. Bot modules may be untyped.
 */
export function requestOf(
  endpoint: Endpoint,
  { path, query, url, json, form, raw }: CallInput,
  timeoutMs: number | undefined,
): PlatformRequest {
  const { method, path: template, ads } = endpoint;
  const pathValues = url === undefined ? pathTexts(endpoint, path) : {};
  const { data, error } = platformRequest.safeParse({
    method,
    endpoint: template,
    ...(ads && { ads }),
    ...(Object.keys(pathValues).length > 0 && { path: pathValues }),
    ...(query && { query: paramTexts(endpoint, query) }),
    ...(url !== undefined && { url }),
    ...(json && { json: asJson(json) }),
    ...(form && { form: paramTexts(endpoint, form) }),
    ...(raw && { raw }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  });
  if (data !== undefined) return data;
  const [issue] = error.issues;
  throw new UsageError(
    `${nameOf(endpoint)} has an invalid ${issue?.path.join(".")}: ${issue?.message}`,
  );
}

/** Returns a body as the request carries it: values with `toJSON` lose this method on the way to the host. */
function asJson(body: object): unknown {
  const text: string | undefined = JSON.stringify(body);
  return text === undefined ? text : JSON.parse(text);
}
