import { ApiError } from "../kernel/http/api-error.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type AppRow, apps } from "./entities.ts";

/** @throws {ApiError} 404 of the control interface. */
export function findApp({ world }: Sandbox, id: string): AppRow {
  const app = apps.in(world).get(id);
  if (app === undefined) throw ApiError.control(404, "unknown_app", `There is no app ${id}.`);
  return app;
}
