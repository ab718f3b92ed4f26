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
        "a body has at most 1 MiB (media 24 MiB, unknown callers 64 KiB) and 10,000 values",
      ...stricter("The documentation gives no size. Above the limit: 413."),
    },
    {
      behaviour:
        "an id in a path that is not 1 to 19 digits is refused with 400, whatever the method",
      ...assumed("For ids of webhooks, the documentation has the reason WebhookIdInvalid."),
    },
    {
      behaviour:
        "a body must arrive within 10 seconds for each 16 MiB; all bodies in memory together have 64 MiB",
      ...stricter("The documentation gives no time. Above the limits: 408 and 503."),
    },
    {
      behaviour: "people act within blocks, protected posts and reply settings, as apps do",
      ...assumed(
        "The documentation describes only apps. Mentions by blocked people are delivered, as it says.",
      ),
    },
    {
      behaviour: "the `type` of a problem is a URL of the host that the client used",
      ...assumed(
        "The documentation has `{base_url}`. Clients with a fixed host send its name in `Host`. Messages on streams have the sandbox's own host.",
      ),
    },
    {
      behaviour: "a nonce is accepted once, so a repeated copy of a signed request is refused",
      ...assumed("RFC 5849, section 3.3, requires this of servers."),
    },
    {
      behaviour:
        "signatures may use the time of the sandbox's clock, recently skipped times, or the machine's time",
      ...assumed("Unmodified clients sign with the machine's time."),
    },
    {
      behaviour: "saved data survives a kill, with undelivered events and running replays",
      ...assumed(
        "Rate limits, used nonces, event feed, and the lists of deliveries, exchanges and ended streams start empty.",
      ),
    },
  ],
};
