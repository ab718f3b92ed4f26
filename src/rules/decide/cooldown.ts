import type { AccountEvent } from "../../events/event.ts";
import { counterpartOf } from "../../events/kinds/kinds.ts";
import type { CooldownScope } from "../ruleset.ts";

/** Under which key the time of a rule's last run is kept. The rule's id is in it, its revision is not. */
export function cooldownKey(ruleId: string, per: CooldownScope, event: AccountEvent): string {
  const key = `cooldown/${ruleId}`;
  switch (per) {
    case "rule":
      return key;
    case "account":
      return `${key}/${event.accountId}`;
    case "sender":
      return `${key}/${event.accountId}/person/${counterpartOf(event) ?? "-"}`;
    case "conversation":
      return `${key}/${event.accountId}/lane/${event.lane}`;
  }
}
