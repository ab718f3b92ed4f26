/** Entry point for other folders: keys of user state, counts and slots. */
export { countedAs } from "./decide/counted.ts";
export * from "./schema/state-keys.ts";
