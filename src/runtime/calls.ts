/** Entry point for other folders: calls operations of the running bot. */
export { RuntimeConnection, callRuntime } from "./control/call.ts";
