import type { RuntimeStatus } from "../../runtime/control/status-schema.ts";

type Other = NonNullable<RuntimeStatus["otherInstances"]>[number];

/** Line of `status` about another Answerback instance that answers for the same account. */
export function otherInstanceLine({ account, username, reason, holdsBack }: Other): string {
  const whose = `@${username ?? account}`;
  const fix = `stop one of the two${holdsBack ? ", then: answerback resume" : ""}`;
  const here = holdsBack ? "; this instance sends nothing for the account" : "";
  return `another instance answers for ${whose}: ${reason}${here}; ${fix}`;
}
