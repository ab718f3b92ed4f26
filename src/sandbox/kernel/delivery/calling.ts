/** HTTP client for webhooks, in a module of its own so that it can be loaded on demand, bundled or not. */
export { Agent, request } from "undici";
