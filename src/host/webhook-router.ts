import { closedRouter, type WebhookRouter } from "../runtime/webhook/router.ts";
import type { Runtime } from "./open.ts";

/**
 * Returns a router for the webhook in a server of your own: `app.use(router)` in express, `router(request, response)` elsewhere.
 *
 * Mount it before `express.json()`: the signature is checked over the raw body. It answers at the path of `webhook.url`,
 * wherever it is mounted, and passes other requests on.
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
