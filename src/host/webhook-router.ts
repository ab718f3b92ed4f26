import { closedRouter, type WebhookRouter } from "../runtime/webhook/router.ts";
import type { Runtime } from "./open.ts";

/**
 * Returns a router for the webhook in a server of your own: `app.use(router)` in express, `router(request, response)`
 * elsewhere.
 *
 * Mount the router before `express.json()`: the signature is checked over the raw body. The router answers requests to
 * the path of `webhook.url`, at whatever path you mount it, and passes other requests on.
 *
 * @param runtime An open runtime; its own server keeps running. Without it, pass the router to {@link openRuntime} as
 *   `webhook`: the runtime then has no server, and the router answers 503 until it runs.
 *
 * @example
 * const webhook = webhookRouter();
 * app.use(webhook);
 * app.listen(3000);
 * const runtime = await openRuntime({ data: "./data", webhook });
 */
export function webhookRouter(runtime?: Pick<Runtime, "webhook">): WebhookRouter {
  return runtime?.webhook ?? closedRouter();
}
