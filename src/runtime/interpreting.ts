/** Entry point for other folders: interprets events as the runtime does, for rehearsals and backtests. */
export { DueTimes } from "./loop/due-times.ts";
export { placeInThread } from "./outbox/thread.ts";
export { EffectCourse, EffectsInHand } from "./runs/effect-course.ts";
export { givenUp, perform } from "./runs/effect.ts";
export { isByHand } from "./runs/hand-over/answered-by-hand.ts";
export { handlerSupport } from "./runs/handlers/handler-support.ts";
export { meet } from "./runs/interpret/on-event.ts";
export { interpreter } from "./runs/interpreter.ts";
export { joined } from "./runs/lane-event.ts";
export { slotValue, valueOf } from "./runs/memory.ts";
export { endRun } from "./runs/parallel/whole-run.ts";
export { openRuleArchive } from "./runs/rule-archive.ts";
export { LAST_ATTEMPT, takeIn } from "./runs/take-in.ts";
export { changeRuns } from "./store/machine/transition.ts";
export { openMemoryStore } from "./store/memory-store.ts";
export { LaneHeap } from "./store/sqlite/waiting/lane-heap.ts";
