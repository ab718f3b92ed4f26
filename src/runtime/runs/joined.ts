import type { Interpretation } from "./lane-event.ts";

/** Whether the run has not ended: what it sends is on its way, or it waits or calls. */
export function isOpen({ runs }: Interpretation): boolean {
  return runs.some(({ status }) => status === "ready" || status === "waiting");
}

/** All that follows from several. */
export function joined(parts: readonly Interpretation[]): Interpretation {
  return {
    runs: parts.flatMap(({ runs }) => runs),
    timers: parts.flatMap(({ timers }) => timers),
    cancelled: parts.flatMap(({ cancelled }) => cancelled),
    withdrawn: parts.flatMap(({ withdrawn }) => withdrawn),
    slots: parts.flatMap(({ slots }) => slots),
    sources: parts.flatMap(({ sources }) => sources),
    state: parts.flatMap(({ state }) => state),
    items: parts.flatMap(({ items }) => items),
    escalations: parts.flatMap(({ escalations }) => escalations),
    effects: parts.flatMap(({ effects }) => effects),
    logs: parts.flatMap(({ logs }) => logs),
  };
}
