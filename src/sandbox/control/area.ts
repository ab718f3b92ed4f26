import { hostTable } from "../kernel/delivery/hosts.ts";
import type { Area } from "../server/route.ts";
import { assumed, stricter } from "../kernel/ledger.ts";
import { routes } from "./routes.ts";

/** The sandbox's own interface: state, clock, faults, hosts, events, deliveries. */
export const control: Area = {
  name: "control",
  tables: [hostTable],
  routes,
  behaviours: [
    {
      behaviour:
        "a body has at most 1 MiB, of media 24 MiB, of somebody unknown 64 KiB; 10,000 values",
      ...stricter("The interface gives no size. Past it: 413."),
    },
    {
      behaviour:
        "an id in a path that is not 1 to 19 digits is refused with 400, whatever the method",
      ...assumed("A webhook's has its own reason in the interface, WebhookIdInvalid."),
    },
    {
      behaviour:
        "a body arrives within 10 seconds, and all that are under way have 64 MiB together",
      ...stricter("The interface gives no time. Past it: 408 and 503."),
    },
    {
      behaviour:
        "a nonce is used once, so a signed request that a network doubles is refused the second time",
      ...assumed("As RFC 5849, 3.3 asks of servers."),
    },
    {
      behaviour:
        "signatures are taken by the sandbox's clock, the machine's, and what the clock passed just now",
      ...assumed("Unmodified clients sign by the machine's clock."),
    },
    {
      behaviour:
        "a saved world is there after a kill, with what was not delivered and replays under way",
      ...assumed("Rate limits, used nonces, the feed and the list of deliveries begin anew."),
    },
  ],
};
