/** Entry point for other folders: receives deliveries, subscribes accounts, and reads events that were not delivered. */
export { readBack } from "./catchup/read-back.ts";
export { askForDate, skewText } from "./clock/platform-clock.ts";
export { activityInterfaceWay } from "./webhook-link/activity-interface-way.ts";
export { lostPermission } from "./webhook-link/token-check.ts";
export { adviceOn } from "./webhook-link/trouble.ts";
export { receiver } from "./webhook/receive.ts";
export { serveWebhook } from "./webhook/server.ts";
export { signatureOf } from "./webhook/signature.ts";
