import { assumed, type BehaviourRow, documented, stricter } from "../kernel/ledger.ts";

export const behaviours: readonly BehaviourRow[] = [
  {
    behaviour: "hourly challenge, its result applied to `valid` both ways",
    ...documented("States and transitions"),
  },
  {
    behaviour: "challenges carry a nonce and are signed over their query string",
    ...assumed("Older guides of the live service describe it."),
  },
  {
    behaviour: "a challenge is answered within 5 seconds",
    ...assumed("The interface gives no time; a setting changes it."),
  },
  {
    behaviour: "free and basic plans have no webhook",
    ...assumed("The interface names pro and enterprise only."),
  },
  {
    behaviour: "only hosts of the host table are called",
    ...stricter("The sandbox never calls out."),
  },
];
