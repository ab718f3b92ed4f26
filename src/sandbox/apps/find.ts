import { Refusal } from "../kernel/refusal.ts";
import type { Sandbox } from "../kernel/sandbox.ts";
import { type App, apps } from "./entities.ts";

/** @throws {Refusal} 404 of the control interface. */
export function findApp({ world }: Sandbox, id: string): App {
  const app = apps.in(world).get(id);
  if (app === undefined) throw Refusal.control(404, "unknown_app", `There is no app ${id}.`);
  return app;
}
