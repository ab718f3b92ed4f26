/**
 * Method and path of each operation. A path may name fields of the request: `:id` stands for the field `id`.
 *
 * `contract.ts` has the schemas of requests and answers. The schemas are a separate module, because clients need only
 * the routes.
 */
export const ROUTES = {
  status: { method: "GET", path: "/status" },
  journal: { method: "GET", path: "/journal" },
  outbox: { method: "GET", path: "/outbox" },
  retryItem: { method: "POST", path: "/outbox/:id/retry" },
  settleItem: { method: "POST", path: "/outbox/:id/settle" },
  dropItem: { method: "POST", path: "/outbox/:id/drop" },
  escalations: { method: "GET", path: "/escalations" },
  resolveEscalation: { method: "POST", path: "/escalations/:id/resolve" },
  answerByHand: { method: "POST", path: "/answers" },
  limits: { method: "GET", path: "/limits" },
  pause: { method: "PUT", path: "/pause" },
  resume: { method: "PUT", path: "/resume" },
  reload: { method: "POST", path: "/reload" },
  coverage: { method: "GET", path: "/coverage" },
  replays: { method: "GET", path: "/replays" },
  replay: { method: "PUT", path: "/replays" },
  beginBackup: { method: "POST", path: "/backups" },
  keepBackup: { method: "PUT", path: "/backups/:id" },
  endBackup: { method: "DELETE", path: "/backups/:id" },
  forget: { method: "POST", path: "/forget" },
  linkAccount: { method: "PUT", path: "/accounts" },
  openConsole: { method: "POST", path: "/console/links" },
  consoleSessions: { method: "GET", path: "/console/sessions" },
  endConsoleSessions: { method: "DELETE", path: "/console/sessions" },
  unlinkAccount: { method: "DELETE", path: "/accounts/:id" },
} as const satisfies Record<string, Route>;

interface Route {
  readonly method: "GET" | "PUT" | "POST" | "DELETE";
  readonly path: `/${string}`;
}

export type OperationName = keyof typeof ROUTES;

/** Returns the field names in a path: `id` of `/accounts/:id`. */
export function pathNames(path: string): readonly string[] {
  return [...path.matchAll(/:(\w+)/g)].flatMap(([, name]) => name ?? []);
}
