import type { CallInput } from "../../client/client.ts";
import type { Endpoint } from "../../client/http/endpoint.ts";
import type { PlatformRequest } from "../platform-request.ts";

/** Returns a call of an endpoint as plain data, to be sent to the host. */
export function requestOf(
  { method, path: template, ads }: Endpoint,
  { path, query, url, json, form, raw }: CallInput,
  timeoutMs: number | undefined,
): PlatformRequest {
  return {
    method,
    endpoint: `/${template.slice(1)}`,
    ...(ads && { ads }),
    ...(path && { path: { ...path } }),
    ...(query && { query: cloned(query) }),
    ...(url !== undefined && { url }),
    ...(json && { json: { ...json } }),
    ...(form && { form: cloned(form) }),
    ...(raw && { raw }),
    ...(timeoutMs !== undefined && { timeoutMs }),
  };
}

function cloned(params: NonNullable<CallInput["query"]>): PlatformRequest["query"] & {} {
  return Object.fromEntries(
    Object.entries(params).map(([key, value]) => [key, isList(value) ? [...value] : value]),
  );
}

function isList(value: unknown): value is readonly string[] {
  return Array.isArray(value);
}
