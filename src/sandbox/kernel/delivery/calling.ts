/** HTTP client for webhooks. In a separate module so that it is loaded on demand, even if the sandbox is bundled. */
export { Agent, request } from "undici";
