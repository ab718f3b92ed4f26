/** What calls webhooks: a module of its own, so that it can be loaded later, bundled or not. */
export { Agent, request } from "undici";
