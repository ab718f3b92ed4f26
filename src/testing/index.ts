/**
 * Tests of bots. Each lab has its own sandbox, runtime and clock.
 *
 * @module answerback/testing
 */

// Testing bots
export { type Lab, type LabOptions, startLab } from "./lab.ts";
export type { LabPerson } from "./person.ts";
export type { BotDeed } from "./deeds.ts";
export { answerMatchers } from "./matchers.ts";
