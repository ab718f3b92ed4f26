/** Entry point for other folders: operations that a running bot performs for commands and the console. */
export { OPERATIONS } from "./control/contract.ts";
export { escalationQuery } from "./control/escalation-schema.ts";
export { itemQuery, journalQuery } from "./control/stored-schema.ts";
